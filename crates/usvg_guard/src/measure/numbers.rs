//! Numbers that usvg and resvg fail on, because they overflow or vanish on the way. The table in the README says where.

use super::arcs::Followed;
use super::links::{Property, attribute, is_read};
use crate::left_out::{Cut, Part, TOO_LARGE, TOO_SMALL};
use svgtypes::{FilterValue, FilterValueListParser, Length, LengthUnit, NumberListParser};
use usvg::roxmltree::{Document, Node};

/// The largest number of a filter's primitive or of a region in units of a box, and the largest coordinate of an image.
const LARGE: f64 = 1e7;

/// How many times longer one side of an image may be than the other.
const SLENDER: f64 = 1e6;

/// The largest number of a gradient, and of a shape where there is a region in units of a box.
const HUGE: f64 = 1e30;

/// The largest coordinate of a quadratic curve, the largest size of a font, the longest length of a text.
const CURVED: f64 = 1e15;

/// How many times the size of the font around the size of a font may be.
const TIMES: f64 = 1e4;

/// A share of a box vanishes beside coordinates that are so many times larger.
const PRECISION: f64 = 1e7;

/// The shortest side of a region in units of a box, where coordinates are small; where they are large it is longer, up to
/// the whole box.
const SHORT: f64 = 1e-5;

/// The attributes to leave out, where this is the largest coordinate of a path.
pub(super) fn cuts(document: &Document, largest: f64) -> Vec<Cut> {
    let elements = || document.descendants().filter(Node::is_element);
    let has_regions = elements().any(|node| is_region(node) || node.has_attribute("filter"));
    if !has_regions {
        return elements().flat_map(|node| cuts_of(node, None)).collect();
    }
    let coordinates = elements().flat_map(|node| coordinates(node).map(|(_, number)| number));
    // What is larger is left out.
    let largest = coordinates.chain([largest]).filter(|one| *one <= HUGE).fold(0.0, f64::max);
    elements().flat_map(|node| cuts_of(node, Some(largest))).collect()
}

fn cuts_of(node: Node, largest: Option<f64>) -> Vec<Cut> {
    let cut = |name: &str, why| Cut { node: node.id(), part: Part::Attribute(name.into()), why };
    let name = node.tag_name().name();
    let mut out = vec![];
    if name == "image" && !is_fit(node) {
        out.push(cut("href", TOO_LARGE));
    }
    if name.starts_with("fe") {
        let large = node.attributes().filter(|one| is_beyond(one.value(), LARGE));
        let large = large.filter(|one| is_numeric(one.name()));
        out.extend(large.map(|one| cut(one.name(), TOO_LARGE)));
    }
    if matches!(name, "linearGradient" | "radialGradient") {
        let numbers = ["r", "fr", "cx", "cy", "fx", "fy", "x1", "y1", "x2", "y2"];
        let large = |name: &&str| attribute(node, name).is_some_and(|one| is_beyond(one, HUGE));
        out.extend(numbers.iter().filter(|name| large(name)).map(|name| cut(name, TOO_LARGE)));
    }
    if number(node, "textLength").is_some_and(|length| length > CURVED) {
        out.push(cut("textLength", TOO_LARGE));
    }
    let Some(largest) = largest else { return out };
    if is_region(node) {
        let short = SHORT.max(largest / PRECISION).min(1.0);
        for name in ["x", "y", "width", "height"] {
            let Some(share) = share(node, name) else { continue };
            let is_side = matches!(name, "width" | "height");
            if share > LARGE {
                out.push(cut(name, TOO_LARGE));
            } else if is_side && share > 0.0 && share < short {
                out.push(cut(name, TOO_SMALL));
            }
        }
    } else if !name.starts_with("fe") {
        let far = coordinates(node).filter(|(_, number)| *number > HUGE);
        out.extend(far.map(|(name, _)| cut(name, TOO_LARGE)));
    }
    out
}

/// The properties to leave out.
pub(super) fn cuts_of_styles(node: Node, all: &[Property]) -> Vec<Cut> {
    let large = all.iter().filter_map(|one| match one.name {
        "filter" if has_large_function(one.value) => Some(("filter", one.important)),
        "font-size" if is_large_font(one.value) => Some(("font-size", one.important)),
        _ => None,
    });
    let part = |(name, important)| if important { Part::Whole } else { Part::Property(name) };
    large.map(|one| Cut { node: node.id(), part: part(one), why: TOO_LARGE }).collect()
}

