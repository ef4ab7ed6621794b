//! Paths that text is set on, and how long they may be.
//!
//! kurbo looks for the place of each letter until it is known to half a pixel, by bisection of a number between 0 and 1.
//! On a path of more than 10^15 pixels no `f64` is near enough, and it looks for ever.
//!
//! How many pixels a unit is, is seen from transforms and view boxes. Not seen are lengths in percent, and masks whose
//! units are the box of a huge shape.

use super::arcs::{self, length};
use svgtypes::{NumberListParser, Transform, ViewBox};
use usvg::roxmltree::Node;

/// How far a path may reach, in the pixels of the text that is set on it.
const REACH_MAX: f64 = 1e12;

/// An element that shows what is inside it so many times larger may show anything: through a `use`, a symbol, a marker.
const SCALE_LARGE: f64 = 1e4;

/// The viewport that is assumed of an element that says no size of its own.
const SIDE: f64 = 1e3;

/// How many times larger all such elements of a document show what is inside all of them.
pub(super) fn magnification(nodes: &[Node]) -> f64 {
    nodes.iter().map(|node| scale(*node)).filter(|scale| *scale > SCALE_LARGE).product()
}

/// Whether places on this shape can be found.
pub(super) fn is_short(text: Node, shape: Node, magnification: f64) -> bool {
    let around = text.ancestors().chain([shape]).map(scale);
    let scale = around.filter(|scale| *scale <= SCALE_LARGE).product::<f64>() * magnification;
    reach(shape) * scale.max(1.0) <= REACH_MAX
}

/// No coordinate of the shape is farther from zero.
fn reach(shape: Node) -> f64 {
    let numbers = shape.attributes().filter_map(|attribute| match attribute.name() {
        "d" => Some(arcs::follow(attribute.value()).reach),
        "points" => {
            let numbers = NumberListParser::from(attribute.value()).map_while(Result::ok);
            Some(numbers.map(f64::abs).fold(0.0, f64::max))
        }
        "x" | "y" | "width" | "height" | "rx" | "ry" | "cx" | "cy" | "r" | "x1" | "y1" | "x2"
        | "y2" => length(attribute.value()),
        _ => None,
    });
    numbers.sum()
}

/// About how many times larger the element shows what is inside it.
fn scale(node: Node) -> f64 {
    let style = node.attribute("style").and_then(|style| style.split("transform:").nth(1));
    let style = style.and_then(|rest| rest.split(';').next());
    let transform = style.or_else(|| node.attribute("transform"));
    let transform = transform.and_then(|text| text.parse::<Transform>().ok());
    let longer = |by: Transform| by.a.hypot(by.b).max(by.c.hypot(by.d)).max(f64::MIN_POSITIVE);
    let own = transform.map_or(1.0, longer);
    own * node.attribute("viewBox").map_or(1.0, |text| view(node, text))
}

/// The same of an element with a view box.
fn view(node: Node, text: &str) -> f64 {
    let Ok(view) = text.parse::<ViewBox>() else { return 1.0 };
    let is_outermost = node.parent_element().is_none();
    let side = |name, of| match node.attribute(name).and_then(length) {
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
        let nodes: Vec<_> = document.descendants().collect();
        let mut children = document.root_element().children();
        let [text, shape] = [(); 2].map(|()| children.next().unwrap());
        is_short(text, shape, magnification(&nodes))
    }

    #[test]
    fn what_is_long_is_found() {
        assert!(of("", "<path d='M0 0L9 1e11'/>"));
        assert!(of("transform='scale(1e-30)'", "<circle r='1e11'/>"));
        assert!(of("width='900' viewBox='0 0 9 9'", "<polygon points='1 1e9 2 3'/>"));
        assert!(of("transform='rotate(45) translate(9 9)'", "<circle r='9e11'/>"));
        assert!(of("", &format!("<path d='M0 9{}'/>", "A5 5 0 0 1 9 5A5 5 0 0 1 0 9".repeat(99))));
        assert!(!of("", "<path d='M-1e38 73C3 4 5 6 7 8'/>"));
        assert!(!of("", "<circle r='1e13mm'/>"));
        assert!(!of("", "<circle r='9'/><use transform='scale(1e17)'/>"));
        assert!(!of("style='opacity:1;transform:scale(1e17)'", "<circle r='9'/>"));
        assert!(!of("", "<circle r='9'/><svg viewBox='0 0 1e-16 1e-16'/>"));
        assert!(!of("transform='matrix(0 1e9 1e9 0 0 0)'", "<polygon points='1 1e9 2 3'/>"));
        assert!(!of("width='9' viewBox='0 0 1e-9 9'", "<path transform='scale(1e5)' d='M0 0H9'/>"));
    }
}
