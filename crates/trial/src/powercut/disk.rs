//! A disk as it may look after a power cut: what was synced is there, of the rest any part.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use search::Random;

/// A change of the recorded folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Create { file: u64, name: String },
    Write { file: u64, at: usize, data: Vec<u8> },
    Truncate { file: u64, length: usize },
    Sync { file: u64 },
    SyncFolder,
    Rename { from: String, to: String },
    Link { from: String, to: String },
    Unlink { name: String },
}

/// An operation, and where its record ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Recorded {
    pub(super) operation: Operation,
    pub(super) end: u64,
}

/// The length of a record without what follows it.
const HEAD: usize = 25;

/// Reads what the recorder has written.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Recorded>, String> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(head) = bytes.get(at..at + HEAD) {
        let number =
            |from: usize| head[from..from + 8].iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        let (file, offset, length) = (number(1), number(9), number(17));
        let size = |number: u64| usize::try_from(number).map_err(|error| error.to_string());
        let end = at + HEAD + size(length)?;
        let Some(data) = bytes.get(at + HEAD..end) else { break };
        let text = || String::from_utf8_lossy(data).into_owned();
        let pair = || {
            let text = text();
            text.split_once('\0').map(|(from, to)| (from.to_owned(), to.to_owned())).ok_or("one name instead of two")
        };
        let operation = match head[0] {
            b'C' => Operation::Create { file, name: text() },
            b'W' => Operation::Write { file, at: size(offset)?, data: data.to_vec() },
            b'T' => Operation::Truncate { file, length: size(offset)? },
            b'S' => Operation::Sync { file },
            b'D' => Operation::SyncFolder,
            b'R' => pair().map(|(from, to)| Operation::Rename { from, to })?,
            b'L' => pair().map(|(from, to)| Operation::Link { from, to })?,
            b'U' => Operation::Unlink { name: text() },
            other => return Err(format!("there is no record {other}")),
        };
        all.push(Recorded { operation, end: end as u64 });
        at = end;
    }
    Ok(all)
}

/// The part of a write that reaches the disk, or does not, as a whole.
const SECTOR: usize = 512;

/// What is durable, and what is not yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    files: Vec<File>,
    /// Which file a number of the system stands for now; the system uses numbers again.
    current: BTreeMap<u64, usize>,
    /// The names that are durable.
    names: BTreeMap<String, usize>,
    /// Changes of names that are not: the file, or nothing, that each name has then.
    new_names: Vec<Vec<(String, Option<usize>)>>,
}

#[derive(Clone, Debug, Default)]
struct File {
    durable: Vec<u8>,
    pending: Vec<Change>,
}

#[derive(Clone, Debug)]
enum Change {
    Write { at: usize, data: Vec<u8> },
    Truncate(usize),
}

/// How much of what was not synced is lost.
#[derive(Clone, Copy)]
enum Loss {
    All,
    Nothing,
    /// Each change may be lost or torn, whatever happened to the others.
    Any,
    /// The first ones are lost and the last ones are not.
    Earlier,
}

impl Disk {
    /// The files of a folder, all of them durable.
    pub(super) fn of(folder: &Path) -> std::io::Result<Disk> {
        let mut disk = Disk::default();
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let about = entry.metadata()?;
            if about.is_file() {
                disk.current.insert(about.ino(), disk.files.len());
                disk.names.insert(entry.path().display().to_string(), disk.files.len());
                disk.files.push(File { durable: std::fs::read(entry.path())?, pending: Vec::new() });
            }
        }
        Ok(disk)
    }

    /// The names as programs see them.
    fn seen(&self) -> BTreeMap<String, usize> {
        let mut names = self.names.clone();
        self.new_names.iter().for_each(|change| rename(&mut names, change));
        names
    }

    fn file(&mut self, number: u64) -> Option<&mut File> {
        self.files.get_mut(*self.current.get(&number)?)
    }

    /// Lets an operation happen.
    pub(super) fn perform(&mut self, operation: &Operation) {
        let seen = |disk: &Disk, name: &str| disk.seen().get(name).copied();
        match operation {
            Operation::Create { file, name } => {
                self.current.insert(*file, self.files.len());
                self.new_names.push(vec![(name.clone(), Some(self.files.len()))]);
                self.files.push(File::default());
            }
            Operation::Write { file, at, data } => {
                if let Some(file) = self.file(*file) {
                    file.pending.push(Change::Write { at: *at, data: data.clone() });
                }
            }
            Operation::Truncate { file, length } => {
                if let Some(file) = self.file(*file) {
                    file.pending.push(Change::Truncate(*length));
                }
            }
            Operation::Sync { file } => {
                if let Some(file) = self.file(*file) {
                    for change in std::mem::take(&mut file.pending) {
                        apply(&mut file.durable, &change, None);
                    }
                }
            }
            Operation::SyncFolder => {
                self.names = self.seen();
                self.new_names.clear();
            }
            Operation::Rename { from, to } => {
                let file = seen(self, from);
                self.new_names.push(vec![(from.clone(), None), (to.clone(), file)]);
            }
            Operation::Link { from, to } => self.new_names.push(vec![(to.clone(), seen(self, from))]),
            Operation::Unlink { name } => self.new_names.push(vec![(name.clone(), None)]),
        }
    }

    /// The files after a cut, by name.
    pub(super) fn after_cut(&self, random: &mut Random) -> BTreeMap<String, Vec<u8>> {
        let loss = [Loss::All, Loss::Nothing, Loss::Any, Loss::Earlier][random.below(4) as usize];
        let mut names = self.names.clone();
        // A file system writes changes of names in their order.
        let kept = match loss {
            Loss::All => 0,
            Loss::Nothing => self.new_names.len(),
            Loss::Any | Loss::Earlier => random.below(self.new_names.len() as u32 + 1) as usize,
        };
        self.new_names[..kept].iter().for_each(|change| rename(&mut names, change));
        let mut cut = BTreeMap::new();
        for (name, file) in names {
            cut.insert(name, self.files[file].after_cut(loss, random));
        }
        cut
    }
}

