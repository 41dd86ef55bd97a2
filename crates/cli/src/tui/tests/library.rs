//! Kept games as a list, and looking at them.

use super::*;

#[test]
fn looking_at_a_file_never_changes_it_and_taking_back_asks() {
    let file = std::env::temp_dir().join(format!("fourfold-look-{}.fourfold", std::process::id()));
    // Not in the form in which this program writes records.
    let text = "[Game \"quixo\"]\n[Event \"Club\"]\n\n1. a3e3 {a plain move}\n2. a2e2 resign:1 ; at once\n";
    std::fs::write(&file, text).unwrap();
    let loaded = SaveFile::load(&file, Language::English).unwrap_or_else(|problem| panic!("{problem}"));
    let session = crate::play::old_session(loaded, Language::English);
    let mut stage = Stage {
        terminal: Terminal::new(TestBackend::new(80, 24)).unwrap(),
        screen: GameScreen::new(session, LOOKS[2]),
    };
    stage.draw();
    stage.press(KeyCode::Home);
    stage.draw();
    stage.screen.put_away();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    stage.press(KeyCode::End);
    stage.control('u');
    let asked = stage.draw();
    assert!(asked.contains("This game is over"), "{asked}");
    stage.press(KeyCode::Esc);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    stage.control('u');
    stage.press(KeyCode::Enter);
    assert!(stage.screen.session().game().ending().is_none());
    assert_ne!(std::fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_file_of_several_games_becomes_a_list_with_boards() {
    let file = std::env::temp_dir().join(format!("fourfold-list-{}.fourfold", std::process::id()));
    let text = "[Game \"quixo\"]\n[Date \"2026-03-09\"]\n\n1. a3e3 2. a2e2\n\n[Game \"quarto\"]\n\n7 b2\n";
    std::fs::write(&file, text).unwrap();
    let key = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    for (width, height) in [(80, 24), (60, 20), (20, 5)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut library = Library::new(LOOKS[2], Purpose::Open);
        library.handle(&key(KeyCode::End));
        library.handle(&key(KeyCode::Enter));
        for letter in file.to_str().unwrap().chars() {
            library.handle(&key(KeyCode::Char(letter)));
        }
        library.handle(&key(KeyCode::Enter));
        library.handle(&key(KeyCode::Down));
        terminal.draw(|frame| library.draw(frame)).unwrap();
        let shown: String = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
        if width > 40 {
            assert!(shown.contains("2026-03-09  Quixo") && shown.contains("move 2, not finished"), "{shown}");
            assert!(shown.contains("□ □ □ □ ×") && shown.contains("□ □ □ □ ○"), "a small board: {shown}");
        }
        let Transition::Play(mut session) = library.handle(&key(KeyCode::Enter)) else { panic!("a game is opened") };
        assert_eq!(session.game().log().len(), 2);
        session.pause();
        assert_eq!(session.kept(), None, "a game that was looked at makes no file");
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    std::fs::remove_file(file).unwrap();
}
