//! Results as sentences.

use std::io::{self, Write};

use game::{AnyPosition, Event, Match};
use locale::{Language, Names, line};
use rules::Seat;
use search::{Judgement, Review, Scored, SearchResult};
use session::words::{self, title};

/// Every action with its worth, best first, then the best line.
pub(super) fn position(
    out: &mut dyn Write,
    position: &dyn AnyPosition,
    seat: Seat,
    result: &SearchResult<String>,
    language: Language,
) -> io::Result<()> {
    let game = position.game();
    let names = Names::usual(language, game.id(), position.seats());
    writeln!(out, "{}", language.analysed_position(title(language, &game), names.seat(seat)))?;
    for Scored { action, value } in &result.scored {
        writeln!(out, "{action:<12} {}", words::value(language, *value))?;
    }
    writeln!(out, "{}", language.line_best(line(language, &result.line)))
}

/// The mistakes of a game, and where it turned.
pub(super) fn game(out: &mut dyn Write, game: &Match, review: &Review<String>, language: Language) -> io::Result<()> {
    let settings = game.settings();
    let names = words::names(language, settings, None);
    let count = game.log().iter().filter(|entry| matches!(entry.event, Event::Action(_))).count();
    writeln!(out, "{}", language.analysed_game(title(language, &settings.game), count as u64))?;
    for found in review.mistakes() {
        let Judgement { step, mistake, better, .. } = found;
        let what = mistake.map_or("", |mistake| words::mistake(language, mistake));
        let (who, better) = (names.seat(step.seat), line(language, better));
        writeln!(out, "{}", language.mistake_told(step.ply + 1, who, &step.action, what, better))?;
    }
    match review.key_moment() {
        Some(found) => writeln!(out, "{}", language.mistake_turning_point(found.step.ply + 1)),
        None => writeln!(out, "{}", language.mistakes_none()),
    }
}
