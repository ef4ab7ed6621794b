//! The warnings of the SVG library, as notes.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::sync::{Mutex, Once, PoisonError};
use treebounds_encoding::svg;

/// How many warnings are kept of a drawing, and how many letters of each.
const MOST: usize = 50;
const LETTERS: usize = 200;

/// The warnings since the last drawing.
struct Warnings(Mutex<Vec<String>>);

static WARNINGS: Warnings = Warnings(Mutex::new(Vec::new()));

impl Log for Warnings {
    fn enabled(&self, about: &Metadata<'_>) -> bool {
        about.level() <= Level::Warn && about.target().starts_with("usvg")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        // The encoder's notes on fonts say more, and shapes of size zero are not painted anywhere.
        let text = record.args().to_string();
        let is_flat = ["width", "height", "r", "rx", "ry"]
            .iter()
            .any(|side| text.ends_with(&format!(" has an invalid '{side}' value. Skipped.")));
        if is_flat || text.starts_with("No match for") || text.starts_with("Fallback from") {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST {
            // Ids that the encoder made up say nothing to a reader.
            let mut parts = text.split(svg::MARK);
            let first = parts.next().unwrap_or_default();
            let rest =
                parts.map(|part| part.trim_start_matches(|letter: char| letter.is_ascii_digit()));
            let text: String = std::iter::once(first).chain(rest).collect();
            let letters = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
            all.push(letters.take(LETTERS).collect());
        } else if all.len() == MOST {
            all.push("the SVG library has more warnings, which are left out".to_owned());
        }
    }

    fn flush(&self) {}
}

/// Does the work, and returns what the SVG library warned of in the meantime.
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    static START: Once = Once::new();
    START.call_once(|| {
        // Another logger of the program keeps its place; the warnings are its own then.
        if log::set_logger(&WARNINGS).is_ok() {
            log::set_max_level(LevelFilter::Warn);
        }
    });
    let take = || std::mem::take(&mut *WARNINGS.0.lock().unwrap_or_else(PoisonError::into_inner));
    take();
    let done = work();
    (done, take())
}
