use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use search::Value;

use crate::class::{Mover, Pair, Table};
use crate::cpu::{Depths, solve_pair};
use crate::file::{Flaw, Folder};
use crate::geometry::Size;
use crate::gpu::Aim;
use crate::probe::Tablebase;
use crate::row::Board;
use crate::solve::{Cpu, Engine};
use crate::statistics::Counts;
use crate::verify::verify;

fn solve(size: Size, depths: Depths, threads: usize) -> (Board, HashMap<(Pair, usize), Table>) {
    let board = Board::new(size);
    let mut solved: HashMap<(Pair, usize), Table> = HashMap::new();
    for total in (0..=board.cells()).rev() {
        for pair in Pair::of_layer(total) {
            let above = |pair, mover: Mover| solved.get(&(pair, mover as usize));
            let tables = solve_pair(&board, pair, depths, &above, threads, &AtomicBool::new(false)).unwrap().unwrap();
            for (index, table) in tables.into_iter().enumerate() {
                solved.insert((pair, index), table);
            }
        }
    }
    (board, solved)
}

fn counts(board: &Board, solved: &HashMap<(Pair, usize), Table>) -> [u64; 3] {
    let mut sum = [0; 3];
    for (&(pair, index), table) in solved {
        let mover = Mover::BOTH[index];
        if pair.movers().contains(&mover) {
            let counts = Counts::of(board, pair, mover, table);
            sum = [sum[0] + counts.won, sum[1] + counts.lost, sum[2] + counts.drawn];
        }
    }
    sum
}

fn value(board: &Board, solved: &HashMap<(Pair, usize), Table>, own: u32, other: u32) -> Value {
    let (pair, mover, first, rank) = board.place(own, other);
    solved[&(pair, mover as usize)].value(first, rank)
}

#[test]
fn three_by_three_is_won_in_seven() {
    let (board, solved) = solve(Size::Three, Depths::Yes, 2);
    assert_eq!(counts(&board, &solved), [12_748, 6_935, 0]);
    assert_eq!(value(&board, &solved, 0, 0), Value::win_in(7));
}

#[test]
fn values_are_the_same_with_and_without_depths() {
    let (board, with) = solve(Size::Three, Depths::Yes, 1);
    let (_, without) = solve(Size::Three, Depths::No, 1);
    for (place, table) in &with {
        assert_eq!(table.words, without[place].words, "{place:?}");
    }
    assert_eq!(counts(&board, &with), counts(&board, &without));
}

#[test]
fn every_value_follows_from_those_one_move_further() {
    let (board, solved) = solve(Size::Three, Depths::Yes, 1);
    let geometry = &board.geometry;
    for own in 0..512u32 {
        for other in (0..512u32).filter(|other| other & own == 0) {
            let plain = if geometry.has_line(own) {
                Value::win_in(0)
            } else if geometry.has_line(other) {
                Value::loss_in(0)
            } else {
                best(geometry.legal(other).map(|push| {
                    let (own, other) = geometry.after(own, other, push);
                    value(&board, &solved, own, other)
                }))
            };
            assert_eq!(value(&board, &solved, own, other), plain, "{own:b} {other:b}");
        }
    }
}

fn best(children: impl Iterator<Item = Value>) -> Value {
    children.map(|value| -value.add_plies(1)).max().unwrap()
}

#[test]
#[ignore = "seconds in release mode: cargo test --release -p tablebase -- --ignored"]
fn four_by_four_is_won_in_twenty_one() {
    let (board, solved) = solve(Size::Four, Depths::Yes, 1);
    assert_eq!(counts(&board, &solved), [26_434_489, 15_003_736, 1_608_496]);
    assert_eq!(value(&board, &solved, 0, 0), Value::win_in(21));
}

/// Where the compiler for cards is installed, its kernels must compile, card or no card.
#[test]
#[allow(unsafe_code)]
fn the_kernels_compile() {
    // Asks only whether the library can be loaded.
    if unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        for aim in [Aim::Values, Aim::Depths, Aim::Games] {
            let geometry = crate::geometry::Geometry::new(Size::Five);
            if let Err(failure) = crate::gpu::compile(&geometry, aim, "compute_80") {
                panic!("{failure}");
            }
        }
    }
}

/// A folder of its own that is removed at the end.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("fourfold-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn write_all(size: Size, folder: &Folder) {
    let board = Board::new(size);
    let stop = AtomicBool::new(false);
    let mut cpu = Cpu::new(&board, Depths::Yes, 1, &stop);
    crate::solve::solve(&board, &mut cpu, 0, Some(folder), &mut |_, _| Ok(())).unwrap();
}