fn rename(names: &mut BTreeMap<String, usize>, change: &[(String, Option<usize>)]) {
    for (name, file) in change {
        match file {
            Some(file) => names.insert(name.clone(), *file),
            None => names.remove(name),
        };
    }
}

impl File {
    fn after_cut(&self, loss: Loss, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        let lost = random.below(self.pending.len() as u32 + 1) as usize;
        for (index, change) in self.pending.iter().enumerate() {
            match loss {
                Loss::All => {}
                Loss::Nothing => apply(&mut bytes, change, None),
                Loss::Earlier if index < lost => {}
                Loss::Earlier => apply(&mut bytes, change, None),
                Loss::Any => match random.below(3) {
                    0 => {}
                    1 => apply(&mut bytes, change, None),
                    _ => apply(&mut bytes, change, Some(random)),
                },
            }
        }
        bytes
    }
}

/// Applies a change; with random numbers only some of its sectors.
fn apply(bytes: &mut Vec<u8>, change: &Change, mut torn: Option<&mut Random>) {
    match change {
        Change::Truncate(length) => bytes.resize(*length, 0),
        Change::Write { at, data } => {
            let end = at + data.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            let mut from = *at;
            while from < end {
                let to = ((from / SECTOR + 1) * SECTOR).min(end);
                if torn.as_mut().is_none_or(|random| random.below(2) == 0) {
                    bytes[from..to].copy_from_slice(&data[from - at..to - at]);
                }
                from = to;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(disk: &mut Disk, at: usize, text: &str) {
        disk.perform(&Operation::Write { file: 7, at, data: text.as_bytes().to_vec() });
    }

    fn cuts(disk: &Disk) -> Vec<BTreeMap<String, Vec<u8>>> {
        let mut random = Random::new(1);
        (0..200).map(|_| disk.after_cut(&mut random)).collect()
    }

    #[test]
    fn what_is_synced_stays_and_the_rest_may_be_lost() {
        let mut disk = Disk::default();
        disk.perform(&Operation::Create { file: 7, name: "a".to_owned() });
        written(&mut disk, 0, "one");
        disk.perform(&Operation::Sync { file: 7 });
        assert!(cuts(&disk).iter().any(BTreeMap::is_empty), "its name is not durable");
        disk.perform(&Operation::SyncFolder);
        assert!(cuts(&disk).iter().all(|files| files["a"] == b"one"));
        written(&mut disk, 3, "two");
        written(&mut disk, 6, "three");
        let found: std::collections::BTreeSet<Vec<u8>> =
            cuts(&disk).into_iter().map(|mut files| files.remove("a").unwrap()).collect();
        for text in ["one", "onetwo", "onetwothree", "one\0\0\0three"] {
            assert!(found.contains(text.as_bytes()), "{text:?}");
        }
        disk.perform(&Operation::Rename { from: "a".to_owned(), to: "b".to_owned() });
        disk.perform(&Operation::Sync { file: 7 });
        assert!(cuts(&disk).iter().all(|files| files.len() == 1 && files.values().all(|text| text == b"onetwothree")));
        disk.perform(&Operation::SyncFolder);
        assert!(cuts(&disk).iter().all(|files| files.contains_key("b")));
    }

    #[test]
    fn long_writes_are_torn_between_sectors() {
        let mut disk = Disk::default();
        disk.perform(&Operation::Create { file: 7, name: "a".to_owned() });
        disk.perform(&Operation::SyncFolder);
        written(&mut disk, 100, &"x".repeat(2000));
        let torn = |bytes: &Vec<u8>| {
            bytes.len() == 2100 && bytes[100..512].iter().all(|byte| *byte == 0) && bytes[600] == b'x'
        };
        assert!(cuts(&disk).iter().any(|files| torn(&files["a"])));
    }

    #[test]
    fn records_are_read_as_they_are_written() {
        let mut bytes = vec![b'W'];
        for number in [7_u64, 3, 2] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(b"ab");
        let whole = bytes.len() as u64;
        bytes.extend(b"S half a record");
        let write = Operation::Write { file: 7, at: 3, data: b"ab".to_vec() };
        assert_eq!(read(&bytes), Ok(vec![Recorded { operation: write, end: whole }]));
    }
}
