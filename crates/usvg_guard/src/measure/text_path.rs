//! Paths that text is set on, and how long they may be.
//!
//! kurbo looks for the place of each letter until it is known to half a pixel, by bisection of a number between 0 and 1.
//! On a path of more than 10^15 pixels no `f64` is near enough, and it looks for ever.
//!
//! How many pixels a unit is, is seen from transforms and view boxes. What is in units of a box may be in units of the
//! largest there is, and a share of a viewport or a letter one of the largest.

use super::arcs::{self, length};
use super::links::{self, attribute, properties};
use crate::cascade::Cascade;
use std::cell::RefCell;
use std::collections::HashMap;
use svgtypes::{Length, LengthUnit, NumberListParser, Transform, ViewBox};
use usvg::roxmltree::{Node, NodeId};

/// How far a path may reach, in the pixels of the text that is set on it.
const REACH_MAX: f64 = 1e12;

/// An element that shows what is inside it so many times larger may show anything: through a `use`, a symbol, a marker.
const SCALE_LARGE: f64 = 1e4;

/// The size of a font where nothing else is said, or more.
const FONT: f64 = 16.0;

/// The viewport that is assumed of an element that says no size of its own.
const SIDE: f64 = 1e3;

/// An element, with what its styles say of sizes.
#[derive(Clone, Copy)]
struct Seen<'a, 'i> {
    node: Node<'a, 'i>,
    transform: Option<&'a str>,
    font_size: Option<&'a str>,
}

/// What a document does to the sizes in it.
pub(super) struct Sight {
    /// How many times larger each element shows what is inside.
    scales: HashMap<NodeId, f64>,
    /// How far the shapes reach that were asked for.
    reaches: RefCell<HashMap<NodeId, f64>>,
    /// How many times larger all such elements show what is inside all of them, and the units of a box.
    larger: f64,
    units: Units,
}

/// What lengths are in, at most.
#[derive(Clone, Copy)]
struct Units {
    /// The longest side of a viewport or a view box.
    view: f64,
    /// The largest size of a font.
    font: f64,
}

impl Units {
    fn of(nodes: &[Seen]) -> Self {
        let view = nodes.iter().map(|seen| sides(seen.node)).fold(SIDE, f64::max);
        let (mut font, mut larger) = (FONT, 1.0);
        let sizes = nodes.iter().filter_map(|seen| seen.font_size);
        for size in sizes.filter_map(|size| size.parse::<Length>().ok()) {
            let number = size.number.abs();
            match size.unit {
                LengthUnit::Em | LengthUnit::Ex => larger *= number.max(1.0),
                LengthUnit::Percent => larger *= (number / 100.0).max(1.0),
                _ => font = f64::max(font, number),
            }
        }
        Self { view, font: font * larger }
    }

    fn length(&self, text: &str) -> Option<f64> {
        let length: Length = text.parse().ok()?;
        let unit = match length.unit {
            LengthUnit::Percent => self.view / 100.0,
            LengthUnit::Em | LengthUnit::Ex => self.font,
            _ => 1.0,
        };
        Some(length.number.abs() * unit)
    }
}

impl Sight {
    pub(super) fn of<'a>(nodes: &[Node<'a, '_>], cascade: &Cascade<'a>) -> Self {
        let mut all = Vec::new();
        let see = |node: &Node<'a, '_>| {
            properties(*node, cascade, &mut all);
            let find = |name| {
                all.iter().find(|one: &&links::Property| one.name == name).map(|one| one.value)
            };
            Seen { node: *node, transform: find("transform"), font_size: find("font-size") }
        };
        let seen: Vec<_> = nodes.iter().map(see).collect();
        let units = Units::of(&seen);
        let scales: HashMap<_, _> =
            seen.iter().map(|seen| (seen.node.id(), scale(seen.node, seen.transform))).collect();
        let larger = scales.values().filter(|scale| **scale > SCALE_LARGE);
        let boxes = if nodes.iter().any(is_in_boxes) {
            nodes.iter().map(|node| reach(*node, units)).fold(1.0, f64::max)
        } else {
            1.0
        };
        Self { larger: larger.product::<f64>() * boxes, scales, reaches: RefCell::default(), units }
    }

    /// Whether places on this shape can be found.
    pub(super) fn is_short(&self, text: Node, shape: Node) -> bool {
        let around = text.ancestors().chain([shape]);
        let around = around.map(|node| self.scales.get(&node.id()).copied().unwrap_or(1.0));
        let scale = around.filter(|scale| *scale <= SCALE_LARGE).product::<f64>() * self.larger;
        let mut reaches = self.reaches.borrow_mut();
        let reach = *reaches.entry(shape.id()).or_insert_with(|| reach(shape, self.units));
        reach * scale.max(1.0) <= REACH_MAX
    }
}

/// The longest side of its view box and its viewport, if it has one.
fn sides(node: Node) -> f64 {
    let view = attribute(node, "viewBox").and_then(|text| text.parse::<ViewBox>().ok());
    let side = |name| match node.tag_name().name() {
        "svg" | "symbol" | "use" => attribute(node, name).and_then(length).unwrap_or(0.0),
        _ => 0.0,
    };
    view.map_or(0.0, |view| view.w.max(view.h)).max(side("width")).max(side("height"))
}

