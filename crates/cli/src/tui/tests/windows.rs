//! Every game in windows of all sizes.

use super::*;

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
fn the_window_that_is_asked_for_is_enough() {
    for game in GAMES {
        let too_small = |width, height| {
            let mut stage = Stage::new(game, LOOKS[2], width, height);
            stage.draw();
            // Opens the curtain of hidden hands.
            stage.press(KeyCode::Enter);
            let shown = stage.draw();
            let asked = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            asked.split_once("at least").map(|(_, size)| {
                let mut numbers = size.split(|letter: char| !letter.is_ascii_digit()).filter(|text| !text.is_empty());
                let mut next = || numbers.next().unwrap().parse::<u16>().unwrap();
                (next(), next())
            })
        };
        let (width, height) = too_small(24, 12).unwrap();
        assert!(width <= 60 && height <= 20, "{game}: {width}×{height}");
        assert_eq!(too_small(width, height), None, "{game}");
        assert_eq!(too_small(width, height - 1), Some((width, height)), "{game}");
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
fn four_seats_are_drawn_around_the_board() {
    let mut stage = Stage::new("quixo(players=4)", LOOKS[2], 100, 34);
    let shown = stage.draw();
    let line = |text: &str| shown.lines().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{shown}"));
    let (far, across, near) = (line("× 3 "), line("▦"), line("▶× 1"));
    assert!(far < across && across < near, "{shown}");
    assert!(shown.contains("partner"), "{shown}");
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

#[test]
fn a_long_prompt_is_read_to_its_end_in_the_smallest_window() {
    for (look, last) in LOOKS.into_iter().zip(["виїмки", "выемки", "circle"]) {
        let mut stage = Stage::new("quarto", look, 60, 20);
        stage.type_in("c");
        let shown = stage.draw();
        let below: Vec<&str> = shown.lines().skip(17).collect();
        assert!(below.concat().contains(last), "{shown}");
    }
}

#[test]
fn a_long_prompt_is_read_to_its_end_beside_buttons_too() {
    for (game, action) in [("quarto(call=lapse)", "c"), ("quixo(players=4)", "a3e3:1")] {
        for look in LOOKS {
            let mut stage = Stage::new(game, look, 60, 20);
            stage.type_in(action);
            let shown = stage.draw();
            let prompt = stage.screen.session().prompt(&[]);
            let last = prompt.split(' ').next_back().unwrap_or_default();
            let below = shown.lines().skip(16).collect::<Vec<_>>().join(" ");
            assert!(below.contains(last) && !below.contains('…'), "{game}: {prompt}\n{shown}");
            let buttons = stage.screen.session().view().scene().buttons;
            let label =
                |button: &scene::Button| locale::button(look.language, *button, &stage.screen.session().names());
            assert!(buttons.iter().map(label).all(|label| below.contains(&label)), "{game}\n{shown}");
        }
    }
}
