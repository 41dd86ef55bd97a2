//! A match as it is shown on a page, and what is chosen in it, wherever the match is played.
//!
//! Play on this device, boards to try things on, analysis and online play all show a [`MatchView`]; the parts of a table
//! in [`crate::parts`] need nothing else.

mod motion;

use std::time::Duration;

use game::{Match, Refused};
use locale::{Language, Names};
use rules::Viewer;
use scene::{Choice, Picker, Place, Scene, Spot, Touched};
use session::{LocalSession, Premove, Prompt, RemoteSession, SessionView, Told, What, words};
use ui::Read;
use ui::prelude::*;

use crate::board::{Ghost, Marks};
use crate::browser::play_sound;
use crate::drags;
use crate::settings::Settings;

/// Where a match is played.
#[derive(Clone, Copy)]
pub enum Source {
    /// On this device.
    Local(RwSignal<LocalSession>),
    /// At a server's table. There is a session with a match in it for as long as this match is shown.
    Remote(RwSignal<Option<RemoteSession>>),
}

/// The session of a match, while something is read in it.
enum Session {
    Local(Read<LocalSession>),
    Remote(Read<Option<RemoteSession>>),
}

impl Session {
    fn view(&self) -> SessionView<'_> {
        match self {
            Session::Local(session) => session.view(),
            Session::Remote(session) => (**session).as_ref().and_then(RemoteSession::view).expect("a match is shown"),
        }
    }
}

/// A match that is shown; a handle that can be copied into every closure.
#[derive(Clone, Copy)]
pub struct MatchView {
    name: StoredValue<String>,
    scope: Scope,
    source: Source,
    /// Something to tell: a refusal, a hint, a failure.
    pub notice: RwSignal<Option<String>>,
    /// Looking back: how many events of the log are shown.
    pub looking: RwSignal<Option<usize>>,
    /// Whether the last action won with a call that everybody at the table hears.
    pub shouted: RwSignal<bool>,
    /// What there is to know of the players; nothing at a match on this device.
    pub guests: RwSignal<Vec<Guest>>,
    /// An action that was chosen and waits to be confirmed.
    pub pending: RwSignal<Option<String>>,
    asks: StoredValue<bool>,
    picker: RwSignal<Picker>,
    chosen: StoredValue<Option<Callback<String>>>,
    settings: Settings,
}

/// A way along the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// To the move before.
    Back,
    /// To the next one.
    Forward,
}

/// A player at a server's table.
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

impl MatchView {
    /// Shows a match under a name that is its own on the page.
    pub fn new(name: String, scope: Scope, source: Source, settings: Settings) -> MatchView {
        MatchView {
            name: StoredValue::new(name),
            scope,
            source,
            notice: RwSignal::new(None),
            looking: RwSignal::new(None),
            shouted: RwSignal::new(false),
            guests: RwSignal::new(Vec::new()),
            pending: RwSignal::new(None),
            asks: StoredValue::new(false),
            picker: RwSignal::new(Picker::new()),
            chosen: StoredValue::new(None),
            settings,
        }
    }

