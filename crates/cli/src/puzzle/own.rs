//! The moments where a person went wrong in saved games, as puzzles.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use game::{Match, Player};
use locale::Language;
use puzzles::Puzzle;
use rules::GameId;
use search::{Limits, SearchResult, Step, review};

use crate::error::CliError;
use crate::play::{SaveFile, kept_games};

/// Saved games that are looked through, the last ones first, and among how many of all games they are looked for.
const GAMES: usize = 5;
const AMONG: usize = 100;

/// How long each position is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// For the tables of the search.
const MEMORY: usize = 64 << 20;

/// The games of these files, or else the last ones that were saved; of one game if it is named.
pub(super) fn games(files: &[PathBuf], game: Option<GameId>, language: Language) -> Result<Vec<Match>, CliError> {
    let of_game =
        |line: &Match| game.is_none_or(|game| line.settings().game.id() == game) && !own_steps(line).is_empty();
    let mut found = Vec::new();
    if files.is_empty() {
        let kept = kept_games(language, AMONG).into_iter().map(|(line, _)| line);
        found.extend(kept.filter(of_game).take(GAMES));
    }
    for path in files {
        found.extend(SaveFile::load_each(path, language)?.into_iter().map(|(line, _)| line).filter(of_game));
    }
    Ok(found)
}

/// The mistakes of the persons in a game; `looked` is called after each position.
pub(super) fn mistakes(line: &Match, mut looked: impl FnMut()) -> Vec<Puzzle> {
    let (game, positions) = (&line.settings().game, line.positions());
    let mut bot = game.bot();
    let mut found: Vec<(usize, SearchResult<String>)> = Vec::new();
    let review = review(own_steps(line), |step| {
        let began = Instant::now();
        let now = || began.elapsed();
        let limits = Limits::until(&now, LOOK).with_seed(1).with_memory(MEMORY);
        let analysis = bot.analyse(&positions[..=step.ply], &limits);
        found.extend(analysis.clone().map(|analysis| (step.ply, analysis)));
        looked();
        analysis
    });
    let puzzle = |judgement: &search::Judgement<String>| {
        let ply = judgement.step.ply;
        let (_, analysis) = found.iter().find(|(of, _)| *of == ply)?;
        Puzzle::from_mistake(game, &positions[ply].to_string(), judgement, analysis)
    };
    review.mistakes().filter_map(puzzle).collect()
}

/// The actions of persons.
pub(super) fn own_steps(line: &Match) -> Vec<Step<String>> {
    let is_person = |step: &Step<String>| {
        line.settings().sitters.get(step.seat.index()).is_some_and(|sitter| sitter.player() == Player::Person)
    };
    line.review_steps().into_iter().filter(is_person).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::MatchSettings;

    #[test]
    fn a_gift_that_loses_at_once_becomes_a_puzzle() {
        let mut settings = MatchSettings::new("quarto".parse().unwrap());
        settings.start = Some("..../..../..../124. - 2 c1".to_owned());
        let mut line = Match::new(settings).unwrap();
        line.play("0", Duration::ZERO).unwrap();
        let mut looked = 0;
        let puzzles = mistakes(&line, || looked += 1);
        assert_eq!((puzzles.len(), looked), (1, 1));
        assert!(!puzzles[0].right_actions(0).contains(&"0"));
        assert_eq!(puzzles[0].start, "..../..../..../124. - 2 c1");
    }
}
