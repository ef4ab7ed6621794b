//! The properties that any input must satisfy, and a runner that makes inputs without end.
//!
//! A *body* takes bytes, makes of them whatever its part of treebounds reads, and asserts more than that nothing panics:
//! an answer equals a simple oracle's, boxes hold their shapes, written reports read back.
//! The same bodies serve `cargo fuzz` and the runner, which needs no other toolchain:
//!
//! ```sh
//! cargo run --release -p treebounds_fuzz -- stream --seconds 60
//! ```
//!
//! | body | input | property |
//! |---|---|---|
//! | [`stream()`] | any words as tags and rects | words that are not a stream are refused by name; every scan, search and reference equals a naive one |
//! | [`stream_gpu()`] | many of them | all strategies of the stage on the GPU give the reference's bits |
//! | [`matching()`] | any words | links by search are links by a stack |
//! | [`matching_gpu()`] | many of them | [`Matcher`](treebounds::Matcher) finds the same links from tags, words and bits |
//! | [`svg()`] | any bytes | a typed error, or a scene whose report reads back; no panic reaches the caller |
//! | [`vello()`] | any encoding | a typed error or a scene; an encoding that passes the check of `treebounds_vello` resolves |
//! | [`canvas()`] | any calls | the same mistakes as a model; boxes hold the points of their shapes |
//! | [`report()`] | any JSON, any report | a typed error or a report that nests; a report reads back as it was |

mod canvas;
mod gpu;
mod input;
mod matching;
mod naive;
mod report;
mod runner;
mod shapes;
mod stream;
mod svg;
mod target;
mod vello;
mod words;

pub use canvas::canvas;
pub use gpu::{matching_gpu, stream_gpu};
pub use input::Seeds;
pub use matching::matching;
pub use report::report;
pub use runner::{Failure, Plan, Tally, run_all, serve_targets};
pub use stream::stream;
pub use svg::svg;
pub use target::{Outcome, TARGETS, Target};
pub use vello::vello;
