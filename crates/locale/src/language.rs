use std::fmt;
use std::str::FromStr;

/// A language the program speaks.
///
/// Each message of `messages/*.messages` is a method, so that a text asked for is a text that exists.
///
/// ```
/// use locale::Language;
///
/// let language: Language = "uk".parse()?;
/// assert_eq!(language.native_name(), "Українська");
/// assert_eq!(language.quarto_call(), "4 на лінії!");
/// # Ok::<(), locale::NoSuchLanguage>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Українська.
    Ukrainian,
    /// Русский.
    Russian,
    /// English.
    English,
}

impl Language {
    /// Every language, in the order a menu shows them.
    pub const ALL: [Language; 3] = [Language::Ukrainian, Language::Russian, Language::English];

    /// The two-letter code.
    pub const fn code(self) -> &'static str {
        match self {
            Language::Ukrainian => "uk",
            Language::Russian => "ru",
            Language::English => "en",
        }
    }

    /// What its speakers call it.
    pub const fn native_name(self) -> &'static str {
        match self {
            Language::Ukrainian => "Українська",
            Language::Russian => "Русский",
            Language::English => "English",
        }
    }

    /// The language of an environment text such as `LANG`, or of a browser's `navigator.language`.
    ///
    /// A list separated by `:` or `,`, as `LANGUAGE` and `Accept-Language` have it, gives the first language we speak.
    ///
    /// ```
    /// use locale::Language;
    ///
    /// assert_eq!(Language::from_env_text("uk_UA.UTF-8"), Some(Language::Ukrainian));
    /// assert_eq!(Language::from_env_text("pl:ru:en"), Some(Language::Russian));
    /// assert_eq!(Language::from_env_text("en-GB"), Some(Language::English));
    /// assert_eq!(Language::from_env_text("C.UTF-8"), None);
    /// ```
    pub fn from_env_text(text: &str) -> Option<Language> {
        text.split([':', ',']).find_map(|tag| {
            let code = tag.trim().split(['_', '-', '.', '@', ';']).next().unwrap_or_default();
            Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(code))
        })
    }

    /// The language of an environment, given the texts of `LC_ALL`, `LC_MESSAGES` and `LANG` in this order: the first
    /// that is set decides, an empty one counting as not set. English where it names no language of ours, or `C`.
    ///
    /// ```
    /// use locale::Language;
    ///
    /// assert_eq!(Language::from_env_texts([None, Some("ru_RU.UTF-8")]), Language::Russian);
    /// assert_eq!(Language::from_env_texts([Some("C"), Some("ru_RU.UTF-8")]), Language::English);
    /// ```
    pub fn from_env_texts<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Language {
        let decisive = texts.into_iter().flatten().find(|text| !text.is_empty());
        decisive.and_then(Language::from_env_text).unwrap_or(Language::English)
    }
}

/// The code.
impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = NoSuchLanguage;

    /// Reads a code, `uk`, `ru` or `en`, in either case.
    fn from_str(text: &str) -> Result<Language, NoSuchLanguage> {
        Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(text)).ok_or(NoSuchLanguage)
    }
}

/// A text that names no language we speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLanguage;

impl fmt::Display for NoSuchLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a language is one of uk, ru, en")
    }
}

impl std::error::Error for NoSuchLanguage {}
