//! Line by line, for screen readers and pipes: what happened, what to do, and one line of answer.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use game::{AnyPosition, Conferring, Consent, MatchError};
use locale::{Language, Names};
use rules::{Seat, Square, Viewer};
use scene::{CardState, Piece, Scene};
use session::{OpenOffer, Pending, Reply, Standing, words};

use super::command::{Command, on_latin_keys};
use super::help::{self, Pictures};
use super::table::Session;
use crate::error::CliError;

/// Plays until the game is over, the player leaves or the input ends; the match is kept in every case.
pub(crate) fn run(session: Session, input: impl BufRead + Send + 'static, output: impl Write) -> Result<(), CliError> {
    let mut table = Table {
        session,
        input: lines_of(input),
        output,
        printed: 0,
        shown_at: None,
        prompted: None,
        over_at: None,
        offer: None,
    };
    let played = table.play();
    table.session.pause();
    let language = table.session.language();
    let kept = table.session.kept();
    match played {
        Ok(Ended::InputClosed) => {
            let kept = kept.map_or_else(|| language.goodbye().to_owned(), |file| language.input_closed(file));
            table.say(&kept)?;
        }
        Ok(Ended::Left | Ended::Over) => {
            if let Some(file) = kept {
                table.say(&language.saved(file))?;
            }
            table.say(language.goodbye())?;
        }
        // The reader of the output has gone: the match is saved, and no message can be shown.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// The lines of an input, read on a thread of their own: clocks and other players do not wait for them.
fn lines_of(mut input: impl BufRead + Send + 'static) -> Receiver<String> {
    let (lines, received) = channel();
    thread::spawn(move || {
        loop {
            let mut line = Vec::new();
            // A line without an end must not fill the memory.
            let mut limited = io::Read::take(&mut input, 10_000);
            match limited.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) if lines.send(String::from_utf8_lossy(&line).into_owned()).is_err() => return,
                Ok(_) => {}
            }
        }
    });
    received
}

enum Ended {
    Over,
    Left,
    InputClosed,
}

/// Whose turn it is, and how long the log was when it began.
type Turn = (Seat, usize);

/// How often clocks, bots and other players are looked at while a line is awaited.
const PATIENCE: Duration = Duration::from_millis(50);

struct Table<O> {
    session: Session,
    input: Receiver<String>,
    output: O,
    /// How many log entries were printed.
    printed: usize,
    /// The turn the board was last shown in.
    shown_at: Option<Turn>,
    /// The length of the log for which the prompt stands there and waits for a line.
    prompted: Option<usize>,
    /// The length of the log when the end was printed.
    over_at: Option<usize>,
    /// The offer that was printed.
    offer: Option<OpenOffer>,
}

impl<O: Write> Table<O> {
    fn play(&mut self) -> io::Result<Ended> {
        let language = self.session.language();
        self.say(&words::title(language, &self.session.game().settings().game))?;
        self.tell_what_was_agreed()?;
        if self.session.view().shows_lot() {
            self.say(&words::lot(language, &self.session.names()))?;
        }
        loop {
            while self.session.poll() {
                if self.session.is_remote() {
                    self.tell()?;
                }
            }
            if matches!(self.session.view().pending, Some(Pending::Move(_))) {
                self.session.wait_for_search();
                continue;
            }
            if let Some(seat) = self.session.view().curtain {
                let names = self.session.names();
                self.say(&language.curtain_ready(names.seat(seat)))?;
                if self.read()?.is_none() {
                    return Ok(Ended::InputClosed);
                }
                // The lines above may show another player's cards.
                self.say(&"\n".repeat(40))?;
                self.session.open_curtain();
            }
            self.tell()?;
            let over = self.session.game().ending().is_some();
            if over && self.over_at != Some(self.printed) {
                self.show_board()?;
                if let Some(call) = self.session.shout() {
                    self.say(&call.to_uppercase())?;
                }
                self.say(&self.session.prompt(&[]))?;
            }
            // Another game may follow at a server's table.
            self.over_at = over.then_some(self.printed);
            if over && !self.session.is_remote() {
                return Ok(Ended::Over);
            }
            let may_act = self.session.view().may_act();
            if !may_act && !self.session.is_remote() {
                continue;
            }
            let length = self.session.game().log().len();
            if may_act && self.prompted != Some(length) {
                self.show_turn()?;
                self.prompted = Some(length);
            }
            match self.input.recv_timeout(PATIENCE) {
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(Ended::InputClosed),
                Ok(line) => {
                    self.prompted = None;
                    if let Some(ended) = self.answer(line.trim())? {
                        return Ok(ended);
                    }
                }
            }
        }
    }

