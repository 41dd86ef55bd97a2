//! Names of people: one form for each, and none that passes for another.

use protocol::LONGEST_NAME;
use unicode_normalization::UnicodeNormalization as _;
use unicode_security::MixedScript as _;
use unicode_security::confusable_detection::skeleton;

use crate::tables::is_invisible;

/// A name on one line, in one form, without letters that are not seen, if it is not empty and not too long.
pub(crate) fn tidy_name(name: &str) -> Option<String> {
    // NFKC: letters that look alike because they are the same, such as full-width ones, become one.
    let seen = name.nfkc().map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain: String = seen.filter(|c| !c.is_control() && !is_invisible(*c)).collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let plain = words.join(" ");
    // The server's own bots are shown as `bot:8`.
    let reserved = lookalike(&plain).starts_with("bot:");
    // A word of two alphabets is there to be mistaken for another.
    let mixed = words.iter().any(|word| !word.is_single_script());
    (!plain.is_empty() && !reserved && !mixed && plain.chars().count() <= LONGEST_NAME).then_some(plain)
}

/// What a name looks like (the skeleton of Unicode's UTS 39), whatever its letters and their case: equal for names that a reader
/// could take for one another. Upper and lower case have different skeletons, hence twice.
pub(crate) fn lookalike(name: &str) -> String {
    let seen: String = skeleton(name).collect();
    skeleton(&seen.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_others_are_refused_or_become_them() {
        assert_eq!(tidy_name("  Ａda\u{200b} Лавлейс ").as_deref(), Some("Ada Лавлейс"));
        for name in [
            "",
            "\u{202e}",
            "bot:8",
            "ＢＯＴ:1",
            "Оlena",
            "αda",
            "P\u{585}pov",
            "a name that is far too long to be one",
        ] {
            assert_eq!(tidy_name(name), None, "{name}");
        }
        for name in ["Олена7", "李明", "Zoë", "さくら花"] {
            assert_eq!(tidy_name(name).as_deref(), Some(name));
        }
    }

    #[test]
    fn names_look_alike_over_all_alphabets() {
        for (one, other) in [("Oleg", "OIeg"), ("Oleg", "0leg"), ("Roma", "ROMA"), ("сосо", "coco"), ("rn", "m")] {
            assert_eq!(lookalike(one), lookalike(other), "{one} and {other}");
        }
        assert_ne!(lookalike("Olena"), lookalike("Elena"));
    }
}
