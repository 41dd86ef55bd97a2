//! A copy of the workspace in which the mutants are planted.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::mutant::Mutant;
use crate::plant::{self, Owner};

/// What every mutated crate gets besides.
const MODULE: &str = include_str!("mutation.rs.txt");
/// At the head of such a crate. Mutants overflow and divide by zero, which is for the tests to notice.
const HEAD: &str = "#![feature(core_intrinsics, const_eval_select)]\n\
                    #![allow(internal_features, warnings, arithmetic_overflow, unconditional_panic)]\n";

/// The copy, and what its files look like without mutants.
pub(crate) struct Copy {
    root: PathBuf,
    pub(crate) folder: PathBuf,
    /// For each planted file the owner of each of its lines.
    owners: BTreeMap<String, Vec<Owner>>,
    /// The mutants in what the compiler may compute.
    pub(crate) computed: BTreeSet<u32>,
}

impl Copy {
    /// Copies what git knows or would add. What has not changed is left alone, so that cargo need not compile it again.
    pub(crate) fn of(root: &Path, folder: &Path) -> Result<Copy, Failure> {
        let mut git = Command::new("git");
        git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listed = String::from_utf8_lossy(&git.output()?.stdout).into_owned();
        let copy = Copy {
            root: root.to_owned(),
            folder: folder.to_owned(),
            owners: BTreeMap::new(),
            computed: BTreeSet::new(),
        };
        for file in listed.split('\0').filter(|file| !file.is_empty() && root.join(file).is_file()) {
            // Planted below.
            if !file.ends_with(".rs") || !copy.folder.join(file).exists() {
                copy.write(file, &fs::read(root.join(file))?)?;
            }
        }
        let known: HashSet<&str> = listed.split('\0').collect();
        copy.restore(&known)?;
        Ok(copy)
    }

    /// Takes away Rust files that are no longer there.
    fn restore(&self, known: &HashSet<&str>) -> Result<(), Failure> {
        let mut folders = vec![self.folder.join("crates")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                let name = path.strip_prefix(&self.folder).unwrap_or(&path).to_string_lossy().into_owned();
                if path.is_dir() {
                    folders.push(path);
                } else if name.ends_with(".rs") && !known.contains(name.as_str()) {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }

    fn write(&self, file: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.folder.join(file);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return Ok(());
        }
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        Ok(fs::write(path, content)?)
    }

    /// Plants these mutants, and writes all other Rust files as they are; the mutants without a place.
    pub(crate) fn plant(&mut self, mutants: &[&Mutant], plain: Option<&Mutant>) -> Result<Vec<u32>, Failure> {
        let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
        mutants.iter().for_each(|mutant| files.entry(&mutant.file).or_default().push(mutant));
        let crates: BTreeSet<&str> =
            mutants.iter().filter_map(|mutant| Some(mutant.file.split_once("/src/")?.0)).collect();
        let mut homeless = Vec::new();
        self.owners.clear();
        for file in self.rust_files()? {
            let mut text = fs::read_to_string(self.root.join(&file))?;
            if let Some(mutant) = plain.filter(|mutant| mutant.file == file) {
                // The spans of the others would no longer fit.
                text = plant::plainly(&text, mutant);
            } else if let Some(mutants) = files.get(file.as_str()) {
                let planted = plant::plant(&text, mutants)?;
                homeless.extend(planted.homeless);
                self.computed.extend(planted.computed);
                text = planted.text;
            }
            if crates.iter().any(|folder| file == format!("{folder}/src/lib.rs")) {
                text = format!("{HEAD}{text}{MODULE}");
            }
            self.write(&file, text.as_bytes())?;
            self.owners.insert(file, plant::owners(&text));
        }
        Ok(homeless)
    }

    fn rust_files(&self) -> Result<Vec<String>, Failure> {
        let mut git = Command::new("git");
        git.current_dir(&self.root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.rs"]);
        let listed = String::from_utf8_lossy(&git.output()?.stdout).into_owned();
        let there = |file: &&str| !file.is_empty() && self.root.join(file).is_file();
        Ok(listed.split('\0').filter(there).map(str::to_owned).collect())
    }

    /// The mutant at a line of a file, from 1, if the line is one.
    pub(crate) fn mutant_at(&self, file: &str, line: usize) -> Option<u32> {
        self.owners.get(file)?.get(line - 1)?.mutant
    }

    /// The first mutant of the place of each.
    pub(crate) fn places(&self) -> BTreeMap<u32, u32> {
        let lines = self.owners.values().flatten();
        // An arm that may be deleted is a place by itself.
        lines.filter_map(|owner| owner.mutant.map(|mutant| (mutant, owner.place.unwrap_or(mutant)))).collect()
    }

    /// All mutants at the place that a line belongs to.
    pub(crate) fn mutants_around(&self, file: &str, line: usize) -> Vec<u32> {
        let Some(owners) = self.owners.get(file) else { return Vec::new() };
        let Some(place) = owners.get(line - 1).and_then(|owner| owner.place) else { return Vec::new() };
        let inside = owners.iter().filter(|owner| owner.place == Some(place));
        let found: BTreeSet<u32> = inside.filter_map(|owner| owner.mutant).collect();
        found.into_iter().collect()
    }
}
