//! Properties of the algebra and of the reference, on random inputs.

mod brackets;
mod filters;
mod fix;
mod laws;
mod layer_plan;
mod oracle;
mod reference;
mod scans;

// Shared with the suite of the whole workspace; some of it is not used here.
#[allow(dead_code, unreachable_pub, unused_imports)]
#[path = "../../../../tests/src/streams/mod.rs"]
mod streams;
