//! SVG files as element streams.
//!
//! The file is measured by [`usvg_guard`] first, which refuses what would take down the program and leaves out
//! references that lead round in a circle. usvg parses the file and resolves what can be resolved without painting:
//! styles, units, `use`, symbols, markers, text. What is left is a tree of
//! groups, paths and images, which is walked once, in paint order.
//!
//! | SVG | stream |
//! |---|---|
//! | shape, text span, raster image | a draw, its box the painted one: fill, stroke, joins, caps, dashes |
//! | group with opacity, blend mode, isolation | a blend |
//! | group with a clip path | a clip, its box that of the clip path's shapes |
//! | group with a mask | a clip and a blend, its box that of what the mask paints |
//! | group with filters | a blend, its box the filter's region; see below |
//! | group with several of these | one node |
//! | SVG image | a blend around its own elements |
//! | anything hidden, or without paint | nothing |
//!
//! **Masks are local.** In SVG a mask belongs to the element it masks: the
//! element is painted into a layer, the layer is multiplied by the mask, and the
//! result is composited as any group is. Where the mask paints nothing the layer
//! becomes transparent, and what lies below the group stays as it is. So a mask,
//! by luminance or by alpha, only ever takes pixels away from its own group: it
//! clips, and is never non-local. (A renderer's luminance layer that is
//! composited onto what lies below it is another thing: that one wipes.)
//! All of SVG's blend modes leave the backdrop alone where the source is
//! transparent, so every blend here is local.
//!
//! **SVG images** are to be cut to their viewport by the letter of SVG. resvg,
//! which paints what is compared with these boxes, does not, and a bound must
//! not be too small: so their node is a blend, and the viewport is its
//! [`Origin::own`](treebounds_report::Origin::own). With `slice`, both cut.
//!
//! **Pixels.** Boxes are exact and not rounded. But a painter multiplies the coverage of a pixel: two clips, or a clip
//! and what it cuts, may share no point and still paint the pixel that both touch. Where that is so, the inner of the
//! two is written as the whole pixels that it touches; of a clip path and a mask of one group, what the one leaves of the
//! pixels of the other. Pixels are those of the drawing's own size.
//!
//! **Filters** move and spread pixels. Every draw inside a filtered group has
//! the filter's region as its box, its own box kept in
//! [`Origin::own`](treebounds_report::Origin::own); every node inside has
//! [`Rect::EVERYTHING`](treebounds_core::Rect::EVERYTHING). A filter that paints without being given anything (a
//! flood) is itself a draw.
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

mod clip;
mod css_transform;
mod curve;
mod depth;
mod error;
mod extent;
mod filter;
mod fonts;
mod ignored;
mod mask;
mod measure;
mod objects;
mod options;
mod parse;
mod resolve;
mod shape;
mod sink;
mod spans;
mod style;
#[cfg(test)]
mod tests;
mod walk;

pub use error::SvgError;
pub use options::{IMAGE_BYTES_MAX, Options};
pub use usvg_guard::{Error as GuardError, LARGE_STACK, Limits, USVG_ELEMENTS, USVG_NESTING, usvg};

use depth::{Depth, Shared};
use fonts::Fonts;
use kurbo::Affine;
use objects::Objects;
use sink::Recorder;
use treebounds_report::{Document, Scene};

/// An SVG, read: its elements, and the parsed file to paint it from.
#[derive(Debug)]
pub struct Drawing {
    /// The elements.
    pub scene: Scene,
    /// The objects of the file, and which of them each element came from.
    pub document: Document,
    /// The parsed file. What may be painted and has no id has got one that begins with U+E000.
    pub tree: usvg::Tree,
}

/// Reads an `.svg` or `.svgz` file of at most [`USVG_ELEMENTS`] elements.
///
/// The work runs on a thread with a large stack, so the caller's stack may be small.
///
/// # Errors
/// [`SvgError`] says what is wrong with the file.
pub fn encode(data: &[u8], options: &Options) -> Result<Drawing, SvgError> {
    with_large_stack(|| {
        let text = usvg_guard::text(data, &options.limits())?;
        let fonts = Fonts::new(options);
        let parsed = parse::parse(&text, options, &fonts)?;
        let tree = parsed.tree;
        let (mut scene, mut document) = scene(&tree, parsed.objects)?;
        document.ignored = parsed.ignored;
        scene.notes = ignored::notes(&document.ignored, &document);
        scene.notes.extend(fonts.notes());
        scene.notes.extend(parsed.notes);
        Ok(Drawing { scene, document, tree })
    })?
}

/// The elements of a parsed file.
///
/// # Errors
/// [`SvgError::TooDeep`] or [`SvgError::TooMuch`] where its masks and clip paths
/// refer to each other too often.
pub fn encode_tree(tree: &usvg::Tree) -> Result<Scene, SvgError> {
    with_large_stack(|| scene(tree, Objects::default()).map(|(scene, _)| scene))?
}

/// Runs the work on a thread with a stack of [`LARGE_STACK`], and waits for it: see [`usvg_guard::with_large_stack`].
///
/// Whatever recurses over a drawing, such as painting it with resvg, belongs in here.
///
/// # Errors
/// [`GuardError::NoStack`] where there is no such thread to be had, and [`GuardError::Panicked`] where the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, SvgError> {
    Ok(usvg_guard::with_large_stack(work)?)
}

fn scene(tree: &usvg::Tree, objects: Objects) -> Result<(Scene, Document), SvgError> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let mut recorder = Recorder::new(width, height);
    let shared = Shared::new(&objects);
    walk::walk(tree.root(), Affine::IDENTITY, Depth::top(&shared), &mut recorder)?;
    let used = shared.used.into_inner();
    let scene = Scene {
        stream: recorder.stream.finish()?,
        origins: recorder.origins,
        notes: Vec::new(),
        width,
        height,
    };
    let mut document = Document {
        objects: objects.all,
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
