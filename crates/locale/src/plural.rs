use crate::Language;

/// The plural form a whole number takes in a language, by the names Unicode gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Plural {
    /// 1 piece; 1, 21, 101 фігура.
    One,
    /// 2–4, 22–24 фігури.
    Few,
    /// 0, 5–20, 25–30 фігур.
    Many,
    /// 0 or 2 pieces.
    Other,
}

impl Language {
    /// The plural form of a count.
    ///
    /// ```
    /// use locale::{Language, Plural};
    ///
    /// assert_eq!(Language::Ukrainian.plural(21), Plural::One);
    /// assert_eq!(Language::Russian.plural(12), Plural::Many);
    /// assert_eq!(Language::English.plural(21), Plural::Other);
    /// ```
    pub const fn plural(self, count: u64) -> Plural {
        match self {
            Language::English if count == 1 => Plural::One,
            Language::English => Plural::Other,
            Language::Ukrainian | Language::Russian => match (count % 10, count % 100) {
                (_, 11..=14) => Plural::Many,
                (1, _) => Plural::One,
                (2..=4, _) => Plural::Few,
                _ => Plural::Many,
            },
        }
    }
}
