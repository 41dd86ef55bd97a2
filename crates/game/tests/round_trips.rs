//! Random matches of every game under every option, as text and back.

// What cannot be unwrapped here is a failed test.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use game::{
    ClockRule, Consent, Date, Game, GameId, Match, MatchError, MatchSettings, Player, ProposalKind, Record, Sitter,
};
use proptest::prelude::*;
use rules::{OptionValues, Seat, Viewer};
use search::Random;

/// Every game with every option, numbers at their ends.
fn every_game() -> Vec<Game> {
    let mut games = Vec::new();
    for id in GameId::ALL {
        let mut texts = vec![String::new()];
        for option in id.options() {
            let values: Vec<String> = match option.values {
                OptionValues::OneOf(words) => words.iter().map(|word| (*word).to_owned()).collect(),
                OptionValues::Subset(words) => vec![words[0].to_owned(), words[1..].join("+"), words.join("+")],
                OptionValues::Number { min, max } => vec![min.to_string(), max.to_string()],
            };
            let longer =
                |text: &String| values.iter().map(move |value| format!("{text},{}={value}", option.name)).collect();
            texts = texts.iter().flat_map(|text| -> Vec<String> { longer(text) }).collect();
        }
        games.push(Game::by_default(id));
        games.extend(texts.iter().map(|text| Game::with_options(id, text.trim_start_matches(',')).unwrap()));
    }
    games
}

/// Plays at random: actions, and now and then what else can happen at a table.
fn play_out(game: &mut Match, random: &mut Random, actions: u32, mischief: u32) {
    let mut now = Duration::ZERO;
    for _ in 0..actions {
        if game.ending().is_some() {
            break;
        }
        now += Duration::from_micros(u64::from(random.below(9_000_000)));
        game.tick(now);
        if game.draw(&mut |n| random.below(n), now).is_err() {
            break;
        }
        if random.below(100) < mischief {
            make_mischief(game, random, now);
        } else if let Some(seat) = game.to_act() {
            let legal = game.legal();
            let action = &legal[random.below(legal.len() as u32) as usize];
            match game.act(seat, action, now) {
                Ok(()) | Err(MatchError::TimeUp(_)) => {}
                Err(error) => panic!("{action} is legal, but {error}"),
            }
        }
    }
}

fn make_mischief(game: &mut Match, random: &mut Random, now: Duration) {
    let seats = game.position().seats();
    let seat = Seat::from_index(random.below(u32::from(seats)) as usize);
    let consent = if random.below(2) == 0 { Consent::All } else { Consent::NotAsked };
    // What is refused must change nothing, which the comparison at the end would notice.
    match random.below(12) {
        0 => drop(game.resign(seat, now)),
        1 => drop(game.leave(seat, now)),
        2 | 3 => drop(game.propose(seat, ProposalKind::Draw, now)),
        4 => drop(game.propose(seat, ProposalKind::Takeback, now)),
        5 => drop(game.agree(seat, now)),
        6 => drop(game.decline(seat)),
        7 | 8 => drop(game.undo(consent, now)),
        9 => drop(game.redo(consent, now)),
        10 if random.below(10) == 0 => drop(game.abandon(now)),
        _ => drop(game.act(seat, "nonsense", now)),
    }
}

fn check(game: &Match) {
    let record = game.record();
    let text = record.to_string();
    let read = Record::read_all(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read, std::slice::from_ref(&record), "{text}");
    assert_eq!(read[0].to_string(), text);
    let again = read[0].replay().unwrap();
    assert_eq!(again.position().to_string(), game.position().to_string());
    assert_eq!((again.ending(), again.to_act(), again.legal()), (game.ending(), game.to_act(), game.legal()));
    for seat in Seat::all(game.position().seats()) {
        if game.to_act() != Some(seat) && !game.chance_is_due() {
            let later = Duration::from_secs(1_000_000);
            assert_eq!(again.clock().left(seat, later), game.clock().left(seat, later), "{text}");
        }
        let seen = game.record_for(Viewer::Seat(seat));
        assert_eq!(Record::read_all(&seen.to_string()).unwrap(), [seen], "seat {seat}");
    }
    let seen = game.record_for(Viewer::Spectator);
    assert_eq!(Record::read_all(&seen.to_string()).unwrap(), [seen]);
}

#[test]
fn every_game_under_every_option_round_trips() {
    for (seed, game) in every_game().into_iter().enumerate() {
        let mut game = Match::new(MatchSettings::new(game)).unwrap();
        let mut random = Random::new(seed as u64);
        play_out(&mut game, &mut random, 300, 0);
        check(&game);
    }
}

