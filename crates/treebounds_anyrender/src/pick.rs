//! Finds the commands at a point of a display list by their exact shapes and all enclosing clips.

mod shapes;

use crate::{Error, stream};
use anyrender::recording::Scene;
use kurbo::{Point, Rect as Viewport};
use static_aabb2d_index::{StaticAABB2DIndex, StaticAABB2DIndexBuilder};
use std::collections::HashMap;
use treebounds_core::{NONE, Rect, Role, reference};

/// A command that paints at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The index of the command in the list.
    pub command: usize,
    /// Whether the shape of the command contains the point. If `false`, only the box is known to contain it: the shape
    /// is blurred or moved by a filter, or is a glyph without an outline.
    pub is_exact: bool,
}

/// Finds the commands at any number of points of one list.
///
/// | command | is at a point if |
/// |---|---|
/// | `Fill` | the path contains the point by its fill rule, whatever its brush shows there |
/// | `Stroke` | the outline of the stroke contains the point |
/// | `GlyphRun` | the unhinted outline of a glyph contains the point; a glyph without an outline counts as a box |
/// | `BoxShadow` | the rectangle contains the point; with a blur, the box of the blur |
/// | `PushLayer` | the filter paints even where the content paints nothing, and the clip contains the point; the command is behind its content |
///
/// Every clip around a command must contain the point too. Draws with alpha 0 and the content of layers with alpha 0
/// are ignored. Inside a filter that moves or spreads pixels, commands count as boxes, located where the filter shows
/// them.
///
/// Cost: [`Picker::new`] reads the list once and sorts the boxes into a tree. A pick then visits only boxes that
/// contain the point.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Circle, Point, Rect};
/// use peniko::{Color, Fill};
/// use treebounds_anyrender::Picker;
///
/// let mut scene = Scene::new();
/// scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &Rect::new(0.0, 0.0, 100.0, 100.0));
/// scene.fill(Fill::NonZero, Affine::scale(2.0), Color::BLACK, None, &Circle::new((25.0, 25.0), 25.0));
/// let picker = Picker::new(&scene)?;
/// let at = |x, y| picker.hits(Point::new(x, y)).map(|hit| hit.command).collect::<Vec<_>>();
/// assert_eq!(at(50.0, 50.0), [1, 0]);
/// assert_eq!(at(3.0, 3.0), [0]); // in the box of the circle, outside of it
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
#[derive(Debug)]
pub struct Picker<'a> {
    scene: &'a Scene,
    layers: Vec<Layer>,
    /// The painting commands, in order.
    draws: Vec<Draw>,
    /// The boxes of `draws`; `None` without draws.
    index: Option<StaticAABB2DIndex<f64>>,
}

#[derive(Clone, Copy, Debug)]
struct Layer {
    push: u32,
    /// The enclosing layer, or [`NONE`].
    parent: u32,
    /// Whether the filter moves or spreads pixels.
    moves: bool,
}

#[derive(Clone, Copy, Debug)]
struct Draw {
    command: u32,
    /// The innermost layer that must contain the point, or [`NONE`].
    layer: u32,
    /// The box on the canvas.
    landing: Rect,
}

/// The part of a layer's content that is at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    /// Nothing: a clip hides the content, or it has no opacity.
    Nothing,
    /// Commands whose shape contains the point.
    Shapes,
    /// Commands whose box contains the point, because a filter moves the shapes.
    Boxes,
}

/// The coordinate limit of boxes in the index.
const FAR: f64 = 1e9;

impl<'a> Picker<'a> {
    /// Builds the index of a list.
    ///
    /// # Errors
    /// The same as for [`stream`](crate::stream()).
    pub fn new(scene: &'a Scene) -> Result<Self, Error> {
        let list = stream(scene, Viewport::new(-FAR, -FAR, FAR, FAR))?;
        let bounds = reference::bounds(&list.stream);
        let landings = reference::landings(&list.stream, &bounds);
        let mut picker = Self { scene, layers: Vec::new(), draws: Vec::new(), index: None };
        let mut around = NONE;
        for (command, element) in (0..).zip(&list.elements) {
            let element = *element as usize;
            let tag = list.stream.tags()[element];
            match tag.role() {
                Role::Begin => {
                    let inner = list.stream.tags().get(element + 1);
                    let moves = inner.is_some_and(|tag| tag.is_spread());
                    picker.layers.push(Layer { push: command, parent: around, moves });
                    around = picker.layers.len() as u32 - 1;
                }
                Role::End => {
                    around = picker.layers.get(around as usize).map_or(NONE, |layer| layer.parent);
                }
                Role::Draw => {}
            }
            let (paints, landing) =
                (tag.role() == Role::Draw || tag.is_filling(), landings[element]);
            if paints && tag.role() != Role::End && !landing.is_empty() {
                picker.draws.push(Draw { command, layer: around, landing });
            }
        }
        picker.index = index(&picker.draws);
        Ok(picker)
    }

