//! What elements are called, written where there is room.

use crate::{
    boxes::{Boxes, Label, PixelBox},
    canvas::Canvas,
    font, lettering,
    palette::{Kind, PAPER},
};

/// Size of a unit of the font.
const LETTER: f32 = 0.85;
/// Around a label.
const PAD: i32 = 2;
/// The longest label.
const LONGEST: usize = 24;

/// Writes the labels that find room: in the upper left corner of a box that is a good deal larger than its label, or
/// just above it. Small boxes come first, for they have less room.
pub(crate) fn write(canvas: &mut Canvas, boxes: &Boxes, size: [i32; 2], kinds: &[Kind]) {
    let mut labels: Vec<_> =
        boxes.labels.iter().filter(|label| kinds.contains(&label.kind)).collect();
    labels.sort_by_key(|label| area(label.place));
    // Labels keep off the lines of others, so those are where labels may not be.
    let lines: Vec<_> = labels.iter().map(|label| label.place).collect();
    let mut taken: Vec<PixelBox> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for label in labels {
        let place = candidates(label).into_iter().find(|place| {
            let is_inside =
                place[0] >= 0 && place[1] >= 0 && place[2] <= size[0] && place[3] <= size[1];
            is_inside
                && taken.iter().all(|other| !meets(*place, *other))
                && lines.iter().all(|line| *line == label.place || !crosses(*place, *line))
        });
        // What makes several boxes is labelled once.
        if let Some(place) = place.filter(|_| !names.contains(&label.text.as_str())) {
            names.push(&label.text);
            taken.push(place);
            draw(canvas, label, place);
        }
    }
}

fn area([x0, y0, x1, y1]: PixelBox) -> i64 {
    i64::from(x1 - x0) * i64::from(y1 - y0)
}

/// The text, cut where it is long.
fn text(label: &Label) -> String {
    let mut text: String = label.text.chars().take(LONGEST).collect();
    if label.text.chars().count() > LONGEST {
        text.push_str("..");
    }
    text
}

/// Where a label may be.
fn candidates(label: &Label) -> Vec<PixelBox> {
    let [x0, y0, x1, y1] = label.place;
    let width = (lettering::width(&text(label)) * LETTER).ceil() as i32 + 2 * PAD;
    let height = (font::HEIGHT * LETTER).ceil() as i32 + 2 * PAD;
    let gap = label.kind.style().outset + label.kind.style().thickness + 1;
    let mut out = Vec::new();
    if x1 - x0 >= width + 8 && y1 - y0 >= 3 * height {
        out.push([x0 + 2, y0 + 2, x0 + 2 + width, y0 + 2 + height]);
    }
    out.push([x0, y0 - gap - height, x0 + width, y0 - gap]);
    out.push([x0, y1 + gap, x0 + width, y1 + gap + height]);
    out
}

fn meets([a0, b0, a1, b1]: PixelBox, [x0, y0, x1, y1]: PixelBox) -> bool {
    a0 < x1 && x0 < a1 && b0 < y1 && y0 < b1
}

/// Whether a box touches the lines of another: they meet, and it is not well inside.
fn crosses(place: PixelBox, line: PixelBox) -> bool {
    let [x0, y0, x1, y1] = line;
    let around = [x0 - 3, y0 - 3, x1 + 3, y1 + 3];
    let is_well_inside = place[0] > x0 && place[1] > y0 && place[2] < x1 && place[3] < y1;
    let is_small = area(line) < 4 * area(place);
    meets(place, around) && (!is_well_inside || is_small)
}

fn draw(canvas: &mut Canvas, label: &Label, [x0, y0, x1, y1]: PixelBox) {
    let size = [x0, y0, x1 - x0, y1 - y0].map(|edge| edge as f32);
    canvas.fill(size, PAPER);
    if let Some(path) = lettering::path(&text(label)) {
        let to = lettering::placed((x0 + PAD) as f32, (y0 + PAD) as f32, LETTER);
        canvas.stroke(&path, label.kind.style().color, font::PEN * 1.15, to);
    }
}
