//! Every game behind one interface, made from the list of games in [`rules::games`].
//!
//! Nothing in this crate names a game.

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

use rules::{
    ActionList, BadOptions, BadPosition, Described, Figure, GameId, Options, Position, Shows, Turn, UnknownGame,
    Viewer, excerpt, game_text,
};
use scene::{Highlight, MovePart, Scene, Spot, Staged, narrow};
use search::{HasBot, Knowledge, Random};

use crate::any_position::{is_chance, notation};
use crate::any_setup::ListedSetup;
use crate::bot::recalled_views;
use crate::{AnyBot, AnyPosition, AnySetup, ErasedBot};

/// A position type whose game is in the catalogue.
pub trait Listed: Staged {
    /// The game as the catalogue has it.
    fn listed(&self) -> Game;

    /// The options that were chosen for the game; those by default if it is another game.
    fn chosen(game: &Game) -> Self::Options;
}

/// A text that names no game, or a game with options it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadGame {
    /// Not of the form `id` or `id(option=value,…)`.
    Malformed(String),
    /// There is no such game.
    Unknown(UnknownGame),
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
            BadGame::Unknown(unknown) => unknown.fmt(f),
            BadGame::Options { game, problem } => write!(f, "{game}: {problem}"),
        }
    }
}

impl std::error::Error for BadGame {}

impl From<UnknownGame> for BadGame {
    fn from(unknown: UnknownGame) -> BadGame {
        BadGame::Unknown(unknown)
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
/// let unknown = "chess".parse::<Game>().unwrap_err().to_string();
/// assert!(unknown.starts_with("there is no game \"chess\": possible are quarto, quixo"));
/// # Ok::<(), game::BadGame>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game(Kind);

impl Game {
    /// What a rated table plays instead of this game: the options that the game describes for it, if these leave them open.
    ///
    /// ```
    /// use game::Game;
    ///
    /// let rated = |text: &str| text.parse::<Game>().map(|game| game.for_rating().to_string());
    /// assert_eq!(rated("quixo")?, "quixo");
    /// assert_eq!(rated("four(size=9)")?, "four(size=9,lead=3,first=3)");
    /// assert_eq!(rated("four(size=9,lead=1)")?, "four(size=9,lead=1)"); // the head start was chosen
    /// # Ok::<(), game::BadGame>(())
    /// ```
    pub fn for_rating(&self) -> Game {
        let pairs = |text: &str| -> Vec<String> {
            let options = text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
            options.split(',').filter(|pair| !pair.is_empty()).map(str::to_owned).collect()
        };
        let chosen = pairs(&self.to_string());
        let rated = self.id().presets().iter().filter(|preset| preset.offered == rules::Offered::Rated);
        let games = rated.filter_map(|preset| Game::with_options(self.id(), preset.options).ok());
        let open = games.filter(|game| {
            let pairs = pairs(&game.to_string());
            chosen.iter().all(|pair| pairs.contains(pair))
        });
        // The one that adds least, so that what is not chosen stays as it usually is.
        open.min_by_key(|game| pairs(&game.to_string()).len()).unwrap_or_else(|| self.clone())
    }
}

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
        Game::with_options(name.trim_end().parse()?, options)
    }
}

