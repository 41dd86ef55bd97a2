//! What every shell says about puzzles.

use locale::Language;
use puzzles::{Attempt, Finish, Puzzle, Refutation, RunKind, Theme, Worth};
use scene::Spot;
use search::Value;

use crate::words::percent;

/// What a theme is called.
pub fn theme(language: Language, theme: Theme) -> &'static str {
    match theme {
        Theme::Win => language.puzzle_theme_win(),
        Theme::Only => language.puzzle_theme_only(),
        Theme::Hold => language.puzzle_theme_hold(),
        Theme::Trap => language.puzzle_theme_trap(),
        Theme::Avoid => language.puzzle_theme_avoid(),
        Theme::Row => language.puzzle_theme_row(),
        Theme::Place => language.puzzle_theme_place(),
        Theme::Give => language.puzzle_theme_give(),
        Theme::Both => language.puzzle_theme_both(),
        Theme::Safe => language.puzzle_theme_safe(),
        Theme::Call => language.puzzle_theme_call(),
        Theme::Most => language.puzzle_theme_most(),
        Theme::Last => language.puzzle_theme_last(),
        Theme::Edge => language.puzzle_theme_edge(),
        Theme::Chain => language.puzzle_theme_chain(),
        Theme::Escape => language.puzzle_theme_escape(),
        Theme::Stop => language.puzzle_theme_stop(),
        Theme::Fork => language.puzzle_theme_fork(),
        Theme::Own => language.puzzle_theme_own(),
    }
}

/// What is asked, in one line.
pub fn question(language: Language, puzzle: &Puzzle) -> String {
    let asked = match puzzle.theme {
        Theme::Win => return language.puzzle_ask_win(puzzle.turns().into()),
        Theme::Only => return language.puzzle_ask_only().to_owned(),
        Theme::Hold => return language.puzzle_ask_hold().to_owned(),
        Theme::Trap => language.puzzle_ask_trap(),
        Theme::Avoid => language.puzzle_ask_avoid(),
        Theme::Row => return language.puzzle_ask_row().to_owned(),
        Theme::Place => language.puzzle_ask_place(),
        Theme::Give => language.puzzle_ask_give(),
        Theme::Both => language.puzzle_ask_both(),
        Theme::Safe => language.puzzle_ask_safe(),
        Theme::Call => return language.puzzle_ask_call().to_owned(),
        Theme::Most => return language.puzzle_ask_most().to_owned(),
        Theme::Last => return language.puzzle_ask_last().to_owned(),
        Theme::Edge => return language.puzzle_ask_edge().to_owned(),
        Theme::Chain => return language.puzzle_ask_chain().to_owned(),
        Theme::Escape => return language.puzzle_ask_escape().to_owned(),
        Theme::Stop => return language.puzzle_ask_stop().to_owned(),
        Theme::Fork => return language.puzzle_ask_fork().to_owned(),
        Theme::Own => return language.puzzle_ask_own().to_owned(),
    };
    match puzzle.steps.first().map(puzzles::Step::best) {
        Some(Worth::Result(Value::Win(_))) => format!("{asked} {}", language.puzzle_goal_win()),
        Some(Worth::Result(Value::Draw)) => format!("{asked} {}", language.puzzle_goal_draw()),
        _ => asked.to_owned(),
    }
}

/// What an action is worth, in words.
pub fn worth(language: Language, puzzle: &Puzzle, worth: Worth) -> String {
    match worth {
        Worth::Captures(count) if puzzle.theme == Theme::Escape => {
            language.puzzle_worth_threat(count.unsigned_abs().into())
        }
        Worth::Captures(count) => language.puzzle_worth_captures(count.unsigned_abs().into()),
        Worth::Result(Value::Win(plies)) => language.puzzle_worth_win(plies.unwrap_or(1).into()),
        Worth::Result(Value::Draw) if puzzle.tells_only_what_is_certain() => language.puzzle_worth_open().to_owned(),
        Worth::Result(Value::Draw) => language.puzzle_worth_draw().to_owned(),
        Worth::Result(Value::Loss(_)) if puzzle.tells_only_what_is_certain() => {
            language.puzzle_worth_may_lose().to_owned()
        }
        Worth::Result(Value::Loss(plies)) => language.puzzle_worth_loss(plies.unwrap_or(1).into()),
        Worth::Result(Value::Estimate(score)) => language.puzzle_worth_estimate(percent(score.into())),
    }
}

/// What a wrong action comes to, with the line of its refutation as the shell writes actions.
pub fn wrong(
    language: Language,
    puzzle: &Puzzle,
    found: Worth,
    best: Worth,
    refutation: &Refutation,
    line: &str,
) -> String {
    let told = worth(language, puzzle, found);
    let told = match best {
        Worth::Captures(_) => language.puzzle_wrong_best(told, worth(language, puzzle, best)),
        Worth::Result(_) => language.puzzle_wrong(told),
    };
    match (line, found) {
        ("", _) => told,
        // The rest of the turn is the solver's own.
        (line, Worth::Captures(_)) if puzzle.theme != Theme::Escape => {
            format!("{told} {}", language.puzzle_left_over(line))
        }
        (line, _) if refutation.ask_engine => format!("{told} {}", language.puzzle_engine_answers(line)),
        (line, _) if puzzle.tells_only_what_is_certain() => format!("{told} {}", language.puzzle_may_answer(line)),
        (line, _) => format!("{told} {}", language.puzzle_refuted(line)),
    }
}

/// Something to touch, by name.
pub fn spot(language: Language, spot: Spot) -> String {
    spot.piece().map_or_else(|| spot.to_string(), |piece| locale::piece_alone(language, piece))
}

/// How an attempt ended.
pub fn finish(language: Language, attempt: &Attempt) -> Option<&'static str> {
    Some(match attempt.result()? {
        Finish::Clean => language.puzzle_solved(),
        Finish::Helped => language.puzzle_solved_helped(),
        Finish::Failed => return None,
    })
}

/// What became of a day's puzzle.
pub fn day_result(language: Language, result: Option<Finish>) -> &'static str {
    match result {
        Some(Finish::Clean) => language.puzzle_day_clean(),
        Some(Finish::Helped) => language.puzzle_day_helped(),
        Some(Finish::Failed) => language.puzzle_day_failed(),
        None => language.puzzle_day_open(),
    }
}

/// What a row of puzzles is called.
pub fn run_name(language: Language, kind: RunKind) -> &'static str {
    match kind {
        RunKind::Streak => language.puzzle_mode_streak(),
        RunKind::Storm => language.puzzle_mode_storm(),
    }
}

/// Minutes and seconds.
pub fn minutes(milliseconds: u64) -> String {
    let seconds = milliseconds.div_ceil(1000);
    format!("{}:{:02}", seconds / 60, seconds % 60)
}
