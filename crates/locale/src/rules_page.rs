use crate::{Game, Language};

/// A part of a rules page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// A stable name, for links and for what belongs to this part.
    pub id: &'static str,
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
    page.push(section("table", language.rules_title_table(), language.rules_table()));
    page
}

const fn section(id: &'static str, title: &'static str, text: &'static str) -> Section {
    Section { id, title, text }
}

fn quarto(l: Language) -> Vec<Section> {
    vec![
        section("setup", l.rules_title_setup(), l.rules_quarto_setup()),
        section("aim", l.rules_title_aim(), l.rules_quarto_aim()),
        section("turn", l.rules_title_turn(), l.rules_quarto_turn()),
        section("winning", l.rules_title_winning(), l.rules_quarto_winning()),
        section("end", l.rules_title_end(), l.rules_quarto_end()),
        section("calls", l.rules_title_calls(), l.rules_quarto_calls()),
        section("beginners", l.rules_title_beginners(), l.rules_quarto_beginners()),
        section("experienced", l.rules_title_experienced(), l.rules_quarto_experienced()),
        section("time", l.rules_title_time(), l.rules_quarto_time()),
        section("writing", l.rules_title_writing(), l.rules_quarto_writing()),
    ]
}

fn quixo(l: Language) -> Vec<Section> {
    vec![
        section("setup", l.rules_title_setup(), l.rules_quixo_setup()),
        section("aim", l.rules_title_aim(), l.rules_quixo_aim()),
        section("turn", l.rules_title_turn(), l.rules_quixo_turn()),
        section("end", l.rules_title_end(), l.rules_quixo_end()),
        section("draw", l.rules_title_draw(), l.rules_quixo_draw()),
        section("four_players", l.rules_title_four_players(), l.rules_quixo_four_players()),
        section("time", l.rules_title_time(), l.rules_quixo_time()),
        section("writing", l.rules_title_writing(), l.rules_quixo_writing()),
    ]
}

fn sequence(l: Language) -> Vec<Section> {
    vec![
        section("setup", l.rules_title_setup(), l.rules_sequence_setup()),
        section("aim", l.rules_title_aim(), l.rules_sequence_aim()),
        section("turn", l.rules_title_turn(), l.rules_sequence_turn()),
        section("unicorn", l.rules_title_unicorn(), l.rules_sequence_unicorn()),
        section("dragon", l.rules_title_dragon(), l.rules_sequence_dragon()),
        section("corners", l.rules_title_corners(), l.rules_sequence_corners()),
        section("dead_cards", l.rules_title_dead_cards(), l.rules_sequence_dead_cards()),
        section("pile", l.rules_title_pile(), l.rules_sequence_pile()),
        section("end", l.rules_title_end(), l.rules_sequence_end()),
        section("boards", l.rules_title_boards(), l.rules_sequence_boards()),
        section("writing", l.rules_title_writing(), l.rules_sequence_writing()),
    ]
}

fn four(l: Language) -> Vec<Section> {
    vec![
        section("setup", l.rules_title_setup(), l.rules_four_setup()),
        section("aim", l.rules_title_aim(), l.rules_four_aim()),
        section("capture", l.rules_title_capture(), l.rules_four_capture()),
        section("edge", l.rules_title_edge(), l.rules_four_edge()),
        section("opening", l.rules_title_opening(), l.rules_four_opening()),
        section("main", l.rules_title_main(), l.rules_four_main()),
        section("movement", l.rules_title_movement(), l.rules_four_movement()),
        section("bonus", l.rules_title_bonus(), l.rules_four_bonus()),
        section("end", l.rules_title_end(), l.rules_four_end()),
        section("sizes", l.rules_title_sizes(), l.rules_four_sizes()),
        section("writing", l.rules_title_writing(), l.rules_four_writing()),
    ]
}
