//! Address patterns: `/learn/{game}`, `/{game}?{settings}`, `/analyse#{details}`.

use std::fmt;
use std::str::FromStr;

/// The path of a pattern, without what follows `?` or `#`.
pub(crate) fn path(pattern: &str) -> &str {
    pattern.split(['?', '#']).next().unwrap_or(pattern)
}

/// The parts of a path between slashes.
pub(crate) fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// What an address has in the places that a pattern leaves open.
pub(crate) struct Captured<'a>(Vec<(&'static str, &'a str)>);

impl<'a> Captured<'a> {
    /// Compares the segments of an address with those of a pattern; `None` where they differ.
    pub(crate) fn of(pattern: &'static str, address: &'a str) -> Option<Captured<'a>> {
        let (shape, open) = pattern.split_once(['?', '#']).unwrap_or((pattern, ""));
        let (path, details) = address.split_once(['?', '#']).unwrap_or((address, ""));
        let path = path.strip_prefix('/')?;
        let mut given = path.strip_suffix('/').unwrap_or(path).split('/').filter(|_| !path.is_empty());
        let mut found = Vec::new();
        for wanted in segments(shape) {
            let segment = given.next().filter(|segment| !segment.is_empty())?;
            match wanted.strip_prefix('{') {
                Some(name) => found.push((name.trim_end_matches('}'), segment)),
                None if wanted == segment => {}
                None => return None,
            }
        }
        if let Some(name) = open.strip_prefix('{') {
            found.push((name.trim_end_matches('}'), details));
        }
        given.next().is_none().then_some(Captured(found))
    }

    /// Reads what stands in an open place.
    pub(crate) fn take<T: FromStr>(&self, name: &str) -> Option<T> {
        self.0.iter().find(|(other, _)| *other == name)?.1.parse().ok()
    }

    #[cfg(test)]
    pub(crate) fn names_only_games(&self) -> bool {
        self.0.iter().all(|(name, value)| *name != "game" || value.parse::<rules::GameId>().is_ok())
    }
}

/// Writes a pattern with its open places filled in order; a mark with nothing after it is left out.
pub(crate) fn write_address(f: &mut fmt::Formatter<'_>, pattern: &str, values: &[&dyn fmt::Display]) -> fmt::Result {
    let mut values = values.iter();
    if path(pattern) == "/" {
        f.write_str("/")?;
    }
    for segment in segments(path(pattern)) {
        match values.as_slice().first().filter(|_| segment.starts_with('{')) {
            Some(value) => {
                values.next();
                write!(f, "/{value}")?;
            }
            None => write!(f, "/{segment}")?,
        }
    }
    let Some(details) = values.next().map(ToString::to_string).filter(|details| !details.is_empty()) else {
        return Ok(());
    };
    let mark = if pattern.contains('#') { '#' } else { '?' };
    write!(f, "{mark}{details}")
}
