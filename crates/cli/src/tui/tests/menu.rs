//! The menu.

use super::*;

#[test]
fn a_preset_sets_options_and_clock_as_on_the_sheet() {
    let mut menu = Menu::new(LOOKS[2]);
    let key = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let preset = 1 + GameId::ALL[0].presets().iter().position(|preset| preset.clock == "turn=60").unwrap();
    while menu.selected_name() != "Preset" {
        menu.handle(&key(KeyCode::Down));
    }
    for _ in 0..preset {
        menu.handle(&key(KeyCode::Right));
    }
    menu.handle(&key(KeyCode::Home));
    let Transition::Play(session) = menu.handle(&key(KeyCode::Enter)) else { panic!("the first row starts") };
    assert_eq!(session.game().settings().clock.to_string(), "turn=60");
}

#[test]
fn the_menu_starts_every_game() {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    let mut menu = Menu::new(LOOKS[2]);
    let key = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
    let mut started = Vec::new();
    for _ in GameId::ALL {
        terminal.draw(|frame| menu.draw(frame)).unwrap();
        menu.handle(&key(KeyCode::Home));
        let Transition::Play(session) = menu.handle(&key(KeyCode::Enter)) else { panic!("the first row starts") };
        started.push(session.game().settings().game.to_string());
        // The row of the game comes next, after the one that goes on with an old match if there is one.
        while menu.selected_name() != "Game" {
            menu.handle(&key(KeyCode::Down));
        }
        menu.handle(&key(KeyCode::Right));
    }
    assert_eq!(started, GameId::ALL.map(GameId::name));
}

#[test]
fn every_row_of_the_menu_can_be_changed() {
    for (width, height) in [(80, 24), (60, 20), (140, 50), (10, 3)] {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut menu = Menu::new(LOOKS[0]);
        let key = |code| Event::Key(KeyEvent::new(code, KeyModifiers::NONE));
        for step in 0..120 {
            menu.handle(&key(KeyCode::Down));
            if step % 3 == 0 {
                menu.handle(&key(KeyCode::Right));
            }
            terminal.draw(|frame| menu.draw(frame)).unwrap();
        }
    }
}

/// A menu in English, drawn at 80 by 30.
fn menu_shows(menu: &mut Menu) -> String {
    let mut terminal = Terminal::new(TestBackend::new(80, 30)).unwrap();
    terminal.draw(|frame| menu.draw(frame)).unwrap();
    let symbols: Vec<&str> = terminal.backend().buffer().content().iter().map(|cell| cell.symbol()).collect();
    symbols.chunks(80).map(|line| line.concat()).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_menu_lets_sides_choose_their_symbols_and_partners_confer() {
    let mut menu = Menu::new(LOOKS[2]);
    let press = |menu: &mut Menu, code| menu.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let find = |menu: &mut Menu, name: &str| {
        for _ in 0..40 {
            if menu.selected_name().starts_with(name) {
                return;
            }
            press(menu, KeyCode::Down);
        }
        panic!("no row {name}");
    };
    find(&mut menu, "Game");
    press(&mut menu, KeyCode::Right);
    let shown = menu_shows(&mut menu);
    assert!(shown.contains("Symbol: Player 1") && !shown.contains("Partners"), "{shown}");
    find(&mut menu, "Sign");
    press(&mut menu, KeyCode::Right);
    find(&mut menu, "Option");
    press(&mut menu, KeyCode::Right);
    find(&mut menu, "Confer");
    press(&mut menu, KeyCode::Right);
    let shown = menu_shows(&mut menu);
    assert!(shown.contains("Symbol: Player 1 + 3") && shown.contains("may confer"), "{shown}");
    find(&mut menu, "Start");
    let Transition::Play(session) = press(&mut menu, KeyCode::Enter) else { panic!("a game begins") };
    let settings = session.game().settings();
    assert_eq!(settings.signs().text(settings.game.id(), 2), "nought cross");
    assert_eq!(settings.conferring(), Some(game::Conferring::Allowed));
}

#[test]
fn the_menu_lets_people_choose_who_begins() {
    let press = |menu: &mut Menu, code| menu.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let row = |menu: &mut Menu, name: &str| {
        while !menu.selected_name().starts_with(name) {
            press(menu, KeyCode::Down);
        }
    };
    let start = |menu: &mut Menu| {
        row(menu, "Start");
        let Transition::Play(session) = press(menu, KeyCode::Enter) else { panic!("a game begins") };
        session.game().settings().clone()
    };
    let mut menu = Menu::new(LOOKS[2]);
    row(&mut menu, "Game");
    press(&mut menu, KeyCode::Right);
    row(&mut menu, "First");
    press(&mut menu, KeyCode::Right);
    let shown = menu_shows(&mut menu);
    let line = |text: &str| shown.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown}"));
    assert!(line("Who begins").contains("Player 2") && line("Symbol: Player 1").contains("Noughts"), "{shown}");
    let settings = start(&mut menu);
    assert_eq!(settings.sitters[1].player(), game::Player::Person, "the computer begins");
    row(&mut menu, "First");
    press(&mut menu, KeyCode::Right);
    assert_eq!(FirstPlayer::of(&start(&mut menu)), FirstPlayer::Lot);
    let shown = menu_shows(&mut menu);
    assert!(
        shown.lines().any(|line| line.contains("Symbol: Player 1") && line.contains('–')),
        "not known yet: {shown}"
    );
    row(&mut menu, "First");
    press(&mut menu, KeyCode::Right);
    assert_eq!(FirstPlayer::of(&start(&mut menu)), FirstPlayer::Loser);
}

#[test]
fn numbers_of_the_menu_can_be_reached_and_an_impossible_one_is_explained() {
    let press = |menu: &mut Menu, code| menu.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    let row = |menu: &mut Menu, name: &str| {
        while !menu.selected_name().contains(name) {
            press(menu, KeyCode::Down);
        }
    };
    let mut menu = Menu::new(LOOKS[2]);
    while !menu_shows(&mut menu).contains("First main turn") {
        row(&mut menu, "Game");
        press(&mut menu, KeyCode::Right);
    }
    row(&mut menu, "\"first\"");
    press(&mut menu, KeyCode::Left);
    assert!(menu_shows(&mut menu).contains("3 movements"), "{}", menu_shows(&mut menu));
    row(&mut menu, "\"lead\"");
    for _ in 0..12 {
        press(&mut menu, KeyCode::Right);
    }
    assert!(menu_shows(&mut menu).contains("12 points"));
    // A smaller board has a smaller target, so the numbers go back to what is usual there.
    row(&mut menu, "\"size\"");
    press(&mut menu, KeyCode::Right);
    let small = menu_shows(&mut menu);
    assert!(small.contains("9×9") && !small.contains("12 points"), "{small}");
    row(&mut menu, "\"lead\"");
    for _ in 0..10 {
        press(&mut menu, KeyCode::Right);
    }
    assert!(menu_shows(&mut menu).contains("lead=10 is not possible with target=10"), "{}", menu_shows(&mut menu));
    press(&mut menu, KeyCode::Esc);
    assert!(menu_shows(&mut menu).contains("9 points"), "{}", menu_shows(&mut menu));
}
