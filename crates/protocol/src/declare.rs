//! How messages are declared: once, for serde and for the browser.
//!
//! Programs read and write messages with serde. In the browser that would be 60 kB more to load (docs/why.md), so the
//! same declarations also give each type a [`Compact`] form, which goes through a small tree of JSON. A test compares the
//! two on every example of docs/protocol.md.

use rules::Seat;

use crate::json::{Json, write_text};

/// A value that the browser can read and write without serde.
pub trait Compact: Sized {
    /// Reads a value; `None` if it is something else.
    fn read(json: &Json) -> Option<Self>;

    /// The value of a field that is left out; `None` if it must be there.
    fn absent() -> Option<Self> {
        None
    }

    /// Appends the value as JSON.
    fn write(&self, out: &mut String);

    /// Whether a field with this value is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// An object, whose fields may also stand in another object.
pub(crate) trait Object: Sized {
    /// Reads the fields.
    fn read_fields(json: &Json) -> Option<Self>;

    /// Writes the fields.
    fn write_fields(&self, out: &mut Writer<'_>);
}

/// Writes the fields of an object.
pub(crate) struct Writer<'a> {
    out: &'a mut String,
    separator: &'static str,
}

impl Writer<'_> {
    /// Appends an object with what `fields` writes into it.
    pub(crate) fn object(out: &mut String, fields: impl FnOnce(&mut Writer<'_>)) {
        out.push('{');
        fields(&mut Writer { out, separator: "" });
        out.push('}');
    }

    /// Appends a field, unless its value is left out.
    pub(crate) fn field<T: Compact>(&mut self, name: &str, value: &T) {
        if !value.is_absent() {
            self.out.push_str(self.separator);
            write_text(name, self.out);
            self.out.push(':');
            value.write(self.out);
            self.separator = ",";
        }
    }
}

/// Reads a field.
pub(crate) fn field<T: Compact>(json: &Json, name: &str) -> Option<T> {
    json.get(name).map_or_else(T::absent, T::read)
}

/// Declares an object.
macro_rules! object {
    (
        $(#[$meta:meta])*
        pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* }
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        impl $crate::declare::Object for $name {
            fn read_fields(json: &$crate::Json) -> Option<$name> {
                Some($name { $($field: $crate::declare::field(json, stringify!($field))?,)* })
            }

            fn write_fields(&self, out: &mut $crate::declare::Writer<'_>) {
                $(out.field(stringify!($field), &self.$field);)*
            }
        }

        impl $crate::Compact for $name {
            fn read(json: &$crate::Json) -> Option<$name> {
                $crate::declare::Object::read_fields(json)
            }

            fn write(&self, out: &mut String) {
                $crate::declare::Writer::object(out, |out| $crate::declare::Object::write_fields(self, out));
            }
        }
    };
}

/// Declares an enum of objects; one field names the variant. The variant after `else` stands for everything that
/// cannot be read, and is never sent.
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        pub enum $name:ident by $tag:literal {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident $({ $($(#[$field_meta:meta])* $field:ident: $type:ty,)* })? $(($inner:ty))? = $word:literal,
            )*
        }
        $(else $(#[$unknown_meta:meta])* $unknown:ident)?
    ) => {
        #[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(tag = $tag)]
        $(#[$meta])*
        pub enum $name {
            $(
                $(#[$variant_meta])*
                #[serde(rename = $word)]
                $variant $({ $($(#[$field_meta])* $field: $type,)* })? $(($inner))?,
            )*
            $($(#[$unknown_meta])* #[serde(skip_serializing, other)] $unknown,)?
        }

        impl $name {
            /// The names of all variants that are sent.
            pub const WORDS: &[&str] = &[$($word),*];

            fn read_known(json: &$crate::Json) -> Option<$name> {
                Some(match json.get($tag)?.text() {
                    $($word => tagged!(@value $name $variant json $({ $($field)* })? $(($inner))?),)*
                    _ => return None,
                })
            }
        }

        impl $crate::Compact for $name {
            fn read(json: &$crate::Json) -> Option<$name> {
                $name::read_known(json) $(.or(Some($name::$unknown)))?
            }

            fn write(&self, out: &mut String) {
                $crate::declare::Writer::object(out, |out| {
                    $(tagged!(@write self out $tag $word $name $variant $({ $($field)* })? $(($inner))?);)*
                });
            }
        }
    };
    (@value $name:ident $variant:ident $json:ident { $($field:ident)* }) => {
        $name::$variant { $($field: $crate::declare::field($json, stringify!($field))?),* }
    };
    (@value $name:ident $variant:ident $json:ident ($inner:ty)) => {
        $name::$variant($crate::declare::Object::read_fields($json)?)
    };
    (@value $name:ident $variant:ident $json:ident) => { $name::$variant };
    (@write $self:ident $out:ident $tag:literal $word:literal $name:ident $variant:ident { $($field:ident)* }) => {
        if let $name::$variant { $($field),* } = $self {
            $out.field($tag, &$crate::declare::Tag($word));
            $($out.field(stringify!($field), $field);)*
        }
    };
    (@write $self:ident $out:ident $tag:literal $word:literal $name:ident $variant:ident ($inner:ty)) => {
        if let $name::$variant(inner) = $self {
            $out.field($tag, &$crate::declare::Tag($word));
            $crate::declare::Object::write_fields(inner, $out);
        }
    };
    (@write $self:ident $out:ident $tag:literal $word:literal $name:ident $variant:ident) => {
        if let $name::$variant = $self {
            $out.field($tag, &$crate::declare::Tag($word));
        }
    };
}

/// Declares a choice of words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $word:literal,)* }
        $(else $(#[$unknown_meta:meta])* $unknown:ident)?
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $(#[$meta])*
        pub enum $name {
            $($(#[$variant_meta])* #[serde(rename = $word)] $variant,)*
            $($(#[$unknown_meta])* #[serde(skip_serializing, other)] $unknown,)?
        }

        impl $name {
            /// All that are sent.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The word that stands for it in a message.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)*
                    $($name::$unknown => "unknown",)?
                }
            }
        }

        impl $crate::Compact for $name {
            fn read(json: &$crate::Json) -> Option<$name> {
                let known = $name::ALL.iter().copied().find(|known| known.word() == json.text());
                known $(.or(Some($name::$unknown)))?
            }

            fn write(&self, out: &mut String) {
                $crate::json::write_text(self.word(), out);
            }
        }
    };
}

pub(crate) use {object, tagged, words};

/// The value of the field that names the variant.
pub(crate) struct Tag(pub(crate) &'static str);

impl Compact for Tag {
    fn read(_: &Json) -> Option<Tag> {
        None
    }

    fn write(&self, out: &mut String) {
        write_text(self.0, out);
    }
}

impl Compact for String {
    fn read(json: &Json) -> Option<String> {
        if let Json::Text(text) = json { Some(text.clone()) } else { None }
    }

    fn write(&self, out: &mut String) {
        write_text(self, out);
    }
}

impl Compact for bool {
    fn read(json: &Json) -> Option<bool> {
        if let Json::Bool(is) = json { Some(*is) } else { None }
    }

    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Compact for $type {
            fn read(json: &Json) -> Option<$type> {
                if let Json::Number(number) = json { Some(*number as $type) } else { None }
            }

            fn write(&self, out: &mut String) {
                out.push_str(&self.to_string());
            }
        }
    )*};
}

number!(u8 u32 u64);

impl Compact for Seat {
    fn read(json: &Json) -> Option<Seat> {
        let number = u8::read(json)?;
        Seat::all(4).find(|seat| seat.number() == number)
    }

    fn write(&self, out: &mut String) {
        self.number().write(out);
    }
}

impl<T: Compact> Compact for Option<T> {
    fn read(json: &Json) -> Option<Option<T>> {
        if *json == Json::Null { Some(None) } else { T::read(json).map(Some) }
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }

    fn write(&self, out: &mut String) {
        match self {
            Some(value) => value.write(out),
            None => out.push_str("null"),
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T: Compact> Compact for Vec<T> {
    fn read(json: &Json) -> Option<Vec<T>> {
        if let Json::List(list) = json { list.iter().map(T::read).collect() } else { None }
    }

    fn absent() -> Option<Vec<T>> {
        Some(Vec::new())
    }

    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, value) in self.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            value.write(out);
        }
        out.push(']');
    }

    fn is_absent(&self) -> bool {
        self.is_empty()
    }
}
