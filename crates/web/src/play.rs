//! A match on this device: what the table page shows and what its buttons do.

use std::time::Duration;

use leptos::prelude::*;
use locale::{Language, Names};
use rules::{Seat, Viewer};
use scene::{Happening, Highlight, Message, Piece, Place, Scene, Spot, Touched};
use search::Level;
use table::{Consent, Event, Match, MatchError, Player, ProposalKind, Setup};

use crate::board::Marks;
use crate::browser::{self, store};
use crate::drags;
use crate::engine::Engine;
use crate::lean::spawn;
use crate::messages::{Found, Question};
use crate::settings::Settings;

/// How long a piece is on its way, in milliseconds.
const FLIGHT: f64 = 240.0;
/// An answer that comes at once would look like no thought at all.
const LEAST_THOUGHT: u32 = 350;

/// A match with everything around it; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Play {
    key: StoredValue<String>,
    /// The match.
    pub game: RwSignal<Match>,
    picker: RwSignal<scene::Picker>,
    /// What the last action did.
    pub happening: RwSignal<Option<Happening>>,
    /// Something to tell: a refusal, a hint, a failure.
    pub notice: RwSignal<Option<String>>,
    /// Looking back: how many events of the log are shown.
    pub looking: RwSignal<Option<usize>>,
    /// The engine is asked.
    pub thinking: RwSignal<bool>,
    /// With hidden hands and several people: whose cards are shown. `None` while the curtain is down.
    pub revealed: RwSignal<Option<Seat>>,
    /// What analysis or a hint marks.
    pub hint: RwSignal<Option<Found>>,
    engine: StoredValue<Engine, LocalStorage>,
    settings: Settings,
    /// The only seat that acts on a board to try things on.
    practice: Option<Seat>,
}

impl Play {
    /// Sits down at a new match, or at one that was kept.
    pub fn new(key: String, game: Match, settings: Settings) -> Play {
        let play = Play {
            key: StoredValue::new(key),
            game: RwSignal::new(game),
            picker: RwSignal::new(scene::Picker::new()),
            happening: RwSignal::new(None),
            notice: RwSignal::new(None),
            looking: RwSignal::new(None),
            thinking: RwSignal::new(false),
            revealed: RwSignal::new(None),
            hint: RwSignal::new(None),
            engine: StoredValue::new_local(Engine::default()),
            settings,
            practice: None,
        };
        play.game.update_untracked(|game| game.start_clock(now()));
        on_cleanup(move || play.engine.with_value(Engine::stop));
        play
    }

    /// Sits down at one seat of a position to try something: nothing is kept, and nobody answers.
    ///
    /// There may be several such boards on a page, so the key is the name of the element around this one.
    pub fn practise(key: String, game: Match, seat: Seat, settings: Settings) -> Play {
        Play { practice: Some(seat), ..Play::new(key, game, settings) }
    }

    /// The key of the match, or the name of the element around a board to try things on.
    pub fn key(&self) -> String {
        self.key.get_value()
    }

    /// Lets drags reach this match for as long as it is shown.
    pub fn accept_drags(self) {
        let may_touch = Callback::new(move |spot| untrack(|| self.marks().next.contains(&spot)));
        drags::accept(self.key(), Callback::new(move |spot| self.touch(spot)), may_touch);
    }

    /// The seats that people hold.
    pub fn people(&self) -> Vec<Seat> {
        if let Some(seat) = self.practice {
            return vec![seat];
        }
        self.game.with(|game| {
            let sitters = game.setup().sitters.iter().enumerate();
            sitters.filter(|(_, sitter)| sitter.player() == Player::Person).map(|(n, _)| Seat::from_index(n)).collect()
        })
    }

    /// Whose eyes the page shows.
    pub fn viewer(&self) -> Viewer {
        match self.people().as_slice() {
            [] => Viewer::Spectator,
            [only] => Viewer::Seat(*only),
            _ if self.game.with(|game| game.position().hides()) => {
                self.revealed.get().map_or(Viewer::Spectator, Viewer::Seat)
            }
            people => match self.game.with(Match::to_act) {
                Some(seat) if people.contains(&seat) => Viewer::Seat(seat),
                _ => Viewer::Seat(people[0]),
            },
        }
    }

