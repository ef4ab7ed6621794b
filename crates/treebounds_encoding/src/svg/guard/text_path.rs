//! Paths that text is set on, and how long they may be.
//!
//! kurbo looks for the place of each letter until it is known to half a pixel, by bisection of a number between 0 and 1.
//! On a path of more than 10^15 pixels no `f64` is near enough, and it looks for ever.

use super::arcs;
use svgtypes::{Length, NumberListParser, Transform, ViewBox};
use usvg::roxmltree::Node;

/// How far a path may reach, in the pixels of the text that is set on it.
const REACH_MAX: f64 = 1e12;

/// Whether places on this shape can be found. Of a scale that a `use` adds nobody knows.
pub(super) fn is_short(text: Node, shape: Node) -> bool {
    let scale = scale(shape) * text.ancestors().map(scale).product::<f64>();
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
    let transform = node.attribute("transform").and_then(|text| text.parse::<Transform>().ok());
    let longer = |by: Transform| by.a.hypot(by.b).max(by.c.hypot(by.d)).max(f64::MIN_POSITIVE);
    let own = transform.map_or(1.0, longer);
    own * node.attribute("viewBox").map_or(1.0, |text| view(node, text))
}

/// The same of an element with a view box.
fn view(node: Node, text: &str) -> f64 {
    let Ok(view) = text.parse::<ViewBox>() else { return 1.0 };
    let side = |name, of| node.attribute(name).and_then(length).map_or(1.0, |side| side / of);
    side("width", view.w).max(side("height", view.h))
}

/// The number of a length, whatever its unit.
fn length(text: &str) -> Option<f64> {
    text.parse().ok().map(|length: Length| length.number.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use usvg::roxmltree::Document;

    fn of(around: &str, shape: &str) -> bool {
        let text = format!("<svg {around}><text/>{shape}</svg>");
        let document = Document::parse(&text).unwrap();
        let mut children = document.root_element().children();
        is_short(children.next().unwrap(), children.next().unwrap())
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
        assert!(!of("transform='matrix(0 1e9 1e9 0 0 0)'", "<polygon points='1 1e9 2 3'/>"));
        assert!(!of("width='9' viewBox='0 0 1e-9 9'", "<path transform='scale(1e5)' d='M0 0H9'/>"));
    }
}
