//! The geometry of elements: their outlines and transforms, and the page with its background.

use super::context::{Context, Writer};
use super::declared::keeps_page;
use super::viewports::{inner_transform, is_aspect, numbers, page, view_box};
use crate::cascade::{Declaration, substitute};
use crate::elements::{is_definition, is_painted, is_shape, transform_attribute};
use crate::images::SvgImage;
use crate::measure::boxes::{Moves, Own, matrix_text};
use crate::measure::outline::Outline;
use crate::values::properties::IGNORED;
use crate::values::{self, Whole, attribute_transform};
use crate::xml::{ASPECT, Attributes, set};
use kurbo::{Affine, Cap, Join, Rect, Stroke};
use usvg::roxmltree::Node;

impl Writer<'_> {
    /// Computes the size of the page, which may depend on the font of the root.
    pub(crate) fn root(&mut self, node: Node, own: &mut Context) {
        let side = |name: &str| own.own(name).filter(|value| *value != "auto");
        let size = page(node, &own.environment, side);
        let is_side_given = ["width", "height"].map(|name| side(name).is_some());
        let (view, has_size) = (view_box(node), is_side_given == [true, true]);
        own.environment.page = size;
        // Mermaid writes a limit that the page just fits.
        let declared = self.cascade.declarations(node, None);
        let limit = declared.iter().rfind(|one| &*one.name == "max-width");
        if let Some(Declaration { value, .. }) = limit.filter(|one| !keeps_page(&one.value))
            && values::pixels(value, &own.environment).is_none_or(|limit| limit < size.0)
        {
            self.note(0, &format!("max-width: {value}"), IGNORED);
        }
        if self.is_image {
            let aspect = match view {
                Some([_, _, width, height]) => {
                    own.environment.page = (width, height);
                    let aspect = node.attribute(ASPECT).filter(|one| is_aspect(one));
                    Some(aspect.unwrap_or("xMidYMid meet").to_owned())
                }
                None => has_size.then(|| "none".to_owned()),
            };
            // An image with only an aspect ratio has the default size of browsers.
            let fit = (300.0 / size.0).min(150.0 / size.1);
            let is_free = view.is_some() && is_side_given == [false, false];
            let size = if is_free { (size.0 * fit, size.1 * fit) } else { size };
            let page = own.environment.page;
            self.image = Some(SvgImage { size, page, aspect, ..SvgImage::default() });
        } else if view.is_none() && !has_size {
            let missing = if is_side_given[0] { "height" } else { "width" };
            let effect = "left to the window; the drawing ends there with its contents; percentages, and viewports without a size, are of 100 pixels";
            self.note(0, &format!("{missing}: none without a viewBox"), effect);
        }
        own.environment.view = Some(own.environment.page);
    }

    /// Whether an element shows nothing, because a side of its viewport or of its view box is zero.
    pub(crate) fn shows_nothing(&mut self, node: Node, own: &Context) -> bool {
        let tag = node.tag_name().name();
        let shown = own.shown.as_ref().filter(|_| own.is_shown(node));
        let is_zero = |value: &str| value.trim().parse::<f64>().is_ok_and(|side| side <= 0.0);
        // Browsers read an invalid attribute as zero, except on a nested svg.
        let length =
            |value: &str| values::length_in(value.trim(), &own.environment, Whole::Pixels(1.0));
        let is_nothing = |value: &str| {
            length(value).map_or(tag == "image", |side| side == 0.0 || tag != "image" && side < 0.0)
        };
        let view = node.attribute("viewBox").and_then(numbers);
        let is_void = view.is_some_and(|[_, _, width, height]| width * height == 0.0);
        let is_thin = (0..).zip(["width", "height"]).any(|(at, side): (usize, _)| {
            let used = shown.and_then(|shown| shown.size[at].as_deref());
            match own.winner(side) {
                Some((value, true)) if used.is_none() => is_zero(value),
                _ => used.or(node.attribute(side)).is_some_and(is_nothing),
            }
        });
        let is_open = matches!(own.own("overflow"), Some("visible" | "auto"))
            && node.parent_element().is_some();
        match tag {
            "image" => is_thin,
            "svg" | "symbol" if is_thin && is_open && view.is_some() && !is_void => {
                let effect = "its contents are left out; browsers paint them as if it had none";
                self.note(own.element, "viewBox without width or height", effect);
                true
            }
            "svg" | "symbol" => is_void || is_thin && !is_open,
            "use" => {
                let target = self.elements.linked(node);
                let is_port = |it: &Node| it.has_tag_name("symbol") || it.has_tag_name("svg");
                let is_unread = ["width", "height"]
                    .iter()
                    .any(|side| node.attribute(*side).is_some_and(|value| length(value).is_none()));
                target.filter(is_port).is_some_and(|it| {
                    is_unread || self.elements.of_node(it).is_some_and(|it| self.is_off(it))
                })
            }
            "pattern" | "marker" => is_void,
            _ => false,
        }
    }

    /// Computes the outline and the position of an element; `None` if the element paints nothing. Removes the transform
    /// attribute if it is filled in later.
    pub(crate) fn lay_out(
        &mut self,
        tag: &str,
        viewport: Option<Node>,
        own: &Context,
        attributes: &mut Attributes,
    ) -> Option<Own> {
        let element = own.element;
        let moves = self.moves(tag, own);
        let name = transform_attribute(tag);
        let (place, inner) = inner_transform(tag, element, viewport, attributes, own);
        let is_later = moves.is_some() || moves_contents(tag, own, place);
        attributes.retain(|(known, _)| !is_later || known != name && known != "transform-origin");
        let matrix = match &moves {
            Some(moves) => moves.now(),
            None => own.own("transform").map_or(Some(Affine::IDENTITY), attribute_transform),
        };
        if matrix.is_some_and(|it| it.determinant() == 0.0) {
            if name != "transform" {
                return None;
            }
            if !is_later {
                set(attributes, "transform", matrix_text(Affine::scale(0.0)));
            }
        }
        let has_outline = is_shape(tag) || tag == "image";
        let outline = has_outline.then(|| Outline::of(tag, attributes)).flatten();
        let is_text = tag == "text" || tag == "image" && outline.is_none();
        Some(Own {
            text: is_text.then_some(element),
            outline,
            pen: own.some("stroke").filter(|_| !own.in_clip).map(|_| pen(own)),
            matrix,
            moves,
            place,
            inner,
        })
    }

    /// Returns the CSS transforms of an element; `None` if it has only an attribute that usvg reads.
    fn moves(&self, tag: &str, own: &Context) -> Option<Moves> {
        let element = own.element;
        let in_css = own.winner("transform").is_some_and(|(_, in_css)| *in_css);
        let names = ["transform-origin", "transform-box", "translate", "rotate", "scale"];
        if !in_css && names.iter().all(|name| own.own(name).is_none())
            || !is_painted(tag) && !is_definition(tag)
        {
            return None;
        }
        let text = |name: &str, default: &str| own.own(name).unwrap_or(default).to_owned();
        let origin = if element == 0 { "50% 50%" } else { "0 0" };
        Some(Moves {
            in_css,
            transform: text("transform", "none"),
            origin: text("transform-origin", origin),
            area: match &*text("transform-box", "view-box") {
                _ if element == 0 => "view-box",
                // Browsers transform the element before they know how wide its stroke is.
                "stroke-box" if text("vector-effect", "none") != "none" => "fill-box",
                area => area,
            }
            .to_owned(),
            individual: ["translate", "rotate", "scale"].map(|name| text(name, "none")),
            environment: own.environment,
        })
    }

    pub(crate) fn write_background(&mut self, node: Node, own: &Context) {
        let declared = self.cascade.declarations(node, None);
        let colours = |value: &str| -> Vec<String> {
            let words = values::split_words(value).into_iter();
            words.filter_map(|word| values::colour(word, &own.environment)).collect()
        };
        let wanted = |one: &&Declaration| {
            let names = ["background", "background-color", "background-image"];
            let words = ["none", "inherit", "initial", "unset"];
            let is_known = one.value.contains('(')
                || words.iter().any(|word| values::has_word(&one.value, word));
            let count = colours(&one.value).len();
            names.contains(&&*one.name) && (count == 1 || count == 0 && is_known)
        };
        let Some(one) = declared.iter().rfind(wanted) else { return };
        let value = substitute(&one.value, &own.custom).unwrap_or_default();
        let colour = colours(&value).into_iter().next();
        let has_image = value.contains("gradient(") || value.contains("url(");
        if has_image {
            self.note(0, &format!("{}: {value}", one.name), "its picture is painted in one colour");
        }
        let picture = value.contains("gradient(").then(|| "#808080".to_owned());
        let Some(colour) = colour.or(picture) else { return };
        let effects = ["opacity", "clip-path", "mask", "filter"];
        if effects.iter().any(|name| own.own(name).is_some()) {
            let effect = "it is painted inside of the effects of the root, and not below them";
            self.note(0, &format!("{}: {value}", one.name), effect);
        }
        let (width, height) = own.environment.page;
        let area = own.to_drawing.inverse().transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        if area.is_finite() {
            let (x, y, width, height) = (area.x0, area.y0, area.width(), area.height());
            self.out += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\" stroke=\"none\" visibility=\"visible\"/>"
            );
        }
    }
}

/// Whether an element is written as a group in the coordinates of its content: a `use`, or a nested `svg` with a
/// filter.
pub(crate) fn moves_contents(tag: &str, own: &Context, place: Affine) -> bool {
    let is_filtered = own.own("filter").is_some_and(|filter| filter != "none");
    place != Affine::IDENTITY && tag == "use" && !own.in_clip
        || tag == "svg" && own.element != 0 && is_filtered && place.inverse().is_finite()
}

fn pen(own: &Context) -> Stroke {
    let join = match own.get("stroke-linejoin") {
        "round" => Join::Round,
        "bevel" => Join::Bevel,
        _ => Join::Miter,
    };
    let cap = match own.get("stroke-linecap") {
        "round" => Cap::Round,
        "square" => Cap::Square,
        _ => Cap::Butt,
    };
    let pen = Stroke::new(own.number("stroke-width", 1.0)).with_join(join).with_caps(cap);
    pen.with_miter_limit(own.number("stroke-miterlimit", 4.0))
}
