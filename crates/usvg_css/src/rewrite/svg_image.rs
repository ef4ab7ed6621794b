//! SVG images inside of a drawing, as far as the elements that show them need them.

use crate::xml::{Attributes, attribute, set};

/// The SVG images that a drawing may show.
pub(crate) trait SvgImages {
    /// The size of the image that a link leads to, if it is an SVG image that can be read.
    fn size(&self, link: &str) -> Option<SvgImage>;
}

/// The size and aspect ratio of an SVG image.
#[derive(Clone, Debug, Default)]
pub(crate) struct SvgImage {
    pub(crate) size: (f64, f64),
    /// The size of its contents.
    pub(crate) page: (f64, f64),
    /// How it fills its element, unless it has neither a view box nor a size.
    pub(crate) aspect: Option<String>,
}

impl SvgImage {
    /// Sets the attributes of its element, and returns whether its contents are as large as in browsers.
    pub(crate) fn fit(&self, attributes: &mut Attributes) -> bool {
        let Some(own) = &self.aspect else { return false };
        if ["width", "height"].iter().all(|side| attribute(attributes, side).is_none()) {
            attributes.push(("width".into(), self.size.0.to_string()));
            attributes.push(("height".into(), self.size.1.to_string()));
        }
        let aspect = "preserveAspectRatio";
        if attribute(attributes, aspect).is_some_and(|around| around.trim().starts_with("none")) {
            let across = self.size.0 * self.page.1 - self.size.1 * self.page.0;
            return across.abs() <= 1e-3 * self.size.0 * self.page.1;
        }
        set(attributes, aspect, own.clone());
        true
    }
}
