//! Puzzles: of the day, rated, by theme, in a row until a mistake, against the clock, and from one's own games.

// What a component is made of is public inside its module, whatever the component itself is.
#![allow(unreachable_pub)]

mod answering;
mod calendar;
mod course;
mod data;
mod desk;
mod keeper;
mod leaders;
mod own;
mod runs;
mod solving;

use std::time::Duration;

use game::GameId;
use locale::Language;
use puzzles::{Day, Diary, Finish, Picked, Puzzle, PuzzleQuery, Rating, RunKind, Theme};
use session::puzzle_words;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::fitting_game::is_narrow;
use crate::parts::GamePicture;
use crate::route::{Route, read_query, write_query};
use crate::views::{live, press, say, showing, spawn};
use crate::{browser, chunks};
use calendar::Calendar;
pub(crate) use course::Course;
use course::{DayCourse, ModeCourse};
use data::NotHere;
use desk::PuzzleDesk;
pub(crate) use desk::answers;
use keeper::{Keeper, RatingLine};
use leaders::Leaders;
use own::OwnGames;
use runs::RunView;
use solving::Help;
pub(crate) use solving::Solving;

/// Which puzzles are set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    #[default]
    Daily,
    Rated,
    Theme,
    Streak,
    Storm,
    Own,
}

/// A text in the reader's language.
type Text = fn(Language) -> &'static str;

impl Mode {
    const ALL: [Mode; 6] = [Mode::Daily, Mode::Rated, Mode::Theme, Mode::Streak, Mode::Storm, Mode::Own];

    /// The word in addresses.
    const fn word(self) -> &'static str {
        match self {
            Mode::Daily => "daily",
            Mode::Rated => "rated",
            Mode::Theme => "theme",
            Mode::Streak => "streak",
            Mode::Storm => "storm",
            Mode::Own => "own",
        }
    }

    /// The games to choose from: mistakes of own games are found in any game, sets are made for some.
    fn games(self) -> &'static [GameId] {
        if self == Mode::Own { &GameId::ALL } else { &puzzles::GAMES }
    }

    /// Its name, and what it is about.
    fn words(self) -> (Text, Text) {
        match self {
            Mode::Daily => (Language::puzzle_mode_daily, Language::puzzle_mode_daily_about),
            Mode::Rated => (Language::puzzle_mode_rated, Language::puzzle_mode_rated_about),
            Mode::Theme => (Language::puzzle_mode_theme, Language::puzzle_mode_theme_about),
            Mode::Streak => (Language::puzzle_mode_streak, Language::puzzle_mode_streak_about),
            Mode::Storm => (Language::puzzle_mode_storm, Language::puzzle_mode_storm_about),
            Mode::Own => (Language::puzzle_mode_own, Language::puzzle_mode_own_about),
        }
    }
}

/// The game that an address asks for among some, or the first of them.
fn asked_game(details: &str, games: &[GameId]) -> GameId {
    let game = read_query(details, "game").and_then(|game| game.parse().ok());
    game.filter(|game| games.contains(game)).unwrap_or(games[0])
}

/// The only game that the page of an address needs; `None` if it looks through games of any kind.
pub(crate) fn only_game(details: &str) -> Option<GameId> {
    let is_own = read_query(details, "mode").as_deref() == Some(Mode::Own.word());
    (!is_own).then(|| asked_game(details, &puzzles::GAMES))
}

/// What the address asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    mode: Mode,
    game: GameId,
    theme: Option<Theme>,
    day: Day,
}

impl Asked {
    /// Reads an address; what it leaves out or misspells is the usual.
    fn read(details: &str) -> Asked {
        let word = |name: &str| read_query(details, name);
        let mode = Mode::ALL.into_iter().find(|mode| word("mode").as_deref() == Some(mode.word()));
        let mode = mode.unwrap_or_default();
        let game = asked_game(details, mode.games());
        let theme: Option<Theme> = word("theme").and_then(|theme| theme.parse().ok());
        let today = data::today();
        let day = word("day").and_then(|day| day.parse::<Day>().ok()).filter(|day| *day <= today);
        Asked { mode, game, theme: theme.filter(|theme| Theme::of(game).contains(theme)), day: day.unwrap_or(today) }
    }

    fn link(self) -> String {
        let (game, day) = (self.game.to_string(), self.day.to_string());
        let mut pairs = vec![("mode", self.mode.word()), ("game", game.as_str())];
        pairs.extend(self.theme.map(|theme| ("theme", theme.name())));
        if self.mode == Mode::Daily && self.day != data::today() {
            pairs.push(("day", &day));
        }
        Route::Puzzles(write_query(&pairs)).link()
    }
}

