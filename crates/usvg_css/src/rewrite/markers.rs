//! The markers of a shape.
//!
//! usvg orients the markers of closed, broken and curved paths differently from browsers. Therefore, each marker of
//! such a path becomes the marker of a separate invisible line that starts or ends at the vertex and has its direction.

use super::context::{Context, Writer};
use crate::measure::outline::Outline;
use crate::values;
use crate::xml::{Attributes, take, write_attribute};
use kurbo::{Arc, BezPath, PathEl, Point, SvgArc, Vec2};
use std::borrow::Cow;
use std::f64::consts::PI;
use svgtypes::{PaintOrder, PaintOrderKind, PathParser, PathSegment};

const OF_BOX: &str = "objectBoundingBox";
const OF_USER: &str = "userSpaceOnUse";

pub(crate) const MARKERS: [&str; 3] = ["marker-start", "marker-mid", "marker-end"];

impl Writer<'_> {
    pub(crate) fn is_marked(tag: &str, own: &Context) -> bool {
        let is_line = matches!(tag, "path" | "line" | "polyline" | "polygon");
        is_line && !own.in_clip && MARKERS.iter().any(|name| own.some(name).is_some())
    }

    /// Removes the outline of a shape with markers from its attributes. Returns the elements that paint the outline, in
    /// a group with the other attributes. The group gets the id, because parts of such a shape have no id in usvg's
    /// tree.
    pub(crate) fn marked(
        &mut self,
        tag: &str,
        own: &Context,
        outline: Option<&Outline>,
        attributes: &mut Attributes,
    ) -> String {
        let element = own.element;
        let effect = self.effect_of_box(own).map(|name| (element, name));
        for (element, name) in effect.into_iter().chain(own.effect) {
            let what = format!("{name} around markers");
            self.note(element, &what, "its markers count as part of the box that it refers to");
        }
        attributes.retain(|(name, _)| !MARKERS.contains(&&**name));
        let d = match outline {
            Some(Outline::Data(d)) => Cow::Borrowed(&**d),
            Some(outline) => Cow::Owned(outline.path().to_svg()),
            None => Cow::Borrowed(""),
        };
        let mut shape = take(attributes, &["d", "points", "x1", "y1", "x2", "y2"]);
        let all = self.marker_lines(&vertices(&d), MARKERS.map(|name| own.some(name)));
        MARKERS.iter().for_each(|name| write_attribute(&mut shape, name, "none"));
        let order: PaintOrder = own.get("paint-order").parse().unwrap_or_default();
        match order.order {
            [PaintOrderKind::Markers, ..] => format!("{all}<{tag}{shape}/>"),
            [.., PaintOrderKind::Markers] => format!("<{tag}{shape}/>{all}"),
            [first, ..] => {
                let (first, second) = match first {
                    PaintOrderKind::Fill => ("stroke", "fill"),
                    _ => ("fill", "stroke"),
                };
                format!("<{tag}{shape} {first}=\"none\"/>{all}<{tag}{shape} {second}=\"none\"/>")
            }
        }
    }

    /// Returns an effect of an element that refers to the element's box.
    pub(crate) fn effect_of_box(&self, own: &Context) -> Option<&'static str> {
        ["clip-path", "filter", "mask"].into_iter().find(|name| {
            let links = own.own(name).unwrap_or_default().split("url(#").skip(1);
            let marks = links.filter_map(|link| link.split(')').next());
            // Skips generated definitions, which use the box without markers.
            let mut found = marks.filter_map(|mark| self.elements.find(mark));
            found.any(|element| {
                let node = self.nodes[element as usize];
                let is = |name: &str, units: &str| node.attribute(name) == Some(units);
                match *name {
                    "clip-path" => is("clipPathUnits", OF_BOX),
                    "filter" => !is("filterUnits", OF_USER) || is("primitiveUnits", OF_BOX),
                    _ => !is("maskUnits", OF_USER) || is("maskContentUnits", OF_BOX),
                }
            })
        })
    }

    fn has_context(&self) -> bool {
        let text = self.nodes[0].document().input_text();
        *self.has_context.get_or_init(|| values::has_word(text, "context-"))
    }

    /// Returns the lines that carry the markers of these vertices.
    fn marker_lines(&self, vertices: &[(Point, f64)], markers: [Option<&str>; 3]) -> String {
        let points: BezPath = vertices.iter().map(|(at, _)| PathEl::MoveTo(*at)).collect();
        let area = points.control_box();
        // A line that is too short has no direction in single precision.
        let reach = (area.width() + area.height()).max(1.0) / 1000.0;
        // Markers may use the paint of their shape, which may depend on its box. Such lines are hidden in a gap between
        // dashes.
        let (hidden, corners) = if self.has_context() {
            let corners = format!("M{} {}L{} {}", area.x0, area.y0, area.x1, area.y1);
            ("stroke-dasharray=\"1 1e6\" stroke-dashoffset=\"-5e5\"", corners)
        } else {
            ("fill=\"none\" stroke=\"none\"", String::new())
        };
        let mut out = String::new();
        for (index, (at, angle)) in vertices.iter().enumerate() {
            // As in browsers, a lone vertex is an end.
            let kind = match index {
                _ if index + 1 == vertices.len() => 2,
                0 => 0,
                _ => 1,
            };
            let Some(marker) = markers[kind] else { continue };
            let way = reach * Vec2::from_angle(*angle);
            let (from, to) = if kind == 0 { (*at, *at + way) } else { (*at - way, *at) };
            let line = format!("M{} {}L{} {}", from.x, from.y, to.x, to.y);
            let (name, d) = match kind {
                0 => ("marker-start", line + &corners),
                _ => ("marker-end", corners.clone() + &line),
            };
            out += &format!("<path d=\"{d}\" {hidden}");
            for known in MARKERS {
                write_attribute(&mut out, known, if known == name { marker } else { "none" });
            }
            out += "/>";
        }
        out
    }
}