macro_rules! catalogue {
    ($($name:ident in $module:ident;)*) => {
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        enum Kind {
            $($name(<rules::$module::$name as Position>::Options),)*
        }

        impl Game {
            /// The game with every option at its default.
            pub fn by_default(id: GameId) -> Game {
                Game(match id { $(GameId::$name => Kind::$name(Default::default()),)* })
            }

            /// The game with options given as `name=value,…`; an empty text leaves all at their default.
            pub fn with_options(id: GameId, options: &str) -> Result<Game, BadGame> {
                let problem = |problem| BadGame::Options { game: id, problem };
                Ok(Game(match id { $(GameId::$name => Kind::$name(options.parse().map_err(problem)?),)* }))
            }

            /// Which game it is.
            pub fn id(&self) -> GameId {
                match &self.0 { $(Kind::$name(_) => GameId::$name,)* }
            }

            /// The value of one option as text, whether default or not; `None` for an unknown name.
            pub fn option(&self, name: &str) -> Option<String> {
                match &self.0 { $(Kind::$name(options) => options.value(name),)* }
            }

            /// Whether the third occurrence of a position ends the game as a draw (G7).
            pub fn draws_by_repetition(&self) -> bool {
                match &self.0 { $(Kind::$name(options) => <rules::$module::$name>::draws_by_repetition(options),)* }
            }

            /// A fresh player for this game.
            ///
            /// It hangs on the game, not on positions, so that a program which only shows games links no player.
            pub fn bot(&self) -> Box<dyn AnyBot> {
                match &self.0 { $(Kind::$name(_) => Box::new(ErasedBot::<rules::$module::$name>::default()),)* }
            }

            /// Reads the text of a view as well, in which `?` stands for what the viewer does not know: a position with
            /// that view, in which the unknown is made up, and the viewer. Of a text without `?` the viewer is `None`.
            ///
            /// ```
            /// use rules::{Seat, Viewer};
            ///
            /// let game: game::Game = "sequence".parse()?;
            /// let text = "*.....*/......./......./......./......./*.....* 1 cat+dog+owl|?+?+? -|- 0 0";
            /// let (position, viewer) = game.parse_view(text)?;
            /// assert_eq!(viewer, Some(Viewer::Seat(Seat::ONE)));
            /// assert_eq!(position.view_text(Viewer::Seat(Seat::ONE)), text);
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            pub fn parse_view(&self, text: &str) -> Result<(Box<dyn AnyPosition>, Option<Viewer>), BadPosition> {
                match &self.0 {
                    $(Kind::$name(options) => {
                        let (position, viewer) = <rules::$module::$name>::parse_view(options, text)?;
                        Ok((Box::new(position), viewer))
                    })*
                }
            }
        }

        // These are not in the interface of positions, so that a program which only shows games links none of them.
        impl dyn AnyPosition {
            /// The board to edit, beginning with this position.
            pub fn setup(&self) -> Box<dyn AnySetup> {
                match self.game().0 {
                    $(Kind::$name(_) => Box::new(ListedSetup::of(own::<rules::$module::$name>(self))),)*
                }
            }

            /// Counts the lists of exactly `depth` legal actions (G6).
            pub fn perft(&self, depth: u32) -> u64 {
                match self.game().0 { $(Kind::$name(_) => search::perft(own::<rules::$module::$name>(self), depth),)* }
            }

            /// Like `perft`, but gives up with `None` soon after `stop` is set.
            pub fn perft_until(&self, depth: u32, stop: &AtomicBool) -> Option<u64> {
                match self.game().0 { $(Kind::$name(_) => search::perft_until(own::<rules::$module::$name>(self), depth, stop),)* }
            }

            /// Plays so many uniformly random games from here and counts their actions; a game is cut off after `longest`.
            ///
            /// Apart from the first game nothing is allocated, which is what makes it a measure of the rules.
            pub fn random_games(&self, games: u32, longest: u32, random: &mut Random) -> u64 {
                match self.game().0 {
                    $(Kind::$name(_) => random_games(own::<rules::$module::$name>(self), games, longest, random),)*
                }
            }
        }

        impl fmt::Display for Game {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&match &self.0 { $(Kind::$name(options) => game_text::<rules::$module::$name>(options),)* })
            }
        }

        $(
            impl Listed for rules::$module::$name {
                fn listed(&self) -> Game {
                    Game(Kind::$name(self.options()))
                }

                fn chosen(game: &Game) -> Self::Options {
                    match &game.0 {
                        Kind::$name(options) => options.clone(),
                        _ => Default::default(),
                    }
                }
            }
        )*

        /// The code of a game.
        #[cfg(not(target_family = "wasm"))]
        fn code(id: GameId) -> &'static dyn Code {
            match id { $(GameId::$name => &Of::<rules::$module::$name>(PhantomData),)* }
        }

        /// What reads the position texts of a game.
        #[cfg(not(target_family = "wasm"))]
        fn reader(id: GameId) -> &'static dyn Reader {
            match id { $(GameId::$name => &Of::<rules::$module::$name>(PhantomData),)* }
        }

        /// Hands the code of each game to the catalogue, for programs that load games one by one.
        ///
        /// A browser fetches the game that is played and no other. Everywhere else all games are there from the start, and
        /// these functions do nothing.
        pub mod install {
            $(
                #[doc = concat!("Hands over the code of ", stringify!($name), ".")]
                pub fn $module() {
                    #[cfg(target_family = "wasm")]
                    super::installed::put(super::GameId::$name, &super::Of::<rules::$module::$name>(super::PhantomData));
                }
            )*

            /// Whether the code of a game is there.
            pub fn is_done(_id: super::GameId) -> bool {
                #[cfg(target_family = "wasm")]
                return super::installed::find(_id).is_some();
                #[cfg(not(target_family = "wasm"))]
                true
            }

            /// Hands over what reads the position texts of each game, which a game from its beginning never needs.
            pub mod reader {
                $(
                    #[doc = concat!("Hands over what reads positions of ", stringify!($name), ".")]
                    pub fn $module() {
                        #[cfg(target_family = "wasm")]
                        super::super::installed::put_reader(
                            super::super::GameId::$name,
                            &super::super::Of::<rules::$module::$name>(super::super::PhantomData),
                        );
                    }
                )*
            }

            /// Hands over everything.
            pub fn all() {
                $($module();)*
                $(reader::$module();)*
            }
        }
    };
}

