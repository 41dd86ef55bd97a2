//! The Debian package: program, hardened unit, configuration, manual; data in /var/lib/fourfold outlives it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::{COMPLETIONS, completions, manual};
use super::{Release, copy, failed, write as write_file};
use crate::shell::{TaskError, root, run, works};

/// The person that Debian's tools expect to be named.
const MAINTAINER: &str = "The Fourfold maintainers <maintainers@fourfold.invalid>";

pub(super) const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Writes the package and lets lintian look at it where it is installed.
pub(super) fn write(release: &Release) -> Result<(), TaskError> {
    let file = pack(release)?;
    if works(Command::new("lintian").arg("--version")) {
        let user = ["--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0"];
        run(Command::new("lintian").args(user).arg(&file))?;
    }
    Ok(())
}

/// Writes `fourfold_VERSION_ARCHITECTURE.deb`.
pub(super) fn pack(release: &Release) -> Result<PathBuf, TaskError> {
    let stage = release.stage("debian")?;
    let deploy = root().join("deploy");
    copy(&release.program, &stage.join("usr/bin/fourfold"))?;
    copy(&deploy.join("debian/fourfold.toml"), &stage.join("etc/fourfold.toml"))?;
    write_file(&stage.join("usr/lib/systemd/system/fourfold.service"), &unit()?)?;
    documents(release, &stage)?;
    let control = stage.join("DEBIAN");
    write_file(&control.join("control"), &control_file(release, &stage)?)?;
    write_file(&control.join("conffiles"), "/etc/fourfold.toml\n")?;
    for script in SCRIPTS {
        copy(&deploy.join("debian").join(script), &control.join(script))?;
    }
    sums(&stage)?;
    set_modes(&stage)?;
    let file = release.file(&format!("fourfold_{}_{}.deb", release.version, release.platform.debian));
    run(Command::new("dpkg-deb")
        .args(["--root-owner-group", "-Zxz", "--build"])
        .arg(&stage)
        .arg(&file)
        .env("SOURCE_DATE_EPOCH", &release.time))?;
    Ok(file)
}

/// The unit of the archive, for a program where Debian has it and a user that stays.
fn unit() -> Result<String, TaskError> {
    let file = root().join("deploy/fourfold.service");
    let unit = fs::read_to_string(&file).map_err(failed(&file))?;
    let (_, unit) = unit.split_once('\n').unwrap_or_default();
    Ok(unit
        .replace("/usr/local/bin/fourfold", "/usr/bin/fourfold")
        .replace("DynamicUser=yes", "User=fourfold\nGroup=fourfold"))
}

fn control_file(release: &Release, stage: &Path) -> Result<String, TaskError> {
    let size = crate::shell::output(
        Command::new("du").args(["--summarize", "--apparent-size", "--block-size=1K"]).arg(stage),
    )?;
    let size = size.split_whitespace().next().unwrap_or("0");
    Ok(format!(
        "Package: fourfold\nVersion: {}\nArchitecture: {}\nMaintainer: {MAINTAINER}\nInstalled-Size: {size}\n\
         Depends: adduser\nSection: net\nPriority: optional\n\
         Description: line games in the browser, in the terminal and for a whole club\n \
         Play against bots, at one screen or over the network; exact analysis,\n \
         lessons and exercises in Ukrainian, Russian and English. The package runs a\n \
         server at port 8080 of this machine.\n",
        release.version, release.platform.debian
    ))
}

/// Manual pages, completions, copyright and changelog where Debian expects them.
fn documents(release: &Release, stage: &Path) -> Result<(), TaskError> {
    let share = stage.join("usr/share");
    manual(release, &share.join("man/man1"))?;
    for (shell, file) in COMPLETIONS {
        write_file(&share.join(file), &completions(release, shell)?)?;
    }
    let doc = share.join("doc/fourfold");
    let licence = fs::read_to_string(root().join("LICENSE-MIT")).map_err(failed(Path::new("LICENSE-MIT")))?;
    let copyright = format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: fourfold\n\n\
         Files: *\nCopyright: The Fourfold contributors\nLicense: MIT or Apache-2.0\n\nLicense: MIT\n{}\n\
         License: Apache-2.0\n On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.\n",
        licence
            .trim_end()
            .lines()
            .map(|line| format!(" {}\n", if line.is_empty() { "." } else { line }))
            .collect::<String>()
    );
    write_file(&doc.join("copyright"), &copyright)?;
    let date = crate::shell::output(
        Command::new("date").args(["--utc", "--rfc-email", "--date"]).arg(format!("@{}", release.time)),
    )?;
    let changelog = format!(
        "fourfold ({}) unstable; urgency=medium\n\n  * See CHANGELOG.md of the project.\n\n -- {MAINTAINER}  {}\n",
        release.version,
        date.trim()
    );
    write_file(&doc.join("changelog"), &changelog)?;
    write_file(
        &share.join("lintian/overrides/fourfold"),
        "# One static program is the point of it: it runs on every system. Where it can be loaded at any address,\n\
         # lintian takes it for a library.\n\
         fourfold: statically-linked-binary [usr/bin/fourfold]\n\
         fourfold: shared-library-lacks-prerequisites [usr/bin/fourfold]\n",
    )?;
    let mut packed = vec![doc.join("changelog")];
    packed.extend(fs::read_dir(share.join("man/man1")).map_err(failed(&share))?.flatten().map(|entry| entry.path()));
    packed.sort();
    run(Command::new("gzip").args(["--best", "--no-name"]).args(packed))
}

/// The checksums by which `dpkg --verify` notices damage.
fn sums(stage: &Path) -> Result<(), TaskError> {
    let list = "find etc usr -type f -print0 | sort -z | xargs -0 md5sum > DEBIAN/md5sums";
    run(Command::new("sh").current_dir(stage).args(["-c", list]))
}

/// Modes as Debian has them, whatever the umask here is.
fn set_modes(folder: &Path) -> Result<(), TaskError> {
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).map_err(failed(path));
    set(folder, 0o755)?;
    for entry in fs::read_dir(folder).map_err(failed(folder))?.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let runs = path.ends_with("usr/bin/fourfold") || SCRIPTS.iter().any(|script| name == *script);
        match path.is_dir() {
            true => set_modes(&path)?,
            false => set(&path, if runs { 0o755 } else { 0o644 })?,
        }
    }
    Ok(())
}
