use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use game::{Conferring, Game, Match, MatchSettings, Sitter};
use locale::Language;
use rules::{Seat, Signs};

use search::Random;
use session::FirstPlayer;

use super::save::{SaveFile, kept_games, read_records, today};
use crate::error::CliError;
use crate::error_text;

/// Arguments of `fourfold play`.
#[derive(Debug, Args)]
pub(crate) struct PlayArguments {
    /// The game with its options: quarto, "quixo(players=4)", sequence, "four(size=9)".
    #[arg(conflicts_with = "load")]
    game: Option<String>,
    /// Who sits where: 2=bot:3 or "1=person Olena". Seats left out: a person first, bots at level 3 after.
    #[arg(long = "seat", value_name = "SEAT=WHO")]
    seats: Vec<String>,
    /// The clock, in seconds: none, turn=60, fischer=300+5, delay=300+5.
    #[arg(long, value_name = "CLOCK", conflicts_with = "load")]
    clock: Option<String>,
    /// Who begins: the number of a seat, lot, or loser for the loser of the last game.
    #[arg(long, value_name = "SEAT|lot|loser", conflicts_with = "load")]
    first: Option<String>,
    /// The symbol or colour of each side, in the order of the seats: "nought cross", "red blue".
    #[arg(long, value_name = "SIGNS", conflicts_with = "load")]
    signs: Option<String>,
    /// Whether partners may talk about moves: yes or no.
    #[arg(long, value_name = "YES|NO", conflicts_with = "load")]
    confer: Option<String>,
    /// Start from this position text instead of the usual start.
    #[arg(long, value_name = "TEXT", conflicts_with = "load")]
    position: Option<String>,
    /// Go on with the last game in this file.
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
    /// Keep the game in this file, after what is in it already.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The number all chance comes from; the same number deals the same cards.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u64>,
    /// A folder of Quixo tables: the strongest level and hints are then exact.
    #[arg(long, value_name = "DIR")]
    pub(super) tablebase: Option<PathBuf>,
    /// Line by line, for screen readers and pipes.
    #[arg(long)]
    pub(super) plain: bool,
}

impl PlayArguments {
    /// The match, new or loaded, and the file that keeps it.
    pub(super) fn sit_down(&self, language: Language) -> Result<(Match, SaveFile), CliError> {
        let (game, save) = match &self.load {
            Some(file) => self.loaded(SaveFile::load(file, language)?, language)?,
            None => self.new_match(language)?,
        };
        match &self.save {
            Some(file) => Ok((game, SaveFile::at(file, language)?)),
            None => Ok((game, save)),
        }
    }

