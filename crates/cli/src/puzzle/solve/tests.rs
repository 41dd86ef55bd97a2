use super::*;

/// Noon of a day in 2026.
fn fixed() -> u64 {
    1_794_916_800_000
}

fn desk(input: &str) -> Desk<&[u8], Vec<u8>> {
    Desk {
        language: Language::English,
        input: input.as_bytes(),
        output: Vec::new(),
        diary: Diary::default(),
        account: None,
        clock: fixed,
        random: Random::new(5),
    }
}

fn said(desk: Desk<&[u8], Vec<u8>>) -> String {
    String::from_utf8(desk.output).unwrap()
}

#[test]
fn the_puzzle_of_the_day_is_solved_and_noted() {
    let game = GAMES[1];
    let today = Day::at(fixed());
    let puzzle = daily(today, game).unwrap();
    let solver = puzzle.solver();
    let moves: Vec<&str> =
        puzzle.steps.iter().filter(|step| step.seat == solver).map(|step| step.played.as_str()).collect();
    let input = format!("z9\n{}\n", moves.join("\n"));
    let mut desk = desk(&input);
    desk.daily(Some(game), None).unwrap();
    assert_eq!(desk.diary.day(today, game).map(|entry| entry.result), Some(Finish::Clean));
    assert_eq!(desk.diary.days_in_a_row(today), 1);
    let said = said(desk);
    assert!(said.contains("z9 is not possible here") && said.contains("Solved!"), "{said}");
    assert!(said.contains("Rating: 1000? → ") && said.contains("rating of this device"), "{said}");
    assert!(said.contains("You play Crosses (x).") || said.contains("You play Noughts (o)."), "{said}");
    let shared = said.split("\n\n").last().unwrap();
    assert!(shared.starts_with("Fourfold 20") && !shared.contains(moves[0]), "{shared}");
}

#[test]
fn a_mistake_lowers_the_rating_and_hints_lead_to_the_move() {
    let game = GAMES[2];
    let mut helped = desk("hint\nhint\nhint\nvalues\nshow\nquit\n");
    helped.rated(game, None, true).unwrap();
    assert!(helped.diary.rating(game).rating < Rating::NEW_SOLVER.rating);
    let said = said(helped);
    for part in ["Your rating: 1000?", "The move is ", "Solution: ", "What every move", "Rating: 1000? → "] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_wrong_move_is_refuted_by_a_line_however_long_the_way_to_the_loss() {
    let game = GameId::ALL[1];
    let shelf = shelf(game);
    let draws = |puzzle: &Puzzle| {
        let drawn = |worth: &puzzles::Worth| *worth == puzzles::Worth::Result(search::Value::Draw);
        puzzle.theme == Theme::Only && puzzle.steps[0].values.iter().any(|(_, worth)| drawn(worth))
    };
    let puzzle = shelf.entries().iter().filter_map(|entry| shelf.read(entry)).find(draws).unwrap();
    let (wrong, _) = puzzle.steps[0]
        .values
        .iter()
        .min_by_key(|(_, worth)| *worth < puzzles::Worth::Result(search::Value::Draw))
        .unwrap();
    let wrong = wrong.clone();
    let input = format!("{wrong}\nquit\n");
    let mut tried = desk(&input);
    tried.set(puzzle, Help::Yes).unwrap();
    let said = said(tried);
    assert!(said.contains("Not this one: ") && said.contains("would answer"), "{said}");
}

#[test]
fn looking_at_the_values_is_help() {
    let game = GAMES[1];
    let puzzle = daily(Day::at(fixed()), game).unwrap();
    let input = format!("values\n{}\n", puzzle.steps[0].played);
    let mut looked = desk(&input);
    let (attempt, _) = looked.set(puzzle, Help::Yes).unwrap();
    assert_eq!(attempt.score(), Some(0.0));
    assert!(said(looked).contains("What every move"));
}

#[test]
fn after_the_end_the_solution_is_walked_and_any_move_of_either_side_has_its_value() {
    let game = GAMES[1];
    let long = |puzzle: &Puzzle| puzzle.steps.len() >= 3;
    let shelf = shelf(game);
    let puzzle = shelf.entries().iter().filter_map(|entry| shelf.read(entry)).find(long).unwrap();
    let reply = puzzle.steps[1].clone();
    let tried = reply.values.iter().find(|(action, _)| *action != reply.played).unwrap();
    let input = format!("show\nforward\n{}\nvalues\nb\nz9\nquit\n", tried.0);
    let mut walked = desk(&input);
    let (_, next) = walked.set(puzzle.clone(), Help::Yes).unwrap();
    assert_eq!(next, Next::Stop);
    let said = said(walked);
    let worth = puzzle_words::worth(Language::English, &puzzle, tried.1);
    let (played, last) = (&puzzle.steps[0].played, puzzle.steps.len());
    for part in [&format!("1/{last} {played}"), &format!("{}: {worth}", tried.0), "What every move", "z9 is not"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let mut gone_on = desk("show\n\n");
    assert_eq!(gone_on.set(puzzle, Help::Yes).unwrap().1, Next::Another);
}

#[test]
fn a_puzzle_of_the_day_that_was_left_after_a_mistake_is_not_solved_at_the_first_try() {
    let game = GAMES[1];
    let today = Day::at(fixed());
    let puzzle = daily(today, game).unwrap();
    let own = puzzle.steps.iter().filter(|step| step.seat == puzzle.solver());
    let moves: Vec<&str> = own.map(|step| step.played.as_str()).collect();
    let mut left = desk("values\nquit\n");
    left.daily(Some(game), None).unwrap();
    let (rating, diary) = (left.diary.rating(game), left.diary);
    assert!(rating.rating < Rating::NEW_SOLVER.rating);
    let input = format!("{}\n", moves.join("\n"));
    let mut again = desk(&input);
    again.diary = diary;
    again.daily(Some(game), None).unwrap();
    assert_eq!(again.diary.day(today, game).map(|entry| entry.result), Some(Finish::Helped));
    assert_eq!(again.diary.rating(game), rating, "only the first try counts");
}

#[test]
fn a_streak_ends_with_the_first_mistake() {
    let game = GAMES[1];
    let mut streak = desk("show\nshow\n");
    streak.run_of(RunKind::Streak, game, true).unwrap();
    let said = said(streak);
    assert_eq!(said.matches("Difficulty").count(), 1, "{said}");
    assert!(said.contains("Finished: none solved."), "{said}");
}

#[test]
fn a_theme_of_another_game_is_refused_with_the_possible_ones() {
    let refused = read_theme("fork", GAMES[1], Language::English).unwrap_err();
    assert!(format!("{refused:?}").contains("possible are "), "{refused:?}");
}
