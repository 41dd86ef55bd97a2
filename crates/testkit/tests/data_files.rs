//! The data files say what the code does: golden games word for word, perft as deep as an unoptimised build may go.

use rules::GameId;
use testkit::tables::{folder, golden, perft, variants};

/// A data file of a game.
fn file(kind: &str, name: GameId) -> String {
    let path = folder(kind).join(format!("{name}.txt"));
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; `cargo xtask {kind}` writes it", path.display()))
}

#[test]
fn golden_playthroughs_are_what_is_played() {
    for name in GameId::ALL {
        let file = file("golden", name);
        let played = golden::playthroughs(name);
        for (number, (old, new)) in file.lines().zip(played.lines()).enumerate() {
            assert_eq!(old, new, "golden/{name}.txt, line {}; if meant: cargo xtask golden", number + 1);
        }
        assert_eq!(file.lines().count(), played.lines().count(), "golden/{name}.txt; if meant: cargo xtask golden");
    }
}

#[test]
fn shallow_perft_agrees_with_the_tables() {
    for name in GameId::ALL {
        let entries = perft::read(&file("perft", name));
        for game in variants(name) {
            let positions = entries.iter().filter(|entry| entry.game == game).count();
            assert!(positions >= 4, "perft/{name}.txt has {positions} positions of {game}");
        }
        assert_eq!(perft::differences(&entries, 100_000), Vec::<String>::new(), "if meant: cargo xtask perft");
    }
}

#[test]
fn a_wrong_count_and_an_impossible_position_are_noticed() {
    let table = "quixo ; ...../...../...../...../..... 1 ; 44 1837\nquixo ; nonsense ; 1\n";
    let differences = perft::differences(&perft::read(table), u64::MAX);
    assert_eq!(differences.len(), 2, "{differences:?}");
    assert!(differences[0].contains("gives 1836, not 1837"));
}
