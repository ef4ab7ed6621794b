//! The strip below the drawing that says what the lines mean.

use crate::{
    boxes::Boxes,
    brush::Brush,
    canvas::Canvas,
    font, lettering,
    palette::{Kind, TEXT},
};

/// An entry: a sample of the line, and what there is of it.
struct Entry {
    kind: Kind,
    text: String,
    /// From the left of the picture, in units.
    x: f32,
    /// Which line of the legend it is on.
    line: usize,
}

/// The entries, laid out for one width. Lengths are in units of the frame.
pub(crate) struct Legend {
    entries: Vec<Entry>,
    unit: f32,
}

/// Height of a line.
const LINE: f32 = 30.0;
/// Above the first line, below the last and at the sides.
const MARGIN: f32 = 10.0;
/// Width of a sample.
const SAMPLE: f32 = 34.0;
/// Height of a sample.
const SAMPLE_HEIGHT: f32 = 16.0;
/// From the sample to its text.
const GAP: f32 = 9.0;
/// From an entry to the next.
const BETWEEN: f32 = 28.0;
/// Size of a unit of the font.
const LETTER: f32 = 1.5;

impl Legend {
    /// Lays the entries out, line by line. None where the picture is too narrow
    /// for the widest of them.
    pub(crate) fn new(boxes: &Boxes, width: u32, unit: f64) -> Self {
        let available = (f64::from(width) / unit) as f32 - MARGIN;
        let mut entries = Vec::new();
        let (mut x, mut line) = (MARGIN, 0);
        for kind in [Kind::Draw, Kind::Clip, Kind::Layer, Kind::Culled] {
            let text = label(kind, boxes.kind(kind).count);
            let length = SAMPLE + GAP + lettering::width(&text) * LETTER;
            if MARGIN + length > available {
                return Self { entries: Vec::new(), unit: unit as f32 };
            }
            if x + length > available {
                (x, line) = (MARGIN, line + 1);
            }
            entries.push(Entry { kind, text, x, line });
            x += length + BETWEEN;
        }
        Self { entries, unit: unit as f32 }
    }

    /// Height in pixels.
    pub(crate) fn height(&self) -> u32 {
        match self.entries.last() {
            None => 0,
            Some(last) => ((LINE * (last.line + 1) as f32 + MARGIN) * self.unit).ceil() as u32,
        }
    }

    /// Draws the legend, its top at this row.
    pub(crate) fn draw(&self, canvas: &mut Canvas, brush: &Brush, top: u32) {
        if let (Some(_), width) = (self.entries.first(), brush.size()[0] as f32) {
            canvas.fill([0.0, top as f32, width, self.unit.max(1.0)], [210, 210, 210]);
        }
        for entry in &self.entries {
            let middle = MARGIN / 2.0 + LINE * (entry.line as f32 + 0.5);
            let y = top as f32 + middle * self.unit;
            let half = SAMPLE_HEIGHT / 2.0 * self.unit;
            let left = entry.x * self.unit;
            let right = left + SAMPLE * self.unit;
            let sample = [left, y - half, right, y + half].map(|edge| edge.round() as i32);
            brush.sample(canvas, entry.kind, sample);
            self.write(canvas, &entry.text, right + GAP * self.unit, y);
        }
    }

    /// Writes text, its small letters centred on this row.
    fn write(&self, canvas: &mut Canvas, text: &str, x: f32, middle: f32) {
        let size = LETTER * self.unit;
        if let Some(path) = lettering::path(text) {
            let to = lettering::placed(x, middle - (font::HEIGHT / 2.0 - 0.4) * size, size);
            canvas.stroke(&path, TEXT, font::PEN, to);
        }
    }
}

/// For example `1,204 draws`.
fn label(kind: Kind, count: usize) -> String {
    format!("{} {}", grouped(count), kind.noun(count))
}

/// The number with a comma before every third digit from the right.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
