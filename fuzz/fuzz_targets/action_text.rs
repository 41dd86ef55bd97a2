#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fourfold_fuzz::action_text(text));
