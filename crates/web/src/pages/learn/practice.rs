//! A small board on which one tries something and is told what happened.

use std::time::Duration;

use game::{Match, MatchSettings};
use locale::Language;
use rules::{Goal, Outcome, Reason, Seat, Turn};
use ui::prelude::*;
use wasm_bindgen::prelude::*;

use super::lessons::{self, Progress};
use crate::app::settings;
use crate::browser;
use crate::local_table::LocalTable;
use crate::parts::TryBoard;

/// A position to try something on.
#[derive(Clone)]
pub struct Task {
    /// The game with its options.
    pub game: String,
    /// The position's text.
    pub position: &'static str,
    /// What counts as done.
    pub goal: Goal,
}

/// How long a wrong answer stays on the board before the position comes back.
const SNAP_BACK: Duration = Duration::from_millis(1500);

/// The board with everything around it that the game needs; begins anew whenever `round` changes, and after a wrong answer.
#[component]
pub fn Practice(
    /// The name of this board's element on the page.
    id: String,
    /// What to try.
    task: Signal<Task>,
    /// Counts how often it was begun.
    round: RwSignal<u32>,
    /// How far one has come.
    progress: RwSignal<Progress>,
    /// An action with which the opponent would answer and win.
    refuted: Option<RwSignal<Option<String>>>,
) -> impl IntoView {
    let settings = settings();
    let element = id.clone();
    let seen = RwSignal::new(false);
    let name = id.clone();
    // A page of rules has many boards, so each is made when it comes into view.
    request_animation_frame(move || {
        let told = Closure::once_into_js(move || {
            // The page may be gone by now.
            let _ = seen.try_set(true);
        });
        browser::when_seen(&name, told);
    });
    let (attempt, begun) = (RwSignal::new(0_u32), StoredValue::new(None::<u32>));
    let board = move || {
        attempt.track();
        let round = round.get();
        if !seen.get() {
            return None;
        }
        // After a wrong answer the verdict stays while the next attempt begins.
        if begun.get_value() != Some(round) {
            begun.set_value(Some(round));
            progress.set(Progress::Open);
        }
        let task = task.get();
        let (game, seat) = sit_down(&task)?;
        let play = LocalTable::practise(element.clone(), game, seat, settings);
        play.match_view.accept_drags();
        let latched = StoredValue::new(Progress::Open);
        Effect::new(move || {
            let refused = refusal(play, task.goal, settings.language.get_untracked());
            let now = play.match_view.game(|game| lessons::progress(task.goal, game, seat, refused));
            if latched.get_value() == Progress::Open && now != Progress::Open {
                latched.set_value(now);
                progress.set(now);
                if now == Progress::Missed {
                    // The page may have been left meanwhile.
                    let again = move || {
                        let _ = attempt.try_update(|attempt| *attempt += 1);
                    };
                    set_timeout(again, SNAP_BACK);
                }
                if let Some(refuted) = refuted {
                    refuted.set(play.match_view.game_untracked(|game| winning_answer(game, seat)));
                }
            }
        });
        let match_view = play.match_view;
        let marks = Memo::new(move |_| match_view.marks());
        Some(view! {
            <TryBoard match_view marks seat side=|language, who| language.learn_side(who)
                on_touch=Callback::new(move |spot| match_view.touch(spot)) on_back=Callback::new(move |()| match_view.back()) />
        })
    };
    view! { <div class="practice" data-match=id.clone() id=id>{board}</div> }
}

/// A match from the position of a task, and the seat to act. The tasks are tested, so `None` does not occur.
fn sit_down(task: &Task) -> Option<(Match, Seat)> {
    let mut setup = MatchSettings::new(task.game.parse().ok()?);
    setup.start = Some(task.position.to_owned());
    let game = Match::new(setup).ok()?;
    let Turn::Seat(seat) = game.position().turn() else { return None };
    Some((game, seat))
}

/// The reason that is being told, if it is the one the goal asks for.
fn refusal(play: LocalTable, goal: Goal, language: Language) -> Option<Reason> {
    let Goal::Refused(reason) = goal else { return None };
    (play.match_view.notice.get().as_deref() == Some(locale::reason(language, reason))).then_some(reason)
}

/// An action with which the seat to act wins at once, if it is another seat than ours.
fn winning_answer(game: &Match, seat: Seat) -> Option<String> {
    let actor = game.to_act().filter(|actor| *actor != seat)?;
    let position = game.position();
    let won = Turn::Over(Outcome::Win(position.side(actor)));
    position.legal().into_iter().find(|action| {
        let mut next = position.boxed();
        next.play(action).is_ok() && next.turn() == won
    })
}
