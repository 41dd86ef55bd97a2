//! The state of the analysis board: a line of play, where in it one is, and what the engine says about it.

use std::time::Duration;

use game::{Event, Game, Match};
use leptos::prelude::*;
use rules::{Seat, Square, Turn, Viewer};
use scene::Spot;
use search::{Mistake, Value};

use super::said;
use super::source::{self, Opened, prefix};
use super::told;
use crate::board::{Marks, SpotValue};
use crate::engine::Engine;
use crate::messages::{Found, Question};
use crate::route::Route;
use crate::settings::Settings;
use crate::sight::{Eyes, Hands, Scope, Sight};

/// How long the engine thinks about a position: first a quick answer, then better ones.
const STAGES: [u32; 3] = [250, 1000, 4000];
/// Somebody who steps through a game quickly does not want every position looked at.
const PAUSE: Duration = Duration::from_millis(120);
/// How long each position of a whole game is looked at.
const REVIEW: u32 = 600;

/// A mistake in the line.
#[derive(Clone, Debug, PartialEq)]
pub struct Blunder {
    /// The number of the action, from 1.
    pub number: usize,
    /// How many events came before it.
    pub at: usize,
    /// Who acted.
    pub seat: Seat,
    /// What was played.
    pub action: String,
    /// What it gave away.
    pub mistake: Mistake,
    /// The better line.
    pub better: Vec<String>,
}

/// Looking through a whole game: how far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Review {
    /// Nobody asked yet.
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
    /// The line up to there.
    pub now: RwSignal<Match>,
    /// The same, as it is seen and touched.
    pub sight: Sight,
    /// The game as it was opened, when the line has left it.
    pub original: RwSignal<Option<Match>>,
    /// What the engine says about the position shown.
    pub found: RwSignal<Option<Found>>,
    /// Whether it is still thinking about it.
    pub thinking: RwSignal<bool>,
    /// Whether values are wanted at all.
    pub watching: RwSignal<bool>,
    /// The mistakes found so far.
    pub blunders: RwSignal<Vec<Blunder>>,
    /// How far the search for mistakes is.
    pub review: RwSignal<Review>,
    /// Counts changes, so that an answer about an old position is known as such.
    change: RwSignal<u32>,
    /// Counts searches for mistakes, likewise.
    run: RwSignal<u32>,
    engine: StoredValue<Engine, LocalStorage>,
    reviewer: StoredValue<Engine, LocalStorage>,
    settings: Settings,
}

impl Study {
    /// The game that is looked at, with its options.
    pub fn game(&self) -> Game {
        self.line.with(|line| line.settings().game.clone())
    }

    /// Opens a game to look at.
    pub fn new(opened: Opened, settings: Settings) -> Study {
        let now = RwSignal::new(prefix(&opened.game, opened.at));
        let eyes = Signal::derive(move || now.with(everybody));
        // Nobody's time runs here.
        let left = Callback::new(|_| None);
        let study = Study {
            line: RwSignal::new(opened.game),
            at: RwSignal::new(opened.at),
            now,
            sight: Sight::new("study".to_owned(), Scope::Page, now, eyes, left, settings),
            original: RwSignal::new(None),
            found: RwSignal::new(None),
            thinking: RwSignal::new(false),
            watching: RwSignal::new(true),
            blunders: RwSignal::new(Vec::new()),
            review: RwSignal::new(Review::Idle),
            change: RwSignal::new(0),
            run: RwSignal::new(0),
            engine: StoredValue::new_local(Engine::default()),
            reviewer: StoredValue::new_local(Engine::default()),
            settings,
        };
        study.sight.on_choice(Callback::new(move |action: String| study.act(&action)));
        on_cleanup(move || {
            study.engine.with_value(Engine::stop);
            study.reviewer.with_value(Engine::stop);
        });
        study.think_soon();
        study
    }

    /// Opens another game on the same board.
    pub fn open(self, opened: Opened) {
        self.stop_review();
        self.review.set(Review::Idle);
        self.blunders.set(Vec::new());
        self.original.set(None);
        self.line.set(opened.game);
        self.go(opened.at);
    }

    /// Goes to a place in the line.
    pub fn go(self, at: usize) {
        let at = at.min(self.line.with_untracked(|line| line.log().len()));
        self.at.set(at);
        self.now.set(self.line.with_untracked(|line| prefix(line, at)));
        self.sight.settle();
        self.found.set(None);
        self.change.update(|change| *change += 1);
        self.write_address();
        self.think_soon();
    }

