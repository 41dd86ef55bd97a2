//! What a puzzle is part of, and what follows from how it is solved. Fetched once the board can be touched.

use game::GameId;
use locale::Language;
use puzzles::{Attempt, DayEntry, Diary, share_text};
use ui::prelude::*;

use super::keeper::{Keeper, RatingLine};
use super::solving::Solving;
use super::{Asked, data};
use crate::app::settings;
use crate::browser;
use crate::views::{live, press, say, showing, spawn};

/// What a puzzle is part of; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub enum Course {
    /// The day. It says what it is and not what to do: what to do is fetched later.
    Day(DayCourse),
    /// Another mode.
    Mode(ModeCourse),
}

/// The puzzle of a day.
#[derive(Clone, Copy)]
pub struct DayCourse {
    /// Which one.
    pub asked: Asked,
    /// What the solver has done.
    pub diary: RwSignal<Diary>,
    /// Who keeps the rating.
    pub keeper: Keeper,
    /// Whether the solver has tried it before, perhaps without coming to an end.
    pub again: bool,
}

/// What a mode does.
#[derive(Clone, Copy)]
pub struct ModeCourse {
    /// Hears once that the attempt has a score: with the first mistake or hint, or the solution.
    pub decided: Callback<Solving>,
    /// Hears when the attempt is over.
    pub over: Callback<Solving>,
    /// Shows what stands beside the board, such as the way to the next puzzle.
    pub beside: Callback<(), AnyView>,
}

impl Course {
    /// The attempt has a score.
    pub fn decided(self, solving: Solving) {
        match self {
            Course::Day(course) => course.decided(solving),
            Course::Mode(course) => course.decided.run(solving),
        }
    }

    /// The attempt is over.
    pub fn over(self, solving: Solving) {
        match self {
            Course::Day(course) => course.over(solving),
            Course::Mode(course) => course.over.run(solving),
        }
    }

    /// What stands beside the board.
    pub fn beside(self) -> AnyView {
        match self {
            Course::Day(course) => course.beside(),
            Course::Mode(course) => course.beside.run(()),
        }
    }
}

impl DayCourse {
    /// The first try counts; a puzzle that is tried again shows no more than how it went.
    fn decided(self, solving: Solving) {
        let DayCourse { asked, diary, keeper, .. } = self;
        solving.attempt.with_untracked(|attempt| {
            let id = attempt.puzzle().id();
            if !diary.with_untracked(|diary| diary.has_seen(id)) {
                diary.update(|diary| diary.remember(id));
                keeper.rate(attempt, solving.seconds(), Some(asked.day));
            }
        });
    }

    fn over(self, solving: Solving) {
        let Asked { day, game, .. } = self.asked;
        let faults = solving.attempt.with_untracked(|attempt| attempt.mistakes() + attempt.hints());
        let Some(result) = solving.attempt.with_untracked(Attempt::result) else { return };
        let entry = DayEntry { result, seconds: solving.seconds(), faults };
        let entry = if self.again { entry.after_a_try() } else { entry };
        self.diary.update(|diary| diary.note_day(day, game, entry));
    }

    /// The rating, the next game, and the result to share.
    fn beside(self) -> AnyView {
        let DayCourse { asked, diary, keeper, .. } = self;
        let Asked { game, day, .. } = asked;
        let settings = settings();
        let copied = RwSignal::new(false);
        let share = move || {
            let language = settings.language.get_untracked();
            let text = diary.with_untracked(|diary| {
                let entries = puzzles::GAMES
                    .into_iter()
                    .filter_map(|game| Some((locale::game_name(language, game).to_owned(), diary.day(day, game)?)));
                share_text(day, diary.days_in_a_row(data::today()), entries)
            });
            spawn(async move {
                let done = browser::copy(&text).await;
                let _ = copied.try_set(done);
            });
        };
        let next_game = Signal::derive(move || {
            let open = |game: &GameId| diary.with(|diary| diary.day(day, *game).is_none());
            puzzles::GAMES.into_iter().find(open).map(|game| Asked { game, ..asked }.link())
        });
        let done = move || diary.with(|diary| diary.day(day, game).is_some());
        showing(done, move || {
            view! {
                <RatingLine keeper />
                <div class="choices">
                    {move || next_game.get().map(|link| view! { <a class="button main" href=link>{say(Language::puzzle_next)}</a> })}
                    {showing(move || next_game.get().is_none(), move || view! { <p>{say(Language::puzzle_day_done)}</p> })}
                    <button type="button" class="button" data-do="share" on:click=press(share)>{say(Language::puzzle_share)}</button>
                    <span class="quiet" role="status">{live(move || copied.get().then(|| settings.lang().puzzle_shared()))}</span>
                </div>
            }
        })
    }
}