    /// The seat that must take the device before the game can go on.
    pub fn curtain(&self) -> Option<Seat> {
        let people = self.people();
        let seat = self.game.with(Match::to_act)?;
        let hidden = people.len() > 1 && self.game.with(|game| game.position().hides());
        (hidden && people.contains(&seat) && self.revealed.get() != Some(seat)).then_some(seat)
    }

    /// What everybody is called, in a language.
    pub fn names(&self, language: Language) -> Names {
        let people = self.people();
        self.game.with(|game| names(language, game, &people))
    }

    /// What is shown: now, or where one looks back to.
    pub fn scene(&self) -> Scene {
        let viewer = self.viewer();
        self.game.with(|game| match self.looking.get() {
            Some(length) => earlier(game, length).map_or_else(|| game.position().scene(viewer), |it| it.scene(viewer)),
            None => game.position().scene(viewer),
        })
    }

    /// Whether a person may act now on this page.
    pub fn may_act(&self) -> bool {
        self.looking.get().is_none()
            && self.curtain().is_none()
            && self.game.with(Match::to_act).is_some_and(|seat| self.people().contains(&seat))
    }

    /// What to mark on the board.
    pub fn marks(&self) -> Marks {
        if self.looking.get().is_some() {
            return Marks { highlights: self.scene().highlights, ..Marks::default() };
        }
        let mut highlights = self.scene().highlights;
        if let Some(happening) = self.happening.get() {
            highlights.extend(happening.highlights);
        }
        let touched = self.picker.with(|picker| picker.touched().to_vec());
        let next = if self.may_act() {
            let choices = self.game.with(|game| game.position().choices());
            self.picker.with(|picker| picker.next(&choices)).into_iter().filter(|spot| !spot.is_quiet()).collect()
        } else {
            Vec::new()
        };
        if let Some(found) = self.hint.get() {
            let choices = self.game.with(|game| game.position().choices());
            let spots = choices.into_iter().find(|choice| choice.action == found.action).map(|choice| choice.touches);
            highlights.push(Highlight::Last(spots.unwrap_or_default().into_iter().filter_map(Spot::square).collect()));
        }
        Marks { next, touched, highlights, values: Vec::new() }
    }

    /// What to do now, as the touches so far leave it.
    pub fn prompt(&self) -> Message {
        let viewer = self.viewer();
        let touched = self.picker.with(|picker| picker.touched().to_vec());
        self.game.with(|game| game.position().prompt(viewer, &touched))
    }

    /// A person touches something.
    pub fn touch(self, spot: Spot) {
        self.notice.set(None);
        if self.looking.get_untracked().is_some() {
            self.looking.set(None);
            return;
        }
        if !untrack(|| self.may_act()) {
            return;
        }
        let choices = self.game.with_untracked(|game| game.position().choices());
        let touched = self.picker.try_update(|picker| picker.touch(&choices, spot));
        match touched {
            Some(Touched::Complete(action)) => self.act(&action),
            Some(Touched::Nowhere(tried)) => self.explain(&tried),
            _ => {}
        }
    }

    /// Takes back the last touch of a half-made choice.
    pub fn back(self) {
        self.picker.update(|picker| {
            picker.back();
        });
    }

    /// Plays a typed action.
    pub fn type_action(self, action: &str) -> bool {
        let legal = self.game.with_untracked(|game| game.legal().iter().any(|legal| legal == action));
        if legal && untrack(|| self.may_act()) {
            self.act(action);
        } else {
            let refused = self.game.with_untracked(|game| game.position().boxed().play(action).err());
            self.notice.set(refused.map(|refused| refusal(self.settings.language.get_untracked(), &refused)));
        }
        legal
    }

    /// Why touches lead nowhere, in a sentence.
    fn explain(self, tried: &[Spot]) {
        let viewer = untrack(|| self.viewer());
        let refused = self.game.with_untracked(|game| {
            let position = game.position();
            position.meant(viewer, tried).and_then(|action| position.boxed().play(&action).err())
        });
        if let Some(refused) = refused {
            self.notice.set(Some(refusal(self.settings.language.get_untracked(), &refused)));
        }
    }

    /// Plays an action for whoever is to act, shows it, and lets the game go on.
    pub fn act(self, action: &str) {
        let viewer = untrack(|| self.viewer());
        let happening = self.game.with_untracked(|game| game.position().happening(action, viewer).ok());
        let played = self.game.try_update(|game| game.play(action, now()));
        self.picker.update(scene::Picker::clear);
        self.hint.set(None);
        match played {
            Some(Ok(())) => {
                if let Some(happening) = happening {
                    self.show(happening);
                }
                self.save();
                self.go_on();
            }
            Some(Err(MatchError::TimeUp(_))) => self.save(),
            _ => {}
        }
    }

