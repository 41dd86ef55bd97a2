use std::time::Duration;

use game::{AnyPosition, Clock, Ending, Event, Match, Player, Refused};
use rules::{Seat, Viewer};
use scene::{Choice, Happening, Highlight, Message, Scene, Seating, Spot};
use search::Value;

use crate::{FirstPlayer, History};

/// What a shell shows of a match, wherever the match is played. It borrows the session and computes only what is asked.
#[derive(Clone, Copy, Debug)]
pub struct SessionView<'a> {
    /// The match as far as this device knows it.
    pub game: &'a Match,
    /// The positions it went through.
    pub history: &'a History,
    /// Whose view is shown.
    pub viewer: Viewer,
    /// The only person at this device: texts speak to this seat.
    pub reader: Option<Seat>,
    /// The seats that are played from this device.
    pub people: &'a [Seat],
    /// The seat that the device must be passed to before anything is shown.
    pub curtain: Option<Seat>,
    /// What the session waits for, other than a person here.
    pub pending: Option<Pending>,
    /// The offer that is not answered by all yet.
    pub offer: Option<OpenOffer>,
    /// Whether an offer made here has just been declined.
    pub declined: bool,
    /// How a move can be taken back.
    pub undo: UndoPolicy,
    /// How the next match begins.
    pub rematch: RematchPolicy<'a>,
    /// The advice that was asked for.
    pub hint: Option<&'a Hint>,
    /// The clocks.
    pub clocks: Clocks<'a>,
    /// What is played as soon as the turn comes.
    pub premove: Premove<'a>,
}

/// An action that is chosen before one's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premove<'a> {
    /// Nothing can be chosen here before one's turn.
    Unavailable,
    /// Something can be chosen where the game allows it.
    Open,
    /// This is played when the turn comes, if it is legal then.
    Chosen(&'a str),
}

/// Whom a message is about, as seen by its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The person who reads it.
    Reader,
    /// The only other player.
    Opponent(Seat),
    /// One of several others, or anybody where several people share the device.
    Seat(Seat),
}

/// What a session waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pending {
    /// A bot's action.
    Move(Seat),
    /// Advice.
    Hint,
    /// A bot's answer to an offer.
    Answer,
    /// The server's answer to an action that was sent.
    Sent,
}

/// Something all sides can agree to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// To call the match a draw.
    Draw,
    /// To take back the last action of the seat that asks.
    Takeback,
    /// To play once more.
    Rematch,
}

/// An offer that is not answered by all yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenOffer {
    /// What is offered.
    pub kind: OfferKind,
    /// The seat that made it.
    pub by: Seat,
    /// Where this device stands.
    pub standing: Standing,
}

/// Who has to answer an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// This person at this device.
    Asked(Seat),
    /// Others; this device has agreed.
    Agreed,
    /// Others; this device only watches.
    Watching,
}

/// What a person says to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Agrees.
    Accept,
    /// Does not.
    Decline,
}

/// How a move can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UndoPolicy {
    /// There is nothing to take back.
    Nothing,
    /// At once; if something hidden was seen, the people at this device are asked first.
    AtOnce,
    /// The other players are asked.
    Offer,
}

/// How the next match begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RematchPolicy<'a> {
    /// Not before this one is over, or not by this device.
    Unavailable,
    /// At once, everybody one seat further.
    AtOnce,
    /// The other players are asked.
    Offer,
    /// It is waiting at this table.
    Table(&'a str),
}

/// Advice that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// What to play.
    pub action: String,
    /// What can be expected of it.
    pub value: Value,
}

/// The clocks of a match.
#[derive(Clone, Copy, Debug)]
pub enum Clocks<'a> {
    /// Kept here.
    Local(&'a Clock),
    /// As a server reported them at a moment: what each seat had left, and whose time was passing.
    Reported {
        /// What each seat had left.
        left: &'a [Duration],
        /// The seat whose time passes.
        running: Option<Seat>,
        /// When they were reported.
        at: Duration,
    },
    /// There are none.
    None,
}

