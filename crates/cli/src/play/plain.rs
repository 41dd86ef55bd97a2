//! Line by line, for screen readers and pipes: what happened, what to do, and one line of answer.

use std::io::{BufRead, Write};

use game::{Consent, MatchError};
use locale::Language;
use rules::{Seat, Viewer};
use scene::{CardState, Piece, Scene};

use super::command::{Command, on_latin_keys};
use super::help;
use super::session::{DrawAnswer, Session};
use super::words;
use crate::failure::Failure;

/// Plays until the game is over, the player leaves or the input ends; the match is kept in every case.
pub(crate) fn run(session: Session, input: impl BufRead, output: impl Write) -> Result<(), Failure> {
    let mut table = Table { session, input, output, heard: 0, shown_at: None };
    let played = table.play();
    table.session.pause();
    let language = table.session.language();
    let kept = table.session.save_file().shown();
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
        // Whoever listened has gone; the match is kept, and there is nobody to tell.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

enum Ended {
    Over,
    Left,
    InputClosed,
}

/// Whose turn it is, and how much of the story came before it.
type Turn = (Seat, usize);

struct Table<I, O> {
    session: Session,
    input: I,
    output: O,
    /// How much of the story was told.
    heard: usize,
    /// The turn the board was last shown in.
    shown_at: Option<Turn>,
}

impl<I: BufRead, O: Write> Table<I, O> {
    fn play(&mut self) -> std::io::Result<Ended> {
        let language = self.session.language();
        self.say(&words::title(language, &self.session.game().settings().game))?;
        loop {
            while self.session.poll() {}
            if self.session.is_thinking() {
                self.session.wait_for_bot();
                continue;
            }
            if let Some(seat) = self.session.curtain() {
                let names = self.session.names();
                self.say(&language.curtain_ready(names.seat(seat)))?;
                if self.read()?.is_none() {
                    return Ok(Ended::InputClosed);
                }
                // The lines above belong to another pair of eyes.
                self.say(&"\n".repeat(40))?;
                self.session.open_curtain();
                self.heard = self.heard.min(self.session.told().len());
            }
            self.tell()?;
            if self.session.game().ending().is_some() {
                self.show_board()?;
                self.say(&self.session.prompt(&[]))?;
                return Ok(Ended::Over);
            }
            if self.session.game().to_act().is_none() || self.session.person_to_act().is_none() {
                continue;
            }
            self.show_turn()?;
            let Some(line) = self.read()? else { return Ok(Ended::InputClosed) };
            if let Some(ended) = self.answer(line.trim())? {
                return Ok(ended);
            }
        }
    }

    fn answer(&mut self, line: &str) -> std::io::Result<Option<Ended>> {
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

    fn obey(&mut self, command: Command) -> std::io::Result<Option<Ended>> {
        let language = self.session.language();
        match command {
            Command::Help => {
                self.say(&help::writing(language, &self.session.game().settings().game))?;
                self.say(language.plain_commands())?;
            }
            Command::Rules => {
                self.say(&help::rules(language, &self.session.game().settings().game).replace("## ", ""))?
            }
            Command::Moves => self.say(help::moves(&self.session).trim_end())?,
            Command::Board => self.show_board()?,
            Command::Look(square) => {
                let scene = self.session.game().position().scene(self.session.eyes());
                let names = self.session.names();
                let text = scene.board.cell(square).map_or_else(
                    || locale::reason(language, rules::Reason::OffBoard).to_owned(),
                    |cell| locale::message(language, &cell.description(), &names),
                );
                self.say(&text)?;
            }
            Command::Hint => {
                self.session.ask_advice();
                if let Some(advice) = self.session.advice(std::time::Duration::from_secs(20)) {
                    self.say(&advice)?;
                }
            }
            Command::Undo => {
                let before = self.session.game().log().len();
                let done = self.agreed(Session::undo)?;
                let taken_back = before.saturating_sub(self.session.game().log().len());
                if taken_back > 0 {
                    self.say(&language.undone(taken_back as u64))?;
                    self.shown_at = None;
                }
                self.report(done)?;
            }
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
            Command::Quit => return Ok(Some(Ended::Left)),
        }
        Ok(None)
    }

    /// Does something that may need everybody's consent, and asks for it.
    fn agreed(
        &mut self,
        what: fn(&mut Session, Consent) -> Result<(), MatchError>,
    ) -> std::io::Result<Result<(), MatchError>> {
        let done = what(&mut self.session, Consent::NotAsked);
        if done != Err(MatchError::NeedsConsent) {
            return Ok(done);
        }
        let question = self.session.language().consent_question();
        Ok(if self.ask(question)? { what(&mut self.session, Consent::All) } else { Ok(()) })
    }

    fn offer_draw(&mut self) -> std::io::Result<()> {
        let language = self.session.language();
        let mut answer = self.session.offer_draw();
        while let Ok(DrawAnswer::Ask(_)) = answer {
            let by = self.session.game().proposal().map_or(Seat::ONE, |proposal| proposal.by);
            let question = language.draw_offered(self.session.names().seat(by));
            let yes = self.ask(&question)?;
            answer = self.session.answer_draw(yes);
        }
        match answer {
            Ok(DrawAnswer::Declined) => self.say(language.offer_declined()),
            Ok(_) => Ok(()),
            Err(error) => self.report(Err(error)),
        }
    }

    fn ask(&mut self, question: &str) -> std::io::Result<bool> {
        let language = self.session.language();
        self.say(&format!("{question} ({} / {})", language.action_yes(), language.action_no()))?;
        let Some(line) = self.read()? else { return Ok(false) };
        let said = line.trim().to_lowercase();
        Ok(said == language.action_yes().to_lowercase()
            || matches!(said.as_str(), "y" | "yes" | "так" | "да" | "т" | "д"))
    }

    fn report(&mut self, done: Result<(), MatchError>) -> std::io::Result<()> {
        let Err(error) = done else {
            self.heard = self.heard.min(self.session.told().len());
            return Ok(());
        };
        let legal: Vec<String> =
            help::open_choices(self.session.game().position()).into_iter().map(|choice| choice.action).collect();
        let language = self.session.language();
        let text = words::refusal(language, &error, &self.session.names(), legal.first());
        self.say(&text)
    }

    /// Tells what happened since the last time.
    fn tell(&mut self) -> std::io::Result<()> {
        let new: Vec<String> = self.session.told().iter().skip(self.heard).map(|told| told.text.clone()).collect();
        self.heard = self.session.told().len();
        new.iter().try_for_each(|text| self.say(text))
    }

    /// Shows the board once in every turn, the hand and what to do before every action.
    fn show_turn(&mut self) -> std::io::Result<()> {
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

    /// What the clock shows for the person to act, where there is one: nobody sees it here.
    fn time_left(&self) -> Option<String> {
        let seat = self.session.person_to_act()?;
        let left = self.session.game().clock().left(seat, self.session.now())?;
        Some(self.session.language().time_left(self.session.names().seat(seat), words::minutes(left)))
    }

    /// The turn of the person to act: it began after the last thing somebody else did.
    fn turn(&self) -> Option<Turn> {
        let seat = self.session.person_to_act()?;
        let others = |told: &super::session::Told| told.seat.is_some_and(|actor| actor != seat);
        let before = self.session.told().iter().rposition(others).map_or(0, |index| index + 1);
        Some((seat, before))
    }

    fn show_board(&mut self) -> std::io::Result<()> {
        let eyes = self.session.eyes();
        let scene = self.session.game().position().scene(eyes);
        let language = self.session.language();
        self.shown_at = self.turn();
        for line in board_lines(&scene, language).into_iter().chain(beside(&scene, language, eyes)) {
            self.say(&line)?;
        }
        Ok(())
    }

    fn say(&mut self, text: &str) -> std::io::Result<()> {
        writeln!(self.output, "{text}")
    }

    fn read(&mut self) -> std::io::Result<Option<String>> {
        self.output.flush()?;
        let mut line = Vec::new();
        // A line without an end must not fill the memory.
        let mut limited = std::io::Read::take(&mut self.input, 10_000);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

/// The board as lines of words, the highest rank first, the letters of the columns last.
pub(crate) fn board_lines(scene: &Scene, language: Language) -> Vec<String> {
    let words: Vec<Vec<String>> =
        scene.board.ranks_from_top().map(|rank| rank.iter().map(|cell| cell_word(cell, language)).collect()).collect();
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
        Piece::Figure(figure) => figure.to_string(),
        Piece::Cube(None) | Piece::Card(_) => ".".to_owned(),
        Piece::Cube(Some(mark)) => {
            let symbol = if mark.side == rules::Side::ONE { "x" } else { "o" };
            mark.dot.map_or(symbol.to_owned(), |seat| format!("{symbol}{seat}"))
        }
        Piece::Chip(seat) => seat.to_string(),
        Piece::Stone(seat) => if seat == Seat::ONE { "x" } else { "o" }.to_owned(),
    });
    match (cell.ground, on_it) {
        (scene::Ground::Picture(card), None) => locale::card(language, card).to_owned(),
        (scene::Ground::Picture(card), Some(on_it)) => format!("{on_it}:{}", locale::card(language, card)),
        (scene::Ground::Corner, _) => "*".to_owned(),
        (scene::Ground::Unlaid, _) => "?".to_owned(),
        (_, Some(on_it)) => on_it,
        (_, None) => ".".to_owned(),
    }
}

/// What lies beside the board: the stock, the piece in hand, the own cards, the counters.
fn beside(scene: &Scene, language: Language, eyes: Viewer) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(tray) = &scene.stock {
        lines.push(format!("{}:", language.stock_title()));
        for place in tray.places.iter().filter(|place| place.present) {
            if let Piece::Figure(figure) = place.piece {
                lines.push(format!("  {figure} {}", locale::figure(language, figure)));
            }
        }
    }
    if let Some((_, Piece::Figure(figure))) = scene.held {
        lines.push(language.quarto_piece_in_hand(locale::figure(language, figure)));
    }
    for hand in scene.hands.iter().filter(|hand| eyes == Viewer::Seat(hand.seat)) {
        let cards: Vec<String> = hand
            .cards
            .iter()
            .filter_map(|held| {
                let name = locale::card(language, held.card?);
                let state =
                    if held.state == CardState::Usable { None } else { locale::card_state(language, held.state) };
                Some(state.map_or(name.to_owned(), |state| format!("{name} ({state})")))
            })
            .collect();
        lines.push(format!("{}: {}", language.hand_title(), cards.join(", ")));
    }
    for counter in &scene.counters {
        let label = locale::counter(language, counter.kind);
        let of = counter.of.map_or(String::new(), |of| format!(" / {of}"));
        let seat = counter.seat.map_or(String::new(), |seat| format!("{seat}: "));
        lines.push(format!("{seat}{label} {}{of}", counter.value));
    }
    lines
}
