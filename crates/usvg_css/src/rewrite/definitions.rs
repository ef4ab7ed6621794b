//! Definitions that stand for values of CSS.

use crate::measure::boxes::{Boxes, Unknown};
use crate::notes::Note;
use crate::values::properties::DOES_NOT_CUT;
use crate::values::{self, Effect, Environment, Whole};
use crate::xml::write_attribute;
use kurbo::{BezPath, Rect};
use std::fmt::Write;

/// A definition that stands for a value of CSS.
pub(crate) enum Generated {
    Clip {
        mark: String,
        element: u32,
        slot: u32,
        shape: String,
        environment: Environment,
        in_css: bool,
    },
    Filter {
        mark: String,
        element: u32,
        slot: u32,
        effects: Vec<Effect>,
    },
    Path {
        mark: String,
        d: String,
    },
}

/// A rectangle that clips nothing.
const EVERYTHING: &str =
    "<rect x=\"-1000000\" y=\"-1000000\" width=\"2000000\" height=\"2000000\"/>";

impl Generated {
    /// Writes the definition, and notes what is not known.
    pub(crate) fn write(&self, boxes: &mut Boxes, out: &mut String, notes: &mut Vec<Note>) {
        match self {
            Self::Clip { mark, element, slot, shape, environment, in_css } => {
                let found = clip(boxes, (*element, *slot), shape, environment, *in_css);
                if found.is_none() {
                    notes.push(Note::new(*element, format!("clip-path: {shape}"), DOES_NOT_CUT));
                }
                let found = found.as_deref().unwrap_or(EVERYTHING);
                *out += &format!("<clipPath id=\"{mark}\">{found}</clipPath>");
            }
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

/// The box of what an effect paints, and its filter primitive.
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

/// A basic shape or a box of an element, as an element that clips; `None` if it is not known.
fn clip(
    boxes: &mut Boxes,
    (element, slot): (u32, u32),
    text: &str,
    environment: &Environment,
    in_css: bool,
) -> Option<String> {
    let mut functions = values::split_words(text);
    let is_box = |word: &mut &str| word.to_ascii_lowercase().ends_with("-box");
    let named = functions.extract_if(.., is_box).last().map(str::to_ascii_lowercase);
    let whole = |(width, height)| Rect::new(0.0, 0.0, width, height);
    let area = match named.as_deref() {
        // The box of the root is the page.
        _ if element == 0 => whole(environment.page),
        Some("view-box") => whole(environment.view?),
        Some("fill-box" | "content-box" | "padding-box") => measured(boxes, slot, false)?,
        _ => measured(boxes, slot, true)?,
    };
    match &functions[..] {
        [] => Some(rect(area)),
        words => shape(&words.join(" "), environment, area, in_css),
    }
}

fn measured(boxes: &mut Boxes, slot: u32, stroked: bool) -> Option<Rect> {
    let found: Result<_, Unknown> = boxes.area(slot, stroked);
    found.ok().map(Option::unwrap_or_default)
}

fn rect(area: Rect) -> String {
    let (width, height) = (area.width().max(0.0), area.height().max(0.0));
    format!("<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"{height}\"/>", area.x0, area.y0)
}

/// A basic shape as an element that clips.
fn shape(text: &str, environment: &Environment, area: Rect, in_css: bool) -> Option<String> {
    let (name, inner) = text.trim().split_once('(')?;
    let inner = inner.strip_suffix(')')?.trim();
    let (width, height) = (area.width(), area.height());
    let along =
        |word: &str, whole: f64| values::length_of(word, environment, Whole::Pixels(whole), in_css);
    let (words, _) = inner.split_once(" round ").unwrap_or((inner, ""));
    let words = values::split_words(words);
    // Four sides, of which the last may be left out.
    let side = |at: usize, whole: f64| {
        along(words.get(at).or_else(|| words.get(at % 2)).or_else(|| words.first())?, whole)
    };
    let middle = words.iter().position(|word| *word == "at");
    let (radii, centre) = words.split_at(middle.unwrap_or(words.len()));
    let centre = centre.get(1..).unwrap_or_default().join(" ");
    let centre = if centre.is_empty() { "center" } else { &centre };
    let radius = |at: usize, sides: &[f64], whole: f64| match radii.get(at).copied() {
        None | Some("closest-side") => sides.iter().copied().reduce(f64::min),
        Some("farthest-side") => sides.iter().copied().reduce(f64::max),
        Some(word) => along(word, whole).filter(|radius| *radius >= 0.0),
    };
    match &*name.trim().to_ascii_lowercase() {
        "inset" => {
            let (x0, y0) = (area.x0 + side(3, width)?, area.y0 + side(0, height)?);
            let (x1, y1) = (area.x1 - side(1, width)?, area.y1 - side(2, height)?);
            Some(rect(Rect { x0, y0, x1, y1 }))
        }
        "xywh" => {
            let origin = (area.x0 + side(0, width)?, area.y0 + side(1, height)?);
            Some(rect(Rect::from_origin_size(origin, (side(2, width)?, side(3, height)?))))
        }
        "rect" if !words.contains(&"auto") => {
            let (x0, y0) = (area.x0 + side(3, width)?, area.y0 + side(0, height)?);
            let (x1, y1) = (area.x0 + side(1, width)?, area.y0 + side(2, height)?);
            Some(rect(Rect { x0, y0, x1, y1 }))
        }
        kind @ ("circle" | "ellipse") => {
            let at = values::origin(centre, environment, area)?;
            let across = [at.x - area.x0, area.x1 - at.x].map(f64::abs);
            let down = [at.y - area.y0, area.y1 - at.y].map(f64::abs);
            let place = format!("<{kind} cx=\"{}\" cy=\"{}\"", at.x, at.y);
            Some(match (kind, radii.len()) {
                ("circle", _) => {
                    let whole = width.hypot(height) / std::f64::consts::SQRT_2;
                    format!("{place} r=\"{}\"/>", radius(0, &[across, down].concat(), whole)?)
                }
                (_, 1) => return None,
                _ => {
                    let (rx, ry) = (radius(0, &across, width)?, radius(1, &down, height)?);
                    format!("{place} rx=\"{rx}\" ry=\"{ry}\"/>")
                }
            })
        }
        "polygon" => {
            let mut points = String::new();
            for pair in values::split(inner, ',') {
                match values::split_words(pair)[..] {
                    ["nonzero" | "evenodd"] => {}
                    [x, y] => {
                        let (x, y) = (area.x0 + along(x, width)?, area.y0 + along(y, height)?);
                        let _ = write!(points, "{x},{y} ");
                    }
                    _ => return None,
                }
            }
            Some(format!("<polygon points=\"{points}\"/>"))
        }
        "path" => {
            let d = values::path(text)?;
            let is_good = BezPath::from_svg(&d).is_ok() && !d.contains(['"', '<', '&']);
            let (x, y) = (area.x0, area.y0);
            is_good.then(|| format!("<path transform=\"translate({x} {y})\" d=\"{d}\"/>"))
        }
        _ => None,
    }
}