impl Clocks<'_> {
    /// What a seat has left; `None` without a clock.
    pub fn left(&self, seat: Seat, now: Duration) -> Option<Duration> {
        match *self {
            Clocks::Local(clock) => clock.left(seat, now),
            Clocks::Reported { left, running, at } => {
                let passed = if running == Some(seat) { now.saturating_sub(at) } else { Duration::ZERO };
                left.get(seat.index()).map(|left| left.saturating_sub(passed))
            }
            Clocks::None => None,
        }
    }
}

/// A seat as it is shown beside the board.
#[derive(Clone, Debug)]
pub struct Plate<'a> {
    /// The seat.
    pub seat: Seat,
    /// Who that is to the reader.
    pub subject: Subject,
    /// The player's own name, which may be empty.
    pub name: &'a str,
    /// A person or a bot.
    pub player: Player,
    /// What the clock shows, if there is one.
    pub clock: Option<Duration>,
    /// Whether it is this seat's turn.
    pub to_act: bool,
    /// Whether the seat is out of the game.
    pub is_out: bool,
    /// Whether the seat has dealt the cards.
    pub is_dealer: bool,
    /// Whether the seat plays together with the nearest one.
    pub is_partner: bool,
}

/// What the status line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// A person at this device is to do something.
    Act {
        /// Who.
        by: Subject,
        /// What.
        what: Message,
    },
    /// Another player or chance is to act: never to be read as an instruction.
    Wait {
        /// Who.
        by: Subject,
        /// What they do.
        what: Message,
    },
    /// Cards or tiles are drawn.
    Chance(Message),
    /// The match is over.
    Over(Over),
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The result and its cause.
    pub ending: Ending,
    /// Who ended it by resigning, leaving or running out of time.
    pub gone: Option<Subject>,
    /// What the board says about it.
    pub status: Message,
}

/// One thing that happened, as the viewer may know it.
#[derive(Clone, Debug)]
pub struct Told {
    /// How long the log was after it.
    pub length: usize,
    /// Who acted; `None` for chance and the table.
    pub by: Option<Subject>,
    /// What happened.
    pub what: What,
}

/// What happened: in the game, or at the table.
#[derive(Clone, Debug)]
pub enum What {
    /// An action of the game.
    Action(Happening),
    /// A resignation, a fallen flag, an agreement.
    Table(Event),
}

/// An action of a seat in the move list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Counted from 1.
    pub number: usize,
    /// How long the log was after it.
    pub length: usize,
    /// Who acted.
    pub seat: Seat,
    /// The action as the viewer may know it.
    pub text: String,
}

impl<'a> SessionView<'a> {
    /// Who a seat is to the reader.
    pub fn subject(&self, seat: Seat) -> Subject {
        match self.reader {
            Some(reader) if reader == seat => Subject::Reader,
            Some(_) if self.game.position().seats() == 2 => Subject::Opponent(seat),
            _ => Subject::Seat(seat),
        }
    }

    /// The seat that is to act and is played from this device.
    pub fn person_to_act(&self) -> Option<Seat> {
        self.game.to_act().filter(|seat| self.people.contains(seat))
    }

    /// Whether a person may act here now.
    pub fn may_act(&self) -> bool {
        self.person_to_act().is_some() && self.curtain.is_none() && self.pending != Some(Pending::Sent)
    }

    /// What may be done, with the touches that spell it; nothing while no person here may act.
    pub fn choices(&self) -> Vec<Choice<String>> {
        if self.may_act() { self.game.position().choices() } else { Vec::new() }
    }

    /// What may be chosen while another player is to act, with the touches that spell it: what could be played if it were
    /// the reader's turn now. Nothing in games where that depends on what the others do.
    pub fn premoves(&self) -> Vec<Choice<String>> {
        let waits = self.premove != Premove::Unavailable && self.game.ending().is_none();
        let seat = self.reader.filter(|&seat| waits && self.game.to_act().is_some_and(|other| other != seat));
        let position = seat.and_then(|seat| self.game.position().as_turn_of(seat));
        position.map(|position| position.choices()).unwrap_or_default()
    }

