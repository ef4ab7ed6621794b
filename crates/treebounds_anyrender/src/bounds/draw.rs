//! Computes the pixels that a draw can touch. The draw changes no other pixels.

use crate::bounds::glyphs::{Face, GlyphBoxes, RunBox};
use crate::bounds::outline::{
    NotFinite, SLACK, around, control_box, is_rounded_rect, keeps_axes, touched, transformed,
};
use crate::bounds::pixels::Pixels;
use anyrender::Paint;
use anyrender::recording::{BoxShadowCommand, FillCommand, GlyphRunCommand, StrokeCommand};
use kurbo::{Affine, Cap, Join, Rect, Stroke, Vec2};
use peniko::{Gradient, Style};
use treebounds_core::footprint::pen_reach;

/// The maximum distance, in pixels, by which renderers move glyphs that they cache as bitmaps.
const GLYPH_SLACK: f64 = 0.25;

/// The reach of a blur in standard deviations. Vello and the renderers derived from it stop at two and a half.
const BLUR_REACH: f64 = 3.0;

/// Returns the pixels that a fill can touch. `rect` is its path in device space, if that is a rectangle.
///
/// # Errors
/// The name of the part with a non-finite number. The other functions return the same error.
#[inline]
pub(crate) fn of_fill(fill: &FillCommand, rect: Option<Rect>) -> Result<Pixels, &'static str> {
    check_brush(&fill.brush, fill.brush_transform)?;
    // If the rectangle is finite, so are its points and its transform.
    if let Some(rect) = rect {
        return Ok(Pixels::around(rect));
    }
    check_transform(fill.transform)?;
    touched(&fill.shape, fill.transform).map_err(|NotFinite| "the shape of a fill")
}

pub(crate) fn of_stroke(stroke: &StrokeCommand) -> Result<Pixels, &'static str> {
    check_transform(stroke.transform)?;
    check_brush(&stroke.brush, stroke.brush_transform)?;
    check_stroke(&stroke.style)?;
    let points = control_box(&stroke.shape, stroke.transform);
    let Some(rect) = points.map_err(|NotFinite| "the path of a stroke")? else {
        return Ok(Pixels::NOTHING);
    };
    // The joins of a rectangle, rounded or not, do not stick out along either axis.
    let is_round = keeps_axes(stroke.transform) && is_rounded_rect(&stroke.shape);
    let by = stroke_reach(&stroke.style, stroke.transform, !is_round);
    let slack = if is_round { 0.0 } else { SLACK };
    Ok(around(rect, by, slack))
}

/// The reach of a stroke from its path, in device pixels: half its width, more if joins or caps stick out, and at least
/// one pixel because some renderers paint hairlines that wide.
fn stroke_reach(style: &Stroke, transform: Affine, sticks_out: bool) -> Vec2 {
    let is_miter = style.join == Join::Miter && sticks_out;
    let has_square_caps = [style.start_cap, style.end_cap].contains(&Cap::Square);
    let corner = pen_reach(is_miter.then_some(style.miter_limit), has_square_caps);
    let radius = style.width.abs() / 2.0;
    let reach = |unit: f64| {
        let hairline = if 2.0 * radius * unit < 1.0 { 1.0 } else { 0.0 };
        hairline + radius * corner * unit
    };
    let [a, b, c, d, ..] = transform.as_coeffs();
    Vec2::new(reach((a * a + c * c).sqrt()), reach((b * b + d * d).sqrt()))
}

pub(crate) fn of_shadow(shadow: &BoxShadowCommand) -> Result<Pixels, &'static str> {
    check(shadow.transform.is_finite(), "the transform of a box shadow")?;
    check(shadow.rect.is_finite(), "the rectangle of a box shadow")?;
    check(
        shadow.radius.is_finite() && shadow.std_dev.is_finite(),
        "the radius or blur of a box shadow",
    )?;
    check_color(shadow.brush.components)?;
    let reach = BLUR_REACH * shadow.std_dev.abs();
    let rect = transformed(shadow.rect.abs().inflate(reach, reach), shadow.transform);
    Ok(around(rect, Vec2::ZERO, SLACK))
}

