//! Definitions that replace CSS values.

use crate::measure::boxes::Boxes;
use crate::notes::Note;
use crate::values::Effect;
use crate::xml::write_attribute;
use kurbo::Rect;

/// A definition that replaces a CSS value.
pub(crate) enum Generated {
    Filter { mark: String, element: u32, slot: u32, effects: Vec<Effect> },
    Path { mark: String, d: String },
}

impl Generated {
    /// Writes the definition, and adds notes about unknown boxes.
    pub(crate) fn write(&self, boxes: &mut Boxes, out: &mut String, notes: &mut Vec<Note>) {
        match self {
            Self::Path { mark, d } => {
                *out += &format!("<path id=\"{mark}\"");
                write_attribute(out, "d", d);
                *out += "/>";
            }
            Self::Filter { mark, element, slot, effects } => {
                let area = boxes.area(*slot, true).map(Option::unwrap_or_default);
                let is_known = area.is_ok();
                let mut area = area.unwrap_or(Rect::new(-1.0, -1.0, 2.0, 2.0));
                if !is_known {
                    let effect =
                        "its region is three times as large as the box, because that is not known";
                    notes.push(Note::new(*element, "filter", effect));
                }
                let mut parts = String::new();
                for effect in effects {
                    let (moved, part) = primitive(effect, area);
                    if is_known {
                        area = moved;
                    }
                    parts += &part;
                }
                if effects.iter().any(|effect| matches!(effect, Effect::Clear)) {
                    // A filter without primitives paints nothing.
                    parts.clear();
                }
                let units = if is_known { "userSpaceOnUse" } else { "objectBoundingBox" };
                let (x, y, width, height) = (area.x0, area.y0, area.width(), area.height());
                *out += &format!(
                    "<filter id=\"{mark}\" filterUnits=\"{units}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" color-interpolation-filters=\"sRGB\">{parts}</filter>"
                );
            }
        }
    }
}

/// Returns the box of what an effect paints, and its filter primitive.
fn primitive(effect: &Effect, area: Rect) -> (Rect, String) {
    match effect {
        Effect::Blur(blur) => {
            let reach = 3.0 * blur;
            (area.inflate(reach, reach), format!("<feGaussianBlur stdDeviation=\"{blur}\"/>"))
        }
        Effect::Shadow { by, blur, colour } => {
            let reach = 3.0 * blur;
            let (dx, dy) = (by.x, by.y);
            let part = format!(
                "<feDropShadow dx=\"{dx}\" dy=\"{dy}\" stdDeviation=\"{blur}\" flood-color=\"{colour}\"/>"
            );
            (area.union((area + *by).inflate(reach, reach)), part)
        }
        Effect::Colours(part) => (area, part.clone()),
        Effect::Link(_) | Effect::Clear => (area, String::new()),
    }
}
