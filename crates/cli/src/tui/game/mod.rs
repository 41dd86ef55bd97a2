//! The table: what the user does.

mod lot;
mod pointing;
mod replay;
mod show;

use ratatui::crossterm::event::{Event, KeyEvent};

use game::{Consent, MatchError};
use scene::{Choice, Picker, Spot, Touched};
use session::{Reply, Standing};

use super::Transition;
use super::art::Look;
use super::keys::{Direction, Key};
use super::overlay::Sheet;
use super::picture::{Notice, Places};
use crate::play::help::{self, Pictures, TableHelp};
use crate::play::{Command, Session, on_latin_keys};
use lot::Lot;
use replay::Replay;

/// The screen of a match.
pub(crate) struct GameScreen {
    session: Session,
    look: Look,
    picker: Picker,
    cursor: Option<Spot>,
    /// Where the keyboard was last on the board, in the stock, among cards and among buttons.
    visited: Vec<Spot>,
    typed: String,
    notice: Notice,
    places: Places,
    over: Option<Over>,
    /// How much had happened when the notice was written; it goes when more does.
    noticed_at: usize,
    /// Chat and what else was told besides the match, with the length of the log then.
    notices: Vec<(usize, String)>,
    /// Whether it was said that an offer was declined.
    declined: bool,
    /// The draw of lots that is being shown.
    lot: Option<Lot>,
    /// Whether the bell has rung for the call that won; it is silent for a match that was over before.
    rung: bool,
    /// Which moment of the match is shown, and what an analysis has found.
    replay: Replay,
    /// Whether there were ever cards or buttons; then their line stays, so that the board does not jump.
    rail: bool,
}

/// What lies over the picture.
enum Over {
    Sheet(Sheet),
    Question(Question),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Resign,
    Leave,
    Undo,
    /// To take back in a finished match that was loaded, which changes its file.
    Reopen,
    Redo,
    Offer,
}

impl GameScreen {
    /// Shows a session.
    pub(crate) fn new(mut session: Session, look: Look) -> GameScreen {
        GameScreen {
            lot: Lot::before(&mut session),
            rung: session.game().ending().is_some(),
            session,
            look,
            picker: Picker::new(),
            cursor: None,
            visited: Vec::new(),
            typed: String::new(),
            notice: Notice::None,
            places: Vec::new(),
            over: None,
            noticed_at: 0,
            notices: Vec::new(),
            declined: false,
            replay: Replay::default(),
            rail: false,
        }
    }

    /// How it looks.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// What is shown.
    #[cfg(test)]
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Whether a spot can be pointed at.
    #[cfg(test)]
    pub(crate) fn shows(&self, spot: Spot) -> bool {
        self.places.iter().any(|(_, other)| *other == spot)
    }

    /// Stops the match for now and says where it is kept.
    pub(crate) fn put_away(&mut self) -> Option<String> {
        self.session.pause();
        self.session.kept()
    }

    /// Goes on with the match after it was put away.
    pub(crate) fn take_up(&mut self) {
        self.session.resume();
    }

    /// Lets clocks, chance and bots go on; `true` if something is to be shown.
    pub(crate) fn poll(&mut self) -> bool {
        if self.poll_lot() {
            return true;
        }
        let (before, hinted) = (self.session.game().log().len(), self.session.view().hint.is_some());
        let mut changed = false;
        while self.session.poll() {
            changed = true;
        }
        if changed {
            self.picker.clear();
        }
        // What could not be done before something happened may be possible now.
        let is_stale = self.noticed_at < before || matches!(self.notice, Notice::Refusal(_));
        if self.session.game().log().len() != before && is_stale {
            self.notice = Notice::None;
        }
        if let (Some(hint), false) = (self.session.hint(), hinted) {
            self.notify(Notice::Done(hint));
        }
        for text in self.session.take_notices() {
            let length = self.session.game().log().len();
            self.notices.push((length, text.clone()));
            self.notify(Notice::Done(text));
        }
        self.follow_offer();
        if !self.rung && self.session.shout().is_some() {
            self.rung = true;
            super::terminal::ring();
        }
        self.poll_replay() || changed
    }

