//! The state of the analysis board: a line of play, where in it one is, and what the engine says about it.

use std::time::Duration;

use game::{Event, Game, Match};
use rules::Square;
use scene::Spot;
use search::{Scored, Step, Value};
use session::LocalSession;
use ui::prelude::*;

use super::fair_play::RunningGames;
use super::server_values;
use super::source::{self, Opened, prefix};
use super::value_text;
use super::variations;
use crate::board::{Marks, SpotValue};
use crate::engine::Engine;
use crate::match_view::{MatchView, Scope, Source};
use crate::route::Route;
use crate::settings::Settings;
use ::engine::{Found, Question};

/// How long the engine thinks about a position: first a quick answer, then better ones.
const STAGES: [u32; 3] = [250, 1000, 4000];
/// A position is searched once it has been shown this long, because a reader may step through a game quickly.
const PAUSE: Duration = Duration::from_millis(120);
/// How long each position of a whole game is looked at.
const REVIEW: u32 = 600;

/// How far the review of a whole game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewProgress {
    /// Not requested yet.
    #[default]
    Idle,
    /// So many of so many positions are done.
    Running(usize, usize),
    /// Stopped before the end.
    Stopped,
    /// Every position was looked at.
    Done,
}

/// The analysis board; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Study {
    /// The line that is stepped through.
    pub line: RwSignal<Match>,
    /// How many events of it are shown.
    pub at: RwSignal<usize>,
    /// The line up to there, as it is shown and touched.
    pub match_view: MatchView,
    now: RwSignal<LocalSession>,
    /// The game as it was opened, when the line has left it.
    pub original: RwSignal<Option<Match>>,
    /// Other lines that were looked at.
    pub branches: RwSignal<Vec<Match>>,
    /// The rest of the engine's best line, while it is stepped through.
    ahead: StoredValue<Vec<String>>,
    /// What the engine says about the position shown.
    pub found: RwSignal<Option<Found>>,
    /// Whether it is still thinking about it.
    pub thinking: RwSignal<bool>,
    /// Whether values are wanted at all.
    pub watching: RwSignal<bool>,
    /// The actions judged so far.
    pub judged: RwSignal<search::Review<String>>,
    /// How far the search for mistakes is.
    pub review: RwSignal<ReviewProgress>,
    running: RunningGames,
    /// Counts changes, so that an answer about an old position is known as such.
    change: RwSignal<u32>,
    /// Counts searches for mistakes, likewise.
    run: RwSignal<u32>,
    engine: StoredValue<Engine>,
    reviewer: StoredValue<Engine>,
    settings: Settings,
}

impl Study {
    /// The game that is looked at, with its options.
    pub fn game(&self) -> Game {
        self.line.with(|line| line.settings().game.clone())
    }

    /// Opens a game to look at.
    pub fn new(opened: Opened, settings: Settings) -> Study {
        let now = RwSignal::new(LocalSession::study(prefix(&opened.game, opened.at)));
        let branches = variations::lines_of(&opened.game);
        let study = Study {
            line: RwSignal::new(opened.game),
            at: RwSignal::new(opened.at),
            now,
            match_view: MatchView::new("study".to_owned(), Scope::Page, Source::Local(now), settings),
            original: RwSignal::new(None),
            branches: RwSignal::new(branches),
            ahead: StoredValue::new(Vec::new()),
            found: RwSignal::new(None),
            thinking: RwSignal::new(false),
            watching: RwSignal::new(true),
            judged: RwSignal::new(Default::default()),
            review: RwSignal::new(ReviewProgress::Idle),
            running: RunningGames::ask(),
            change: RwSignal::new(0),
            run: RwSignal::new(0),
            engine: StoredValue::new(Engine::default()),
            reviewer: StoredValue::new(Engine::default()),
            settings,
        };
        study.match_view.on_choice(Callback::new(move |action: String| study.act(&action)));
        on_cleanup(move || {
            study.engine.with_value(Engine::stop);
            study.reviewer.with_value(Engine::stop);
        });
        // What the server tells of running games may come after the first values.
        Effect::new(move || {
            if study.is_refused() {
                study.engine.with_value(Engine::stop);
                study.thinking.set(false);
                study.found.set(None);
                study.tell(study.settings.language.get_untracked().study_rated_game());
            }
        });
        study.think_soon();
        study
    }

