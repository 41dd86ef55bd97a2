//! The games there are.
//!
//! Adding a game is one line in the list at the end of this file; nothing else in this crate names a game,
//! except [`Game::draws_by_repetition`], which is a rule of the table (G7).

use std::fmt;
use std::str::FromStr;

use rules::{BadOptions, BadPosition, OptionSpec, Options, Position, excerpt, game_text};
use scene::{MovePart, Staged};

use crate::any_position::{is_chance, notation};
use crate::{AnyBrain, AnyPosition, Thinker};

/// A position type whose game is in the catalogue.
pub trait Listed: Staged {
    /// The game as the catalogue has it.
    fn listed(&self) -> Game;
}

/// A text that names no game, or a game with options it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadGame {
    /// Not of the form `id` or `id(option=value,…)`.
    Malformed(String),
    /// There is no such game.
    Unknown(String),
    /// The game exists, the options do not.
    Options {
        /// The game.
        game: GameId,
        /// What is wrong with the options.
        problem: BadOptions,
    },
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadGame::Malformed(text) => {
                write!(f, "cannot read the game {text:?}: expected a name such as quarto or quarto(squares=yes)")
            }
            BadGame::Unknown(name) => {
                let names: Vec<&str> = GameId::ALL.iter().map(|id| id.name()).collect();
                write!(f, "there is no game {name:?}: possible are {}", names.join(", "))
            }
            BadGame::Options { game, problem } => write!(f, "{game}: {problem}"),
        }
    }
}

impl std::error::Error for BadGame {}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<GameId, BadGame> {
        GameId::ALL.into_iter().find(|id| id.name() == text).ok_or_else(|| BadGame::Unknown(excerpt(text)))
    }
}

/// A game with its options (G4).
///
/// The text leaves out what is at its default, so two equal games have the same text.
///
/// ```
/// use game::Game;
///
/// let game: Game = "quixo(players=4)".parse()?;
/// assert_eq!(game.to_string(), "quixo(players=4)");
/// assert_eq!(game.option("players").as_deref(), Some("4"));
/// assert_eq!("quixo(players=2)".parse::<Game>()?.to_string(), "quixo");
/// assert_eq!(
///     "chess".parse::<Game>().unwrap_err().to_string(),
///     "there is no game \"chess\": possible are quarto, quixo, sequence, four",
/// );
/// # Ok::<(), game::BadGame>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game(Kind);

impl FromStr for Game {
    type Err = BadGame;

    fn from_str(text: &str) -> Result<Game, BadGame> {
        let text = text.trim();
        let (name, options) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => match rest.strip_suffix(')') {
                Some(options) => (name, options),
                None => return Err(BadGame::Malformed(excerpt(text))),
            },
        };
        name.trim_end().parse::<GameId>()?.with_options(options)
    }
}

