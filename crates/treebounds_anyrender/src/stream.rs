//! A display list as an element stream.

use crate::Error;
use crate::measure::Measure;
use crate::pixels::Pixels;
use crate::plan::{Kind, Layer, Role};
use anyrender::recording::Scene;
use kurbo::Rect as Viewport;
use treebounds_core::{NodeKind, Rect, Stream, Tag};

/// The element stream of a list: element `i` is command `i`.
///
/// [`treebounds_core::reference::bounds`], or the stage on a GPU, gives the bounds of every draw, clip and layer from it. Boxes are
/// rounded outwards to whole pixels:
///
/// | command | box |
/// |---|---|
/// | `Fill` | its path's control points; a rectangle's sides |
/// | `Stroke` | its path's, widened by half its width as far as joins and caps stick out, and a pixel |
/// | `GlyphRun` | the boxes of its glyphs, from the font; unlimited if the font cannot be read or has bitmaps |
/// | `BoxShadow` | its rectangle, widened by three standard deviations of its blur |
/// | `PushClipLayer` | a clip: the box of its path |
/// | `PushLayer` | a clip and a blend: the box of its path; non-local if its blend mode changes pixels outside it |
///
/// A layer with a filter or a backdrop filter has the box of its parent, because a filter may bring in pixels from outside its
/// clip. Clips and draws inside it have the box [`Rect::EVERYTHING`], so they get the box of the filter's parent.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// use treebounds_core::reference;
/// let mut scene = Scene::new();
/// scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Rect::new(10.0, 10.0, 60.0, 60.0));
/// scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &Rect::new(0.0, 0.0, 20.5, 99.0));
/// scene.pop_layer();
/// let stream = treebounds_anyrender::stream(&scene, Rect::new(0.0, 0.0, 640.0, 480.0))?;
/// let bounds = reference::bounds(&stream);
/// assert_eq!(bounds.boxes[1], treebounds_core::Rect::new(10.0, 10.0, 21.0, 60.0));
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # Errors
/// [`Error`]: layers that do not balance, numbers that are not finite, too many commands.
pub fn stream(scene: &Scene, viewport: Viewport) -> Result<Stream, Error> {
    if !viewport.is_finite() {
        return Err(Error::Viewport);
    }
    let mut measure = Measure::default();
    measure.start(Pixels::EVERYTHING, false);
    measure.catch_up(&scene.commands);
    measure.check()?;
    let (mut tags, mut rects) = (Vec::new(), Vec::new());
    // How many of the open layers have filters.
    let mut filters = 0_u32;
    for item in &measure.items {
        let layer = || &measure.layers[item.layer as usize];
        let (tag, rect) = match item.role {
            Role::Push => {
                let is_inside = filters > 0;
                let is_filter = layer().kind == Kind::Filter;
                filters += u32::from(is_filter);
                let is_cut = !is_inside && !is_filter;
                (begin(layer()), if is_cut { rect_of(layer().clip) } else { Rect::EVERYTHING })
            }
            Role::Pop => {
                filters -= u32::from(layer().kind == Kind::Filter);
                (begin(layer()).closing(), Rect::NOTHING)
            }
            Role::Draw if filters > 0 => (Tag::DRAW, Rect::EVERYTHING),
            Role::Draw => (Tag::DRAW, rect_of(item.own)),
        };
        tags.push(tag);
        rects.push(rect);
    }
    let edges = [viewport.x0, viewport.y0, viewport.x1, viewport.y1].map(|v| v as f32);
    let [x0, y0, x1, y1] = edges;
    let too_many = Error::TooMany { commands: scene.commands.len(), most: Stream::MAX_LEN };
    Stream::new(tags, rects, Rect::new(x0, y0, x1, y1)).map_err(|_| too_many)
}

/// The tag of a layer.
fn begin(layer: &Layer) -> Tag {
    let tag = match layer.kind {
        Kind::Filter => Tag::begin(NodeKind::Blend),
        _ if layer.is_clip => Tag::begin(NodeKind::Clip),
        _ => Tag::begin(NodeKind::ClipBlend),
    };
    // A filter of a blend mode that changes pixels outside of its source does so as well.
    if layer.is_destructive { tag.non_local() } else { tag }
}

fn rect_of(pixels: Pixels) -> Rect {
    if pixels.is_empty() {
        return Rect::NOTHING;
    }
    if pixels == Pixels::EVERYTHING {
        return Rect::EVERYTHING;
    }
    // Whole numbers past 2^24 are no f32: outwards.
    let low = |v: i32| {
        let near = v as f32;
        if f64::from(near) > f64::from(v) { near.next_down() } else { near }
    };
    let high = |v: i32| -low(-v);
    Rect::new(low(pixels.x0), low(pixels.y0), high(pixels.x1), high(pixels.y1))
}
