//! From bytes to text: gzip and UTF-8.

use super::SvgError;
use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The longest text that is read, compressed or not.
const LENGTH_MAX: u64 = 256 << 20;

/// The text of an `.svg` or `.svgz` file.
pub(super) fn text(data: &[u8]) -> Result<Cow<'_, str>, SvgError> {
    if data.starts_with(&[0x1f, 0x8b]) {
        let text = String::from_utf8(decompress(data)?);
        return text.map(Cow::Owned).map_err(|error| not_text(error.utf8_error()));
    }
    if data.len() as u64 > LENGTH_MAX {
        return Err(SvgError::TooLong { what: "the file", max: LENGTH_MAX });
    }
    std::str::from_utf8(data).map(Cow::Borrowed).map_err(not_text)
}

fn not_text(error: std::str::Utf8Error) -> SvgError {
    SvgError::NotText { at: error.valid_up_to() }
}

fn decompress(data: &[u8]) -> Result<Vec<u8>, SvgError> {
    let mut text = Vec::new();
    GzDecoder::new(data)
        .take(LENGTH_MAX + 1)
        .read_to_end(&mut text)
        .map_err(|error| SvgError::BadGzip { reason: error.to_string() })?;
    if text.len() as u64 > LENGTH_MAX {
        return Err(SvgError::TooLong { what: "the decompressed file", max: LENGTH_MAX });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

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
        assert!(matches!(text(&whole[..12]), Err(SvgError::BadGzip { .. })));
        assert!(matches!(text(b"<svg>\xff"), Err(SvgError::NotText { at: 5 })));
    }

    #[test]
    fn refuses_a_bomb() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        for _ in 0..=LENGTH_MAX >> 20 {
            encoder.write_all(&vec![b' '; 1 << 20]).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        assert!(matches!(text(&bomb), Err(SvgError::TooLong { .. })));
    }
}
