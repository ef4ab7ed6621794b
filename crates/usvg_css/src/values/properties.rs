//! The supported properties, and how their values are written for usvg.

use super::lengths::Whole;

/// The syntax of a property.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Paint,
    Colour,
    /// A number from 0 to 1, or a percentage.
    Alpha,
    /// A length, which may be negative if the flag is set. Numbers need no unit.
    Length {
        whole: Whole,
        negative: bool,
    },
    Dashes,
    Miter,
    /// One of these keywords, in any case.
    Words(&'static str),
    /// A `url` of an element of this name.
    Reference(&'static str),
    Filter,
    FontSize,
    LineHeight,
    Transform,
    Origin,
    /// Any text; case is ignored.
    Text,
    /// Any text; case is preserved.
    Exact,
    /// Font family names.
    Families,
}

const fn at(whole: Whole) -> Kind {
    Kind::Length { whole, negative: true }
}

const fn size(whole: Whole) -> Kind {
    Kind::Length { whole, negative: false }
}

const DISPLAY: Kind = Kind::Words(
    "none inline block inline-block list-item contents flex inline-flex grid \
    inline-grid flow-root table inline-table table-row table-cell run-in compact \
    marker table-row-group table-header-group table-footer-group table-column \
    table-column-group table-caption",
);

const BLEND: Kind = Kind::Words(
    "normal multiply screen overlay darken lighten color-dodge color-burn \
    hard-light soft-light difference exclusion hue saturation color luminosity",
);

/// The supported properties: name, syntax, and initial value if the property is inherited.
///
/// The font and the colour scheme come first, because others depend on them.
pub(crate) const PROPERTIES: &[(&str, Kind, &str)] = &[
    ("font-family", Kind::Families, "serif"),
    ("font-style", Kind::Text, "normal"),
    ("font-weight", Kind::Text, "normal"),
    ("font-size", Kind::FontSize, "16"),
    ("line-height", Kind::LineHeight, "normal"),
    ("color-scheme", Kind::Text, "normal"),
    ("color", Kind::Colour, "#000000"),
    ("alignment-baseline", Kind::Text, ""),
    ("baseline-shift", at(Whole::Unknown), ""),
    ("clip-path", Kind::Reference("clipPath"), ""),
    ("clip-rule", Kind::Words("nonzero evenodd"), "nonzero"),
    ("color-interpolation", Kind::Words("auto sRGB linearRGB"), "auto"),
    ("color-interpolation-filters", Kind::Words("auto sRGB linearRGB"), "linearRGB"),
    ("cx", at(Whole::X), ""),
    ("cy", at(Whole::Y), ""),
    ("d", Kind::Exact, ""),
    ("direction", Kind::Words("ltr rtl"), "ltr"),
    ("display", DISPLAY, ""),
    (
        "dominant-baseline",
        Kind::Words(
            "auto ideographic alphabetic hanging mathematical central middle text-after-edge \
             text-before-edge use-script no-change reset-size",
        ),
        "auto",
    ),
    ("fill", Kind::Paint, "#000000"),
    ("fill-opacity", Kind::Alpha, "1"),
    ("fill-rule", Kind::Words("nonzero evenodd"), "nonzero"),
    ("filter", Kind::Filter, ""),
    ("flood-color", Kind::Colour, ""),
    ("flood-opacity", Kind::Alpha, ""),
    ("font-kerning", Kind::Words("auto normal none"), "auto"),
    (
        "font-stretch",
        Kind::Words(
            "ultra-condensed extra-condensed condensed semi-condensed normal semi-expanded expanded \
             extra-expanded ultra-expanded",
        ),
        "normal",
    ),
    ("font-variant", Kind::Text, "normal"),
    ("height", size(Whole::Y), ""),
    (
        "image-rendering",
        Kind::Words("auto optimizeQuality optimizeSpeed smooth high-quality crisp-edges pixelated"),
        "auto",
    ),
    ("isolation", Kind::Words("auto isolate"), ""),
    ("letter-spacing", at(Whole::Em), "normal"),
    ("lighting-color", Kind::Colour, ""),
    ("marker-end", Kind::Reference("marker"), "none"),
    ("marker-mid", Kind::Reference("marker"), "none"),
    ("marker-start", Kind::Reference("marker"), "none"),
    ("mask", Kind::Reference("mask"), ""),
    ("mask-type", Kind::Words("luminance alpha"), ""),
    ("mix-blend-mode", BLEND, ""),
    ("opacity", Kind::Alpha, ""),
    ("overflow", Kind::Words("visible hidden scroll auto clip"), ""),
    ("paint-order", Kind::Text, "normal"),
    ("r", size(Whole::Diagonal), ""),
    ("rotate", Kind::Transform, ""),
    ("rx", size(Whole::X), ""),
    ("ry", size(Whole::Y), ""),
    ("scale", Kind::Transform, ""),
    ("shape-rendering", Kind::Words("auto optimizeSpeed crispEdges geometricPrecision"), "auto"),
    ("stop-color", Kind::Colour, ""),
    ("stop-opacity", Kind::Alpha, ""),
    ("stroke", Kind::Paint, "none"),
    ("stroke-dasharray", Kind::Dashes, "none"),
    ("stroke-dashoffset", at(Whole::Diagonal), "0"),
    ("stroke-linecap", Kind::Words("butt round square"), "butt"),
    ("stroke-linejoin", Kind::Words("miter round bevel"), "miter"),
    ("stroke-miterlimit", Kind::Miter, "4"),
    ("stroke-opacity", Kind::Alpha, "1"),
    ("stroke-width", size(Whole::Diagonal), "1"),
    ("text-anchor", Kind::Words("start middle end"), "start"),
    ("text-decoration", Kind::Text, ""),
    (
        "text-rendering",
        Kind::Words("auto optimizeSpeed optimizeLegibility geometricPrecision"),
        "auto",
    ),
    ("text-transform", Kind::Words("none uppercase lowercase capitalize full-width"), "none"),
    ("transform", Kind::Transform, ""),
    ("transform-box", Kind::Words("view-box fill-box stroke-box content-box border-box"), ""),
    ("transform-origin", Kind::Origin, ""),
    ("translate", Kind::Transform, ""),
    (
        "vector-effect",
        Kind::Words("none non-scaling-stroke non-scaling-size non-rotation fixed-position"),
        "",
    ),
    ("visibility", Kind::Words("visible hidden collapse"), "visible"),
    (
        "white-space",
        Kind::Words(
            "normal nowrap pre pre-wrap pre-line break-spaces preserve preserve-breaks collapse",
        ),
        "normal",
    ),
    ("width", size(Whole::X), ""),
    ("word-spacing", at(Whole::Em), "normal"),
    ("writing-mode", Kind::Text, "horizontal-tb"),
    ("x", at(Whole::X), ""),
    ("y", at(Whole::Y), ""),
];

/// The number of leading properties that describe the font.
pub(crate) const FONTS: usize = 5;

/// The number of leading properties that are not sorted.
const FIRST: usize = 7;

/// Returns the index of a property in [`PROPERTIES`].
pub(crate) fn place(name: &str) -> Option<usize> {
    let (first, sorted) = PROPERTIES.split_at(FIRST);
    let found = first.iter().position(|one| one.0 == name);
    found.or_else(|| Some(sorted.binary_search_by(|one| one.0.cmp(name)).ok()? + FIRST))
}

/// CSS names that are shorthands or aliases of properties.
pub(crate) const ALIASES: &[(&str, &[&str])] = &[
    ("-webkit-clip-path", &["clip-path"]),
    ("-webkit-filter", &["filter"]),
    ("-webkit-opacity", &["opacity"]),
    ("-webkit-transform", &["transform"]),
    ("-webkit-transform-origin", &["transform-origin"]),
    ("font-variant-caps", &["font-variant"]),
    ("marker", &["marker-start", "marker-mid", "marker-end"]),
    ("overflow-x", &["overflow"]),
    ("text-decoration-line", &["text-decoration"]),
    ("white-space-collapse", &["white-space"]),
];

/// Whether a property of the root moves or scales the whole page.
pub(crate) fn moves_page(name: &str) -> bool {
    ["border", "padding", "margin", "max-", "min-", "aspect-ratio", "left", "top"]
        .iter()
        .any(|start| name.starts_with(start))
        && !name.ends_with("radius")
        && !name.ends_with("color")
}

/// Known but unsupported properties, with the effect of ignoring them.
pub(crate) const LEFT_OUT: &[(&str, &str)] = &[
    ("-webkit-mask", DOES_NOT_CUT),
    ("-webkit-mask-image", DOES_NOT_CUT),
    ("-webkit-text-security", IGNORED),
    ("animation", STANDS_STILL),
    ("animation-name", STANDS_STILL),
    ("content-visibility", IGNORED),
    ("font-feature-settings", IGNORED),
    ("font-size-adjust", IGNORED),
    ("inline-size", NO_WRAP),
    ("mask-image", DOES_NOT_CUT),
    ("offset-path", IGNORED),
    ("outline", NO_OUTLINE),
    ("outline-style", NO_OUTLINE),
    ("perspective", IGNORED),
    ("shape-inside", NO_WRAP),
    ("shape-subtract", NO_WRAP),
    ("text-decoration-style", OTHER_LINE),
    ("text-decoration-thickness", OTHER_LINE),
    ("text-emphasis", IGNORED),
    ("text-orientation", IGNORED),
    ("text-shadow", "left out; the box is that without the shadow"),
    ("text-underline-offset", OTHER_LINE),
    ("text-underline-position", OTHER_LINE),
    ("zoom", IGNORED),
];

/// Whether a property in this list has no effect on a shape.
pub(crate) fn is_of_text(name: &str) -> bool {
    name.starts_with("text-") || name.starts_with("shape-") || name == "inline-size"
}

/// Properties of which only some values are supported, with the effect of the others.
pub(crate) const NOT_EXACT: &[(&str, &str, &str)] = &[
    (
        "alignment-baseline",
        "auto baseline alphabetic",
        "its place may be a twentieth of the font size away",
    ),
    ("font-variant", "normal", "not as browsers draw it; the letters may be larger or smaller"),
    ("text-decoration", "none underline overline line-through", OTHER_LINE),
    ("text-transform", "none uppercase lowercase", "left out; the letters are as they are written"),
    ("writing-mode", "horizontal-tb vertical-rl vertical-lr lr lr-tb rl rl-tb tb tb-rl", IGNORED),
];

/// Values of `font` that select system fonts.
pub(crate) const SYSTEM_FONTS: &str = "caption icon menu message-box small-caption status-bar";

/// The effect of ignoring a property.
pub(crate) const IGNORED: &str = "left out; the box is that without it";
pub(crate) const STANDS_STILL: &str = "left out; the drawing is read as if it stood still";
pub(crate) const DOES_NOT_CUT: &str = "left out; it cuts nothing";
pub(crate) const NOTHING_THERE: &str = "leads to no such element; ignored, as browsers do";
pub(crate) const OTHER_FILE: &str = "links to other files are not followed";
const OTHER_LINE: &str = "read as one plain line; its place or its thickness may be another";
const NO_OUTLINE: &str = "left out; the box is that without the line around it";
const NO_WRAP: &str = "left out; the text is not broken into lines";

/// Whether a CSS property replaces an attribute of this element that sets its size or position.
pub(crate) fn is_geometry_of(tag: &str, name: &str) -> bool {
    let names: &[&str] = match tag {
        "rect" => &["x", "y", "width", "height", "rx", "ry"],
        "image" | "svg" => &["x", "y", "width", "height"],
        // Browsers read the size of a use only from its attributes.
        "use" => &["x", "y"],
        "circle" => &["cx", "cy", "r"],
        "ellipse" => &["cx", "cy", "rx", "ry"],
        "path" => &["d"],
        _ => &[],
    };
    names.contains(&name)
}

/// Whether an attribute of this element is the property of the same name.
pub(crate) fn is_property_of(tag: &str, name: &str) -> bool {
    match name {
        _ if is_geometry(name) => is_geometry_of(tag, name),
        // Attributes of texts and displacement maps, and names that are not attributes.
        "rotate" | "scale" | "translate" | "line-height" | "text-transform" | "white-space"
        | "font-kerning" | "color-scheme" | "transform-box" | "mix-blend-mode" | "isolation" => {
            false
        }
        _ => true,
    }
}

/// Whether the property sets a size or a position.
pub(crate) fn is_geometry(name: &str) -> bool {
    matches!(name, "x" | "y" | "width" | "height" | "cx" | "cy" | "r" | "rx" | "ry" | "d")
}

/// Whether an attribute of any element is a length or a list of lengths.
pub(crate) fn is_length(name: &str) -> bool {
    let all = "x y width height cx cy r rx ry x1 y1 x2 y2 fx fy fr dx dy refX refY markerWidth \
               markerHeight startOffset textLength";
    all.split(' ').any(|known| known == name)
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
