//! A match on the screen.

use super::*;

#[test]
fn no_letter_confirms_a_resignation() {
    for letter in ['y', 'Y', 'т', 'Т', 'д', 'н', 'n', ' '] {
        let mut stage = Stage::new("quixo", LOOKS[2], 80, 24);
        stage.draw();
        stage.control('r');
        stage.press(KeyCode::Char(letter));
        assert!(stage.draw().contains("Enter Yes"), "{letter}: the question stays");
        assert!(stage.screen.session().game().ending().is_none(), "{letter}");
        stage.press(KeyCode::Esc);
        assert!(stage.screen.session().game().ending().is_none());
    }
    let mut stage = Stage::new("quixo", LOOKS[2], 80, 24);
    stage.control('r');
    stage.press(KeyCode::Enter);
    assert!(stage.screen.session().game().ending().is_some());
}

#[test]
fn a_finished_game_is_replayed_and_analysed() {
    let mut stage = Stage::new("quixo", LOOKS[2], 80, 24);
    for action in ["a3e3", "a2e2", "a4e4"] {
        stage.type_in(action);
    }
    stage.control('r');
    stage.press(KeyCode::Enter);
    assert!(stage.draw().contains("← → Replay"));
    stage.press(KeyCode::Home);
    let first = stage.draw();
    assert!(first.contains("Move 0 of 3") && !first.contains("resigned"), "{first}");
    stage.press(KeyCode::Right);
    let second = stage.draw();
    assert!(second.contains("Move 1 of 3"), "{second}");
    assert_eq!(stage.screen.session().game().log().len(), 4, "looking changes nothing");
    stage.press(KeyCode::Esc);
    assert!(!stage.draw().contains("Move 1 of 3"), "back at the end");
    stage.control('e');
    let began = std::time::Instant::now();
    while !stage.draw().contains("Turning point") && !stage.draw().contains("No mistakes found") {
        assert!(began.elapsed().as_secs() < 60, "{}", stage.draw());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    stage.press(KeyCode::Home);
    stage.press(KeyCode::Right);
    assert!(stage.draw().contains("a3e3: draw"), "{}", stage.draw());
}

#[test]
fn a_wrong_touch_says_why_and_a_second_way_leads_on() {
    let mut stage = Stage::new("quixo", LOOKS[2], 80, 24);
    stage.draw();
    stage.type_in("c3e3");
    assert!(stage.draw().contains("Only cubes on the edge can be taken."));
    stage.type_in("ф3у3");
    assert!(stage.draw().contains("Crosses: cube with a cross"));
    stage.control('u');
    assert!(stage.screen.session().game().log().is_empty());
    stage.control('y');
    assert_eq!(stage.screen.session().game().log().len(), 1);
}

#[test]
fn a_row_is_called_out_large_where_the_program_sees_it_too() {
    for (look, call) in [(LOOKS[0], "4   Н А   Л І Н І Ї !"), (LOOKS[1], "К В А Р Т О !"), (LOOKS[2], "Q U A R T O !")]
    {
        let mut stage = Stage::new("quarto", look, 80, 24);
        for action in ["0", "a1", "1", "b1", "2", "c1", "3"] {
            stage.type_in(action);
        }
        assert!(!stage.draw().contains(call));
        stage.type_in("d1");
        assert!(stage.draw().contains(call), "{}", stage.draw());
        stage.press(KeyCode::Home);
        assert!(!stage.draw().contains(call), "an earlier moment");
    }
}

#[test]
fn the_frames_of_a_row_are_one() {
    let mut stage = Stage::new("quarto(squares=yes)", LOOKS[2], 80, 24);
    for action in ["0", "a1", "1", "b1", "2", "a2", "3", "b2"] {
        stage.type_in(action);
    }
    let won = stage.draw();
    for (joint, where_to) in [("╦", "above"), ("╩", "below"), ("╠", "left"), ("╣", "right"), ("╬", "in the middle")]
    {
        assert_eq!(won.matches(joint).count(), 1, "{where_to}: {won}");
    }
}

#[test]
fn the_mouse_touches_what_it_points_at() {
    let mut stage = Stage::new("quixo", LOOKS[0], 80, 24);
    stage.draw();
    stage.click(3, 2);
    stage.draw();
    stage.click(36, 2);
    stage.draw();
    assert_eq!(stage.screen.session().game().log().len(), 1, "a5 to e5");
}

#[test]
fn the_curtain_hides_every_card() {
    let mut stage = Stage::new("sequence", LOOKS[2], 80, 24);
    let closed = stage.draw();
    assert!(closed.contains("Pass the device to Green"));
    assert!(!closed.contains("Draw pile"), "nothing of the table shows");
    stage.press(KeyCode::Enter);
    let open = stage.draw();
    assert!(open.contains("Draw pile 36"));
    assert!(open.contains("▒▒▒"), "the other hand stays hidden");
    let action = stage.screen.session().game().legal()[0].clone();
    stage.type_in(&action);
    assert!(stage.draw().contains("Pass the device to Blue"));
}

#[test]
fn a_row_that_waits_to_be_called_is_not_given_away() {
    let mut stage = Stage::new("quarto(call=open)", LOOKS[2], 80, 24);
    // Four light pieces on rank 1.
    for action in ["0", "a1", "1", "b1", "2", "c1", "3", "d1"] {
        stage.type_in(action);
    }
    stage.press(KeyCode::F(2));
    let moves = stage.draw();
    assert!(moves.contains("│ f  Player 1") && !moves.contains("│ !"), "{moves}");
    stage.press(KeyCode::Esc);
    stage.type_in("!");
    let called = stage.draw();
    assert!(
        called.contains("row of four light, short, round pieces") || called.contains("row of four light"),
        "{called}"
    );
}

#[test]
fn a_draw_of_lots_is_shown_before_the_first_move() {
    let mut stage = Stage::new("quixo", LOOKS[2], 80, 24);
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings = FirstPlayer::Lot.seat(settings, None, &mut Random::new(1));
    let save = stage.screen.session().save_file().unwrap().clone();
    let game = Match::new(settings).unwrap();
    let session = Session::new(game, Language::English, 7, Pace::NONE, save, Knowledge::default());
    stage.screen = GameScreen::new(session, LOOKS[2]);
    let drawing = stage.draw();
    assert!(drawing.contains("Who begins: drawn by lot"), "{drawing}");
    stage.press(KeyCode::Enter);
    let drawn = stage.draw();
    assert!(drawn.contains("The lot is drawn: Crosses begin.") && drawn.contains("take a cube"), "{drawn}");
    stage.type_in("a3e3");
    stage.draw();
    stage.type_in("a2e2");
    assert!(!stage.draw().contains("The lot is drawn"));
}
