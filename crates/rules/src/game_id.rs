use std::fmt;
use std::str::FromStr;

use crate::{Described, Exercises, Figure, Lesson, OptionSpec, Options, Position, Preset, Showcase, Sign, excerpt};

/// The one list of games: hands every game's name and the name of its modules to the macro that is named.
///
/// Whatever must exist for every game is made by such a macro, so a game is registered in one place. A game's position is
/// the type `rules::module::Name`, and each crate that holds something of a game holds it in a module of that name, which is
/// also the game's name in texts, addresses and files.
///
/// ```
/// macro_rules! seats {
///     ($($name:ident in $module:ident;)*) => {
///         [$(rules::Position::seats(&<rules::$module::$name as rules::Position>::start(&Default::default()))),*]
///     };
/// }
/// assert_eq!(rules::games!(seats).len(), rules::GameId::ALL.len());
/// ```
#[macro_export]
macro_rules! games {
    ($then:ident) => {
        $then! {
            Quarto in quarto;
            Quixo in quixo;
            Sequence in sequence;
            Four in four;
        }
    };
}

macro_rules! game_ids {
    ($($name:ident in $module:ident;)*) => {
        /// A game, whatever its options.
        ///
        /// ```
        /// use rules::GameId;
        ///
        /// let names: Vec<_> = GameId::ALL.iter().map(|id| id.name()).collect();
        /// assert!(names.contains(&"quixo"));
        /// assert_eq!("quixo".parse(), Ok(GameId::Quixo));
        /// assert_eq!(GameId::Quixo.options()[0].name, "players");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum GameId {
            $(
                #[doc = concat!(stringify!($name), ", see [`", "crate::", stringify!($module), "::", stringify!($name), "`].")]
                $name,
            )*
        }

        impl GameId {
            /// Every game, in the order of menus.
            pub const ALL: [GameId; [$(stringify!($name)),*].len()] = [$(GameId::$name),*];

            /// The name in texts (G4).
            pub const fn name(self) -> &'static str {
                match self { $(GameId::$name => <crate::$module::$name as Position>::ID,)* }
            }

            /// The options of the game, for menus.
            pub fn options(self) -> &'static [OptionSpec] {
                match self { $(GameId::$name => <<crate::$module::$name as Position>::Options as Options>::spec(),)* }
            }

            /// Option texts that tests and data files go through.
            pub const fn variants(self) -> &'static [&'static str] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::VARIANTS,)* }
            }

            /// Option texts that the bench measures.
            pub const fn bench_rules(self) -> &'static [&'static str] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::BENCH_RULES,)* }
            }

            /// Options and numbers of random actions after which the bench asks the computer player.
            pub const fn bench_search(self) -> &'static [(&'static str, u32)] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::BENCH_SEARCH,)* }
            }

            /// How many sides play at most.
            pub const fn sides(self) -> usize {
                match self { $(GameId::$name => <crate::$module::$name as Described>::SIDES,)* }
            }

            /// The symbols or colours that the sides choose from, by name.
            pub const fn signs(self) -> &'static [&'static str] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::SIGNS,)* }
            }

            /// Whether a player deals before the game: the one on the last seat.
            pub const fn has_dealer(self) -> bool {
                match self { $(GameId::$name => <crate::$module::$name as Described>::HAS_DEALER,)* }
            }

            /// A game in its middle, for menus and pictures.
            pub const fn showcase(self) -> Showcase {
                match self { $(GameId::$name => <crate::$module::$name as Described>::SHOWCASE,)* }
            }

            /// What can be tried beside the rules page.
            pub const fn lessons(self) -> &'static [Lesson] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::LESSONS,)* }
            }

            /// The figures of the rules page.
            pub const fn figures(self) -> &'static [Figure] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::FIGURES,)* }
            }

            /// Options and clocks to be chosen together.
            pub const fn presets(self) -> &'static [Preset] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::PRESETS,)* }
            }

            /// The exercises to make.
            pub const fn exercises(self) -> &'static [Exercises] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::EXERCISES,)* }
            }

            /// The keys of pieces that only this game has and that are touched beside the board.
            pub const fn pieces(self) -> &'static [&'static str] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::PIECES,)* }
            }

            /// The keys of buttons that only this game has.
            pub const fn buttons(self) -> &'static [&'static str] {
                match self { $(GameId::$name => <crate::$module::$name as Described>::BUTTONS,)* }
            }
        }
    };
}

games!(game_ids);

macro_rules! complete {
    ($($name:ident in $module:ident;)*) => {
        $(const _: () = {
            const fn can_be_set_up<P: crate::Editable>() {}
            can_be_set_up::<crate::$module::$name>();
            assert!(
                is_equal(<crate::$module::$name as Position>::ID, stringify!($module)),
                concat!("Position::ID of ", stringify!($name), " must be the name of its module: ", stringify!($module)),
            );
        };)*
    };
}

games!(complete);

/// Whether two texts are equal, where `==` cannot be asked yet.
const fn is_equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut same = 0;
    while same < one.len() && same < other.len() && one[same] == other[same] {
        same += 1;
    }
    same == one.len() && same == other.len()
}

impl GameId {
    /// The sign of this name.
    pub fn sign(self, name: &str) -> Option<Sign> {
        self.signs().iter().position(|sign| *sign == name).map(Sign::from_index)
    }

    /// The game with options as one text (G4).
    ///
    /// ```
    /// use rules::GameId;
    ///
    /// assert_eq!(GameId::Quixo.text("players=4"), "quixo(players=4)");
    /// assert_eq!(GameId::Quixo.text(""), "quixo");
    /// ```
    pub fn text(self, options: &str) -> String {
        if options.is_empty() { self.name().to_owned() } else { format!("{self}({options})") }
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<GameId, UnknownGame> {
        GameId::ALL.into_iter().find(|id| id.name() == text).ok_or_else(|| UnknownGame(excerpt(text)))
    }
}

/// A text that names no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownGame(pub String);

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no game {:?}: possible are {}", self.0, GameId::ALL.map(GameId::name).join(", "))
    }
}

impl std::error::Error for UnknownGame {}
