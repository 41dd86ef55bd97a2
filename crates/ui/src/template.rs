//! Reads templates, the texts that `view!` makes of what never changes.
//!
//! ```text
//! <p class="quiet" title={}>{} of <b>all</></>{}
//! ```
//!
//! `<name` begins an element, `</>` ends it, `{}` is a hole. No text and no attribute has one of `< > { } "`: what has,
//! is put into a hole.

/// A piece of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// An element begins; its attributes follow.
    Open(&'static str),
    /// An attribute with its value.
    Attribute(&'static str, &'static str),
    /// An attribute whose value is in the next hole.
    Hole(&'static str),
    /// The attributes are through; the content follows.
    Content,
    /// The element ends.
    Close,
    Text(&'static str),
    /// Content that is in the next hole.
    Child,
}

/// Goes through a template.
pub(crate) struct Pieces {
    rest: &'static str,
    in_tag: bool,
}

impl Pieces {
    pub(crate) fn of(template: &'static str) -> Pieces {
        Pieces { rest: template, in_tag: false }
    }

    /// What comes before a sign; the rest goes on after it.
    fn until(&mut self, sign: char) -> &'static str {
        let (text, rest) = self.rest.split_once(sign).unwrap_or((self.rest, ""));
        self.rest = rest;
        text
    }

    /// So many bytes; the rest goes on after them.
    fn first(&mut self, end: usize) -> &'static str {
        // Not `split_at`, whose message about a letter cut in two is more code than this file.
        let (text, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        text
    }

    fn skip(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn in_tag(&mut self) -> Piece {
        if self.skip(">") {
            self.in_tag = false;
            return Piece::Content;
        }
        self.skip(" ");
        let name = self.until('=');
        if self.skip("{}") {
            return Piece::Hole(name);
        }
        self.skip("\"");
        Piece::Attribute(name, self.until('"'))
    }
}

impl Iterator for Pieces {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        if self.in_tag {
            return Some(self.in_tag());
        }
        if self.rest.is_empty() {
            None
        } else if self.skip("{}") {
            Some(Piece::Child)
        } else if self.skip("</>") {
            Some(Piece::Close)
        } else if self.skip("<") {
            self.in_tag = true;
            let end = self.rest.find([' ', '>']).unwrap_or(self.rest.len());
            Some(Piece::Open(self.first(end)))
        } else {
            let end = self.rest.find(['<', '{']).unwrap_or(self.rest.len());
            Some(Piece::Text(self.first(end)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_taken_apart() {
        let pieces: Vec<Piece> = Pieces::of(r#"<p class="a b" on:click={}>{} of <b></></>{}"#).collect();
        let expected = [
            Piece::Open("p"),
            Piece::Attribute("class", "a b"),
            Piece::Hole("on:click"),
            Piece::Content,
            Piece::Child,
            Piece::Text(" of "),
            Piece::Open("b"),
            Piece::Content,
            Piece::Close,
            Piece::Close,
            Piece::Child,
        ];
        assert_eq!(pieces, expected);
    }
}