    /// Opens another game on the same board.
    pub fn open(self, opened: Opened) {
        self.stop_review();
        self.review.set(ReviewProgress::Idle);
        self.judged.set(Default::default());
        self.original.set(None);
        self.branches.set(variations::lines_of(&opened.game));
        self.line.set(opened.game);
        self.go(opened.at);
    }

    /// Goes to a place in the line.
    pub fn go(self, at: usize) {
        let at = at.min(self.line.with_untracked(|line| line.log().len()));
        self.at.set(at);
        self.now.set(LocalSession::study(self.line.with_untracked(|line| prefix(line, at))));
        self.match_view.settle();
        self.ahead.set_value(Vec::new());
        self.found.set(None);
        self.change.update(|change| *change += 1);
        self.write_address();
        self.think_soon();
    }

    /// A step back or forward.
    pub fn step(self, by: isize) {
        self.go(self.at.get_untracked().saturating_add_signed(by));
    }

    /// A step forward; at the end of the line the best action that the engine knows.
    pub fn forward(self) {
        if self.at.get_untracked() < self.line.with_untracked(|line| line.log().len()) {
            self.step(1);
            return;
        }
        let found = self.found.with_untracked(|found| found.as_ref().map(|found| found.line.clone()));
        let line = found.filter(|line| !line.is_empty()).unwrap_or_else(|| self.ahead.get_value());
        let Some((action, rest)) = line.split_first() else { return };
        self.act(action);
        self.ahead.set_value(rest.to_vec());
    }

    /// The game with every line that was looked at, as it is written into a record.
    pub fn annotated(self) -> Match {
        let line = self.line.get();
        let main = self.original.get().unwrap_or_else(|| line.clone());
        let mut others = self.branches.get();
        variations::keep(&mut others, line);
        variations::annotated(&main, &others)
    }

    /// Keeps the present line beside the game before another one is shown.
    fn set_aside(self) {
        let line = self.line.get_untracked();
        let is_branch = self.original.with_untracked(|main| {
            main.as_ref().is_some_and(|main| variations::shared(main, &line) < line.log().len())
        });
        if is_branch {
            self.branches.update(|branches| variations::keep(branches, line));
        } else if self.original.with_untracked(Option::is_none) {
            self.original.set(Some(line));
        }
    }

    /// Shows another line, where it leaves the game.
    pub fn take(self, branch: Match) {
        self.stop_review();
        self.review.set(ReviewProgress::Idle);
        self.set_aside();
        let main = self.original.get_untracked();
        let at = main.map_or(0, |main| variations::shared(&main, &branch)) + 1;
        self.judged.update(|judged| judged.truncate(at - 1));
        self.line.set(branch);
        self.go(at);
    }

