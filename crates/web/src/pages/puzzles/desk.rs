//! The board of a puzzle with everything around it.

use art::Icon;
use leptos::prelude::*;
use locale::Language;
use puzzles::{Puzzle, Worth};
use session::{puzzle_words, words};

use super::solving::{Help, Solving};
use crate::app::settings;
use crate::board::{BoardView, proportion};
use crate::erased_views::{list, live, press, say, showing, tool_when, word_tool};
use crate::match_view::Walk;
use crate::move_text;
use crate::parts::{Buttons, Cards, Held, Status, Stock};

/// A puzzle to solve. What belongs to the mode, such as the way to the next puzzle, comes as children.
#[component]
pub fn PuzzleDesk(
    /// The puzzle.
    puzzle: Puzzle,
    /// Whether mistakes are taken back and hints given.
    help: Help,
    /// Hears once whether it was solved without a mistake or help.
    decided: Callback<bool>,
    /// Hears when the attempt is over.
    over: Callback<Solving>,
    /// What belongs to the mode.
    children: ChildrenFn,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let Some(solving) = Solving::new(puzzle.clone(), help, decided, settings) else {
        return view! { <p class="notice" role="alert">{say(Language::puzzle_damaged)}</p> }.into_any();
    };
    let match_view = solving.match_view;
    Effect::new(move || {
        if solving.is_over() {
            untrack(|| over.run(solving));
        }
    });
    let scene = Memo::new(move |_| match_view.scene());
    let marks = Memo::new(move |_| solving.marks());
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    let touch = Callback::new(move |spot| match_view.touch(spot));
    let (asked, title) = (puzzle.clone(), puzzle.game.clone());
    let question = live(move || puzzle_words::question(lang(), &asked));
    let theme = puzzle.theme;
    let seat = puzzle.solver();
    // Where all play with the same pieces there is no side to know.
    let sides = scene.with_untracked(|scene| scene.seat_piece(seat).is_some());
    let side = live(move || sides.then(|| names.with(|names| lang().puzzle_side(names.seat(seat)))));
    let about = live(move || {
        let mut parts = vec![puzzle_words::theme(lang(), theme).to_owned(), words::title(lang(), &title)];
        parts.extend(puzzle.rating.map(|rating| lang().puzzle_difficulty(rating)));
        parts.join(" · ")
    });
    let verdict = live(move || move_text::drawn(lang(), &solving.said(lang())));
    let is_over = move || solving.is_over();
    view! {
        <section class="desk">
            <div class="ask">
                <h2 id="question">{question}</h2>
                <p class="quiet">{about}</p>
            </div>
            <div class="stage" id="puzzle" data-match="puzzle">
                <p class="quiet side-of">{side}</p>
                <div class="frame" style=scene.with_untracked(proportion)
                    on:keydown=move |event| if event.key() == "Escape" { match_view.back() }>
                    <BoardView scene=scene.into() marks=marks.into() language=Signal::derive(lang)
                        names=names.into() coordinates=settings.coordinates on_touch=touch />
                </div>
                <Status match_view names />
                <Held scene />
                <Stock match_view scene marks />
                <Cards match_view scene marks />
                <Buttons match_view scene names marks />
            </div>
            <div class="answer">
                <p class="verdict" role="status" aria-live="assertive" class:done=live(is_over) inner_html=verdict></p>
                <div class="choices tools">
                    {showing(move || help == Help::Yes && !is_over(), move || view! {
                        {word_tool(Icon::Hint, Language::puzzle_hint, "hint", || true, move || solving.hint())}
                        {word_tool(Icon::Lens, Language::puzzle_show, "show", || true, move || solving.show())}
                    })}
                    {showing(is_over, move || view! {
                        {tool_when(Icon::Back, Language::puzzle_solution_back, || true, move || walk(solving, Walk::Back))}
                        {tool_when(Icon::Forward, Language::puzzle_solution_forward, || true, move || walk(solving, Walk::Forward))}
                    })}
                </div>
                {children()}
                {showing(move || help == Help::Yes, move || view! { <WhyNot solving /> })}
            </div>
        </section>
    }
    .into_any()
}

/// A step along the solution.
fn walk(solving: Solving, way: Walk) {
    let on_line = solving.match_view.looking.get_untracked().is_some();
    let whole = solving.match_view.game_untracked(|game| game.log().len())
        == solving.attempt.with_untracked(|attempt| attempt.puzzle().steps.len());
    if !on_line && !whole {
        solving.walk_line();
        return;
    }
    solving.match_view.look(way);
}

/// What every action of the position is worth, kept folded until it is wanted.
#[component]
fn WhyNot(solving: Solving) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let open = RwSignal::new(false);
    let rows = move || {
        let groups: Vec<(Worth, Vec<String>)> = solving.attempt.with(|attempt| {
            let mut groups: Vec<(Worth, Vec<String>)> = Vec::new();
            for (action, worth) in attempt.values() {
                match groups.last_mut() {
                    Some((last, actions)) if *last == worth => actions.push(action.to_owned()),
                    _ => groups.push((worth, vec![action.to_owned()])),
                }
            }
            groups
        });
        let game = solving.game();
        groups.into_iter().map(move |(worth, actions)| {
            let told = solving.attempt.with_untracked(|attempt| puzzle_words::worth(lang(), attempt.puzzle(), worth));
            let line: Vec<String> = actions.iter().map(|action| move_text::action(lang(), &game, action)).collect();
            let drawn = move_text::drawn(lang(), &line.join("  "));
            view! { <li><b>{told}</b><span inner_html=drawn></span></li> }
        })
    };
    // Before the end, looking at the values is help like any other.
    let toggle = move || {
        if !open.get_untracked() && !solving.is_over() {
            solving.attempt.update(puzzles::Attempt::note_help);
        }
        open.update(|open| *open = !*open);
    };
    view! {
        <div class="why">
            <button type="button" class="button" aria-expanded=live(move || open.get().to_string()) data-do="why"
                on:click=press(toggle)>{say(Language::puzzle_why)}</button>
            {showing(move || open.get(), move || view! {
                <p class="quiet">{say(Language::puzzle_why_about)}</p>
                <ul>{list(rows)}</ul>
            })}
        </div>
    }
}
