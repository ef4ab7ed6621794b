//! Places the labels of boxes where there is room.

use crate::marks::{Kind, Look, Mark, Marks, PixelBox};

pub(crate) struct Label {
    pub(crate) place: PixelBox,
    pub(crate) kind: Kind,
    pub(crate) text: String,
}

/// The font size in pixels.
pub(crate) const SIZE: f32 = 11.0;
/// The space around the text in pixels.
pub(crate) const PADDING: i32 = 2;
/// The width of every letter of the monospaced font, relative to its size.
pub(crate) const ADVANCE: f32 = 0.602;
const HEIGHT: i32 = 16;
/// The maximum number of letters in a label.
const LONGEST: usize = 24;
/// The maximum number of boxes to label. With more, there would be no room.
const MOST: usize = 600;

/// Places labels in the upper left corner of a box that is much larger than its label, just above the box, or just below
/// it. Small boxes choose first because they have less room. Each id is written once.
pub(crate) fn placed(all: &[Marks], size: [i32; 2]) -> Vec<Label> {
    let shown = all.iter().filter(|marks| marks.kind != Kind::Culled && marks.look != Look::Map);
    let mut boxes: Vec<(Kind, &Mark)> =
        shown.flat_map(|marks| marks.boxes.iter().map(|mark| (marks.kind, mark))).collect();
    if boxes.len() > MOST {
        return Vec::new();
    }
    boxes.sort_by_key(|(_, mark)| area(mark.place));
    let mut labels: Vec<Label> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (kind, mark) in &boxes {
        let text = shortened(&mark.name);
        let is_free = |place: &PixelBox| {
            let [x0, y0, x1, y1] = *place;
            let is_inside = x0 >= 0 && y0 >= 0 && x1 <= size[0] && y1 <= size[1];
            is_inside
                && labels.iter().all(|label| !meets(*place, label.place))
                && boxes
                    .iter()
                    .all(|(_, other)| other.place == mark.place || !crosses(*place, other.place))
        };
        let place = candidates(mark.place, *kind, &text).into_iter().flatten().find(is_free);
        if let Some(place) = place.filter(|_| !names.contains(&mark.name.as_str())) {
            names.push(&mark.name);
            labels.push(Label { place, kind: *kind, text });
        }
    }
    labels
}

fn area([x0, y0, x1, y1]: PixelBox) -> i64 {
    i64::from(x1 - x0) * i64::from(y1 - y0)
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns the possible places of a label, best first.
fn candidates([x0, y0, x1, y1]: PixelBox, kind: Kind, text: &str) -> [Option<PixelBox>; 3] {
    let width = (text.chars().count() as f32 * ADVANCE * SIZE).ceil() as i32 + 2 * PADDING;
    let gap = kind.outset() + 3;
    let at = |x: i32, y: i32| Some([x, y, x + width, y + HEIGHT]);
    let has_room = x1 - x0 >= width + 8 && y1 - y0 >= 3 * HEIGHT;
    let inside = if has_room { at(x0 + 2, y0 + 2) } else { None };
    [inside, at(x0, y0 - gap - HEIGHT), at(x0, y1 + gap)]
}

fn meets([a0, b0, a1, b1]: PixelBox, [x0, y0, x1, y1]: PixelBox) -> bool {
    a0 < x1 && x0 < a1 && b0 < y1 && y0 < b1
}

/// Whether a label touches the lines of a box or covers much of it.
fn crosses(label: PixelBox, [x0, y0, x1, y1]: PixelBox) -> bool {
    let is_well_inside = label[0] > x0 && label[1] > y0 && label[2] < x1 && label[3] < y1;
    let is_small = area([x0, y0, x1, y1]) < 4 * area(label);
    meets(label, [x0 - 3, y0 - 3, x1 + 3, y1 + 3]) && (!is_well_inside || is_small)
}
