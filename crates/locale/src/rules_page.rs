use crate::{Game, Language};

/// A part of a rules page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// The heading.
    pub title: &'static str,
    /// The text; paragraphs are separated by line breaks and otherwise not wrapped.
    pub text: &'static str,
}

/// The rules of a game with all its variants, for help screens.
///
/// ```
/// use locale::{Game, Language, rules_page};
///
/// let page = rules_page(Language::Ukrainian, Game::Quixo);
/// assert_eq!(page[1].title, "Мета гри");
/// assert!(page[1].text.starts_with("Скласти ряд із 5 кубиків"));
/// ```
pub fn rules_page(language: Language, game: Game) -> Vec<Section> {
    let mut page = match game {
        Game::Quarto => quarto(language),
        Game::Quixo => quixo(language),
        Game::Sequence => sequence(language),
        Game::Four => four(language),
    };
    page.push(section(language.rules_title_table(), language.rules_table()));
    page
}

const fn section(title: &'static str, text: &'static str) -> Section {
    Section { title, text }
}

fn quarto(l: Language) -> Vec<Section> {
    vec![
        section(l.rules_title_setup(), l.rules_quarto_setup()),
        section(l.rules_title_aim(), l.rules_quarto_aim()),
        section(l.rules_title_turn(), l.rules_quarto_turn()),
        section(l.rules_title_winning(), l.rules_quarto_winning()),
        section(l.rules_title_end(), l.rules_quarto_end()),
        section(l.rules_title_calls(), l.rules_quarto_calls()),
        section(l.rules_title_beginners(), l.rules_quarto_beginners()),
        section(l.rules_title_experienced(), l.rules_quarto_experienced()),
        section(l.rules_title_time(), l.rules_quarto_time()),
        section(l.rules_title_writing(), l.rules_quarto_writing()),
    ]
}

fn quixo(l: Language) -> Vec<Section> {
    vec![
        section(l.rules_title_setup(), l.rules_quixo_setup()),
        section(l.rules_title_aim(), l.rules_quixo_aim()),
        section(l.rules_title_turn(), l.rules_quixo_turn()),
        section(l.rules_title_end(), l.rules_quixo_end()),
        section(l.rules_title_draw(), l.rules_quixo_draw()),
        section(l.rules_title_four_players(), l.rules_quixo_four_players()),
        section(l.rules_title_time(), l.rules_quixo_time()),
        section(l.rules_title_writing(), l.rules_quixo_writing()),
    ]
}

fn sequence(l: Language) -> Vec<Section> {
    vec![
        section(l.rules_title_setup(), l.rules_sequence_setup()),
        section(l.rules_title_aim(), l.rules_sequence_aim()),
        section(l.rules_title_turn(), l.rules_sequence_turn()),
        section(l.rules_title_unicorn(), l.rules_sequence_unicorn()),
        section(l.rules_title_dragon(), l.rules_sequence_dragon()),
        section(l.rules_title_corners(), l.rules_sequence_corners()),
        section(l.rules_title_dead_cards(), l.rules_sequence_dead_cards()),
        section(l.rules_title_pile(), l.rules_sequence_pile()),
        section(l.rules_title_end(), l.rules_sequence_end()),
        section(l.rules_title_boards(), l.rules_sequence_boards()),
        section(l.rules_title_writing(), l.rules_sequence_writing()),
    ]
}

fn four(l: Language) -> Vec<Section> {
    vec![
        section(l.rules_title_setup(), l.rules_four_setup()),
        section(l.rules_title_aim(), l.rules_four_aim()),
        section(l.rules_title_capture(), l.rules_four_capture()),
        section(l.rules_title_edge(), l.rules_four_edge()),
        section(l.rules_title_opening(), l.rules_four_opening()),
        section(l.rules_title_main(), l.rules_four_main()),
        section(l.rules_title_movement(), l.rules_four_movement()),
        section(l.rules_title_bonus(), l.rules_four_bonus()),
        section(l.rules_title_end(), l.rules_four_end()),
        section(l.rules_title_sizes(), l.rules_four_sizes()),
        section(l.rules_title_writing(), l.rules_four_writing()),
    ]
}
