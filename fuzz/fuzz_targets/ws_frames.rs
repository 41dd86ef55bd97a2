#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fourfold_fuzz::ws_frames(bytes));
