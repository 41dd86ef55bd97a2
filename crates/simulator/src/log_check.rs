//! What every log must be like, whichever node wrote it: seats, offers and ends follow from what stands before them.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::{Line, Log};

/// The occupant of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Sitting {
    Person(String),
    Bot,
}

#[derive(Default)]
struct State {
    seats: BTreeMap<u64, Sitting>,
    /// The seats that want something, until it is declined or done. An action of the proposer leaves a proposal open.
    wanting: BTreeSet<u64>,
    /// The seats that were claimed to be away since the last entry of the match.
    claimed: BTreeSet<u64>,
    begun: bool,
    ended: bool,
    rematches: u32,
}

/// How many entries the match had before a line.
pub(crate) fn length_before(log: &Log, index: usize) -> usize {
    log.lines[..index].iter().fold(0, |length, line| match line.kind() {
        "did" => length + 1,
        "took_back" => line.json["what"]["took_back"]["to"].as_u64().unwrap_or(0) as usize,
        _ => length,
    })
}

/// Adds what is wrong with a log.
pub(crate) fn problems(log: &Log, problems: &mut Vec<String>) {
    let mut state = State::default();
    for (number, line) in (1..).zip(&log.lines) {
        if let Some(problem) = state.take(line) {
            problems.push(format!("entry {number} of {}: {problem}", log.table));
        }
    }
}

impl State {
    /// Takes in a line; what is wrong with it.
    fn take(&mut self, line: &Line) -> Option<String> {
        let what = &line.json["what"][line.kind()];
        let seat = what["seat"].as_u64().unwrap_or(0);
        match line.kind() {
            "sat" => {
                let sitting =
                    what["who"]["person"]["id"].as_str().map_or(Sitting::Bot, |id| Sitting::Person(id.to_owned()));
                let twice = sitting != Sitting::Bot && self.seats.values().any(|other| *other == sitting);
                let taken = self.seats.insert(seat, sitting).is_some();
                if taken {
                    return Some(format!("seat {seat} was taken"));
                }
                twice.then(|| "one person has two seats".to_owned())
            }
            "stood" => self.seats.remove(&seat).is_none().then(|| format!("seat {seat} was free")),
            "began" => std::mem::replace(&mut self.begun, true).then(|| "it begins twice".to_owned()),
            "did" => self.take_entry(line),
            "proposed" => {
                self.wanting.insert(seat);
                None
            }
            "declined" => {
                self.wanting.clear();
                None
            }
            "claimed" => {
                self.claimed.insert(what["away"].as_u64().unwrap_or(0));
                self.wanting.insert(seat);
                None
            }
            "took_back" => {
                let bots = self.seats.values().filter(|sitting| **sitting == Sitting::Bot).count();
                let alone = self.wanting.len() + bots < 2;
                self.start_anew();
                alone.then(|| "one player alone takes back".to_owned())
            }
            "ended" => std::mem::replace(&mut self.ended, true).then(|| "it ends twice".to_owned()),
            "again" => {
                self.rematches += 1;
                (self.rematches > 1).then(|| "there are two rematches".to_owned())
            }
            _ => None,
        }
    }

    fn take_entry(&mut self, line: &Line) -> Option<String> {
        let entry = line.entry().unwrap_or_default();
        let claimed = std::mem::take(&mut self.claimed);
        if !self.begun || self.ended {
            return Some(format!("{entry} before the beginning or after the end"));
        }
        let number = |prefix: &str| entry.strip_prefix(prefix).and_then(|seat| seat.parse::<u64>().ok());
        if let (Some(seat), Some(by)) = (number("resign:"), line.text("by"))
            && self.seats.get(&seat) != Some(&Sitting::Person(by.to_owned()))
        {
            return Some(format!("{by} resigns for seat {seat}"));
        }
        if let Some(seat) = number("left:").filter(|seat| !claimed.contains(seat)) {
            return Some(format!("seat {seat} is out, and none has claimed it"));
        }
        if entry == "agreed" && std::mem::take(&mut self.wanting).len() < 2 && claimed.is_empty() {
            return Some("one player alone agrees on a draw".to_owned());
        }
        None
    }

    fn start_anew(&mut self) {
        self.wanting.clear();
        self.claimed.clear();
    }
}
