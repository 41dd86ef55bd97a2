//! One conversation: the state behind the lines.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use game::{AnyBot, AnyPosition, Game, GameId, Refused};
use locale::Language;
use rules::{Outcome, Seat, Turn, Viewer};
use search::{Knowledge, Level};

use super::command::{Command, Go, MOST_LINES, MOST_THREADS, Query, Setting};
use super::think::{Task, Work};
use crate::tablebase_bridge;

/// How long `quit` lets bounded work finish, so that a script that ends with `quit` gets its answers.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next line may come.
    GoOn,
    /// `quit` was received.
    Quit,
}

/// A conversation with one engine.
///
/// ```
/// use fourfold::ugi::Session;
///
/// let mut session = Session::new(std::io::sink(), Default::default());
/// session.line("position start moves a3e3");
/// ```
pub struct Session<W> {
    out: Arc<Mutex<W>>,
    game: Game,
    /// Every position of the game so far, the current one last; never empty.
    positions: Vec<Box<dyn AnyPosition>>,
    /// The viewer whose knowledge the positions hold; what is hidden from it is made up. `None` if all is known.
    known_to: Option<Viewer>,
    /// One for each thread that has searched.
    bots: Vec<Box<dyn AnyBot>>,
    knowledge: Knowledge,
    level: Level,
    seed: u64,
    megabytes: usize,
    threads: usize,
    viewer: Option<Viewer>,
    analyse: bool,
    lines: usize,
    work: Option<Work>,
}

