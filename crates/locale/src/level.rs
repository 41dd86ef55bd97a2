use crate::Language;

/// What a level of the computer is called, from 1 to 8; `None` for any other number.
///
/// ```
/// use locale::{Language, level_name};
///
/// assert_eq!(level_name(Language::Ukrainian, 8), Some("Дракон"));
/// assert_eq!(level_name(Language::Ukrainian, 9), None);
/// ```
pub fn level_name(language: Language, level: u8) -> Option<&'static str> {
    Some(match level {
        1 => language.level_1(),
        2 => language.level_2(),
        3 => language.level_3(),
        4 => language.level_4(),
        5 => language.level_5(),
        6 => language.level_6(),
        7 => language.level_7(),
        8 => language.level_8(),
        _ => return None,
    })
}

/// What to expect of a level, in one line; `None` unless it is from 1 to 8.
pub fn level_about(language: Language, level: u8) -> Option<&'static str> {
    Some(match level {
        1 => language.level_1_about(),
        2 => language.level_2_about(),
        3 => language.level_3_about(),
        4 => language.level_4_about(),
        5 => language.level_5_about(),
        6 => language.level_6_about(),
        7 => language.level_7_about(),
        8 => language.level_8_about(),
        _ => return None,
    })
}
