//! What every shell says about puzzles, in English.
#![allow(clippy::unwrap_used, reason = "a test may")]

use locale::Language::English;
use puzzles::{Attempt, Finish, Puzzle, Refutation, RunKind, Step, Theme, Worth};
use rules::Seat;
use search::{Score, Value};
use session::puzzle_words::{day_result, finish, minutes, question, run_name, spot, theme, worth, wrong};

/// A puzzle of one step whose best action is worth so much.
fn puzzle(game: &str, theme: Theme, best: Worth) -> Puzzle {
    let values = vec![("a1e1".to_owned(), Worth::Result(Value::Loss(None))), ("e5a5".to_owned(), best)];
    let step = Step { seat: Seat::ONE, played: "e5a5".to_owned(), values };
    let start = "xxxx./...../...../...../ooo.. 1".to_owned();
    Puzzle { game: game.parse().unwrap(), theme, plies: 1, rating: None, start, steps: vec![step] }
}

const WIN: Worth = Worth::Result(Value::Win(Some(1)));
const DRAW: Worth = Worth::Result(Value::Draw);
const LOSS: Worth = Worth::Result(Value::Loss(Some(2)));

#[test]
fn a_question_names_the_goal_unless_the_theme_does() {
    assert_eq!(theme(English, Theme::Win), "Fastest win");
    assert_ne!(theme(English, Theme::Only), theme(English, Theme::Hold));
    let asked = |theme, best| question(English, &puzzle("quixo", theme, best));
    assert_eq!(asked(Theme::Win, WIN), "Win in 1 turn.");
    let trap = "Only one move is right, and it is not the tempting one.";
    assert_eq!(asked(Theme::Trap, WIN), format!("{trap} You can win."));
    assert_eq!(asked(Theme::Trap, DRAW), format!("{trap} You can hold the draw."));
    assert_eq!(asked(Theme::Trap, LOSS), trap);
}

#[test]
fn worth_is_told_in_what_the_puzzle_counts() {
    let told = |game, theme, found| worth(English, &puzzle(game, theme, WIN), found);
    assert_eq!(told("four", Theme::Most, Worth::Captures(2)), "captures 2 stones");
    assert_eq!(told("four", Theme::Escape, Worth::Captures(-2)), "loses 2 stones");
    assert_eq!(told("quixo", Theme::Win, WIN), "wins at once");
    assert_eq!(told("quixo", Theme::Win, DRAW), "draw");
    assert_eq!(told("quixo", Theme::Win, LOSS), "loses in 2 actions");
    assert_eq!(told("quixo", Theme::Win, Worth::Result(Value::Estimate(Score::EVEN))), "about 50 %, an estimate");
    // What others hold in Sequence is not known.
    assert_eq!(told("sequence", Theme::Win, DRAW), "decides nothing");
    assert_eq!(told("sequence", Theme::Win, LOSS), "the opponent may win at once");
}

#[test]
fn a_wrong_action_is_refuted_in_the_words_that_fit() {
    let told = |game, theme, found, best, engine, line| {
        let refutation = Refutation { ask_engine: engine, ..Refutation::default() };
        wrong(English, &puzzle(game, theme, best), found, best, &refutation, line)
    };
    assert_eq!(told("quixo", Theme::Win, LOSS, WIN, false, ""), "Not this one: loses in 2 actions.");
    assert_eq!(
        told("quixo", Theme::Win, LOSS, WIN, false, "a1e1"),
        "Not this one: loses in 2 actions. The answer would be a1e1."
    );
    assert_eq!(
        told("quixo", Theme::Win, LOSS, WIN, true, "a1e1"),
        "Not this one: loses in 2 actions. The computer would answer a1e1."
    );
    assert_eq!(
        told("sequence", Theme::Win, LOSS, WIN, false, "x"),
        "Not this one: the opponent may win at once. The opponent may answer x."
    );
    let (one, two) = (Worth::Captures(1), Worth::Captures(2));
    assert_eq!(
        told("four", Theme::Most, one, two, false, "end"),
        "Not this one: captures 1 stone. The best is: captures 2 stones. After it there is only end."
    );
    assert!(told("four", Theme::Escape, one, two, false, "x").ends_with("The answer would be x."));
}

#[test]
fn an_attempt_ends_clean_or_helped() {
    let attempt = || Attempt::new(puzzle("quixo", Theme::Win, WIN)).unwrap();
    assert_eq!(finish(English, &attempt()), None, "it goes on");
    let mut clean = attempt();
    clean.answer("e5a5");
    assert_eq!(finish(English, &clean), Some("Solved!"));
    let mut helped = attempt();
    helped.note_help();
    helped.answer("e5a5");
    assert_eq!(finish(English, &helped), Some("Solved, with some help."));
    let mut failed = attempt();
    failed.give_up();
    assert_eq!(finish(English, &failed), None);
}

#[test]
fn days_rows_and_times_have_names() {
    assert_eq!(day_result(English, None), "open");
    assert_eq!(day_result(English, Some(Finish::Clean)), "solved");
    assert_ne!(day_result(English, Some(Finish::Failed)), day_result(English, Some(Finish::Helped)));
    assert_eq!(run_name(English, RunKind::Storm), "Storm");
    assert_ne!(run_name(English, RunKind::Streak), "Storm");
    assert_eq!([0, 1, 60_000, 61_001].map(minutes), ["0:00", "0:01", "1:00", "1:02"]);
    assert_eq!(spot(English, "a1".parse().unwrap()), "a1");
}
