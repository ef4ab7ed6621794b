//! Elements that show images.

use super::context::{Context, Writer};
use crate::elements::Part;
use crate::images::Picture;
use crate::xml::{ASPECT, Attributes, attribute, number, set, take};

impl Writer<'_> {
    /// Sets the size of an SVG image on its root, and on the element that shows it. Returns whether this
    /// size clips the image.
    pub(crate) fn picture(
        &mut self,
        tag: &str,
        own: &Context,
        attributes: &mut Attributes,
    ) -> bool {
        let element = own.element;
        if element == 0 && self.image.as_ref().is_some_and(|image| image.aspect.is_some()) {
            set(attributes, "width", own.environment.page.0.to_string());
            set(attributes, "height", own.environment.page.1.to_string());
            attributes.retain(|(name, _)| name != ASPECT);
        }
        let Some(link) = attribute(attributes, "xlink:href") else { return false };
        let size = number(attributes, "width").zip(number(attributes, "height"));
        if self.is_image && !link.starts_with("data:") {
            let what = format!("{tag} href: {link:.60}");
            self.note(element, &what, "links inside of an SVG image are not followed");
            return false;
        }
        let Some(picture) = (self.images)(link, size) else {
            if tag == "image" && own.part == Part::Painted && own.shown.is_none() {
                self.pictured.push((element, link.chars().take(80).collect()));
            }
            return false;
        };
        if let Picture::Svg(image, _) = &picture {
            for (what, effect) in image.notes.iter() {
                self.note(element, &format!("in an SVG image, {what}"), effect.to_string());
            }
        }
        if tag != "image" {
            return false;
        }
        match &picture {
            Picture::Svg(image, other) => {
                other.iter().for_each(|link| set(attributes, "xlink:href", link.clone()));
                if !image.fit(attributes) {
                    let effect = "its size and its viewBox do not say its proportions; its contents may be larger or smaller";
                    self.note(element, "href: an SVG image", effect);
                }
            }
            Picture::Photo(orientation) => {
                let aspect = attribute(attributes, ASPECT).unwrap_or_default();
                if *orientation >= 5 || aspect.contains("Min") || aspect.contains("Max") {
                    let what = format!("image with the EXIF orientation {orientation}");
                    self.note(
                        element,
                        &what,
                        "not turned; its sides are those of the stored image",
                    );
                }
            }
        }
        let is_sized = ["width", "height"].iter().all(|side| number(attributes, side).is_some());
        is_sized && matches!(picture, Picture::Svg(..))
    }
}

/// Removes the attributes of an SVG image, and returns elements that clip it to its viewport, which usvg
/// does not.
pub(crate) fn cut(attributes: &mut Attributes) -> String {
    let (place, size) = (take(attributes, &["x", "y"]), take(attributes, &["width", "height"]));
    let image = take(attributes, &[ASPECT, "xlink:href"]);
    format!("<svg{place}{size}><image{size}{image}/></svg>")
}