/// The data of a path whose quadratic curves are too large.
pub(super) fn cut_of_path(node: Node, path: &Followed) -> Option<Cut> {
    let is_large = path.has_quadratics && path.reach > CURVED;
    let part = Part::Attribute("d".into());
    is_large.then(|| Cut { node: node.id(), part, why: TOO_LARGE })
}

/// Whether the element has a place and a size that may be shares of the box of what it is used on.
fn is_region(node: Node) -> bool {
    let is_free = |units| attribute(node, units) != Some("userSpaceOnUse");
    match node.tag_name().name() {
        "filter" => is_free("filterUnits"),
        "mask" => is_free("maskUnits"),
        "pattern" => is_free("patternUnits"),
        name => name.starts_with("fe"),
    }
}

/// The coordinates that place a shape or what is inside an element, and the paths and lists of points that are so long
/// or so large that a number in them may be huge.
fn coordinates<'a>(node: Node<'a, '_>) -> impl Iterator<Item = (&'a str, f64)> {
    let is_region = is_region(node);
    let all = node.attributes().filter(move |one| !is_region && is_read(one.namespace()));
    all.filter_map(|one| {
        let largest = |list| {
            let numbers = NumberListParser::from(list).map_while(Result::ok);
            numbers.map(f64::abs).fold(0.0, f64::max)
        };
        match one.name() {
            "x" | "y" | "width" | "height" | "rx" | "ry" | "cx" | "cy" | "r" | "x1" | "y1"
            | "x2" | "y2" => Some((one.name(), largest(one.value()))),
            "points" => Some(("points", largest(one.value()))),
            "transform" => Some(("transform", words(one.value()))),
            "d" if one.value().contains(['e', 'E']) => Some(("d", words(one.value()))),
            _ => None,
        }
    })
}

/// The largest number among words.
fn words(text: &str) -> f64 {
    let is_between = |one: char| !(one.is_ascii_digit() || "+-.eE".contains(one));
    let numbers = text.split(is_between).filter_map(|word| word.parse::<f64>().ok());
    numbers.map(f64::abs).fold(0.0, f64::max)
}

/// A share of a box, without its sign.
fn share(node: Node, name: &str) -> Option<f64> {
    let length: Length = attribute(node, name)?.parse().ok()?;
    let whole = if length.unit == LengthUnit::Percent { 100.0 } else { 1.0 };
    Some(length.number.abs() / whole)
}

fn number(node: Node, name: &str) -> Option<f64> {
    let length: Length = attribute(node, name)?.parse().ok()?;
    Some(length.number.abs())
}

fn is_large_font(size: &str) -> bool {
    size.parse::<Length>().is_ok_and(|size| match size.unit {
        LengthUnit::Em | LengthUnit::Ex => size.number.abs() > TIMES,
        LengthUnit::Percent => size.number.abs() > TIMES * 100.0,
        _ => size.number.abs() > CURVED,
    })
}

/// Which attributes of a filter's primitive are numbers that place or size something.
fn is_numeric(name: &str) -> bool {
    !matches!(name, "href" | "id" | "class" | "style" | "in" | "in2" | "result" | "seed" | "values")
}

fn is_beyond(value: &str, most: f64) -> bool {
    let is_number =
        value.trim_start().starts_with(|one: char| one.is_ascii_digit() || "+-.".contains(one));
    is_number
        && NumberListParser::from(value)
            .map_while(Result::ok)
            .any(|number| number.is_nan() || number.abs() > most)
}

/// Whether an image can be fit into its box.
fn is_fit(node: Node) -> bool {
    let number = |name| number(node, name);
    let sides = [number("width"), number("height")];
    let is_near =
        [number("x"), number("y")].iter().chain(&sides).flatten().all(|one| *one <= LARGE);
    let is_stout = match sides {
        [Some(width), Some(height)] => width.max(height) <= SLENDER * width.min(height),
        _ => true,
    };
    is_near && (is_stout || sides.contains(&Some(0.0)))
}