macro_rules! games {
    ($($name:ident = $position:ty, played by $brain:expr;)*) => {
        /// A game, whatever its options.
        ///
        /// ```
        /// use game::GameId;
        ///
        /// let names: Vec<_> = GameId::ALL.iter().map(|id| id.name()).collect();
        /// assert!(names.contains(&"quixo"));
        /// assert_eq!("quixo".parse(), Ok(GameId::Quixo));
        /// assert_eq!(GameId::Quixo.options()[0].name, "players");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum GameId {
            $(
                #[doc = concat!(stringify!($name), ", as [`", stringify!($position), "`] has it.")]
                $name,
            )*
        }

        impl GameId {
            /// Every game, in the order of menus.
            pub const ALL: [GameId; [$(stringify!($name)),*].len()] = [$(GameId::$name),*];

            /// The name in texts (G4).
            pub const fn name(self) -> &'static str {
                match self { $(GameId::$name => <$position as Position>::ID,)* }
            }

            /// The options there are, for menus.
            pub fn options(self) -> &'static [OptionSpec] {
                match self { $(GameId::$name => <<$position as Position>::Options as Options>::spec(),)* }
            }

            /// The game with every option at its default.
            pub fn by_default(self) -> Game {
                Game(match self { $(GameId::$name => Kind::$name(Default::default()),)* })
            }

            /// The game with options given as `name=value,…`; an empty text leaves all at their default.
            pub fn with_options(self, options: &str) -> Result<Game, BadGame> {
                let problem = |problem| BadGame::Options { game: self, problem };
                Ok(Game(match self { $(GameId::$name => Kind::$name(options.parse().map_err(problem)?),)* }))
            }
        }

        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        enum Kind {
            $($name(<$position as Position>::Options),)*
        }

        impl Game {
            /// Which game it is.
            pub fn id(&self) -> GameId {
                match &self.0 { $(Kind::$name(_) => GameId::$name,)* }
            }

            /// The value of one option as text, whether default or not; `None` for an unknown name.
            pub fn option(&self, name: &str) -> Option<String> {
                match &self.0 { $(Kind::$name(options) => options.value(name),)* }
            }

            /// The position the game begins with.
            pub fn start(&self) -> Box<dyn AnyPosition> {
                match &self.0 { $(Kind::$name(options) => Box::new(<$position>::start(options)),)* }
            }

            /// A fresh player for this game.
            ///
            /// It hangs on the game, not on positions, so that a program which only shows games links no player.
            pub fn brain(&self) -> Box<dyn AnyBrain> {
                match &self.0 { $(Kind::$name(_) => Box::new($brain),)* }
            }

            /// Whether an action of this game is chance's; also one that hides what was drawn, such as `draw:?`.
            pub fn is_chance(&self, action: &str) -> bool {
                match &self.0 { $(Kind::$name(_) => is_chance::<$position>(action),)* }
            }

            /// An action as a move list shows it; a text that is no action of this game is shown as it is.
            pub fn notation(&self, action: &str) -> Vec<MovePart> {
                match &self.0 { $(Kind::$name(_) => notation::<$position>(action),)* }
            }

            /// Reads a position text and refuses what cannot arise under the rules.
            pub fn parse_position(&self, text: &str) -> Result<Box<dyn AnyPosition>, BadPosition> {
                Ok(match &self.0 { $(Kind::$name(options) => Box::new(<$position>::parse(options, text)?),)* })
            }
        }

        impl fmt::Display for Game {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&match &self.0 { $(Kind::$name(options) => game_text::<$position>(options),)* })
            }
        }

        $(
            impl Listed for $position {
                fn listed(&self) -> Game {
                    Game(Kind::$name(self.options()))
                }
            }
        )*
    };
}

impl Game {
    /// Whether the third occurrence of a position ends the game as a draw (G7).
    pub fn draws_by_repetition(&self) -> bool {
        self.id() == GameId::Quixo && self.option("players").as_deref() == Some("2")
    }

    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.start().seats()
    }
}

games! {
    Quarto = rules::quarto::Quarto, played by Thinker::<rules::quarto::Quarto>::default();
    Quixo = rules::quixo::Quixo, played by Thinker::<rules::quixo::Quixo>::default();
    Sequence = rules::sequence::Sequence, played by Thinker::<rules::sequence::Sequence>::default();
    Four = rules::four::Four, played by Thinker::<rules::four::Four>::default();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g4_texts_round_trip_and_leave_out_defaults() {
        for id in GameId::ALL {
            let game: Game = id.name().parse().unwrap();
            assert_eq!(game.to_string(), id.name());
            assert_eq!(game.id(), id);
            assert_eq!(game.start().game(), game);
            assert_eq!(format!("{id}()").parse(), Ok(game));
        }
        assert_eq!("quixo(players=2)".parse::<Game>().unwrap().to_string(), "quixo");
    }

    #[test]
    fn bad_games_say_what_is_possible() {
        let message = |text: &str| text.parse::<Game>().unwrap_err().to_string();
        assert!(message("go").starts_with("there is no game \"go\": possible are "));
        assert!(message("Quixo").contains("possible are"));
        assert!(message("quixo(players=4").contains("expected a name such as"));
        assert_eq!(message("quixo(players=3)"), "quixo: players cannot be \"3\": possible is one of 2, 4");
        assert_eq!(message("quixo(size=9)"), "quixo: there is no option \"size\": possible are players");
    }

    #[test]
    fn g7_only_quixo_for_two_is_drawn_by_repetition() {
        let by_repetition = |text: &str| text.parse::<Game>().unwrap().draws_by_repetition();
        assert!(by_repetition("quixo"));
        assert!(!by_repetition("quixo(players=4)"));
    }
}
