//! What only a session says: names, endings and refusals, from the types of `game`.

use game::{Cause, ClockRule, Departure, Event, Game, Match, MatchError, MatchSettings, Player, Refused};
use locale::{Language, Names};
use rules::{Outcome, Seat, Viewer};

/// What the seats are called; a lonely person is addressed as “you”.
pub(crate) fn names(language: Language, setup: &MatchSettings, people: &[Seat]) -> Names {
    let mut names = Names::usual(language, setup.game.id(), setup.game.seats());
    for (seat, sitter) in Seat::all(setup.game.seats()).zip(&setup.sitters) {
        if !sitter.name().is_empty() {
            names.rename(seat, sitter.name());
        }
    }
    match people {
        [only] => names.speaking_to(*only),
        _ => names,
    }
}

/// The game and what its options are set to, where that differs from the default.
pub(crate) fn title(language: Language, game: &Game) -> String {
    let mut parts = vec![locale::game_name(language, game.id()).to_owned()];
    // The game's own text leaves out what is at its default, even where one default hangs on another option.
    let text = game.to_string();
    let options = text.split_once('(').map_or("", |(_, options)| options.trim_end_matches(')'));
    for (name, value) in options.split(',').filter_map(|option| option.split_once('=')) {
        parts.push(locale::option_value(language, game.id(), name, value));
    }
    parts.join(" · ")
}

/// How the match ended; `None` while it has not.
pub(crate) fn ending(language: Language, game: &Match, names: &Names) -> Option<String> {
    let ending = game.ending()?;
    let gone = game.log().iter().rev().find_map(|entry| match entry.event {
        Event::Out(seat, _) => Some(names.seat(seat).to_owned()),
        _ => None,
    });
    let gone = gone.unwrap_or_default();
    let because = match ending.cause {
        Cause::Rules => {
            return Some(locale::message(language, &game.position().scene(Viewer::Spectator).status, names));
        }
        Cause::Resignation => language.ended_resignation(gone),
        Cause::Time => language.ended_time(gone),
        Cause::Departure => language.ended_departure(gone),
        Cause::Agreement => language.ended_agreement().to_owned(),
        Cause::Repetition => language.ended_repetition().to_owned(),
        Cause::Abandonment => language.ended_abandoned().to_owned(),
    };
    Some(match ending.outcome {
        Some(Outcome::Win(side)) if names.is_your_side(side) => format!("{because} {}", language.you_win()),
        Some(Outcome::Win(side)) => format!("{because} {}", language.wins(names.side(side))),
        Some(Outcome::Draw) | None => because,
    })
}

/// What happened at the table beside the game; the game's own actions are told by its happenings.
pub(crate) fn event(language: Language, event: &Event, names: &Names) -> Option<String> {
    match event {
        Event::Action(_) => None,
        Event::Out(seat, Departure::Resigned) => Some(language.ended_resignation(names.seat(*seat))),
        Event::Out(seat, Departure::TimeUp) => Some(language.ended_time(names.seat(*seat))),
        Event::Out(seat, Departure::Left) => Some(language.ended_departure(names.seat(*seat))),
        Event::Agreed => Some(language.ended_agreement().to_owned()),
        Event::Abandoned => Some(language.ended_abandoned().to_owned()),
    }
}

/// Why the table did not do what it was asked.
pub(crate) fn refusal(language: Language, error: &MatchError, names: &Names, example: Option<&String>) -> String {
    match error {
        MatchError::Over(_) => language.match_over().to_owned(),
        MatchError::Refused(Refused::Unreadable(unreadable)) => {
            language.not_readable(unreadable.text(), example.map_or("?", String::as_str))
        }
        MatchError::Refused(Refused::Illegal { reason, .. }) => locale::reason(language, *reason).to_owned(),
        MatchError::NotYourTurn { to_act: Some(seat), .. } => language.match_not_your_turn(names.seat(*seat)),
        MatchError::NotYourTurn { to_act: None, .. } | MatchError::NothingToDraw => {
            language.match_chance_first().to_owned()
        }
        MatchError::NoSuchSeat(seat) => language.match_no_such_seat(seat),
        MatchError::SeatIsOut(seat) => language.match_seat_is_out(names.seat(*seat)),
        MatchError::TimeUp(seat) => language.match_time_up(names.seat(*seat)),
        MatchError::NothingToUndo => language.match_nothing_to_undo().to_owned(),
        MatchError::NothingToRedo => language.match_nothing_to_redo().to_owned(),
        MatchError::NeedsConsent => language.match_needs_consent().to_owned(),
        MatchError::NothingProposed => language.match_nothing_proposed().to_owned(),
        MatchError::AnotherProposal => language.match_another_proposal().to_owned(),
    }
}

/// Who sits on a seat.
pub(crate) fn player(language: Language, player: Player) -> String {
    match player {
        Player::Person => language.seat_person().to_owned(),
        Player::Bot(level) => {
            let name = locale::level_name(language, level.number()).unwrap_or_default();
            format!("{} · {name}", language.level(level))
        }
    }
}

/// How time is counted.
pub(crate) fn clock(language: Language, rule: ClockRule) -> String {
    match rule {
        ClockRule::None => language.clock_none().to_owned(),
        ClockRule::PerTurn(time) => language.clock_turn(time.as_secs()),
        ClockRule::Fischer { base, increment } => language.clock_fischer(minutes(base), minutes(increment)),
        ClockRule::Delay { base, delay } => language.clock_delay(minutes(base), minutes(delay)),
    }
}

/// A time as people read it on a clock: `1:05`, and `9.3` when it gets short.
pub(crate) fn minutes(time: std::time::Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("0:{:04.1}", time.as_secs_f32()),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}
