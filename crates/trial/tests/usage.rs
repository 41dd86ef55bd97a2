//! The program's command line.

use std::process::{Command, Output};

fn trial(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_trial")).args(arguments).output().expect("the program runs")
}

#[test]
fn help_names_every_trial() {
    let help = trial(&["--help"]);
    assert!(help.status.success());
    let text = String::from_utf8_lossy(&help.stdout).into_owned();
    for name in ["loadtest", "crashtest", "faults"] {
        assert!(text.contains(name), "{name} is missing in:\n{text}");
    }
}

#[test]
fn an_unknown_trial_is_refused() {
    assert_eq!(trial(&["earthquake"]).status.code(), Some(2));
}