    /// Whether partners may confer, and who deals.
    fn tell_what_was_agreed(&mut self) -> io::Result<()> {
        let (language, names) = (self.session.language(), self.session.names());
        let view = self.session.view();
        let conferring = view.game.settings().conferring().map(|conferring| {
            let agreed = match conferring {
                Conferring::Allowed => language.confer_yes(),
                Conferring::Forbidden => language.confer_no(),
            };
            format!("{}: {agreed}", language.menu_confer())
        });
        let dealer = view.plates(Duration::ZERO).into_iter().find(|plate| plate.is_dealer);
        let dealing = dealer.map(|dealer| language.web_dealer_about(names.seat(dealer.seat), names.seat(Seat::ONE)));
        conferring.into_iter().chain(dealing).try_for_each(|line| self.say(&line))
    }

    fn answer(&mut self, line: &str) -> io::Result<Option<Ended>> {
        if line.is_empty() {
            return Ok(None);
        }
        if let Some(command) = Command::read(line) {
            return self.obey(command);
        }
        let position = self.session.game().position();
        let latin = on_latin_keys(line);
        let action = if position.read(line).is_err() && position.read(&latin).is_ok() { &latin } else { line };
        let done = self.session.act(action);
        self.report(done)?;
        Ok(None)
    }

    fn obey(&mut self, command: Command) -> io::Result<Option<Ended>> {
        let language = self.session.language();
        match command {
            Command::Help => {
                self.say(&help::writing(language, &self.session.game().settings().game))?;
                self.say(&help::commands(&self.session))?;
            }
            Command::Rules => self.say(
                &help::rules(language, &self.session.game().settings().game, Pictures::Letters).replace("## ", ""),
            )?,
            Command::Moves => self.say(help::moves(&self.session).trim_end())?,
            Command::Board => self.show_board()?,
            Command::Look(square) => {
                let names = self.session.names();
                let text = self.session.view().scene().board.cell(square).map_or_else(
                    || locale::reason(language, rules::Reason::OffBoard).to_owned(),
                    |cell| locale::message(language, &cell.description(), &names),
                );
                self.say(&text)?;
            }
            Command::Hint => {
                if self.session.ask_hint() {
                    self.session.wait_for_search();
                }
                if let Some(hint) = self.session.hint() {
                    self.say(&hint)?;
                }
            }
            Command::Undo => self.take_back()?,
            Command::Redo => {
                let done = self.agreed(Session::redo)?;
                if done.is_ok() {
                    self.shown_at = None;
                }
                self.report(done)?;
            }
            Command::Save(file) => match self.session.save_copy(file.as_deref()) {
                Ok(file) => self.say(&language.saved(file))?,
                Err(problem) => self.say(&problem)?,
            },
            Command::Draw => self.offer_draw()?,
            Command::Resign => {
                if self.ask(language.resign_question())? {
                    let done = self.session.resign();
                    self.report(done)?;
                }
            }
            Command::Reply(reply) => {
                let done = self.session.reply(reply);
                self.report(done)?;
            }
            Command::Rematch => drop(self.session.rematch()),
            Command::Say(text) => drop(self.session.say(&text)),
            Command::Claim(what) => self.session.claim(what),
            Command::Quit => return Ok(Some(Ended::Left)),
        }
        Ok(None)
    }

    fn take_back(&mut self) -> io::Result<()> {
        let before = self.session.game().log().len();
        let done = self.agreed(Session::undo)?;
        let length = self.session.game().log().len();
        if length < before {
            self.say(&self.session.language().undone((before - length) as u64))?;
            self.shown_at = None;
        }
        self.report(done)
    }

    /// Carries out a command that may need the other players' consent, and asks them.
    fn agreed(
        &mut self,
        what: fn(&mut Session, Consent) -> Result<(), MatchError>,
    ) -> io::Result<Result<(), MatchError>> {
        let done = what(&mut self.session, Consent::NotAsked);
        if done != Err(MatchError::NeedsConsent) {
            return Ok(done);
        }
        let question = self.session.language().consent_question();
        Ok(if self.ask(question)? { what(&mut self.session, Consent::All) } else { Ok(()) })
    }

