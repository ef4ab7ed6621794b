//! Filter primitives, where browsers read a value that usvg leaves the primitive out for.

use super::context::Context;
use super::writer::Writer;
use crate::xml::{Attributes, attribute, number, set, take};

/// Inputs that no browser has.
const NO_INPUTS: [&str; 4] = ["BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"];

impl Writer<'_> {
    /// Changes the attributes of a filter primitive, and returns the name that it is written with.
    pub(crate) fn primitive<'t>(
        &mut self,
        tag: &'t str,
        own: &Context,
        attributes: &mut Attributes,
    ) -> &'t str {
        for name in ["in", "in2"] {
            let input = attribute(attributes, name).filter(|input| NO_INPUTS.contains(input));
            if let Some(what) = input.map(|input| format!("{name}: {input}")) {
                self.note(own.element, &what, "not known; the input is the source of the filter");
            }
        }
        match (number(attributes, "divisor"), number(attributes, "specularExponent")) {
            // It counts as not given.
            (Some(0.0), _) => drop(take(attributes, &["divisor"])),
            (_, Some(exponent)) => {
                set(attributes, "specularExponent", exponent.clamp(1.0, 128.0).to_string());
            }
            _ => {}
        }
        // usvg reads no primitive after one without area, which is clear.
        let is_void = |side| number(attributes, side).is_some_and(|size| size <= 0.0);
        if !is_void("width") && !is_void("height") {
            return tag;
        }
        take(attributes, &["x", "y", "width", "height"]);
        set(attributes, "flood-opacity", "0".to_owned());
        "feFlood"
    }
}
