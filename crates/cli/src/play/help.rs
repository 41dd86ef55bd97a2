//! Texts to read at the table: what can be done, what is legal, the rules.

use std::fmt::Write;

use game::{AnyPosition, Game, GameId, figure_scene};
use locale::{Language, Names};
use rules::{Figure, Shows};
use scene::{Choice, Piece};

use super::plain::{board_lines, marked_lines};
use super::table::Session;
use crate::tui::{figure_lines, letter};

/// How figures are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pictures {
    /// Drawn, no wider than this.
    Within(u16),
    /// As letters, for those who hear them.
    Letters,
}

/// What is read in the help at a table: whose it is, and which game's rules.
#[derive(Clone, Debug)]
pub(crate) struct TableHelp {
    language: Language,
    game: Game,
    commands: String,
}

impl TableHelp {
    /// The help at this table.
    pub(crate) fn of(session: &Session) -> TableHelp {
        let game = session.game().settings().game.clone();
        TableHelp { language: session.language(), game, commands: commands(session) }
    }
}

/// The keys, the commands and the rules.
pub(crate) fn at_the_table(help: &TableHelp, pictures: Pictures) -> String {
    let l = help.language;
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
    let _ = write!(text, "\n{}\n\n{}", help.commands, rules(l, &help.game, pictures));
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
pub(crate) fn rules(language: Language, game: &Game, pictures: Pictures) -> String {
    let mut text =
        format!("## {}\n{}\n", locale::game_name(language, game.id()), locale::game_about(language, game.id()));
    for section in locale::rules_page(language, game.id()) {
        let _ = write!(text, "\n## {}\n{}\n", section.title, section.text);
        for figure in game.id().figures().iter().filter(|figure| figure.section == section.id) {
            text += &figure_text(language, game.id(), figure, pictures);
        }
    }
    text
}

/// A figure of the rules page and its caption.
fn figure_text(language: Language, id: GameId, figure: &Figure, pictures: Pictures) -> String {
    let lines = match pictures {
        Pictures::Within(width) => figure_lines(language, id, figure, width.saturating_sub(INDENT)),
        Pictures::Letters => figure_letters(language, id, figure),
    };
    let indent = " ".repeat(INDENT.into());
    let lines: Vec<String> = lines.iter().map(|line| format!("{indent}{line}").trim_end().to_owned()).collect();
    format!("\n{}\n{indent}{}\n", lines.join("\n"), locale::figure_caption(language, id, figure))
}

/// Before the lines of a figure.
const INDENT: u16 = 2;

/// A figure for those who hear it: its pieces by name, or its board as letters with marks around what it is about.
fn figure_letters(language: Language, id: GameId, figure: &Figure) -> Vec<String> {
    let Some(scene) = figure_scene(id, figure) else { return Vec::new() };
    match figure.shows {
        Shows::Pieces => {
            let names = Names::numbered(language);
            let mut pieces = scene.pieces();
            pieces.sort_unstable();
            pieces.dedup();
            let named = |&piece: &Piece| format!("{}  {}", letter(piece), locale::piece(language, piece, &names));
            pieces.iter().map(named).collect()
        }
        Shows::Hand => {
            let cards = scene.hands.iter().flat_map(|hand| &hand.cards).filter_map(|held| held.card);
            cards.map(|card| locale::piece_alone(language, card)).collect()
        }
        Shows::Held => {
            let mut lines = board_lines(&scene, language);
            if let Some((_, Piece::Figure(held))) = scene.held {
                lines.push(language.piece_in_hand(locale::figure(language, held)));
            }
            lines
        }
        Shows::Touched(_) => marked_lines(&scene, &scene.few_ways(), language),
        Shows::Board | Shows::After(_) => marked_lines(&scene, &[], language),
    }
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
