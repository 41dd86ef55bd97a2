//! The board of a puzzle with everything around it.

use art::Icon;
use locale::Language;
use puzzles::{Finish, Puzzle};
use session::{puzzle_words, words};
use ui::prelude::*;

use super::answering::Alike;
use super::course::Course;
use super::solving::{Help, Solving};
use crate::app::settings;
use crate::chunks;
use crate::match_view::Walk;
use crate::move_text;
use crate::parts::TryBoard;
use crate::views::{list, live, press, say, showing, tool, word_tool};

/// A puzzle to solve.
#[component]
pub fn PuzzleDesk(
    /// The puzzle.
    puzzle: Puzzle,
    /// Whether mistakes are taken back and hints given.
    help: Help,
    /// What it is part of.
    course: Course,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let Some(solving) = Solving::new(puzzle.clone(), help, course, settings) else {
        return view! { <p class="notice" role="alert">{say(Language::puzzle_damaged)}</p> }.into_any();
    };
    let match_view = solving.match_view;
    let marks = Memo::new(move |_| solving.marks());
    let (asked, title) = (puzzle.clone(), puzzle.game.clone());
    let question = live(move || puzzle_words::question(lang(), &asked));
    let theme = puzzle.theme;
    let seat = puzzle.solver();
    let about = live(move || {
        let mut parts = vec![puzzle_words::theme(lang(), theme).to_owned(), words::title(lang(), &title)];
        parts.extend(puzzle.rating.map(|rating| lang().puzzle_difficulty(rating)));
        // No line begins with a dot.
        parts.join(" · ").replace(" ·", "\u{a0}·")
    });
    view! {
        <section class="desk">
            <div class="ask">
                <h2 id="question">{question}</h2>
                <p class="quiet">{about}</p>
            </div>
            <div class="stage" id="puzzle" data-match="puzzle">
                <TryBoard match_view marks seat side=|language, who| language.puzzle_side(who)
                    on_touch=Callback::new(move |spot| solving.touch(spot)) on_back=Callback::new(move |()| solving.back()) />
            </div>
            {chunks::answers(solving)}
        </section>
    }
    .into_any()
}

/// What is said about the answers, help, and what the puzzle is part of.
pub(crate) fn answers(solving: Solving) -> AnyView {
    let settings = settings();
    let lang = move || settings.lang();
    let help = solving.help;
    Effect::new(move || {
        if solving.is_over() {
            untrack(|| solving.course.over(solving));
        }
    });
    let verdict = live(move || move_text::drawn(lang(), &solving.said(lang())));
    let is_over = move || solving.is_over();
    let is_shown = move || solving.attempt.with(|attempt| attempt.result() == Some(Finish::Failed));
    view! {
            <div class="answer">
                <p class="verdict" role="status" aria-live="assertive" class:done=live(is_over) class:shown=live(is_shown) inner_html=verdict></p>
                <div class="choices tools">
                    {showing(move || help == Help::Yes && !is_over(), move || view! {
                        {word_tool(Icon::Hint, Language::puzzle_hint, "hint", || true, move || solving.hint())}
                        {word_tool(Icon::Lens, Language::puzzle_show, "show", || true, move || solving.show())}
                    })}
                    {showing(is_over, move || view! {
                        {tool(Icon::Back, Language::puzzle_solution_back, move || solving.walk(Walk::Back))}
                        {tool(Icon::Forward, Language::puzzle_solution_forward, move || solving.walk(Walk::Forward))}
                    })}
                </div>
                {showing(is_over, move || view! { <p class="quiet">{say(Language::puzzle_explore)}</p> })}
                {solving.course.beside()}
                {showing(move || help == Help::Yes, move || view! { <WhyNot solving /> })}
            </div>
    }
}

/// More actions than these are folded away where they are not right.
const MOST_UNFOLDED: usize = 12;

/// What every action of the position is worth, kept folded until it is wanted.
#[component]
fn WhyNot(solving: Solving) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let open = RwSignal::new(false);
    let rows = move || {
        let game = solving.game();
        solving.values().into_iter().map(move |Alike { worth, is_right, actions }| {
            let told = solving.attempt.with_untracked(|attempt| puzzle_words::worth(lang(), attempt.puzzle(), worth));
            let sign = if is_right { "✓" } else { "" };
            let count = actions.len();
            let is_open = is_right || count <= MOST_UNFOLDED;
            let texts: Vec<String> = actions.iter().map(|action| move_text::action(lang(), &game, action)).collect();
            // All columns are as wide as the longest needs.
            let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or_default();
            let drawn: String =
                texts.iter().map(|text| format!("<li>{}</li>", move_text::drawn(lang(), text))).collect();
            view! {
                <li class=if is_right { "right" } else { "" }><details open=is_open>
                    <summary><b>{told}" "{sign}</b><small>{count.to_string()}</small></summary>
                    <ul style=format!("--widest:{widest}ch") inner_html=drawn></ul>
                </details></li>
            }
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
            <button type="button" class="button" aria-expanded=open data-do="why"
                on:click=press(toggle)>{say(Language::puzzle_why)}</button>
            {showing(move || open.get(), move || view! {
                <p class="quiet">{say(Language::puzzle_why_about)}</p>
                <ul>{list(rows)}</ul>
            })}
        </div>
    }
}
