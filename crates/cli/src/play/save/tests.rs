use std::time::Duration;

use rules::Seat;

use super::*;

fn folder(name: &str) -> PathBuf {
    let folder = env::temp_dir().join(format!("fourfold-save-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn played(actions: &[&str]) -> Match {
    let mut game = Match::new(game::MatchSettings::new("quixo".parse().unwrap())).unwrap();
    actions.iter().for_each(|action| game.play(action, Duration::ZERO).unwrap());
    game
}

/// Saves a match of which so many entries have not changed since the last time.
fn save(file: &mut SaveFile, game: &Match, unchanged: usize) {
    file.write(game, &History::new(game), unchanged);
}

fn actions_in(path: &Path) -> Vec<usize> {
    let records = Record::read_all(&fs::read_to_string(path).unwrap()).unwrap();
    records.iter().map(|record| record.entries().len()).collect()
}

#[test]
fn two_programs_that_think_up_the_same_name_keep_both_matches() {
    let folder = folder("same-name");
    let wish = SaveFile {
        name: Name::Wished,
        ..SaveFile::new(folder.join("2026-03-09_18-30-00_quixo.fourfold"), Language::English)
    };
    let (mut first, mut second) = (wish.clone(), wish);
    assert_eq!(first.shown(), None);
    save(&mut first, &played(&["a3e3"]), 0);
    assert_eq!(second.shown(), None, "the file there is another's");
    save(&mut second, &played(&["a3e3", "a2e2"]), 0);
    save(&mut first, &played(&["a3e3", "a4e4", "a1e1"]), 0);
    assert_eq!((actions_in(first.path()), actions_in(second.path())), (vec![3], vec![2]));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced_by_a_file() {
    let mut file = SaveFile::at(Path::new("/dev/null"), Language::English).unwrap_or_else(|_| unreachable!());
    file.write_or(&played(&["a3e3"]), Unplayed::Skip).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn two_programs_that_write_to_one_file_keep_both_matches() {
    let folder = folder("one-file");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("club.fourfold");
    fs::write(&path, "[Game \"quarto\"]\n\n7\n").unwrap();
    let mut first = SaveFile::at(&path, Language::English).unwrap_or_else(|_| unreachable!());
    let mut second = first.clone();
    save(&mut first, &played(&["a3e3", "a2e2", "a3e3"]), 0);
    save(&mut second, &played(&["a3e3", "a2e2"]), 0);
    save(&mut first, &played(&["a3e3", "a2e2", "a3e3", "a4e4"]), 3);
    save(&mut second, &played(&["a3e3", "a2e2", "e5e1", "a5e5", "a1e1"]), 2);
    assert_eq!(actions_in(&path), [1, 4, 5]);
    // A file that cannot be read any more is left alone, and the match is saved elsewhere.
    fs::write(&path, "not a record").unwrap();
    save(&mut first, &played(&["a3e3"]), 0);
    assert_eq!(fs::read_to_string(&path).unwrap(), "not a record");
    assert_eq!(actions_in(first.path()), [1, 2, 1], "with all that this program has seen of the file");
    fs::remove_file(first.path()).unwrap();
    fs::remove_dir_all(folder).unwrap();
}

/// A file of its own in a new folder, with a match in it.
fn begun(name: &str, game: &Match) -> SaveFile {
    let path = folder(name).join("game.fourfold");
    let mut file = SaveFile::at(&path, Language::English).unwrap_or_else(|_| unreachable!());
    save(&mut file, game, 0);
    file
}

fn text(file: &SaveFile) -> String {
    fs::read_to_string(file.path()).unwrap()
}

#[test]
fn an_action_is_appended_and_the_end_writes_the_file_anew() {
    let mut game = played(&["a3e3", "a2e2"]);
    let mut file = begun("appended", &game);
    assert_eq!(text(&file), game.record().to_string());
    for (number, action) in ["a3e3", "a4e4", "a3e3"].into_iter().enumerate() {
        let before = text(&file);
        game.play(action, Duration::ZERO).unwrap();
        save(&mut file, &game, number + 2);
        assert_eq!(text(&file), format!("{before}{}. {action}\n", number + 3));
    }
    assert_eq!(SaveFile::load(file.path(), Language::English).ok().unwrap().0.record(), game.record());
    let before = text(&file);
    save(&mut file, &game, 5);
    assert_eq!(text(&file), before, "nothing has happened");
    game.resign(Seat::ONE, Duration::ZERO).unwrap();
    save(&mut file, &game, 5);
    assert_eq!(text(&file), game.record().to_string(), "the tags tell the end");
    fs::remove_dir_all(file.path().parent().unwrap()).unwrap();
}

#[test]
fn what_is_taken_back_leaves_the_file() {
    let mut file = begun("taken-back", &played(&["a3e3", "a2e2"]));
    save(&mut file, &played(&["a3e3", "a2e2", "a3e3"]), 2);
    for (actions, unchanged) in [(&["a3e3"][..], 1), (&["a3e3", "a4e4"], 1), (&["a1e1", "a4e4", "a1e1"], 0)] {
        save(&mut file, &played(actions), unchanged);
        let all = Record::read_all(&text(&file)).unwrap();
        assert_eq!(all, [played(actions).record()]);
    }
    fs::remove_dir_all(file.path().parent().unwrap()).unwrap();
}

#[test]
fn a_file_that_was_changed_or_removed_meanwhile_is_written_anew() {
    let mut file = begun("meanwhile", &played(&["a3e3"]));
    let theirs = format!("{}\n{}", played(&["a1e1"]).record(), text(&file));
    fs::write(file.path(), theirs).unwrap();
    save(&mut file, &played(&["a3e3", "a2e2"]), 1);
    assert_eq!(actions_in(file.path()), [1, 2], "their match and this one");
    fs::remove_file(file.path()).unwrap();
    save(&mut file, &played(&["a3e3", "a2e2", "a3e3"]), 2);
    assert_eq!(actions_in(file.path()), [1, 3]);
    fs::remove_dir_all(file.path().parent().unwrap()).unwrap();
}

/// Appending is two writes, of which the first may be cut off anywhere.
#[test]
fn a_crash_in_the_middle_of_a_line_leaves_a_record() {
    let mut game = played(&["a3e3", "a2e2"]);
    let mut file = begun("crash", &game);
    let (before, old) = (text(&file), game.record());
    game.play("a3e3", Duration::ZERO).unwrap();
    save(&mut file, &game, 2);
    let (after, new) = (text(&file), game.record());
    let line = after.strip_prefix(&before).unwrap();
    for cut in 0..=line.len() {
        let torn = format!("{before}{}", &format!("%{}", &line[1..])[..cut]);
        assert_eq!(Record::read_all(&torn).unwrap(), std::slice::from_ref(&old), "{torn:?}");
        // What goes on from there is written whole.
        fs::write(file.path(), &torn).unwrap();
        let (_, mut loaded) = SaveFile::load(file.path(), Language::English).ok().unwrap();
        save(&mut loaded, &game, 2);
        assert_eq!(Record::read_all(&text(&loaded)).unwrap(), std::slice::from_ref(&new), "{torn:?}");
    }
    fs::remove_dir_all(file.path().parent().unwrap()).unwrap();
}

#[test]
fn hands_stay_hidden_in_what_is_appended() {
    let mut settings = game::MatchSettings::new("sequence".parse().unwrap());
    settings.sitters[1] = "bot:1".parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    for action in ["draw:cat", "draw:fox", "draw:dog", "draw:owl", "draw:unicorn", "draw:cow"] {
        game.play(action, Duration::ZERO).unwrap();
    }
    game.play("cat@a2", Duration::ZERO).unwrap();
    let mut file = begun("hidden", &game);
    for action in ["draw:bear", "fox@b1", "draw:dragon", "dog@f3"] {
        let (before, length) = (text(&file), game.log().len());
        game.play(action, Duration::ZERO).unwrap();
        save(&mut file, &game, length);
        assert!(text(&file).starts_with(&before), "{}", text(&file));
        let loaded = SaveFile::load(file.path(), Language::English).ok().unwrap();
        assert_eq!(loaded.0.record(), game.record());
    }
    let seen = text(&file);
    assert!(seen.contains("draw:bear") && !seen.contains("dragon") && !seen.contains("owl"), "{seen}");
    fs::remove_dir_all(file.path().parent().unwrap()).unwrap();
}