/// What the catalogue asks the types of a game for.
///
/// It is reached through a pointer, so that a browser can fetch it game by game.
trait Code: Sync {
    fn start(&self, game: &Game) -> Box<dyn AnyPosition>;
    fn is_chance(&self, action: &str) -> bool;
    fn notation(&self, action: &str) -> Vec<MovePart>;
    fn recalled(&self, positions: &mut dyn Iterator<Item = &dyn AnyPosition>) -> usize;
}

/// What the catalogue asks the types of a game for where positions are read, which is fetched apart.
trait Reader: Sync {
    fn parse(&self, game: &Game, text: &str) -> Result<Box<dyn AnyPosition>, BadPosition>;
    fn view_text(&self, position: &dyn AnyPosition, viewer: Viewer) -> String;
}

impl<P: Listed> Reader for Of<P> {
    fn parse(&self, game: &Game, text: &str) -> Result<Box<dyn AnyPosition>, BadPosition> {
        Ok(Box::new(P::parse(&P::chosen(game), text)?))
    }

    fn view_text(&self, position: &dyn AnyPosition, viewer: Viewer) -> String {
        own::<P>(position).view(viewer).to_string()
    }
}

/// The code of the game with this type of positions.
struct Of<P>(PhantomData<fn() -> P>);

impl<P: Listed + HasBot> Code for Of<P> {
    fn start(&self, game: &Game) -> Box<dyn AnyPosition> {
        Box::new(P::start(&P::chosen(game)))
    }

    fn is_chance(&self, action: &str) -> bool {
        is_chance::<P>(action)
    }

    fn notation(&self, action: &str) -> Vec<MovePart> {
        notation::<P>(action)
    }

    fn recalled(&self, positions: &mut dyn Iterator<Item = &dyn AnyPosition>) -> usize {
        recalled_views::<P>(positions).map_or(1, |views| views.len())
    }
}

/// The games whose code has been fetched.
#[cfg(target_family = "wasm")]
mod installed {
    use std::cell::Cell;

    use super::{Code, GameId, Reader};

    thread_local! {
        static READERS: Cell<[Option<&'static dyn Reader>; GameId::ALL.len()]> = const { Cell::new([None; GameId::ALL.len()]) };
        static CODES: Cell<[Option<&'static dyn Code>; GameId::ALL.len()]> = const { Cell::new([None; GameId::ALL.len()]) };
    }

    pub(super) fn put(id: GameId, code: &'static dyn Code) {
        let mut codes = CODES.get();
        codes[id as usize] = Some(code);
        CODES.set(codes);
    }

    pub(super) fn put_reader(id: GameId, reader: &'static dyn Reader) {
        let mut readers = READERS.get();
        readers[id as usize] = Some(reader);
        READERS.set(readers);
    }

    pub(super) fn reader(id: GameId) -> &'static dyn Reader {
        READERS.get()[id as usize].expect("what reads positions of the game is loaded")
    }

    pub(super) fn find(id: GameId) -> Option<&'static dyn Code> {
        CODES.get()[id as usize]
    }

    pub(super) fn get(id: GameId) -> &'static dyn Code {
        find(id).expect("the game is loaded")
    }
}

#[cfg(target_family = "wasm")]
use installed::{get as code, reader};

impl Game {
    /// The position the game begins with.
    pub fn start(&self) -> Box<dyn AnyPosition> {
        code(self.id()).start(self)
    }

    /// Whether an action of this game is chance's; also one that hides what was drawn, such as `draw:?`.
    pub fn is_chance(&self, action: &str) -> bool {
        code(self.id()).is_chance(action)
    }

    /// An action as a move list shows it; a text that is no action of this game is shown as it is.
    pub fn notation(&self, action: &str) -> Vec<MovePart> {
        code(self.id()).notation(action)
    }