    /// Keeps the address up to date, so that it can be copied, kept and reloaded.
    fn write_address(self) {
        let link = Route::Analyse(self.link_untracked()).link();
        if let Ok(history) = window().history() {
            // A browser that refuses leaves the old address, which still works.
            let _ = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&link));
        }
    }

    /// The query of a link to what is shown.
    pub fn link_untracked(self) -> String {
        let at = self.at.get_untracked();
        self.line.with_untracked(|line| source::to_link(line, at))
    }

    /// Plays an action here: a step along the line if it is the same, else a branch.
    pub fn act(self, action: &str) {
        let at = self.at.get_untracked();
        let follows = self.line.with_untracked(|line| match line.log().get(at).map(|entry| &entry.event) {
            Some(Event::Action(next)) => **next == *action,
            _ => false,
        });
        if follows {
            self.go(at + 1);
            return;
        }
        // A game that was resigned or lost on time can be played on from before that.
        let mut branch = self.match_view.game_untracked(Match::clone);
        if branch.play(action, Duration::ZERO).is_err() {
            return;
        }
        self.leave_line(at, branch);
    }

    /// Goes on with another line that shares the first events with the present one.
    fn leave_line(self, shared: usize, branch: Match) {
        let left = self.line.with_untracked(|line| line.log().len() > shared);
        if left {
            self.stop_review();
            self.set_aside();
            self.judged.update(|judged| judged.truncate(shared));
        }
        self.review.set(ReviewProgress::Idle);
        let at = branch.log().len();
        self.line.set(branch);
        self.go(at);
    }

    /// Back to the game as it was opened, at the place where the line left it.
    pub fn go_back_to_original(self) {
        let Some(original) = self.original.get_untracked() else { return };
        let shared = self.line.with_untracked(|line| variations::shared(line, &original));
        self.stop_review();
        self.set_aside();
        self.review.set(ReviewProgress::Idle);
        self.original.set(None);
        self.line.set(original);
        self.go(shared);
    }

    /// Lets chance decide until a seat is to act.
    pub fn draw(self) {
        let mut branch = self.match_view.game_untracked(Match::clone);
        let shared = branch.log().len();
        let mut random = |below: u32| (js_sys::Math::random() * f64::from(below)) as u32;
        if branch.draw(&mut random, Duration::ZERO).is_ok() {
            self.leave_line(shared, branch);
        }
    }

    /// Every valued action, best first, each once.
    pub fn scored(&self) -> Vec<Scored<String>> {
        let mut scored: Vec<Scored<String>> = Vec::new();
        self.found.with(|found| {
            for one in found.iter().flat_map(|found| &found.scored) {
                if scored.iter().all(|other| other.action != one.action) {
                    scored.push(one.clone());
                }
            }
        });
        scored
    }

    /// For each spot that may be touched next, the best that can come of it.
    pub fn spot_values(&self) -> Vec<(Spot, Value)> {
        let scored = self.scored();
        let (choices, touched) = (self.match_view.choices(), self.match_view.touched());
        let mut best: Vec<(Spot, Value)> = Vec::new();
        for Scored { action, value } in scored {
            let Some(choice) = choices.iter().find(|choice| choice.action == action) else { continue };
            let Some(spot) = choice.touches.strip_prefix(&touched[..]).and_then(<[Spot]>::first) else { continue };
            match best.iter_mut().find(|(other, _)| other == spot) {
                Some((_, old)) => *old = value.max(*old),
                None => best.push((*spot, value)),
            }
        }
        best
    }

    /// What to mark on the board and beside it.
    pub fn marks(&self) -> Marks {
        let mut marks = self.match_view.marks();
        marks.highlights.push(scene::Highlight::Last(self.match_view.game(last_squares)));
        let value = |(spot, value)| SpotValue { spot, class: value_text::class(value), text: value_text::sign(value) };
        marks.values = self.spot_values().into_iter().map(value).collect();
        marks
    }

    fn tell(self, sentence: &str) {
        self.match_view.notice.set(Some(sentence.to_owned()));
    }

    /// Asks the engine about the position shown once it has been shown for a moment.
    fn think_soon(self) {
        if self.thinking.get_untracked() {
            self.engine.with_value(Engine::stop);
            self.thinking.set(false);
        }
        let asked = self.change.get_untracked();
        set_timeout(move || self.think(asked, 0), PAUSE);
    }

    /// Asks with the time of a stage, and then with that of the next.
    fn think(self, asked: u32, stage: usize) {
        // The page may be gone by now.
        let current = self.change.try_get_untracked() == Some(asked);
        let Some(milliseconds) = STAGES.get(stage).copied().filter(|_| current) else { return };
        if !self.watching.get_untracked() || self.match_view.game_untracked(|game| game.to_act().is_none()) {
            return;
        }
        if untrack(|| self.is_refused()) {
            self.tell(self.settings.language.get_untracked().study_rated_game());
            return;
        }
        self.thinking.set(true);
        let is_current = move || self.change.try_get_untracked() == Some(asked);
        self.match_view.game_untracked(|game| {
            values(game, self.engine, milliseconds, is_current, move |found| {
                self.thinking.set(false);
                let Some(found) = found else {
                    self.tell(self.settings.language.get_untracked().web_engine_failed());
                    return;
                };
                let proved = found.scored.iter().all(|scored| scored.value.is_exact());
                self.found.set(Some(found));
                if !proved {
                    self.think(asked, stage + 1);
                }
            });
        });
    }

    /// Values wanted or not.
    pub fn toggle_watching(self) {
        self.watching.update(|on| *on = !*on);
        self.change.update(|change| *change += 1);
        self.found.set(None);
        self.think_soon();
    }

    /// Whether the position shown is from a rated game that the reader is still playing.
    pub fn is_refused(self) -> bool {
        self.match_view.game(|game| self.running.has(game))
    }

    /// Looks through the whole line for mistakes.
    pub fn start_review(self) {
        let is_running = |line: &Match| (1..=line.log().len()).any(|at| self.running.has(&prefix(line, at)));
        if untrack(|| self.line.with(is_running)) {
            self.tell(self.settings.language.get_untracked().study_rated_game());
            return;
        }
        self.stop_review();
        self.judged.set(Default::default());
        let line = self.line.get_untracked();
        let due = line.review_steps();
        self.review.set(ReviewProgress::Running(0, due.len()));
        self.run.update(|run| *run += 1);
        self.review_next(line, due, 0);
    }

    fn review_next(self, line: Match, due: Vec<Step<String>>, done: usize) {
        let Some(step) = due.get(done).cloned() else {
            self.review.set(ReviewProgress::Done);
            return;
        };
        let run = self.run.get_untracked();
        let is_current = move || {
            self.run.try_get_untracked() == Some(run)
                && matches!(self.review.get_untracked(), ReviewProgress::Running(..))
        };
        values(&prefix(&line, step.entry), self.reviewer, REVIEW, is_current, move |found| {
            let Some(found) = found else {
                self.review.set(ReviewProgress::Stopped);
                self.tell(self.settings.language.get_untracked().web_engine_failed());
                return;
            };
            self.judged.update(|judged| {
                judged.judge(step, &found);
            });
            self.review.set(ReviewProgress::Running(done + 1, due.len()));
            self.review_next(line, due, done + 1);
        });
    }

    /// Stops looking for mistakes; what was found stays.
    pub fn stop_review(self) {
        if matches!(self.review.get_untracked(), ReviewProgress::Running(..)) {
            self.reviewer.with_value(Engine::stop);
            self.review.set(ReviewProgress::Stopped);
        }
    }
}

