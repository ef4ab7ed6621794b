//! The source of every libFuzzer target. The name of the program selects the target.
#![no_main]

use treebounds_fuzz::Target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let target = Target::named(env!("CARGO_BIN_NAME")).expect("each program has the name of a target");
    (target.body)(data);
});
