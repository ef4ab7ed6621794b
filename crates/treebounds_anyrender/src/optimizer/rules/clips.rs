//! Removes clips that cut nothing, or only a single draw.
//!
#![doc = include_str!("../../../docs/clips.svg")]
//!
//! - A clip is removed if it completely covers every pixel that the layer's content touches. The test is exact for
//!   rectangles. For any other outline, convex or not, it succeeds if the outline winds once around the content's box
//!   and a straight line separates each of its segments from the box.
//! - A clip around a single fill that covers all pixels of the clip becomes the shape of that fill. A picture in a
//!   rounded frame becomes the frame, filled with the picture.
//! - If a layer is kept for its alpha or blend mode and its clip cuts nothing, the clip becomes a rectangle.
//!
//! *Why the picture stays the same.* A pixel that the clip covers completely is multiplied by one. A shape that
//! contains the centre of a box, and whose outline does not cross the box, contains the box. Filling a whole layer with
//! a brush and clipping it to a shape equals filling the shape with the brush, with the same coverage, bit for bit.

use crate::bounds::commands::{Kind, Layer};
use crate::bounds::outline::device_rect;
use crate::bounds::pixels::Pixels;
use crate::optimizer::coverage::covers;
use crate::optimizer::plan::{Content, Plan};
use crate::optimizer::rules::{TILES, layers};
use anyrender::Paint;
use anyrender::recording::RenderCommand;
use kurbo::{Affine, BezPath, PathEl, Point};
use peniko::Fill;

pub(crate) fn clip_of(command: &RenderCommand) -> Option<(&BezPath, Affine)> {
    match command {
        RenderCommand::PushLayer(layer) => Some((&layer.clip, layer.transform)),
        RenderCommand::PushClipLayer(clip) => Some((&clip.clip, clip.transform)),
        _ => None,
    }
}

/// Whether the clip of this layer covers these pixels completely.
pub(crate) fn cuts_nothing(plan: &Plan<'_>, layer: &Layer, pixels: Pixels) -> bool {
    // A clip cannot cover pixels that it does not touch.
    if !layer.clip.contains(pixels) {
        return false;
    }
    match (layer.rect, clip_of(&plan.commands[layer.push])) {
        (Some(rect), _) => Pixels::inside(rect).contains(pixels),
        (None, Some((path, transform))) => covers(path, transform, pixels),
        (None, None) => false,
    }
}

/// Replaces the clip of a layer with this rectangle in device pixels. Returns `false` if the layer has a filter and its
/// transform is singular.
pub(crate) fn set_clip(command: &mut RenderCommand, rect: kurbo::Rect) -> bool {
    let (path, transform, fill, filters) = match command {
        RenderCommand::PushLayer(layer) => {
            let filters = layer.filter.is_some();
            (&mut layer.clip, &mut layer.transform, &mut layer.fill, filters)
        }
        RenderCommand::PushClipLayer(clip) => {
            (&mut clip.clip, &mut clip.transform, &mut clip.fill, false)
        }
        _ => return false,
    };
    if !filters {
        *transform = Affine::IDENTITY;
    } else if transform.determinant().abs() < 1e-6 {
        return false;
    }
    // The filter keeps its transform.
    let back = transform.inverse();
    path.truncate(0);
    // The path stays open so that it fits into the allocated memory. Clips close open paths, as fills do.
    path.extend([
        PathEl::MoveTo(back * Point::new(rect.x0, rect.y0)),
        PathEl::LineTo(back * Point::new(rect.x1, rect.y0)),
        PathEl::LineTo(back * Point::new(rect.x1, rect.y1)),
        PathEl::LineTo(back * Point::new(rect.x0, rect.y1)),
    ]);
    *fill = Fill::NonZero;
    true
}

/// Gives the single fill of a layer the shape of the layer's clip, if possible. Returns whether the fill has changed.
pub(crate) fn shape_draw(plan: &mut Plan<'_>, index: usize, content: &Content) -> bool {
    let layer = &plan.layers[index];
    if !layers::is_idle(layer, content) || content.draws != 1 || content.has_layers {
        return false;
    }
    let draw = content.last_draw;
    let RenderCommand::Fill(fill) = &plan.commands[draw] else { return false };
    let covered = device_rect(&fill.shape, fill.transform).map_or(Pixels::NOTHING, Pixels::inside);
    if !covered.contains(layer.clip.intersect(plan.window_around(layer))) {
        return false;
    }
    let (before, after) = plan.commands.split_at_mut(draw);
    let (push, fill) = match (&mut before[layer.push], &mut after[0]) {
        (push, RenderCommand::Fill(fill)) => (push, fill),
        _ => return false,
    };
    let (path, transform, rule) = match push {
        RenderCommand::PushLayer(push) => (&mut push.clip, push.transform, push.fill),
        RenderCommand::PushClipLayer(push) => (&mut push.clip, push.transform, push.fill),
        _ => return false,
    };
    // A brush is placed by the transform of its fill.
    if transform != fill.transform && !matches!(fill.brush, Paint::Solid(_)) {
        if !plan.options.rounds() || transform.determinant().abs() < 1e-9 {
            return false;
        }
        let carried =
            transform.inverse() * fill.transform * fill.brush_transform.unwrap_or_default();
        fill.brush_transform = Some(carried);
    }
    std::mem::swap(path, &mut fill.shape);
    fill.transform = transform;
    fill.fill = rule;
    let covered = device_rect(&fill.shape, transform).map_or(Pixels::NOTHING, Pixels::inside);
    let item = &mut plan.items[draw];
    item.own = layer.clip;
    item.covered = covered.intersect(layer.clip);
    true
}

/// Replaces the clip of a kept layer with a rectangle, if it cuts nothing and is not yet a rectangle. Returns whether
/// the clip has changed.
pub(crate) fn simplify(plan: &mut Plan<'_>, index: usize, content: &Content) -> bool {
    let layer = &plan.layers[index];
    let stays = matches!(layer.kind, Kind::Opacity | Kind::Local | Kind::Filter);
    if !stays || layer.is_destructive || layer.reads_backdrop || layer.is_read {
        return false;
    }
    if layer.rect.is_some() {
        return false;
    }
    let content = layer.painted(content.raw).intersect(plan.window_around(layer));
    let around = content.grow(if plan.options.rounds() { 0 } else { TILES });
    if content.is_empty() || !cuts_nothing(plan, layer, around) {
        return false;
    }
    if !set_clip(&mut plan.commands[layer.push], around.rect()) {
        return false;
    }
    plan.layers[index].clip = around.intersect(plan.view_around(&plan.layers[index]));
    true
}