fn clock() -> impl Strategy<Value = ClockRule> {
    let millis = |range: std::ops::Range<u64>| range.prop_map(Duration::from_millis);
    prop_oneof![
        Just(ClockRule::None),
        Just(ClockRule::COMPETITION),
        millis(1..100_000u64).prop_map(ClockRule::PerTurn),
        (millis(1..500_000), millis(0..10_000)).prop_map(|(base, increment)| ClockRule::Fischer { base, increment }),
        (millis(1..500_000), millis(0..10_000)).prop_map(|(base, delay)| ClockRule::Delay { base, delay }),
    ]
}

fn sitter() -> impl Strategy<Value = Sitter> {
    let player =
        prop_oneof![Just(Player::Person), (1u8..=8).prop_map(|level| Player::Bot(search::Level::new(level).unwrap()))];
    (player, ".{0,80}").prop_map(|(player, name)| Sitter::new(player, &name))
}

fn date() -> impl Strategy<Value = Option<Date>> {
    proptest::option::of(
        "20[0-9]{2}-0[1-9]-(1[0-9]|2[0-8])(T1[0-9]:[0-5][0-9]:[0-5][0-9]Z)?".prop_map(|text| text.parse().unwrap()),
    )
}

proptest! {
    #[test]
    fn random_matches_round_trip(
        which in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        actions in 0u32..120,
        mischief in prop_oneof![Just(0u32), Just(3), Just(30)],
        clock in clock(),
        sitters in prop::collection::vec(sitter(), 4),
        date in date(),
        notes in prop::collection::vec(("[A-Za-z][A-Za-z0-9_]{0,8}|.{0,4}", ".{0,40}"), 0..4),
        comments in prop::collection::vec("\\PC{0,120}|(.|\n|[{}\"\\[\\]]){0,60}", 0..4),
    ) {
        let games = every_game();
        let mut settings = MatchSettings::new(which.get(&games).clone());
        settings.clock = clock;
        settings.sitters = sitters[..settings.sitters.len()].to_vec();
        settings.date = date;
        settings.notes = notes;
        let mut game = Match::new(settings).unwrap();
        game.start_clock(Duration::ZERO);
        let mut random = Random::new(seed);
        for comment in comments {
            game.comment(&comment);
            play_out(&mut game, &mut random, actions / 4, mischief);
        }
        play_out(&mut game, &mut random, actions / 4, mischief);
        check(&game);
    }

    #[test]
    fn a_match_can_start_anywhere(which in any::<prop::sample::Index>(), seed in any::<u64>(), actions in 0u32..80) {
        let games = every_game();
        let mut settings = MatchSettings::new(which.get(&games).clone());
        let mut random = Random::new(seed);
        let mut first = Match::new(settings.clone()).unwrap();
        play_out(&mut first, &mut random, actions, 0);
        settings.start = Some(first.position().to_string());
        let mut game = Match::new(settings).unwrap();
        play_out(&mut game, &mut random, 20, 0);
        check(&game);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(\\[Game \"(quixo|quarto|sequence|four)\"\\]\n)?([a-e][1-5]|[a-e0-9. ]{1,3}|[{}\\[\\]\"\\\\?:]|draw:(\\?|cat)|resign:[0-9]|[0-9]\\.|[0-9]s|\n|\\PC){0,60}") {
        if let Ok(records) = Record::read_all(&text) {
            prop_assert_eq!(Record::read_all(&Record::write_all(&records)).unwrap(), records);
        }
    }

    #[test]
    fn a_damaged_record_is_read_or_refused(
        which in any::<prop::sample::Index>(),
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
        length in 0usize..8,
        scrap in "([a-g][1-6]|draw:\\?|[{}\\[\\]\"]|[0-9]{1,3}[.s]?|resign:[1-4]|agreed|\\PC|\n){0,3}",
    ) {
        let games = every_game();
        let mut game = Match::new(MatchSettings::new(which.get(&games).clone())).unwrap();
        let mut random = Random::new(seed);
        play_out(&mut game, &mut random, 40, 2);
        let text: Vec<char> = game.record_for(Viewer::Seat(Seat::ONE)).to_string().chars().collect();
        let at = at.index(text.len());
        let after = (at + length).min(text.len());
        let damaged: String = text[..at].iter().copied().chain(scrap.chars()).chain(text[after..].iter().copied()).collect();
        match Record::read_all(&damaged) {
            Ok(records) => prop_assert_eq!(Record::read_all(&Record::write_all(&records)).unwrap(), records),
            Err(error) => prop_assert!(error.line >= 1 && error.column >= 1 && error.to_string().len() < 1000),
        }
    }
}
