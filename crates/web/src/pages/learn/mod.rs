//! The rules of a game in steps: on each screen a few words, the sheet's figures, and one board to try them on.

pub mod exercises;
pub mod graded;
pub mod lessons;
pub mod practice;

use game::GameId;
use locale::Language;
use rules::{Figure, Lesson, Shows};
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::parts::GamePicture;
use crate::route::{Route, RulesPage};
use crate::settings::{keep, kept};
use crate::views::{list, live, part, press, say, showing};
use art::{Icon, icon};
use exercises::{Exercises, has_exercises};
use graded::Graded;
use lessons::Progress;
use practice::{Practice, Task};

/// A screen of the course.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// Sections of the rules, by their places on the rules page; what there is to try belongs to the last.
    Rules(Vec<usize>),
    /// Ten positions.
    Exercises,
    /// Positions of the solved game, by grade.
    Graded,
}

/// The steps of a game: a step ends with a section that has something to try, so that each has one board.
fn steps(game: GameId, sections: &[&str]) -> Vec<Step> {
    let mut steps = vec![Vec::new()];
    for (number, section) in sections.iter().enumerate() {
        if let Some(step) = steps.last_mut() {
            step.push(number);
        }
        if game.lessons().iter().any(|lesson| lesson.section == *section) {
            steps.push(Vec::new());
        }
    }
    let rules = steps.into_iter().filter(|step| !step.is_empty()).map(Step::Rules);
    let exercises = has_exercises(game).then_some(Step::Exercises);
    let graded = graded::has_exercises(game).then_some(Step::Graded);
    rules.chain(exercises).chain(graded).collect()
}

/// What a step is called: after all its sections, or, after the last board, after what is ours.
fn step_title(game: GameId, sections: &[usize], page: &[locale::Section]) -> String {
    let has_board = |number: &usize| game.lessons().iter().any(|lesson| lesson.section == page[*number].id);
    let ours = sections.iter().find(|number| page[**number].id == "ours");
    let is_after_boards = !game.lessons().is_empty() && !sections.iter().any(has_board);
    match ours.filter(|_| is_after_boards) {
        Some(ours) => page[*ours].title.to_owned(),
        None => sections.iter().map(|number| page[*number].title).collect::<Vec<_>>().join(" · "),
    }
}

/// The page of one game.
#[component]
pub fn Learn(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let page = Memo::new(move |_| locale::rules_page(lang(), game));
    let ids: Vec<&'static str> = page.with_untracked(|page| page.iter().map(|section| section.id).collect());
    let steps = StoredValue::new(steps(game, &ids));
    let count = steps.with_value(Vec::len);
    let course = Course::of(game, count);
    let title = move |number: usize| {
        live(move || match steps.with_value(|steps| steps[number].clone()) {
            Step::Rules(sections) => page.with(|page| step_title(game, &sections, page)),
            Step::Exercises => lang().exercises_title().to_owned(),
            Step::Graded => lang().exercise_graded().to_owned(),
        })
    };
    let link = move |number: usize| {
        view! {
            <li><button type="button" class="jump" data-step=number class:done=live(move || course.is_done(number))
                aria-current=live(move || (course.shown.get() == number).then_some("step"))
                on:click=press(move || course.show(number))>{title(number)}</button></li>
        }
    };
    let step = part(move || match steps.with_value(|steps| steps[course.shown.get()].clone()) {
        Step::Rules(sections) => view! { <Rules game page sections course /> }.into_any(),
        Step::Exercises => view! { <Exercises game /> }.into_any(),
        Step::Graded => view! { <Graded /> }.into_any(),
    });
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), game).to_owned()) />
        <main class="learn">
            <nav class="contents" aria-label=say(Language::learn_contents)><ol>{(0..count).map(link).collect_view()}</ol></nav>
            {step}
            <p class="choices walk">
                <button type="button" class="button" disabled=live(move || course.shown.get() == 0)
                    on:click=press(move || course.show(course.shown.get_untracked() - 1))>{say(Language::learn_previous)}</button>
                <button type="button" class="button main" disabled=live(move || course.shown.get() + 1 == count)
                    on:click=press(move || course.finish())>{say(Language::learn_next_step)}</button>
            </p>
            <p class="choices">
                <a class="button" href=Route::Start(game, String::new()).link()>
                    <span inner_html=icon(Icon::Play)></span>{live(move || lang().web_play_game(locale::game_name(lang(), game)))}
                </a>
                <a class="button" href=live(move || RulesPage { language: lang(), game }.to_string())>
                    <span inner_html=icon(Icon::Book)></span>{say(Language::learn_printable)}
                </a>
            </p>
        </main>
    }
}