    /// Animates and sounds what happened, and leaves its marks.
    fn show(self, happening: Happening) {
        let motions = happening.motions.clone();
        let sound = self.settings.sound.get_untracked();
        let around = self.practice.map(|_| format!("#{} ", self.key.get_value())).unwrap_or_default();
        let selector = move |place| format!("{around}{}", selector(place));
        self.happening.set(Some(happening));
        let won = self.game.with_untracked(|game| game.ending().is_some());
        request_animation_frame(move || {
            for motion in &motions {
                let delay = f64::from(motion.step) * FLIGHT * 0.8;
                let (from, to) = (selector(motion.from), selector(motion.to));
                if stays(motion.to) {
                    browser::arrive(&from, &to, delay, FLIGHT);
                } else {
                    browser::leave(&from, &to, &crate::art::piece(motion.piece), delay, FLIGHT);
                }
            }
            if sound {
                browser::play_sound(if won { "win" } else { material(motions.first().map(|motion| motion.piece)) });
            }
        });
    }

    /// Draws for chance, asks the engine for a bot, or waits for a person.
    pub fn go_on(self) {
        if self.game.with_untracked(Match::chance_is_due) {
            let pause = self.game.with_untracked(|game| if game.log().len() < 60 && dealing(game) { 20 } else { 260 });
            set_timeout(move || self.draw_one(), Duration::from_millis(pause));
            return;
        }
        let bot = self.game.with_untracked(|game| {
            let seat = game.to_act()?;
            match game.setup().sitters.get(seat.index())?.player() {
                Player::Bot(level) => Some(level),
                Player::Person => None,
            }
        });
        if let Some(level) = bot {
            self.ask(Some(level), milliseconds(level), move |found| self.bot_answered(found));
        }
    }

    fn draw_one(self) {
        let action = self.game.with_untracked(|game| {
            let chances = game.position().chances();
            let total: u32 = chances.iter().map(|(_, weight)| weight).sum();
            let mut left = (js_sys::Math::random() * f64::from(total)) as u32;
            chances.into_iter().find(|(_, weight)| {
                let found = left < *weight;
                left = left.saturating_sub(*weight);
                found
            })
        });
        if let Some((action, _)) = action
            && self.game.with_untracked(Match::chance_is_due)
        {
            self.act(&action);
        }
    }

    fn bot_answered(self, found: Option<Found>) {
        match found {
            Some(found) => self.act(&found.action),
            None => {
                let text = self.settings.language.get_untracked().web_engine_failed();
                self.notice.set(Some(text.to_string()));
            }
        }
    }

    /// Asks the engine about the match as it is now; an answer that comes too late is not used.
    fn ask(self, level: Option<Level>, milliseconds: u32, answered: impl FnOnce(Option<Found>) + 'static) {
        let record = self.game.with_untracked(|game| game.record().to_string());
        let asked_at = self.game.with_untracked(|game| game.log().len());
        let began = js_sys::Date::now();
        let seed = (js_sys::Math::random() * 9e15) as u64;
        let question = Question { id: 0, record, level: level.map(Level::number), milliseconds, seed };
        self.thinking.set(true);
        let least = if level.is_some() { f64::from(LEAST_THOUGHT) } else { 0.0 };
        self.engine.with_value(|engine| {
            engine.ask(question, move |found| {
                let wait = (least - (js_sys::Date::now() - began)).max(0.0);
                set_timeout(
                    move || {
                        self.thinking.set(false);
                        let current =
                            self.game.with_untracked(|game| game.log().len() == asked_at && game.ending().is_none());
                        if current {
                            answered(found);
                        }
                    },
                    Duration::from_millis(wait as u64),
                );
            });
        });
    }

    /// Cuts a bot's thinking short: a fresh engine gets a blink of time.
    pub fn hurry(self) {
        self.engine.with_value(Engine::stop);
        self.thinking.set(false);
        let level = self.game.with_untracked(|game| {
            let seat = game.to_act()?;
            match game.setup().sitters.get(seat.index())?.player() {
                Player::Bot(level) => Some(level),
                Player::Person => None,
            }
        });
        if let Some(level) = level {
            self.ask(Some(level), 60, move |found| self.bot_answered(found));
        }
    }

