//! Converts SVG files into element streams.
//!
//! [`usvg_guard`] checks the file first: it rejects files with more elements or levels than usvg accepts, and leaves
//! out circular references. [`usvg_css`] computes the styles as browsers do, and replaces each `use` with the content
//! that it shows. Then usvg parses the text and resolves everything else that needs no painting: units, markers and
//! text. The result is a tree of groups, paths and images, which is walked once in paint order.
//!
//! | SVG | stream |
//! |---|---|
//! | shape, text span, raster image | a draw, whose box contains its paint: fill, stroke, joins, caps and dashes |
//! | group with opacity, blend mode, isolation | a blend |
//! | group with a clip path | a clip, whose box is the box of the clip path's shapes |
//! | group with a mask | a clip and a blend, whose box contains everything that the mask paints |
//! | group with filters | a blend around spread nodes, whose box is the last filter's region; see below |
//! | group with several of these | one node |
//! | SVG image | a clip to its `image` element around a blend, which contains the elements of the image |
//! | anything hidden, or without paint | nothing |
//!
//! **Masks are local.** An SVG mask belongs to the element that it masks. The element is painted into a layer, the
//! layer is multiplied by the mask, and the result is composited like any group. Where the mask paints nothing, the
//! layer becomes transparent and the backdrop is unchanged. A luminance or alpha mask therefore only removes pixels of
//! its own group: it clips, and is never non-local. (In contrast, a renderer's luminance layer is composited onto its
//! backdrop, and erases.) All blend modes of SVG keep the backdrop where the source is transparent, so every blend here
//! is local.
//!
//! **SVG images.** Browsers clip an SVG image to its element, but resvg does not. usvg_css writes a nested `svg` around
//! the image, which both clip. An SVG image is thus a clip around a blend. [`Origin::own`](crate::Origin::own) contains
//! the image's own viewport. An image of unknown size is only a blend.
//!
//! **Text decoration.** usvg places lines over and under letters according to the font. With [`Painter::Exact`], they
//! have the same boxes as in Chromium instead.
//!
//! **Pixels.** Boxes are exact and not rounded. But painters multiply the coverage of a pixel: two clips, or a clip and
//! an element inside it, may be disjoint and still both touch a pixel, which is then painted. In that case, the inner
//! box is enlarged to all pixels that it touches. If the two are the clip path and the mask of one group, the group's
//! box is the part of one that is inside the pixels touched by the other. "Pixels" are pixels of the drawing at its own
//! size.
//!
//! **Filters** move and spread pixels. Each filter of a group becomes a spread node with the filter's
//! [`Footprint`](treebounds_core::Footprint), inside a clip to its region. The clip is the group's own node, which
//! fills its box if the filter paints without input. Browsers clip the result of a filter but not its source. With
//! [`Painter::Resvg`], a second clip inside the spread node clips the source too. Boxes inside the spread node are
//! positions before the filter; [`landings`](treebounds_core::reference::landings) returns their positions on the
//! canvas. A CSS filter function has no region and therefore no clips (resvg limits it to the group's box plus half its
//! size). A filter that moves no pixel has no spread node.
//!
//! ```
//! use treebounds_core::{Rect, reference};
//! use treebounds_encoding::svg;
//! let file = br#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
//!   <circle id="dot" cx="90" cy="25" r="20"/></svg>"#;
//! let scene = svg::encode(file, &svg::Options::default())?.scene;
//! assert_eq!(scene.origins[0].id.as_deref(), Some("dot"));
//! assert_eq!(reference::bounds(&scene.stream).boxes[0], Rect::new(70.0, 5.0, 100.0, 45.0));
//! # Ok::<(), svg::SvgError>(())
//! ```

mod files;
mod filter;
mod options;
mod pixels;
mod recorder;
mod shape;
mod spans;
#[cfg(test)]
mod tests;
mod walk;

pub use options::{Options, Painter, SvgError};
pub use usvg_css::{MARK, Media};
pub use usvg_guard::{Error as GuardError, usvg};

