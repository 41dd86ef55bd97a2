//! What stands beside the board: what to touch there, the values, the moves and the mistakes.

use game::{Cause, Event, Match};
use locale::Language;
use locale::Names;
use rules::Turn;
use scene::Scene;
use search::{Judgement, Scored};
use session::{Prompt, words};
use ui::prelude::*;

use super::graph::Graph;
use super::groups::{self, Group, Row};
use super::study::{ReviewProgress, Study};
use super::value_text;
use super::variations;
use crate::app::settings;
use crate::board::{Marks, Turned};
use crate::move_text;
use crate::parts::{Buttons, Cards, Held, Stock};
use crate::views::{list, live, press, say, showing, tool};
use art::{Icon, icon};

/// The list shows no more rows than this; all actions are still marked on the board.
const MOST_ROWS: usize = 40;

/// Who is to do what, what can be touched besides the board, and the way through the game.
#[component]
pub(super) fn BesideBoard(
    study: Study,
    scene: Memo<Scene>,
    names: Memo<Names>,
    marks: Memo<Marks>,
    turned: RwSignal<Turned>,
) -> impl IntoView {
    let (settings, match_view) = (settings(), study.match_view);
    let lang = move || settings.lang();
    let said = move || match match_view.prompt() {
        Prompt::Over(over) if over.ending.cause != Cause::Rules => {
            names.with(|names| session::words::ending(lang(), &over, names))
        }
        _ => names.with(|names| locale::message(lang(), &scene.get().status, names)),
    };
    view! {
        <nav class="steps">
            {tool(Icon::First, Language::study_first, move || study.go(0))}
            {tool(Icon::Back, Language::study_back, move || study.step(-1))}
            {tool(Icon::Forward, Language::study_forward, move || study.forward())}
            {tool(Icon::Last, Language::study_last, move || study.go(usize::MAX))}
            {showing(move || scene.with(|scene| scene.board.facing == scene::Facing::Any), move || tool(Icon::Rotate, Language::web_rotate, move || turned.update(|turned| *turned = turned.further())))}
        </nav>
        <p class="say" role="status" aria-live="polite">{said}</p>
        <p class="notice" role="status">{live(move || match_view.notice.get())}</p>
        <Held scene />
        <Stock match_view scene marks />
        <Cards match_view scene marks />
        <Buttons match_view scene names marks />
        <Chance study />
    }
}

/// What chance may draw, to choose from.
#[component]
fn Chance(study: Study) -> impl IntoView {
    let settings = settings();
    let chances = Memo::new(move |_| {
        study.match_view.game(|game| if game.chance_is_due() { game.position().chances() } else { Vec::new() })
    });
    let outcome = move |(action, weight): (String, u32)| {
        let total: u32 = chances.with(|chances| chances.iter().map(|(_, weight)| weight).sum());
        let odds = format!("{} %", (100 * weight + total / 2) / total.max(1));
        let text = move_text::action(settings.lang(), &study.game(), &action);
        view! { <button type="button" class="button" on:click=press(move || study.act(&action))>{text}<small>{odds}</small></button> }
    };
    view! {
        {showing(move || !chances.read().is_empty(), move || view! {
            <div class="chance">
                <p>{say(Language::study_chance)}</p>
                <button type="button" class="button main" on:click=press(move || study.draw())>{say(Language::study_random)}</button>
                {list(move || chances.get().into_iter().map(outcome))}
            </div>
        })}
    }
}

