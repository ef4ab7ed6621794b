//! Properties of the algebra and of the reference, over random inputs.

mod fix;
mod laws;
mod oracle;
mod reference;
mod scans;
mod search;

// Shared with the suite of the whole workspace, so not all of it is used here.
#[allow(dead_code, unreachable_pub, unused_imports)]
#[path = "../../../../tests/src/streams/mod.rs"]
mod streams;
