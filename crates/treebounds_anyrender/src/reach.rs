//! What each command can touch.

use crate::glyphs::GlyphBoxes;
use crate::pixels::Pixels;
use crate::shape::{
    NotFinite, SLACK, around, control_box, device_rect, is_rounded_rect, keeps_axes,
};
use anyrender::Paint;
use anyrender::recording::{
    BoxShadowCommand, FillCommand, GlyphRunCommand, RenderCommand, StrokeCommand,
};
use kurbo::{Affine, Cap, Join, Stroke, Vec2};
use peniko::{Gradient, Style};
use std::f64::consts::SQRT_2;

/// What a draw can touch, and what it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// No other pixel changes.
    pub(crate) touched: Pixels,
    /// These are covered whole.
    pub(crate) covered: Pixels,
}

/// Renderers that keep pictures of glyphs move a glyph by less than this, in pixels.
const GLYPH_SLACK: f64 = 0.25;

/// Standard deviations after which a blur is taken to have ended. Vello, and all that follow it, stop at two and a half.
const BLUR_REACH: f64 = 3.0;

impl Reach {
    const EVERYWHERE: Self = Self { touched: Pixels::EVERYTHING, covered: Pixels::NOTHING };

    fn of(touched: Pixels) -> Self {
        Self { touched, covered: Pixels::NOTHING }
    }

    /// The reach of a draw; nothing for a push or a pop.
    ///
    /// # Errors
    /// What has a number that is not finite.
    pub(crate) fn of_draw(
        command: &RenderCommand,
        glyphs: &mut GlyphBoxes,
    ) -> Result<Self, &'static str> {
        match command {
            RenderCommand::Fill(fill) => of_fill(fill),
            RenderCommand::Stroke(stroke) => of_stroke(stroke),
            RenderCommand::GlyphRun(run) => of_glyphs(run, glyphs),
            RenderCommand::BoxShadow(shadow) => of_shadow(shadow),
            RenderCommand::PushLayer(_)
            | RenderCommand::PushClipLayer(_)
            | RenderCommand::PopLayer => Ok(Self::of(Pixels::NOTHING)),
        }
    }
}

fn of_fill(fill: &FillCommand) -> Result<Reach, &'static str> {
    check_transforms(fill.transform, fill.brush_transform)?;
    check_brush(&fill.brush)?;
    // A box that is finite has finite points, and a fill that is none has no other use for them.
    if let Some(rect) = device_rect(&fill.shape, fill.transform) {
        return Ok(Reach { touched: Pixels::around(rect), covered: Pixels::inside(rect) });
    }
    let points = control_box(&fill.shape, fill.transform);
    let rect = points.map_err(|NotFinite| "the shape of a fill")?;
    Ok(Reach::of(rect.map_or(Pixels::NOTHING, |rect| around(rect, Vec2::ZERO, 0.0))))
}

fn of_stroke(stroke: &StrokeCommand) -> Result<Reach, &'static str> {
    check_transforms(stroke.transform, stroke.brush_transform)?;
    check_brush(&stroke.brush)?;
    check_stroke(&stroke.style)?;
    let points = control_box(&stroke.shape, stroke.transform);
    let Some(rect) = points.map_err(|NotFinite| "the path of a stroke")? else {
        return Ok(Reach::of(Pixels::NOTHING));
    };
    // The joins of a rectangle with or without rounded corners stick out along no axis.
    let is_round = keeps_axes(stroke.transform) && is_rounded_rect(&stroke.shape);
    let by = pen_reach(&stroke.style, stroke.transform, !is_round);
    let slack = if is_round { 0.0 } else { SLACK };
    Ok(Reach::of(around(rect, by, slack)))
}

/// How far the pen of a stroke can reach from its path, in device pixels: half its width, as far as its joins and caps
/// stick out. A stroke thinner than a pixel reaches a pixel, for so wide some renderers paint a hairline.
fn pen_reach(style: &Stroke, transform: Affine, sticks_out: bool) -> Vec2 {
    let is_miter = style.join == Join::Miter && sticks_out;
    let join = if is_miter { style.miter_limit.max(1.0) } else { 1.0 };
    let cap = if [style.start_cap, style.end_cap].contains(&Cap::Square) { SQRT_2 } else { 1.0 };
    let radius = style.width.abs() / 2.0;
    let reach = |unit: f64| {
        let hairline = if 2.0 * radius * unit < 1.0 { 1.0 } else { 0.0 };
        hairline + radius * join.max(cap) * unit
    };
    let [a, b, c, d, ..] = transform.as_coeffs();
    Vec2::new(reach((a * a + c * c).sqrt()), reach((b * b + d * d).sqrt()))
}

