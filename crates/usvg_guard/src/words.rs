//! Text for messages of one line.

/// Returns the text as one line of at most 250 characters, with control and bidirectional formatting characters
/// escaped.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    for (at, letter) in text.trim_end().chars().enumerate() {
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter {
            _ if at == 250 => return out + "…",
            '\n' | '\r' | '\t' => out.push(' '),
            _ if letter.is_control() || turns => out.extend(letter.escape_default()),
            _ => out.push(letter),
        }
    }
    out
}

/// Formats a number of bytes in the largest unit that divides it.
pub(crate) fn bytes(count: u64) -> String {
    let (bits, unit) = match count.trailing_zeros() {
        30..64 => (30, "GiB"),
        20..30 => (20, "MiB"),
        10..20 => (10, "KiB"),
        _ => (0, "bytes"),
    };
    format!("{} {unit}", count >> bits)
}