/// Every action with its value, best first, and the best line.
#[component]
pub(super) fn Values(study: Study, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let scored = Memo::new(move |_| study.scored());
    let row = move |Scored { action, value }: Scored<String>| {
        let text = action.clone();
        view! {
            <li><button type="button" class="worth" on:click=press(move || study.act(&action))>
                <b inner_html=live(move || move_text::drawn(lang(), &move_text::action(lang(), &study.game(), &text)))></b><span class=format!("value {}", value_text::class(value)) aria-hidden="true">{value_text::sign(value)}</span>
                <span>{live(move || words::value(lang(), value))}</span>
            </button></li>
        }
        .into_any()
    };
    let group = move |Group { value, actions, is_all }: Group| {
        let count = actions.len() as u64;
        let about = live(move || {
            let worth = words::value(lang(), value);
            if is_all { lang().study_all(count, worth) } else { lang().study_group(count, worth) }
        });
        view! {
            <li><details class="worth-group">
                <summary><span class=format!("value {}", value_text::class(value)) aria-hidden="true">{value_text::sign(value)}</span><span>{about}</span></summary>
                <ol>{actions.into_iter().map(row).collect::<Vec<_>>()}</ol>
            </details></li>
        }
        .into_any()
    };
    let line = move |line: Row| match line {
        Row::One(one) => row(one),
        Row::Group(of) => group(of),
    };
    // Values come while the reader looks, so what lies below keeps its place from the beginning.
    let are_due =
        move || study.watching.get() && !study.is_refused() && study.match_view.game(|game| game.to_act().is_some());
    let rows = list(move || groups::grouped(scored.get()).into_iter().take(MOST_ROWS).map(line));
    let more = move || {
        let more = groups::grouped(scored.get()).len().saturating_sub(MOST_ROWS);
        (more > 0).then(|| lang().study_more(more as u64))
    };
    let best = move || {
        study.found.with(|found| {
            let found = found.as_ref()?;
            let Turn::Seat(seat) = study.match_view.game(|game| game.position().turn()) else { return None };
            let who = names.with(|names| names.seat(seat).to_owned());
            let worth = lang().addressed(who, words::value(lang(), found.value));
            let line = lang().line_best(value_text::line(lang(), &study.game(), &found.line));
            Some(move_text::drawn(lang(), &format!("{worth}. {line}")))
        })
    };
    view! {
        <section class="values" class:due=live(are_due)>
            <header>
                <h2>{say(Language::action_moves)}</h2>
                <span class="dots" class:still=live(move || !study.thinking.get()) aria-hidden="true"></span>
                <button type="button" class="button" aria-pressed=study.watching on:click=press(move || study.toggle_watching())>{say(Language::study_engine)}</button>
            </header>
            <p class="best" aria-live="polite" inner_html=live(move || best().unwrap_or_default())></p>
            <ol>{rows}</ol>
            <p class="quiet">{more}</p>
            {showing(move || !scored.read().is_empty(), move || view! {<p class="quiet legend">{say(Language::study_legend)}</p>})}
        </section>
    }
}

