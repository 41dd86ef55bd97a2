//! Whole games through the screens, without a terminal.

use std::sync::atomic::{AtomicU32, Ordering};

use game::{GameId, Match, MatchSettings};
use locale::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use search::{Knowledge, Random};
use session::{FirstPlayer, Pace};

use super::art::Look;
use super::game::GameScreen;
use super::library::{Library, Purpose};
use super::menu::Menu;
use super::palette::{Depth, Palette};
use super::{Transition, text};
use crate::play::{SaveFile, Session};

const GAMES: [&str; 12] = [
    "quarto",
    "quarto(attributes=colour,squares=yes,call=lapse)",
    "quarto(call=open)",
    "quixo",
    "quixo(players=4)",
    "sequence",
    "sequence(players=3,board=shuffled)",
    "sequence(players=4)",
    "four(size=9)",
    "four(size=13)",
    "four",
    "four(size=9,reserve=20,target=3)",
];

const LOOKS: [Look; 3] = [
    Look { palette: Palette::new(Depth::True), language: Language::Ukrainian },
    Look { palette: Palette::new(Depth::Indexed), language: Language::Russian },
    Look { palette: Palette::new(Depth::Mono), language: Language::English },
];

fn session(game: &str, language: Language) -> Session {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}.fourfold", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let file = std::env::temp_dir().join("fourfold-tests").join(name);
    let save = SaveFile::at(&file, language).unwrap_or_else(|_| unreachable!("a file that is not there is empty"));
    let game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
    Session::new(game, language, 7, Pace::NONE, save, Knowledge::default())
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(file) = self.screen.session().save_file() {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

struct Stage {
    terminal: Terminal<TestBackend>,
    screen: GameScreen,
}

impl Stage {
    fn new(game: &str, look: Look, width: u16, height: u16) -> Stage {
        let screen = GameScreen::new(session(game, look.language), look);
        Stage { terminal: Terminal::new(TestBackend::new(width, height)).unwrap(), screen }
    }

    fn draw(&mut self) -> String {
        self.screen.poll();
        self.terminal.draw(|frame| self.screen.draw(frame)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        symbols.chunks(width).map(|line| line.concat()).collect::<Vec<_>>().join("\n")
    }

    fn press(&mut self, code: KeyCode) -> Transition {
        self.screen.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn control(&mut self, letter: char) -> Transition {
        self.screen.handle(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)))
    }

    fn type_in(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(KeyCode::Char(letter));
        }
        self.press(KeyCode::Enter);
    }

    fn click(&mut self, column: u16, row: u16) {
        let event = |kind| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.screen.handle(&Event::Mouse(event(MouseEventKind::Down(MouseButton::Left))));
        self.screen.handle(&Event::Mouse(event(MouseEventKind::Up(MouseButton::Left))));
    }
}

#[test]
fn every_game_can_be_played_to_the_end_by_keys_at_80_by_24() {
    for (index, game) in GAMES.iter().enumerate() {
        let mut stage = Stage::new(game, LOOKS[index % 3], 80, 24);
        let mut random = Random::new(index as u64);
        for _ in 0..3000 {
            stage.draw();
            let over = stage.screen.session().game().ending().is_some();
            if over || stage.screen.session().game().log().len() > 150 {
                break;
            }
            for _ in 0..=random.below(6) {
                stage.press(KeyCode::Tab);
            }
            stage.press(KeyCode::Enter);
        }
        let played = stage.screen.session().game().log().len();
        assert!(played > 9, "{game}: {played}");
        let shown = stage.draw();
        assert!(shown.lines().all(|line| text::width(line) == 80), "{game}");
    }
}

#[test]
fn no_window_is_too_small_or_too_large_to_draw() {
    for (index, game) in GAMES.iter().enumerate() {
        for (width, height) in
            [(1, 1), (2, 30), (200, 3), (30, 10), (58, 23), (60, 20), (60, 22), (79, 23), (100, 30), (220, 80)]
        {
            let mut stage = Stage::new(game, LOOKS[index % 3], width, height);
            stage.draw();
            stage.press(KeyCode::Enter);
            stage.press(KeyCode::Tab);
            stage.draw();
            for key in [KeyCode::F(1), KeyCode::Esc, KeyCode::F(2), KeyCode::PageDown] {
                stage.press(key);
                stage.draw();
            }
            stage.press(KeyCode::Esc);
            stage.control('r');
            stage.draw();
            stage.press(KeyCode::Enter);
            assert!(!stage.draw().is_empty());
        }
    }
}

