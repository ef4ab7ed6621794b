//! A recording, painted.

use anyrender::PaintScene;
use anyrender::recording::{RenderCommand, Scene};

/// Paints the commands of a recording, and leaves the recording as it is.
pub fn replay(scene: &Scene, painter: &mut impl PaintScene) {
    scene.commands.iter().for_each(|command| paint(command, painter));
}

/// Paints the commands that are kept.
pub(crate) fn replay_kept(
    scene: &Scene,
    kept: impl Iterator<Item = bool>,
    painter: &mut impl PaintScene,
) {
    let kept = scene.commands.iter().zip(kept).filter(|(_, kept)| *kept);
    kept.for_each(|(command, _)| paint(command, painter));
}

fn paint(command: &RenderCommand, painter: &mut impl PaintScene) {
    match command {
        RenderCommand::PushLayer(layer) => painter.push_layer(
            layer.fill,
            layer.blend,
            layer.alpha,
            layer.transform,
            &layer.clip,
            layer.filter.clone(),
            layer.backdrop_filter.clone(),
        ),
        RenderCommand::PushClipLayer(clip) => {
            painter.push_clip_layer(clip.fill, clip.transform, &clip.clip);
        }
        RenderCommand::PopLayer => painter.pop_layer(),
        RenderCommand::Stroke(stroke) => painter.stroke(
            &stroke.style,
            stroke.transform,
            &stroke.brush,
            stroke.brush_transform,
            &stroke.shape,
        ),
        RenderCommand::Fill(fill) => {
            painter.fill(fill.fill, fill.transform, &fill.brush, fill.brush_transform, &fill.shape);
        }
        RenderCommand::GlyphRun(run) => painter.draw_glyphs(
            &run.font_data,
            run.font_size,
            run.hint,
            &run.normalized_coords,
            run.embolden,
            &run.style,
            &run.brush,
            run.brush_alpha,
            run.transform,
            run.glyph_transform,
            run.glyphs.iter().copied(),
        ),
        RenderCommand::BoxShadow(shadow) => painter.draw_box_shadow(
            shadow.transform,
            shadow.rect,
            shadow.brush,
            shadow.radius,
            shadow.std_dev,
        ),
    }
}
