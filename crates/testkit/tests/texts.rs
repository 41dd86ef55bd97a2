//! Whatever a game says along its way has a text in every language: prompts, what happened, refusals, pieces, buttons,
//! counters, and what is wrong with a position. A text that is missing panics where it is asked for.

mod repository;
mod vocabulary;

use std::collections::HashSet;
use std::fs;

use game::AnyPosition;
use locale::{Language, Names};
use repository::{files, root};
use rules::{GameId, Viewer};
use search::Random;
use testkit::tables::{game, seeded_game, variants};
use vocabulary::vocabulary;

/// So many positions of each variant are asked.
const POSITIONS: usize = 120;
/// So many texts are tried in each of them.
const TRIES: u32 = 12;

fn check(text: &str, what: &str) {
    assert!(!text.trim().is_empty(), "{what} has no text");
    assert!(!text.contains(['{', '}']), "{what}: {text}");
}

fn every_language(id: GameId, seats: u8, say: impl Fn(Language, &Names)) {
    for language in Language::ALL {
        say(language, &Names::usual(language, id, seats));
    }
}

/// What is seen and asked in a position.
fn check_scene(id: GameId, position: &dyn AnyPosition, language: Language, names: &Names) {
    let viewer = Viewer::Spectator;
    let scene = position.scene(viewer);
    check(&locale::message(language, &scene.status, names), "the status");
    for cell in &scene.board.cells {
        check(&locale::message(language, &cell.description(), names), "a square");
    }
    for button in &scene.buttons {
        check(&locale::button(language, *button, names), "a button");
    }
    for counter in &scene.counters {
        check(locale::counter(language, counter.kind), "a counter");
    }
    for choice in position.choices().iter().step_by(7) {
        for length in 0..choice.touches.len() {
            let prompt = position.prompt(viewer, &choice.touches[..length]);
            check(&locale::message(language, &prompt, names), &format!("{id}: {prompt:?}"));
        }
    }
}

#[test]
fn everything_a_game_says_has_a_text_in_every_language() {
    for id in GameId::ALL {
        let words = vocabulary(id);
        let mut random = Random::new(2);
        for (position, action) in variants(id).iter().flat_map(|text| seeded_game(&game(text), 3, POSITIONS)) {
            let tried: Vec<&String> = (0..TRIES).map(|_| &words[random.below(words.len() as u32) as usize]).collect();
            every_language(id, position.seats(), |language, names| {
                check_scene(id, &*position, language, names);
                if let Some(happening) = action.as_ref().and_then(|it| position.happening(it, Viewer::Spectator).ok()) {
                    check(&locale::message(language, &happening.message, names), "what happened");
                }
                for word in &tried {
                    if let Err(game::Refused::Illegal { reason, .. }) = position.boxed().play(word) {
                        check(locale::reason(language, reason), &format!("{reason:?}"));
                    }
                }
            });
        }
    }
}

/// A text that is almost a position is refused in words.
#[test]
fn every_refused_position_says_why_in_every_language() {
    for id in GameId::ALL {
        let mut random = Random::new(5);
        for (position, _) in variants(id).iter().flat_map(|text| seeded_game(&game(text), 4, POSITIONS)) {
            let mut letters: Vec<char> = position.to_string().chars().collect();
            for _ in 0..2 {
                let mut at = || random.below(letters.len() as u32) as usize;
                let (one, other) = (at(), at());
                letters.swap(one, other);
            }
            let text: String = letters.into_iter().collect();
            if let Err(problem) = position.game().parse_position(&text) {
                let say = |language: Language, _: &Names| check(&locale::bad_position(language, &problem), &text);
                every_language(id, position.seats(), say);
            }
        }
    }
}