    /// The seed given, or one that differs each time.
    pub(super) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(any_seed)
    }

    fn new_match(&self, language: Language) -> Result<(Match, SaveFile), CliError> {
        let Some(text) = self.game.as_deref() else {
            return Err(CliError::wrong_use(language.error_game_missing(error_text::possible_games())));
        };
        let game = read_game(text, language)?;
        let save = SaveFile::automatic(&game, language);
        let mut setup = MatchSettings::new(game);
        setup.date = today();
        setup.start = self.position.clone();
        if let Some(clock) = &self.clock {
            setup.clock = clock.parse().map_err(|_| CliError::wrong_use(language.error_bad_clock(clock)))?;
        }
        self.agree(&mut setup, language)?;
        // By default one person plays against bots.
        for sitter in setup.sitters.iter_mut().skip(1) {
            *sitter = "bot:3".parse().unwrap_or_default();
        }
        self.seat(&mut setup, language)?;
        let setup = self.begin(setup, language)?;
        let game = Match::new(setup).map_err(|problem| CliError::wrong_use(error_text::setup(language, &problem)))?;
        Ok((game, save))
    }

    /// What is agreed besides the rules.
    fn agree(&self, setup: &mut MatchSettings, language: Language) -> Result<(), CliError> {
        if let Some(text) = &self.signs {
            let (id, sides) = (setup.game.id(), setup.game.sides());
            let bad = |_| match id.signs() {
                [] => CliError::wrong_use(language.error_no_signs(locale::game_name(language, id))),
                signs => CliError::wrong_use(language.error_bad_signs(text, sides.to_string(), signs.join(", "))),
            };
            setup.choose_signs(Signs::read(id, sides, text).map_err(bad)?);
        }
        if let Some(text) = &self.confer {
            let agreed = Conferring::ALL.into_iter().find(|agreed| agreed.word() == text);
            setup.agree_conferring(agreed.ok_or_else(|| CliError::wrong_use(language.error_bad_confer(text)))?);
        }
        Ok(())
    }

    /// Moves the players on around the table until the one who begins sits first.
    fn begin(&self, mut setup: MatchSettings, language: Language) -> Result<MatchSettings, CliError> {
        let Some(text) = &self.first else { return Ok(setup) };
        if let Ok(seat) = text.parse::<Seat>() {
            if seat.index() >= setup.sitters.len() {
                return Err(CliError::wrong_use(language.match_no_such_seat(seat)));
            }
            setup.begin_with(seat.index());
            return Ok(setup);
        }
        let drawn = [FirstPlayer::Lot, FirstPlayer::Loser].into_iter().find(|first| first.word() == text);
        let first = drawn.ok_or_else(|| CliError::wrong_use(language.error_bad_first(text)))?;
        let earlier = if first == FirstPlayer::Loser { self.earlier_matches(language)? } else { Vec::new() };
        Ok(first.seat_after(setup, earlier, &mut Random::new(lot_seed(self.seed()))))
    }

    /// The matches before this one, the newest first: those of its file, else those that were kept automatically.
    fn earlier_matches(&self, language: Language) -> Result<Vec<Match>, CliError> {
        match self.save.as_deref().filter(|file| file.exists()) {
            Some(file) => {
                let records = read_records(file, language)?;
                Ok(records.iter().rev().filter_map(|record| record.replay().ok()).collect())
            }
            None => Ok(earlier_games(language)),
        }
    }

    /// The loaded match, with other players where the arguments say so.
    fn loaded(&self, (game, save): (Match, SaveFile), language: Language) -> Result<(Match, SaveFile), CliError> {
        if self.seats.is_empty() {
            return Ok((game, save));
        }
        let mut setup = game.settings().clone();
        self.seat(&mut setup, language)?;
        let mut reseated =
            Match::new(setup).map_err(|problem| CliError::wrong_use(error_text::setup(language, &problem)))?;
        for entry in game.log() {
            reseated.replay(entry.clone())?;
        }
        Ok((reseated, save))
    }

    fn seat(&self, setup: &mut MatchSettings, language: Language) -> Result<(), CliError> {
        for text in &self.seats {
            let bad = || CliError::wrong_use(language.error_bad_seat(text));
            let (seat, who) = text.split_once('=').ok_or_else(bad)?;
            let seat: Seat = seat.trim().parse().map_err(|_| bad())?;
            let who: Sitter = who.trim().parse().map_err(|_| bad())?;
            let place = setup.sitters.get_mut(seat.index());
            *place.ok_or_else(|| CliError::wrong_use(language.match_no_such_seat(seat)))? = who;
        }
        Ok(())
    }
}

/// A seed from the time in nanoseconds and the number of this process.
pub(crate) fn any_seed() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    time ^ u64::from(std::process::id()) << 32
}

/// The seed of the draw of lots, apart from that of the deal.
pub(super) const fn lot_seed(seed: u64) -> u64 {
    seed ^ 0x6c6f_7473
}

/// The matches that were kept automatically, as many as may matter to who lost last; the newest first.
pub(crate) fn earlier_games(language: Language) -> Vec<Match> {
    const MOST: usize = 100;
    kept_games(language, MOST).into_iter().map(|(game, _)| game).collect()
}

/// Reads a game with its options.
pub(crate) fn read_game(text: &str, language: Language) -> Result<Game, CliError> {
    text.parse().map_err(|problem| CliError::wrong_use(error_text::game(language, &problem)))
}
