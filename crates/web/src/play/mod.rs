//! A match on this device: it is kept here, computer players answer, and what people wish for is done at once.

mod bots;
mod wishes;

use std::time::Duration;

use game::{Event, Match, MatchError, MatchSettings, Player};
use leptos::prelude::*;
use rules::{Seat, Viewer};

use crate::browser::store;
use crate::engine::Engine;
use crate::lean::spawn;
use crate::settings::Settings;
use crate::sight::{Eyes, Hands, Scope, Sight, now};

/// A match with everything around it; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Play {
    /// The match as it is seen here.
    pub sight: Sight,
    /// The match.
    pub game: RwSignal<Match>,
    /// The engine is asked.
    pub thinking: RwSignal<bool>,
    /// With hidden hands and several people: whose cards are shown. `None` while the curtain is down.
    pub revealed: RwSignal<Option<Seat>>,
    engine: StoredValue<Engine, LocalStorage>,
    settings: Settings,
    /// The only seat that acts on a board to try things on.
    practice: Option<Seat>,
}

impl Play {
    /// Sits down at a new match, or at one that was kept.
    pub fn new(key: String, game: Match, settings: Settings) -> Play {
        Play::sit_down(key, game, settings, None)
    }

    /// Sits down at one seat of a position to try something: nothing is kept, and nobody answers.
    ///
    /// There may be several such boards on a page, so the key is the name of the element around this one.
    pub fn practise(key: String, game: Match, seat: Seat, settings: Settings) -> Play {
        Play::sit_down(key, game, settings, Some(seat))
    }

    fn sit_down(key: String, mut game: Match, settings: Settings, practice: Option<Seat>) -> Play {
        game.start_clock(now());
        let (game, revealed) = (RwSignal::new(game), RwSignal::new(None));
        let eyes = Signal::derive(move || game.with(|game| eyes(game, revealed.get(), practice)));
        let left = Callback::new(move |seat| game.with(|game| game.clock().left(seat, now())));
        let scope = if practice.is_some() { Scope::Element } else { Scope::Page };
        let play = Play {
            sight: Sight::new(key, scope, game, eyes, left, settings),
            game,
            thinking: RwSignal::new(false),
            revealed,
            engine: StoredValue::new_local(Engine::default()),
            settings,
            practice,
        };
        play.sight.recall();
        play.sight.on_choice(Callback::new(move |action: String| play.act(&action)));
        on_cleanup(move || play.engine.with_value(Engine::stop));
        play
    }

    /// The seats that people hold.
    pub fn people(&self) -> Vec<Seat> {
        self.game.with(|game| people(game, self.practice))
    }

    /// The seat that must take the device before the game can go on.
    pub fn curtain(&self) -> Option<Seat> {
        self.game.with(|game| curtain(game, self.revealed.get(), &people(game, self.practice)))
    }

    /// Opens the curtain for a seat. What was told to the one before, such as the card they drew, is not for its eyes.
    pub fn reveal(self, seat: Option<Seat>) {
        self.revealed.set(seat);
        self.sight.settle();
    }

    /// Plays an action for whoever is to act, shows it, and lets the game go on.
    pub fn act(self, action: &str) {
        match self.sight.played(action, |game| game.play(action, now())) {
            Ok(()) => {
                self.save();
                self.go_on();
            }
            Err(MatchError::TimeUp(_)) => self.save(),
            Err(_) => {}
        }
    }

