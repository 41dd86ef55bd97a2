//! The full-screen interface in a terminal of its own, which `terminal.py` makes and looks at from outside.
#![cfg(target_os = "linux")]

use std::process::Command;

#[test]
fn signals_and_ctrl_z_give_the_terminal_back() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal.py");
    let output = match Command::new("python3").args([script, env!("CARGO_BIN_EXE_fourfold")]).output() {
        Ok(output) => output,
        Err(problem) => {
            eprintln!("skipped: python3 is needed ({problem})");
            return;
        }
    };
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("given back"), "{said}");
}
