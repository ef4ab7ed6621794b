//! The inspector's tests: differences between reports, and the page in Chromium, driven by mouse and keys.
//!
//! The page needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`), so its tests have a feature:
//! `cargo test -p treebounds_inspector --features browser --test page`. With a folder in `TREEBOUNDS_SVG_CORPUS`, every
//! drawing in it is opened too.
#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(feature = "browser")]
mod access;
#[cfg(feature = "browser")]
mod answers;
#[cfg(feature = "browser")]
mod browser;
#[cfg(feature = "browser")]
mod desk;
mod diff;
mod drawings;
#[cfg(feature = "browser")]
mod hostile;
#[cfg(feature = "browser")]
mod stored;
#[cfg(feature = "browser")]
mod watched;
