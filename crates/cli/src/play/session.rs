//! A match on this device: who looks, bots that move, the story so far, and the file that keeps it all.

use std::path::Path;
use std::time::{Duration, Instant};

use game::{Answer, Consent, Event, Match, MatchError, Player, ProposalKind};
use locale::{Language, Names};
use rules::{Seat, Turn, Viewer};
use scene::{Highlight, Message};
use search::{Knowledge, Level, Random, Score, Value};

use super::save::{SaveFile, Unplayed, today};
use super::thinker::Thinker;
use super::words;
use crate::trouble;

/// A match being played on this device.
pub(crate) struct Session {
    game: Match,
    language: Language,
    random: Random,
    seed: u64,
    began: Instant,
    thinker: Thinker,
    /// Bots answer no sooner than this, so that their moves can be followed.
    pace: Duration,
    asked_at: Instant,
    /// What the bot that moved last expects, from 0 to 1.
    expectation: f32,
    /// Thinks about what a person could play, once somebody has asked.
    adviser: Option<Thinker>,
    /// What the bots may ask.
    knowledge: Knowledge,
    /// Whose eyes are open.
    eyes: Viewer,
    told: Vec<Told>,
    save: SaveFile,
}

/// One thing that happened, as the viewer may know it.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Who acted; `None` for chance and the table.
    pub(crate) seat: Option<Seat>,
    /// What to say.
    pub(crate) text: String,
    /// What to mark.
    pub(crate) highlights: Vec<Highlight>,
}

/// The longest a bot thinks about one action.
const LONGEST_THOUGHT: Duration = Duration::from_secs(3);

impl Session {
    /// Sits down at a match that may have begun before.
    pub(crate) fn new(game: Match, language: Language, seed: u64, pace: Duration, save: SaveFile) -> Session {
        let mut session = Session {
            game,
            language,
            random: Random::new(seed),
            seed,
            began: Instant::now(),
            thinker: Thinker::new(Knowledge::default()),
            knowledge: Knowledge::default(),
            pace,
            asked_at: Instant::now(),
            expectation: 0.5,
            adviser: None,
            eyes: Viewer::Spectator,
            told: Vec::new(),
            save,
        };
        session.eyes = session.first_eyes();
        session.game.start_clock(session.now());
        session.retell();
        session
    }

    /// The same session with knowledge for its bots.
    pub(crate) fn with_knowledge(self, knowledge: Knowledge) -> Session {
        Session { thinker: Thinker::new(knowledge.clone()), knowledge, ..self }
    }

    /// The match.
    pub(crate) fn game(&self) -> &Match {
        &self.game
    }

    /// The language everything is said in.
    pub(crate) fn language(&self) -> Language {
        self.language
    }

    /// Time since the session began.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whose eyes are open.
    pub(crate) fn eyes(&self) -> Viewer {
        self.eyes
    }

    /// What happened so far, oldest first.
    pub(crate) fn told(&self) -> &[Told] {
        &self.told
    }

    /// Where the match is kept.
    pub(crate) fn save_file(&self) -> &SaveFile {
        &self.save
    }

    /// The seats where people sit.
    pub(crate) fn people(&self) -> Vec<Seat> {
        Seat::all(self.game.position().seats()).filter(|&seat| self.is_person(seat)).collect()
    }

    /// Whether a person sits there.
    pub(crate) fn is_person(&self, seat: Seat) -> bool {
        self.game.settings().sitters.get(seat.index()).is_some_and(|sitter| sitter.player() == Player::Person)
    }

    /// The person to act, if a person is.
    pub(crate) fn person_to_act(&self) -> Option<Seat> {
        self.game.to_act().filter(|&seat| self.is_person(seat))
    }

    /// Whether a bot is thinking.
    pub(crate) fn is_thinking(&self) -> bool {
        self.thinker.is_thinking()
    }

    /// The seat the device must be passed to before it may show anything hidden.
    pub(crate) fn curtain(&self) -> Option<Seat> {
        let several = self.people().len() > 1 && self.game.position().hides();
        self.person_to_act().filter(|&seat| several && self.eyes != Viewer::Seat(seat))
    }