    /// Returns the commands that paint at a point, in device pixels, front to back. The iterator is lazy.
    pub fn hits(&self, point: Point) -> impl Iterator<Item = Hit> + use<'_, 'a> {
        let mut boxes = self.boxes_at(point);
        boxes.sort_unstable_by(|a, b| b.cmp(a));
        let mut known = HashMap::new();
        boxes.into_iter().filter_map(move |draw| {
            let Draw { command, layer, .. } = self.draws[draw];
            let is_exact = match self.inside(layer, point, &mut known) {
                Inside::Nothing => return None,
                Inside::Shapes => shapes::paints(&self.scene.commands[command as usize], point)?,
                Inside::Boxes => {
                    shapes::is_visible(&self.scene.commands[command as usize]).then_some(false)?
                }
            };
            Some(Hit { command: command as usize, is_exact })
        })
    }

    /// Returns the layers around a command, innermost first, as the indices of their pushes.
    pub fn layers_around(&self, command: usize) -> impl Iterator<Item = usize> + use<'_, 'a> {
        let found = self.draws.binary_search_by_key(&command, |draw| draw.command as usize);
        let first = found.map_or(NONE, |draw| self.draws[draw].layer);
        let layer = |index: u32| self.layers.get(index as usize);
        std::iter::successors(layer(first), move |inner| layer(inner.parent))
            .map(|layer| layer.push as usize)
            .filter(move |push| *push != command)
    }

    /// The draws whose boxes contain the point.
    fn boxes_at(&self, point: Point) -> Vec<usize> {
        let Some(index) = &self.index else { return Vec::new() };
        let (x, y) = (point.x.clamp(-FAR, FAR), point.y.clamp(-FAR, FAR));
        let mut boxes = index.query(x, y, x, y);
        boxes.retain(|draw| kurbo::Rect::from(self.draws[*draw].landing).contains(point));
        boxes
    }

    /// Returns the part of a layer's content at a point. `known` caches the answers for this point, so a chain of
    /// layers is walked once.
    fn inside(&self, layer: u32, point: Point, known: &mut HashMap<u32, Inside>) -> Inside {
        let mut path = Vec::new();
        let mut at = layer;
        let mut inside = loop {
            match (self.layers.get(at as usize), known.get(&at)) {
                (None, _) => break Inside::Shapes,
                (_, Some(inside)) => break *inside,
                (Some(layer), None) => path.push(std::mem::replace(&mut at, layer.parent)),
            }
        };
        for index in path.into_iter().rev() {
            let layer = self.layers[index as usize];
            let push = &self.scene.commands[layer.push as usize];
            inside = match inside {
                Inside::Nothing => Inside::Nothing,
                _ if !shapes::is_visible(push) => Inside::Nothing,
                Inside::Boxes => Inside::Boxes,
                Inside::Shapes if !shapes::clip_contains(push, point) => Inside::Nothing,
                Inside::Shapes if layer.moves => Inside::Boxes,
                Inside::Shapes => Inside::Shapes,
            };
            known.insert(index, inside);
        }
        inside
    }
}

fn index(draws: &[Draw]) -> Option<StaticAABB2DIndex<f64>> {
    let mut builder = StaticAABB2DIndexBuilder::new(draws.len());
    for draw in draws {
        let [x0, y0, x1, y1] = draw.landing.to_array().map(|edge| f64::from(edge).clamp(-FAR, FAR));
        builder.add(x0, y0, x1, y1);
    }
    // Building fails if numbers are not finite or boxes are missing.
    builder.build().ok()
}