    /// Draws for chance, asks the engine for a bot, or waits for a person.
    pub fn go_on(self) {
        if self.game.with_untracked(Match::chance_is_due) {
            let pause = self.game.with_untracked(|game| if game.log().len() < 60 && dealing(game) { 20 } else { 260 });
            set_timeout(move || self.draw_one(), Duration::from_millis(pause));
            return;
        }
        self.let_bot_think();
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

    /// Looks at the clock; call it now and then.
    pub fn tick(self) {
        let fallen = self.game.try_update_untracked(|game| game.tick(now())).flatten();
        if fallen.is_some() {
            self.stop_thinking();
            self.game.update(|_| {});
            self.after_change();
            self.go_on();
        }
    }

    fn after_change(self) {
        self.sight.settle();
        self.save();
    }

    /// Keeps the match on this device.
    pub fn save(self) {
        if self.practice.is_some() {
            return;
        }
        let (record, over) = self.game.with_untracked(|game| (game.record().to_string(), game.ending().is_some()));
        let key = self.sight.name();
        spawn(async move {
            if store::put(&key, &record, over).await.is_err() {
                crate::pages::table::hand_over(&key, record);
                self.tell(self.settings.language.get_untracked().web_storage_refused());
            }
        });
    }

    fn tell(self, sentence: &str) {
        self.sight.notice.set(Some(sentence.to_owned()));
    }
}

/// A key for a new match on this device.
pub fn new_key() -> String {
    format!("{:x}{:04x}", js_sys::Date::now() as u64, (js_sys::Math::random() * 65536.0) as u32)
}

/// A match with the seats and options of another, everybody one seat further.
pub fn rematch(setup: &MatchSettings) -> MatchSettings {
    let mut again = setup.clone();
    again.sitters.rotate_right(1);
    again.start = None;
    again.date = None;
    again
}

fn people(game: &Match, practice: Option<Seat>) -> Vec<Seat> {
    if let Some(seat) = practice {
        return vec![seat];
    }
    let sitters = game.settings().sitters.iter().enumerate();
    sitters.filter(|(_, sitter)| sitter.player() == Player::Person).map(|(n, _)| Seat::from_index(n)).collect()
}

fn curtain(game: &Match, revealed: Option<Seat>, people: &[Seat]) -> Option<Seat> {
    let seat = game.to_act()?;
    let hidden = people.len() > 1 && game.position().hides();
    (hidden && people.contains(&seat) && revealed != Some(seat)).then_some(seat)
}

fn eyes(game: &Match, revealed: Option<Seat>, practice: Option<Seat>) -> Eyes {
    let people = people(game, practice);
    let viewer = match people.as_slice() {
        [] => Viewer::Spectator,
        [only] => Viewer::Seat(*only),
        _ if game.position().hides() => revealed.map_or(Viewer::Spectator, Viewer::Seat),
        [first, ..] => Viewer::Seat(game.to_act().filter(|seat| people.contains(seat)).unwrap_or(*first)),
    };
    let hands = if curtain(game, revealed, &people).is_some() { Hands::Tied } else { Hands::Free };
    Eyes { viewer, people, hands }
}

/// Before anybody has acted there is much to draw, and nobody wants to watch each card.
fn dealing(game: &Match) -> bool {
    let position = game.position();
    game.log().iter().all(|entry| matches!(&entry.event, Event::Action(action) if position.is_chance(action)))
}

#[cfg(test)]
mod tests {
    use game::Game;

    use super::*;

    fn sit(game: &str, players: &[&str]) -> Match {
        let mut setup = MatchSettings::new(game.parse::<Game>().unwrap());
        for (sitter, player) in setup.sitters.iter_mut().zip(players) {
            *sitter = game::Sitter::new(player.parse().unwrap(), "");
        }
        let mut game = Match::new(setup).unwrap();
        game.draw(&mut |_| 0, Duration::ZERO).unwrap();
        game
    }

    #[test]
    fn one_person_sees_their_own_hand_always() {
        let game = sit("sequence", &["bot:1", "person"]);
        let eyes = eyes(&game, None, None);
        assert_eq!((eyes.viewer, eyes.hands), (Viewer::Seat(Seat::TWO), Hands::Free));
    }

    #[test]
    fn two_people_with_hidden_hands_pass_the_device() {
        let game = sit("sequence", &["person", "person"]);
        let closed = eyes(&game, None, None);
        assert_eq!((closed.viewer, closed.hands), (Viewer::Spectator, Hands::Tied));
        let open = eyes(&game, Some(Seat::ONE), None);
        assert_eq!((open.viewer, open.hands), (Viewer::Seat(Seat::ONE), Hands::Free));
        assert_eq!(eyes(&game, Some(Seat::TWO), None).hands, Hands::Tied);
    }

    #[test]
    fn with_nothing_hidden_the_page_follows_the_turn() {
        let game = sit("quixo", &["person", "person"]);
        assert_eq!(eyes(&game, None, None).viewer, Viewer::Seat(Seat::ONE));
        let watched = sit("quixo", &["bot:1", "bot:2"]);
        assert_eq!(eyes(&watched, None, None).viewer, Viewer::Spectator);
    }
}
