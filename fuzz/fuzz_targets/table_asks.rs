#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| fourfold_fuzz::table_asks(text));