#[test]
fn the_promised_windows_show_every_game() {
    for game in GAMES {
        for (look, (width, height)) in LOOKS.into_iter().flat_map(|look| [(look, (80, 24)), (look, (60, 20))]) {
            let mut stage = Stage::new(game, look, width, height);
            stage.draw();
            stage.press(KeyCode::Enter);
            let shown = stage.draw();
            assert!(shown.lines().all(|line| text::width(line) == width), "{game}");
            let rows = stage.screen.session().view().scene().board.rows;
            let offered = stage.screen.session().game().position().choices();
            for touch in offered.iter().map(|choice| choice.touches[0]) {
                // A window that is lower than the board shows the rest when the cursor comes there.
                let all = u16::from(rows) + 5 <= height;
                assert!(stage.screen.shows(touch) || !all, "{game} at {width}×{height}: {touch}\n{shown}");
            }
        }
    }
}

#[test]
fn a_low_window_follows_the_cursor_over_a_large_board() {
    let mut stage = Stage::new("four", LOOKS[2], 60, 20);
    stage.draw();
    let mut seen = std::collections::BTreeSet::new();
    for key in [KeyCode::Up, KeyCode::Down] {
        for _ in 0..40 {
            stage.press(key);
            let shown = stage.draw();
            let ranks = shown.lines().filter_map(|line| line.get(..2)?.trim().parse::<u16>().ok());
            seen.extend(ranks);
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), (1..=19).collect::<Vec<u16>>());
}

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
fn what_is_said_is_not_cut_at_80_columns() {
    for look in LOOKS {
        let mut stage = Stage::new("quixo(players=4)", look, 80, 24);
        let shown = stage.draw();
        assert!(shown.trim_end().ends_with(look.language.action_quit()), "the last key leads out: {shown}");
        // A refusal of a hundred letters in some languages.
        stage.type_in("a3e3");
        let refused = stage.draw();
        assert!(refused.contains("a3e3:1."), "{refused}");
        stage.press(KeyCode::Tab);
        let prompt = stage.screen.session().prompt(&[]);
        assert!(stage.draw().contains(prompt.split(' ').next().unwrap_or_default()));
        let narrow = Stage::new("quixo", look, 56, 20).draw();
        assert!(narrow.trim_end().ends_with(look.language.action_quit()), "{narrow}");
    }
    let mut title = Stage::new("sequence", LOOKS[1], 80, 24);
    title.draw();
    title.press(KeyCode::Enter);
    assert!(title.draw().contains("Последователь-"), "a long word is broken as words are");
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
fn four_seats_are_drawn_around_the_board() {
    let mut stage = Stage::new("quixo(players=4)", LOOKS[2], 100, 34);
    let shown = stage.draw();
    let line = |text: &str| shown.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown}"));
    let (far, across, near) = (line("× 3 "), line("▦"), line("▶× 1"));
    assert!(far < across && across < near, "{shown}");
    assert!(shown.contains("partner"), "{shown}");
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

#[test]
fn the_help_draws_the_figures_of_the_sheets() {
    for game in GAMES {
        for (look, width) in [(LOOKS[0], 80), (LOOKS[1], 60)] {
            let mut stage = Stage::new(game, look, width, 24);
            stage.draw();
            stage.press(KeyCode::Enter);
            stage.press(KeyCode::F(1));
            let mut seen = String::new();
            for _ in 0..60 {
                seen += &stage.draw();
                stage.press(KeyCode::PageDown);
            }
            let id = stage.screen.session().game().settings().game.id();
            for figure in id.figures() {
                let caption = locale::figure_caption(look.language, id, figure);
                let begins: String = caption.split(' ').take(3).collect::<Vec<_>>().join(" ");
                assert!(seen.contains(&begins), "{game} at {width}: {caption}");
            }
        }
    }
}

#[test]
fn the_dealer_and_the_partner_are_named_in_every_window() {
    for look in LOOKS {
        for (width, height) in [(100, 34), (80, 24), (60, 20)] {
            for (game, role) in [
                ("sequence", look.language.web_dealer()),
                ("sequence(players=4)", look.language.web_dealer()),
                ("quixo(players=4)", look.language.web_partner()),
            ] {
                let mut stage = Stage::new(game, look, width, height);
                stage.draw();
                stage.press(KeyCode::Enter);
                let shown = stage.draw();
                assert!(shown.contains(role), "{game} at {width}×{height}: {shown}");
            }
        }
    }
}