/// Fetches what the page of an address begins with, so that the first frame has the board of the day.
pub async fn fetch_first(details: String) {
    let Asked { mode, game, day, .. } = Asked::read(&details);
    if mode == Mode::Daily {
        data::fetch_month(day, game).await;
    }
}

/// The page.
#[component]
pub fn Puzzles(
    /// What follows `?` in the address.
    details: String,
) -> impl IntoView {
    let settings = settings();
    let asked = Asked::read(&details);
    let diary = RwSignal::new(data::diary());
    let mode_link = move |mode: Mode| {
        let (name, about) = mode.words();
        let here = mode == asked.mode;
        let link = Asked { mode, theme: None, day: data::today(), ..asked }.link();
        view! { <a href=link id=here.then_some("mode-here") aria-current=here.then_some("page") title=say(about)>{say(name)}</a> }
    };
    // The puzzle of the day can be touched before anything else is fetched or drawn.
    let stands = RwSignal::new(asked.mode != Mode::Daily);
    request_animation_frame(move || {
        let begin = move || {
            // On a phone the rows are longer than the screen.
            ["mode-here", "theme-here"].into_iter().for_each(browser::show_way);
            let _ = stands.try_set(true);
        };
        set_timeout(begin, Duration::ZERO);
    });
    let game_link = move |game: GameId| {
        let here = game == asked.game;
        let link = Asked { game, theme: None, ..asked }.link();
        let mark = Signal::derive(move || {
            (asked.mode == Mode::Daily)
                .then(|| diary.with(|diary| diary.day(asked.day, game).map(|entry| entry.result)))
        });
        let class = live(move || match mark.get().flatten() {
            Some(Finish::Clean) => "game-choice clean",
            Some(Finish::Helped) => "game-choice helped",
            Some(Finish::Failed) => "game-choice failed",
            None => "game-choice",
        });
        let told = live(move || mark.get().map(|result| puzzle_words::day_result(settings.lang(), result)));
        view! {
            <a href=link class=class aria-current=here.then_some("page")>
                <span aria-hidden="true">{showing(move || stands.get(), move || view! { <GamePicture game /> })}</span>
                <b>{live(move || locale::game_name(settings.lang(), game))}</b>
                <small>{told}</small>
            </a>
        }
    };
    let (_, about) = asked.mode.words();
    let keeper = Keeper::new(asked.game, diary);
    let content = match asked.mode {
        Mode::Daily => daily(asked, diary, keeper),
        _ => ().into_any(),
    };
    let practice = showing(move || stands.get(), move || chunks::practice(Practice { asked, diary, keeper }));
    view! {
        <TopBar title=Signal::derive(move || settings.lang().puzzle_title().to_owned()) />
        <main class="puzzles">
            <nav class="modes" aria-label=say(Language::puzzle_modes)>{Mode::ALL.map(mode_link).collect_view()}</nav>
            <p class="quiet about">{say(about)}</p>
            <nav class="game-choices" aria-label=say(Language::puzzle_games)>{asked.mode.games().iter().copied().map(game_link).collect_view()}</nav>
            {content}
            {practice}
        </main>
    }
}

/// What of the page the chunk `practice` shows.
#[derive(Clone, Copy)]
pub struct Practice {
    asked: Asked,
    diary: RwSignal<Diary>,
    keeper: Keeper,
}

/// The modes besides the puzzle of the day, and what stands below that.
pub fn practice(Practice { asked, diary, keeper }: Practice) -> AnyView {
    keeper.begin();
    Effect::new(move || diary.with(data::keep_diary));
    // What the coming days need is fetched once the page stands.
    spawn(data::fetch_ahead(diary.get_untracked()));
    let Asked { game, day, .. } = asked;
    match asked.mode {
        Mode::Daily => view! {
            <div class="below">
                <Calendar asked diary />
                <Leaders keeper game day=Some(day) />
            </div>
        }
        .into_any(),
        Mode::Rated | Mode::Theme => view! { <Rated asked diary keeper /> }.into_any(),
        Mode::Streak => view! { <RunView game kind=RunKind::Streak diary keeper /> }.into_any(),
        Mode::Storm => view! {
            <RunView game kind=RunKind::Storm diary keeper />
            <Leaders keeper game day=None />
        }
        .into_any(),
        Mode::Own => view! { <OwnGames game /> }.into_any(),
    }
}

/// How far the puzzle has come that is to be shown.
#[derive(Clone, Debug, PartialEq)]
enum Fetched {
    Waiting,
    Here(Box<Puzzle>),
    NotHere(NotHere),
}

