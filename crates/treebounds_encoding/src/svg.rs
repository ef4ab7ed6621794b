//! SVG files as element streams.
//!
//! [`usvg_guard`] checks the file first: it refuses files with more elements or levels than usvg reads, and leaves out
//! references that form a cycle. [`usvg_css`] computes the styles as browsers do, and writes what each `use` shows in its place.
//! Then usvg parses the text and resolves everything else that needs no painting: units, markers and text. The result is a tree
//! of groups, paths and images. It is walked once, in paint order.
//!
//! | SVG | stream |
//! |---|---|
//! | shape, text span, raster image | a draw, whose box contains its paint: fill, stroke, joins, caps and dashes |
//! | group with opacity, blend mode, isolation | a blend |
//! | group with a clip path | a clip, whose box is the box of the clip path's shapes |
//! | group with a mask | a clip and a blend, whose box contains everything the mask paints |
//! | group with filters | a blend around spread nodes, whose box is the last filter's region; see below |
//! | group with several of these | one node |
//! | SVG image | a clip to its element around a blend, which contains the elements of the image |
//! | anything hidden, or without paint | nothing |
//!
//! **Masks are local.** An SVG mask belongs to the element it masks. The element is painted into a layer, the layer is
//! multiplied by the mask, and the result is composited like any group. Where the mask paints nothing, the layer becomes
//! transparent and the backdrop stays as it is. So a mask, by luminance or by alpha, only removes pixels of its own group: it
//! clips, and is never non-local. (A renderer's luminance layer, which is composited onto its backdrop, is different: it
//! erases.) All blend modes of SVG leave the backdrop alone where the source is transparent, so every blend here is local.
//!
//! **SVG images.** Browsers cut an SVG image at its element, and resvg does not. usvg_css writes a nested `svg` around the image,
//! which both cut. So an SVG image is a clip around a blend, whose own viewport is kept in
//! [`Origin::own`](crate::Origin::own). An image whose size is not known is a blend alone.
//!
//! **Lines of text.** usvg places lines over and under letters by their font. For [`Painter::Exact`], their boxes are those of
//! Chromium instead.
//!
//! **Pixels.** Boxes are exact and not rounded. But a painter multiplies the coverage of a pixel: two clips, or a clip and an
//! element inside it, may share no point and still paint a pixel that both touch. In that case the inner box is written as
//! all pixels it touches. For a clip path and a mask on one group, it is the part of one that lies in the other's pixels.
//! "Pixels" are the pixels of the drawing at its own size.
//!
//! **Filters** move and spread pixels. Each filter of a group becomes a spread node with the filter's
//! [`Footprint`](treebounds_core::Footprint), inside of a clip to its region: the group's own node, which fills its clip if the filter
//! paints without input. Browsers clip the result of a filter and not its source; for [`Painter::Resvg`], a second clip inside
//! of the spread node cuts that, too. Boxes inside the spread node are places before the filter;
//! [`landings`](treebounds_core::reference::landings) has their places on the canvas. A CSS filter function has no region, so
//! it has no clips either (resvg limits it to the group's box plus half of its size). A filter that moves no pixel has no
//! spread node.
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

/// The elements of an SVG file, and the parsed file to paint it from.
#[derive(Debug)]
pub struct Drawing {
    /// The elements.
    pub scene: Scene,
    /// The objects of the file, and the object of each element.
    pub document: SourceDocument,
    /// The parsed file. Elements that may be painted and had no id have one that starts with [`MARK`].
    pub tree: usvg::Tree,
}

/// Reads an `.svg` or `.svgz` file of at most [`usvg_guard::USVG_ELEMENTS`] elements.
///
/// The work runs on a large stack, see [`with_large_stack`], so the caller's stack may be small. Its time and memory are not
/// limited: read files from strangers in a process of their own, for example with [`usvg_guard::contain`].
///
/// # Errors
/// [`SvgError`] says what is wrong with the file.
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

/// The elements of a parsed file as [`Painter::Resvg`] paints them, without its objects.
///
/// # Errors
/// [`SvgError::TooDeep`] or [`SvgError::TooMuch`] if its masks and clip paths refer to each other too often.
pub fn encode_tree(tree: &usvg::Tree) -> Result<Scene, SvgError> {
    with_large_stack(|| scene(tree, Elements::default(), Painter::Resvg).map(|(scene, _)| scene))?
}

/// Runs the work on a stack of at least [`usvg_guard::LARGE_STACK`] bytes and waits for it; see [`usvg_guard::with_large_stack`].
///
/// Use it for anything that recurses over a drawing, such as painting it with resvg.
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

/// An element of the document, as reports have it.
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