    fn offer_draw(&mut self) -> io::Result<()> {
        let done = self.session.offer_draw();
        self.report(done)?;
        if self.session.view().pending.is_some() {
            self.session.wait_for_search();
        }
        // At a server's table the answer comes later, and is printed then.
        while let Some(offer) = self.session.view().offer.filter(|it| matches!(it.standing, Standing::Asked(_))) {
            let question = words::offer(self.session.language(), &offer, &self.session.names());
            let reply = if self.ask(&question)? { Reply::Accept } else { Reply::Decline };
            let done = self.session.reply(reply);
            self.report(done)?;
        }
        if self.session.view().declined && !self.session.is_remote() {
            self.say(self.session.language().offer_declined())?;
        }
        Ok(())
    }

    fn ask(&mut self, question: &str) -> io::Result<bool> {
        let language = self.session.language();
        self.say(&format!("{question} ({} / {})", language.action_yes(), language.action_no()))?;
        let Some(line) = self.read()? else { return Ok(false) };
        let said = line.trim().to_lowercase();
        Ok(said == language.action_yes().to_lowercase() || matches!(said.as_str(), "y" | "yes" | "так" | "да"))
    }

    fn report(&mut self, done: Result<(), MatchError>) -> io::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(error) => self.say(&self.session.refusal(&error)),
        }
    }

    /// Prints what happened since the last call.
    fn tell(&mut self) -> io::Result<()> {
        let view = self.session.view();
        let length = view.game.log().len();
        let entries: Vec<_> = (self.printed.min(length)..length).filter_map(|entry| view.told(entry)).collect();
        self.printed = length;
        let (language, names) = (self.session.language(), self.session.names());
        let texts = entries
            .iter()
            .filter(|told| !told.is_minor() && !told.ended(view.game))
            .map(|told| words::told(language, told, &names));
        let mut texts: Vec<String> = texts.collect();
        texts.extend(self.session.take_notices());
        let (offer, was_open) = (self.session.view().offer, self.offer.is_some());
        if offer != self.offer {
            texts.extend(offer.map(|offer| words::offer(language, &offer, &names)));
            if was_open && offer.is_none() && self.session.view().declined {
                texts.push(language.offer_declined().to_owned());
            }
            self.offer = offer;
        }
        if !texts.is_empty() {
            self.prompted = None;
        }
        texts.iter().try_for_each(|text| self.say(text))
    }

    /// Shows the board once in every turn, the hand and what to do before every action.
    fn show_turn(&mut self) -> io::Result<()> {
        if self.shown_at.is_none() || self.shown_at != self.turn() {
            self.show_board()?;
        }
        if let Some(time) = self.time_left() {
            self.say(&time)?;
        }
        self.say(&self.session.prompt(&[]))?;
        write!(self.output, "> ")?;
        self.output.flush()
    }

    /// What the clock shows for the person to act: a clock that is not written out cannot be seen here.
    fn time_left(&self) -> Option<String> {
        let (view, language) = (self.session.view(), self.session.language());
        let seat = view.person_to_act()?;
        let left = view.clocks.left(seat, self.session.now())?;
        Some(language.time_left(self.session.names().seat(seat), words::time(language, left)))
    }

    /// The turn of the person to act: it began after the last thing that another seat did.
    fn turn(&self) -> Option<Turn> {
        let view = self.session.view();
        let seat = view.person_to_act()?;
        let is_other = |entry: &usize| view.history.actor(view.game, *entry).is_some_and(|actor| actor != seat);
        Some((seat, (0..view.game.log().len()).rev().find(is_other).map_or(0, |entry| entry + 1)))
    }

    fn show_board(&mut self) -> io::Result<()> {
        let view = self.session.view();
        let (scene, language) = (view.scene(), self.session.language());
        let lines = board_lines(&scene, language).into_iter().chain(beside(
            &scene,
            language,
            view.viewer,
            &self.session.names(),
        ));
        self.shown_at = self.turn();
        lines.collect::<Vec<_>>().iter().try_for_each(|line| self.say(line))
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn read(&mut self) -> io::Result<Option<String>> {
        self.output.flush()?;
        Ok(self.input.recv().ok())
    }
}

/// A position as a viewer sees it: the board, and what lies beside it.
pub(crate) fn position_lines(position: &dyn AnyPosition, viewer: Viewer, language: Language) -> Vec<String> {
    let scene = position.scene(viewer);
    let names = Names::usual(language, position.game().id(), position.seats());
    board_lines(&scene, language).into_iter().chain(beside(&scene, language, viewer, &names)).collect()
}

/// The board as lines of words, the highest rank first, the letters of the columns last.
pub(crate) fn board_lines(scene: &Scene, language: Language) -> Vec<String> {
    lines_of_words(scene, |cell| cell_word(cell, language))
}