#[test]
fn a_folder_answers_and_proves_itself() {
    let scratch = Scratch::new("answers");
    write_all(Size::Three, &Folder::open(&scratch.0, Size::Three, Depths::Yes).unwrap());
    let tables = Tablebase::open(&scratch.0, Size::Three).unwrap();
    assert_eq!(tables.value(0, 0).unwrap(), Some(Value::win_in(7)));
    let found = verify(&tables, 50, 1).unwrap();
    assert!(found.right > 1000 && found.wrong == 0 && found.skipped == 0, "{found:?}");
    // Without depths the values still stand, and with part of the files the rest is skipped.
    for entry in std::fs::read_dir(&scratch.0).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "depths") || path.ends_with("quixo3-01-01.values") {
            std::fs::remove_file(path).unwrap();
        }
    }
    let tables = Tablebase::open(&scratch.0, Size::Three).unwrap();
    assert_eq!(tables.value(0, 0).unwrap(), Some(Value::Win(None)));
    assert_eq!(tables.value(1, 2).unwrap(), None);
    let found = verify(&tables, 50, 1).unwrap();
    assert!(found.wrong == 0 && found.skipped > 0, "{found:?}");
}

#[test]
fn a_damaged_or_foreign_file_is_named_and_never_believed() {
    let scratch = Scratch::new("damaged");
    write_all(Size::Three, &Folder::open(&scratch.0, Size::Three, Depths::Yes).unwrap());
    let path = scratch.0.join("quixo3-01-02.values");
    let whole = std::fs::read(&path).unwrap();
    let spoil = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let tables = Tablebase::open(&scratch.0, Size::Three).unwrap();
        tables.value(1, 6).unwrap_err().flaw
    };
    for place in [0, 10, 70, whole.len() - 1] {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        assert!(!matches!(spoil(&bytes), Flaw::Unreadable(_)), "byte {place}");
    }
    assert!(matches!(spoil(&whole[..whole.len() - 8]), Flaw::Damaged));
    assert!(matches!(spoil(b""), Flaw::Foreign | Flaw::Unreadable(_)));
    let other = std::fs::read(scratch.0.join("quixo3-01-03.values")).unwrap();
    assert!(matches!(spoil(&other), Flaw::Misplaced));
    // Solving again stops at such a file instead of building on it.
    let board = Board::new(Size::Three);
    assert!(
        Folder::open(&scratch.0, Size::Three, Depths::Yes)
            .unwrap()
            .read_pair(&board, Pair { few: 1, many: 2 })
            .is_err()
    );
}

#[test]
fn solving_goes_on_from_what_is_finished() {
    let scratch = Scratch::new("resume");
    let folder = Folder::open(&scratch.0, Size::Three, Depths::Yes).unwrap();
    write_all(Size::Three, &folder);
    let kept = std::fs::read(scratch.0.join("quixo3-00-00.depths")).unwrap();
    for few in 0..2 {
        for many in 0..3 {
            for kind in ["values", "depths"] {
                let _ = std::fs::remove_file(scratch.0.join(format!("quixo3-0{few}-0{many}.{kind}")));
            }
        }
    }
    // Left behind by an interrupted write.
    std::fs::write(scratch.0.join("quixo3-01-01.values.unfinished"), b"4FOLD").unwrap();
    write_all(Size::Three, &folder);
    assert_eq!(std::fs::read(scratch.0.join("quixo3-00-00.depths")).unwrap(), kept);
}