use crate::{Ignored, Object, Part, Scene, SourceDocument};
use kurbo::Affine;
use recorder::{Budget, Recorder, Shared};
use treebounds_core::{NONE, Rect};
use usvg_css::{Elements, Reader};

/// The elements of an SVG file, and the parsed file for painting.
#[derive(Debug)]
pub struct Drawing {
    /// The element stream with origins and notes.
    pub scene: Scene,
    /// The objects of the file, and the object of each element.
    pub document: SourceDocument,
    /// The parsed file. Paintable elements without an id have one that starts with [`MARK`].
    pub tree: usvg::Tree,
}

/// Reads an `.svg` or `.svgz` file of at most [`usvg_guard::USVG_ELEMENTS`] elements.
///
/// The work runs on a large stack, see [`with_large_stack`], so the caller's stack may be small. Time and memory are
/// not limited: read untrusted files in a separate process, for example with [`usvg_guard::contain`].
///
/// # Errors
/// [`SvgError`] describes the problem of the file.
pub fn encode(data: &[u8], options: &Options) -> Result<Drawing, SvgError> {
    with_large_stack(|| {
        let text = usvg_guard::text(data, &usvg_guard::Limits::default())?;
        let files = options.files();
        let reader = Reader::new(options.fontdb(), options.media, &files);
        let mut page = reader.rewrite(&text)?;
        let tree = reader.parse(&mut page)?;
        let notes = page.lines();
        let (mut scene, mut document) = scene(&tree, page.elements, options.painter)?;
        scene.notes = notes;
        let ignored = page.notes.into_iter();
        document.ignored = ignored
            .map(|note| Ignored { object: note.element, what: note.what, effect: note.effect })
            .collect();
        Ok(Drawing { scene, document, tree })
    })?
}

/// Converts a parsed file into a scene for [`Painter::Resvg`], without listing its objects.
///
/// # Errors
/// [`SvgError::TooDeep`] or [`SvgError::TooMuch`] if its masks and clip paths refer to each other too often.
pub fn encode_tree(tree: &usvg::Tree) -> Result<Scene, SvgError> {
    with_large_stack(|| scene(tree, Elements::default(), Painter::Resvg).map(|(scene, _)| scene))?
}

/// Runs `work` on a stack of at least [`usvg_guard::LARGE_STACK`] bytes and waits for the result; see
/// [`usvg_guard::with_large_stack`].
///
/// Use this for everything that recurses over a drawing, such as painting with resvg.
///
/// # Errors
/// [`GuardError::NoStack`] if the thread cannot be started, and [`GuardError::Panicked`] if the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, SvgError> {
    Ok(usvg_guard::with_large_stack(work)?)
}

fn scene(
    tree: &usvg::Tree,
    elements: Elements,
    painter: Painter,
) -> Result<(Scene, SourceDocument), SvgError> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut recorder = Recorder::new(width, height);
    let shared = Shared::new(&elements, painter);
    walk::walk(tree.root(), Affine::IDENTITY, Budget::top(&shared), &mut recorder)?;
    let used = shared.used.into_inner();
    let scene = Scene {
        stream: recorder.stream.finish()?,
        origins: recorder.origins,
        notes: Vec::new(),
        width,
        height,
    };
    let mut document = SourceDocument {
        objects: elements.all.into_iter().map(object).collect(),
        sources: recorder.sources,
        cuts: recorder.cuts,
        ignored: Vec::new(),
    };
    for (object, extent) in used {
        if let Some(object) = document.objects.get_mut(object as usize) {
            object.used = extent.to_rect();
        }
    }
    Ok((scene, document))
}

/// Converts an element of the document into an object for reports.
fn object(element: usvg_css::Element) -> Object {
    Object {
        id: element.id,
        tag: element.tag,
        parent: element.parent.unwrap_or(NONE),
        ordinal: element.ordinal,
        part: match element.part {
            usvg_css::Part::Painted => Part::Painted,
            usvg_css::Part::Definition => Part::Definition,
            usvg_css::Part::Hidden => Part::Hidden,
        },
        used: Rect::NOTHING,
        is_used: element.is_used,
    }
}
