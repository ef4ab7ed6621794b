//! The properties that every input must satisfy, and the generators of inputs.
//!
//! A *body* turns bytes into input for its part of treebounds, and asserts more than the absence of panics: an answer equals
//! a simple oracle's, boxes contain their shapes, written reports read back. The same bodies serve `cargo fuzz` and the
//! program of this package, which works with any toolchain:
//!
//! ```sh
//! cargo run --release -p treebounds_fuzz -- stream --seconds 60
//! ```
//!
//! | body | input | property |
//! |---|---|---|
//! | [`stream()`] | any words as tags and rects | invalid streams are rejected with the right error; bounds match the oracle |
//! | [`svg()`] | any bytes | a typed error, or a scene whose report reads back; no panic reaches the caller |
//! | [`vello()`] | any encoding | a typed error or a scene; an encoding that passes the check of `treebounds_vello` resolves |
//! | [`canvas()`] | any calls | the same errors as a model; boxes contain the points of their shapes |
//! | [`report()`] | any JSON, any report | a typed error or a report that nests; a report reads back unchanged |

mod canvas;
mod input;
mod report;
mod shapes;
mod stream;
mod svg;
mod target;
mod vello;
mod words;

pub use canvas::canvas;
pub use input::Seeds;
pub use report::report;
pub use stream::stream;
pub use svg::svg;
pub use target::{Outcome, SELF_TEST, TARGETS, Target};
pub use vello::vello;
