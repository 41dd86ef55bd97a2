use rules::GameId;

use crate::Language;
use crate::messages::rules_sections;

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
/// use locale::{Language, rules_page};
/// use rules::GameId;
///
/// let page = rules_page(Language::Ukrainian, GameId::Quixo);
/// assert_eq!(page[1].title, "Мета гри");
/// assert!(page[1].text.starts_with("Скласти ряд із 5 кубиків"));
/// ```
pub fn rules_page(language: Language, game: GameId) -> Vec<Section> {
    let own = rules_sections(language, game).into_iter();
    let shared = ("table", language.rules_title_table(), language.rules_table());
    own.chain([shared]).map(|(id, title, text)| Section { id, title, text }).collect()
}