    /// Asks for advice and marks it.
    pub fn ask_hint(self) {
        self.ask(None, 800, move |found| {
            let said = found.as_ref().map(|found| crate::words::advice(self.settings.language.get_untracked(), found));
            self.hint.set(found);
            self.notice.set(said);
        });
    }

    /// Takes back to a person's last decision, as far as the rules of the table allow.
    pub fn undo(self) {
        self.engine.with_value(Engine::stop);
        self.thinking.set(false);
        let people = untrack(|| self.people());
        let undone = self.game.try_update(|game| {
            let mut done = game.undo(Consent::NotAsked, now());
            while done.is_ok() && !game.to_act().is_some_and(|seat| people.contains(&seat)) {
                done = game.undo(Consent::NotAsked, now());
            }
            done
        });
        self.after_change();
        if let Some(Err(refused)) = undone {
            let language = self.settings.language.get_untracked();
            let text = match refused {
                MatchError::NeedsConsent => language.match_needs_consent(),
                _ => language.match_nothing_to_undo(),
            };
            self.notice.set(Some(text.to_owned()));
            self.go_on();
        }
    }

    /// Plays again what was taken back.
    pub fn redo(self) {
        let people = untrack(|| self.people());
        self.game.update(|game| {
            while game.can_redo() && game.redo(Consent::NotAsked, now()).is_ok() {
                if game.to_act().is_some_and(|seat| people.contains(&seat)) {
                    break;
                }
            }
        });
        self.after_change();
        self.go_on();
    }

    /// The person whose page this is gives up.
    pub fn resign(self) {
        let people = untrack(|| self.people());
        let seat =
            self.game.with_untracked(Match::to_act).filter(|seat| people.contains(seat)).or(people.first().copied());
        if let Some(seat) = seat {
            self.engine.with_value(Engine::stop);
            self.thinking.set(false);
            self.game.update(|game| drop(game.resign(seat, now())));
            self.after_change();
            self.go_on();
        }
    }

    /// Offers a draw: another person here is asked, a computer player asks itself what it can expect.
    pub fn offer_draw(self) {
        let people = untrack(|| self.people());
        let language = self.settings.language.get_untracked();
        let Some(seat) = self.game.with_untracked(Match::to_act).filter(|seat| people.contains(seat)) else {
            return;
        };
        let offered = self.game.try_update(|game| game.propose(seat, ProposalKind::Draw, now()));
        match offered {
            Some(Ok(_)) if people.len() > 1 => {}
            Some(Ok(_)) => self.ask(None, 600, move |found| {
                // What is good for the person who offers is bad for the one who is asked.
                let hopeful = found.is_some_and(|found| found.worth.score() < 0.5);
                if hopeful {
                    self.answer_draw(false);
                    self.notice.set(Some(language.offer_declined().to_owned()));
                } else {
                    self.answer_draw(true);
                }
            }),
            _ => {}
        }
    }

    /// The seat that offers a draw to another person here.
    pub fn offered(&self) -> Option<Seat> {
        let several = self.people().len() > 1;
        self.game.with(|game| game.proposal().filter(|_| several).map(|proposal| proposal.by))
    }

    /// All others answer an offer.
    pub fn answer_draw(self, accept: bool) {
        self.game.update(|game| {
            let Some(by) = game.proposal().map(|proposal| proposal.by) else { return };
            for seat in Seat::all(game.position().seats()).filter(|seat| *seat != by) {
                if accept {
                    let _ = game.agree(seat, now());
                } else {
                    let _ = game.decline(seat);
                }
            }
        });
        self.save();
    }

    /// Gives the person the record as a file.
    pub fn download(self) {
        let (name, record) = self.game.with_untracked(|game| {
            let viewer = untrack(|| self.viewer());
            let record = if game.ending().is_some() { game.record() } else { game.record_for(viewer) };
            (format!("{}.fourfold", game.setup().game.id()), record.to_string())
        });
        browser::download(&name, &record);
    }

    /// Looks at the clock; call it now and then.
    pub fn tick(self) {
        let fallen = self.game.try_update_untracked(|game| game.tick(now())).flatten();
        if fallen.is_some() {
            self.engine.with_value(Engine::stop);
            self.thinking.set(false);
            self.game.update(|_| {});
            self.after_change();
            self.go_on();
        }
    }

