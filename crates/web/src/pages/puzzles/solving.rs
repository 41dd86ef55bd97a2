//! A puzzle on the board: what is touched is answered at once, replies are played, wrong actions are refuted and taken back.

use std::time::Duration;

use game::{Game, Match, MatchSettings};
use leptos::prelude::*;
use locale::Language;
use puzzles::{Answer, Attempt, Finish, Hint, Puzzle, State, Worth};
use scene::Spot;
use session::{LocalSession, Pace, puzzle_words};

use crate::board::Marks;
use crate::match_view::{MatchView, Scope, Source, now};
use crate::move_text;
use crate::settings::Settings;

/// Between two actions that are played by themselves.
const REPLY: Duration = Duration::from_millis(750);

/// How long a refuted action stays on the board.
const SNAP_BACK: Duration = Duration::from_millis(1600);

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
        line: Vec<String>,
    },
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
    advised: RwSignal<Option<Spot>>,
    session: RwSignal<LocalSession>,
    /// While actions are played by themselves, touches wait.
    busy: RwSignal<bool>,
    /// The game up to the ply that is asked.
    line: StoredValue<Match>,
    help: Help,
    decided: Callback<bool>,
    told: StoredValue<bool>,
}

impl Solving {
    /// Puts a puzzle on the board; `decided` hears once whether it was solved without a mistake or help.
    pub fn new(puzzle: Puzzle, help: Help, decided: Callback<bool>, settings: Settings) -> Option<Solving> {
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
            help,
            decided,
            told: StoredValue::new(false),
        };
        solving.match_view.on_choice(Callback::new(move |action: String| solving.act(&action)));
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
        if self.busy.get() || self.attempt.with(|attempt| attempt.state() != State::Asked) {
            marks.next.clear();
        }
        marks.advised.extend(self.advised.get());
        marks
    }

    /// What is said now, in a language.
    pub fn said(&self, language: Language) -> String {
        let game = self.game();
        let written = |action: &str| move_text::action(language, &game, action);
        let line = |line: &[String]| line.iter().map(|action| written(action)).collect::<Vec<_>>().join(" ");
        let of = |read: &dyn Fn(&Puzzle) -> String| self.attempt.with(|attempt| read(attempt.puzzle()));
        match self.verdict.get() {
            Verdict::Open => String::new(),
            Verdict::Right(replies) if replies.is_empty() => language.puzzle_right().to_owned(),
            Verdict::Right(replies) => language.puzzle_right_reply(line(&replies)),
            Verdict::Instead(action) => language.puzzle_right_instead(written(&action)),
            Verdict::Slower(worth) => {
                language.puzzle_slower(of(&|puzzle| puzzle_words::worth(language, puzzle, worth)))
            }
            Verdict::Wrong { worth, best, line: refuted } => {
                of(&|puzzle| puzzle_words::wrong(language, puzzle, worth, best, &line(&refuted)))
            }
            Verdict::Hint(Hint::Count(count)) => language.puzzle_hint_count(count as u64),
            Verdict::Hint(Hint::Begins(spot)) => language.puzzle_hint_begins(puzzle_words::spot(language, spot)),
            Verdict::Hint(Hint::Action(action)) => language.puzzle_hint_action(written(&action)),
            Verdict::Over(Finish::Clean) => language.puzzle_solved().to_owned(),
            Verdict::Over(Finish::Helped) => language.puzzle_solved_helped().to_owned(),
            Verdict::Over(Finish::Failed) => {
                let steps = self
                    .attempt
                    .with(|attempt| attempt.puzzle().steps.iter().map(|step| step.played.clone()).collect::<Vec<_>>());
                language.puzzle_solution(line(&steps))
            }
        }
    }

    /// Whether the attempt is over.
    pub fn is_over(&self) -> bool {
        self.attempt.with(|attempt| attempt.state() != State::Asked)
    }

    /// Hands in an action.
    pub fn act(self, action: &str) {
        if self.busy.get_untracked() {
            return;
        }
        let Some(answer) = self.attempt.try_update(|attempt| attempt.answer(action)) else { return };
        self.advised.set(None);
        match answer {
            Answer::Refused => {}
            Answer::Slower(worth) => {
                self.match_view.settle();
                self.verdict.set(Verdict::Slower(worth));
            }
            Answer::Right { instead, replies } => {
                let mut game = self.line.get_value();
                self.play_on(&mut game, action);
                if let Some(instead) = &instead {
                    game = self.line.get_value();
                    let _ = game.play(instead, now());
                }
                let before_replies = game.clone();
                for reply in &replies {
                    let _ = game.play(reply, now());
                }
                self.line.set_value(game);
                let over = self.is_over();
                self.verdict.set(match (&instead, over) {
                    (Some(instead), _) => Verdict::Instead(instead.clone()),
                    (None, true) => self.finish(),
                    (None, false) => Verdict::Right(replies.clone()),
                });
                if instead.is_some() || !replies.is_empty() {
                    self.busy.set(true);
                    self.later(REPLY, move |solving| solving.reply(before_replies, replies, 0));
                }
                if over {
                    self.decide();
                }
            }
            Answer::Wrong { worth, best, refutation } => {
                let mut game = self.line.get_value();
                self.play_on(&mut game, action);
                self.verdict.set(Verdict::Wrong { worth, best, line: refutation.clone() });
                self.busy.set(true);
                self.decide();
                if self.help == Help::No {
                    return;
                }
                self.later(REPLY, move |solving| solving.refute(game, refutation, 0));
            }
        }
    }

    /// The next hint.
    pub fn hint(self) {
        if self.busy.get_untracked() {
            return;
        }
        let Some(Some(hint)) = self.attempt.try_update(Attempt::hint) else { return };
        let touches = |action: &str| {
            let choices = self.match_view.choices();
            choices.into_iter().find(|choice| choice.action == action).map(|choice| choice.touches)
        };
        self.advised.set(match &hint {
            Hint::Count(_) => None,
            Hint::Begins(spot) => Some(*spot),
            Hint::Action(action) => untrack(|| touches(action)).and_then(|touches| touches.last().copied()),
        });
        self.verdict.set(Verdict::Hint(hint));
        self.decide();
    }

    /// Shows the solution.
    pub fn show(self) {
        self.attempt.update(Attempt::give_up);
        self.advised.set(None);
        self.verdict.set(self.finish());
        self.decide();
        self.walk_line();
    }

    /// Puts the whole solution on the board, to walk along it.
    pub fn walk_line(self) {
        let steps = self.attempt.with_untracked(|attempt| attempt.puzzle().steps.clone());
        let start = self.attempt.with_untracked(|attempt| attempt.puzzle().start.clone());
        let mut setup = MatchSettings::new(self.game());
        setup.start = Some(start);
        let Ok(mut game) = Match::new(setup) else { return };
        for step in &steps {
            let _ = game.play(&step.played, now());
        }
        self.set_board(game, None);
        self.busy.set(false);
        self.match_view.looking.set(Some(0));
    }

    fn finish(self) -> Verdict {
        self.attempt.with_untracked(|attempt| attempt.result().map_or(Verdict::Open, Verdict::Over))
    }

    /// Tells once how it went.
    fn decide(self) {
        let score = self.attempt.with_untracked(Attempt::score);
        if let Some(score) = score.filter(|_| !self.told.get_value()) {
            self.told.set_value(true);
            self.decided.run(score > 0.5);
        }
    }

    /// Plays the replies one after the other.
    fn reply(self, mut game: Match, replies: Vec<String>, played: usize) {
        match replies.get(played) {
            None => {
                self.set_board(self.line.get_value(), None);
                self.busy.set(false);
                if self.is_over() {
                    self.verdict.set(self.finish());
                }
            }
            Some(reply) => {
                if played == 0 {
                    self.set_board(game.clone(), None);
                }
                self.play_on(&mut game, reply);
                let pause = if played + 1 == replies.len() { Duration::from_millis(50) } else { REPLY };
                self.later(pause, move |solving| solving.reply(game, replies, played + 1));
            }
        }
    }

    /// Plays a refutation, then takes everything back.
    fn refute(self, mut game: Match, line: Vec<String>, played: usize) {
        match line.get(played) {
            None => self.later(SNAP_BACK, move |solving| {
                solving.set_board(solving.line.get_value(), None);
                solving.match_view.settle();
                solving.busy.set(false);
            }),
            Some(action) => {
                self.play_on(&mut game, action);
                self.later(REPLY, move |solving| solving.refute(game, line, played + 1));
            }
        }
    }

    /// Plays an action on the board, with its motion.
    fn play_on(self, game: &mut Match, action: &str) {
        let length = game.log().len();
        if game.play(action, now()).is_ok() {
            self.set_board(game.clone(), Some(length));
        }
    }

    fn set_board(self, game: Match, moved_since: Option<usize>) {
        let seat = self.attempt.with_untracked(Attempt::solver);
        self.session.set(LocalSession::practice(game, seat, Pace::NONE, 1, now()));
        match moved_since {
            Some(length) => self.match_view.changed_since(length),
            None => self.match_view.settle(),
        }
    }

    /// Does something after a while, if the page still shows this puzzle.
    fn later(self, after: Duration, then: impl FnOnce(Solving) + 'static) {
        set_timeout(
            move || {
                if self.busy.try_get_untracked().is_some() {
                    then(self);
                }
            },
            after,
        );
    }
}
