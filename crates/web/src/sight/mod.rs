//! A match as one pair of eyes sees it, and what hands choose in it, wherever its events come from.
//!
//! Play on this device, boards to try things on, analysis and play over the network all show a [`Sight`]; the parts of
//! a table in [`crate::parts`] need nothing else.

mod motion;

use std::time::Duration;

use game::{AnyPosition, Event, Match, MatchError, Player, Refused};
use leptos::prelude::*;
use locale::{Language, Names};
use rules::{Seat, Turn, Viewer};
use scene::{Choice, Happening, Message, Picker, Scene, Spot, Touched};

use crate::board::Marks;
use crate::drags;
use crate::settings::Settings;

/// Who looks at a match here, and who may act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Eyes {
    /// Whose eyes see it.
    pub viewer: Viewer,
    /// The seats of the people at this page; if it is one, texts speak to that person.
    pub people: Vec<Seat>,
    /// Whether those people may act when it is their turn.
    pub hands: Hands,
}

/// Whether somebody can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hands {
    /// They can.
    Free,
    /// They must wait: the device has to be passed on, or an action is on its way to the server.
    Tied,
}

/// A match that is shown; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct Sight {
    name: StoredValue<String>,
    scope: Scope,
    /// The match, as far as these eyes know it.
    pub game: RwSignal<Match>,
    /// Who looks.
    pub eyes: Signal<Eyes>,
    /// How much time a seat has left now; `None` without a clock.
    pub left: Callback<Seat, Option<Duration>>,
    /// What the last action did.
    pub happening: RwSignal<Option<Happening>>,
    /// Something to tell: a refusal, a hint, a failure.
    pub notice: RwSignal<Option<String>>,
    /// Looking back: how many events of the log are shown.
    pub looking: RwSignal<Option<usize>>,
    /// An action that is advised.
    pub hint: RwSignal<Option<String>>,
    /// What there is to know of those on the seats; nothing at a match on this device.
    pub guests: RwSignal<Vec<Guest>>,
    picker: RwSignal<Picker>,
    chosen: StoredValue<Option<Callback<String>>>,
    settings: Settings,
}

/// Somebody from elsewhere on a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guest {
    /// How strong they are, where that counts.
    pub rating: Option<String>,
    /// The address of their page.
    pub page: Option<String>,
}

/// Where on the page the pieces of a match move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The match has the page for itself.
    Page,
    /// There are several boards, each in an element whose id is the name of the match.
    Element,
}

impl Sight {
    /// Shows a match under a name that is its own on the page.
    pub fn new(
        name: String,
        scope: Scope,
        game: RwSignal<Match>,
        eyes: Signal<Eyes>,
        left: Callback<Seat, Option<Duration>>,
        settings: Settings,
    ) -> Sight {
        Sight {
            name: StoredValue::new(name),
            scope,
            game,
            eyes,
            left,
            happening: RwSignal::new(None),
            notice: RwSignal::new(None),
            looking: RwSignal::new(None),
            hint: RwSignal::new(None),
            guests: RwSignal::new(Vec::new()),
            picker: RwSignal::new(Picker::new()),
            chosen: StoredValue::new(None),
            settings,
        }
    }

    /// Says what happens with an action that somebody has chosen, by touches or by typing it.
    pub fn on_choice(self, chosen: Callback<String>) {
        self.chosen.set_value(Some(chosen));
    }

    /// The name under which it is shown.
    pub fn name(&self) -> String {
        self.name.get_value()
    }

    /// Lets drags reach this match for as long as it is shown.
    pub fn accept_drags(self) {
        let may_touch = Callback::new(move |spot| untrack(|| self.marks().next.contains(&spot)));
        drags::accept(self.name(), Callback::new(move |spot| self.touch(spot)), may_touch);
    }

    /// Whose eyes see it.
    pub fn viewer(&self) -> Viewer {
        self.eyes.with(|eyes| eyes.viewer)
    }

    /// What everybody is called, in a language.
    pub fn names(&self, language: Language) -> Names {
        self.eyes.with(|eyes| self.game.with(|game| names(language, game, &eyes.people)))
    }

    /// What is shown: now, or where one looks back to.
    pub fn scene(&self) -> Scene {
        let viewer = self.viewer();
        self.game.with(|game| match self.looking.get() {
            Some(length) => earlier(game, length).map_or_else(|| game.position().scene(viewer), |it| it.scene(viewer)),
            None => game.position().scene(viewer),
        })
    }