    /// How many of these positions are of use to a player of this game: the present one, and then those before it,
    /// the latest first.
    ///
    /// ```
    /// let mut game = game::Match::new(game::MatchSettings::new("quixo".parse()?))?;
    /// for action in ["a3e3", "a2e2", "e3a3"] {
    ///     game.play(action, std::time::Duration::ZERO)?;
    /// }
    /// // The last action took a marked cube, so that the position before it may come back.
    /// let positions = game.positions();
    /// assert_eq!(game.settings().game.recalled(positions.iter().rev().map(AsRef::as_ref)), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn recalled<'a>(&self, mut positions: impl Iterator<Item = &'a dyn AnyPosition>) -> usize {
        code(self.id()).recalled(&mut positions)
    }

    /// Reads a position text and refuses what cannot arise under the rules.
    pub fn parse_position(&self, text: &str) -> Result<Box<dyn AnyPosition>, BadPosition> {
        reader(self.id()).parse(self, text)
    }

    /// A fresh player that may use this knowledge.
    pub fn bot_with(&self, knowledge: &Knowledge) -> Box<dyn AnyBot> {
        let mut bot = self.bot();
        bot.consult(knowledge);
        bot
    }

    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.start().seats()
    }
}

rules::games!(catalogue);

impl dyn AnyPosition {
    /// What a viewer may know, as text.
    pub fn view_text(&self, viewer: Viewer) -> String {
        reader(self.game().id()).view_text(self, viewer)
    }
}

/// A position as its own type.
fn own<P: Listed>(position: &dyn AnyPosition) -> &P {
    position.as_any().downcast_ref().expect("a position knows its game")
}

fn random_games<P: Position>(position: &P, games: u32, longest: u32, random: &mut Random) -> u64 {
    let mut actions = ActionList::new();
    let mut one = || u64::from(search::random_game(&mut position.clone(), random, &mut actions, longest));
    (0..games).map(|_| one()).sum()
}

/// The position a game shows of itself in menus and pictures, with what its last action left marked.
///
/// `None` only if the game describes a position that it cannot read, which a test forbids.
pub fn showcase(id: GameId) -> Option<(Box<dyn AnyPosition>, Vec<Highlight>)> {
    let rules::Showcase { options, position, last } = id.showcase();
    let mut position = Game::with_options(id, options).ok()?.parse_position(position).ok()?;
    let Some(action) = last else { return Some((position, Vec::new())) };
    let marks = position.happening(action, Viewer::Spectator).ok()?.highlights;
    position.play(action).ok()?;
    Some((position, marks))
}

/// What a figure of a rules page shows, as the seat to act sees it.
///
/// `None` only if the game describes a position or an action that it cannot read, which a test forbids.
pub fn figure_scene(id: GameId, figure: &Figure) -> Option<Scene> {
    let game = Game::with_options(id, figure.options).ok()?;
    let mut position =
        if figure.position.is_empty() { game.start() } else { game.parse_position(figure.position).ok()? };
    let viewer = match position.turn() {
        Turn::Seat(seat) => Viewer::Seat(seat),
        Turn::Chance | Turn::Over(_) => Viewer::Spectator,
    };
    let (mut marks, mut captured) = (Vec::new(), Vec::new());
    match figure.shows {
        Shows::After(action) => {
            marks = position.happening(action, viewer).ok()?.highlights;
            let before = position.scene(viewer).board;
            captured.extend(marks.iter().filter_map(|mark| match mark {
                Highlight::Capture { centre, .. } => Some((*centre, before.cell(*centre)?.piece)),
                _ => None,
            }));
            position.play(action).ok()?;
        }
        Shows::Touched(spot) => {
            let spot: Spot = spot.parse().ok()?;
            let next = narrow(&position.choices(), &[spot]).next;
            marks.push(Highlight::Last([spot].into_iter().chain(next).filter_map(Spot::square).collect()));
        }
        Shows::Board | Shows::Held | Shows::Pieces | Shows::Hand => {}
    }
    let mut scene = position.scene(viewer);
    // What was captured is shown once more: a figure of a capture is about it.
    for (centre, captured) in captured {
        if let Some(cell) = scene.board.cells.iter_mut().find(|cell| cell.square == centre) {
            cell.piece = captured;
        }
    }
    scene.highlights.extend(marks);
    Some(scene)
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
    fn every_description_can_be_read() {
        for id in GameId::ALL {
            let (position, _) = showcase(id).unwrap_or_else(|| panic!("the showcase of {id} cannot be read"));
            assert!(position.scene(Viewer::Spectator).board.cells.iter().any(|cell| cell.piece.is_some()), "{id}");
            assert_eq!(showcase(id).is_some_and(|(_, marks)| marks.is_empty()), id.showcase().last.is_none(), "{id}");
            let searched = id.bench_search().iter().map(|(options, _)| options);
            for options in id.variants().iter().chain(id.bench_rules()).chain(searched) {
                assert!(Game::with_options(id, options).is_ok(), "{id}: {options}");
            }
        }
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
