use std::fmt;
use std::str::FromStr;

use super::MOVEMENTS;
use crate::{BadOptions, OptionSpec, OptionValues, Options, given_options};

/// How many cells the board is wide and high.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Size {
    /// 9×9, for a short game.
    Nine,
    /// 13×13.
    Thirteen,
    /// 19×19, the board of Go.
    #[default]
    Nineteen,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Size; 3] = [Size::Nine, Size::Thirteen, Size::Nineteen];

    /// The number of cells in a row.
    #[inline]
    pub const fn width(self) -> u8 {
        match self {
            Size::Nine => 9,
            Size::Thirteen => 13,
            Size::Nineteen => 19,
        }
    }

    const fn default_reserve(self) -> u8 {
        match self {
            Size::Nine => 30,
            Size::Thirteen => 40,
            Size::Nineteen => 100,
        }
    }

    const fn default_target(self) -> u8 {
        match self {
            Size::Nine => 10,
            Size::Thirteen => 15,
            Size::Nineteen => 30,
        }
    }
}

/// Which captures of a turn add movements (FO8, FO12).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bonus {
    /// Every capture that leaves a movement.
    #[default]
    Chain,
    /// Captures by the first three movements only.
    Three,
}

impl Bonus {
    /// The word in option texts.
    pub const fn name(self) -> &'static str {
        match self {
            Bonus::Chain => "chain",
            Bonus::Three => "three",
        }
    }
}

/// The options of Four; what is left out depends on the size, and only what differs from that is printed.
///
/// ```
/// use rules::four::{FourOptions, Size};
///
/// let options: FourOptions = "reserve=30,size=9,target=0".parse()?;
/// assert_eq!(options.size(), Size::Nine);
/// assert_eq!(options.to_string(), "size=9,target=0");
/// assert_eq!(FourOptions::of_size(Size::Thirteen).reserve(), 40);
/// # Ok::<(), rules::BadOptions>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FourOptions {
    size: Size,
    reserve: u8,
    target: u8,
    lead: u8,
    first: u8,
    bonus: Bonus,
}

impl FourOptions {
    /// The fewest stones a seat may start with.
    pub const LEAST_RESERVE: u8 = 20;
    /// The most stones a seat may start with.
    pub const MOST_RESERVE: u8 = 150;
    /// The most points a game may be played to.
    pub const MOST_TARGET: u8 = 100;
    /// The most points seat 2 may begin with.
    pub const MOST_LEAD: u8 = 30;

    /// These options without a head start, or `None` if the reserve is not from 20 to 150 or the target above 100.
    pub const fn new(size: Size, reserve: u8, target: u8) -> Option<FourOptions> {
        if reserve < Self::LEAST_RESERVE || reserve > Self::MOST_RESERVE || target > Self::MOST_TARGET {
            return None;
        }
        Some(FourOptions { reserve, target, ..FourOptions::of_size(size) })
    }

    /// The same with a head start (FO11): the points seat 2 begins with, and the movements of the first main turn.
    ///
    /// `None` if the points are above 30 or not below the target, or the movements not from 1 to 4.
    pub const fn with_head_start(self, lead: u8, first: u8) -> Option<FourOptions> {
        let wins = self.target > 0 && lead >= self.target;
        if lead > Self::MOST_LEAD || wins || first == 0 || first > MOVEMENTS {
            return None;
        }
        Some(FourOptions { lead, first, ..self })
    }

    /// The same with another reading of the bonus (FO12).
    pub const fn with_bonus(self, bonus: Bonus) -> FourOptions {
        FourOptions { bonus, ..self }
    }

    /// The usual reserve and target on a board of this size.
    pub const fn of_size(size: Size) -> FourOptions {
        FourOptions {
            size,
            reserve: size.default_reserve(),
            target: size.default_target(),
            lead: 0,
            first: MOVEMENTS,
            bonus: Bonus::Chain,
        }
    }

    /// The size of the board.
    #[inline]
    pub const fn size(&self) -> Size {
        self.size
    }

    /// How many stones each seat starts with.
    #[inline]
    pub const fn reserve(&self) -> u8 {
        self.reserve
    }

    /// The points that win at once; 0 for none.
    #[inline]
    pub const fn target(&self) -> u8 {
        self.target
    }

    /// The points that seat 2 begins with (FO11).
    #[inline]
    pub const fn lead(&self) -> u8 {
        self.lead
    }

    /// The movements of the first main turn (FO11).
    #[inline]
    pub const fn first(&self) -> u8 {
        self.first
    }

    /// Which captures add movements (FO12).
    #[inline]
    pub const fn bonus(&self) -> Bonus {
        self.bonus
    }
}

impl Default for FourOptions {
    fn default() -> Self {
        FourOptions::of_size(Size::default())
    }
}

impl Options for FourOptions {
    fn spec() -> &'static [OptionSpec] {
        &[
            OptionSpec { name: "size", values: OptionValues::OneOf(&["9", "13", "19"]) },
            OptionSpec {
                name: "reserve",
                values: OptionValues::Number {
                    min: FourOptions::LEAST_RESERVE as u16,
                    max: FourOptions::MOST_RESERVE as u16,
                },
            },
            OptionSpec {
                name: "target",
                values: OptionValues::Number { min: 0, max: FourOptions::MOST_TARGET as u16 },
            },
            OptionSpec { name: "lead", values: OptionValues::Number { min: 0, max: FourOptions::MOST_LEAD as u16 } },
            OptionSpec { name: "first", values: OptionValues::Number { min: 1, max: MOVEMENTS as u16 } },
            OptionSpec { name: "bonus", values: OptionValues::OneOf(&["chain", "three"]) },
        ]
    }

    fn value(&self, name: &str) -> Option<String> {
        match name {
            "size" => Some(self.size.width().to_string()),
            "reserve" => Some(self.reserve.to_string()),
            "target" => Some(self.target.to_string()),
            "lead" => Some(self.lead.to_string()),
            "first" => Some(self.first.to_string()),
            "bonus" => Some(self.bonus.name().to_owned()),
            _ => None,
        }
    }
}

impl fmt::Display for FourOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = FourOptions { size: Size::default(), ..FourOptions::of_size(self.size) };
        let mut comma = "";
        for OptionSpec { name, .. } in Self::spec() {
            if let Some(value) = self.value(name)
                && usual.value(name).as_ref() != Some(&value)
            {
                write!(f, "{comma}{name}={value}")?;
                comma = ",";
            }
        }
        Ok(())
    }
}

impl FromStr for FourOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        let given = given_options(text, Self::spec())?;
        let value = |name| given.iter().find(|(other, _)| *other == name).map(|(_, value)| *value);
        // The size comes first because the other defaults hang on it, wherever it stands in the text.
        let size = match value("size") {
            Some("9") => Size::Nine,
            Some("13") => Size::Thirteen,
            _ => Size::Nineteen,
        };
        let mut options = FourOptions::of_size(size);
        // `given_options` has checked the ranges, so a number always reads.
        if let Some(reserve) = value("reserve").and_then(|number| number.parse().ok()) {
            options.reserve = reserve;
        }
        if let Some(target) = value("target").and_then(|number| number.parse().ok()) {
            options.target = target;
        }
        if value("bonus") == Some(Bonus::Three.name()) {
            options.bonus = Bonus::Three;
        }
        let number = |name, usual| value(name).and_then(|number| number.parse().ok()).unwrap_or(usual);
        options.with_head_start(number("lead", 0), number("first", MOVEMENTS)).ok_or_else(|| BadOptions::Conflict {
            given: format!("lead={}", number("lead", 0)),
            other: format!("target={}", options.target),
        })
    }
}