    /// Asks the person who must answer an offer, and says when one was declined.
    fn follow_offer(&mut self) {
        let view = self.session.view();
        let asked = matches!(view.offer, Some(offer) if matches!(offer.standing, Standing::Asked(_)));
        let declined = std::mem::replace(&mut self.declined, view.declined);
        match &self.over {
            None if asked => self.over = Some(Over::Question(Question::Offer)),
            Some(Over::Question(Question::Offer)) if !asked => self.over = None,
            _ => {}
        }
        if self.declined && !declined {
            self.refuse(self.look.language.offer_declined().to_owned());
        }
    }

    /// Reacts to what the user did.
    pub(crate) fn handle(&mut self, event: &Event) -> Transition {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => {
                self.mouse(mouse);
                Transition::Stay
            }
            Event::Paste(text) => {
                self.typed.push_str(text.trim());
                Transition::Stay
            }
            _ => Transition::Stay,
        }
    }

    fn key(&mut self, event: &KeyEvent) -> Transition {
        let key = Key::read(event);
        if self.end_lot() && matches!(key, Key::Enter | Key::Back | Key::Type(' ')) {
            return Transition::Stay;
        }
        if self.over.is_some() {
            return self.key_over(key);
        }
        if self.session.view().curtain.is_some() {
            return match key {
                Key::Enter => {
                    self.session.open_curtain();
                    Transition::Stay
                }
                Key::Quit => Transition::Quit,
                _ => Transition::Stay,
            };
        }
        if self.key_replay(key) {
            return Transition::Stay;
        }
        match key {
            Key::Move(direction) => self.walk(direction),
            Key::Next if !self.typed.is_empty() => self.complete(),
            Key::Next => self.walk_offered(1),
            Key::Previous => self.walk_offered(-1),
            Key::Enter if !self.typed.is_empty() => return self.submit(),
            Key::Type(' ') if self.typed.is_empty() => self.touch_cursor(),
            Key::Enter if self.session.game().ending().is_some() => return self.again(),
            Key::Enter => self.touch_cursor(),
            Key::Back => return self.back(),
            Key::Erase => {
                self.typed.pop();
            }
            Key::Type('?') if self.typed.is_empty() => return self.obey(Command::Help),
            Key::Type(letter) => {
                self.notice = Notice::None;
                self.typed.push(letter);
            }
            Key::Help => return self.obey(Command::Help),
            Key::Moves => return self.obey(Command::Moves),
            Key::Hint => return self.obey(Command::Hint),
            Key::Undo => return self.obey(Command::Undo),
            Key::Redo => return self.obey(Command::Redo),
            Key::Save => return self.obey(Command::Save(None)),
            Key::Draw => return self.obey(Command::Draw),
            Key::Resign => return self.obey(Command::Resign),
            Key::Quit => return self.obey(Command::Quit),
            Key::Analyse | Key::Home | Key::End | Key::PageUp | Key::PageDown | Key::Suspend | Key::Other => {}
        }
        Transition::Stay
    }

    fn key_over(&mut self, key: Key) -> Transition {
        match (&mut self.over, key) {
            (Some(Over::Sheet(sheet)), Key::Move(Direction::Up)) => sheet.scroll(-1),
            (Some(Over::Sheet(sheet)), Key::Move(Direction::Down)) => sheet.scroll(1),
            (Some(Over::Sheet(sheet)), Key::Type(' ') | Key::PageDown) => sheet.scroll(sheet.page()),
            (Some(Over::Sheet(sheet)), Key::PageUp) => sheet.scroll(-sheet.page()),
            (Some(Over::Sheet(_)), Key::Quit) => return Transition::Quit,
            (Some(Over::Sheet(_)), Key::Enter | Key::Back | Key::Type('?' | 'q') | Key::Help | Key::Moves) => {
                self.over = None;
            }
            // Letters mean something else on every keyboard (the key of N is «т», as in «так»), so none is an answer.
            (Some(Over::Question(question)), Key::Enter) => {
                let question = *question;
                self.over = None;
                return self.agreed(question);
            }
            (Some(Over::Question(question)), Key::Back) => {
                let question = *question;
                self.over = None;
                if question == Question::Offer {
                    let done = self.session.reply(Reply::Decline);
                    self.report(done);
                }
            }
            (Some(Over::Question(_)), Key::Quit) => return Transition::Quit,
            _ => {}
        }
        Transition::Stay
    }

    fn agreed(&mut self, question: Question) -> Transition {
        let done = match question {
            Question::Leave => return Transition::Leave,
            Question::Resign => self.session.resign(),
            Question::Undo | Question::Reopen => self.session.undo(Consent::All),
            Question::Redo => self.session.redo(Consent::All),
            Question::Offer => self.session.reply(Reply::Accept),
        };
        self.report(done);
        Transition::Stay
    }

    fn choices(&self) -> Vec<Choice<String>> {
        if self.replay.is_looking_back() { Vec::new() } else { self.session.view().choices() }
    }

    fn touch(&mut self, spot: Spot) {
        self.notice = Notice::None;
        let view = self.session.view();
        if let (true, false, Some(seat)) = (spot.is_quiet(), view.may_act(), view.game.to_act()) {
            return self.refuse(locale::early_call(self.look.language, seat, &self.session.names()));
        }
        match self.picker.touch(&self.choices(), spot) {
            Touched::Complete(action) => self.act(&action),
            Touched::Further | Touched::Anew | Touched::TakenBack => {}
            Touched::Nowhere(tried) => self.explain(&tried),
        }
    }

    /// Says why some touches lead nowhere.
    fn explain(&mut self, tried: &[Spot]) {
        let view = self.session.view();
        let text = match (view.may_act(), view.explain(tried)) {
            (true, Some(refused)) => self.session.refusal(&refused.into()),
            // There is a row, but not the one that was called.
            (true, None) if tried.first().is_some_and(|spot| spot.is_quiet()) => {
                locale::wrong_call(self.look.language).to_owned()
            }
            (false, _) if view.game.to_act().is_some() => self.session.prompt(&[]),
            _ => locale::reason(self.look.language, rules::Reason::NotPossibleNow).to_owned(),
        };
        self.refuse(text);
    }

    fn act(&mut self, action: &str) {
        self.picker.clear();
        let done = self.session.act(action);
        self.report(done);
    }

    fn report(&mut self, done: Result<(), MatchError>) {
        match done {
            Ok(()) => {
                self.picker.clear();
                self.notify(Notice::None);
                self.follow_offer();
            }
            Err(error) => self.refuse(self.session.refusal(&error)),
        }
    }

    fn refuse(&mut self, text: String) {
        self.notify(Notice::Refusal(text));
    }

    fn notify(&mut self, notice: Notice) {
        self.noticed_at = self.session.game().log().len();
        self.notice = notice;
    }

    fn back(&mut self) -> Transition {
        if self.leave_replay() {
            return Transition::Stay;
        }
        if !self.typed.is_empty() {
            self.typed.clear();
        } else if self.picker.back() || self.notice != Notice::None {
            self.notice = Notice::None;
        } else if self.cursor.is_some() && self.session.game().ending().is_none() {
            self.cursor = None;
        } else {
            return self.obey(Command::Quit);
        }
        Transition::Stay
    }

    fn again(&mut self) -> Transition {
        self.session.rematch().map_or(Transition::Stay, |session| Transition::Again(Box::new(session)))
    }

    fn complete(&mut self) {
        if let Some(first) = self.completions().into_iter().next() {
            self.typed = first;
        }
    }

    /// The legal actions that begin with what is typed.
    fn completions(&self) -> Vec<String> {
        if self.typed.is_empty() || !self.session.view().may_act() {
            return Vec::new();
        }
        let latin = on_latin_keys(&self.typed);
        // What a client keeps to itself is not given away here either.
        let legal: Vec<String> =
            help::open_choices(self.session.game().position()).into_iter().map(|choice| choice.action).collect();
        let begins = |with: &str| legal.iter().filter(|action| action.starts_with(with)).cloned().collect::<Vec<_>>();
        let plain = begins(&self.typed);
        if plain.is_empty() { begins(&latin) } else { plain }
    }

    fn submit(&mut self) -> Transition {
        let typed = std::mem::take(&mut self.typed);
        let typed = typed.trim();
        // What is typed is meant for the present.
        self.leave_replay();
        if let Some(command) = Command::read(typed) {
            return self.obey(command);
        }
        let position = self.session.game().position();
        let latin = on_latin_keys(typed);
        let action = if position.read(typed).is_err() && position.read(&latin).is_ok() { &latin } else { typed };
        self.act(action);
        Transition::Stay
    }

    fn obey(&mut self, command: Command) -> Transition {
        let language = self.look.language;
        match command {
            Command::Help => {
                let help = TableHelp::of(&self.session);
                let write = move |width| help::at_the_table(&help, Pictures::Within(width));
                self.over = Some(Over::Sheet(Sheet::fitted(language.action_help(), write)));
            }
            Command::Rules => {
                let game = self.session.game().settings().game.clone();
                let write = move |width| help::rules(language, &game, Pictures::Within(width));
                self.over = Some(Over::Sheet(Sheet::fitted(language.action_rules(), write)));
            }
            Command::Moves => self.sheet(language.action_moves(), help::moves(&self.session)),
            Command::Board => {}
            Command::Hint => {
                let asked = self.session.ask_hint();
                let searching = Notice::Aside(language.hint_search().to_owned());
                self.notify(if asked { searching } else { Notice::None });
            }
            Command::Look(square) => {
                self.cursor = Some(Spot::Square(square));
            }
            Command::Undo if self.session.finished_file().is_some() => {
                self.over = Some(Over::Question(Question::Reopen));
            }
            Command::Undo => self.take_back(),
            Command::Redo => match self.session.redo(Consent::NotAsked) {
                Err(MatchError::NeedsConsent) => self.over = Some(Over::Question(Question::Redo)),
                done => self.report(done),
            },
            Command::Save(file) => self.save(file),
            Command::Draw => {
                let done = self.session.offer_draw();
                self.report(done);
            }
            Command::Resign if self.session.game().ending().is_none() => {
                self.over = Some(Over::Question(Question::Resign));
            }
            Command::Resign => self.refuse(language.match_over().to_owned()),
            Command::Reply(reply) => {
                let done = self.session.reply(reply);
                self.report(done);
            }
            Command::Rematch => return self.again(),
            Command::Say(text) => drop(self.session.say(&text)),
            Command::Claim(what) => self.session.claim(what),
            Command::Quit
                if self.session.is_remote()
                    || self.session.game().ending().is_some()
                    || self.session.game().log().is_empty() =>
            {
                return Transition::Leave;
            }
            Command::Quit => self.over = Some(Over::Question(Question::Leave)),
        }
        Transition::Stay
    }

    fn take_back(&mut self) {
        match self.session.undo(Consent::NotAsked) {
            Err(MatchError::NeedsConsent) => self.over = Some(Over::Question(Question::Undo)),
            done => self.report(done),
        }
    }

    fn save(&mut self, file: Option<String>) {
        let saved = self.session.save_copy(file.as_deref());
        self.notify(match saved {
            Ok(shown) => Notice::Done(self.look.language.saved(shown)),
            Err(problem) => Notice::Refusal(problem),
        });
    }

    fn sheet(&mut self, title: &str, text: String) {
        self.over = Some(Over::Sheet(Sheet::new(title, text)));
    }
}
