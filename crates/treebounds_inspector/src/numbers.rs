//! An SVG text with its numbers apart, which compresses to two thirds: digits are random, and the words between them repeat.
//!
//! | bytes | content |
//! |---|---|
//! | 4 | `n`, how many numbers there are, little endian |
//! | `n` | the form of each: its decimals, or [`COLOR`] for `#rrggbb` |
//! | 4 `n` | its digits without the point as an integer: all lowest bytes, then all second ones, and so on |
//! | the rest | the text, with a byte 0 in place of each number |

/// The form of a colour.
const COLOR: u8 = 255;
/// Longer numbers are cut, so that each fits 30 bits.
const DIGITS_MAX: usize = 9;

/// The text with its numbers apart; `None` if it has a byte 0 of its own, as UTF-16 has.
pub(crate) fn apart(text: &[u8]) -> Option<Vec<u8>> {
    let (mut words, mut forms, mut values) = (Vec::new(), Vec::new(), Vec::<u32>::new());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        if *first == 0 {
            return None;
        }
        match color(rest).or_else(|| number(rest)) {
            Some((form, value, length)) => {
                words.push(0);
                forms.push(form);
                values.push(value);
                rest = &rest[length..];
            }
            None => {
                words.push(*first);
                rest = after;
            }
        }
    }
    let many = u32::try_from(values.len()).ok()?;
    let planes =
        (0..4).flat_map(|plane| values.iter().map(move |value| (value >> (8 * plane)) as u8));
    Some(many.to_le_bytes().into_iter().chain(forms).chain(planes).chain(words).collect())
}

/// A colour at the start of a text: its form, its value and its length.
fn color(text: &[u8]) -> Option<(u8, u32, usize)> {
    let digits = text.strip_prefix(b"#")?.get(..6)?;
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = str::from_utf8(digits).ok().filter(|_| digits.iter().all(is_digit))?;
    Some((COLOR, u32::from_str_radix(digits, 16).ok()?, 7))
}

/// A number at the start of a text. Zeros in front of it are none: a number is what its form and value are written as.
fn number(text: &[u8]) -> Option<(u8, u32, usize)> {
    let digits = |text: &[u8], most: usize| {
        text.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count()
    };
    let whole = match text {
        [b'0', next, ..] if next.is_ascii_digit() => return None,
        text => digits(text, DIGITS_MAX),
    };
    let decimals = match text.get(whole) {
        Some(b'.') if whole > 0 => digits(&text[whole + 1..], DIGITS_MAX - whole),
        _ => 0,
    };
    let length = if decimals > 0 { whole + 1 + decimals } else { whole };
    let digits = text[..length].iter().filter(|byte| **byte != b'.');
    let value = digits.fold(0, |value, digit| 10 * value + u32::from(digit - b'0'));
    (whole > 0).then_some((decimals as u8, value, length))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// The text again, as the page's `together` writes it.
    fn together(parts: &[u8]) -> Vec<u8> {
        let many = u32::from_le_bytes(parts[..4].try_into().unwrap()) as usize;
        let (forms, rest) = parts[4..].split_at(many);
        let (planes, words) = rest.split_at(4 * many);
        let mut out = Vec::new();
        let mut at = 0;
        for word in words {
            if *word != 0 {
                out.push(*word);
                continue;
            }
            let value = (0..4).fold(0, |value, plane| {
                value | u32::from(planes[plane * many + at]) << (8 * plane)
            });
            let decimals = usize::from(forms[at]);
            at += 1;
            if decimals == usize::from(COLOR) {
                out.extend(format!("#{value:06x}").bytes());
                continue;
            }
            let mut digits = format!("{value:0width$}", width = decimals + 1);
            if decimals > 0 {
                digits.insert(digits.len() - decimals, '.');
            }
            out.extend(digits.bytes());
        }
        out
    }

    #[test]
    fn every_text_is_put_together_again() {
        let texts = "0 00 007 0.5 .5 5. 1.50 -12.25e-7 1e5 123456789 1234567890123 12345678.987 \
            123456789.5 0.123456789123 #00ff7f #00FF7F #fff #1234567 #12345 a1.2.3.4b \u{663}\u{664} #";
        let path = r##"<path id="e1" d="M0 0L10.125,-4.5.5" fill="#c0ffee"/>"##;
        for text in texts.split(' ').chain(["", "10 .5 .05 0.0 00.10", path]) {
            assert_eq!(together(&apart(text.as_bytes()).unwrap()), text.as_bytes(), "{text}");
        }
        assert_eq!(apart(b"a\0b"), None);
    }
}