pub(crate) fn of_glyphs(
    run: &GlyphRunCommand,
    boxes: &mut GlyphBoxes,
    vertical_hinting: bool,
) -> Result<Pixels, &'static str> {
    check_transform(run.transform)?;
    check_brush(&run.brush, run.glyph_transform)?;
    check(run.font_size.is_finite(), "the size of a font")?;
    check(run.embolden.is_finite(), "the emboldening of a font")?;
    check(run.brush_alpha.is_finite(), "the alpha of a glyph run")?;
    let mut wider = 2.0 * run.embolden.x.abs().max(run.embolden.y.abs());
    if let Style::Stroke(style) = &run.style {
        check_stroke(style)?;
        wider += stroke_reach(style, Affine::IDENTITY, true).x;
    }
    let face = boxes.face(&run.font_data, &run.normalized_coords);
    let all = match box_of_glyphs(run, face)? {
        RunBox::Box(all) => all,
        RunBox::Nothing => return Ok(Pixels::NOTHING),
        RunBox::Unknown => return Ok(Pixels::EVERYTHING),
    };
    // Hinting moves an outline by less than a pixel.
    let hinted = if run.hint { 1.0 } else { 0.0 };
    let wider = match run.glyph_transform {
        None if keeps_axes(run.transform) => wider,
        None => wider + hinted,
        Some(turn) => (wider + hinted) * (1.0 + spread(turn)),
    };
    let rect = transformed(all.inflate(wider, wider), run.transform);
    let across = if vertical_hinting && keeps_width(run, face) { 0.0 } else { hinted };
    Ok(around(rect, Vec2::new(across, hinted), GLYPH_SLACK))
}

/// Whether vertical hinting preserves the width of a run's glyphs. It does for upright glyphs at a whole size in a font
/// with hinting instructions; hinting may round any other size.
fn keeps_width(run: &GlyphRunCommand, face: &Face) -> bool {
    let [a, b, c, d, ..] = run.transform.as_coeffs();
    let size = f64::from(run.font_size) * a;
    let is_upright = b == 0.0 && c == 0.0 && a == d && run.glyph_transform.is_none();
    is_upright && face.is_instructed() && (size - size.round()).abs() < 1e-3
}

/// Returns the box of a run's glyphs at their positions in the run.
fn box_of_glyphs(run: &GlyphRunCommand, face: &mut Face) -> Result<RunBox, &'static str> {
    if run.glyph_transform.is_none()
        && let Some(known) = face.known_run(run.font_size, &run.glyphs)
    {
        return Ok(known);
    }
    let finite = run.glyphs.iter().all(|glyph| glyph.x.is_finite() && glyph.y.is_finite());
    check(finite, "the place of a glyph")?;
    Ok(match run.glyph_transform {
        None => face.run(&run.font_data, run.font_size, &run.glyphs),
        Some(turn) => face.turned_run(&run.font_data, run.font_size, turn, &run.glyphs),
    })
}

/// An upper bound on the length of a transformed unit vector.
fn spread(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    a.hypot(b) + c.hypot(d)
}

fn check(is_good: bool, what: &'static str) -> Result<(), &'static str> {
    if is_good { Ok(()) } else { Err(what) }
}

fn check_transform(transform: Affine) -> Result<(), &'static str> {
    check(transform.is_finite(), "a transform")
}

fn check_stroke(style: &Stroke) -> Result<(), &'static str> {
    let numbers = [style.width, style.miter_limit, style.dash_offset];
    let finite = numbers.iter().chain(style.dash_pattern.iter()).all(|v| v.is_finite());
    check(finite, "the style of a stroke")
}

fn check_color(components: [f32; 4]) -> Result<(), &'static str> {
    check(components.iter().all(|v| v.is_finite()), "a colour")
}

fn check_brush(brush: &Paint, second: Option<Affine>) -> Result<(), &'static str> {
    check(second.is_none_or(|second| second.is_finite()), "the transform of a brush or of glyphs")?;
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
