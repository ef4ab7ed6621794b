//! The subject of reports and pictures.

use treebounds_encoding::svg::usvg::Tree;
use treebounds_inspector::Watched;
use treebounds_report::{Scene, SourceDocument, standalone};

/// A scene and the drawing it was made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) scene: &'a Scene,
    /// The document of the drawing.
    pub(crate) document: Option<&'a SourceDocument>,
    /// The drawing to paint behind the boxes.
    pub(crate) tree: Option<&'a Tree>,
    /// The bytes of the SVG file. The page shows their text.
    pub(crate) file: Option<&'a [u8]>,
    /// The server that notifies the page of new versions, if there is one.
    pub(crate) watched: Option<&'a Watched>,
}

impl<'a> Subject<'a> {
    pub(crate) fn of_scene(name: &'a str, scene: &'a Scene) -> Self {
        Self { name, scene, document: None, tree: None, file: None, watched: None }
    }

    /// Returns the measured drawing as SVG. `None` if there is no drawing or usvg fails on it.
    pub(crate) fn standalone(&self) -> Option<String> {
        standalone(self.tree?).ok()
    }

    /// Returns the measured drawing for a page. `None` for a large drawing whose source looks the same in every
    /// browser.
    pub(crate) fn measured(&self) -> Option<String> {
        let is_drawn_alike = |source: &str| !matches!(source, "text" | "image");
        let all_alike = || self.scene.origins.iter().all(|origin| is_drawn_alike(&origin.source));
        let is_whole = self.document.is_none_or(|document| document.ignored.is_empty());
        if self.scene.stream.len() > LARGE && is_whole && all_alike() {
            return None;
        }
        self.standalone()
    }
}

/// Decodes the text of an SVG file to UTF-8 and removes the declaration of another encoding.
pub(crate) fn text_of(file: &[u8]) -> Option<String> {
    let text = usvg_guard::text(file, &usvg_guard::Limits::default()).ok()?;
    let declared = text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>"));
    Some(declared.map(|(_, rest)| rest.to_owned()).unwrap_or(text))
}

/// The maximum number of elements for which a page always contains the measured drawing.
const LARGE: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_contain_text_of_any_encoding() {
        let text = "<?xml version='1.0' encoding='windows-1252'?><svg>Gr\u{fc}\u{df}e</svg>";
        let latin: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
        let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let wide = [&[0xff, 0xfe][..], &wide].concat();
        let expected = Some("<svg>Gr\u{fc}\u{df}e</svg>".to_owned());
        assert_eq!([text_of(&latin), text_of(&wide)], [expected.clone(), expected]);
        // `<svg>` and `</svg>`, compressed separately, as by `gzip -c a b`.
        let members = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x29\x2e\x4b\xb7\x03\x00\xc1\x59\xd8\x60\x05\x00\x00\x00\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\xd1\x2f\x2e\x4b\xb7\x03\x00\xfb\x25\xc0\x43\x06\x00\x00\x00";
        assert_eq!(text_of(members).as_deref(), Some("<svg></svg>"));
    }
}
