#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    treebounds_fuzz::report(data);
});
