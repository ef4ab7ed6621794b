//! From bytes to text: gzip and UTF-8.

use crate::{Limits, Refused};
use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The text of an `.svg` or `.svgz` file.
///
/// # Errors
/// It is empty, too long, or no text.
pub fn text<'a>(data: &'a [u8], limits: &Limits) -> Result<Cow<'a, str>, Refused> {
    if data.is_empty() {
        return Err(Refused::Empty);
    }
    if data.starts_with(&[0x1f, 0x8b]) {
        let text = String::from_utf8(decompress(data, limits.bytes)?);
        return text.map(Cow::Owned).map_err(|error| not_text(error.utf8_error()));
    }
    if data.len() as u64 > limits.bytes {
        return Err(Refused::TooLong { what: "the file", max: limits.bytes });
    }
    std::str::from_utf8(data).map(Cow::Borrowed).map_err(not_text)
}

fn not_text(error: std::str::Utf8Error) -> Refused {
    Refused::NotText { at: error.valid_up_to() }
}

fn decompress(data: &[u8], max: u64) -> Result<Vec<u8>, Refused> {
    let mut text = Vec::new();
    GzDecoder::new(data)
        .take(max.saturating_add(1))
        .read_to_end(&mut text)
        .map_err(|error| Refused::BadGzip { reason: error.to_string() })?;
    if text.len() as u64 > max {
        return Err(Refused::TooLong { what: "the decompressed file", max });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn text(data: &[u8]) -> Result<Cow<'_, str>, Refused> {
        super::text(data, &Limits::default())
    }

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn reads_plain_and_gzipped() {
        assert_eq!(text(b"<svg/>").unwrap(), "<svg/>");
        assert_eq!(text(&gzip(b"<svg/>")).unwrap(), "<svg/>");
    }

    #[test]
    fn refuses_what_is_damaged_or_no_text() {
        let whole = gzip(b"<svg xmlns='http://www.w3.org/2000/svg'/>");
        assert!(matches!(text(&whole[..12]), Err(Refused::BadGzip { .. })));
        assert!(matches!(text(b"<svg>\xff"), Err(Refused::NotText { at: 5 })));
    }

    #[test]
    fn refuses_a_bomb() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        for _ in 0..=Limits::default().bytes >> 20 {
            encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        assert!(matches!(text(&bomb), Err(Refused::TooLong { .. })));
    }
}
