//! Who keeps the solver's rating: a server for an account, else this device. Results wait here until the server has them.

use std::time::Duration;

use game::GameId;
use locale::Language;
use protocol::{Json, Refusal};
use puzzles::{Attempt, Day, Diary, Outbox, Rating, Sending};
use ui::prelude::*;

use super::{data, shown_rating};
use crate::app::settings;
use crate::browser;
use crate::local_table::seed;
use crate::online::http::{self, HttpError};
use crate::route::Route;
use crate::settings::{keep, kept};
use crate::views::{live, say, showing, spawn};

/// What waits to be sent, and for whom.
const OUTBOX: &str = "puzzle-outbox";
const PERSON: &str = "puzzle-person";

/// How often what waits is sent again.
const RETRY: Duration = Duration::from_secs(10);

/// What a server knows of the solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Which person.
    pub id: String,
    /// Whether the server keeps a rating: it does for accounts.
    pub account: bool,
    rating: Rating,
}

/// A handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Keeper {
    game: GameId,
    /// Nothing while no server has answered.
    pub known: RwSignal<Option<Known>>,
    /// Counts what the server has taken.
    pub taken: RwSignal<u32>,
    waiting: RwSignal<usize>,
    /// How the last attempt moved the rating, here and at the server.
    here: RwSignal<Option<(Rating, Rating)>>,
    there: RwSignal<Option<u64>>,
    diary: RwSignal<Diary>,
    is_sending: StoredValue<bool>,
}

impl Keeper {
    /// Knows nothing yet.
    pub fn new(game: GameId, diary: RwSignal<Diary>) -> Keeper {
        Keeper {
            game,
            known: RwSignal::new(None),
            taken: RwSignal::new(0),
            waiting: RwSignal::new(0),
            here: RwSignal::new(None),
            there: RwSignal::new(None),
            diary,
            is_sending: StoredValue::new(false),
        }
    }

    /// Asks the server of this page, if there is one, and sends what waits.
    pub fn begin(self) {
        self.send_waiting();
        let ticking = set_interval_with_handle(
            move || {
                if self.waiting.try_get_untracked().is_some_and(|waiting| waiting > 0) {
                    self.send_waiting();
                }
            },
            RETRY,
        );
        on_cleanup(move || {
            if let Ok(ticking) = ticking {
                ticking.clear();
            }
        });
    }

    /// Moves this device's rating by an attempt, and hands the attempt in.
    pub fn rate(self, attempt: &Attempt, seconds: u32, day: Option<Day>) {
        let Some(score) = attempt.score() else { return };
        let measured = Rating::of_puzzle(attempt.puzzle().rating.unwrap_or(1200));
        self.here.set(self.diary.try_update(|diary| diary.rate(self.game, measured, score)));
        self.hand_in(Sending::attempt(&format!("{:x}{:x}", data::now(), seed()), attempt, seconds, day));
    }

    /// Keeps a request for the person whom the server knew last, and sends it.
    pub fn hand_in(self, sending: Sending) {
        let Some(person) = kept(PERSON) else { return };
        let mut outbox = outbox();
        outbox.push(&person, sending);
        keep(OUTBOX, &outbox.to_string());
        self.waiting.set(outbox.waiting(&person));
        self.send_waiting();
    }

    /// Forgets how the last attempt moved the rating.
    pub fn settle(self) {
        self.here.set(None);
        self.there.set(None);
    }

    /// The rating by which puzzles are chosen.
    pub fn rating(self) -> Rating {
        let kept = self.known.with_untracked(|known| known.clone().filter(|known| known.account));
        kept.map_or_else(|| self.diary.with_untracked(|diary| diary.rating(self.game)), |known| known.rating)
    }

    /// Sends what waits, one after the other, without anybody waiting for it.
    fn send_waiting(self) {
        if self.is_sending.try_get_value() != Some(false) {
            return;
        }
        self.is_sending.set_value(true);
        spawn(async move {
            self.sends().await;
            // The page may have been left meanwhile.
            let _ = self.is_sending.try_update_value(|is_sending| *is_sending = false);
        });
    }

