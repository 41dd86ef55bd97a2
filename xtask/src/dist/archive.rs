//! The archive for any Linux: program, manual pages, completions, licences, an example configuration.

use std::path::Path;
use std::process::Command;

use super::{Release, copy};
use crate::shell::{TaskError, output, root, run};

/// Where a shell looks for completions, below `/usr/share`, and its name.
pub(super) const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "bash-completion/completions/fourfold"),
    ("zsh", "zsh/vendor-completions/_fourfold"),
    ("fish", "fish/vendor_completions.d/fourfold.fish"),
];

/// Writes `fourfold-VERSION-TARGET.tar.xz`.
pub(super) fn write(release: &Release) -> Result<(), TaskError> {
    let name = format!("fourfold-{}-{}", release.version, release.platform.target);
    let stage = release.stage("archive")?;
    let folder = stage.join(&name);
    copy(&release.program, &folder.join("fourfold"))?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"] {
        copy(&root().join(file), &folder.join(file))?;
    }
    for file in ["fourfold.toml", "fourfold.service"] {
        copy(&root().join("deploy").join(file), &folder.join("deploy").join(file))?;
    }
    manual(release, &folder.join("man"))?;
    for (shell, _) in COMPLETIONS {
        super::write(&folder.join(format!("completions/fourfold.{shell}")), &completions(release, shell)?)?;
    }
    run(Command::new("tar")
        .current_dir(&stage)
        .args(["--create", "--xz", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go=rX"])
        .arg(format!("--mtime=@{}", release.time))
        .arg("--file")
        .arg(release.file(&format!("{name}.tar.xz")))
        .arg(&name))
}

/// The manual pages, which the program itself writes.
pub(super) fn manual(release: &Release, folder: &Path) -> Result<(), TaskError> {
    output(Command::new(&release.speaker).args(["--lang", "en", "man"]).arg(folder)).map(drop)
}

/// The completions for a shell.
pub(super) fn completions(release: &Release, shell: &str) -> Result<String, TaskError> {
    output(Command::new(&release.speaker).args(["--lang", "en", "completions", shell]))
}
