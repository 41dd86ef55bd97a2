//! What is analysed: read from a link, a pasted text or a file, and written into a link.

use game::{BadSettings, Entry, Game, Match, MatchSettings, Record};
use locale::Language;
use rules::Signs;

use super::errors;
use crate::route::{read_query, write_query};

/// A game to look at, and how many of its events are shown.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The game, whole.
    pub game: Match,
    /// How many events of its log are shown.
    pub at: usize,
}

/// Opens what a link carries: a record, or a game with a position or without. The error is what is wrong with it.
pub fn from_link(query: &str, language: Language) -> Result<Option<Opened>, String> {
    if query.is_empty() {
        return Ok(None);
    }
    if let Some(text) = read_query(query, "record") {
        let game = from_record(&text, language)?;
        let whole = game.log().len();
        let at = read_query(query, "at").and_then(|at| at.parse().ok()).unwrap_or(whole);
        return Ok(Some(Opened { game, at: usize::min(at, whole) }));
    }
    // What another app shares comes as a form writes it.
    if let Some(text) = read_query(&query.replace('+', "%20"), "text") {
        let usual = Game::by_default(game::GameId::ALL[0]);
        return from_text(&text, &usual, language).map(Some);
    }
    let Some(text) = read_query(query, "game") else { return Err(language.study_nothing_there().to_owned()) };
    let game: Game = text.parse().map_err(|problem| errors::game(language, &problem))?;
    // Signs that cannot be read change nothing but the look.
    let signs = read_query(query, "signs").and_then(|signs| Signs::read(game.id(), game.sides(), &signs).ok());
    let position = read_query(query, "position");
    let game = from_position(game, position, signs).map_err(|problem| errors::setup(language, &problem))?;
    Ok(Some(Opened { game, at: 0 }))
}

/// The query of a link that shows the same: the position alone where nothing was played, else the whole game.
pub fn to_link(game: &Match, at: usize) -> String {
    if game.log().is_empty() {
        let settings = game.settings();
        let signs = settings.chosen_signs().map(|signs| signs.text(settings.game.id(), settings.game.sides()));
        let (text, position) = (settings.game.to_string(), game.position().to_string());
        let mut pairs = vec![("game", text.as_str()), ("position", &position)];
        pairs.extend(signs.as_deref().map(|signs| ("signs", signs)));
        return write_query(&pairs);
    }
    write_query(&[("record", &short_record(game)), ("at", &at.to_string())])
}

/// The query of a link to a whole game.
pub fn whole_game_link(game: &Match) -> String {
    write_query(&[("record", &short_record(game))])
}

/// Reads a pasted text or a file: a record where there is a tag, else a position of the chosen game.
pub fn from_text(text: &str, chosen: &Game, language: Language) -> Result<Opened, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(language.study_nothing_there().to_owned());
    }
    if text.contains('[') {
        let game = from_record(text, language)?;
        let at = game.log().len();
        return Ok(Opened { game, at });
    }
    let game = from_position(chosen.clone(), Some(text.to_owned()), None);
    game.map(|game| Opened { game, at: 0 }).map_err(|problem| errors::setup(language, &problem))
}

/// A match that begins with a position, or at the usual start.
pub fn from_position(game: Game, position: Option<String>, signs: Option<Signs>) -> Result<Match, BadSettings> {
    let mut setup = MatchSettings::new(game);
    setup.start = position;
    signs.into_iter().for_each(|signs| setup.choose_signs(signs));
    Match::new(setup)
}

/// The match up to so many events of its log.
pub fn prefix(game: &Match, events: usize) -> Match {
    if events >= game.log().len() {
        return game.clone();
    }
    // What was played once can be played again, so neither refusal comes.
    let Ok(mut earlier) = Match::new(game.settings().clone()) else { return game.clone() };
    for entry in &game.log()[..events] {
        if earlier.replay(entry.clone()).is_err() {
            break;
        }
    }
    earlier
}

/// The last game of a record file, as far as the record tells it.
fn from_record(text: &str, language: Language) -> Result<Match, String> {
    let records = Record::read_all(text).map_err(|problem| errors::record(language, &problem))?;
    let record = records.last().ok_or_else(|| language.study_nothing_there().to_owned())?;
    // A record for one viewer can still be looked at up to what it hides.
    record.replay_known().map(|replay| replay.game).map_err(|problem| errors::replay(language, &problem))
}

/// The record without times and remarks, which would make a link long and tell more than the game; signs stay.
fn short_record(game: &Match) -> String {
    let mut setup = game.settings().clone();
    setup.clock = game::ClockRule::None;
    setup.keep_only_signs();
    let Ok(mut short) = Match::new(setup) else { return game.record().to_string() };
    for entry in game.log() {
        if short.replay(Entry::new(entry.event.clone())).is_err() {
            return game.record().to_string();
        }
    }
    short.record().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_a_record_or_a_position() {
        let quixo: Game = "quixo".parse().unwrap();
        let english = Language::English;
        let opened = from_text("[Game \"quarto\"]\n\n1. 0 2. a1\n", &quixo, english).unwrap();
        assert_eq!((opened.at, opened.game.settings().game.to_string().as_str()), (2, "quarto"));
        let opened = from_text(" ...../...../....x/...../..... 2\n", &quixo, english).unwrap();
        assert_eq!(opened.game.position().to_string(), "...../...../....x/...../..... 2");
        assert!(from_text("", &quixo, english).is_err());
        let told = |text: &str| from_text(text, &quixo, Language::Ukrainian).unwrap_err();
        assert!(told("[Game \"chess\"]").contains("chess"), "{}", told("[Game \"chess\"]"));
        assert_eq!(told("...../...../...../...../..... 3"), "чий хід: можна вказати 1…2");
        let illegal = told("[Game \"quixo\"]\n\n1. c3c1\n");
        assert!(illegal.starts_with("Хід 1: ") && !illegal.contains("the "), "{illegal}");
        assert!(!told("[Game").contains("the "), "{}", told("[Game"));
        assert!(from_text("..../..../..../.... - 1 -", &quixo, english).is_err());
    }

    #[test]
    fn a_prefix_is_the_game_up_to_there() {
        let game = from_record("[Game \"quixo\"]\n\n1. a3e3 2. a2e2 resign:1\n", Language::English).unwrap();
        assert_eq!(prefix(&game, 1).position().to_string(), "...../...../....x/...../..... 2");
        assert!(prefix(&game, 3).ending().is_some());
        assert!(prefix(&game, 2).ending().is_none());
    }

    #[test]
    fn a_link_leaves_out_times_and_notes() {
        let text = "[Game \"quixo\"]\n[Clock \"turn=60\"]\n[Event \"Club\"]\n\n1. a3e3 3.5s 2. a2e2 4s\n";
        let short = short_record(&from_record(text, Language::English).unwrap());
        assert!(
            !short.contains("turn=60") && !short.contains("Event") && short.trim_end().ends_with("1. a3e3 2. a2e2"),
            "{short}"
        );
    }

    #[test]
    fn a_link_keeps_the_signs() {
        let text = "[Game \"quixo\"]\n[Signs \"nought cross\"]\n[Event \"Club\"]\n\n1. a3e3\n";
        let game = from_record(text, Language::English).unwrap();
        let linked = from_record(&short_record(&game), Language::English).unwrap();
        assert_eq!(linked.settings().notes, [("Signs".to_owned(), "nought cross".to_owned())]);
        let position = from_position(game.settings().game.clone(), None, game.settings().chosen_signs()).unwrap();
        assert_eq!(position.settings().signs(), game.settings().signs());
    }
}
