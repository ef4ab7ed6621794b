//! A line of text as a path.

use crate::font::{self, Glyph};
use tiny_skia::{Path, PathBuilder, Transform};

/// How far a line of text reaches to the right, in the font's units.
pub(crate) fn width(text: &str) -> f32 {
    let gaps = text.chars().count().saturating_sub(1) as f32 * font::SPACING;
    text.chars().map(|character| font::glyph(character).width).sum::<f32>() + gaps
}

/// The strokes of a line of text that begins at the origin; `None` where it has
/// none.
pub(crate) fn path(text: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    let mut x = 0.0;
    for character in text.chars() {
        let Glyph { width, strokes } = font::glyph(character);
        draw(strokes, x, &mut path);
        x += width + font::SPACING;
    }
    path.finish()
}

/// From the font's units to this place and size.
pub(crate) fn placed(x: f32, y: f32, size: f32) -> Transform {
    Transform::from_row(size, 0.0, 0.0, size, x, y)
}

/// Follows the strokes of one letter.
fn draw(strokes: &str, x: f32, path: &mut PathBuilder) {
    let mut words = strokes.split_ascii_whitespace();
    while let Some(command) = words.next() {
        let mut point = || {
            let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0.0_f32);
            (number() + x, number())
        };
        match command {
            "M" => {
                let (x, y) = point();
                path.move_to(x, y);
            }
            "L" => {
                let (x, y) = point();
                path.line_to(x, y);
            }
            "Q" => {
                let ((cx, cy), (x, y)) = (point(), point());
                path.quad_to(cx, cy, x, y);
            }
            _ => path.close(),
        }
    }
}
