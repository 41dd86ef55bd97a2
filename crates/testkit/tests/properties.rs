//! Property tests: texts, replay, undo and symmetry over random games and random texts. A failure is shrunk to the
//! shortest game that shows it.

use std::collections::HashSet;
use std::time::Duration;

use game::{Consent, Game, GameId, Match, MatchSettings, Record};
use proptest::prelude::*;
use rules::four::Four;
use rules::quarto::{Quarto, QuartoOptions};
use rules::quixo::Quixo;
use rules::sequence::Sequence;
use rules::{ActionList, Position, Symmetric};
use testkit::every_option;

/// The position and actions that a list of numbers picks: each number one of the legal actions, round and round.
fn played<P: Position>(options: &P::Options, picks: &[u16]) -> (P, Vec<P::Action>) {
    let mut position = P::start(options);
    let mut actions = ActionList::new();
    let mut list = Vec::new();
    for &pick in picks {
        position.actions(&mut actions);
        if actions.is_empty() {
            break;
        }
        let action = actions[usize::from(pick) % actions.len()];
        position.play_unchecked(action);
        list.push(action);
    }
    (position, list)
}

fn options_of<P: Position>(pick: usize) -> P::Options {
    let all = every_option::<P::Options>();
    all[pick % all.len()].clone()
}

fn picks(most: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..most)
}

fn texts_round_trip<P: Position>(pick: usize, picks: &[u16]) -> Result<(), TestCaseError> {
    let options = options_of::<P>(pick);
    let (position, list) = played::<P>(&options, picks);
    prop_assert_eq!(P::parse(&options, &position.to_string()), Ok(position.clone()));
    let mut replayed = P::start(&options);
    for action in list {
        let read = action.to_string().parse::<P::Action>();
        prop_assert_eq!(read.as_ref(), Ok(&action));
        prop_assert!(replayed.play(action).is_ok());
    }
    prop_assert_eq!(replayed, position);
    Ok(())
}