    /// Reads what the session shows, and follows it.
    pub fn with<T>(&self, read: impl FnOnce(SessionView<'_>) -> T) -> T {
        read(self.session().view())
    }

    fn session(&self) -> Session {
        match self.source {
            Source::Local(session) => Session::Local(session.read()),
            Source::Remote(session) => Session::Remote(session.read()),
        }
    }

    /// Reads the match, and follows it.
    pub fn game<T>(&self, read: impl FnOnce(&Match) -> T) -> T {
        self.with(|view| read(view.game))
    }

    /// Reads the match once.
    pub fn game_untracked<T>(&self, read: impl FnOnce(&Match) -> T) -> T {
        untrack(|| self.game(read))
    }

    /// Sets the callback for an action that the player has chosen, by touches or by typing it.
    pub fn on_choice(self, chosen: Callback<String>) {
        self.chosen.set_value(Some(chosen));
    }

    /// From now on a chosen action is confirmed first, where the person wants that.
    pub fn ask_before(self) {
        self.asks.set_value(true);
    }

    /// The name under which it is shown.
    pub fn name(&self) -> String {
        self.name.get_value()
    }

    /// Lets drags reach this match for as long as it is shown.
    pub fn accept_drags(self) {
        let may_touch = Callback::new(move |spot| {
            untrack(|| {
                let choices = if self.may_act() { self.choices() } else { self.premoves() };
                self.picker.with(|picker| picker.next(&choices)).contains(&spot)
            })
        });
        drags::accept(self.name(), Callback::new(move |spot| self.touch(spot)), may_touch);
    }

    /// Whose view is shown.
    pub fn viewer(&self) -> Viewer {
        self.with(|view| view.viewer)
    }

    /// What everybody is called, in a language.
    pub fn names(&self, language: Language) -> Names {
        self.with(|view| words::names(language, view.game.settings(), view.reader))
    }

    /// What is shown: now, or where one looks back to.
    pub fn scene(&self) -> Scene {
        let looking = self.looking.get();
        self.with(|view| looking.map_or_else(|| view.scene(), |length| view.scene_at(length)))
    }

    /// Whether a person may act now on this page.
    pub fn may_act(&self) -> bool {
        self.looking.get().is_none() && self.with(|view| view.may_act())
    }

    /// Whether a person plays on this page and the match goes on, whichever seat is to act.
    pub fn may_try(&self) -> bool {
        self.looking.get().is_none()
            && self.with(|view| !view.people.is_empty() && view.curtain.is_none() && view.game.ending().is_none())
    }

    /// What may be done, with the touches that spell it; nothing while no person here may act.
    pub fn choices(&self) -> Vec<Choice<String>> {
        if self.looking.get().is_none() { self.with(|view| view.choices()) } else { Vec::new() }
    }

    /// What may be chosen before one's turn, where the person wants that. Moves that are to be confirmed are not.
    fn premoves(&self) -> Vec<Choice<String>> {
        let wanted = self.settings.premove.get() && !self.settings.confirm.get() && self.looking.get().is_none();
        if wanted { self.with(|view| view.premoves()) } else { Vec::new() }
    }

    /// The action that is played as soon as the turn comes.
    pub fn premove(&self) -> Option<String> {
        self.with(|view| match view.premove {
            Premove::Chosen(action) => Some(action.to_owned()),
            _ => None,
        })
    }

    fn set_premove(self, action: Option<String>) {
        if let Source::Remote(session) = self.source {
            session.update(|session| {
                if let Some(session) = session {
                    session.set_premove(action);
                }
            });
        }
    }

    /// What is touched already.
    pub fn touched(&self) -> Vec<Spot> {
        self.picker.with(|picker| picker.touched().to_vec())
    }

    /// What has just happened, or had where one looks back to.
    pub fn told(&self) -> Option<Told> {
        let looking = self.looking.get();
        self.with(|view| view.last_told(looking.unwrap_or(view.game.log().len())))
    }

    /// The number of the move that one looks back to.
    pub fn move_shown(&self) -> Option<usize> {
        let length = self.looking.get()?;
        Some(self.with(|view| view.history.moves(length)))
    }

    /// Looks one move further back, or forward again.
    pub fn look(self, way: Walk) {
        let looking = self.looking.get_untracked();
        let next = untrack(|| {
            self.with(|view| {
                let last = view.moves_from(0).next_back().map_or(0, |last| last.length);
                let shown = looking.unwrap_or(last);
                let next = match way {
                    Walk::Back => {
                        view.moves_from(0).rev().map(|it| it.length).find(|&length| length < shown).unwrap_or(0)
                    }
                    Walk::Forward => view.moves_from(shown).next().map_or(last, |it| it.length),
                };
                Some(next).filter(|&next| next < last)
            })
        });
        if next != looking {
            self.looking.set(next);
        }
    }

    /// What to mark on the board.
    pub fn marks(&self) -> Marks {
        let looking = self.looking.get();
        let mut highlights = self.scene().highlights;
        highlights.extend(self.with(|view| view.marks(looking.unwrap_or(view.game.log().len()))));
        if looking.is_some() {
            return Marks { highlights, ..Marks::default() };
        }
        let premove = self.premove();
        let early = premove.is_some() || !self.may_act() && !self.picker.with(|picker| picker.touched().is_empty());
        let choices = if early { self.premoves() } else { self.choices() };
        let next = match premove {
            Some(_) => Vec::new(),
            None => self.picker.with(|picker| picker.next(&choices)),
        };
        let next = next.into_iter().filter(|spot| !spot.is_quiet());
        let hint = || self.with(|view| view.hint.map(|hint| hint.action.clone()));
        let wanted = premove.or_else(|| self.pending.get()).or_else(hint);
        let is_advised = |choice: &&Choice<String>| wanted.as_ref() == Some(&choice.action);
        let choice = choices.iter().find(is_advised);
        let ghost = choice.and_then(|choice| self.ghost(choice));
        let advised = choice.map(|choice| choice.touches.clone()).unwrap_or_default();
        Marks { next: next.collect(), touched: self.touched(), advised, ghost, highlights, values: Vec::new() }
    }

    /// What an action would do on the board: bring a piece there, or move one. One that does neither leads along its touches.
    fn ghost(&self, choice: &Choice<String>) -> Option<Ghost> {
        let motions = self.with(|view| view.preview(&choice.action))?.motions;
        let arrives = motions.iter().find_map(|motion| match (motion.from, motion.to) {
            (Place::Square(from), Place::Square(to)) => Some(Ghost::Arrow(from, to)),
            (_, Place::Square(to)) => Some(Ghost::Piece(to, motion.piece)),
            _ => None,
        });
        let mut squares = choice.touches.iter().filter_map(|spot| spot.square());
        arrives.or_else(|| Some(Ghost::Arrow(squares.next()?, squares.next()?)))
    }

    /// What to do now, as the touches so far leave it; what is waited for; or how it ended.
    pub fn prompt(&self) -> Prompt {
        let touched = self.touched();
        self.with(|view| view.prompt(&touched))
    }

    /// A person touches something.
    pub fn touch(self, spot: Spot) {
        self.notice.set(None);
        if self.looking.get_untracked().is_some() {
            self.looking.set(None);
            return;
        }
        if !untrack(|| self.may_act()) {
            if spot.is_quiet() && untrack(|| self.may_try()) {
                self.answer_early_call();
            } else {
                self.touch_early(spot);
            }
            return;
        }
        let choices = untrack(|| self.choices());
        if let Some(pending) = self.pending.get_untracked() {
            self.pending.set(None);
            let is_last = |choice: &Choice<String>| choice.action == pending && choice.touches.last() == Some(&spot);
            if choices.iter().any(is_last) {
                self.run(pending);
                return;
            }
        }
        match self.picker.try_update(|picker| picker.touch(&choices, spot)) {
            Some(Touched::Complete(action)) => self.choose(action),
            Some(Touched::Nowhere(tried)) => self.explain(&tried),
            _ => {}
        }
    }

    /// Chooses what to play when the turn comes; a touch cancels what was chosen.
    fn touch_early(self, spot: Spot) {
        let choices = untrack(|| self.premoves());
        if let Some(chosen) = untrack(|| self.premove()) {
            self.set_premove(None);
            if choices.iter().any(|choice| choice.action == chosen && choice.touches.contains(&spot)) {
                return;
            }
        }
        if let Some(Touched::Complete(action)) = self.picker.try_update(|picker| picker.touch(&choices, spot)) {
            self.picker.update(Picker::clear);
            self.set_premove(Some(action));
        }
    }

    /// A call out of turn costs nothing, but is answered.
    fn answer_early_call(self) {
        let language = self.settings.language.get_untracked();
        let to_act = self.game_untracked(|game| game.to_act());
        let answer = to_act.map(|seat| locale::early_call(language, seat, &untrack(|| self.names(language))));
        self.notice.set(answer);
    }

    /// Takes back the last touch of a half-made choice.
    pub fn back(self) {
        if self.pending.get_untracked().is_some() {
            self.pending.set(None);
            return;
        }
        if untrack(|| self.premove()).is_some() {
            self.set_premove(None);
            return;
        }
        self.picker.update(|picker| {
            picker.back();
        });
    }

    /// Chooses a typed action; whether it was one that could be chosen.
    pub fn type_action(self, action: &str) -> bool {
        self.notice.set(None);
        let refused = self.game_untracked(|game| game.position().boxed().play(action).err());
        let legal = refused.is_none();
        match refused {
            Some(refused) => self.refuse(&refused),
            None if untrack(|| self.may_act()) => self.choose(action.to_owned()),
            None => {}
        }
        legal
    }

    fn choose(self, action: String) {
        if self.asks.get_value() && self.settings.confirm.get_untracked() {
            self.picker.update(Picker::clear);
            self.pending.set(Some(action));
        } else {
            self.run(action);
        }
    }

    /// Plays the action that waits to be confirmed.
    pub fn confirm(self) {
        if let Some(action) = self.pending.get_untracked() {
            self.pending.set(None);
            self.run(action);
        }
    }

    fn run(self, action: String) {
        if let Some(chosen) = self.chosen.get_value() {
            chosen.run(action);
        }
    }

    /// Why touches lead nowhere, in a sentence.
    fn explain(self, tried: &[Spot]) {
        match untrack(|| self.with(|view| view.explain(tried))) {
            Some(refused) => self.refuse(&refused),
            // There is a row, but not this one.
            None if tried.first().is_some_and(|spot| spot.is_quiet()) => {
                self.notice.set(Some(locale::wrong_call(self.settings.language.get_untracked()).to_owned()));
            }
            None => {}
        }
    }

    fn refuse(self, refused: &Refused) {
        let language = self.settings.language.get_untracked();
        let example = self.game_untracked(|game| game.legal().into_iter().next());
        self.notice.set(Some(words::refused_action(language, refused, example.as_deref())));
    }

    /// Shows what changed since the log had this length: an action moves and sounds, anything else is just there.
    pub fn changed_since(self, length: usize) {
        let (now, told) = untrack(|| self.with(|view| (view.game.log().len(), view.told(length))));
        match told.map(|told| told.what) {
            Some(What::Action(happening)) if now == length + 1 => {
                self.picker.update(Picker::clear);
                self.shouted.set(untrack(|| self.shout()).is_some());
                self.animate(happening.motions, length);
            }
            _ if now != length => self.settle(),
            _ => {}
        }
    }

    /// Forgets what was touched and said about a match that has changed otherwise.
    pub fn settle(self) {
        self.picker.update(Picker::clear);
        self.pending.set(None);
        self.shouted.set(false);
        self.notice.set(None);
        self.looking.set(None);
    }

    /// What the winner calls out, if this game has a call.
    pub fn shout(&self) -> Option<&'static str> {
        self.with(|view| locale::shout(self.settings.lang(), &view.scene().status))
    }

    /// Moves pieces as they were moved when the log had this length, and sounds.
    fn animate(self, motions: Vec<scene::Motion>, length: usize) {
        let turns_over = motions.iter().any(|motion| motion.from == motion.to);
        let before = turns_over.then(|| untrack(|| self.with(|view| view.scene_at(length))));
        let around = match self.scope {
            Scope::Page => String::new(),
            Scope::Element => format!("#{} ", self.name()),
        };
        let end = match self.game_untracked(|game| game.ending().is_some()) {
            true if self.shouted.get_untracked() => Some("call"),
            true => Some("win"),
            false => None,
        };
        let with_sound = self.settings.sound.get_untracked();
        request_animation_frame(move || {
            motion::perform(&motions, before.as_ref(), &around);
            if with_sound {
                play_sound(end.unwrap_or_else(|| motion::material(&motions)));
            }
        });
    }
}

/// Time passed since some fixed moment.
pub fn now() -> Duration {
    Duration::from_secs_f64(js_sys::Date::now() / 1000.0)
}