    /// Whether the first player was drawn by lot and no seat has acted yet: then a shell shows the draw.
    pub fn shows_lot(&self) -> bool {
        FirstPlayer::of(self.game.settings()) == FirstPlayer::Lot
            && self.game.ending().is_none()
            && self.history.moves(self.history.len()) == 0
    }

    /// What the viewer sees when the log has this length.
    pub fn scene_at(&self, length: usize) -> Scene {
        self.arranged(self.history.position(length).unwrap_or_else(|| self.game.position()).scene(self.viewer))
    }

    /// What the viewer sees now.
    pub fn scene(&self) -> Scene {
        self.arranged(self.game.position().scene(self.viewer))
    }

    /// How the players are shown around the board: nearest the reader, else the player whose hand is open, else the first
    /// person here.
    pub fn seating(&self) -> Seating {
        let has_hands = self.game.position().hides();
        let open_hand = match self.viewer {
            Viewer::Seat(seat) if has_hands => Some(seat),
            _ => None,
        };
        let near = self.reader.or(open_hand).or(self.people.first().copied()).unwrap_or(Seat::ONE);
        self.game.settings().seating(near)
    }

    fn arranged(&self, scene: Scene) -> Scene {
        scene.arranged(&self.seating())
    }

    /// What to do, once some spots are touched; what is waited for; or how it ended.
    pub fn prompt(&self, touched: &[Spot]) -> Prompt {
        let position = self.game.position();
        if let Some(ending) = self.game.ending() {
            let gone = match self.game.log().last().map(|entry| &entry.event) {
                Some(Event::Out(seat, _)) => Some(self.subject(*seat)),
                _ => None,
            };
            return Prompt::Over(Over { ending, gone, status: position.scene(Viewer::Spectator).status });
        }
        let what = position.prompt(self.viewer, touched);
        match self.game.to_act() {
            None => Prompt::Chance(what),
            Some(seat) if self.people.contains(&seat) => Prompt::Act { by: self.subject(seat), what },
            Some(seat) => Prompt::Wait { by: self.subject(seat), what },
        }
    }

