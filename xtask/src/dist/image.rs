//! The container image: the static program and nothing else.

use std::fs;
use std::process::Command;

use super::{Release, copy, failed};
use crate::shell::{TaskError, root, run, works};

/// Writes `fourfold-VERSION-image.tar`, which `podman load` and `docker load` read.
pub(super) fn write(release: &Release) -> Result<(), TaskError> {
    if !works(Command::new("podman").arg("--version")) {
        return Err(TaskError::new("podman is missing"));
    }
    let stage = release.stage("image")?;
    copy(&release.program, &stage.join("fourfold"))?;
    copy(&root().join("deploy/Containerfile.static"), &stage.join("Containerfile"))?;
    // A folder for the data that the image's user may write to.
    let data = stage.join("data");
    fs::create_dir_all(&data).map_err(failed(&data))?;
    let tag = format!("localhost/fourfold:{}", release.version);
    run(Command::new("podman").current_dir(&stage).args([
        "build",
        "--quiet",
        "--format",
        "docker",
        "--timestamp",
        &release.time,
        "--tag",
        &tag,
        ".",
    ]))?;
    let file = release.file(&format!("fourfold-{}-image.tar", release.version));
    run(Command::new("podman").args(["save", "--quiet", "--output"]).arg(file).arg(&tag))
}
