//! What follows when an action is handed in: it is judged, replies are played, wrong actions are refuted and taken back.
//! Fetched once the board can be touched.

use std::time::Duration;

use engine::Question;
use game::{Game, Match, MatchSettings};
use locale::Language;
use protocol::Json;
use puzzles::{Answer, Attempt, Finish, Hint, Puzzle, Refutation, Worth};
use search::Value;
use session::puzzle_words;
use ui::prelude::*;

use super::data;
use super::solving::{Help, Solving, Verdict};
use crate::browser;
use crate::match_view::{Walk, now};
use crate::move_text;
use crate::online::http;
use crate::route::write_query;
use crate::views::spawn;

/// Between two actions that are played by themselves.
const REPLY: Duration = Duration::from_millis(750);

/// How long a refuted action stays on the board.
const SNAP_BACK: Duration = Duration::from_millis(1600);

/// How long the engine looks for a refutation, in milliseconds.
const LOOK: u32 = 700;

/// Actions that are worth the same.
pub struct Alike {
    /// What they are worth.
    pub worth: Worth,
    /// Whether they reach what is asked; of the opponent's, whether they are the best.
    pub is_right: bool,
    /// The actions.
    pub actions: Vec<String>,
}

impl Solving {
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
            Verdict::Wrong { worth, best, refutation } => {
                let line = line(&refutation.line);
                of(&|puzzle| puzzle_words::wrong(language, puzzle, worth, best, &refutation, &line))
            }
            Verdict::Tried(action, worth) => {
                let told = worth.map(|worth| of(&|puzzle| puzzle_words::worth(language, puzzle, worth)));
                let told = told.unwrap_or_else(|| language.puzzle_not_proved().to_owned());
                format!("{}: {told}", written(&action))
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

    /// How long it has taken so far, in seconds.
    pub fn seconds(&self) -> u32 {
        (data::now().saturating_sub(self.begun) / 1000).min(86_400) as u32
    }

    /// Hands in an action.
    pub fn act(self, action: &str) {
        if self.busy.get_untracked() {
            return;
        }
        if untrack(|| self.is_over()) {
            return self.try_action(action);
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
            Answer::Wrong { worth, best } => {
                let mut game = self.line.get_value();
                self.play_on(&mut game, action);
                self.busy.set(true);
                self.decide();
                let refutation = self.attempt.with_untracked(|attempt| attempt.refutation(action, worth));
                self.explain(game, worth, best, refutation);
            }
        }
    }

    /// Says why an action is wrong, and shows it on the board.
    fn explain(self, mut game: Match, worth: Worth, best: Worth, refutation: Refutation) {
        self.verdict.set(Verdict::Wrong { worth, best, refutation: refutation.clone() });
        if self.help == Help::No {
            return;
        }
        if refutation.ask_engine {
            return self.ask_engine(game, worth, best, refutation);
        }
        if game.position().to_string() != refutation.from {
            // The opponent holds another card than in the game.
            game = self.begin(&refutation.from).unwrap_or(game);
        }
        self.later(REPLY, move |solving| solving.refute(game, refutation.line, 0));
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
        self.decide();
        self.show_at(0, Vec::new());
        self.verdict.set(self.finish());
    }

    /// A step along the solution; what was tried beside it is taken back first.
    pub fn walk(self, way: Walk) {
        let (mut plies, mut tried) = untrack(|| self.walked());
        match way {
            Walk::Back if tried.pop().is_some() => {}
            Walk::Back => plies = plies.saturating_sub(1),
            Walk::Forward => {
                tried.clear();
                plies += 1;
            }
        }
        self.show_at(plies, tried);
        self.verdict.set(self.finish());
    }

    /// Where one stands on the solution after the end.
    fn walked(self) -> (usize, Vec<String>) {
        let last = self.attempt.with(|attempt| attempt.puzzle().steps.len());
        self.walked.get().unwrap_or((last, Vec::new()))
    }

    /// Every action of the position on the board with its stored worth, best first, alike ones together; nothing beside the
    /// solution.
    pub fn values(self) -> Vec<Alike> {
        let ply = match self.is_over().then(|| self.walked()) {
            Some((_, tried)) if !tried.is_empty() => return Vec::new(),
            Some((plies, _)) => plies,
            None => self.attempt.with(Attempt::ply),
        };
        self.attempt.with(|attempt| {
            let right = attempt.puzzle().right_actions(ply);
            let alike = |values: &[(&str, Worth)]| Alike {
                worth: values[0].1,
                is_right: right.contains(&values[0].0),
                actions: values.iter().map(|(action, _)| (*action).to_owned()).collect(),
            };
            attempt.values_at(ply).chunk_by(|(_, one), (_, other)| one == other).map(alike).collect()
        })
    }

    /// Shows so many plies of the solution and what was tried after them; any action can then be tried.
    fn show_at(self, plies: usize, tried: Vec<String>) {
        let start = self.attempt.with_untracked(|attempt| attempt.puzzle().start.clone());
        let steps: Vec<String> = self
            .attempt
            .with_untracked(|attempt| attempt.puzzle().steps.iter().map(|step| step.played.clone()).collect());
        let plies = plies.min(steps.len());
        let Some(mut game) = self.begin(&start) else { return };
        for action in steps[..plies].iter().chain(&tried) {
            let _ = game.play(action, now());
        }
        self.busy.set(false);
        self.walked.set(Some((plies, tried)));
        // A step forward moves, a step back does not.
        let shown = self.match_view.game_untracked(|game| game.log().len());
        let moved = (game.log().len() == shown + 1).then_some(shown);
        self.set_board(game, moved);
    }

    /// After the end: any action can be tried, and what is proved about it is told.
    fn try_action(self, action: &str) {
        let (plies, mut tried) = untrack(|| self.walked());
        let stored = self.attempt.with_untracked(|attempt| {
            let step = attempt.puzzle().steps.get(plies).filter(|_| tried.is_empty())?;
            Some((step.value_of(action), step.played == action))
        });
        let before = self.match_view.game_untracked(|game| game.position().to_string());
        match stored {
            Some((_, true)) => self.show_at(plies + 1, tried),
            _ => {
                tried.push(action.to_owned());
                self.show_at(plies, tried);
            }
        }
        let worth = stored.and_then(|(worth, _)| worth);
        self.verdict.set(Verdict::Tried(action.to_owned(), worth));
        if worth.is_none() {
            self.ask_tables(action.to_owned(), before);
        }
    }

    /// Beside the solution a server's tables may know.
    fn ask_tables(self, action: String, position: String) {
        let game = self.game();
        if game != Game::by_default(game.id()) {
            return;
        }
        spawn(async move {
            if !browser::has_server().await.is_truthy() {
                return;
            }
            let path = format!("api/{}/values?{}", game.id(), write_query(&[("position", &position)]));
            let Ok(answer) = http::get(&path).await else { return };
            let found = answer.list_of("actions").iter().find(|it| it.text_of("action") == action).and_then(proved);
            let waits = Verdict::Tried(action.clone(), None);
            // Another action may have been tried meanwhile, or the page left.
            if found.is_some() && self.verdict.try_get_untracked() == Some(waits) {
                self.verdict.set(Verdict::Tried(action, found));
            }
        });
    }

    fn finish(self) -> Verdict {
        self.attempt.with_untracked(|attempt| attempt.result().map_or(Verdict::Open, Verdict::Over))
    }

    /// Tells once how it went.
    fn decide(self) {
        let has_score = self.attempt.with_untracked(|attempt| attempt.score().is_some());
        if has_score && !self.told.get_value() {
            self.told.set_value(true);
            self.course.decided(self);
        }
    }

    /// A match from a position.
    fn begin(self, start: &str) -> Option<Match> {
        let mut setup = MatchSettings::new(self.game());
        setup.start = Some(start.to_owned());
        Match::new(setup).ok()
    }

    /// Asks the engine how a wrong action is answered, and plays that.
    fn ask_engine(self, game: Match, worth: Worth, best: Worth, mut refutation: Refutation) {
        let question = Question { id: 0, record: game.record().to_string(), level: None, milliseconds: LOOK, seed: 1 };
        let round = self.round.get_value();
        self.engine.with_value(|engine| {
            engine.ask(question, move |found| {
                // It may have been broken off, or the page left.
                if self.round.try_get_value() != Some(round) {
                    return;
                }
                if let Some(found) = found {
                    refutation.take_line(found.line, found.value);
                }
                self.verdict.set(Verdict::Wrong { worth, best, refutation: refutation.clone() });
                self.refute(game, refutation.line, 0);
            });
        });
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
            None => self.later(SNAP_BACK, Solving::take_back),
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

    /// Does something after a while, if the page still shows this puzzle and nothing was broken off.
    fn later(self, after: Duration, then: impl FnOnce(Solving) + 'static) {
        let round = self.round.get_value();
        set_timeout(
            move || {
                if self.round.try_get_value() == Some(round) {
                    then(self);
                }
            },
            after,
        );
    }
}

/// A value as a server's tables tell it.
fn proved(it: &Json) -> Option<Worth> {
    let value = it.get("value")?;
    let plies = value.get("plies").map(Json::number).filter(|plies| *plies > 0).map(|plies| plies as u32);
    Some(Worth::Result(match value.text_of("result").as_str() {
        "win" => Value::Win(plies),
        "draw" => Value::Draw,
        "loss" => Value::Loss(plies),
        _ => return None,
    }))
}
