//! The letters of the legend: pen strokes, drawn for this project, so that a
//! picture looks the same whatever fonts a machine has.
//!
//! Coordinates grow to the right and down. Letters stand on the line `y = 8`,
//! small ones are 5 high, tall ones reach up to 0. `M` moves the pen, `L` draws
//! a line, `Q` a quadratic curve (its control point comes first), `Z` goes back
//! to where the stroke began.

/// A letter.
pub(crate) struct Glyph {
    /// How far it reaches to the right.
    pub(crate) width: f32,
    /// Its strokes.
    pub(crate) strokes: &'static str,
}

/// Between two letters.
pub(crate) const SPACING: f32 = 2.1;
/// A blank.
pub(crate) const BLANK: f32 = 2.0;
/// From the top of tall letters to the bottom of hanging ones.
pub(crate) const HEIGHT: f32 = 10.5;
/// How thick the pen is.
pub(crate) const PEN: f32 = 1.05;

/// The letter for this character; small letters, digits and a few signs only.
pub(crate) fn glyph(character: char) -> Glyph {
    let (width, strokes) = strokes(character);
    Glyph { width, strokes }
}

#[rustfmt::skip]
fn strokes(character: char) -> (f32, &'static str) {
    match character {
        ' ' => (BLANK, ""),
        'a' => (4.0, "M 4 3 L 4 8 M 4 5.5 Q 4 3 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 4 8 4 5.5"),
        'b' => (4.0, "M 0 0 L 0 8 M 0 5.5 Q 0 3 2 3 Q 4 3 4 5.5 Q 4 8 2 8 Q 0 8 0 5.5"),
        'c' => (3.6, "M 3.6 4.1 Q 3.2 3 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 3.2 8 3.6 6.9"),
        'd' => (4.0, "M 4 0 L 4 8 M 4 5.5 Q 4 3 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 4 8 4 5.5"),
        'e' => (4.0, "M 0 5.5 L 4 5.5 Q 4 3 2 3 Q 0 3 0 5.5 Q 0 8 2.1 8 Q 3.3 8 3.8 7"),
        'f' => (2.8, "M 2.8 0.1 Q 1 -0.4 1 2 L 1 8 M 0 3 L 2.5 3"),
        'g' => (4.0, "M 4 3 L 4 8.4 Q 4 10.5 2 10.5 Q 0.8 10.5 0.3 9.8 M 4 5.5 Q 4 3 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 4 8 4 5.5"),
        'h' => (4.0, "M 0 0 L 0 8 M 0 5.5 Q 0 3 2 3 Q 4 3 4 5 L 4 8"),
        'i' => (0.0, "M 0 3 L 0 8 M 0 0.7 L 0 0.8"),
        'j' => (0.8, "M 0.8 3 L 0.8 9 Q 0.8 10.5 -0.4 10.5 M 0.8 0.7 L 0.8 0.8"),
        'k' => (3.6, "M 0 0 L 0 8 M 3.3 3 L 0 6 M 1.3 4.8 L 3.6 8"),
        'l' => (0.8, "M 0 0 L 0 6.8 Q 0 8 0.9 8"),
        'm' => (6.2, "M 0 3 L 0 8 M 0 5 Q 0 3 1.6 3 Q 3.1 3 3.1 5 L 3.1 8 M 3.1 5 Q 3.1 3 4.7 3 Q 6.2 3 6.2 5 L 6.2 8"),
        'n' => (4.0, "M 0 3 L 0 8 M 0 5.5 Q 0 3 2 3 Q 4 3 4 5 L 4 8"),
        'o' => (4.0, "M 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 4 8 4 5.5 Q 4 3 2 3 Z"),
        'p' => (4.0, "M 0 3 L 0 10.5 M 0 5.5 Q 0 3 2 3 Q 4 3 4 5.5 Q 4 8 2 8 Q 0 8 0 5.5"),
        'q' => (4.0, "M 4 3 L 4 10.5 M 4 5.5 Q 4 3 2 3 Q 0 3 0 5.5 Q 0 8 2 8 Q 4 8 4 5.5"),
        'r' => (2.4, "M 0 3 L 0 8 M 0 5.5 Q 0 3 2.4 3.1"),
        's' => (3.4, "M 3.2 3.9 Q 2.9 3 1.7 3 Q 0.1 3 0.1 4.2 Q 0.1 5.3 1.7 5.5 Q 3.4 5.7 3.4 6.8 Q 3.4 8 1.7 8 Q 0.4 8 0 7.1"),
        't' => (2.6, "M 1 1 L 1 6.5 Q 1 8 2.6 7.9 M 0 3 L 2.5 3"),
        'u' => (4.0, "M 0 3 L 0 6 Q 0 8 2 8 Q 4 8 4 5.5 M 4 3 L 4 8"),
        'v' => (3.8, "M 0 3 L 1.9 8 L 3.8 3"),
        'w' => (5.8, "M 0 3 L 1.4 8 L 2.9 3.4 L 4.4 8 L 5.8 3"),
        'x' => (3.6, "M 0 3 L 3.6 8 M 3.6 3 L 0 8"),
        'y' => (3.8, "M 0 3 L 1.9 8 M 3.8 3 L 1.4 9.3 Q 1 10.5 -0.1 10.4"),
        'z' => (3.6, "M 0 3 L 3.6 3 L 0 8 L 3.6 8"),
        '0' => (4.0, "M 2 0.3 Q 0 0.3 0 4.1 Q 0 8 2 8 Q 4 8 4 4.1 Q 4 0.3 2 0.3 Z"),
        '1' => (1.6, "M 0 1.8 L 1.6 0.3 L 1.6 8"),
        '2' => (4.0, "M 0.2 2.2 Q 0.3 0.3 2 0.3 Q 3.8 0.3 3.8 2.3 Q 3.8 3.6 2.4 5.2 L 0 8 L 4 8"),
        '3' => (4.0, "M 0.2 1.7 Q 0.6 0.3 2 0.3 Q 3.7 0.3 3.7 2.1 Q 3.7 3.9 1.6 3.9 Q 4 3.9 4 5.9 Q 4 8 2 8 Q 0.4 8 0 6.6"),
        '4' => (4.2, "M 3 8 L 3 0.3 L 0 5.8 L 4.2 5.8"),
        '5' => (4.0, "M 3.6 0.3 L 0.6 0.3 L 0.3 3.9 Q 1 3.1 2 3.1 Q 4 3.1 4 5.5 Q 4 8 2 8 Q 0.5 8 0 6.8"),
        '6' => (4.0, "M 3.4 0.9 Q 2.8 0.3 2.2 0.3 Q 0 0.3 0 5 Q 0 8 2 8 Q 4 8 4 5.6 Q 4 3.3 2.1 3.3 Q 0.2 3.3 0 5.4"),
        '7' => (4.0, "M 0 0.3 L 4 0.3 L 1.4 8"),
        '8' => (4.0, "M 2 3.9 Q 0.3 3.9 0.3 2.1 Q 0.3 0.3 2 0.3 Q 3.7 0.3 3.7 2.1 Q 3.7 3.9 2 3.9 Q 0 3.9 0 5.9 Q 0 8 2 8 Q 4 8 4 5.9 Q 4 3.9 2 3.9 Z"),
        '9' => (4.0, "M 0.6 7.4 Q 1.2 8 1.8 8 Q 4 8 4 3.3 Q 4 0.3 2 0.3 Q 0 0.3 0 2.7 Q 0 5 1.9 5 Q 3.8 5 4 2.9"),
        ',' => (0.4, "M 0.5 7.8 L 0 9.4"),
        '.' => (0.1, "M 0 7.9 L 0.1 8"),
        '-' => (2.6, "M 0 5.5 L 2.6 5.5"),
        '+' => (4.0, "M 0 5 L 4 5 M 2 3 L 2 7"),
        _ => (3.6, "M 0 1 L 3.6 1 L 3.6 8 L 0 8 Z"),
    }
}