/// The courses of all games.
#[component]
pub fn Courses() -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let course = move |game: GameId| {
        let name = move || locale::game_name(lang(), game);
        let ids: Vec<&str> = locale::rules_page(lang(), game).iter().map(|section| section.id).collect();
        let count = steps(game, &ids).len();
        let done =
            Course::of(game, count).done.with_untracked(|done| done.iter().filter(|step| **step < count).count());
        let begin = if done == 0 { Language::learn_begin } else { Language::menu_continue };
        view! {
            <li>
                <span aria-hidden="true"><GamePicture game /></span>
                <h2>{live(name)}</h2>
                <p class="quiet">{live(move || lang().learn_steps_done(done, count as u64))}</p>
                <div class="choices">
                    <a class="button main" href=Route::Learn(game).link() aria-label=live(move || format!("{}: {}", begin(lang()), name()))>{say(begin)}</a>
                    <a class="button" href=live(move || RulesPage { language: lang(), game }.to_string())
                        aria-label=live(move || format!("{}: {}", lang().menu_rules(), name()))>{say(Language::menu_rules)}</a>
                </div>
            </li>
        }
        .into_any()
    };
    view! {
        <TopBar title=Signal::derive(move || lang().web_learn().to_owned()) />
        <main class="learn">
            <p class="lead">{say(Language::learn_about)}</p>
            <ul class="courses">{GameId::ALL.map(course).into_iter().collect::<Vec<_>>()}</ul>
        </main>
    }
}

/// How far the reader has come, kept on the device.
#[derive(Clone, Copy)]
struct Course {
    game: GameId,
    count: usize,
    /// The step on the screen.
    shown: RwSignal<usize>,
    done: RwSignal<Vec<usize>>,
}

impl Course {
    /// Goes on where the reader stopped.
    fn of(game: GameId, count: usize) -> Course {
        let done = kept(&format!("learnt.{game}")).unwrap_or_default();
        let done: Vec<usize> = done.split(',').filter_map(|number| number.parse().ok()).collect();
        let first = (0..count).find(|number| !done.contains(number)).unwrap_or(0);
        Course { game, count, shown: RwSignal::new(first), done: RwSignal::new(done) }
    }

    fn is_done(self, step: usize) -> bool {
        self.done.with(|done| done.contains(&step))
    }

    fn show(self, step: usize) {
        self.shown.set(step.min(self.count - 1));
        window().scroll_to_with_x_and_y(0.0, 0.0);
    }

    /// Marks the step on the screen as done.
    fn mark(self) {
        let step = self.shown.get_untracked();
        if !self.done.with_untracked(|done| done.contains(&step)) {
            self.done.update(|done| done.push(step));
            let done = self.done.with_untracked(|done| done.iter().map(usize::to_string).collect::<Vec<_>>());
            keep(&format!("learnt.{}", self.game), &done.join(","));
        }
    }

    /// Marks the step as done and goes on to the next.
    fn finish(self) {
        self.mark();
        self.show(self.shown.get_untracked() + 1);
    }
}

/// Sections of the rules with their figures, and one board beside them.
#[component]
fn Rules(game: GameId, page: Memo<Vec<locale::Section>>, sections: Vec<usize>, course: Course) -> impl IntoView {
    let last = sections.last().copied().unwrap_or_default();
    let tried = page.with_untracked(|page| page[last].id);
    let lessons: Vec<Lesson> = game.lessons().iter().filter(|lesson| lesson.section == tried).copied().collect();
    let words = sections.into_iter().map(|number| {
        let id = page.with_untracked(|page| page[number].id);
        let text = list(move || {
            page.with(|page| page[number].text.split('\n').map(|text| view! { <p>{text}</p> }).collect::<Vec<_>>())
        });
        let figures = game.figures().iter().filter(|figure| figure.section == id);
        let figures: Vec<AnyView> = figures.map(|figure| view! { <FigureView game figure /> }.into_any()).collect();
        let figures = (!figures.is_empty()).then(|| view! { <div class="figures">{figures}</div> });
        view! { <h2>{live(move || page.with(|page| page[number].title))}</h2>{text}{figures} }
    });
    let words = words.collect_view();
    let try_it = (!lessons.is_empty()).then(|| view! { <TryIt id=format!("try-{tried}") game lessons course /> });
    view! { <section class="rule"><div class="words">{words}</div>{try_it}</section> }
}