fn of_shadow(shadow: &BoxShadowCommand) -> Result<Reach, &'static str> {
    check(shadow.transform.is_finite(), "the transform of a box shadow")?;
    check(shadow.rect.is_finite(), "the rectangle of a box shadow")?;
    check(
        shadow.radius.is_finite() && shadow.std_dev.is_finite(),
        "the radius or blur of a box shadow",
    )?;
    check_color(shadow.brush.components)?;
    let reach = BLUR_REACH * shadow.std_dev.abs();
    let rect = shadow.transform.transform_rect_bbox(shadow.rect.abs().inflate(reach, reach));
    Ok(Reach::of(around(rect, Vec2::ZERO, SLACK)))
}

fn of_glyphs(run: &GlyphRunCommand, boxes: &mut GlyphBoxes) -> Result<Reach, &'static str> {
    check_transforms(run.transform, run.glyph_transform)?;
    check_brush(&run.brush)?;
    check(run.font_size.is_finite(), "the size of a font")?;
    check(run.embolden.is_finite(), "the emboldening of a font")?;
    check(run.brush_alpha.is_finite(), "the alpha of a glyph run")?;
    // Without its sign, the bits of a float are in the order of its size; past infinity are the NaNs.
    let size = |v: f32| v.abs().to_bits();
    let largest = run.glyphs.iter().fold(0, |most, g| most.max(size(g.x).max(size(g.y))));
    check(largest < f32::INFINITY.to_bits(), "the place of a glyph")?;
    let mut wider = 2.0 * run.embolden.x.abs().max(run.embolden.y.abs());
    if let Style::Stroke(style) = &run.style {
        check_stroke(style)?;
        wider += pen_reach(style, Affine::IDENTITY, true).x;
    }
    let face = boxes.face(&run.font_data, &run.normalized_coords);
    if !face.is_known() {
        return Ok(Reach::EVERYWHERE);
    }
    let all = match run.glyph_transform {
        None => face.run(&run.font_data, run.font_size, &run.glyphs),
        Some(turn) => face.turned_run(&run.font_data, run.font_size, turn, &run.glyphs),
    };
    let Ok(all) = all else { return Ok(Reach::EVERYWHERE) };
    let Some(all) = all else { return Ok(Reach::of(Pixels::NOTHING)) };
    // Hinting moves an outline by less than a pixel.
    let hinted = if run.hint { 1.0 } else { 0.0 };
    let wider = match run.glyph_transform {
        None if keeps_axes(run.transform) => wider,
        None => wider + hinted,
        Some(turn) => (wider + hinted) * (1.0 + spread(turn)),
    };
    let rect = run.transform.transform_rect_bbox(all.inflate(wider, wider));
    Ok(Reach::of(around(rect, Vec2::new(hinted, hinted), GLYPH_SLACK)))
}

/// How long the longest of the unit vectors becomes, at most.
fn spread(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    a.hypot(b) + c.hypot(d)
}

fn check(is_good: bool, what: &'static str) -> Result<(), &'static str> {
    if is_good { Ok(()) } else { Err(what) }
}

fn check_transforms(transform: Affine, second: Option<Affine>) -> Result<(), &'static str> {
    check(transform.is_finite(), "a transform")?;
    check(second.is_none_or(|second| second.is_finite()), "the transform of a brush or of glyphs")
}

fn check_stroke(style: &Stroke) -> Result<(), &'static str> {
    let numbers = [style.width, style.miter_limit, style.dash_offset];
    let finite = numbers.iter().chain(style.dash_pattern.iter()).all(|v| v.is_finite());
    check(finite, "the style of a stroke")
}

fn check_color(components: [f32; 4]) -> Result<(), &'static str> {
    check(components.iter().all(|v| v.is_finite()), "a colour")
}

fn check_brush(brush: &Paint) -> Result<(), &'static str> {
    match brush {
        Paint::Solid(color) => check_color(color.components),
        Paint::Gradient(gradient) => check_gradient(gradient),
        Paint::Image(image) => check(image.sampler.alpha.is_finite(), "the alpha of an image"),
        Paint::Resource(_) | Paint::Custom(_) => Ok(()),
    }
}

fn check_gradient(gradient: &Gradient) -> Result<(), &'static str> {
    use peniko::GradientKind::{Linear, Radial, Sweep};
    let stops = gradient
        .stops
        .iter()
        .all(|stop| stop.offset.is_finite() && stop.color.components.iter().all(|v| v.is_finite()));
    let place = match gradient.kind {
        Linear(line) => line.start.is_finite() && line.end.is_finite(),
        Radial(radial) => {
            let radii = radial.start_radius.is_finite() && radial.end_radius.is_finite();
            radii && radial.start_center.is_finite() && radial.end_center.is_finite()
        }
        Sweep(sweep) => {
            let angles = sweep.start_angle.is_finite() && sweep.end_angle.is_finite();
            angles && sweep.center.is_finite()
        }
    };
    check(stops && place, "a gradient")
}