    /// The device has been passed on: the seat to act looks at it.
    pub(crate) fn open_curtain(&mut self) {
        if let Some(seat) = self.curtain() {
            self.eyes = Viewer::Seat(seat);
            self.retell();
        }
    }

    /// What the seats are called.
    pub(crate) fn names(&self) -> Names {
        words::names(self.language, self.game.settings(), &self.people())
    }

    /// What is to be done, or how it ended.
    pub(crate) fn prompt(&self, touched: &[scene::Spot]) -> String {
        if let Some(ending) = words::ending(self.language, &self.game, &self.names()) {
            return ending;
        }
        locale::message(self.language, &self.game.position().prompt(self.eyes, touched), &self.names())
    }

    /// What the last turn of a seat marked.
    pub(crate) fn last_marks(&self) -> Vec<Highlight> {
        let actor = self.told.iter().rev().find_map(|told| told.seat);
        let same_turn = self.told.iter().rev().take_while(|told| told.seat.is_none() || told.seat == actor);
        let acts = same_turn.filter(|told| told.seat.is_some()).enumerate();
        // Of a long turn every square is marked, but only the last capture is drawn in full.
        let marks = acts.flat_map(|(age, told)| {
            let kept = move |mark: &&Highlight| age == 0 || !matches!(mark, Highlight::Capture { .. });
            told.highlights.iter().filter(kept).cloned()
        });
        marks.collect()
    }

    /// Plays an action for the person to act.
    pub(crate) fn act(&mut self, action: &str) -> Result<(), MatchError> {
        let now = self.now();
        if let Some(ending) = self.game.ending() {
            return Err(MatchError::Over(ending));
        }
        let seat = match (self.game.to_act(), self.person_to_act()) {
            (_, Some(seat)) => seat,
            (to_act, None) => {
                let seat = self.people().first().copied().unwrap_or(Seat::ONE);
                return Err(MatchError::NotYourTurn { seat, to_act });
            }
        };
        let played = self.game.act(seat, action, now);
        self.changed();
        played
    }

    /// Lets everything happen that waits for nobody: clocks, chance, bots. `true` if something did.
    pub(crate) fn poll(&mut self) -> bool {
        let now = self.now();
        if self.game.tick(now).is_some() {
            self.thinker.cancel();
            self.changed();
            return true;
        }
        if self.game.chance_is_due() {
            let random = &mut self.random;
            let drawn = self.game.draw(&mut |n| random.below(n), now);
            self.changed();
            return drawn.is_ok_and(|drawn| !drawn.is_empty());
        }
        self.poll_bot(now)
    }

    /// Waits for the bot that is thinking, if one is.
    pub(crate) fn wait_for_bot(&mut self) {
        if let Some(answer) = self.thinker.wait(LONGEST_THOUGHT * 4) {
            self.play_answer(answer.action, answer.value);
        }
    }

    fn poll_bot(&mut self, now: Duration) -> bool {
        let Some(seat) = self.game.to_act() else { return false };
        let Player::Bot(level) = self.game.settings().sitters[seat.index()].player() else { return false };
        if !self.thinker.is_thinking() {
            let share = self.game.clock().left(seat, now).map_or(LONGEST_THOUGHT, |left| left / 12);
            let seed = self.seed ^ (self.game.log().len() as u64) << 20;
            self.thinker.think(self.game.positions(), level, seed, share.min(LONGEST_THOUGHT));
            self.asked_at = Instant::now();
            return false;
        }
        if self.asked_at.elapsed() < self.pace {
            return false;
        }
        match self.thinker.answer() {
            Some(answer) => {
                self.play_answer(answer.action, answer.value);
                true
            }
            None => false,
        }
    }

    fn play_answer(&mut self, action: Option<String>, value: Option<Value>) {
        let now = self.now();
        self.expectation = value.map_or(0.5, Value::score);
        // A bot that finds nothing, or something unlawful, must not stop the game: any lawful action goes on.
        let played = action.is_some_and(|action| self.game.play(&action, now).is_ok());
        if !played && let Some(action) = self.game.legal().first() {
            let _ = self.game.play(action, now);
        }
        self.changed();
    }

