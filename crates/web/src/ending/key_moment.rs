//! The move that decided the game: the engine looks through it in the background, and the card shows the position.

use game::{Cause, Match};
use locale::Language;
use search::{Judgement, Mistake, Review, Step};
use ui::prelude::*;

use crate::app::settings;
use crate::engine::Engine;
use crate::match_view::MatchView;
use crate::move_text;
use crate::pages::analyse::prefix;
use crate::parts::Thumbnail;
use crate::views::{live, press, say, showing};
use ::engine::Question;

/// How long the whole game is looked at, in milliseconds; a move gets its share of it within these bounds.
const WHOLE_GAME: u32 = 6_000;
const SHORTEST: u32 = 30;
const LONGEST: u32 = 250;
/// A game of fewer moves is not judged as a whole.
const SHORT: usize = 8;

/// What is known of the key moment.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Moment {
    /// The engine is looking for it.
    Searching,
    /// The mistake that decided the game.
    Found(Box<Judgement<String>>),
    /// No move gave anything away, and the game was played out.
    None,
    /// No move gave anything away before the game was given up.
    Open,
    /// The game ended after a few moves.
    TooShort,
    /// The engine cannot tell.
    Unknown,
}

/// Begins to look for the key moment of a match that is over.
pub(super) fn search(match_view: MatchView) -> RwSignal<Moment> {
    let moment = RwSignal::new(Moment::Searching);
    let game = match_view.game_untracked(Match::clone);
    let steps = game.review_steps();
    if steps.is_empty() {
        moment.set(Moment::Unknown);
        return moment;
    }
    let share = WHOLE_GAME / u32::try_from(steps.len()).unwrap_or(u32::MAX);
    let engine = StoredValue::new(Engine::default());
    on_cleanup(move || engine.with_value(Engine::stop));
    let searching = Searching { game, steps, milliseconds: share.clamp(SHORTEST, LONGEST), engine, moment };
    searching.judge(Review::default(), 0);
    moment
}

/// A look through the game, move by move.
struct Searching {
    game: Match,
    steps: Vec<Step<String>>,
    milliseconds: u32,
    engine: StoredValue<Engine>,
    moment: RwSignal<Moment>,
}

impl Searching {
    fn judge(self, mut review: Review<String>, done: usize) {
        let Some(step) = self.steps.get(done).cloned() else {
            let found = review.key_moment().cloned();
            let found =
                found.map_or_else(|| without_mistakes(&self.game, done), |found| Moment::Found(Box::new(found)));
            let _ = self.moment.try_set(if review.judgements().is_empty() { Moment::Unknown } else { found });
            return;
        };
        let record = prefix(&self.game, step.entry).record().to_string();
        let question = Question { id: 0, record, level: None, milliseconds: self.milliseconds, seed: 1 };
        let engine = self.engine;
        // The card may be gone by now.
        let _ = engine.try_with_value(|engine| {
            engine.ask(question, move |found| match found {
                Some(found) => {
                    review.judge(step, &found);
                    self.judge(review, done + 1);
                }
                None => drop(self.moment.try_set(Moment::Unknown)),
            });
        });
    }
}

/// What can be said of a game in which no move of so many gave anything away: only one that was played out deserves praise.
fn without_mistakes(game: &Match, moves: usize) -> Moment {
    match game.ending().map(|ending| ending.cause) {
        _ if moves < SHORT => Moment::TooShort,
        Some(Cause::Rules | Cause::Agreement | Cause::Repetition) => Moment::None,
        _ => Moment::Open,
    }
}

/// The position in which the game was decided, small, with a sentence. A press shows it on the large board.
#[component]
pub(super) fn KeyMoment(match_view: MatchView, moment: RwSignal<Moment>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let found = Memo::new(move |_| match moment.get() {
        Moment::Found(found) => Some(*found),
        _ => None,
    });
    let length = move || found.with(|found| found.as_ref().map(|found| found.step.entry + 1));
    let picture = Signal::derive(move || {
        let Some(length) = length() else { return String::new() };
        match_view.with(|view| {
            let mut scene = view.scene_at(length);
            scene.highlights.extend(view.marks(length));
            art::picture(&scene, "")
        })
    });
    let title = move || {
        let found = found.get()?;
        let names = match_view.names(lang());
        let seat = found.step.seat;
        let who = if names.is_you(seat) { lang().you().to_owned() } else { names.seat(seat).to_owned() };
        let number = match_view.with(|view| view.history.moves(found.step.entry + 1));
        Some(lang().moment_title(number, who))
    };
    let told = move || found.get().and_then(|found| Some(sentence(lang(), found.mistake?)));
    let better = move || {
        let found = found.get()?;
        let game = match_view.game(|game| game.settings().game.clone());
        let action = move_text::action(lang(), &game, found.better.first()?);
        Some(move_text::drawn(lang(), &lang().moment_better(action)))
    };
    let look = move || match_view.looking.set(length());
    let quiet = live(move || match moment.get() {
        Moment::Searching => Some(lang().moment_search()),
        Moment::None => Some(lang().moment_none()),
        Moment::Open => Some(lang().moment_open()),
        Moment::TooShort => Some(lang().moment_short()),
        Moment::Found(_) | Moment::Unknown => None,
    });
    view! {
        <div class="moment">
            <p class="quiet" role="status">{quiet}</p>
            {showing(move || found.read().is_some(), move || view! {
                <button type="button" class="moment-board" aria-label=say(Language::moment_look) on:click=press(look)><span aria-hidden="true"><Thumbnail picture /></span></button>
                <div>
                    <b>{live(title)}</b>
                    <p>{live(told)}</p>
                    <p class="quiet" inner_html=live(move || better().unwrap_or_default())></p>
                </div>
            })}
        </div>
    }
}

/// What was given away, told to the reader after the game.
fn sentence(language: Language, mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::WinToDraw => language.moment_win_to_draw(),
        Mistake::WinToLoss => language.moment_win_to_loss(),
        Mistake::DrawToLoss => language.moment_draw_to_loss(),
        Mistake::MissedWin => language.moment_missed_win(),
        Mistake::Loses => language.moment_loses(),
        Mistake::Doubtful => language.moment_doubtful(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::MatchSettings;
    use rules::Seat;

    use super::*;

    #[test]
    fn only_a_game_that_was_played_out_is_praised() {
        let mut game = Match::new(MatchSettings::new("quixo".parse().unwrap())).unwrap();
        for action in ["a3e3", "a2e2"] {
            game.play(action, Duration::ZERO).unwrap();
        }
        game.resign(Seat::ONE, Duration::ZERO).unwrap();
        assert_eq!(without_mistakes(&game, 2), Moment::TooShort);
        assert_eq!(without_mistakes(&game, 20), Moment::Open, "it was given up");
        let drawn = "[Game \"quixo\"]\n\n1. a3e3 2. a2e2 agreed\n";
        let drawn = game::Record::read_all(drawn).ok().and_then(|mut records| records.pop()?.replay().ok());
        assert_eq!(drawn.map(|game| without_mistakes(&game, 20)), Some(Moment::None));
    }
}