/// All files of a folder with what they hold.
fn files(path: &std::path::Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> = entries.map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_files() {
    let (whole, parts) = (Scratch::new("whole"), Scratch::new("parts"));
    write_all(Size::Three, &Folder::open(&whole.0, Size::Three, Depths::Yes).unwrap());
    let folder = Folder::open(&parts.0, Size::Three, Depths::Yes).unwrap();
    let board = Board::new(Size::Three);
    let mut runs = 0;
    loop {
        runs += 1;
        let stop = AtomicBool::new(false);
        let mut cpu = Cpu::new(&board, Depths::Yes, 1, &stop);
        // It is stopped again and again, in the middle of the fourth pair that is new.
        let (before, mut fresh) = (files(&parts.0).len(), 0);
        let result = crate::solve::solve(&board, &mut cpu, 0, Some(&folder), &mut |_, _| {
            fresh = (files(&parts.0).len() - before) / 2;
            stop.store(fresh == 3, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        });
        match result {
            Ok(_) => break,
            Err(crate::solve::SolveError::Stopped) => assert_eq!(fresh, 3),
            Err(other) => panic!("{other}"),
        }
    }
    assert!(runs > 5, "{runs}");
    assert_eq!(files(&parts.0), files(&whole.0));
}

#[test]
fn a_few_facts_of_the_board_of_five() {
    let board = Board::new(Size::Five);
    let stop = AtomicBool::new(false);
    let mut cpu = Cpu::new(&board, Depths::No, 2, &stop);
    let pair = Pair { few: 0, many: 25 };
    let counts = cpu.solve_pair(pair).unwrap();
    assert_eq!((counts[0].won, counts[0].lost, counts[1].won), (0, 1, 1));
    // A full board is decided by its lines and by what can be pushed: 10 against 15, as published in the counts.
    let counts = cpu.solve_pair(Pair { few: 10, many: 15 }).unwrap();
    assert_eq!((counts[0].won, counts[0].lost, counts[0].drawn), (436_320, 2_832_416, 24));
    assert_eq!((counts[1].won, counts[1].lost, counts[1].drawn), (3_188_460, 80_292, 8));
}

#[test]
#[ignore = "seconds in release mode: cargo test --release -p tablebase -- --ignored"]
fn full_boards_of_five_have_the_published_counts() {
    let board = Board::new(Size::Five);
    let stop = AtomicBool::new(false);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut cpu = Cpu::new(&board, Depths::Yes, threads, &stop);
    // Full boards, and a class with one blank.
    let is_tried = |pair: Pair| pair.few + pair.many == 25 && pair.few <= 10 || pair == Pair { few: 7, many: 17 };
    let mut counts = Vec::new();
    for pair in Pair::of_layer(25).chain(Pair::of_layer(24)).filter(|&pair| is_tried(pair)) {
        counts.extend(cpu.solve_pair(pair).unwrap());
    }
    let found = Counts::csv(&counts);
    let mut found: Vec<&str> = found.lines().skip(1).collect();
    let mut published: Vec<&str> = PUBLISHED.lines().skip(1).collect();
    published.retain(|line| {
        let [own, other] = [0, 1].map(|field| line.split(',').nth(field).unwrap().parse::<u32>().unwrap());
        is_tried(Pair { few: own.min(other), many: own.max(other) })
    });
    found.sort_unstable();
    published.sort_unstable();
    assert_eq!(found.len(), 79);
    assert_eq!(found, published);
}

/// Made by `fourfold solve quixo --gpu --depth --counts`.
const PUBLISHED: &str = include_str!("../../../docs/data/quixo-counts.csv");

/// Every exercise names moves that exist; a win's line ends with the winner's line and takes as long as it says.
#[test]
fn exercises_play_out_as_they_say() {
    let geometry = crate::geometry::Geometry::new(Size::Five);
    let square = |text: &str| {
        let bytes = text.as_bytes();
        (bytes[0] - b'a') + 5 * (bytes[1] - b'1')
    };
    let number = |text: &str| {
        let (gap, entry) = (square(&text[..2]), square(&text[2..]));
        geometry.pushes.iter().position(|push| push.gap == gap && push.moved[usize::from(gap)] == entry).unwrap()
    };
    let mut wins = 0;
    for line in include_str!("../data/quixo-exercises.txt").lines() {
        let [said, keeping, solution]: [&str; 3] = line.split('|').collect::<Vec<_>>().try_into().unwrap();
        let [own, other, kind, plies]: [&str; 4] = said.split_whitespace().collect::<Vec<_>>().try_into().unwrap();
        let set = |text| u32::from_str_radix(text, 16).unwrap();
        let (mut own, mut other) = (set(own), set(other));
        let first: Vec<usize> = keeping.split_whitespace().map(number).collect();
        assert!(
            !first.is_empty() && first.iter().all(|&push| geometry.legal(other).any(|legal| legal == push)),
            "{line}"
        );
        if kind == "win" {
            wins += 1;
            let moves: Vec<usize> = solution.split_whitespace().map(number).collect();
            assert_eq!(moves.len(), plies.parse::<usize>().unwrap(), "{line}");
            for &push in &moves {
                assert!(geometry.legal(other).any(|legal| legal == push), "{line}");
                (own, other) = geometry.after(own, other, push);
            }
            // The winner moved last, and the loser is to move.
            assert!(geometry.has_line(other) && !geometry.has_line(own), "{line}");
        }
    }
    assert!(wins > 1000, "{wins}");
}