/// The line of play, and the mistakes in it.
#[component]
pub(super) fn Moves(study: Study, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let moves = Memo::new(move |_| study.line.with(written));
    let row = move |(length, event): (usize, Event)| {
        let shown = move || study.at.get() == length;
        let text = live(move || {
            move_text::drawn(lang(), &names.with(|names| value_text::event(lang(), &study.game(), &event, names)))
        });
        let bad = move || study.judged.with(|judged| judged.mistakes().any(|found| found.step.entry + 1 == length));
        view! {
            <li><button type="button" class="move" class:bad=bad aria-current=live(move || shown().then_some("step")) on:click=press(move || study.go(length))>
                <small>{length}</small><span inner_html=text></span>{live(move || bad().then_some(" ?"))}
            </button></li>
        }
    };
    let mistakes = Memo::new(move |_| study.judged.with(|judged| judged.mistakes().cloned().collect::<Vec<_>>()));
    let turning_point = move || {
        let ply = study.judged.with(|judged| judged.key_moment().map(|found| found.step.ply));
        ply.map(|ply| lang().mistake_turning_point(ply + 1))
    };
    let blunder = move |found: Judgement<String>| {
        let at = found.step.entry;
        let told = move || {
            let who = names.with(|names| names.seat(found.step.seat).to_owned());
            let what = found.mistake.map_or("", |mistake| words::mistake(lang(), mistake));
            let action = move_text::action(lang(), &study.game(), &found.step.action);
            let better = value_text::line(lang(), &study.game(), &found.better);
            let told = lang().mistake_told(found.step.ply + 1, who, action, what, better);
            move_text::drawn(lang(), &told)
        };
        view! { <li><button type="button" class="blunder" on:click=press(move || study.go(at)) inner_html=live(told)></button></li> }
    };
    let state = move || match study.review.get() {
        ReviewProgress::Idle => String::new(),
        ReviewProgress::Running(done, all) => lang().study_progress(done, all),
        ReviewProgress::Stopped => lang().study_stopped().to_owned(),
        ReviewProgress::Done if mistakes.read().is_empty() => lang().mistakes_none().to_owned(),
        ReviewProgress::Done => String::new(),
    };
    let running = move || matches!(study.review.get(), ReviewProgress::Running(..));
    let progress = move || match study.review.get() {
        ReviewProgress::Running(done, all) => {
            Some(view! { <progress max=all value=done aria-label=lang().mistakes_title()></progress> })
        }
        _ => None,
    };
    view! {
        <section class="moves">
            <h2>{say(Language::moves_title)}</h2>
            <div class="choices">
                {showing(move || study.original.with(Option::is_some), move || view! {
                    <button type="button" class="button" on:click=press(move || study.go_back_to_original())>{say(Language::study_return)}</button>
                })}
                {showing(move || !moves.read().is_empty() && !running(), move || view! {
                    <button type="button" class="button" on:click=press(move || study.start_review())><span inner_html=icon(Icon::Lens)></span>{say(Language::study_find_mistakes)}</button>
                })}
                {showing(running, move || view! {
                    {progress}
                    <button type="button" class="button" on:click=press(move || study.stop_review())>{say(Language::study_stop)}</button>
                })}
                <span class="quiet" role="status">{state}</span>
            </div>
            <Graph study names />
            {showing(move || !mistakes.read().is_empty(), move || view! {
                <h2>{say(Language::mistakes_title)}</h2>
                <ol class="blunders">{list(move || mistakes.get().into_iter().map(blunder))}</ol>
                <p class="quiet">{turning_point}</p>
            })}
            {showing(move || moves.read().is_empty(), move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol>{list(move || moves.get().into_iter().map(row))}</ol>
            <Variations study />
        </section>
    }
}

/// How many actions of a variation are written.
const MOST_ACTIONS: usize = 6;

/// Lines that leave the game, each from where it does.
#[component]
fn Variations(study: Study) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let row = move |branch: Match| {
        let from = study.original.with_untracked(|main| main.as_ref().map(|main| variations::shared(main, &branch)));
        let from = from.unwrap_or_else(|| study.line.with_untracked(|line| variations::shared(line, &branch)));
        let actions: Vec<Event> = branch.log()[from..].iter().map(|entry| entry.event.clone()).collect();
        let text = live(move || {
            let action = |event: &Event| match event {
                Event::Action(action) => move_text::action(lang(), &study.game(), action),
                _ => String::new(),
            };
            let shown: Vec<String> = actions.iter().take(MOST_ACTIONS).map(action).collect();
            let rest = if actions.len() > MOST_ACTIONS { " …" } else { "" };
            move_text::drawn(lang(), &format!("{}. {}{rest}", from + 1, shown.join(", ")))
        });
        view! { <li><button type="button" class="move" on:click=press(move || study.take(branch.clone())) inner_html=text></button></li> }
    };
    view! {
        {showing(move || !study.branches.read().is_empty(), move || view! {
            <h2>{say(Language::study_variations)}</h2>
            <ul class="variations">{list(move || study.branches.get().into_iter().map(row))}</ul>
        })}
    }
}

/// Every event of the log, and how long the log is after it.
fn written(game: &Match) -> Vec<(usize, Event)> {
    game.log().iter().enumerate().map(|(index, entry)| (index + 1, entry.event.clone())).collect()
}
