//! Turns the warnings of the SVG library into notes.

use log::{Level, LevelFilter, Log, Metadata, Record};
use std::sync::{Mutex, Once, PoisonError};
use treebounds_encoding::svg;

/// The maximum number of warnings per drawing and of characters per warning.
const MOST: usize = 50;
const LETTERS: usize = 200;

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
        let text = record.args().to_string();
        if is_known(&text) {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() < MOST {
            // Ids made up by the encoder mean nothing to a reader.
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

/// Whether the encoder already has a note that names the element, or browsers paint nothing there either.
fn is_known(text: &str) -> bool {
    const STARTS: [&str; 9] = [
        "No match for ",
        "Fallback from ",
        "No fonts with ",
        "Error during path parsing: ",
        "Failed to load ",
        "Image has an invalid size.",
        "Image lacks ",
        "Recursive ",
        "Filters on zero-sized shapes ",
    ];
    const ENDS: [&str; 6] = [
        " value. Skipped.",
        " has less than 2 points. Skipped.",
        " has an invalid region. Skipped.",
        " has an invalid size. Skipped.",
        " zero-sized shapes is not allowed.",
        " filter input isn't supported and not planed.",
    ];
    STARTS.iter().any(|start| text.starts_with(start)) || ENDS.iter().any(|end| text.ends_with(end))
}

/// Runs `work` and returns its result with the warnings of the SVG library.
pub(crate) fn during<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    static START: Once = Once::new();
    START.call_once(|| {
        // If the program has another logger, that logger stays and receives the warnings.
        if log::set_logger(&WARNINGS).is_ok() {
            log::set_max_level(LevelFilter::Warn);
        }
    });
    let take = || std::mem::take(&mut *WARNINGS.0.lock().unwrap_or_else(PoisonError::into_inner));
    take();
    let done = work();
    (done, take())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_covered_by_a_note_are_dropped() {
        let file = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
            <filter id='f'><feOffset in='BackgroundImage'/></filter><path id='p' d='M0 0H9 oops'/>
            <g filter='url(#f)'><rect width='9' height='9'/></g><polygon points='1 a'/>
            <image width='9' height='9' href='data:image/png;base64,AAAA'/></svg>";
        let (drawing, warnings) = during(|| svg::encode(file.as_bytes(), &svg::Options::default()));
        assert_eq!(warnings, [""; 0]);
        let notes = drawing.unwrap().scene.notes.join("; ");
        let places = ["svg/filter[1]/feOffset[1]", "#p", "svg/polygon[1]", "svg/image[1]"];
        for (what, place) in ["in", "d", "points", "image"].iter().zip(places) {
            assert!(notes.contains(&format!("{what} of {place}: ")), "{what} of {place}: {notes}");
        }
    }
}
