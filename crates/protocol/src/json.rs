//! JSON as a tree: enough for a browser to speak with a server, and small.
//!
//! Hand-made for its size: serde's readers for the messages of this crate are 60 kB more to load (docs/why.md).

use std::fmt::Write as _;

/// A value.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the variants are those of JSON
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

/// How deep values may lie in each other.
const DEEPEST: u8 = 32;

impl Json {
    /// Reads a value; `None` if the text is none.
    pub fn read(text: &str) -> Option<Json> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(DEEPEST)?;
        reader.skip();
        (reader.at == text.len()).then_some(value)
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Json> {
        match self {
            Json::Object(fields) => fields.iter().find(|(field, _)| field == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, or nothing.
    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    /// The whole number, or 0.
    pub fn number(&self) -> u64 {
        if let Json::Number(number) = self { *number as u64 } else { 0 }
    }

    /// The elements, or none.
    pub fn list(&self) -> &[Json] {
        if let Json::List(list) = self { list } else { &[] }
    }

    /// The text of a field, empty if it is not there.
    pub fn text_of(&self, name: &str) -> String {
        self.get(name).map(Json::text).unwrap_or_default().to_owned()
    }

    /// The whole number of a field, 0 if it is not there.
    pub fn number_of(&self, name: &str) -> u64 {
        self.get(name).map(Json::number).unwrap_or_default()
    }

    /// The elements of a field, none if it is not there.
    pub fn list_of(&self, name: &str) -> &[Json] {
        self.get(name).map(Json::list).unwrap_or_default()
    }

    /// The texts in a list.
    pub fn texts_of(&self, name: &str) -> Vec<String> {
        self.list_of(name).iter().map(|text| text.text().to_owned()).collect()
    }

    /// Whether a field is true.
    pub fn holds(&self, name: &str) -> bool {
        self.get(name) == Some(&Json::Bool(true))
    }
}

/// A text as JSON writes it.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_text(text, &mut out);
    out
}

/// Appends a text as JSON writes it.
pub(crate) fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                out.push('\\');
                out.push(letter);
            }
            // Writing to a `String` cannot fail.
            letter if letter < ' ' => drop(write!(out, "\\u{:04x}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn skip(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, word: &str) -> Option<()> {
        self.text.get(self.at..)?.starts_with(word).then(|| self.at += word.len())
    }

    fn value(&mut self, deep: u8) -> Option<Json> {
        let deep = deep.checked_sub(1)?;
        self.skip();
        match self.peek()? {
            b'n' => self.take("null").map(|()| Json::Null),
            b't' => self.take("true").map(|()| Json::Bool(true)),
            b'f' => self.take("false").map(|()| Json::Bool(false)),
            b'"' => self.string().map(Json::Text),
            b'[' => {
                let mut list = Vec::new();
                self.each(b']', |reader| {
                    list.push(reader.value(deep)?);
                    Some(())
                })?;
                Some(Json::List(list))
            }
            b'{' => {
                let mut fields = Vec::new();
                self.each(b'}', |reader| {
                    reader.skip();
                    let name = reader.string()?;
                    reader.skip();
                    reader.take(":")?;
                    fields.push((name, reader.value(deep)?));
                    Some(())
                })?;
                Some(Json::Object(fields))
            }
            _ => self.a_number(),
        }
    }

    /// Reads elements with commas between them up to what closes them.
    fn each(&mut self, close: u8, mut element: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.skip();
        if self.peek()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            element(self)?;
            self.skip();
            let next = self.peek()?;
            self.at += 1;
            if next == close {
                return Some(());
            }
            if next != b',' {
                return None;
            }
        }
    }

    fn a_number(&mut self) -> Option<Json> {
        let rest = self.text.get(self.at..)?;
        let length = rest.find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let number = rest.get(..length)?;
        self.at += length;
        // Whole numbers are what the server sends; reading fractions exactly would be more code than all of this.
        if let Some(digits) = number.strip_prefix('-') {
            return digits.parse::<u64>().ok().map(|number| Json::Number(-(number as f64)));
        }
        number.parse::<u64>().ok().map(|number| Json::Number(number as f64))
    }

    fn string(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut out = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let end = rest.find(['"', '\\'])?;
            out.push_str(rest.get(..end)?);
            self.at += end + 1;
            if rest.as_bytes()[end] == b'"' {
                return Some(out);
            }
            let escape = self.peek()?;
            self.at += 1;
            out.push(match escape {
                b'n' => '\n',
                b't' => '\t',
                b'r' => '\r',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'u' => self.unicode()?,
                b'"' | b'\\' | b'/' => escape as char,
                _ => return None,
            });
        }
    }

    fn unicode(&mut self) -> Option<char> {
        let first = self.four_digits()?;
        if (0xd800..0xdc00).contains(&first) {
            self.take("\\u")?;
            let second = self.four_digits()?.checked_sub(0xdc00)?;
            return char::from_u32(0x10000 + ((first - 0xd800) << 10) + second);
        }
        char::from_u32(first)
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read() {
        let value = Json::read(r#" {"a":[1, -2 ,true,null],"б":{"c":"ї\"\\\n\u0416\ud83d\ude00"}} "#).unwrap();
        assert_eq!(value.list_of("a").len(), 4);
        assert_eq!(value.list_of("a")[0].number(), 1);
        assert_eq!(value.get("б").unwrap().text_of("c"), "ї\"\\\nЖ😀");
        assert_eq!(Json::read("[]"), Some(Json::List(Vec::new())));
    }

    #[test]
    fn nonsense_is_refused_and_harmless() {
        let deep = "[".repeat(100_000);
        for text in
            ["", "{", "[1", "[1 2]", "nul", "\"a", "\"\\x\"", "{\"a\"}", "1 1", "\"\\ud800\"", "\"\\u12", "-", &deep]
        {
            assert_eq!(Json::read(text), None, "{text:.20}");
        }
    }

    #[test]
    fn texts_read_back() {
        for text in ["", "Олена", "a\"b\\c\nd\u{1}", "😀"] {
            assert_eq!(Json::read(&quoted(text)), Some(Json::Text(text.to_owned())));
        }
    }
}