/// The same with brackets around what the scene marks, and letters where a touched piece may go.
pub(super) fn marked_lines(scene: &Scene, ways: &[(Square, Square)], language: Language) -> Vec<String> {
    let is_marked = |square| scene.highlights.iter().any(|mark| mark.squares().contains(&square));
    lines_of_words(scene, |cell| match ('A'..).zip(ways).find(|(_, (to, _))| *to == cell.square) {
        Some((letter, _)) => format!(" {letter}"),
        None if is_marked(cell.square) => format!("({})", cell_word(cell, language)),
        // Where something is marked, the words stand below each other all the same.
        None if scene.highlights.is_empty() => cell_word(cell, language),
        None => format!(" {}", cell_word(cell, language)),
    })
}

fn lines_of_words(scene: &Scene, word: impl Fn(&scene::Cell) -> String) -> Vec<String> {
    let words: Vec<Vec<String>> = scene.board.ranks_from_top().map(|rank| rank.iter().map(&word).collect()).collect();
    let widest = words.iter().flatten().map(|word| word.chars().count()).max().unwrap_or(1);
    let rank_name = |index: usize| usize::from(scene.board.rows) - index;
    let mut lines: Vec<String> = words
        .iter()
        .enumerate()
        .map(|(index, rank)| {
            let cells: Vec<String> = rank.iter().map(|word| format!("{word:<widest$}")).collect();
            format!("{:>2} {}", rank_name(index), cells.join(" ").trim_end())
        })
        .collect();
    let letters: Vec<String> =
        (0..scene.board.columns).map(|column| format!("{:<widest$}", (b'a' + column) as char)).collect();
    lines.push(format!("   {}", letters.join(" ").trim_end()));
    lines
}

fn cell_word(cell: &scene::Cell, language: Language) -> String {
    let on_it = cell.piece.map(|piece| match piece {
        // Players are called by the colour of their chips, so its letter says whose a chip is.
        Piece::Chip(_) => locale::piece_alone(language, piece).chars().take(1).flat_map(char::to_uppercase).collect(),
        _ => crate::tui::letter(piece),
    });
    match (cell.ground, on_it) {
        (scene::Ground::Picture(card), None) => locale::card(language, card).to_owned(),
        (scene::Ground::Picture(card), Some(on_it)) => format!("{on_it}:{}", locale::card(language, card)),
        (scene::Ground::Corner, _) => "*".to_owned(),
        (scene::Ground::Unlaid, _) => "?".to_owned(),
        (scene::Ground::Gap, _) => String::new(),
        (_, Some(on_it)) => on_it,
        (_, None) => ".".to_owned(),
    }
}

/// What lies beside the board: the stock, the piece in hand, the own cards, the counters.
pub(crate) fn beside(scene: &Scene, language: Language, viewer: Viewer, names: &Names) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(tray) = &scene.stock {
        lines.push(format!("{}:", language.stock_title()));
        for place in tray.places.iter().filter(|place| place.present) {
            let (letter, name) = (crate::tui::letter(place.piece), locale::piece_alone(language, place.piece));
            lines.push(format!("  {letter} {name}"));
        }
    }
    if let Some((_, piece)) = scene.held {
        lines.push(language.piece_in_hand(locale::piece_alone(language, piece)));
    }
    for hand in scene.hands.iter().filter(|hand| viewer == Viewer::Seat(hand.seat)) {
        let cards: Vec<String> = hand
            .cards
            .iter()
            .filter_map(|held| {
                let name = locale::piece_alone(language, held.card?);
                let state =
                    if held.state == CardState::Usable { None } else { locale::card_state(language, held.state) };
                Some(state.map_or(name.clone(), |state| format!("{name} ({state})")))
            })
            .collect();
        lines.push(format!("{}: {}", language.hand_title(), cards.join(", ")));
    }
    for hand in scene.hands.iter().filter(|hand| !hand.discards.is_empty()) {
        let discards: Vec<String> = hand.discards.iter().map(|card| locale::piece_alone(language, *card)).collect();
        lines.push(format!("{}: {}: {}", names.seat(hand.seat), language.discards_title(), discards.join(", ")));
    }
    for counter in &scene.counters {
        let label = locale::counter(language, counter.kind);
        let of = counter.of.map_or(String::new(), |of| format!(" / {of}"));
        let seat = counter.seat.map_or(String::new(), |seat| format!("{}: ", names.seat(seat)));
        lines.push(format!("{seat}{label} {}{of}", counter.value));
    }
    lines
}
