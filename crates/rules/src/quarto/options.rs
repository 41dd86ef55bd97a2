use std::fmt;
use std::str::FromStr;

use super::{Attribute, Attributes};
use crate::{BadOptions, OptionSpec, OptionValues, Options, given_options};

/// Whether 2×2 blocks make rows too (QA4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Squares {
    /// Only the ten lines.
    #[default]
    No,
    /// The ten lines and the nine 2×2 blocks, for experienced players.
    Yes,
}

impl Squares {
    /// Both choices.
    pub const ALL: [Squares; 2] = [Squares::No, Squares::Yes];

    /// The word in option texts.
    pub const fn name(self) -> &'static str {
        match self {
            Squares::No => "no",
            Squares::Yes => "yes",
        }
    }
}

/// Who sees to it that a row wins (QA6–QA8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Call {
    /// The program does: the seat that makes a row wins at once.
    #[default]
    Auto,
    /// The players: a row counts until the next piece is placed.
    Lapse,
    /// The players: a row counts until the end of the game.
    Open,
}

impl Call {
    /// All choices.
    pub const ALL: [Call; 3] = [Call::Auto, Call::Lapse, Call::Open];

    /// The word in option texts.
    pub const fn name(self) -> &'static str {
        match self {
            Call::Auto => "auto",
            Call::Lapse => "lapse",
            Call::Open => "open",
        }
    }
}

/// The options of Quarto.
///
/// ```
/// use rules::quarto::{Call, QuartoOptions, Squares};
///
/// let options: QuartoOptions = "squares=yes,call=lapse".parse()?;
/// assert_eq!((options.squares, options.call), (Squares::Yes, Call::Lapse));
/// assert_eq!("attributes=top+colour".parse::<QuartoOptions>()?.to_string(), "attributes=colour+top");
/// assert_eq!(QuartoOptions::default().to_string(), "");
/// # Ok::<(), rules::BadOptions>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QuartoOptions {
    attributes: Attributes,
    /// Whether 2×2 blocks make rows.
    pub squares: Squares,
    /// How a row comes to win.
    pub call: Call,
}

impl QuartoOptions {
    /// These options; `None` if no attribute is chosen, for then there would be no rows.
    pub fn new(attributes: Attributes, squares: Squares, call: Call) -> Option<QuartoOptions> {
        (!attributes.is_empty()).then_some(QuartoOptions { attributes, squares, call })
    }

    /// The attributes that make a row (QA5); at least one.
    pub fn attributes(&self) -> Attributes {
        self.attributes
    }

    /// All 90 option sets: 15 choices of attributes, with and without squares, three ways of calling.
    pub fn all() -> impl Iterator<Item = QuartoOptions> {
        (1..=15).rev().flat_map(|bits| {
            Squares::ALL.into_iter().flat_map(move |squares| {
                Call::ALL.into_iter().map(move |call| QuartoOptions {
                    attributes: Attributes::from_bits(bits),
                    squares,
                    call,
                })
            })
        })
    }
}

impl Default for QuartoOptions {
    fn default() -> Self {
        QuartoOptions { attributes: Attributes::ALL, squares: Squares::default(), call: Call::default() }
    }
}

impl Options for QuartoOptions {
    fn spec() -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "attributes", values: OptionValues::Subset(&["colour", "height", "shape", "top"]) },
            OptionSpec { name: "squares", values: OptionValues::OneOf(&["no", "yes"]) },
            OptionSpec { name: "call", values: OptionValues::OneOf(&["auto", "lapse", "open"]) },
        ]
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "attributes" => Some(self.attributes.to_string()),
            "squares" => Some(self.squares.name().to_owned()),
            "call" => Some(self.call.name().to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for QuartoOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = QuartoOptions::default();
        let mut joint = "";
        for option in Self::spec() {
            let (Some(value), Some(usual)) = (self.value(option.name), default.value(option.name)) else { continue };
            if value != usual {
                write!(f, "{joint}{}={value}", option.name)?;
                joint = ",";
            }
        }
        Ok(())
    }
}

impl FromStr for QuartoOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        let mut options = QuartoOptions::default();
        for (name, value) in given_options(text, Self::spec())? {
            match name {
                "attributes" => {
                    let chosen = |attribute: &Attribute| value.split('+').any(|word| word == attribute.name());
                    let chosen: Vec<Attribute> = Attribute::ALL.into_iter().filter(chosen).collect();
                    options.attributes = Attributes::of(&chosen);
                }
                "squares" => options.squares = if value == "yes" { Squares::Yes } else { Squares::No },
                _ => {
                    options.call = match value {
                        "lapse" => Call::Lapse,
                        "open" => Call::Open,
                        _ => Call::Auto,
                    }
                }
            }
        }
        Ok(options)
    }
}
