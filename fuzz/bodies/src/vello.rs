//! Any encoding of Vello: of calls, and then mangled.

mod mangle;
mod scene;

use crate::shapes::is_tame;
use crate::{Outcome, naive};
use arbitrary::{Result, Unstructured};
use scene::{Expected, Painted};
use treebounds_core::{Rect, Role, reference};
use treebounds_encoding::vello::{VelloError, encode};
use treebounds_report::Scene;
use treebounds_vello::close_layers;
use vello_encoding::{DrawTag, Encoding, Resolver};

/// An encoding from calls, left as it is or mangled: a typed error or a scene, whose boxes hold what was drawn; and what
/// passes the check of a pipeline resolves to as much as it says.
pub fn vello(data: &[u8]) -> Outcome {
    let mut u = Unstructured::new(data);
    encoding(&mut u).unwrap_or(Outcome::REFUSED)
}

fn encoding(u: &mut Unstructured<'_>) -> Result<Outcome> {
    let cuts = u.arbitrary::<u8>()?.saturating_sub(160) / 16;
    let Painted { scene, expected, tame } = scene::paint(u)?;
    let mut encoding = scene.encoding().clone();
    for _ in 0..cuts {
        mangle::mangle(u, &mut encoding)?;
    }
    let read = encode(&encoding, 300.0, 200.0);
    if cuts == 0 {
        check_drawn(&read, &expected, tame);
    }
    check_resolved(&encoding, &read);
    Ok(match &read {
        Ok(scene) => {
            let stream = &scene.stream;
            assert_eq!(scene.origins.len(), stream.len());
            assert_eq!(reference::bounds(stream), naive::bounds(stream), "of {stream:?}");
            Outcome::ACCEPTED
        }
        Err(_) => Outcome::REFUSED,
    })
}

/// A scene made of calls can be read, and its boxes hold what was drawn.
fn check_drawn(read: &std::result::Result<Scene, VelloError>, expected: &[Expected], tame: bool) {
    if !tame {
        return;
    }
    let scene = match read {
        Ok(scene) => scene,
        Err(error) => {
            assert!(expected.len() == usize::MAX, "{error}: of {expected:?}");
            return;
        }
    };
    let stream = &scene.stream;
    let open = scene.notes.iter().filter(|note| note.ends_with("closed")).count();
    assert_eq!(stream.len() - open, expected.len(), "of {expected:?}");
    let elements = stream.tags().iter().zip(stream.rects()).zip(expected);
    for (at, ((tag, rect), expected)) in elements.enumerate() {
        assert_eq!(tag.role(), expected.role, "element {at} of {expected:?}");
        if tag.role() != Role::End && is_tame(expected.transform) {
            check_box(at, *rect, expected);
        }
    }
}

/// The box holds every point, give or take what `f32` makes of it.
fn check_box(at: usize, rect: Rect, expected: &Expected) {
    let [a, b, c, d, e, f] = expected.transform.as_coeffs();
    let points: Vec<_> = expected.points.iter().map(|p| (expected.transform * *p, *p)).collect();
    let slack = |x: f64, y: f64, z: f64| 0.01 + 1e-6 * (x.abs() + y.abs() + z.abs());
    let slacks = |p: kurbo::Point| [slack(a * p.x, c * p.y, e), slack(b * p.x, d * p.y, f)];
    let spread = |of: fn(kurbo::Point) -> f64| {
        let of = points.iter().map(|(point, _)| of(*point));
        of.clone().fold(f64::MIN, f64::max) - of.fold(f64::MAX, f64::min)
    };
    let worst = points.iter().flat_map(|(_, p)| slacks(*p)).fold(0.0, f64::max);
    // A shape that is thinner than the noise may have no box.
    if spread(|p| p.x).min(spread(|p| p.y)) <= 2.0 * worst {
        return;
    }
    let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
    for (point, own) in &points {
        let [sx, sy] = slacks(*own);
        let inside =
            x0 - sx <= point.x && point.x <= x1 + sx && y0 - sy <= point.y && point.y <= y1 + sy;
        assert!(inside, "element {at}: {rect:?} lacks {point:?} of {expected:?}");
    }
}

/// The resolver can pack whatever passes the check, and finds as many objects and layers as the layout says.
fn check_resolved(encoding: &Encoding, read: &std::result::Result<Scene, VelloError>) {
    if treebounds_vello::check(encoding).is_err() {
        return;
    }
    // A pipeline draws these, whatever they are; they have no boxes.
    let odd = |error: &VelloError| {
        matches!(
            error,
            VelloError::BadPathTag { .. }
                | VelloError::BadStyle { .. }
                | VelloError::PathOpen { .. }
                | VelloError::BadGlyphRun { .. }
                | VelloError::NotANumber { .. }
                | VelloError::StreamEnds { stream: "path data", .. }
        )
    };
    if let Err(error) = read {
        assert!(odd(error), "the check passes what is refused: {error}");
    }
    let mut packed = Vec::new();
    let (mut layout, ..) = Resolver::new().resolve(encoding, &mut packed);
    close_layers(&mut layout, encoding);
    let runs = encoding.resources.glyph_runs.len();
    // The packed bytes need not be aligned.
    let tags = &packed[4 * layout.draw_tag_base as usize..4 * layout.draw_data_base as usize];
    let tags = bytemuck::pod_collect_to_vec::<u8, DrawTag>(tags);
    if runs == 0 {
        assert_eq!(tags.len(), layout.n_draw_objects as usize);
    }
    let clips = tags.iter().filter(|tag| tag.0 & 1 != 0).count();
    assert_eq!(clips, layout.n_clips as usize);
    let depth = tags.iter().try_fold(0_usize, |depth, tag| match *tag {
        DrawTag::BEGIN_CLIP => Some(depth + 1),
        DrawTag::END_CLIP => depth.checked_sub(1),
        _ => Some(depth),
    });
    assert_eq!(depth, Some(0), "the layers that are closed balance");
}
