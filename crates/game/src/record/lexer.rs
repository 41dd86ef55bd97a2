//! Cuts a text into tags, comments and words, with the place of each.

use super::{Excess, RecordError, RecordProblem, seal};
use crate::Comment;

/// Where something stands: line and column from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Place {
    pub(super) fn error(self, problem: RecordProblem) -> RecordError {
        RecordError { line: self.line, column: self.column, action: None, problem, legal: Box::default() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Tag {
        name: String,
        value: String,
    },
    Comment(String),
    /// The `(` before a variation.
    Open,
    /// The `)` after it.
    Close,
    Word(String),
}

/// The longest value of a tag, in characters.
pub(crate) const LONGEST_VALUE: usize = 4096;
/// The longest name of a tag.
const LONGEST_NAME: usize = 32;

/// Whether a tag can have this name.
pub(crate) fn is_tag_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(plain)
        && name.starts_with(|first: char| first.is_ascii_alphabetic())
}

pub(super) struct Lexer<'a> {
    left: std::iter::Peekable<std::str::Chars<'a>>,
    place: Place,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Lexer<'a> {
        Lexer { left: text.chars().peekable(), place: Place { line: 1, column: 1 } }
    }

    /// Where the next character stands.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    pub(super) fn next_token(&mut self) -> Result<Option<(Place, Token)>, RecordError> {
        self.skip_space();
        let place = self.place;
        let token = match self.left.peek() {
            None => return Ok(None),
            Some('[') => self.tag().ok_or_else(|| place.error(RecordProblem::MalformedTag))?,
            Some('{') => self.comment(place)?,
            Some(';') => self.rest_of_line(place)?,
            Some(&bracket @ ('(' | ')')) => {
                self.bump();
                if bracket == '(' { Token::Open } else { Token::Close }
            }
            Some(&bracket @ ('}' | ']')) => return Err(place.error(RecordProblem::StrayBracket(bracket))),
            Some(_) => Token::Word(self.word()),
        };
        Ok(Some((place, token)))
    }

    fn bump(&mut self) -> Option<char> {
        let letter = self.left.next()?;
        if letter == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else if letter != '\u{feff}' {
            self.place.column += 1;
        }
        Some(letter)
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&letter) = self.left.peek()
            && wanted(letter)
        {
            taken.push(letter);
            self.bump();
        }
        taken
    }

    /// A word ends at a space, a bracket or the `$` of the mark behind it.
    fn word(&mut self) -> String {
        let mut word: String = self.bump().into_iter().collect();
        word.push_str(&self.take_while(|letter| !letter.is_whitespace() && !"{}[]();$".contains(letter)));
        word
    }

    fn skip_space(&mut self) {
        // A byte order mark stands at the start of a file, and in the middle where files were joined.
        self.take_while(|letter| letter.is_whitespace() || letter == '\u{feff}');
        // PGN's escape: a line that begins with % is for other programs.
        while self.place.column == 1 && self.left.peek() == Some(&'%') {
            self.take_while(|letter| letter != '\n');
            self.take_while(char::is_whitespace);
        }
    }

    /// A comment from `;` to the end of the line.
    fn rest_of_line(&mut self, place: Place) -> Result<Token, RecordError> {
        self.bump();
        let text = self.take_while(|letter| letter != '\n');
        comment_token(place, text)
    }

    fn comment(&mut self, place: Place) -> Result<Token, RecordError> {
        self.bump();
        // Comments do not nest: the first closing brace ends one, however many were opened.
        let text = self.take_while(|letter| letter != '}');
        self.bump().ok_or_else(|| place.error(RecordProblem::UnclosedComment))?;
        comment_token(place, text)
    }

    fn tag(&mut self) -> Option<Token> {
        let blank = |letter: char| letter == ' ' || letter == '\t';
        self.bump();
        self.take_while(blank);
        let name = self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        self.take_while(blank);
        let longest = if name == seal::TAG { seal::LONGEST } else { LONGEST_VALUE };
        let value = self.quoted(longest)?;
        self.take_while(blank);
        (self.bump() == Some(']') && is_tag_name(&name)).then_some(Token::Tag { name, value })
    }

    fn quoted(&mut self, longest: usize) -> Option<String> {
        if self.bump() != Some('"') {
            return None;
        }
        let mut value = String::new();
        for _ in 0..=longest {
            match self.bump()? {
                '"' => return Some(value),
                '\\' => value.push(self.bump().filter(|&letter| letter == '"' || letter == '\\')?),
                '\n' | '\r' => return None,
                letter => value.push(letter),
            }
        }
        None
    }
}

fn comment_token(place: Place, text: String) -> Result<Token, RecordError> {
    if text.chars().count() > Comment::LONGEST {
        return Err(place.error(RecordProblem::TooMuch(Excess::Comment, Comment::LONGEST)));
    }
    Ok(Token::Comment(text))
}