#[test]
fn lessons_stand_beside_a_section_and_say_what_to_try() {
    for id in GameId::ALL {
        for language in Language::ALL {
            let page = locale::rules_page(language, id);
            for lesson in id.lessons() {
                let task = locale::lesson_task(language, id, lesson.task);
                assert!(task.is_some(), "{id}: {} has no text try_{}", lesson.section, lesson.task);
                assert!(page.iter().any(|section| section.id == lesson.section), "{id}: no section {}", lesson.section);
            }
            for figure in id.figures() {
                check(locale::figure_caption(language, id, figure), "a figure");
                assert!(page.iter().any(|section| section.id == figure.section), "{id}: no section {}", figure.section);
            }
            for preset in id.presets() {
                check(locale::preset_name(language, id, preset), "a preset");
            }
            if !id.signs().is_empty() {
                let (title, about) = locale::sign_title(language, id);
                check(title, "the signs");
                check(about, "the signs");
                assert!(id.signs().len() >= id.sides(), "{id}: every side has a sign of its own");
                check_signs_are_shown(id);
            }
            for exercises in id.exercises() {
                let (name, about) = locale::exercise(language, id, exercises.kind);
                check(name, "an exercise");
                check(about, "an exercise");
            }
        }
    }
}

/// A side that chooses another sign must look different: pieces that only one game has carry no sign.
fn check_signs_are_shown(id: GameId) {
    let mut signs = rules::Signs::default();
    signs.choose(rules::Side::ONE, rules::Sign::from_index(1));
    for variant in variants(id) {
        let position = game(&variant).start();
        let usual = position.scene(Viewer::Spectator);
        let seating = scene::Seating { signs, near: rules::Seat::ONE, seats: position.seats() };
        let chosen = usual.clone().arranged(&seating);
        assert_ne!(usual.seat_pieces, chosen.seat_pieces, "{variant}: the chosen sign is not seen");
    }
}

#[test]
fn presets_can_be_chosen_and_at_most_one_clock_is_offered_online() {
    for id in GameId::ALL {
        for preset in id.presets() {
            let game = game::Game::with_options(id, preset.options);
            assert!(game.is_ok() && preset.clock.parse::<game::ClockRule>().is_ok(), "{id}: {preset:?}");
        }
        let online = id.presets().iter().filter(|preset| preset.offered == rules::Offered::Online);
        assert!(online.count() <= 1, "{id}");
    }
}

/// The message files name as many sides as play; the build asks for it, and this asks the rules.
#[test]
fn as_many_sides_play_as_the_game_says() {
    for id in GameId::ALL {
        let sides = variants(id).into_iter().map(|text| {
            let position = game(&text).start();
            rules::Seat::all(position.seats()).map(|seat| position.side(seat).index() + 1).max().unwrap_or(0)
        });
        assert_eq!(sides.max(), Some(id.sides()), "{id}");
    }
}

/// How the keys begin that are looked up by a game's own data, not called by name.
const LOOKED_UP: &str = "about bad_ button_ counter_ draw_ exercise_ field_ figure_ ground_ name option_ preset_ reason_ \
    rules_ say_ seat_ sign_ try_ victory_";

/// A message that is not costs translators work, and every first visit bytes.
#[test]
fn every_message_is_said_somewhere() {
    let root = root();
    let mut words = HashSet::new();
    for file in ["crates", "xtask", "bundle"].iter().flat_map(|folder| files(&root.join(folder), "rs")) {
        let text = fs::read_to_string(file).unwrap();
        let is_separator = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
        words.extend(text.split(is_separator).map(str::to_owned));
    }
    for file in files(&root.join("crates/locale/messages/en"), "messages") {
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let is_game = stem.parse::<GameId>().is_ok();
        for key in fs::read_to_string(&file).unwrap().lines().filter_map(key) {
            let is_looked_up = LOOKED_UP.split_whitespace().any(|kind| key.starts_with(kind));
            let is_called = words.contains(&if is_game { format!("{stem}_{key}") } else { key.to_owned() });
            let is_heading = key.starts_with("rules_title_");
            assert!(is_called || is_heading || is_game && is_looked_up, "{stem}.messages: {key} is never said");
        }
    }
}

/// The key of a line that begins a message.
fn key(line: &str) -> Option<&str> {
    let end = line.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')?;
    (end > 0 && !line.starts_with(char::is_whitespace)).then(|| &line[..end])
}
