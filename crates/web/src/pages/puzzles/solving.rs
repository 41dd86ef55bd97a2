//! A puzzle on the board, up to the first action; what follows that is in [`super::answering`], which is fetched later.

use game::{Game, Match, MatchSettings};
use puzzles::{Attempt, Finish, Hint, Puzzle, Refutation, State, Worth};
use scene::Spot;
use session::{LocalSession, Pace};
use ui::prelude::*;

use super::course::Course;
use super::data;
use crate::board::Marks;
use crate::chunks;
use crate::engine::Engine;
use crate::match_view::{MatchView, Scope, Source, now};
use crate::settings::Settings;

/// What is said about the last answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Nothing yet.
    Open,
    /// Right, with the replies.
    Right(Vec<String>),
    /// Right too; the solution goes on with this one.
    Instead(String),
    /// A win, but a later one.
    Slower(Worth),
    /// Wrong.
    Wrong {
        /// What it is worth.
        worth: Worth,
        /// What the best is worth.
        best: Worth,
        /// How it is refuted.
        refutation: Refutation,
    },
    /// An action that was tried after the end, with its worth where that is proved.
    Tried(String, Option<Worth>),
    /// Help.
    Hint(Hint),
    /// The end of the attempt.
    Over(Finish),
}

/// What happens after a wrong action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// It is refuted and taken back, and hints are given.
    Yes,
    /// It ends the attempt.
    No,
}

/// A puzzle that is being solved; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Solving {
    /// How far it has come.
    pub attempt: RwSignal<Attempt>,
    /// The board.
    pub match_view: MatchView,
    /// What is said about the last answer.
    pub verdict: RwSignal<Verdict>,
    /// Where to look, after a hint.
    pub(super) advised: RwSignal<Option<Spot>>,
    session: RwSignal<LocalSession>,
    /// While actions are played by themselves, touches wait.
    pub(super) busy: RwSignal<bool>,
    /// The game up to the ply that is asked.
    pub(super) line: StoredValue<Match>,
    /// After the end: how many plies of the solution are on the board, and what was tried after them.
    pub(super) walked: RwSignal<Option<(usize, Vec<String>)>>,
    /// Counts what is played by itself, so that it can be broken off.
    pub(super) round: StoredValue<u32>,
    pub(super) engine: StoredValue<Engine>,
    /// What happens after a wrong action.
    pub help: Help,
    /// What the puzzle is part of.
    pub course: Course,
    pub(super) told: StoredValue<bool>,
    pub(super) begun: u64,
}

impl Solving {
    /// Puts a puzzle on the board.
    pub fn new(puzzle: Puzzle, help: Help, course: Course, settings: Settings) -> Option<Solving> {
        let mut setup = MatchSettings::new(puzzle.game.clone());
        setup.start = Some(puzzle.start.clone());
        let game = Match::new(setup).ok()?;
        let attempt = Attempt::new(puzzle)?;
        let seat = attempt.solver();
        let session = RwSignal::new(LocalSession::practice(game.clone(), seat, Pace::NONE, 1, now()));
        let solving = Solving {
            match_view: MatchView::new("puzzle".to_owned(), Scope::Page, Source::Local(session), settings),
            attempt: RwSignal::new(attempt),
            verdict: RwSignal::new(Verdict::Open),
            advised: RwSignal::new(None),
            session,
            busy: RwSignal::new(false),
            line: StoredValue::new(game),
            walked: RwSignal::new(None),
            round: StoredValue::new(0),
            engine: StoredValue::new(Engine::default()),
            help,
            course,
            told: StoredValue::new(false),
            begun: data::now(),
        };
        on_cleanup(move || solving.engine.with_value(Engine::stop));
        solving.match_view.on_choice(Callback::new(move |action| chunks::hand_in(solving, action)));
        solving.match_view.accept_drags();
        Some(solving)
    }

    /// The game with its options.
    pub fn game(&self) -> Game {
        self.attempt.with_untracked(|attempt| attempt.puzzle().game.clone())
    }

    /// What to mark on the board.
    pub fn marks(&self) -> Marks {
        let mut marks = self.match_view.marks();
        if self.busy.get() || (self.is_over() && self.walked.with(Option::is_none)) {
            marks.next.clear();
        }
        marks.advised.extend(self.advised.get());
        marks
    }

    /// Whether the attempt is over.
    pub fn is_over(&self) -> bool {
        self.attempt.with(|attempt| attempt.state() != State::Asked)
    }

    /// A touch; while a refutation is played it is broken off.
    pub fn touch(self, spot: Spot) {
        if !self.break_off() {
            self.match_view.touch(spot);
        }
    }

    /// Takes the last touch back, or breaks a refutation off.
    pub fn back(self) {
        if !self.break_off() {
            self.match_view.back();
        }
    }

    /// Takes a refuted action back at once; whether there was one.
    fn break_off(self) -> bool {
        let is_wrong = self.verdict.with_untracked(|verdict| matches!(verdict, Verdict::Wrong { .. }));
        let breaks = self.busy.get_untracked() && is_wrong && self.help == Help::Yes;
        if breaks {
            self.take_back();
        }
        breaks
    }

    /// Puts the position back that is asked about.
    pub(super) fn take_back(self) {
        self.round.update_value(|round| *round += 1);
        self.set_board(self.line.get_value(), None);
        self.busy.set(false);
    }

    pub(super) fn set_board(self, game: Match, moved_since: Option<usize>) {
        let solver = self.attempt.with_untracked(Attempt::solver);
        // After the end both sides can be tried, where nothing is hidden.
        let tries = self.walked.with_untracked(Option::is_some) && !game.position().hides();
        let seat = game.to_act().filter(|_| tries).unwrap_or(solver);
        self.session.set(LocalSession::practice(game, seat, Pace::NONE, 1, now()));
        match moved_since {
            Some(length) => self.match_view.changed_since(length),
            None => self.match_view.settle(),
        }
    }
}
