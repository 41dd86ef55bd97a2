//! The engine protocol as a client sees it that shares no code with this program: `ugi_client.py`, made from the document.

use std::process::Command;

#[test]
fn a_client_written_from_the_document_plays_every_game() {
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ugi_client.py");
    let output = match Command::new("python3").args([client, env!("CARGO_BIN_EXE_fourfold"), "ugi"]).output() {
        Ok(output) => output,
        Err(problem) => {
            eprintln!("skipped: python3 is needed ({problem})");
            return;
        }
    };
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && said.contains("conformant"), "{said}");
}
