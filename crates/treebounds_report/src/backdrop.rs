//! The drawing behind the boxes.

use crate::{Frame, cost::Cost};
use resvg::{
    tiny_skia::{FilterQuality, Pixmap, PixmapPaint, Transform},
    usvg::Tree,
};
use std::thread;

/// A drawing, painted to fit one [`Frame`].
#[derive(Clone, Debug)]
pub struct Backdrop {
    pixmap: Pixmap,
    reduction: f64,
}

/// Why a drawing was not painted. The boxes can be shown without it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackdropError {
    /// Painting follows the tree with recursion.
    #[error("its groups nest {depth} deep or more; at most {max} can be painted", max = Cost::MAX_DEPTH)]
    TooDeep {
        /// How deep they nest, as far as was counted.
        depth: usize,
    },
    /// A shape reaches so far that the painter may fail, and take the process with it.
    #[error("a shape reaches {reach:.0e} pixels; at most {max:.0e} can be painted", max = Cost::MAX_REACH)]
    TooFar {
        /// How far the first such shape reaches, in pixels.
        reach: f64,
    },
    /// Too many large layers, patterns of patterns, costly filters, or outlines with too many edges or dashes.
    #[error(
        "its layers, filters, patterns and outlines are too much to be painted in reasonable time"
    )]
    TooCostly,
    /// The painter would fail on a value of a filter.
    #[error("the painter would fail on {what}")]
    Unpaintable {
        /// Which one.
        what: &'static str,
    },
    /// No memory for the pixels.
    #[error("there is no memory for its pixels")]
    NoMemory,
    /// No thread to paint on.
    #[error("no thread could be started to paint it: {0}")]
    NoThread(#[from] std::io::Error),
    /// The painter panicked.
    #[error("the painter failed")]
    Failed,
}

/// How many times fewer pixels a side may be painted; with less, a drawing is a
/// blur.
const REDUCTIONS: [f64; 8] = [1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 16.0];

/// What the painter's recursion may need: it is only taken where it is used.
const STACK: usize = 512 << 20;

impl Backdrop {
    /// Paints an SVG tree.
    ///
    /// Every isolated group is painted to a layer of its own, so a tree with
    /// many large layers can ask for more time and memory than a picture is
    /// worth. Such a tree is painted with fewer pixels and enlarged; see
    /// [`Backdrop::reduction`].
    ///
    /// # Errors
    /// [`BackdropError`]; never a panic, and never an overflow of the stack.
    pub fn svg(tree: &Tree, frame: &Frame) -> Result<Self, BackdropError> {
        Self::painted(None, tree, frame)
    }

    /// Paints another tree over the backdrop, which fits the same frame: the next piece of a drawing that was read in pieces.
    ///
    /// A tree that is painted with fewer pixels is painted on its own, enlarged and laid over the backdrop: blend modes of its
    /// outermost elements (`mix-blend-mode`) do not see what is below.
    ///
    /// # Errors
    /// As of [`Backdrop::svg`].
    pub fn and(self, tree: &Tree, frame: &Frame) -> Result<Self, BackdropError> {
        Self::painted(Some(self), tree, frame)
    }

    fn painted(below: Option<Self>, tree: &Tree, frame: &Frame) -> Result<Self, BackdropError> {
        let reduction = affordable(tree, frame)?;
        let coarsest = below.as_ref().map_or(reduction, |below| below.reduction.max(reduction));
        let below = below.map(|below| below.pixmap);
        let painted = thread::scope(|scope| {
            thread::Builder::new()
                .name("treebounds paint".into())
                .stack_size(STACK)
                .spawn_scoped(scope, || paint(below, tree, frame, reduction))
                .map(|painter| painter.join().map_err(|_| BackdropError::Failed))
        })??;
        let pixmap = painted.ok_or(BackdropError::NoMemory)?;
        Ok(Self { pixmap, reduction: coarsest })
    }

    /// How many times fewer pixels a side were painted than the picture has: 1
    /// as a rule.
    pub fn reduction(&self) -> f64 {
        self.reduction
    }

    pub(crate) fn into_pixmap(self) -> Pixmap {
        self.pixmap
    }
}

/// The least of the [`REDUCTIONS`] at which the tree can be painted.
fn affordable(tree: &Tree, frame: &Frame) -> Result<f64, BackdropError> {
    for reduction in REDUCTIONS {
        let cost = Cost::of(tree, &frame.reduced(reduction));
        if cost.is_affordable() {
            return Ok(reduction);
        }
        if cost.depth > Cost::MAX_DEPTH {
            return Err(BackdropError::TooDeep { depth: cost.depth });
        }
        if let Some(what) = cost.flaw {
            return Err(BackdropError::Unpaintable { what });
        }
        if cost.reach > Cost::MAX_REACH {
            return Err(BackdropError::TooFar { reach: cost.reach });
        }
    }
    Err(BackdropError::TooCostly)
}

/// Paints at a part of the size, then enlarges; over what is below, if anything.
fn paint(below: Option<Pixmap>, tree: &Tree, frame: &Frame, reduction: f64) -> Option<Pixmap> {
    let empty = |frame: &Frame| Pixmap::new(frame.width(), frame.height());
    let whole = || below.or_else(|| empty(frame));
    let small = frame.reduced(reduction);
    let scale = small.scale() as f32;
    let to = Transform::from_scale(scale, scale);
    if reduction == 1.0 {
        let mut pixmap = whole()?;
        resvg::render(tree, to, &mut pixmap.as_mut());
        return Some(pixmap);
    }
    let mut pixmap = empty(&small)?;
    resvg::render(tree, to, &mut pixmap.as_mut());
    let mut enlarged = whole()?;
    let by = Transform::from_scale(reduction as f32, reduction as f32);
    let paint = PixmapPaint { quality: FilterQuality::Bilinear, ..PixmapPaint::default() };
    enlarged.draw_pixmap(0, 0, pixmap.as_ref(), &paint, by, None);
    Some(enlarged)
}
