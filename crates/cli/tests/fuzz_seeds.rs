//! The fuzz targets over their seeds, on the stable toolchain: what fuzzing found once stays found.

#[path = "../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "in the fuzz crate these functions are public")]
mod targets;

fn replay(name: &str, target: fn(&str)) {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("every target has seeds") {
        let path = entry.expect("the folder can be listed").path();
        println!("{}", path.display());
        // A target takes text; what is not UTF-8 never reaches it.
        if let Ok(text) = std::fs::read_to_string(&path) {
            target(&text);
            count += 1;
        }
    }
    assert!(count >= 5, "{name} has only {count} seeds");
}

#[test]
fn options() {
    replay("options", targets::options);
}

#[test]
fn position_text() {
    replay("position_text", targets::position_text);
}

#[test]
fn action_text() {
    replay("action_text", targets::action_text);
}

#[test]
fn record() {
    replay("record", targets::record);
}

#[test]
fn ugi_line() {
    replay("ugi_line", targets::ugi_line);
}

#[test]
fn table_asks() {
    replay("table_asks", targets::table_asks);
}

#[test]
fn ws_frames() {
    replay("ws_frames", |text| targets::ws_frames(text.as_bytes()));
}
