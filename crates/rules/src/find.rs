//! Finding a text in a text.
//!
//! The standard library's search for a text is made for long ones. With the messages for a letter cut in two that come with
//! it, it takes 8 kB of the browser app; its search for a single character takes next to nothing.

/// Where a part first stands in a text, in bytes.
///
/// ```
/// assert_eq!(rules::find("quixo | win", " | "), Some(5));
/// assert_eq!(rules::find("quixo", "quixote"), None);
/// assert_eq!(rules::find("quixo", ""), Some(0));
/// ```
pub fn find(text: &str, part: &str) -> Option<usize> {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    let (last, first) = (text.len().checked_sub(part.len())?, part.first());
    // Most places are ruled out by one letter.
    let begins = |at: usize| first.is_none() || text.get(at) == first;
    (0..=last).find(|&at| begins(at) && text.get(at..at + part.len()) == Some(part))
}

/// What stands between separators.
///
/// ```
/// assert_eq!(rules::split("quixo | win | ", " | "), ["quixo", "win", ""]);
/// ```
pub fn split<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((part, after)) = split_once(rest, separator) {
        parts.push(part);
        rest = after;
    }
    parts.push(rest);
    parts
}

/// What stands before and after the first separator; `None` if there is none, or an empty one.
pub fn split_once<'t>(text: &'t str, separator: &str) -> Option<(&'t str, &'t str)> {
    let at = find(text, separator).filter(|_| !separator.is_empty())?;
    Some((text.get(..at)?, text.get(at + separator.len()..)?))
}
