//! The list of everything that is compiled in, in CycloneDX form.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Release;
use crate::shell::{TaskError, cargo, output};

/// Writes `fourfold-VERSION.cdx.json`.
pub(super) fn write(release: &Release) -> Result<(), TaskError> {
    let format = "{p}\t{l}";
    let tree = output(cargo().args(["tree", "--locked", "--package", "fourfold", "--edges", "normal,build"]).args([
        "--target",
        release.platform.target,
        "--prefix",
        "none",
        "--format",
        format,
    ]))?;
    let lines: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let mut components = Vec::new();
    for line in lines {
        let (package, licence) = line.split_once('\t').unwrap_or((line, ""));
        let mut words = package.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { continue };
        let version = version.trim_start_matches('v');
        let mut component = format!(
            "    {{\"type\": \"library\", \"name\": {name:?}, \"version\": {version:?}, \"purl\": \"pkg:cargo/{name}@{version}\""
        );
        if !licence.is_empty() {
            let _ = write!(component, ", \"licenses\": [{{\"expression\": {:?}}}]", licence.replace('/', " OR "));
        }
        component.push('}');
        components.push(component);
    }
    let version = &release.version;
    let text = format!(
        "{{\n  \"bomFormat\": \"CycloneDX\",\n  \"specVersion\": \"1.5\",\n  \"version\": 1,\n  \"metadata\": {{\"component\": \
         {{\"type\": \"application\", \"name\": \"fourfold\", \"version\": {version:?}}}}},\n  \"components\": [\n{}\n  ]\n}}\n",
        components.join(",\n")
    );
    super::write(&release.file(&format!("fourfold-{version}.cdx.json")), &text)
}