    /// A step back or forward.
    pub fn step(self, by: isize) {
        self.go(self.at.get_untracked().saturating_add_signed(by));
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
        let mut branch = self.now.get_untracked();
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
            if self.original.with_untracked(Option::is_none) {
                self.original.set(Some(self.line.get_untracked()));
            }
            self.blunders.update(|blunders| blunders.retain(|blunder| blunder.at < shared));
        }
        self.review.set(Review::Idle);
        let at = branch.log().len();
        self.line.set(branch);
        self.go(at);
    }

    /// Back to the game as it was opened, at the place where the line left it.
    pub fn go_back_to_original(self) {
        let Some(original) = self.original.get_untracked() else { return };
        let shared = self.line.with_untracked(|line| {
            line.log().iter().zip(original.log()).take_while(|(a, b)| a.event == b.event).count()
        });
        self.stop_review();
        self.review.set(Review::Idle);
        self.original.set(None);
        self.line.set(original);
        self.go(shared);
    }

    /// Lets chance decide until a seat is to act.
    pub fn draw(self) {
        let mut branch = self.now.get_untracked();
        let shared = branch.log().len();
        let mut random = |below: u32| (js_sys::Math::random() * f64::from(below)) as u32;
        if branch.draw(&mut random, Duration::ZERO).is_ok() {
            self.leave_line(shared, branch);
        }
    }

    /// Every valued action, best first, each once.
    pub fn scored(&self) -> Vec<(String, Value)> {
        let mut scored: Vec<(String, Value)> = Vec::new();
        self.found.with(|found| {
            for (action, worth) in found.iter().flat_map(|found| &found.scored) {
                if scored.iter().all(|(other, _)| other != action) {
                    scored.push((action.clone(), (*worth).into()));
                }
            }
        });
        scored
    }

    /// For each spot that may be touched next, the best that can come of it.
    pub fn spot_values(&self) -> Vec<(Spot, Value)> {
        let scored = self.scored();
        let (choices, touched) = (self.sight.choices(), self.sight.touched());
        let mut best: Vec<(Spot, Value)> = Vec::new();
        for (action, value) in scored {
            let Some(choice) = choices.iter().find(|choice| choice.action == action) else { continue };
            let Some(spot) = choice.touches.strip_prefix(&touched[..]).and_then(<[Spot]>::first) else { continue };
            match best.iter_mut().find(|(other, _)| other == spot) {
                Some((_, old)) if said::better(value, *old) => *old = value,
                Some(_) => {}
                None => best.push((*spot, value)),
            }
        }
        best
    }

    /// What to mark on the board and beside it.
    pub fn marks(&self) -> Marks {
        let mut marks = self.sight.marks();
        marks.highlights.push(scene::Highlight::Last(self.now.with(last_squares)));
        let value = |(spot, value)| SpotValue { spot, class: said::class(value), text: said::sign(value) };
        marks.values = self.spot_values().into_iter().map(value).collect();
        marks
    }

    fn tell(self, sentence: &str) {
        self.sight.notice.set(Some(sentence.to_owned()));
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
        if !self.watching.get_untracked() || self.now.with_untracked(|game| game.to_act().is_none()) {
            return;
        }
        self.thinking.set(true);
        let is_current = move || self.change.try_get_untracked() == Some(asked);
        self.now.with_untracked(|game| {
            values(game, self.engine, milliseconds, is_current, move |found| {
                self.thinking.set(false);
                let Some(found) = found else {
                    self.tell(self.settings.language.get_untracked().web_engine_failed());
                    return;
                };
                let proved = found.scored.iter().all(|(_, worth)| Value::from(*worth).is_exact());
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

    /// Looks through the whole line for mistakes.
    pub fn start_review(self) {
        self.stop_review();
        self.blunders.set(Vec::new());
        let line = self.line.get_untracked();
        let due = due_for_review(&line);
        self.review.set(Review::Running(0, due.len()));
        self.run.update(|run| *run += 1);
        self.review_next(line, due, 0);
    }

    fn review_next(self, line: Match, due: Vec<(usize, usize, Seat)>, done: usize) {
        let Some(&(number, at, seat)) = due.get(done) else {
            self.review.set(Review::Done);
            return;
        };
        let run = self.run.get_untracked();
        let is_current = move || {
            self.run.try_get_untracked() == Some(run) && matches!(self.review.get_untracked(), Review::Running(..))
        };
        values(&prefix(&line, at), self.reviewer, REVIEW, is_current, move |found| {
            let Some(found) = found else {
                self.review.set(Review::Stopped);
                self.tell(self.settings.language.get_untracked().web_engine_failed());
                return;
            };
            if let Some(blunder) = blunder(&line, number, at, seat, found) {
                self.blunders.update(|blunders| blunders.push(blunder));
            }
            self.review.set(Review::Running(done + 1, due.len()));
            self.review_next(line, due, done + 1);
        });
    }

    /// Stops looking for mistakes; what was found stays.
    pub fn stop_review(self) {
        if matches!(self.review.get_untracked(), Review::Running(..)) {
            self.reviewer.with_value(Engine::stop);
            self.review.set(Review::Stopped);
        }
    }
}

/// What every action in the last position of a game is worth: by tables of the server where it has some, else as the
/// engine finds. Nobody hears of it who does not wait any more.
fn values(
    game: &Match,
    engine: StoredValue<Engine, LocalStorage>,
    milliseconds: u32,
    is_current: impl Fn() -> bool + 'static,
    answered: impl FnOnce(Option<Found>) + 'static,
) {
    let told = told::question(game);
    let question = Question { id: 0, record: game.record().to_string(), level: None, milliseconds, seed: 1 };
    leptos::task::spawn_local(async move {
        let told = match told {
            Some(question) => told::ask(question).await,
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

/// Everybody acts on this board; it shows what the one sees who acts, or acted last.
fn everybody(game: &Match) -> Eyes {
    let acting = |turn| match turn {
        Turn::Seat(seat) => Some(seat),
        _ => None,
    };
    let seat = acting(game.position().turn())
        .or_else(|| game.positions().iter().rev().find_map(|position| acting(position.turn())))
        .unwrap_or(Seat::ONE);
    let people = Seat::all(game.position().seats()).collect();
    Eyes { viewer: Viewer::Seat(seat), people, hands: Hands::Free }
}

/// The actions of seats: number, events before it, who acts.
fn due_for_review(line: &Match) -> Vec<(usize, usize, Seat)> {
    let positions = line.positions();
    let actions = line.log().iter().enumerate().filter(|(_, entry)| matches!(entry.event, Event::Action(_)));
    let turns = positions.iter().map(|position| position.turn());
    actions
        .enumerate()
        .zip(turns)
        .filter_map(|((number, (at, _)), turn)| match turn {
            Turn::Seat(seat) => Some((number + 1, at, seat)),
            _ => None,
        })
        .collect()
}

fn blunder(line: &Match, number: usize, at: usize, seat: Seat, found: Found) -> Option<Blunder> {
    let Event::Action(action) = &line.log().get(at)?.event else { return None };
    let (_, played) = found.scored.iter().find(|(other, _)| **other == **action)?;
    let mistake = Mistake::between(found.worth.into(), (*played).into())?;
    Some(Blunder { number, at, seat, action: action.to_string(), mistake, better: found.line })
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
    use crate::messages::Worth;

    fn line(text: &str) -> Match {
        game::Record::read_all(text).unwrap().pop().unwrap().replay().unwrap()
    }

    #[test]
    fn only_seats_make_mistakes() {
        let game = line("[Game \"quixo\"]\n\n1. a3e3 2. a2e2 resign:1\n");
        assert_eq!(due_for_review(&game), [(1, 0, Seat::ONE), (2, 1, Seat::TWO)]);
    }

    #[test]
    fn a_blunder_names_what_was_better() {
        let game = line("[Game \"quarto\"]\n\n1. 0 2. a1\n");
        let found = |played| Found {
            action: "b2".to_owned(),
            worth: Worth::Draw,
            line: vec!["b2".to_owned(), "7".to_owned()],
            scored: vec![("b2".to_owned(), Worth::Draw), ("a1".to_owned(), played)],
            nodes: 1,
        };
        let blundered = blunder(&game, 2, 1, Seat::TWO, found(Worth::Loss(4))).unwrap();
        assert_eq!((blundered.mistake, blundered.action.as_str()), (Mistake::DrawToLoss, "a1"));
        assert_eq!(blundered.better, ["b2", "7"]);
        assert_eq!(blunder(&game, 2, 1, Seat::TWO, found(Worth::Draw)), None);
    }

    #[test]
    fn the_last_action_is_marked() {
        assert_eq!(last_squares(&line("[Game \"quixo\"]\n\n1. a3e3\n")), [Square::new(0, 2), Square::new(4, 2)]);
    }
}
