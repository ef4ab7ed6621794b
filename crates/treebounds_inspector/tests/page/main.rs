//! Tests the inspector: differences between reports, and the page in Chromium, driven by mouse and keyboard.
//!
//! The page needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`), so its tests require a feature:
//! `cargo test -p treebounds_inspector --features browser --test page`. If `TREEBOUNDS_SVG_CORPUS` is set, every
//! drawing in that folder is opened too.
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
