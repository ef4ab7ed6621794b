//! The page, viewports and view boxes.

use super::context::Context;
use crate::values::{self, Environment, Whole, whole_numbers};
use crate::xml::{ASPECT, Attributes, attribute, take};
use kurbo::{Affine, Rect};
use usvg::roxmltree::Node;

/// Returns the size of the page, in pixels.
pub(crate) fn page<'x>(
    root: Node,
    environment: &Environment,
    declared: impl Fn(&str) -> Option<&'x str>,
) -> (f64, f64) {
    let side = |name| declared(name).and_then(|value| values::pixels(value.trim(), environment));
    match (side("width"), side("height"), view_box(root)) {
        (Some(wide), None, Some([_, _, width, height])) => (wide, wide * height / width),
        (None, Some(high), Some([_, _, width, height])) => (high * width / height, high),
        (None, None, Some([_, _, width, height])) => (width, height),
        (wide, high, _) => (wide.unwrap_or(100.0), high.unwrap_or(100.0)),
    }
}

pub(crate) fn view_box(node: Node) -> Option<[f64; 4]> {
    let found = numbers(node.attribute("viewBox")?)?;
    Some(found).filter(|[_, _, width, height]| *width > 0.0 && *height > 0.0)
}

/// Returns the numbers of a view box; `None` if browsers reject it.
pub(crate) fn numbers(text: &str) -> Option<[f64; 4]> {
    let words = text.split([' ', ',', '\t', '\n', '\r']).filter(|word| !word.is_empty());
    let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
    let found: [f64; 4] = numbers.ok()?.try_into().ok().filter(|_| whole_numbers(text) == text)?;
    Some(found).filter(|[_, _, width, height]| *width >= 0.0 && *height >= 0.0)
}

/// Whether browsers ignore this view box or aspect ratio attribute.
pub(crate) fn is_ignored_view(name: &str, value: &str) -> bool {
    name == "viewBox" && numbers(value).is_none() || name == ASPECT && !is_aspect(value)
}

pub(crate) fn is_aspect(value: &str) -> bool {
    !value.contains("defer") && value.parse::<svgtypes::AspectRatio>().is_ok()
}

/// Returns a length of an element whose percentages refer to `whole`.
fn side(attributes: &Attributes, own: &Context, name: &str, whole: f64) -> Option<f64> {
    values::length_in(attribute(attributes, name)?, &own.environment, Whole::Pixels(whole))
}

/// Returns the translation of an element's content by `x` and `y`, and the transform from the content to the
/// element's own coordinates.
pub(crate) fn inner_transform(
    tag: &str,
    element: u32,
    viewport: Option<Node>,
    attributes: &Attributes,
    own: &Context,
) -> (Affine, Affine) {
    let (wide, high) = own.environment.view.unwrap_or(own.environment.page);
    let side = |name, whole, default| side(attributes, own, name, whole).unwrap_or(default);
    let place = if element == 0 || !matches!(tag, "svg" | "use") {
        Affine::IDENTITY
    } else {
        Affine::translate((side("x", wide, 0.0), side("y", high, 0.0)))
    };
    let Some([x, y, width, height]) = viewport.and_then(view_box) else {
        return (place, Affine::IDENTITY);
    };
    let by = match tag {
        "marker" => {
            (side("markerWidth", wide, 3.0) / width, side("markerHeight", high, 3.0) / height)
        }
        _ => (side("width", wide, wide) / width, side("height", high, high) / height),
    };
    let aspect = viewport.and_then(|node| node.attribute(ASPECT)).unwrap_or_default();
    if aspect.contains("none") {
        let scale = Affine::scale_non_uniform(by.0, by.1);
        return (place, scale * Affine::translate((-x, -y)));
    }
    let scale = if aspect.contains("slice") { by.0.max(by.1) } else { by.0.min(by.1) };
    let shares = [("Min", 0.0), ("Max", 1.0)];
    let share = |axis: &str| {
        let found = shares.iter().find(|(side, _)| aspect.contains(&format!("{axis}{side}")));
        found.map_or(0.5, |(_, share)| *share)
    };
    let dx = (by.0 - scale) * width * share("x");
    let dy = (by.1 - scale) * height * share("Y");
    let inner = Affine::translate((dx, dy)) * Affine::scale(scale) * Affine::translate((-x, -y));
    // Browsers use the box of a nested svg in the coordinates of its content.
    if tag == "svg" { (place * inner, Affine::IDENTITY) } else { (place, inner) }
}

/// Removes the viewport of a nested `svg` from its attributes, and returns it in the coordinates of the content.
pub(crate) fn window(attributes: &mut Attributes, own: &Context, place: Affine) -> String {
    let (wide, high) = own.environment.view.unwrap_or(own.environment.page);
    let side = |name, whole, default| side(attributes, own, name, whole).unwrap_or(default);
    let origin = (side("x", wide, 0.0), side("y", high, 0.0));
    let size = (side("width", wide, wide), side("height", high, high));
    let area = place.inverse().transform_rect_bbox(Rect::from_origin_size(origin, size));
    let (x, y, width, height) = (area.x0, area.y0, area.width(), area.height());
    let overflow = take(attributes, &["overflow"]);
    take(attributes, &["x", "y", "width", "height", "viewBox", ASPECT]);
    let size = format!("width=\"{width}\" height=\"{height}\"");
    format!(" x=\"{x}\" y=\"{y}\" {size} viewBox=\"{x} {y} {width} {height}\"{overflow}")
}

/// Returns the size of the viewport for the content of an element.
pub(crate) fn inner_view(
    element: u32,
    node: Node,
    tag: &str,
    attributes: &Attributes,
    own: &Context,
) -> Option<(f64, f64)> {
    let environment = &own.environment;
    match (tag, view_box(node)) {
        ("svg" | "symbol" | "pattern" | "marker", Some([_, _, width, height])) => {
            Some((width, height))
        }
        ("symbol" | "marker", None) => None,
        ("svg", None) if element != 0 => {
            let side = |name: &str, whole: Option<f64>| {
                let value = attribute(attributes, name).unwrap_or("100%");
                values::length_in(value, environment, whole.map_or(Whole::Unknown, Whole::Pixels))
            };
            let (width, height) = environment.view.unzip();
            side("width", width).zip(side("height", height))
        }
        _ => environment.view,
    }
}
