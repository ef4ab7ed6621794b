//! The strip below the drawing that says what the lines mean.

use crate::{
    boxes::Boxes,
    brush::Brush,
    canvas::Canvas,
    font,
    heat::Heat,
    lettering,
    palette::{Kind, TEXT},
};

/// An entry: a sample of the line, and what there is of it.
struct Entry {
    kind: Kind,
    is_heat: bool,
    text: String,
    /// From the left of the picture, in units.
    x: f32,
    /// Which line of the legend it is on.
    line: usize,
}

/// The entries, laid out for one width. Lengths are in units of `unit` pixels.
pub(crate) struct Legend {
    entries: Vec<Entry>,
    /// How wide the picture must be.
    width: f32,
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
    /// Lays the entries out, line by line: one an entry, where the picture is narrow.
    pub(crate) fn new(boxes: &Boxes, brush: &Brush, heat: Option<&Heat>, width: u32) -> Self {
        // Large pictures are mostly seen smaller.
        let unit = (width as f32 / 1000.0).clamp(1.0, 2.0);
        let maps = brush.kinds(true);
        let texts: Vec<_> = [Kind::Draw, Kind::Clip, Kind::Layer, Kind::Culled]
            .map(|kind| {
                let heat = heat.filter(|_| maps.contains(&kind));
                (kind, heat.is_some(), label(kind, boxes, heat))
            })
            .into_iter()
            .collect();
        let length = |text: &str| SAMPLE + GAP + lettering::width(text) * LETTER;
        let widest = texts.iter().map(|(.., text)| length(text)).fold(0.0, f32::max);
        let available = (width as f32 / unit).max(widest + 2.0 * MARGIN) - MARGIN;
        let mut entries = Vec::new();
        let (mut x, mut line) = (MARGIN, 0);
        for (kind, is_heat, text) in texts {
            let length = length(&text);
            if x > MARGIN && x + length > available {
                (x, line) = (MARGIN, line + 1);
            }
            entries.push(Entry { kind, is_heat, text, x, line });
            x += length + BETWEEN;
        }
        Self { entries, width: widest + 2.0 * MARGIN, unit }
    }

    /// How many pixels wide the picture must be.
    pub(crate) fn width(&self) -> u32 {
        (self.width * self.unit).ceil() as u32
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
            let width = width.max(self.width * self.unit);
            canvas.fill([0.0, top as f32, width, 1.0], [210, 210, 210]);
        }
        for entry in &self.entries {
            let middle = MARGIN / 2.0 + LINE * (entry.line as f32 + 0.5);
            let y = top as f32 + middle * self.unit;
            let half = SAMPLE_HEIGHT / 2.0 * self.unit;
            let left = entry.x * self.unit;
            let right = left + SAMPLE * self.unit;
            let sample = [left, y - half, right, y + half].map(|edge| edge.round() as i32);
            match entry.is_heat {
                true => Brush::heat_sample(canvas, sample),
                false => brush.sample(canvas, entry.kind, sample),
            }
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
fn label(kind: Kind, boxes: &Boxes, heat: Option<&Heat>) -> String {
    let count = boxes.kind(kind).count;
    let text = format!("{} {}", grouped(count), kind.noun(count));
    match heat {
        Some(heat) => format!("{text}, up to {} on a pixel", grouped(heat.most as usize)),
        None if kind == Kind::Culled && boxes.off_canvas > 0 => {
            format!("{text}, {} off the canvas", grouped(boxes.off_canvas))
        }
        None => text,
    }
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