/// Takes in a puzzle that was picked: it is remembered as seen, and whether damaged ones were passed over is noted.
fn take_in(
    picked: Result<Picked, NotHere>,
    diary: RwSignal<Diary>,
    fetched: RwSignal<Fetched>,
    left_out: RwSignal<bool>,
) {
    let next = match picked {
        Ok(Picked { puzzle, passed_over }) => {
            let id = puzzle.id();
            let _ = diary.try_update(|diary| diary.remember(id));
            if passed_over {
                let _ = left_out.try_set(true);
            }
            Fetched::Here(Box::new(puzzle))
        }
        Err(why) => Fetched::NotHere(why),
    };
    let _ = fetched.try_set(next);
}

/// Says that damaged puzzles were left out.
fn left_out_note(left_out: RwSignal<bool>) -> AnyView {
    let settings = settings();
    let told = live(move || left_out.get().then(|| settings.lang().puzzle_left_out()));
    view! { <p class="quiet left-out" role="status">{told}</p> }.into_any()
}

/// What stands in the place of a puzzle that is not here.
fn not_here(fetched: &Fetched) -> AnyView {
    let why: Text = match fetched {
        Fetched::NotHere(NotHere::NotLoaded) => Language::puzzle_not_loaded,
        Fetched::NotHere(NotHere::Damaged) => Language::puzzle_damaged,
        _ => return view! { <div class="desk" aria-busy="true"></div> }.into_any(),
    };
    view! { <p class="notice" role="alert">{say(why)}</p> }.into_any()
}

/// The puzzle of the day.
fn daily(asked: Asked, diary: RwSignal<Diary>, keeper: Keeper) -> AnyView {
    match data::daily(asked.day, asked.game) {
        Ok(puzzle) => {
            let again = diary.with_untracked(|diary| diary.has_seen(puzzle.id()));
            let course = Course::Day(DayCourse { asked, diary, keeper, again });
            view! { <PuzzleDesk puzzle help=Help::Yes course /> }.into_any()
        }
        Err(why) => not_here(&Fetched::NotHere(why)),
    }
}

/// One puzzle after the other, of any theme for the rating or of one theme.
#[component]
fn Rated(asked: Asked, diary: RwSignal<Diary>, keeper: Keeper) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let Asked { game, mode, theme, .. } = asked;
    let fetched = RwSignal::new(Fetched::Waiting);
    let left_out = RwSignal::new(false);
    let usual = RwSignal::new(true);
    let next = move || {
        keeper.settle();
        spawn(async move {
            let known = diary.get_untracked();
            let query = PuzzleQuery {
                rating: keeper.rating().shown(),
                theme,
                usual: usual.get_untracked(),
                small: is_narrow(),
            };
            take_in(data::pick(game, query, &known).await, diary, fetched, left_out);
        });
    };
    next();
    let decided = Callback::new(move |solving: Solving| {
        if mode == Mode::Rated {
            solving.attempt.with_untracked(|attempt| keeper.rate(attempt, solving.seconds(), None));
        }
    });
    let over = RwSignal::new(false);
    let beside = Callback::new(move |()| {
        view! {
            {(mode == Mode::Rated).then(|| view! { <RatingLine keeper /> })}
            <div class="choices">
                <button type="button" class="button" class:main=live(move || over.get()) data-do="next"
                    on:click=press(move || { over.set(false); next() })>{say(Language::puzzle_next)}</button>
            </div>
        }
        .into_any()
    });
    let course = Course::Mode(ModeCourse { decided, over: Callback::new(move |_| over.set(true)), beside });
    let shown = move || match fetched.get() {
        Fetched::Here(puzzle) => view! {
            <PuzzleDesk puzzle=*puzzle help=Help::Yes course />
        }
        .into_any(),
        other => not_here(&other),
    };
    let theme_link = move |choice: Option<Theme>| {
        let link = Asked { theme: choice, ..asked }.link();
        let name =
            move || choice.map_or_else(|| lang().puzzle_all_themes(), |theme| puzzle_words::theme(lang(), theme));
        let here = choice == theme;
        view! { <a href=link id=here.then_some("theme-here") aria-current=here.then_some("page")>{live(name)}</a> }
    };
    let themes = (mode == Mode::Theme).then(|| {
        let all = std::iter::once(None).chain(Theme::of(game).iter().copied().map(Some));
        view! { <nav class="themes" aria-label=say(Language::puzzle_mode_theme)>{all.map(theme_link).collect_view()}</nav> }
    });
    let other_rules = puzzles::has_other_rules(game).then(|| view! {
        <label class="switch">
            <input type="checkbox" prop:checked=live(move || !usual.get()) on:change=move |_| usual.update(|usual| *usual = !*usual) />
            <span>{say(Language::puzzle_other_rules)}</span>
        </label>
    });
    view! {
        {themes}
        {left_out_note(left_out)}
        {shown}
        {other_rules}
    }
}

/// A rating with a question mark while little is known.
fn shown_rating(rating: Rating) -> String {
    format!("{}{}", rating.shown(), if rating.is_provisional() { "?" } else { "" })
}
