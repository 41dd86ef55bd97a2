//! The container image: the static program and nothing else.
//!
//! It is written here and not by `podman build`, whose images name the container that made them and so differ each time.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Release, copy, failed, write as write_file};
use crate::shell::{TaskError, output, run};

/// The user that the server runs as, who owns the folder of the data.
const USER: &str = "10001";

/// Writes `fourfold-VERSION-image-ARCHITECTURE.tar`, which `podman load` and `docker load` read.
pub(super) fn write(release: &Release) -> Result<(), TaskError> {
    let stage = release.stage("image")?;
    let content = release.stage("image-content")?;
    copy(&release.program, &content.join("fourfold"))?;
    let data = content.join("data");
    fs::create_dir_all(&data).map_err(failed(&data))?;
    let layer = stage.join("layer.tar");
    tar(release, &content, &layer, &["--create", "--owner=0", "--group=0", "--mode=0755"], &["fourfold"])?;
    let owner = [format!("--owner={USER}"), format!("--group={USER}")];
    tar(release, &content, &layer, &["--append", &owner[0], &owner[1], "--mode=0750"], &["data"])?;
    let settings = settings(release, &sum(&layer)?)?;
    write_file(&stage.join("config.json"), &settings)?;
    let version = &release.version;
    let manifest = format!(
        "[{{\"Config\": \"config.json\", \"RepoTags\": [\"localhost/fourfold:{version}\"], \"Layers\": [\"layer.tar\"]}}]\n"
    );
    write_file(&stage.join("manifest.json"), &manifest)?;
    let file = release.file(&format!("fourfold-{version}-image-{}.tar", release.platform.debian));
    tar(
        release,
        &stage,
        &file,
        &["--create", "--owner=0", "--group=0", "--mode=0644"],
        &["config.json", "layer.tar", "manifest.json"],
    )
}

/// What a container of the image is given: its user, command, health check and how it is stopped.
fn settings(release: &Release, layer: &str) -> Result<String, TaskError> {
    let time = format!("@{}", release.time);
    let created = output(Command::new("date").args(["--utc", "--date", &time, "+%Y-%m-%dT%H:%M:%SZ"]))?;
    let (created, architecture) = (created.trim(), release.platform.debian);
    Ok(format!(
        r#"{{
  "created": "{created}",
  "architecture": "{architecture}",
  "os": "linux",
  "config": {{
    "User": "{USER}:{USER}",
    "ExposedPorts": {{"8080/tcp": {{}}}},
    "Env": [
      "FOURFOLD_ADDRESS=0.0.0.0",
      "FOURFOLD_PORT=8080",
      "FOURFOLD_DATABASE=/data/fourfold.db",
      "FOURFOLD_LOG=json"
    ],
    "Entrypoint": ["/fourfold"],
    "Cmd": ["serve"],
    "WorkingDir": "/data",
    "Volumes": {{"/data": {{}}}},
    "StopSignal": "SIGTERM",
    "Healthcheck": {{
      "Test": ["CMD", "/fourfold", "doctor", "--server", "http://127.0.0.1:8080"],
      "Interval": 30000000000,
      "Timeout": 3000000000,
      "StartPeriod": 5000000000
    }}
  }},
  "rootfs": {{"type": "layers", "diff_ids": ["sha256:{layer}"]}},
  "history": [{{"created": "{created}", "created_by": "cargo xtask dist"}}]
}}
"#
    ))
}

fn tar(release: &Release, folder: &Path, file: &Path, how: &[&str], what: &[&str]) -> Result<(), TaskError> {
    run(Command::new("tar")
        .current_dir(folder)
        .args(how)
        .args(["--sort=name", "--numeric-owner", "--format=ustar"])
        .arg(format!("--mtime=@{}", release.time))
        .arg("--file")
        .arg(file)
        .args(what))
}

fn sum(file: &Path) -> Result<String, TaskError> {
    let said = output(Command::new("sha256sum").arg(file))?;
    Ok(said.split_whitespace().next().unwrap_or_default().to_owned())
}
