//! Numbers that usvg and resvg fail on, because they overflow or vanish on the way.

use crate::left_out::{Cut, Part, TOO_LARGE};
use svgtypes::{Length, NumberListParser};
use usvg::roxmltree::{Document, Node};

/// The largest number of a filter's primitive, and the largest coordinate of an image.
const LARGE: f64 = 1e7;

/// How many times longer one side of an image may be than the other.
const SLENDER: f64 = 1e6;

/// The largest number of a gradient.
const GRADIENT: f64 = 1e30;

/// The attributes to leave out.
pub(super) fn cuts(document: &Document) -> Vec<Cut> {
    document.descendants().filter(Node::is_element).flat_map(of).collect()
}

fn of(node: Node) -> Vec<Cut> {
    let cut = |part| Cut { node: node.id(), part, why: TOO_LARGE };
    let mut out = match node.tag_name().name() {
        "image" if !is_fit(node) => vec![cut(Part::Attribute("href".into()))],
        name if name.starts_with("fe") => {
            let large = node.attributes().filter(|one| is_beyond(one.value(), LARGE));
            large
                .filter(|one| is_numeric(one.name()))
                .map(|one| cut(Part::Attribute(one.name().into())))
                .collect()
        }
        "linearGradient" | "radialGradient" => {
            let numbers = ["r", "fr", "cx", "cy", "fx", "fy", "x1", "y1", "x2", "y2"];
            let large = numbers.iter().filter(|name| {
                node.attribute(**name).is_some_and(|value| is_beyond(value, GRADIENT))
            });
            large.map(|name| cut(Part::Attribute((*name).into()))).collect()
        }
        _ => vec![],
    };
    let filter = node.attribute("filter").into_iter().chain(node.attribute("style"));
    if filter.into_iter().any(has_large_function) {
        out.push(cut(Part::Property("filter")));
    }
    out
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
    let number = |name| {
        let length = node.attribute(name).and_then(|text| text.parse::<Length>().ok());
        length.map(|length| length.number.abs())
    };
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
    const FUNCTIONS: [&str; 10] = [
        "blur(",
        "drop-shadow(",
        "brightness(",
        "contrast(",
        "grayscale(",
        "hue-rotate(",
        "invert(",
        "opacity(",
        "saturate(",
        "sepia(",
    ];
    if !text.contains('(') || !text.contains(['e', 'E', '0', '9']) {
        return false;
    }
    FUNCTIONS.iter().any(|function| {
        text.split(function).skip(1).any(|rest| {
            let inside = rest.split(')').next().unwrap_or_default();
            inside.split([' ', ',']).any(|word| {
                let number =
                    word.trim_end_matches(|one: char| one.is_ascii_alphabetic() || one == '%');
                number.parse::<f64>().is_ok_and(|number| number.abs() > LARGE)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(inside: &str) -> usize {
        cuts(&Document::parse(&format!("<svg>{inside}</svg>")).unwrap()).len()
    }

    #[test]
    fn what_overflows_is_found() {
        assert_eq!(count("<image width='10' height='1e30'/>"), 1);
        assert_eq!(count("<image width='1' height='2e6'/>"), 1);
        assert_eq!(count("<feTurbulence baseFrequency='1e39'/>"), 1);
        assert_eq!(count("<feMorphology radius='1 1e39'/>"), 1);
        assert_eq!(count("<feOffset dx='1e9' dy='-1e30'/>"), 2);
        assert_eq!(count("<g filter='blur(1e20)'/><g style='filter:blur(2) blur(1e10px)'/>"), 2);
        assert_eq!(count("<radialGradient r='1e39'/>"), 1);
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
    }
}