    /// Takes back the last action of a person, with the bots' answers to it.
    pub(crate) fn undo(&mut self, consent: Consent) -> Result<(), MatchError> {
        let now = self.now();
        let consent = if self.people().len() <= 1 { Consent::All } else { consent };
        self.thinker.cancel();
        let mut done = self.game.undo(consent, now);
        while done.is_ok() && self.person_to_act().is_none() && self.people().len() < self.seats() {
            if let Err(error) = self.game.undo(consent, now) {
                // Nothing of a person is left to take back: the bots that began play again.
                done = if error == MatchError::NothingToUndo { Ok(()) } else { Err(error) };
                break;
            }
        }
        self.changed();
        done
    }

    /// Plays again what was taken back last, with the bots' answers to it.
    pub(crate) fn redo(&mut self, consent: Consent) -> Result<(), MatchError> {
        let now = self.now();
        let consent = if self.people().len() <= 1 { Consent::All } else { consent };
        self.thinker.cancel();
        let mut done = self.game.redo(consent, now);
        while done.is_ok() && self.person_to_act().is_none() && self.game.can_redo() {
            done = self.game.redo(consent, now);
        }
        self.changed();
        done
    }

    /// The person who speaks now: the one to act, or whoever looks.
    pub(crate) fn speaker(&self) -> Option<Seat> {
        let looking = match self.eyes {
            Viewer::Seat(seat) if self.is_person(seat) => Some(seat),
            _ => None,
        };
        self.person_to_act().or(looking).or_else(|| self.people().first().copied())
    }

    /// Gives up.
    pub(crate) fn resign(&mut self) -> Result<(), MatchError> {
        let now = self.now();
        let seat = self.speaker().ok_or(MatchError::NothingProposed)?;
        self.thinker.cancel();
        let done = self.game.resign(seat, now);
        self.changed();
        done
    }

    /// Offers a draw; bots answer at once, people are asked by [`Session::answer_draw`].
    pub(crate) fn offer_draw(&mut self) -> Result<DrawAnswer, MatchError> {
        let now = self.now();
        let by = self.speaker().ok_or(MatchError::NothingProposed)?;
        if self.game.propose(by, ProposalKind::Draw, now)? == Answer::Done {
            self.changed();
            return Ok(DrawAnswer::Agreed);
        }
        // A bot that thinks it stands no better than even takes the draw.
        let bots: Vec<Seat> = Seat::all(self.game.position().seats()).filter(|&seat| !self.is_person(seat)).collect();
        for bot in bots {
            if self.expectation > 0.5 || self.game.log().is_empty() {
                self.game.decline(bot)?;
                return Ok(DrawAnswer::Declined);
            }
            if self.game.agree(bot, now)? == Answer::Done {
                self.changed();
                return Ok(DrawAnswer::Agreed);
            }
        }
        Ok(self.asked_about_draw().map_or(DrawAnswer::Declined, DrawAnswer::Ask))
    }

    /// The next person to be asked about the draw on offer.
    pub(crate) fn asked_about_draw(&self) -> Option<Seat> {
        let proposal = self.game.proposal()?;
        let position = self.game.position();
        self.people().into_iter().find(|&seat| {
            proposal.agreed.iter().all(|&other| position.side(other) != position.side(seat)) && !self.game.is_out(seat)
        })
    }

    /// A person's answer to the draw on offer.
    pub(crate) fn answer_draw(&mut self, yes: bool) -> Result<DrawAnswer, MatchError> {
        let now = self.now();
        let seat = self.asked_about_draw().ok_or(MatchError::NothingProposed)?;
        if !yes {
            self.game.decline(seat)?;
            return Ok(DrawAnswer::Declined);
        }
        let answer = self.game.agree(seat, now)?;
        self.changed();
        Ok(match answer {
            Answer::Done => DrawAnswer::Agreed,
            Answer::Waiting => self.asked_about_draw().map_or(DrawAnswer::Declined, DrawAnswer::Ask),
        })
    }

    /// Asks for a good move; `false` if no person is to act.
    pub(crate) fn ask_advice(&mut self) -> bool {
        if self.person_to_act().is_none() {
            return false;
        }
        let (positions, seed) = (self.game.positions(), self.seed);
        self.adviser.get_or_insert_with(|| Thinker::new(self.knowledge.clone())).think(
            positions,
            Level::HIGHEST,
            seed,
            LONGEST_THOUGHT,
        );
        true
    }

