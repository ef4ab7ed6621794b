//! What sorts of elements there are, told apart as usvg reads them.

use super::links::{attribute, href};
use crate::read::NAMESPACE;
use usvg::roxmltree::Node;

/// What sort of element this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Painted with a fill and a stroke.
    Shape,
    Text,
    /// A part of a text.
    Span,
    Use,
    ClipPath,
    Mask,
    Pattern,
    Marker,
    Filter,
    FeImage,
    Gradient,
    /// Shown only where it is referred to.
    Hidden,
    /// A part of a text where there is no text: read with all that is inside, and never shown.
    Stray,
    /// Anything else that is read.
    Group,
    /// Not read, nor what is inside.
    Unknown,
}

impl Sort {
    /// The sort of an element in an element of this sort.
    pub(super) fn of(node: Node, around: Option<Self>) -> Self {
        let name = node.tag_name().name();
        if !matches!(node.tag_name().namespace(), None | Some(NAMESPACE)) {
            return Self::Unknown;
        }
        match name {
            "a" | "tspan" | "tref" | "textPath" => part(node, around),
            name => by_name(name),
        }
    }

    /// Whether all who refer to such an element share it, because it does not depend on them.
    pub(super) fn is_shared(self, node: Node) -> bool {
        let is_user = |name| attribute(node, name) == Some("userSpaceOnUse");
        let is_box = |name| attribute(node, name) == Some("objectBoundingBox");
        // What a pattern or a filter does not say, that which it takes from may say.
        let takes = href(node).is_some();
        let is_free = |name| if takes { is_user(name) } else { !is_box(name) };
        match self {
            Self::ClipPath => !is_box("clipPathUnits"),
            Self::Mask => is_user("maskUnits") && !is_box("maskContentUnits"),
            Self::Filter => is_user("filterUnits") && is_free("primitiveUnits"),
            Self::Pattern => is_user("patternUnits") && is_free("patternContentUnits"),
            _ => false,
        }
    }
}

/// The sort of a part of a text. usvg reads such parts directly inside of a text or of another part; a `textPath`
/// directly inside of a text alone, and nothing inside of a `tref`. Outside of texts they are elements like others.
fn part(node: Node, around: Option<Sort>) -> Sort {
    let is_in_tref = || {
        let parent = node.parent_element();
        parent.is_some_and(|parent| parent.tag_name().name() == "tref")
    };
    match (node.tag_name().name(), around) {
        ("textPath", Some(Sort::Text)) => Sort::Span,
        ("a" | "tspan" | "tref", Some(Sort::Text | Sort::Span)) if !is_in_tref() => Sort::Span,
        ("a", _) => Sort::Group,
        _ => Sort::Stray,
    }
}

/// By name.
fn by_name(name: &str) -> Sort {
    match name {
        "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" => Sort::Shape,
        "text" => Sort::Text,
        "use" => Sort::Use,
        "clipPath" => Sort::ClipPath,
        "mask" => Sort::Mask,
        "pattern" => Sort::Pattern,
        "marker" => Sort::Marker,
        "filter" => Sort::Filter,
        "feImage" => Sort::FeImage,
        "linearGradient" | "radialGradient" => Sort::Gradient,
        "defs" | "symbol" => Sort::Hidden,
        "g"
        | "image"
        | "stop"
        | "svg"
        | "switch"
        | "feBlend"
        | "feColorMatrix"
        | "feComponentTransfer"
        | "feComposite"
        | "feConvolveMatrix"
        | "feDiffuseLighting"
        | "feDisplacementMap"
        | "feDistantLight"
        | "feDropShadow"
        | "feFlood"
        | "feFuncA"
        | "feFuncB"
        | "feFuncG"
        | "feFuncR"
        | "feGaussianBlur"
        | "feMerge"
        | "feMergeNode"
        | "feMorphology"
        | "feOffset"
        | "fePointLight"
        | "feSpecularLighting"
        | "feSpotLight"
        | "feTile"
        | "feTurbulence" => Sort::Group,
        _ => Sort::Unknown,
    }
}
