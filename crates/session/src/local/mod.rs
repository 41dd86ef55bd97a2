//! A match on this device.

mod offers;
mod search;
#[cfg(test)]
mod tests;
mod undo;

use std::time::Duration;

use ::search::{Level, Random};
use game::{Match, MatchError, MatchSettings, Player};
use rules::{Seat, Viewer};

use crate::{Clocks, FirstPlayer, Hint, History, Premove, RematchPolicy, SessionView, UndoPolicy};
pub use search::{Purpose, Question, SearchAnswer};

/// People and bots on one device.
///
/// After every call the shell does what [`LocalSession::take_effects`] asks for, and calls [`LocalSession::poll`] again
/// after [`LocalSession::wake_after`] at the latest.
#[derive(Clone, Debug)]
pub struct LocalSession {
    game: Match,
    history: History,
    board: Board,
    people: Vec<Seat>,
    /// Where several people share the device: the one whose view is shown.
    holder: Option<Seat>,
    pace: Pace,
    random: Random,
    seed: u64,
    searches: search::Searches,
    hint: Option<Hint>,
    declined: bool,
    /// When something last happened.
    changed_at: Duration,
    effects: Vec<Effect>,
}

/// What a board is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    /// A match that is kept.
    Play,
    /// One seat tries something; nothing is kept.
    Practice,
    /// Everybody's actions are tried, nothing is hidden from the person who looks, bots do not answer.
    Study,
}

/// What the shell must do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Keep the match: it has changed.
    Save {
        /// So many of the first entries of its log are the same as when it was last kept.
        unchanged: usize,
    },
    /// Start a search and hand in what it finds with [`LocalSession::answer`].
    Search(Question),
    /// Stop every search: its result is not needed any more.
    StopSearch,
}

/// How fast a session goes on by itself.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// A bot's action can be followed when it comes no sooner than this after the one before.
    pub bot: Duration,
    /// The pause before a card is drawn during play; a deal is not watched.
    pub draw: Duration,
    /// The longest a bot of a level searches for one action.
    pub search: fn(Level) -> Duration,
}

impl Pace {
    /// Nothing waits.
    pub const NONE: Pace = Pace { bot: Duration::ZERO, draw: Duration::ZERO, search: |_| Duration::from_secs(3) };
}

impl LocalSession {
    /// Begins a match, or goes on with one. The seed decides what chance draws and how bots vary.
    pub fn new(game: Match, pace: Pace, seed: u64, now: Duration) -> LocalSession {
        let sitters = game.settings().sitters.iter().zip(Seat::all(game.position().seats()));
        let people = sitters.filter(|(sitter, _)| sitter.player() == Player::Person).map(|(_, seat)| seat).collect();
        LocalSession::begin(game, people, Board::Play, pace, seed, now)
    }

    /// One seat tries something in a position: nothing is saved, and no bot answers.
    pub fn practice(game: Match, seat: Seat, pace: Pace, seed: u64, now: Duration) -> LocalSession {
        LocalSession::begin(game, vec![seat], Board::Practice, pace, seed, now)
    }

    /// A board on which everybody's actions can be tried; it shows what the seat sees that acts, or acted last.
    pub fn study(game: Match) -> LocalSession {
        let people = Seat::all(game.position().seats()).collect();
        LocalSession::begin(game, people, Board::Study, Pace::NONE, 0, Duration::ZERO)
    }

    fn begin(game: Match, people: Vec<Seat>, board: Board, pace: Pace, seed: u64, now: Duration) -> LocalSession {
        let history = History::new(&game);
        let mut session = LocalSession {
            game,
            history,
            board,
            people,
            holder: None,
            pace,
            random: Random::new(seed),
            seed,
            searches: search::Searches::default(),
            hint: None,
            declined: false,
            changed_at: now,
            effects: Vec::new(),
        };
        session.deal(now);
        session.pass_device();
        session.run_clock(now);
        session.ask_bot(now);
        session
    }

    /// Draws what comes before the first action of a seat.
    fn deal(&mut self, now: Duration) {
        let random = &mut self.random;
        let is_new = self.board != Board::Study && self.history.moves(self.history.len()) == 0;
        if is_new && self.game.draw(&mut |n| random.below(n), now).is_ok_and(|drawn| !drawn.is_empty()) {
            let unchanged = self.history.len();
            self.history.keep_up(&self.game);
            self.save(unchanged);
        }
    }

    /// The match.
    pub fn game(&self) -> &Match {
        &self.game
    }

    /// The positions it went through.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The seats where people play.
    pub fn people(&self) -> &[Seat] {
        &self.people
    }

