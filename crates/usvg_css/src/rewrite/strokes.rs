//! Non-scaling strokes, and dashes along paths of a given length.
//!
//! usvg does not support `vector-effect`. Under a uniform scale, a non-scaling stroke is written with its width divided
//! by the scale. Otherwise, the outline of the shape is written in the coordinates of the drawing, inside the inverse
//! transform.

use super::context::{Context, Writer};
use super::markers::MARKERS;
use crate::measure::boxes::matrix_text;
use crate::measure::outline::Outline;
use crate::values::{self, properties::IGNORED};
use crate::xml::{Attributes, attribute, set, take};
use svgtypes::{PaintOrder, PaintOrderKind};
use usvg::roxmltree::Node;

/// The maximum ratio of the scales in two directions for a uniform transform.
const EVEN: f64 = 1.001;

const OUTLINES: &[&str] = &[
    "d", "points", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2",
];

impl Writer<'_> {
    /// Scales dashes by `pathLength`.
    pub(crate) fn dashes(
        &mut self,
        node: Node,
        own: &Context,
        outline: Option<&Outline>,
        attributes: &mut Attributes,
    ) {
        let length = node.attribute("pathLength");
        let length = length.map(|value| value.trim().parse::<f64>().unwrap_or(0.0));
        let length = length.map(|length| if length.is_finite() { length } else { 0.0 });
        let Some((length, outline)) = length.filter(|length| *length >= 0.0).zip(outline) else {
            return;
        };
        if own.some("stroke-dasharray").is_none() {
            return;
        }
        if length == 0.0 {
            return set(attributes, "stroke-dasharray", "none".to_owned());
        }
        let by = outline.length() / length;
        for name in DASHES {
            scaled(own.get(name), by).into_iter().for_each(|all| set(attributes, name, all));
        }
    }

    /// Writes a non-scaling stroke. If no width is right in all directions, returns the elements that paint the shape,
    /// in a group with the other attributes.
    pub(crate) fn unscaled(
        &mut self,
        tag: &str,
        own: &Context,
        outline: Option<&Outline>,
        attributes: &mut Attributes,
    ) -> Option<String> {
        let element = own.element;
        match own.own("vector-effect") {
            Some("non-scaling-stroke") => {}
            None | Some("none" | "inherit") => return None,
            Some(other) => {
                self.note(element, &format!("vector-effect: {other}"), IGNORED);
                return None;
            }
        }
        let matrix = own.to_drawing;
        if !matrix.inverse().is_finite() {
            // Nothing is painted.
            return None;
        }
        let most = matrix.spectral_norm();
        let least = (matrix.determinant().abs() / most.max(f64::MIN_POSITIVE)).max(1e-9);
        let is_even = most <= EVEN * least;
        let has_markers = MARKERS.iter().any(|name| own.some(name).is_some());
        // Patterns and gradients use the coordinates of the shape.
        let is_plain = !own.get("stroke").starts_with("url(");
        if !is_even
            && is_plain
            && !has_markers
            && let Some(outline) = outline
        {
            let shape = take(attributes, OUTLINES);
            let (back, d) = (matrix_text(matrix.inverse()), (matrix * &*outline.path()).to_svg());
            let stroke = format!("<g transform=\"{back}\"><path d=\"{d}\" fill=\"none\"/></g>");
            let fill = format!("<{tag}{shape} stroke=\"none\"/>");
            let order: PaintOrder = own.get("paint-order").parse().unwrap_or_default();
            let order = order.order.iter().find(|kind| **kind != PaintOrderKind::Markers);
            return Some(match order {
                Some(PaintOrderKind::Stroke) => stroke + &fill,
                _ => fill + &stroke,
            });
        }
        if has_markers && !is_even {
            self.note(element, "vector-effect: markers", "they may be larger or smaller");
        }
        if !is_even && own.some("stroke").is_some() {
            let effect = "scaled alike in all directions, which may be too wide";
            self.note(element, "vector-effect: non-scaling-stroke", effect);
        }
        let width = values::plain(own.number("stroke-width", 1.0) / least).unwrap_or_default();
        set(attributes, "stroke-width", width);
        for name in DASHES {
            let all = scaled(attribute(attributes, name).unwrap_or(own.get(name)), 1.0 / least);
            all.into_iter().for_each(|all| set(attributes, name, all));
        }
        None
    }
}

/// The dashes of a stroke, and the dash offset.
const DASHES: [&str; 2] = ["stroke-dasharray", "stroke-dashoffset"];

/// Scales the lengths of dashes.
fn scaled(dashes: &str, by: f64) -> Option<String> {
    let all = dashes.split(' ').map(|dash| values::plain(dash.parse::<f64>().ok()? * by));
    Some(all.collect::<Option<Vec<String>>>()?.join(" "))
}