/// Whether what is inside it is in units of the box of what it is put on.
fn is_in_boxes(node: &Node) -> bool {
    let units = ["clipPathUnits", "maskContentUnits", "patternContentUnits"];
    units.iter().any(|name| node.attribute(*name) == Some("objectBoundingBox"))
}

/// No coordinate of the shape is farther from zero.
fn reach(shape: Node, units: Units) -> f64 {
    let numbers = shape.attributes().filter_map(|attribute| match attribute.name() {
        "d" => Some(arcs::follow(attribute.value()).reach),
        "points" => {
            let numbers = NumberListParser::from(attribute.value()).map_while(Result::ok);
            Some(numbers.map(f64::abs).fold(0.0, f64::max))
        }
        "x" | "y" | "width" | "height" | "rx" | "ry" | "cx" | "cy" | "r" | "x1" | "y1" | "x2"
        | "y2" => units.length(attribute.value()),
        _ => None,
    });
    numbers.sum()
}

/// About how many times larger the element shows what is inside it.
fn scale(node: Node, transform: Option<&str>) -> f64 {
    let transform = transform.and_then(|text| text.parse::<Transform>().ok());
    let longer = |by: Transform| by.a.hypot(by.b).max(by.c.hypot(by.d)).max(f64::MIN_POSITIVE);
    let own = transform.map_or(1.0, longer);
    own * attribute(node, "viewBox").map_or(1.0, |text| view(node, text))
}

/// The same of an element with a view box.
fn view(node: Node, text: &str) -> f64 {
    let Ok(view) = text.parse::<ViewBox>() else { return 1.0 };
    let is_outermost = node.parent_element().is_none();
    let side = |name, of| match attribute(node, name).and_then(length) {
        Some(side) => side / of,
        None if is_outermost => 1.0,
        None => SIDE / of,
    };
    side("width", view.w).max(side("height", view.h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use usvg::roxmltree::Document;

    fn of(around: &str, shape: &str) -> bool {
        let text = format!("<svg {around}><text/>{shape}</svg>");
        let document = Document::parse(&text).unwrap();
        let nodes: Vec<_> = document.descendants().filter(Node::is_element).collect();
        let cascade = Cascade::new(&document, u64::MAX).unwrap();
        let root = document.root_element();
        let mut children = root.children().filter(|child| !child.has_tag_name("style"));
        let [text, shape] = [(); 2].map(|()| children.next().unwrap());
        Sight::of(&nodes, &cascade).is_short(text, shape)
    }

    #[test]
    fn what_is_long_is_found() {
        assert!(of("", "<path d='M0 0L9 1e11'/>"));
        assert!(of("transform='scale(1e-30)'", "<circle r='1e11'/>"));
        assert!(of("width='900' viewBox='0 0 9 9'", "<polygon points='1 1e9 2 3'/>"));
        assert!(of("transform='rotate(45) translate(9 9)'", "<circle r='9e11'/>"));
        assert!(of("", &format!("<path d='M0 9{}'/>", "A5 5 0 0 1 9 5A5 5 0 0 1 0 9".repeat(99))));
        assert!(of("viewBox='0 0 1e9 9'", "<rect width='100%' height='200%'/>"));
        assert!(of("clipPathUnits='objectBoundingBox'", "<circle r='1e5'/>"));
        assert!(!of("viewBox='0 0 1e30 1e30'", "<rect width='100%' height='9'/>"));
        assert!(!of(
            "",
            "<circle r='9'/><mask maskContentUnits='objectBoundingBox'/><path d='M0 1e17'/>"
        ));
        assert!(of("width='1e9'", "<rect width='50%' height='9em'/>"));
        assert!(!of("width='1e22'", "<rect width='40%' height='9'/>"));
        assert!(!of("", "<rect width='40%'/><use width='1e22'/>"));
        assert!(!of("", "<circle font-size='1e12' r='1e10em'/>"));
        assert!(!of("font-size='1e9em'", "<circle r='1e5ex'/>"));
        assert!(!of("", "<path d='M-1e38 73C3 4 5 6 7 8'/>"));
        assert!(!of("", "<circle r='1e13mm'/>"));
        assert!(!of("", "<circle r='9'/><use transform='scale(1e17)'/>"));
        assert!(!of("style='opacity:1;transform:scale(1e17)'", "<circle r='9'/>"));
        assert!(!of("", "<circle r='9'/><svg viewBox='0 0 1e-16 1e-16'/>"));
        let sheet = "<style>text{transform:scale(1e7)}</style>";
        let curve = "<path d='M0 0C0 1e11 1e11 1e11 1e11 0'/>";
        assert!(!of("", &format!("{curve}{sheet}")));
        assert!(of("", curve));
        assert!(!of("transform='matrix(0 1e9 1e9 0 0 0)'", "<polygon points='1 1e9 2 3'/>"));
        assert!(!of("width='9' viewBox='0 0 1e-9 9'", "<path transform='scale(1e5)' d='M0 0H9'/>"));
    }
}
