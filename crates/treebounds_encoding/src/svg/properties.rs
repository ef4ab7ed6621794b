//! The properties that are read, and how their values are written for usvg.

use super::values::Whole;

/// The syntax of a property.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Paint,
    Colour,
    /// A number from 0 to 1, or a percentage.
    Alpha,
    /// A length, which may be negative if the flag is set. Numbers without a unit are allowed in CSS if the second is set.
    Length {
        whole: Whole,
        negative: bool,
        bare: bool,
    },
    Dashes,
    Miter,
    /// One of these keywords, in any case.
    Words(&'static [&'static str]),
    /// A `url` of an element of this name.
    Reference(&'static str),
    Filter,
    FontSize,
    Transform,
    /// Anything.
    Text,
}

const fn at(whole: Whole) -> Kind {
    Kind::Length { whole, negative: true, bare: false }
}

const fn size(whole: Whole) -> Kind {
    Kind::Length { whole, negative: false, bare: false }
}

const DISPLAY: Kind = Kind::Words(&[
    "none",
    "inline",
    "block",
    "inline-block",
    "list-item",
    "contents",
    "flex",
    "inline-flex",
    "grid",
    "inline-grid",
    "flow-root",
    "table",
    "inline-table",
    "table-row",
    "table-cell",
    "run-in",
    "compact",
    "marker",
    "table-row-group",
    "table-header-group",
    "table-footer-group",
    "table-column",
    "table-column-group",
    "table-caption",
]);

const BLEND: Kind = Kind::Words(&[
    "normal",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color-dodge",
    "color-burn",
    "hard-light",
    "soft-light",
    "difference",
    "exclusion",
    "hue",
    "saturation",
    "color",
    "luminosity",
]);

const IMAGE_RENDERING: &[&str] = &[
    "auto",
    "optimizeQuality",
    "optimizeSpeed",
    "smooth",
    "high-quality",
    "crisp-edges",
    "pixelated",
];

/// Each property that is read: its name, its syntax, and whether it is inherited.
///
/// The font size and the colour scheme come first, because others depend on them.
pub(super) const PROPERTIES: &[(&str, Kind, bool)] = &[
    ("font-size", Kind::FontSize, true),
    ("color-scheme", Kind::Text, true),
    ("color", Kind::Colour, true),
    ("alignment-baseline", Kind::Text, false),
    ("baseline-shift", Kind::Text, false),
    ("clip-path", Kind::Reference("clipPath"), false),
    ("clip-rule", Kind::Words(&["nonzero", "evenodd"]), true),
    ("color-interpolation", Kind::Words(&["auto", "sRGB", "linearRGB"]), true),
    ("color-interpolation-filters", Kind::Words(&["auto", "sRGB", "linearRGB"]), true),
    ("cx", at(Whole::X), false),
    ("cy", at(Whole::Y), false),
    ("d", Kind::Text, false),
    ("direction", Kind::Words(&["ltr", "rtl"]), true),
    ("display", DISPLAY, false),
    ("dominant-baseline", Kind::Text, true),
    ("fill", Kind::Paint, true),
    ("fill-opacity", Kind::Alpha, true),
    ("fill-rule", Kind::Words(&["nonzero", "evenodd"]), true),
    ("filter", Kind::Filter, false),
    ("flood-color", Kind::Colour, false),
    ("flood-opacity", Kind::Alpha, false),
    ("font-family", Kind::Text, true),
    ("font-kerning", Kind::Words(&["auto", "normal", "none"]), true),
    ("font-stretch", Kind::Text, true),
    ("font-style", Kind::Text, true),
    ("font-variant", Kind::Text, true),
    ("font-weight", Kind::Text, true),
    ("height", size(Whole::Y), false),
    ("image-rendering", Kind::Words(IMAGE_RENDERING), true),
    ("isolation", Kind::Words(&["auto", "isolate"]), false),
    ("letter-spacing", at(Whole::Unknown), true),
    ("lighting-color", Kind::Colour, false),
    ("marker-end", Kind::Reference("marker"), true),
    ("marker-mid", Kind::Reference("marker"), true),
    ("marker-start", Kind::Reference("marker"), true),
    ("mask", Kind::Reference("mask"), false),
    ("mask-type", Kind::Words(&["luminance", "alpha"]), false),
    ("mix-blend-mode", BLEND, false),
    ("opacity", Kind::Alpha, false),
    ("overflow", Kind::Words(&["visible", "hidden", "scroll", "auto", "clip"]), false),
    ("paint-order", Kind::Text, true),
    ("r", size(Whole::Diagonal), false),
    ("rotate", Kind::Transform, false),
    ("rx", size(Whole::X), false),
    ("ry", size(Whole::Y), false),
    ("scale", Kind::Transform, false),
    (
        "shape-rendering",
        Kind::Words(&["auto", "optimizeSpeed", "crispEdges", "geometricPrecision"]),
        true,
    ),
    ("stop-color", Kind::Colour, false),
    ("stop-opacity", Kind::Alpha, false),
    ("stroke", Kind::Paint, true),
    ("stroke-dasharray", Kind::Dashes, true),
    (
        "stroke-dashoffset",
        Kind::Length { whole: Whole::Diagonal, negative: true, bare: true },
        true,
    ),
    ("stroke-linecap", Kind::Words(&["butt", "round", "square"]), true),
    ("stroke-linejoin", Kind::Words(&["miter", "round", "bevel"]), true),
    ("stroke-miterlimit", Kind::Miter, true),
    ("stroke-opacity", Kind::Alpha, true),
    ("stroke-width", Kind::Length { whole: Whole::Diagonal, negative: false, bare: true }, true),
    ("text-anchor", Kind::Words(&["start", "middle", "end"]), true),
    ("text-decoration", Kind::Text, false),
    (
        "text-rendering",
        Kind::Words(&["auto", "optimizeSpeed", "optimizeLegibility", "geometricPrecision"]),
        true,
    ),
    (
        "text-transform",
        Kind::Words(&["none", "uppercase", "lowercase", "capitalize", "full-width"]),
        true,
    ),
    ("transform", Kind::Transform, false),
    (
        "transform-box",
        Kind::Words(&["view-box", "fill-box", "stroke-box", "content-box", "border-box"]),
        false,
    ),
    ("transform-origin", Kind::Transform, false),
    ("translate", Kind::Transform, false),
    (
        "vector-effect",
        Kind::Words(&[
            "none",
            "non-scaling-stroke",
            "non-scaling-size",
            "non-rotation",
            "fixed-position",
        ]),
        false,
    ),
    ("visibility", Kind::Words(&["visible", "hidden", "collapse"]), true),
    (
        "white-space",
        Kind::Words(&["normal", "nowrap", "pre", "pre-wrap", "pre-line", "break-spaces"]),
        true,
    ),
    ("width", size(Whole::X), false),
    ("word-spacing", at(Whole::Unknown), true),
    ("writing-mode", Kind::Text, true),
    ("x", at(Whole::X), false),
    ("y", at(Whole::Y), false),
];

