//! The rules as documents: static pages that need no script, for readers on paper and for search engines.

use std::fmt;

use locale::Language;
use rules::GameId;

/// The printable rules of a game in one language. It prints as its address, which is also the file's path.
///
/// ```
/// use locale::Language;
/// use routes::{Route, RulesPage};
/// use rules::GameId;
///
/// let page = RulesPage { language: Language::Ukrainian, game: GameId::Quixo };
/// assert_eq!(page.to_string(), "/rules/uk/quixo.html");
/// // Not a page of the app: a browser loads the file.
/// assert_eq!(Route::read("/rules/uk/quixo.html"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulesPage {
    /// The language of the text.
    pub language: Language,
    /// Which game.
    pub game: GameId,
}

impl RulesPage {
    /// Every page: each game in each language.
    pub fn all() -> impl Iterator<Item = RulesPage> {
        Language::ALL.into_iter().flat_map(|language| GameId::ALL.map(|game| RulesPage { language, game }))
    }
}

impl fmt::Display for RulesPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/rules/{}/{}.html", self.language.code(), self.game)
    }
}

/// The file of a build with a figure of a game's rules.
pub fn figure_file(game: GameId, figure: &str) -> String {
    format!("figures/{game}-{figure}.svg")
}
