//! What the tests of hostile files share.

use std::time::{Duration, Instant};
use usvg_guard::{Limits, Parsed, Refused, parse, usvg::Options};

/// Far more than any of these takes on a busy machine.
const LONG: Duration = Duration::from_secs(60);

/// A drawing with this inside.
pub(crate) fn file(inside: &str) -> String {
    let spaces = "xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:f='urn:f'";
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {spaces} width='100' height='100'>{inside}</svg>"
    )
}

/// Reads a drawing with this inside.
pub(crate) fn read(inside: &str) -> Result<Parsed, Refused> {
    read_file(&file(inside))
}

/// Reads a whole file.
pub(crate) fn read_file(text: &str) -> Result<Parsed, Refused> {
    let start = Instant::now();
    let read = parse(text.as_bytes(), &Limits::default(), Options::default());
    assert!(start.elapsed() < LONG, "{:?}", start.elapsed());
    if let Err(error) = &read {
        assert_eq!(error.to_string().lines().count(), 1);
    }
    read
}

/// A file that is read without the parts that these notes name.
#[track_caller]
pub(crate) fn left_out(inside: &str, notes: &[&str]) {
    let found = read(inside).unwrap().notes;
    let all = found.iter().zip(notes).all(|(found, note)| found.starts_with(note));
    assert!(all && found.len() == notes.len(), "{found:?}");
}

pub(crate) const SHAPE: &str = "<path d='M0 0h9v9z'/>";

/// A file that is refused for this reason.
macro_rules! refused {
    ($inside:expr, $why:pat) => {
        match $crate::common::read($inside) {
            Err($why) => {}
            other => panic!("{:?}", other.map(|parsed| parsed.notes)),
        }
    };
}
pub(crate) use refused;