    async fn sends(self) -> Option<()> {
        let known = self.ask().await;
        let person = known.clone().map(|known| known.id).or_else(|| kept(PERSON))?;
        self.waiting.try_update(|waiting| *waiting = outbox().waiting(&person))?;
        self.known.try_update(|it| it.clone_from(&known))?;
        known.as_ref()?;
        keep(PERSON, &person);
        while let Some(next) = outbox().next(&person).cloned() {
            let answer = http::post(&next.path, &next.body).await;
            if let Err(
                HttpError::Silence | HttpError::Strange | HttpError::Refused(Refusal::TooFast | Refusal::Storage),
            ) = answer
            {
                return None;
            }
            let mut left = outbox();
            left.done(&next);
            keep(OUTBOX, &left.to_string());
            self.waiting.try_update(|waiting| *waiting = left.waiting(&person))?;
            let answer = answer.unwrap_or(Json::Null);
            if answer.get("rating_after").is_some() {
                self.there.try_update(|there| *there = Some(answer.number_of("rating_before")))?;
            }
            self.known.try_update(|known| {
                if let Some(known) = known.as_mut().filter(|_| answer.get("rating_after").is_some()) {
                    known.rating = read_rating(&answer, "rating_after");
                }
            })?;
            self.taken.try_update(|taken| *taken += 1)?;
        }
        Some(())
    }

    /// What the server knows of the solver; nothing without a server or a network.
    async fn ask(self) -> Option<Known> {
        if !browser::has_server().await.is_truthy() {
            return None;
        }
        let it = http::get(&format!("api/puzzles/rating?game={}", self.game)).await.ok()?;
        Some(Known { id: it.text_of("id"), account: it.holds("account"), rating: read_rating(&it, "rating") })
    }
}

fn outbox() -> Outbox {
    kept(OUTBOX).map(|text| Outbox::read(&text)).unwrap_or_default()
}

fn read_rating(it: &Json, name: &str) -> Rating {
    Rating { rating: it.number_of(name) as f64, deviation: it.number_of("deviation") as f64, ..Rating::NEW_SOLVER }
}

/// The rating, and who keeps it.
#[component]
pub fn RatingLine(keeper: Keeper) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let kept_there = move || keeper.known.with(|known| known.clone().filter(|known| known.account));
    let told = live(move || match (kept_there(), keeper.there.get(), keeper.here.get()) {
        (Some(known), Some(before), _) => lang().puzzle_rating_change(before, shown_rating(known.rating)),
        (Some(known), None, _) => lang().puzzle_your_rating(shown_rating(known.rating)),
        (None, _, Some((before, after))) => lang().puzzle_rating_change(shown_rating(before), shown_rating(after)),
        (None, _, None) => {
            lang().puzzle_your_rating(shown_rating(keeper.diary.with(|diary| diary.rating(keeper.game))))
        }
    });
    let keeps = live(move || {
        let by_server = kept_there().is_some();
        if by_server { lang().puzzle_rating_by_server() } else { lang().puzzle_rating_by_device() }
    });
    let waits = live(move || {
        let waiting = keeper.waiting.get();
        (waiting > 0).then(|| lang().puzzle_waiting(waiting as u64))
    });
    view! {
        <p class="rating" role="status">{told}</p>
        <p class="quiet keeper">{keeps}" "{waits}</p>
        {sign_in(keeper)}
    }
}

/// The way to an account, for who has none on this server.
pub fn sign_in(keeper: Keeper) -> impl IntoView {
    showing(
        move || keeper.known.with(|known| known.as_ref().is_some_and(|known| !known.account)),
        move || {
            view! {
                <p class="quiet">{say(Language::puzzle_rating_account)}" "
                    <a href=Route::Account.link()>{say(Language::puzzle_sign_in)}</a></p>
            }
        },
    )
}
