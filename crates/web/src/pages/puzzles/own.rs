//! The moments where one went wrong in games on this device, as puzzles.

use engine::{Found, Question};
use game::{GameId, Match, Player, Record};
use locale::Language;
use puzzles::Puzzle;
use search::{Judgement, Review, Step};
use ui::prelude::*;

use super::course::{Course, ModeCourse};
use super::desk::PuzzleDesk;
use super::solving::Help;
use crate::app::settings;
use crate::browser::store;
use crate::engine::Engine;
use crate::pages::analyse::prefix;
use crate::parts::GamePicture;
use crate::views::{live, press, say, showing, spawn};

/// Games that are looked through, the last ones first.
const GAMES: usize = 5;

/// How long each position is looked at, in milliseconds.
const LOOK: u32 = 250;

/// How far the search for mistakes has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Idle,
    Looking(usize, usize),
    Done,
}

/// A game that is looked through, and what is known of it.
struct Look {
    line: Match,
    due: Vec<Step<String>>,
    review: Review<String>,
    /// What the engine said about each judged position.
    found: Vec<(usize, Found)>,
}

#[derive(Clone, Copy)]
struct Finder {
    progress: RwSignal<Progress>,
    puzzles: RwSignal<Vec<Puzzle>>,
    engine: StoredValue<Engine>,
}

/// The page of the mode.
#[component]
pub fn OwnGames(game: GameId) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let finder = Finder {
        progress: RwSignal::new(Progress::Idle),
        puzzles: RwSignal::new(Vec::new()),
        engine: StoredValue::new(Engine::default()),
    };
    on_cleanup(move || finder.engine.with_value(Engine::stop));
    let at = RwSignal::new(0_usize);
    let begin = move || {
        spawn(async move {
            let records = store::list(false).await.unwrap_or_default();
            let games = records.into_iter().filter_map(|(_, record)| own_game(&record, game)).take(GAMES);
            let looks: Vec<Look> = games.collect();
            let all = looks.iter().map(|look| look.due.len()).sum();
            if finder.progress.try_set(Progress::Looking(0, all)).is_none() {
                finder.look(looks, 0, all);
            }
        });
    };
    let said = live(move || match finder.progress.get() {
        Progress::Idle => None,
        Progress::Looking(done, all) => Some(lang().puzzle_own_looking(done, all)),
        Progress::Done => finder.puzzles.with(Vec::is_empty).then(|| lang().puzzle_own_none().to_owned()),
    });
    let shown = move || {
        let puzzle = finder.puzzles.with(|puzzles| puzzles.get(at.get() % puzzles.len().max(1)).cloned());
        let Some(puzzle) = puzzle else { return ().into_any() };
        let beside = Callback::new(move |()| {
            view! {
                <div class="choices">
                    <button type="button" class="button" data-do="next" on:click=press(move || at.update(|at| *at += 1))>
                        {say(Language::puzzle_next)}
                    </button>
                </div>
            }
        });
        let course = Course::Mode(ModeCourse { decided: Callback::new(|_| {}), over: Callback::new(|_| {}), beside });
        view! { <PuzzleDesk puzzle help=Help::Yes course /> }.into_any()
    };
    // The board is made anew only when another puzzle is asked for, not with every one that is found.
    let first = Memo::new(move |_| finder.puzzles.with(Vec::is_empty));
    view! {
        <div class="run">
            {showing(move || finder.progress.get() == Progress::Idle, move || view! {
                <span class="run-picture" aria-hidden="true"><GamePicture game /></span>
                <button type="button" class="button main large" data-do="start" on:click=press(begin)>{say(Language::puzzle_own_look)}</button>
            })}
            <p role="status">{said}</p>
        </div>
        {move || {
            first.track();
            at.track();
            untrack(shown)
        }}
    }
}

/// A finished game of this kind in which a person played.
fn own_game(record: &str, game: GameId) -> Option<Look> {
    let line = Record::read_all(record).ok()?.pop()?.replay().ok()?;
    if line.settings().game.id() != game {
        return None;
    }
    let is_person = |step: &Step<String>| {
        line.settings().sitters.get(step.seat.index()).is_some_and(|sitter| sitter.player() == Player::Person)
    };
    let due: Vec<Step<String>> = line.review_steps().into_iter().filter(is_person).collect();
    (!due.is_empty()).then(|| Look { line, due, review: Review::default(), found: Vec::new() })
}

impl Finder {
    /// Looks at the next position, then at the one after it.
    fn look(self, mut looks: Vec<Look>, done: usize, all: usize) {
        let Some(look) = looks.first_mut() else {
            let _ = self.progress.try_set(Progress::Done);
            return;
        };
        if look.due.is_empty() {
            let look = looks.remove(0);
            let moments = look.review.mistakes().filter_map(|judgement| as_puzzle(&look, judgement));
            let moments: Vec<Puzzle> = moments.collect();
            if !moments.is_empty() {
                let _ = self.puzzles.try_update(|puzzles| puzzles.extend(moments));
            }
            return self.look(looks, done, all);
        }
        let step = look.due.remove(0);
        let record = prefix(&look.line, step.entry).record().to_string();
        let question = Question { id: 0, record, level: None, milliseconds: LOOK, seed: 1 };
        let _ = self.engine.try_with_value(|engine| {
            engine.ask(question, move |found| {
                if let (Some(look), Some(found)) = (looks.first_mut(), found) {
                    look.found.push((step.entry, found.clone()));
                    look.review.judge(step, &found);
                }
                if self.progress.try_set(Progress::Looking(done + 1, all)).is_none() {
                    self.look(looks, done + 1, all);
                }
            });
        });
    }
}

fn as_puzzle(look: &Look, judgement: &Judgement<String>) -> Option<Puzzle> {
    let (_, found) = look.found.iter().find(|(entry, _)| *entry == judgement.step.entry)?;
    let before = prefix(&look.line, judgement.step.entry);
    Puzzle::from_mistake(&look.line.settings().game, &before.position().to_string(), judgement, found)
}