    fn after_change(self) {
        self.picker.update(scene::Picker::clear);
        self.happening.set(None);
        self.hint.set(None);
        self.notice.set(None);
        self.looking.set(None);
        self.save();
    }

    /// Keeps the match on this device.
    pub fn save(self) {
        if self.practice.is_some() {
            return;
        }
        let (record, over) = self.game.with_untracked(|game| (game.record().to_string(), game.ending().is_some()));
        let key = self.key.get_value();
        spawn(async move {
            if store::put(&key, &record, over).await.is_err() {
                crate::pages::table::hand_over(&key, record);
                self.notice.set(Some(self.settings.language.get_untracked().web_storage_refused().to_string()));
            }
        });
    }
}

/// Time passed since some fixed moment.
pub fn now() -> Duration {
    Duration::from_secs_f64(js_sys::Date::now() / 1000.0)
}

/// A key for a new match on this device.
pub fn new_key() -> String {
    format!("{:x}{:04x}", js_sys::Date::now() as u64, (js_sys::Math::random() * 65536.0) as u32)
}

/// A match with the seats and options of another, everybody one seat further.
pub fn rematch(setup: &Setup) -> Setup {
    let mut again = setup.clone();
    again.sitters.rotate_right(1);
    again.start = None;
    again.date = None;
    again
}

/// How long a level may think about one action.
fn milliseconds(level: Level) -> u32 {
    [200, 200, 300, 400, 500, 700, 900, 1200][usize::from(level.number() - 1)]
}

/// The position after so many events.
fn earlier(game: &Match, length: usize) -> Option<Box<dyn table::AnyPosition>> {
    let actions = game.log().iter().take(length).filter(|entry| matches!(entry.event, Event::Action(_))).count();
    game.positions().into_iter().nth(actions)
}

/// Before anybody has acted there is much to draw, and nobody wants to watch each card.
fn dealing(game: &Match) -> bool {
    game.log().iter().all(|entry| matches!(&entry.event, Event::Action(action) if action.starts_with("tile:") || action.starts_with("draw:")))
}

/// What a game calls its seats when nobody sits there.
pub fn usual_names(game: table::GameId, language: Language) -> Names {
    Names::usual(language, crate::words::game(game), game.by_default().seats())
}

fn names(language: Language, game: &Match, people: &[Seat]) -> Names {
    let id = game.setup().game.id();
    let mut names = Names::usual(language, crate::words::game(id), game.position().seats());
    for (index, sitter) in game.setup().sitters.iter().enumerate() {
        let seat = Seat::from_index(index);
        match sitter.player() {
            _ if !sitter.name().is_empty() => names.rename(seat, sitter.name()),
            Player::Bot(level) => names.rename(seat, crate::words::level(language, level)),
            Player::Person => {}
        }
    }
    match people {
        [only] => names.speaking_to(*only),
        _ => names,
    }
}

/// Why an action was refused, in the language of the person.
pub fn refusal(language: Language, refused: &table::Refused) -> String {
    match refused {
        table::Refused::Unreadable(unreadable) => language.web_unreadable(unreadable.text()).to_string(),
        table::Refused::Illegal { reason, .. } => locale::reason(language, *reason).to_owned(),
    }
}

/// The element of a place.
fn selector(place: Place) -> String {
    match place {
        Place::Square(square) => format!("[data-spot='{square}']"),
        Place::Stock(figure) => format!("[data-spot='stock:{figure}']"),
        Place::Held => "[data-place='held']".to_owned(),
        Place::Hand(seat) => format!("[data-place='hand-{seat}']"),
        Place::Pile => "[data-place='pile']".to_owned(),
        Place::Discards(seat) => format!("[data-place='discards-{seat}']"),
        Place::Reserve(seat) | Place::Captured(seat) => format!("[data-place='plate-{seat}']"),
    }
}

/// Whether a piece can be seen where it arrives.
fn stays(place: Place) -> bool {
    matches!(place, Place::Square(_) | Place::Held | Place::Stock(_))
}

fn material(piece: Option<Piece>) -> &'static str {
    match piece {
        Some(Piece::Card(_)) => "card",
        Some(Piece::Stone(_) | Piece::Chip(_)) => "stone",
        _ => "wood",
    }
}