/// Returns the points and directions, in radians, of the vertices of a path.
fn vertices(d: &str) -> Vec<(Point, f64)> {
    use PathSegment as S;
    let mut out: Vec<(Point, f64)> = Vec::new();
    // The last point and control point, the kind of the last segment, and its final direction.
    let (mut from, mut control, mut last, mut into) = (Point::ZERO, Point::ZERO, ' ', Vec2::ZERO);
    // The start of this subpath: its point, its vertex, and its direction.
    let (mut start, mut first, mut away) = (Point::ZERO, 0, Vec2::ZERO);
    for one in PathParser::from(d).map_while(Result::ok) {
        let base = if one.is_abs() { Vec2::ZERO } else { from.to_vec2() };
        let at = |x: f64, y: f64| Point::new(x, y) + base;
        let mirror = |kind: char| if last == kind { from + (from - control) } else { from };
        let (kind, [a, b, to]) = match one {
            S::MoveTo { x, y, .. } => ('m', [at(x, y); 3]),
            S::LineTo { x, y, .. } => ('l', [at(x, y); 3]),
            S::HorizontalLineTo { x, .. } => ('l', [Point::new(x + base.x, from.y); 3]),
            S::VerticalLineTo { y, .. } => ('l', [Point::new(from.x, y + base.y); 3]),
            S::CurveTo { x1, y1, x2, y2, x, y, .. } => ('c', [at(x1, y1), at(x2, y2), at(x, y)]),
            S::SmoothCurveTo { x2, y2, x, y, .. } => ('c', [mirror('c'), at(x2, y2), at(x, y)]),
            S::Quadratic { x1, y1, x, y, .. } => ('q', [at(x1, y1), at(x1, y1), at(x, y)]),
            S::SmoothQuadratic { x, y, .. } => ('q', [mirror('q'), mirror('q'), at(x, y)]),
            S::EllipticalArc { rx, ry, x_axis_rotation, large_arc, sweep, x, y, .. } => {
                let (to, radii) = (at(x, y), Vec2::new(rx, ry));
                let x_rotation = x_axis_rotation.to_radians();
                let arc = SvgArc { from, to, radii, x_rotation, large_arc, sweep };
                let arc = Arc::from_svg_arc(&arc).into_iter();
                let mut parts =
                    arc.flat_map(|arc| arc.append_iter(0.1)).filter_map(|part| match part {
                        PathEl::CurveTo(a, b, _) => Some((a, b)),
                        _ => None,
                    });
                let ends = parts.next().map(|(a, b)| (a, parts.last().map_or(b, |(_, b)| b)));
                let (a, b) = ends.unwrap_or((to, to));
                ('a', [a, b, to])
            }
            S::ClosePath { .. } => ('z', [start; 3]),
        };
        let nonzero = |ways: [Vec2; 3]| ways.into_iter().find(|way| *way != Vec2::ZERO);
        // After a close, use the direction at the start of the closed subpath.
        let still = if kind == 'z' { away } else { Vec2::ZERO };
        let out_of = nonzero([a - from, b - from, to - from]).unwrap_or(still);
        if last == 'm' {
            away = out_of;
        }
        orient(&mut out, last, into, if last == 'z' { away } else { out_of }, kind == 'm', first);
        if kind == 'm' {
            (start, first) = (to, out.len());
        }
        into = nonzero([to - b, to - a, to - from]).unwrap_or(still);
        (from, control, last) = (to, b, kind);
        out.push((to, 0.0));
    }
    orient(&mut out, last, into, away, true, first);
    out
}

/// Orients the last vertex halfway between the incoming and the outgoing direction. `last` is the kind of the segment
/// before it.
fn orient(out: &mut [(Point, f64)], last: char, into: Vec2, way: Vec2, ends: bool, first: usize) {
    let (into, way) = (into.atan2(), way.atan2());
    // A reversal turns left, as in Chromium.
    let half = (way - into + PI + 1e-6).rem_euclid(2.0 * PI) - PI;
    let angle = match last {
        'z' => into + half / 2.0,
        _ if ends => into,
        'm' => way,
        _ => into + half / 2.0,
    };
    if last == 'z' {
        out[first].1 = angle;
    }
    out.iter_mut().last().into_iter().for_each(|vertex| vertex.1 = angle);
}
