#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fourfold_fuzz::position_text(text));