/// Whether a function of a `filter` property, such as `blur(1e20)`, has a number too large.
fn has_large_function(text: &str) -> bool {
    use FilterValue as F;
    let is_large = |length: Length| {
        let is_times = matches!(length.unit, LengthUnit::Em | LengthUnit::Ex);
        length.number.abs() > if is_times { TIMES } else { LARGE }
    };
    FilterValueListParser::from(text).flatten().any(|one| match one {
        F::Blur(length) => is_large(length),
        F::DropShadow { dx, dy, std_dev, .. } => [dx, dy, std_dev].into_iter().any(is_large),
        F::HueRotate(angle) => angle.number.abs() > LARGE,
        F::Brightness(number)
        | F::Contrast(number)
        | F::Grayscale(number)
        | F::Invert(number)
        | F::Opacity(number)
        | F::Saturate(number)
        | F::Sepia(number) => number.abs() > LARGE,
        F::Url(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cascade::Cascade;
    use crate::measure::links::properties;

    fn count(inside: &str) -> usize {
        let text = format!("<svg>{inside}</svg>");
        let document = Document::parse(&text).unwrap();
        let cascade = Cascade::new(&document, 1000).unwrap();
        let mut all = Vec::new();
        let styles = document.descendants().filter(Node::is_element).map(|node| {
            properties(node, &cascade, &mut all);
            cuts_of_styles(node, &all).len()
        });
        styles.sum::<usize>() + cuts(&document, 0.0).len()
    }

    #[test]
    fn what_overflows_is_found() {
        assert_eq!(count("<image width='10' height='1e30'/>"), 1);
        assert_eq!(count("<image f:height='1' height='1e30' xmlns:f='urn:f'/>"), 1);
        assert_eq!(count("<image width='1' height='2e6'/>"), 1);
        assert_eq!(count("<feTurbulence baseFrequency='1e39'/>"), 1);
        assert_eq!(count("<feMorphology radius='1 1e39'/>"), 1);
        assert_eq!(count("<feOffset dx='1e9' dy='-1e30'/>"), 2);
        assert_eq!(count("<g filter='blur(1e20)'/><g style='filter:blur(2) blur(1e10px)'/>"), 2);
        assert_eq!(count("<style>g{filter:blur(1e39px)}</style><g/>"), 1);
        assert_eq!(count("<g filter='drop-shadow(1px\n88888888px\tred)'/>"), 1);
        assert_eq!(count("<radialGradient r='1e39'/>"), 1);
        assert_eq!(count("<text font-size='1e20'/><tspan style='font-size:1e6em'/>"), 2);
        assert_eq!(count("<rect width='1e38' filter='blur(2)'/>"), 1);
    }

    #[test]
    fn shares_that_vanish_are_found() {
        assert_eq!(count("<filter width='1e-9'/><mask height='1e-20%'/>"), 2);
        assert_eq!(count("<filter width='.5'/><rect x='16777216'/>"), 1);
        assert_eq!(count("<filter width='.5'/><rect x='-9999'/>"), 0);
        assert_eq!(count("<filter width='1.01'/><rect x='16777216'/>"), 0);
        assert_eq!(count("<mask width='1e-9' maskUnits='userSpaceOnUse'/>"), 0);
        assert_eq!(count("<pattern width='0' height='1e38'/>"), 1);
    }

    #[test]
    fn what_is_ordinary_stays() {
        assert_eq!(
            count("<image x='-900' y='20' width='10' height='1e3'/><image width='0' height='5'/>"),
            0
        );
        assert_eq!(count("<feOffset dx='3' result='1e99'/><feTurbulence seed='4294967295'/>"), 0);
        assert_eq!(count("<g filter='blur(2) url(#a1e99)' style='fill:url(#e(0))'/>"), 0);
        assert_eq!(count("<linearGradient x1='-1e5' gradientTransform='matrix(0 0 0 0 0 0)'/>"), 0);
        assert_eq!(count("<g style='filter:blur(2)' font-size='200%'/><rect width='1e3'/>"), 0);
        assert_eq!(count("<rect width='1e38'/>"), 0, "no region");
    }
}