/// Turned by any symmetry, a game goes the same way.
fn symmetry_commutes<P: Symmetric>(pick: usize, picks: &[u16], symmetry: usize) -> Result<(), TestCaseError> {
    let options = options_of::<P>(pick);
    let (end, list) = played::<P>(&options, picks);
    let mut position = P::start(&options);
    let Some(begin) = (0..=list.len()).find(|&from| {
        if from > 0 {
            position.play_unchecked(list[from - 1]);
        }
        position.symmetries() == end.symmetries()
    }) else {
        return Ok(());
    };
    let symmetry = symmetry % end.symmetries();
    let mut turned = position.transform(symmetry);
    for &action in &list[begin..] {
        let moved = position.transform_action(symmetry, action);
        prop_assert!(turned.play(moved).is_ok(), "{moved} in {turned}, which is {position} turned by {symmetry}");
        position.play_unchecked(action);
        prop_assert_eq!(&turned, &position.transform(symmetry));
    }
    prop_assert_eq!(turned.turn(), end.turn());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn quarto_texts_round_trip(pick in 0usize..90, picks in picks(40)) {
        texts_round_trip::<Quarto>(pick, &picks)?;
    }

    #[test]
    fn quixo_texts_round_trip(pick in 0usize..2, picks in picks(80)) {
        texts_round_trip::<Quixo>(pick, &picks)?;
    }

    #[test]
    fn sequence_texts_round_trip(pick in 0usize..6, picks in picks(200)) {
        texts_round_trip::<Sequence>(pick, &picks)?;
    }

    #[test]
    fn four_texts_round_trip(pick in 0usize..27, picks in picks(60)) {
        texts_round_trip::<Four>(pick, &picks)?;
    }

    #[test]
    fn quarto_is_symmetric(pick in 0usize..90, picks in picks(40), symmetry in any::<usize>()) {
        symmetry_commutes::<Quarto>(pick, &picks, symmetry)?;
    }

    #[test]
    fn quixo_is_symmetric(pick in 0usize..2, picks in picks(60), symmetry in any::<usize>()) {
        symmetry_commutes::<Quixo>(pick, &picks, symmetry)?;
    }

    #[test]
    fn sequence_is_symmetric(pick in 0usize..6, picks in picks(200), symmetry in any::<usize>()) {
        symmetry_commutes::<Sequence>(pick, &picks, symmetry)?;
    }

    #[test]
    fn four_is_symmetric(pick in 0usize..27, picks in picks(60), symmetry in any::<usize>()) {
        symmetry_commutes::<Four>(pick, &picks, symmetry)?;
    }

    /// Nothing that anybody types makes a parser panic, and what is no action stays none.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,30}") {
        for id in GameId::ALL {
            let mut position = Game::by_default(id).start();
            let before = position.to_string();
            let legal = position.legal();
            prop_assert_eq!(position.play(&text).is_ok(), legal.contains(&text));
            if !legal.contains(&text) {
                prop_assert_eq!(position.to_string(), before);
            }
            let _ = Game::by_default(id).parse_position(&text);
            let _ = Game::with_options(id, &text);
        }
        let _ = Record::read_all(&text);
    }

    /// Position texts with one letter changed are refused, or are the one text of the position they name.
    #[test]
    fn a_misspelt_position_is_refused_or_canonical(
        pick in any::<usize>(), picks in picks(60), place in any::<prop::sample::Index>(), letter in "[ -~]",
    ) {
        let game = games()[pick % games().len()].clone();
        let mut position = game.start();
        for pick in picks {
            let legal = position.legal();
            let Some(action) = legal.get(usize::from(pick) % legal.len().max(1)) else { break };
            prop_assert!(position.play(action).is_ok());
        }
        let mut text = position.to_string();
        let place = place.index(text.len());
        text.replace_range(place..=place, &letter);
        if let Ok(read) = game.parse_position(&text) {
            prop_assert_eq!(read.to_string(), text);
        }
    }

    /// Undo and redo in any order lead along the same positions, and the record says what is left.
    #[test]
    fn undo_and_redo_walk_along_the_game(
        pick in any::<usize>(), picks in picks(24), steps in prop::collection::vec(any::<bool>(), 0..30),
    ) {
        let game = games()[pick % games().len()].clone();
        let mut game = Match::new(MatchSettings::new(game)).unwrap();
        let now = Duration::ZERO;
        for pick in picks {
            let legal = game.legal();
            let Some(action) = legal.get(usize::from(pick) % legal.len().max(1)) else { break };
            game.play(action, now).unwrap();
        }
        let line: Vec<String> = game.positions().iter().map(ToString::to_string).collect();
        for back in steps {
            let before = game.log().len();
            let done = if back { game.undo(Consent::All, now) } else { game.redo(Consent::All, now) };
            let after = game.log().len();
            match done {
                Ok(()) => prop_assert_eq!(back, after < before, "from {} to {}", before, after),
                Err(_) => prop_assert_eq!(after, before),
            }
            prop_assert_eq!(game.position().to_string(), line[after].clone());
            let read = Record::read_all(&game.record().to_string());
            prop_assert_eq!(read, Ok(vec![game.record()]));
        }
    }
}

/// Every game under its most different options.
fn games() -> Vec<Game> {
    let texts = GameId::ALL.into_iter().flat_map(testkit::tables::variants);
    texts.map(|text| testkit::tables::game(&text)).collect()
}

/// QA4, QA5: 32 board symmetries, 8 with squares, times 16 flips, times the exchanges of attributes that keep the
/// counting ones among themselves; all different, which a start with one piece on an odd square already shows.
#[test]
fn quarto_has_as_many_symmetries_as_it_should() {
    for (options, expected) in [
        ("", 32 * 16 * 24),
        ("squares=yes", 8 * 16 * 24),
        ("attributes=colour+height+shape", 32 * 16 * 6),
        ("attributes=colour+top", 32 * 16 * 4),
        ("attributes=shape,squares=yes", 8 * 16 * 6),
    ] {
        let options: QuartoOptions = options.parse().unwrap();
        assert_eq!(Quarto::start(&options).symmetries(), expected, "{options}");
        // A rich position: its images under different symmetries are different.
        let (position, _) =
            played::<Quarto>(&"call=open".parse().unwrap(), &[3, 1, 7, 5, 2, 6, 9, 0, 4, 4, 8, 3, 1, 2]);
        let position = Quarto::parse(
            &QuartoOptions::new(options.attributes(), options.squares, rules::quarto::Call::Open).unwrap(),
            &position.to_string(),
        )
        .unwrap();
        let images: HashSet<Quarto> = (0..position.symmetries()).map(|symmetry| position.transform(symmetry)).collect();
        assert_eq!(images.len(), position.symmetries(), "{options}: no two symmetries are the same");
    }
}
