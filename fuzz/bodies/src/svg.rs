//! Tests SVG files of arbitrary bytes.

pub(crate) mod bomb;
pub(crate) mod made;

use crate::Outcome;
use crate::report::check_read_back;
use treebounds_core::{Rect, Role, reference};
use treebounds_encoding::svg::{
    Drawing, GuardError, Options, Painter, SvgError, encode, encode_tree,
};
use treebounds_report::{Backend, Findings, ReadReport, Report};
use treebounds_testkit::failing;

/// Checks that arbitrary bytes yield a one-line typed error, or a scene that is balanced, fits its viewport and
/// reads back from its report. Caught panics of the SVG library are counted separately.
pub fn svg(data: &[u8]) -> Outcome {
    match encode(data, &Options::default().painter(Painter::Resvg)) {
        Ok(drawing) => {
            check(&drawing);
            Outcome::ACCEPTED
        }
        Err(error) => {
            let message = error.to_string();
            assert!(!message.is_empty() && !message.contains('\n'), "{message:?}");
            let caught = matches!(error, SvgError::Guard(GuardError::Panicked { .. }));
            if caught { Outcome::CAUGHT } else { Outcome::REFUSED }
        }
    }
}

fn check(drawing: &Drawing) {
    let Drawing { scene, document, tree } = drawing;
    let stream = &scene.stream;
    assert_eq!(scene.origins.len(), stream.len());
    assert_eq!(document.sources.len(), stream.len());
    assert!(scene.width > 0.0 && scene.width.is_finite(), "{}", scene.width);
    assert!(scene.height > 0.0 && scene.height.is_finite(), "{}", scene.height);
    assert!(scene.notes.iter().all(|note| !note.is_empty() && !note.contains('\n')));
    let depth = stream.tags().iter().try_fold(0_usize, |depth, tag| match tag.role() {
        Role::Draw => Some(depth),
        Role::Begin => Some(depth + 1),
        Role::End => depth.checked_sub(1),
    });
    assert_eq!(depth, Some(0), "the stream balances; {}", failing(stream));
    let bounds = reference::bounds(stream);
    let mut landings = reference::landings(stream, &bounds).into_iter();
    assert!(landings.all(|rect| stream.viewport().contains(rect)), "{}", failing(stream));
    if let Ok(again) = encode_tree(tree) {
        let same = again.stream == *stream;
        assert!(same, "the tree alone gives other elements; {}", failing(stream));
    }
    let findings = Findings::new(scene, &bounds).and_then(|findings| findings.of(document));
    assert!(findings.is_ok(), "{:?}; {}", findings.err(), failing(stream));
    if let Ok(findings) = findings {
        check_report(&findings, drawing, &bounds.boxes);
    }
}

/// Checks that the report reads back with the same stream, ids and boxes.
fn check_report(findings: &Findings<'_>, drawing: &Drawing, bounds: &[Rect]) {
    let scene = &drawing.scene;
    // Long reports would test nothing new.
    if scene.stream.len() > 2000 || drawing.document.objects.len() > 2000 {
        return;
    }
    let mut json = Vec::new();
    assert!(Report::new(findings, Backend::Cpu, "any.svg").write_json(&mut json).is_ok());
    let text = String::from_utf8_lossy(&json);
    let read = ReadReport::from_json(&text);
    assert!(read.is_ok(), "{:?}; {}", read.err(), failing(&scene.stream));
    if let Ok(read) = read {
        let again = check_read_back(&read, scene, bounds, &text);
        assert!(again.is_some_and(|again| again.stream == scene.stream));
    }
}