    /// The seats as they are shown beside the board.
    pub fn plates(&self, now: Duration) -> Vec<Plate<'a>> {
        let (game, near) = (self.game, self.seating().near);
        let dealer = game.settings().game.id().has_dealer().then(|| game.position().seats());
        let sitters = Seat::all(game.position().seats()).zip(&game.settings().sitters);
        let plate = |(seat, sitter): (Seat, &'a game::Sitter)| Plate {
            seat,
            subject: self.subject(seat),
            name: sitter.name(),
            player: sitter.player(),
            clock: self.clocks.left(seat, now),
            to_act: game.to_act() == Some(seat),
            is_out: game.is_out(seat),
            is_dealer: dealer == Some(seat.number()),
            is_partner: seat != near && game.position().side(seat) == game.position().side(near),
        };
        sitters.map(plate).collect()
    }

    /// What an entry of the log did, as the viewer may know it.
    pub fn told(&self, entry: usize) -> Option<Told> {
        let event = &self.game.log().get(entry)?.event;
        let what = match event {
            Event::Action(action) => What::Action(self.happening(self.history.position(entry)?, action)?),
            other => What::Table(other.clone()),
        };
        let by = self.history.actor(self.game, entry).map(|seat| self.subject(seat));
        Some(Told { length: entry + 1, by, what })
    }

    /// What an action would do if it were played now, or if it were the reader's turn now.
    pub fn preview(&self, action: &str) -> Option<Happening> {
        let early = self.reader.filter(|&seat| self.game.to_act() != Some(seat));
        match early.and_then(|seat| self.game.position().as_turn_of(seat)) {
            Some(position) => self.happening(&*position, action),
            None => self.happening(self.game.position(), action),
        }
    }

    /// What happened and is worth telling, oldest first. From the end it costs only what is taken.
    pub fn story(&self) -> impl DoubleEndedIterator<Item = Told> {
        let view = *self;
        (0..self.game.log().len()).filter_map(move |entry| view.told(entry)).filter(|told| !told.is_minor())
    }

    /// What was told last when the log had this length: a card drawn unseen does not replace what a player has done.
    pub fn last_told(&self, length: usize) -> Option<Told> {
        // Before anybody has acted there is nothing older to tell than the last card.
        let first = if self.history.moves(length) == 0 { length.saturating_sub(1) } else { 0 };
        (first..length).rev().filter_map(|entry| self.told(entry)).find(|told| !told.is_minor())
    }

    /// What the last turn of a seat marked when the log had this length.
    pub fn marks(&self, length: usize) -> Vec<Highlight> {
        let mut actor = None;
        let mut marks = Vec::new();
        let last = if self.history.moves(length) == 0 { 0 } else { length };
        for entry in (0..last).rev() {
            let Some(seat) = self.history.actor(self.game, entry) else { continue };
            if *actor.get_or_insert(seat) != seat {
                break;
            }
            let Some(Told { what: What::Action(happening), .. }) = self.told(entry) else { continue };
            // Of a long turn every square is marked, but only the last capture is drawn in full.
            let latest = marks.is_empty();
            let kept = |mark: &Highlight| latest || !matches!(mark, Highlight::Capture { .. });
            marks.extend(happening.highlights.into_iter().filter(kept));
        }
        marks
    }

    /// The actions of seats from an entry of the log on.
    pub fn moves_from(&self, entry: usize) -> impl DoubleEndedIterator<Item = Move> {
        let view = *self;
        (entry..self.game.log().len()).filter_map(move |entry| view.listed(entry))
    }

    /// An entry of the log as a row of the move list, if a seat acted in it.
    fn listed(&self, entry: usize) -> Option<Move> {
        let seat = self.history.actor(self.game, entry)?;
        let Event::Action(action) = &self.game.log().get(entry)?.event else { return None };
        // A match that is followed with a viewer's knowledge is written as that viewer saw it.
        let text = match self.game.viewer() {
            Some(_) => action.to_string(),
            None => self.history.position(entry)?.seen_action(action, self.viewer).ok()?,
        };
        Some(Move { number: self.history.moves(entry) + 1, length: entry + 1, seat, text })
    }

    /// Why some touches lead nowhere; `None` if there is nothing better to say than that.
    pub fn explain(&self, tried: &[Spot]) -> Option<Refused> {
        let position = self.game.position();
        let meant = position.meant(self.viewer, tried)?;
        position.boxed().play(&meant).err()
    }

    fn happening(&self, before: &dyn AnyPosition, action: &str) -> Option<Happening> {
        self.usual_happening(before, action).map(|happening| happening.arranged(&self.seating()))
    }

    fn usual_happening(&self, before: &dyn AnyPosition, action: &str) -> Option<Happening> {
        let Some(viewer) = self.game.viewer() else { return before.happening(action, self.viewer).ok() };
        // What this viewer does not know is made up, and has to be made up so that the action could be played.
        let possible = before.redetermined(action, viewer);
        if let Ok(happening) = possible.happening(action, self.viewer) {
            return Some(happening);
        }
        let looks_so = |card: &String| possible.seen_action(card, self.viewer).is_ok_and(|seen| seen == action);
        let card = possible.chances().into_iter().map(|(card, _)| card).find(looks_so)?;
        possible.happening(&card, self.viewer).ok()
    }
}

impl Told {
    /// Whether it is what ended this match at the table, which the sentence about the end tells too.
    pub fn ended(&self, game: &Match) -> bool {
        matches!(self.what, What::Table(_)) && game.ending().is_some() && self.length == game.log().len()
    }

    /// Whether a list of what happened can leave it out.
    pub fn is_minor(&self) -> bool {
        matches!(&self.what, What::Action(happening) if happening.message.is_minor())
    }
}