    /// Whether somebody may act now on this page.
    pub fn may_act(&self) -> bool {
        self.looking.get().is_none()
            && self.eyes.with(|eyes| {
                let acting = self.game.with(Match::to_act);
                eyes.hands == Hands::Free && acting.is_some_and(|seat| eyes.people.contains(&seat))
            })
    }

    /// What may be done, with the touches that spell it; nothing while nobody here may act.
    pub fn choices(&self) -> Vec<Choice<String>> {
        if self.may_act() { self.game.with(|game| game.position().choices()) } else { Vec::new() }
    }

    /// What is touched already.
    pub fn touched(&self) -> Vec<Spot> {
        self.picker.with(|picker| picker.touched().to_vec())
    }

    /// What is told about: what has just happened, or what had where one looks back to, with the number of that move.
    pub fn told(&self) -> (Option<Happening>, Option<usize>) {
        let Some(length) = self.looking.get() else { return (self.happening.get(), None) };
        let viewer = self.viewer();
        self.game.with(|game| {
            let number = seen_moves(game, viewer).into_iter().find(|shown| shown.1 == length).map(|shown| shown.0);
            (recall(game, length, viewer), number)
        })
    }

    /// What to mark on the board.
    pub fn marks(&self) -> Marks {
        let mut highlights = self.scene().highlights;
        highlights.extend(self.told().0.into_iter().flat_map(|happening| happening.highlights));
        if self.looking.get().is_some() {
            return Marks { highlights, ..Marks::default() };
        }
        let choices = self.choices();
        let next = self.picker.with(|picker| picker.next(&choices)).into_iter().filter(|spot| !spot.is_quiet());
        let advised = self.hint.get().and_then(|advised| choices.iter().find(|choice| choice.action == advised));
        let advised = advised.map(|choice| choice.touches.clone()).unwrap_or_default();
        Marks { next: next.collect(), touched: self.touched(), advised, highlights, values: Vec::new() }
    }