/// A figure of the printed sheet; the bundler has drawn it.
#[component]
fn FigureView(game: GameId, figure: &'static Figure) -> impl IntoView {
    let settings = settings();
    let address = crate::browser::file_address(&routes::figure_file(game, figure.name));
    view! {
        <figure class:wide=matches!(figure.shows, Shows::Pieces | Shows::Hand)>
            <img src=address alt="" loading="lazy" />
            <figcaption>{live(move || locale::figure_caption(settings.lang(), game, figure))}</figcaption>
        </figure>
    }
}

/// Something to do beside a part of the rules: one task after another on one board.
#[component]
fn TryIt(id: String, game: GameId, lessons: Vec<Lesson>, course: Course) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let total = lessons.len();
    let lessons = StoredValue::new(lessons);
    let shown = RwSignal::new(0_usize);
    let round = RwSignal::new(0);
    let progress = RwSignal::new(Progress::Open);
    let lesson = Memo::new(move |_| shown.get());
    let task = Signal::derive(move || {
        let lesson = lessons.with_value(|lessons| lessons[lesson.get()]);
        Task { game: game.text(lesson.options), position: lesson.position, goal: lesson.goal }
    });
    let words = move || lessons.with_value(|lessons| locale::lesson_task(lang(), game, lessons[shown.get()].task));
    let number = move || match total {
        1 => lang().learn_try().to_owned(),
        _ => lang().learn_task(shown.get() + 1, total).to_string(),
    };
    let verdict = move || match progress.get() {
        Progress::Open => None,
        Progress::Done => Some(lang().learn_done()),
        Progress::Missed => Some(lang().learn_missed()),
    };
    Effect::new(move || {
        if progress.get() == Progress::Done && shown.get_untracked() + 1 == total {
            course.mark();
        }
    });
    let begin = move |number: usize| {
        shown.set(number);
        round.update(|round| *round += 1);
    };
    view! {
        <div class="try">
            <p class="task"><b>{number}</b> {words}</p>
            <Practice id task round progress refuted=None />
            <p class="verdict" role="status" class:done=live(move || progress.get() == Progress::Done)>{verdict}</p>
            <div class="choices">
                <button type="button" class="button" on:click=press(move || begin(shown.get_untracked()))>{say(Language::learn_again)}</button>
                {showing(move || total != 1, move || view! {
                    <button type="button" class="button" class:main=live(move || progress.get() == Progress::Done) on:click=press(move || begin((shown.get_untracked() + 1) % total))>{say(Language::learn_next)}</button>
                })}
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_is_in_one_step_and_every_step_but_the_last_of_the_rules_has_a_board() {
        for game in GameId::ALL {
            let page = locale::rules_page(Language::English, game);
            let ids: Vec<&str> = page.iter().map(|section| section.id).collect();
            let rules: Vec<Vec<usize>> = steps(game, &ids)
                .into_iter()
                .filter_map(|step| if let Step::Rules(sections) = step { Some(sections) } else { None })
                .collect();
            assert!(rules.concat().into_iter().eq(0..page.len()), "{game}: {rules:?}");
            let titles: Vec<String> = rules.iter().map(|step| step_title(game, step, &page)).collect();
            assert!(titles.iter().any(|title| title == Language::English.rules_title_ours()), "{game}: {titles:?}");
            for step in &rules[..rules.len() - 1] {
                let last = ids[step[step.len() - 1]];
                assert!(game.lessons().iter().any(|lesson| lesson.section == last), "{game}: {last}");
            }
        }
    }
}
