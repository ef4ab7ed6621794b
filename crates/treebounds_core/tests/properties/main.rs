//! Properties of the algebra and of the reference, on random inputs.
#![allow(clippy::unwrap_used)]

mod brackets;
mod filters;
mod fix;
mod laws;
mod layer_plan;
mod reference;
mod scenes;
mod search;