    /// What to do now, as the touches so far leave it.
    pub fn prompt(&self) -> Message {
        let (viewer, touched) = (self.viewer(), self.touched());
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
        let choices = untrack(|| self.choices());
        match self.picker.try_update(|picker| picker.touch(&choices, spot)) {
            Some(Touched::Complete(action)) => self.choose(action),
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

    /// Chooses a typed action; whether it was one that could be chosen.
    pub fn type_action(self, action: &str) -> bool {
        self.notice.set(None);
        let legal = self.game.with_untracked(|game| game.legal().iter().any(|legal| legal == action));
        if legal && untrack(|| self.may_act()) {
            self.choose(action.to_owned());
        } else {
            let refused = self.game.with_untracked(|game| game.position().boxed().play(action).err());
            self.refuse(refused);
        }
        legal
    }

    fn choose(self, action: String) {
        if let Some(chosen) = self.chosen.get_value() {
            chosen.run(action);
        }
    }

    /// Why touches lead nowhere, in a sentence.
    fn explain(self, tried: &[Spot]) {
        let viewer = untrack(|| self.viewer());
        let refused = self.game.with_untracked(|game| {
            let position = game.position();
            position.meant(viewer, tried).and_then(|action| position.boxed().play(&action).err())
        });
        if refused.is_some() {
            self.refuse(refused);
        }
    }

    fn refuse(self, refused: Option<Refused>) {
        let language = self.settings.language.get_untracked();
        self.notice.set(refused.map(|refused| refusal(language, &refused)));
    }

    /// Shows an action: what it does moves, sounds and stays marked. `apply` makes it part of the match.
    pub fn played(
        self,
        action: &str,
        apply: impl FnOnce(&mut Match) -> Result<(), MatchError>,
    ) -> Result<(), MatchError> {
        let viewer = untrack(|| self.viewer());
        let (happening, chance) = self.game.with_untracked(|game| {
            (happening(game, game.position(), action, viewer), matches!(game.position().turn(), Turn::Chance))
        });
        let played = self.game.try_update(apply).unwrap_or(Ok(()));
        self.picker.update(Picker::clear);
        self.hint.set(None);
        if let (Ok(()), Some(mut happening)) = (&played, happening) {
            if let Some(before) = self.happening.get_untracked().filter(|_| chance) {
                // A card that is drawn does not wipe out what somebody has done, nor what is said about it.
                happening.highlights = before.highlights;
                if matches!(happening.message, Message::Drew { card: None, reshuffled: false, .. }) {
                    happening.message = before.message;
                }
            }
            self.show(happening);
        }
        played
    }

    /// Marks what the last action did, without showing it again.
    pub fn recall(self) {
        let viewer = untrack(|| self.viewer());
        self.happening.set(self.game.with_untracked(|game| recall(game, game.log().len(), viewer)));
    }

    /// Forgets what was touched, marked and said about a match that has changed otherwise.
    pub fn settle(self) {
        self.picker.update(Picker::clear);
        self.recall();
        self.hint.set(None);
        self.notice.set(None);
        self.looking.set(None);
    }

    /// Animates and sounds what happened, and leaves its marks.
    fn show(self, happening: Happening) {
        let motions = happening.motions.clone();
        let around = match self.scope {
            Scope::Page => String::new(),
            Scope::Element => format!("#{} ", self.name()),
        };
        let won = self.game.with_untracked(|game| game.ending().is_some());
        let sound = self.settings.sound.get_untracked().then_some(won);
        self.happening.set(Some(happening));
        request_animation_frame(move || motion::perform(&motions, &around, sound));
    }
}

/// Time passed since some fixed moment.
pub fn now() -> Duration {
    Duration::from_secs_f64(js_sys::Date::now() / 1000.0)
}

/// The actions of seats as a viewer may see them: number, length of the log after it, text.
pub fn seen_moves(game: &Match, viewer: Viewer) -> Vec<(usize, usize, String)> {
    let positions = game.positions();
    let mut moves = Vec::new();
    let actions = game.log().iter().enumerate().filter_map(|(at, entry)| match &entry.event {
        Event::Action(action) => Some((at, action)),
        _ => None,
    });
    for (position, (at, action)) in positions.iter().zip(actions) {
        if matches!(position.turn(), Turn::Seat(_)) {
            // A match that is followed with somebody's eyes is written as they saw it.
            let text = match game.viewer() {
                Some(_) => action.to_string(),
                None => position.seen_action(action, viewer).unwrap_or_default(),
            };
            moves.push((moves.len() + 1, at + 1, text));
        }
    }
    moves
}

/// What an action does in a position of a match, as a viewer sees it.
fn happening(game: &Match, position: &dyn AnyPosition, action: &str, viewer: Viewer) -> Option<Happening> {
    match game.viewer() {
        // What these eyes do not know is made up, and has to be made up so that the action could be played.
        Some(eyes) => position.redetermined(action, eyes).happening(action, viewer).ok(),
        None => position.happening(action, viewer).ok(),
    }
}

/// What the last action of a seat did within so many events.
fn recall(game: &Match, length: usize, viewer: Viewer) -> Option<Happening> {
    let positions = game.positions();
    let actions = game.log().iter().take(length).filter_map(|entry| match &entry.event {
        Event::Action(action) => Some(action),
        _ => None,
    });
    let acted = positions.iter().zip(actions).filter(|(position, _)| matches!(position.turn(), Turn::Seat(_)));
    let (position, action) = acted.last()?;
    happening(game, &**position, action, viewer)
}

/// The position after so many events.
fn earlier(game: &Match, length: usize) -> Option<Box<dyn AnyPosition>> {
    let actions = game.log().iter().take(length).filter(|entry| matches!(entry.event, Event::Action(_))).count();
    game.positions().into_iter().nth(actions)
}

fn names(language: Language, game: &Match, people: &[Seat]) -> Names {
    let id = game.settings().game.id();
    let mut names = Names::usual(language, id, game.position().seats());
    let sitters = &game.settings().sitters;
    let bots = sitters.iter().filter(|sitter| sitter.player() != Player::Person).count();
    for (index, sitter) in sitters.iter().enumerate() {
        let seat = Seat::from_index(index);
        match sitter.player() {
            _ if !sitter.name().is_empty() => names.rename(seat, sitter.name()),
            // Several are told apart by what they play with.
            Player::Bot(_) if bots == 1 => names.rename(seat, language.web_computer()),
            _ => {}
        }
    }
    match people {
        [only] => names.speaking_to(*only),
        _ => names,
    }
}

/// Why an action was refused, in the language of the person.
pub fn refusal(language: Language, refused: &Refused) -> String {
    match refused {
        Refused::Unreadable(unreadable) => language.web_unreadable(unreadable.text()),
        Refused::Illegal { reason, .. } => locale::reason(language, *reason).to_owned(),
    }
}
