//! What the reports and the picture show.

use treebounds_encoding::svg::usvg::Tree;
use treebounds_inspector::Watched;
use treebounds_report::{Scene, SourceDocument, standalone};

/// A scene, with the drawing that it was made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject<'a> {
    /// Its name in reports.
    pub(crate) name: &'a str,
    pub(crate) scene: &'a Scene,
    /// The document that the scene was made from.
    pub(crate) document: Option<&'a SourceDocument>,
    /// The drawing to paint behind the boxes.
    pub(crate) tree: Option<&'a Tree>,
    /// The bytes of the SVG file, which the page shows.
    pub(crate) file: Option<&'a [u8]>,
    /// The server that the page asks for new versions, if there is one.
    pub(crate) watched: Option<&'a Watched>,
}

impl<'a> Subject<'a> {
    /// A scene that was not made from an SVG file.
    pub(crate) fn of_scene(name: &'a str, scene: &'a Scene) -> Self {
        Self { name, scene, document: None, tree: None, file: None, watched: None }
    }

    /// The drawing as it was measured, for a page. `None` if there is none, if usvg fails on it, or if it is large and
    /// every browser draws its source alike.
    pub(crate) fn measured(&self) -> Option<String> {
        let is_drawn_alike = |source: &str| !matches!(source, "text" | "image");
        let all_alike = || self.scene.origins.iter().all(|origin| is_drawn_alike(&origin.source));
        let is_whole = self.document.is_none_or(|document| document.ignored.is_empty());
        if self.scene.stream.len() > LARGE && is_whole && all_alike() {
            return None;
        }
        standalone(self.tree?).ok()
    }
}

/// A page of a drawing with more elements has the source alone, if that is enough.
const LARGE: usize = 20_000;