    /// Everything a shell shows.
    pub fn view(&self) -> SessionView<'_> {
        let over = self.game.ending().is_some();
        SessionView {
            game: &self.game,
            history: &self.history,
            viewer: self.viewer(),
            reader: self.reader(),
            people: &self.people,
            curtain: self.curtain(),
            pending: self.searches.pending(self.game.to_act()),
            offer: self.offer(),
            declined: self.declined,
            undo: if self.can_undo() { UndoPolicy::AtOnce } else { UndoPolicy::Nothing },
            rematch: if over { RematchPolicy::AtOnce } else { RematchPolicy::Unavailable },
            hint: self.hint.as_ref(),
            clocks: if self.board == Board::Study { Clocks::None } else { Clocks::Local(self.game.clock()) },
            // Bots on this device answer before anything could be chosen.
            premove: Premove::Unavailable,
        }
    }

    /// What the shell must do because of what happened since the last call.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// The person to act, if a person is.
    pub fn person_to_act(&self) -> Option<Seat> {
        self.game.to_act().filter(|seat| self.people.contains(seat))
    }

    /// The device has been passed on: the person to act looks at it, and time goes on.
    pub fn open_curtain(&mut self, now: Duration) {
        if let Some(seat) = self.curtain() {
            self.holder = Some(seat);
            self.run_clock(now);
        }
    }

    /// Plays an action for the person to act.
    pub fn act(&mut self, action: &str, now: Duration) -> Result<(), MatchError> {
        if let Some(ending) = self.game.ending() {
            return Err(MatchError::Over(ending));
        }
        let Some(seat) = self.person_to_act() else {
            let seat = self.people.first().copied().unwrap_or(Seat::ONE);
            return Err(MatchError::NotYourTurn { seat, to_act: self.game.to_act() });
        };
        let played = self.game.act(seat, action, now);
        if matches!(played, Ok(()) | Err(MatchError::TimeUp(_))) {
            self.changed(now);
        }
        played
    }

    /// Lets the next thing happen that waits for no person: a fallen flag, a drawn card, a bot's action. Whether one did.
    pub fn poll(&mut self, now: Duration) -> bool {
        if self.game.tick(now).is_some() {
            self.changed(now);
            return true;
        }
        if self.game.chance_is_due() && now >= self.changed_at + self.pace.draw {
            let random = &mut self.random;
            let drawn = self.game.draw_one(&mut |n| random.below(n), now);
            self.changed(now);
            return drawn.is_ok();
        }
        self.play_early_answer(now)
    }

    /// How long until [`LocalSession::poll`] does something, clocks aside; `None` if it waits for a search or a person.
    pub fn wake_after(&self, now: Duration) -> Option<Duration> {
        let due = if self.game.chance_is_due() {
            Some(self.changed_at + self.pace.draw)
        } else {
            self.searches.early_answer_due(self.pace.bot)
        };
        due.map(|due| due.saturating_sub(now))
    }

    /// The person who speaks now gives up.
    pub fn resign(&mut self, now: Duration) -> Result<(), MatchError> {
        let seat = self.speaker().ok_or(MatchError::NothingProposed)?;
        self.game.resign(seat, now)?;
        self.changed(now);
        Ok(())
    }

    /// The settings of the next match: who begins is found as before this one.
    pub fn rematch(&self, random: &mut Random) -> MatchSettings {
        FirstPlayer::next_match(&self.game, random)
    }

    /// Stops clocks and searches, as when the match is left for now.
    pub fn pause(&mut self, now: Duration) {
        self.stop_search();
        self.game.stop_clock(now);
        self.save(self.history.len());
    }

    /// Goes on after a pause.
    pub fn resume(&mut self, now: Duration) {
        self.changed_at = now;
        self.run_clock(now);
        self.ask_bot(now);
    }

    /// Time passes only for a player who sees the table: not behind the curtain.
    fn run_clock(&mut self, now: Duration) {
        if self.curtain().is_some() {
            self.game.stop_clock(now);
        } else if self.board != Board::Study && !self.game.clock().is_running() {
            self.game.start_clock(now);
        }
    }

    /// Whether a person here has done something; where only bots play, whether any of them has.
    fn can_undo(&self) -> bool {
        let is_own = |seat| self.people.is_empty() || self.people.contains(&seat);
        (0..self.history.len()).any(|entry| self.history.actor(&self.game, entry).is_some_and(is_own))
    }

    fn viewer(&self) -> Viewer {
        self.holder.filter(|_| self.curtain().is_none()).map_or(Viewer::Spectator, Viewer::Seat)
    }

    fn reader(&self) -> Option<Seat> {
        match self.people[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    fn curtain(&self) -> Option<Seat> {
        self.person_to_act().filter(|&seat| self.hands_are_hidden() && self.holder != Some(seat))
    }

    /// Whether people at this device must not see each other's hands.
    fn hands_are_hidden(&self) -> bool {
        self.board != Board::Study && self.people.len() > 1 && self.game.position().hides()
    }

    /// The person who speaks for this device: the one to act, or who looks.
    fn speaker(&self) -> Option<Seat> {
        self.person_to_act().or(self.holder).or_else(|| self.people.first().copied())
    }

    /// After anything happened.
    fn changed(&mut self, now: Duration) {
        // Between two calls the log is either appended to or cut.
        let unchanged = self.history.len().min(self.game.log().len());
        self.history.keep_up(&self.game);
        self.changed_at = now;
        self.hint = None;
        self.declined = false;
        self.stop_search();
        self.pass_device();
        self.run_clock(now);
        self.save(unchanged);
        self.ask_bot(now);
    }

    /// Where nothing is hidden, the board is shown as the person to act sees it.
    fn pass_device(&mut self) {
        if self.hands_are_hidden() {
            return;
        }
        let last_actor = || (0..self.history.len()).rev().find_map(|length| self.history.to_act(length));
        self.holder = self
            .person_to_act()
            .or(self.holder)
            .or_else(|| last_actor().filter(|seat| self.people.contains(seat)))
            .or_else(|| self.people.first().copied());
    }

    /// Has the match kept, of which so many entries have not changed.
    fn save(&mut self, unchanged: usize) {
        if self.board != Board::Play {
            return;
        }
        let waiting = self.effects.iter_mut().find_map(|effect| match effect {
            Effect::Save { unchanged } => Some(unchanged),
            _ => None,
        });
        match waiting {
            Some(waiting) => *waiting = unchanged.min(*waiting),
            None => self.effects.push(Effect::Save { unchanged }),
        }
    }
}