    /// The advice asked for, once it is there; waits for it for at most `patience`.
    pub(crate) fn advice(&mut self, patience: Duration) -> Option<String> {
        let adviser = self.adviser.as_mut().filter(|adviser| adviser.is_thinking())?;
        let answer = if patience.is_zero() { adviser.answer() } else { adviser.wait(patience) }?;
        let action = answer.action?;
        let l = self.language;
        Some(match answer.value? {
            Value::Win(Some(plies)) => l.hint_wins(action, plies.into()),
            Value::Win(None) => l.hint_surely_wins(action),
            Value::Draw => l.hint_draws(action),
            Value::Loss(_) => l.hint_loses(action),
            Value::Estimate(Score::EVEN) => l.hint_is(action),
            Value::Estimate(score) => l.hint_estimate(action, (f32::from(score) * 100.0).round()),
        })
    }

    /// The same game again, the same people at the same seats.
    pub(crate) fn again(&self) -> Option<Session> {
        let mut setup = self.game.settings().clone();
        setup.date = today();
        let seed = self.seed.wrapping_add(0x9e37_79b9);
        let game = Match::new(setup).ok()?;
        let session = Session::new(game, self.language, seed, self.pace, self.save.next_game(&self.game));
        Some(session.with_knowledge(self.knowledge.clone()))
    }

    /// Keeps the match in another file as well, or says where it is kept anyway.
    pub(crate) fn save_copy(&mut self, file: Option<&str>) -> Result<String, String> {
        let language = self.language;
        let unwritable = |file: &SaveFile, error: &std::io::Error| {
            language.error_file_unwritable(file.path().display(), trouble::file_to_write(language, error))
        };
        match file {
            Some(file) => {
                let mut copy = SaveFile::at(Path::new(file), self.language).map_err(|failure| failure.to_string())?;
                copy.write_or(&self.game, Unplayed::Keep).map_err(|error| unwritable(&copy, &error))?;
                Ok(file.to_owned())
            }
            None => {
                let kept = self.save.write_or(&self.game, Unplayed::Keep);
                kept.map_err(|error| unwritable(&self.save, &error))?;
                Ok(self.save.path().display().to_string())
            }
        }
    }

    /// Stops the clock, as when the match is left for now.
    pub(crate) fn pause(&mut self) {
        let now = self.now();
        self.thinker.cancel();
        self.game.stop_clock(now);
        self.save.write(&self.game);
    }

    fn seats(&self) -> usize {
        self.game.position().seats().into()
    }

    fn first_eyes(&self) -> Viewer {
        match self.people()[..] {
            [only] => Viewer::Seat(only),
            _ => Viewer::Spectator,
        }
    }

    /// After anything happened: keep it first, then tell it.
    fn changed(&mut self) {
        self.save.write(&self.game);
        let open = !self.game.position().hides();
        if open && let (Some(seat), true) = (self.person_to_act(), self.people().len() > 1) {
            self.eyes = Viewer::Seat(seat);
        }
        self.retell();
    }

    /// Tells the whole story for the eyes that are open.
    fn retell(&mut self) {
        let names = self.names();
        let positions = self.game.positions();
        let mut before = positions.iter();
        let mut told = Vec::new();
        for entry in self.game.log() {
            let Event::Action(action) = &entry.event else {
                let text = words::event(self.language, &entry.event, &names);
                told.extend(text.map(|text| Told { seat: None, text, highlights: Vec::new() }));
                continue;
            };
            let Some(position) = before.next() else { break };
            let Ok(happening) = position.happening(action, self.eyes) else { continue };
            let quiet = matches!(
                happening.message,
                Message::LaidTile { .. } | Message::Drew { card: None, reshuffled: false, .. }
            );
            if quiet {
                continue;
            }
            let seat = match position.turn() {
                Turn::Seat(seat) => Some(seat),
                _ => None,
            };
            let text = locale::message(self.language, &happening.message, &names);
            told.push(Told { seat, text, highlights: happening.highlights });
        }
        self.told = told;
    }
}

/// What became of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawAnswer {
    /// The match is drawn.
    Agreed,
    /// Somebody wants to play on.
    Declined,
    /// This person is to answer.
    Ask(Seat),
}