/// What every action in the last position of a game is worth: by tables of the server where it has some, else as the
/// engine finds. The answer is dropped if it is not current any more.
fn values(
    game: &Match,
    engine: StoredValue<Engine>,
    milliseconds: u32,
    is_current: impl Fn() -> bool + 'static,
    answered: impl FnOnce(Option<Found>) + 'static,
) {
    let told = server_values::question(game);
    let question = Question { id: 0, record: game.record().to_string(), level: None, milliseconds, seed: 1 };
    wasm_bindgen_futures::spawn_local(async move {
        let told = match told {
            Some(question) => server_values::ask(question).await,
            None => None,
        };
        match told {
            _ if !is_current() => {}
            Some(found) => answered(Some(found)),
            None => engine.with_value(|engine| {
                engine.ask(question, move |found| {
                    if is_current() {
                        answered(found);
                    }
                });
            }),
        }
    });
}

/// The squares the last action touched.
fn last_squares(game: &Match) -> Vec<Square> {
    let Some(Event::Action(action)) = game.log().last().map(|entry| &entry.event) else { return Vec::new() };
    let before = prefix(game, game.log().len() - 1);
    let choices = before.position().choices();
    let touches = choices.into_iter().find(|choice| *choice.action == **action).map(|choice| choice.touches);
    touches.unwrap_or_default().into_iter().filter_map(Spot::square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Match {
        game::Record::read_all(text).unwrap().pop().unwrap().replay().unwrap()
    }

    #[test]
    fn the_last_action_is_marked() {
        assert_eq!(last_squares(&line("[Game \"quixo\"]\n\n1. a3e3\n")), [Square::new(0, 2), Square::new(4, 2)]);
    }
}