impl<W: Write + Send + 'static> Session<W> {
    /// A conversation about the first game of the list, until another is set.
    pub fn new(out: W, knowledge: Knowledge) -> Self {
        let game = Game::by_default(GameId::ALL[0]);
        Session {
            out: Arc::new(Mutex::new(out)),
            positions: vec![game.start()],
            game,
            known_to: None,
            bots: Vec::new(),
            knowledge,
            level: Level::HIGHEST,
            seed: 1,
            megabytes: 64,
            threads: 1,
            viewer: None,
            analyse: false,
            lines: 1,
            work: None,
        }
    }

    /// Prints one line.
    pub fn say(&self, line: &str) {
        say(&self.out, line);
    }

    /// Reads one line and carries it out; a line with an error gets one `error` and changes nothing.
    pub fn line(&mut self, line: &str) -> Flow {
        self.collect();
        match line.parse::<Command>().and_then(|command| self.obey(command)) {
            Ok(flow) => flow,
            Err(problem) => {
                // A problem may quote what came in; whatever that was, the answer is one line.
                self.say(&format!("error {}", problem.replace(['\n', '\r'], " ")));
                Flow::GoOn
            }
        }
    }

    /// The input has ended: what ends by itself may finish, the rest is stopped.
    pub fn finish(&mut self) {
        if let Some(work) = &self.work
            && !work.bounded
        {
            work.stop();
        }
        self.wait();
    }

    fn obey(&mut self, command: Command) -> Result<Flow, String> {
        match command {
            Command::Nothing => {}
            Command::Ugi => self.introduce(),
            Command::IsReady => self.say("readyok"),
            Command::NewGame => {
                self.idle()?;
                self.bots.clear();
                self.begin();
            }
            Command::SetOption(setting) => {
                self.idle()?;
                self.set(setting)?;
            }
            Command::Position { text, moves } => {
                self.idle()?;
                (self.positions, self.known_to) = self.set_up(text.as_deref(), &moves)?;
            }
            Command::Query(query) => {
                let answer = self.answer(query);
                self.say(format!("response {answer}").trim_end());
            }
            Command::Perft(depth) => {
                self.idle()?;
                let out = Arc::clone(&self.out);
                self.work = Some(Work::perft(self.current().boxed(), depth, self.threads, move |line| say(&out, line)));
            }
            Command::Go(go) => {
                self.idle()?;
                self.go(go)?;
            }
            Command::Stop => {
                // The search may have ended while `stop` was on its way.
                if let Some(work) = &self.work {
                    work.stop();
                }
                self.wait();
            }
            Command::Quit => {
                if let Some(work) = &self.work {
                    work.give_time(PATIENCE);
                    work.stop();
                }
                self.wait();
                return Ok(Flow::Quit);
            }
        }
        Ok(Flow::GoOn)
    }

    fn introduce(&self) {
        self.say(&format!("id name Fourfold {}", env!("CARGO_PKG_VERSION")));
        self.say("id author the Fourfold maintainers");
        let games: String = GameId::ALL.iter().map(|game| format!(" var {game}")).collect();
        self.say(&format!("option name Game type combo default {}{games}", GameId::ALL[0]));
        self.say("option name Level type spin default 8 min 1 max 8");
        self.say("option name Seed type spin default 1 min 0 max 18446744073709551615");
        self.say("option name Hash type spin default 64 min 1 max 65536");
        self.say(&format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"));
        self.say(&format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"));
        self.say("option name Analyse type check default false");
        self.say("option name Viewer type combo default all var all var spectator var 1 var 2 var 3 var 4");
        self.say("option name TablebasePath type string default <empty>");
        self.say("ugiok");
    }

    fn set(&mut self, setting: Setting) -> Result<(), String> {
        match setting {
            Setting::Game(game) => {
                self.game = game;
                self.bots.clear();
                self.begin();
            }
            Setting::Threads(threads) => self.threads = threads,
            Setting::Seed(seed) => self.seed = seed,
            Setting::Level(level) => self.level = level,
            Setting::Hash(megabytes) => self.megabytes = megabytes,
            Setting::Viewer(viewer) => self.viewer = viewer,
            Setting::Analyse(analyse) => self.analyse = analyse,
            Setting::MultiPv(lines) => self.lines = lines,
            Setting::TablebasePath(path) => {
                let out = Arc::clone(&self.out);
                let report = Box::new(move |damage: String| say(&out, &format!("info string {damage}")));
                self.knowledge = tablebase_bridge::open(path.as_deref(), Language::English, report)?;
                self.bots.clear();
            }
        }
        Ok(())
    }

    fn begin(&mut self) {
        self.positions = vec![self.game.start()];
        self.known_to = None;
    }

    fn set_up(&self, text: Option<&str>, moves: &[String]) -> Result<SetUp, String> {
        let (mut position, mut known_to) = match text {
            None => (self.game.start(), None),
            Some(text) => self.game.parse_view(text).map_err(|bad| match bad.is_unreadable() {
                true => format!("cannot read the position of {}: {bad}", self.game),
                false => format!("this position of {} is not possible: {bad}", self.game),
            })?,
        };
        if moves.iter().any(|action| action.ends_with(":?")) && known_to.is_none() {
            known_to = self.viewer;
            known_to.ok_or("a card is hidden by ?: set Viewer to the seat whose cards are known")?;
        }
        let mut positions = Vec::with_capacity(moves.len() + 1);
        for (number, action) in moves.iter().enumerate() {
            let refused = |refused: Refused| format!("move {}: {refused}", number + 1);
            if let Some(viewer) = known_to {
                position = position.redetermined(action, viewer);
            }
            positions.push(position.boxed());
            let hidden = known_to.filter(|_| action.ends_with(":?"));
            let played = hidden.and_then(|viewer| made_up(position.as_ref(), action, viewer));
            position.play(played.as_deref().unwrap_or(action)).map_err(refused)?;
        }
        positions.push(position);
        Ok((positions, known_to))
    }

    fn answer(&self, query: Query) -> String {
        let position = self.current();
        let turn = position.turn();
        match query {
            Query::GameOver => matches!(turn, Turn::Over(_)).to_string(),
            Query::P1Turn => (turn == Turn::Seat(Seat::ONE)).to_string(),
            Query::Turn => match turn {
                Turn::Seat(seat) => seat.to_string(),
                Turn::Chance => "chance".to_owned(),
                Turn::Over(_) => "over".to_owned(),
            },
            Query::Result => match turn {
                Turn::Over(Outcome::Draw) => "draw".to_owned(),
                Turn::Over(Outcome::Win(side)) => format!("p{side}win"),
                _ => "none".to_owned(),
            },
            Query::Position => match self.viewer.or(self.known_to) {
                None => position.to_string(),
                Some(viewer) => position.view_text(viewer),
            },
            Query::Legal if self.may_see_legal(turn) => position.legal().join(" "),
            Query::Legal => String::new(),
        }
    }

    /// Another seat's legal actions would reveal its cards, and those of chance what is left in the stock.
    fn may_see_legal(&self, turn: Turn) -> bool {
        match (self.viewer.or(self.known_to), turn) {
            (None, _) => true,
            (Some(Viewer::Seat(viewer)), Turn::Seat(seat)) => viewer == seat,
            _ => false,
        }
    }

    fn go(&mut self, go: Go) -> Result<(), String> {
        match self.current().turn() {
            Turn::Seat(seat) if self.known_to.is_some_and(|viewer| viewer != Viewer::Seat(seat)) => {
                return Err(format!("the hand of seat {seat}, which is to act, is hidden in this position"));
            }
            Turn::Seat(_) => {}
            Turn::Chance => return Err("chance is to act, not a seat: play one of its actions first".to_owned()),
            Turn::Over(_) => return Err("the game is over".to_owned()),
        }
        let mut bots = std::mem::take(&mut self.bots);
        bots.truncate(self.threads);
        bots.resize_with(self.threads, || self.game.bot_with(&self.knowledge));
        let task = Task {
            positions: self.positions.clone(),
            bots,
            level: self.level,
            lines: if self.analyse { usize::MAX } else { self.lines },
            seed: self.seed,
            memory: self.megabytes << 20,
            go,
        };
        let out = Arc::clone(&self.out);
        self.work = Some(Work::search(task, move |line| say(&out, line)));
        Ok(())
    }

    fn current(&self) -> &dyn AnyPosition {
        self.positions.last().expect("a conversation always has a position").as_ref()
    }

    /// Makes sure nothing is under way; work that ends by itself is waited for, so that scripts can be piped in.
    fn idle(&mut self) -> Result<(), String> {
        match &self.work {
            Some(work) if !work.bounded => Err("thinking until told to stop: send stop first".to_owned()),
            _ => {
                self.wait();
                Ok(())
            }
        }
    }

    fn collect(&mut self) {
        if self.work.as_ref().is_some_and(Work::finished) {
            self.wait();
        }
    }

    fn wait(&mut self) {
        if let Some(work) = self.work.take() {
            self.bots = work.join().unwrap_or_else(|| std::mem::take(&mut self.bots));
        }
    }
}

impl<W> Drop for Session<W> {
    fn drop(&mut self) {
        if let Some(work) = &self.work {
            work.stop();
        }
    }
}

/// Positions, and the viewer whose knowledge they hold.
type SetUp = (Vec<Box<dyn AnyPosition>>, Option<Viewer>);

/// An action of chance that looks to a viewer as this one does.
fn made_up(position: &dyn AnyPosition, action: &str, viewer: Viewer) -> Option<String> {
    let looks_so = |card: &String| position.seen_action(card, viewer).is_ok_and(|seen| seen == action);
    position.chances().into_iter().map(|(card, _)| card).find(looks_so)
}

/// Prints and flushes; errors are ignored, because a closed output has no reader.
fn say<W: Write>(out: &Mutex<W>, line: &str) {
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
