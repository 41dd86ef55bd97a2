//! Exercises.

use super::*;
use crate::learn::{Lesson, Next, has_exercises};
use crate::tui::lesson::LessonScreen;

fn draw(screen: &mut LessonScreen, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    let symbols: Vec<&str> = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
    symbols.chunks(width.into()).map(|line| line.concat()).collect::<Vec<_>>().join("\n")
}

fn press(screen: &mut LessonScreen, code: KeyCode) -> Transition {
    screen.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

#[test]
fn the_answer_is_shown_and_the_next_exercise_follows() {
    for game in GameId::ALL.into_iter().filter(|game| has_exercises(*game)) {
        for (look, (width, height)) in LOOKS.into_iter().zip([(80, 24), (60, 20), (100, 30)]) {
            let mut screen = LessonScreen::new(Lesson::of(game, look.language).unwrap(), look);
            let count = |number: usize| look.language.exercise_of(number, "").trim().to_owned();
            let first = draw(&mut screen, width, height);
            assert!(first.contains(&count(1)), "{game} at {width}×{height}: {first}");
            press(&mut screen, KeyCode::Char('?'));
            let answered = draw(&mut screen, width, height);
            let next = format!("Enter {}", look.language.exercise_next());
            assert!(!first.contains(&next) && answered.contains(&next), "{game} at {width}×{height}: {answered}");
            press(&mut screen, KeyCode::Enter);
            let second = draw(&mut screen, width, height);
            assert!(second.contains(&count(2)), "{game} at {width}×{height}: {second}");
            assert!(matches!(press(&mut screen, KeyCode::Esc), Transition::Leave), "back to the menu");
        }
    }
}

#[test]
fn a_wrong_move_is_answered_with_its_refutation() {
    let quixo: GameId = "quixo".parse::<game::Game>().unwrap().id();
    let lesson = || Lesson::of(quixo, Language::English).unwrap();
    let is_wrong = |action: &String| lesson().answer(action).next == Next::Same;
    let wrong = lesson().position().legal().into_iter().find(is_wrong).unwrap();
    let mut screen = LessonScreen::new(lesson(), LOOKS[2]);
    let mut type_in = |text: &str| {
        text.chars().for_each(|letter| drop(press(&mut screen, KeyCode::Char(letter))));
        press(&mut screen, KeyCode::Enter);
        draw(&mut screen, 80, 24)
    };
    let refuted = type_in(&wrong);
    assert!(refuted.contains("Not this one") && refuted.contains(&format!("After {wrong}")), "{refuted}");
    let refused = type_in("zz");
    assert!(refused.contains("zz is not a legal move here"), "{refused}");
    assert!(type_in("n").contains("Exercise 2 of"));
}

#[test]
fn an_exercise_is_answered_by_touching_the_board() {
    let quixo: GameId = "quixo".parse::<game::Game>().unwrap().id();
    let mut screen = LessonScreen::new(Lesson::of(quixo, Language::English).unwrap(), LOOKS[2]);
    for _ in 0..2 {
        draw(&mut screen, 80, 24);
        press(&mut screen, KeyCode::Tab);
        press(&mut screen, KeyCode::Enter);
    }
    let shown = draw(&mut screen, 80, 24);
    assert!(shown.contains("Not this one") || shown.contains("Right!"), "an answer was given: {shown}");
}
