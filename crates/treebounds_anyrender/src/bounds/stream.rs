//! Converts a display list into an element stream.

use crate::Error;
use crate::bounds::commands::{Layer, Role};
use crate::bounds::filter;
use crate::bounds::measure::Measure;
use crate::bounds::pixels::Pixels;
use anyrender::recording::{RenderCommand, Scene};
use kurbo::Rect as Viewport;
use treebounds_core::flow::Flow;
use treebounds_core::{Footprint, NodeKind, Rect, Stream, Tag};

/// A display list as an element stream.
#[derive(Clone, Debug, PartialEq)]
pub struct ListStream {
    /// The element stream.
    pub stream: Stream,
    /// The index of each command's element in the stream.
    pub elements: Vec<u32>,
}

/// Converts a list into an element stream.
///
/// From the stream, [`treebounds_core::reference::bounds`] or the GPU stage computes the bounds of every draw, clip and
/// layer. Boxes are rounded outward to whole pixels:
///
/// | command | box |
/// |---|---|
/// | `Fill` | the path's control points; the sides of a rectangle |
/// | `Stroke` | the path's control points, widened by half the stroke width (more if joins and caps stick out) and a pixel |
/// | `GlyphRun` | the boxes of its glyphs, from the font; unlimited if the font is unreadable or has bitmaps |
/// | `BoxShadow` | the rectangle, widened by three standard deviations of its blur |
/// | `PushClipLayer` | a clip: the box of its path |
/// | `PushLayer` | a clip and a blend: the box of its path; non-local if the blend mode changes pixels outside it |
///
/// A layer whose filter moves or spreads pixels consists of two nodes. The outer node clips the filter's result. The
/// spread node inside has the filter's footprint, and contains boxes at their positions before the filter. Without such
/// filters, element `i` is command `i`. Otherwise, [`ListStream::elements`] contains the index of each command, and for
/// a layer the index of its outer node.
///
/// A layer fills its clip if it has a filter that paints without a source (a flood) or a backdrop filter. A backdrop
/// filter does not enlarge the boxes that it reads: a clip around the filter hides what is outside.
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
/// let list = treebounds_anyrender::stream(&scene, Rect::new(0.0, 0.0, 640.0, 480.0))?;
/// let bounds = reference::bounds(&list.stream);
/// let fill = list.elements[1] as usize;
/// assert_eq!(bounds.boxes[fill], treebounds_core::Rect::new(10.0, 10.0, 21.0, 60.0));
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # Errors
/// [`Error`]: unbalanced layers, non-finite numbers, or too many commands.
pub fn stream(scene: &Scene, viewport: Viewport) -> Result<ListStream, Error> {
    if !viewport.is_finite() {
        return Err(Error::Viewport);
    }
    let mut measure = Measure::default();
    measure.start(Pixels::EVERYTHING, false);
    measure.catch_up(&scene.commands);
    measure.check()?;
    encode(&measure, &scene.commands, viewport.into())
}

/// Converts a measured list into an element stream.
fn encode(
    measure: &Measure,
    commands: &[RenderCommand],
    viewport: Rect,
) -> Result<ListStream, Error> {
    let (mut tags, mut rects, mut elements) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |tag, rect| {
        let element = tags.len() as u32;
        tags.push(tag);
        rects.push(rect);
        element
    };
    for item in &measure.items {
        if item.role == Role::Draw {
            elements.push(add(Tag::DRAW, rect_of(item.own)));
            continue;
        }
        let layer = &measure.layers[item.layer as usize];
        let (begin, footprint) = node_of(layer, &commands[layer.push]);
        let spreads = footprint != Footprint::IDENTITY;
        if item.role == Role::Push {
            elements.push(add(begin, rect_of(layer.clip)));
            if spreads {
                add(Tag::begin(NodeKind::Spread), footprint.to_rect());
            }
        } else {
            if spreads {
                add(Tag::end(NodeKind::Spread), Rect::NOTHING);
            }
            elements.push(add(begin.closing(), Rect::NOTHING));
        }
    }
    let too_many = Error::TooMany { commands: commands.len(), most: Stream::MAX_LEN };
    let stream = Stream::new(tags, rects, viewport).map_err(|_| too_many)?;
    Ok(ListStream { stream, elements })
}

/// Returns the tag of a layer, and the visible reach of its filter's result.
pub(crate) fn node_of(layer: &Layer, push: &RenderCommand) -> (Tag, Footprint) {
    let kind = if layer.is_clip { NodeKind::Clip } else { NodeKind::ClipBlend };
    let tag = Tag::begin(kind);
    let tag = if layer.is_destructive { tag.non_local() } else { tag };
    let RenderCommand::PushLayer(push) = push else { return (tag, Footprint::IDENTITY) };
    let flow = push.filter.as_ref().map_or(Flow::SOURCE, |f| filter::result(f, push.transform));
    let fills = flow.fills || push.backdrop_filter.is_some();
    (if fills { tag.fills() } else { tag }, flow.footprint.unwrap_or(Footprint::IDENTITY))
}

pub(crate) fn rect_of(pixels: Pixels) -> Rect {
    if pixels == Pixels::EVERYTHING { Rect::EVERYTHING } else { pixels.rect().into() }
}