/// The place of a property in [`PROPERTIES`].
pub(super) fn place(name: &str) -> Option<usize> {
    // The first three are not sorted.
    let first = PROPERTIES[..3].iter().position(|one| one.0 == name);
    first.or_else(|| {
        let found = PROPERTIES[3..].binary_search_by(|one| one.0.cmp(name));
        found.ok().map(|at| at + 3)
    })
}

/// Properties that are known and not applied, with the effect of leaving them out.
pub(super) const LEFT_OUT: &[(&str, &str)] = &[
    ("-webkit-mask", DOES_NOT_CUT),
    ("-webkit-mask-image", DOES_NOT_CUT),
    ("animation", STANDS_STILL),
    ("animation-name", STANDS_STILL),
    ("inline-size", NO_WRAP),
    ("mask-image", DOES_NOT_CUT),
    ("offset-path", IGNORED),
    ("perspective", IGNORED),
    ("shape-inside", NO_WRAP),
    ("shape-subtract", NO_WRAP),
    ("text-shadow", "left out; the box is that without the shadow"),
    ("zoom", IGNORED),
];

/// The effect of a property that is not applied.
pub(super) const IGNORED: &str = "left out; the box is that without it";
pub(super) const STANDS_STILL: &str = "left out; the drawing is read as if it stood still";
pub(super) const DOES_NOT_CUT: &str = "left out; it cuts nothing";
const NO_WRAP: &str = "left out; the text is not broken into lines";

/// Whether a CSS property stands for an attribute of this element that sets its size or position.
pub(super) fn is_geometry_of(tag: &str, name: &str) -> bool {
    let names: &[&str] = match tag {
        "rect" => &["x", "y", "width", "height", "rx", "ry"],
        "image" | "use" | "svg" => &["x", "y", "width", "height"],
        "circle" => &["cx", "cy", "r"],
        "ellipse" => &["cx", "cy", "rx", "ry"],
        "path" => &["d"],
        _ => &[],
    };
    names.contains(&name)
}

/// Whether an attribute of this element that is named like a property is that property.
pub(super) fn is_property_of(tag: &str, name: &str) -> bool {
    match name {
        _ if is_geometry(name) => is_geometry_of(tag, name),
        // Attributes of texts and displacement maps, and a name that no attribute has.
        "rotate" | "scale" | "translate" => false,
        _ => true,
    }
}

/// Whether the property sets a size or a position.
pub(super) fn is_geometry(name: &str) -> bool {
    matches!(name, "x" | "y" | "width" | "height" | "cx" | "cy" | "r" | "rx" | "ry" | "d")
}

/// Whether an attribute of any element is a length or a list of lengths.
pub(super) fn is_length(name: &str) -> bool {
    matches!(
        name,
        "x" | "y"
            | "width"
            | "height"
            | "cx"
            | "cy"
            | "r"
            | "rx"
            | "ry"
            | "x1"
            | "y1"
            | "x2"
            | "y2"
            | "fx"
            | "fy"
            | "fr"
            | "dx"
            | "dy"
            | "refX"
            | "refY"
            | "markerWidth"
            | "markerHeight"
            | "startOffset"
            | "textLength"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_property_is_found() {
        for (index, (name, ..)) in PROPERTIES.iter().enumerate() {
            assert_eq!(place(name), Some(index), "{name}");
        }
    }
}
