//! Texts to read at the table: what can be done, what is legal, the rules.

use std::fmt::Write;

use game::{AnyPosition, Game, GameId, figure_scene};
use locale::{Language, Names};
use rules::{Figure, Shows};
use scene::Choice;

use super::plain::board_lines;
use super::table::Session;
use crate::tui::letter;

/// The keys, the commands and the rules.
pub(crate) fn at_the_table(session: &Session) -> String {
    let l = session.language();
    let keys = [l.keys_move(), l.keys_next(), l.keys_choose(), l.keys_back(), l.keys_mouse(), l.keys_type()];
    let mut text = format!("## {}\n", l.keys_title());
    for key in keys {
        let _ = writeln!(text, "{key}");
    }
    let shortcuts = [
        ("^L F2", l.action_moves()),
        ("^T F6", l.action_hint()),
        ("^U F3", l.action_undo()),
        ("^Y F4", l.action_redo()),
        ("^S F5", l.action_save()),
        ("^D F7", l.action_offer_draw()),
        ("^R F8", l.action_resign()),
        ("^Q F10", l.action_quit()),
        ("^Z", l.action_suspend()),
    ];
    for (keys, what) in shortcuts {
        let _ = writeln!(text, "  {keys:<7} {what}");
    }
    let _ = write!(text, "\n{}\n\n{}", commands(session), rules(l, &session.game().settings().game));
    text
}

/// What can be written besides actions.
pub(crate) fn commands(session: &Session) -> String {
    let l = session.language();
    if session.is_remote() {
        format!("{}\n{}", l.plain_commands(), l.join_commands())
    } else {
        l.plain_commands().to_owned()
    }
}

/// The rules of a game.
pub(crate) fn rules(language: Language, game: &Game) -> String {
    let mut text =
        format!("## {}\n{}\n", locale::game_name(language, game.id()), locale::game_about(language, game.id()));
    for section in locale::rules_page(language, game.id()) {
        let _ = write!(text, "\n## {}\n{}\n", section.title, section.text);
        for figure in game.id().figures().iter().filter(|figure| figure.section == section.id) {
            text += &figure_text(language, game.id(), figure);
        }
    }
    text
}

/// A figure of the rules page: its board or its pieces as lines, and the caption.
fn figure_text(language: Language, id: GameId, figure: &Figure) -> String {
    let Some(scene) = figure_scene(id, figure) else { return String::new() };
    let lines: Vec<String> = match figure.shows {
        Shows::Pieces => {
            let names = Names::numbered(language);
            let mut pieces = scene.pieces();
            pieces.sort_unstable();
            pieces.dedup();
            pieces
                .iter()
                .map(|&piece| format!("{}  {}", letter(piece), locale::piece(language, piece, &names)))
                .collect()
        }
        Shows::Hand => {
            let cards = scene.hands.iter().flat_map(|hand| &hand.cards).filter_map(|held| held.card);
            cards.map(|card| locale::piece_alone(language, card)).collect()
        }
        Shows::Board | Shows::After(_) | Shows::Touched(_) | Shows::Held => board_lines(&scene, language),
    };
    format!("\n    {}\n  {}\n", lines.join("\n    "), locale::figure_caption(language, id, figure))
}

/// How actions of a game are written.
pub(crate) fn writing(language: Language, game: &Game) -> String {
    let page = locale::rules_page(language, game.id());
    let about_writing = page.iter().find(|section| section.title == language.rules_title_writing());
    about_writing.map_or_else(String::new, |section| section.text.to_owned())
}

/// The legal actions, without those a client keeps to itself.
pub(crate) fn open_choices(position: &dyn AnyPosition) -> Vec<Choice<String>> {
    let mut choices = position.choices();
    choices.retain(|choice| !choice.touches.iter().any(|spot| spot.is_quiet()));
    choices
}

/// More than this are listed without a word about each.
const EXPLAINED: usize = 60;

/// What is legal now, each with what it does where that is not too much to read.
pub(crate) fn moves(session: &Session) -> String {
    if !session.view().may_act() {
        return session.prompt(&[]);
    }
    let position = session.game().position();
    let choices = open_choices(position);
    if choices.len() > EXPLAINED {
        return choices.into_iter().map(|choice| choice.action).collect::<Vec<_>>().join("  ");
    }
    let names = session.names();
    let widest = choices.iter().map(|choice| choice.action.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for choice in choices {
        let does = position.happening(&choice.action, session.view().viewer).ok();
        let does = does.map(|happening| locale::message(session.language(), &happening.message, &names));
        let _ = writeln!(text, "{:<widest$}  {}", choice.action, does.unwrap_or_default());
    }
    text
}
