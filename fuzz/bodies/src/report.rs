//! Tests readers of reports with arbitrary text, with arbitrary JSON in the form of a report, and with
//! reports on arbitrary streams.

use crate::Outcome;
use crate::words::Words;
use serde_json::{Value, json};
use std::sync::OnceLock;
use treebounds_core::{Rect, Stream, reference};
use treebounds_inspector::{Diff, Exhibit, html, html_of_diff};
use treebounds_report::{Backend, Findings, Origin, ReadReport, Report, Scene};
use treebounds_testkit::streams::random_scene;
use treebounds_testkit::{Rng, failing};

/// The maximum number of elements in a reported stream.
const MOST: usize = 24;

/// Reads arbitrary JSON. The result must be a typed error, or a well-nested report that does not differ
/// from itself and cannot add elements to its page.
pub fn report(data: &[u8]) -> Outcome {
    let (kind, rest) = data.split_first().unwrap_or((&0, &[]));
    let mut rng = Rng::of_bytes(rest);
    match kind % 4 {
        0 => written(&mut rng),
        1 => read(&String::from_utf8_lossy(rest), *kind == 5),
        _ => read(&mangled(&mut rng), *kind == 2),
    }
}

/// Reads a text that may be a report. The page is half a megabyte, so it is not made for every text.
fn read(text: &str, with_page: bool) -> Outcome {
    if with_page {
        check_page(text);
    }
    let Ok(report) = ReadReport::from_json(text) else { return Outcome::REFUSED };
    let diff = Diff::new(&report, &report);
    assert!(diff.is_empty(), "{:?} of {text}", diff.changes);
    serde_json::from_str::<Value>(&diff.to_json())
        .map_or_else(|error| assert!(error.line() == usize::MAX, "{error}: of {text}"), |_| ());
    let Ok(scene) = report.scene() else { return Outcome::REFUSED };
    assert_eq!(scene.stream.len(), report.elements.len());
    Outcome::ACCEPTED
}

/// Checks that nothing in a report ends the page element that contains it.
fn check_page(text: &str) {
    static PLAIN: OnceLock<[usize; 4]> = OnceLock::new();
    let counts = |report, drawing| {
        let page = html(&Exhibit { report, drawing, ..Exhibit::default() });
        ["<script", "</script", "<!--", "<style"].map(|word| page.matches(word).count())
    };
    let plain = PLAIN.get_or_init(|| counts("{}", None));
    assert_eq!(counts(text, Some(text)), *plain, "of {text}");
}

/// Checks that a report on an arbitrary stream reads back unchanged.
fn written(rng: &mut Rng) -> Outcome {
    let names = [(); 4].map(|()| rng.byte());
    let words = Words::read(rng, MOST);
    let Ok(stream) = words.stream() else { return Outcome::REFUSED };
    let scene = scene(stream, names);
    let bounds = reference::bounds(&scene.stream);
    let Ok(findings) = Findings::new(&scene, &bounds) else { return Outcome::REFUSED };
    let (mut json, mut csv) = (Vec::new(), Vec::new());
    let report = Report::new(&findings, Backend::Cpu, "any </script> \"name\"\n");
    assert!(report.write_json(&mut json).is_ok() && report.write_csv(&mut csv).is_ok());
    let text = String::from_utf8_lossy(&json).into_owned();
    let read = ReadReport::from_json(&text);
    assert!(read.is_ok(), "{:?}: {}", read.err(), failing(&scene.stream));
    let Ok(read) = read else { return Outcome::REFUSED };
    check_read_back(&read, &scene, &bounds.boxes, &text);
    check_diff(&read, &scene, &text);
    Outcome::ACCEPTED
}

/// Returns the JSON of a report on an arbitrary stream, with modified values.
fn mangled(rng: &mut Rng) -> String {
    let names = [(); 4].map(|()| rng.byte());
    let seed = rng.byte();
    let scene = scene(random_scene(seed.into(), usize::from(seed) % 24, 40), names);
    let bounds = reference::bounds(&scene.stream);
    let mut json = Vec::new();
    let written = Findings::new(&scene, &bounds)
        .map(|findings| Report::new(&findings, Backend::Cpu, "any.svg").write_json(&mut json));
    assert!(matches!(written, Ok(Ok(()))), "of {scene:?}");
    let mut report = serde_json::from_slice(&json).unwrap_or_default();
    mangle(rng, &mut report);
    report.to_string()
}

/// Returns a scene of a stream, with ids that need escaping and some shared ids.
fn scene(stream: Stream, names: [u8; 4]) -> Scene {
    let id = |at: usize| match (usize::from(names[at % 4]) + at) % 6 {
        0 => Some("twice".to_owned()),
        1 => Some(format!("</script>\u{2028}\u{0}\"{at}")),
        2 => Some(format!("n{at}")),
        _ => None,
    };
    let origins = (0..stream.len()).map(|at| Origin { id: id(at), ..Origin::default() }).collect();
    let notes = vec!["a note".to_owned(); usize::from(names[0] % 3)];
    Scene { stream, origins, notes, width: 1.0 + f32::from(names[1]), height: 1.0 }
}

/// Checks that a report reads back as its scene. Returns the scene that was read.
pub(crate) fn check_read_back(
    read: &ReadReport,
    scene: &Scene,
    bounds: &[Rect],
    text: &str,
) -> Option<Scene> {
    let again = read.scene();
    assert!(again.is_ok(), "{:?}: of {text}", again.err());
    let again = again.ok()?;
    let tags: Vec<_> = again.stream.tags().iter().map(|tag| tag.name()).collect();
    let were: Vec<_> = scene.stream.tags().iter().map(|tag| tag.name()).collect();
    assert_eq!(tags, were, "of {text}");
    assert_eq!(again.stream.rects(), scene.stream.rects(), "of {text}");
    assert_eq!(again.stream.viewport(), scene.stream.viewport(), "of {text}");
    assert_eq!(again.notes, scene.notes);
    for ((element, bounds), origin) in read.elements.iter().zip(bounds).zip(&scene.origins) {
        assert_eq!(element.bounds, *bounds, "element {} of {text}", element.ix);
        assert_eq!(element.id.as_deref(), origin.id.as_deref(), "element {} of {text}", element.ix);
    }
    Some(again)
}

/// Checks that a report does not differ from itself.
fn check_diff(read: &ReadReport, scene: &Scene, text: &str) {
    let diff = Diff::new(read, read);
    assert!(diff.is_empty(), "{:?} of {text}", diff.changes);
    if scene.stream.len() == 3 && scene.width < 8.0 {
        let exhibit = Exhibit { report: text, ..Exhibit::default() };
        let page = html_of_diff(&exhibit, &exhibit, &diff);
        assert!(page.starts_with("<!doctype html>"));
    }
}

/// Changes or removes up to three values anywhere in the report.
fn mangle(rng: &mut Rng, report: &mut Value) {
    for _ in 0..rng.below(4) {
        change(rng, report);
    }
}

/// Descends to a random value and changes it.
fn change(rng: &mut Rng, value: &mut Value) {
    let stay = rng.byte() < 32;
    match value {
        Value::Array(items) if !stay && !items.is_empty() => {
            let at = rng.below(items.len() as u32) as usize;
            change(rng, &mut items[at]);
        }
        Value::Object(fields) if !stay && !fields.is_empty() => {
            let at = rng.below(fields.len() as u32) as usize;
            let Some(name) = fields.keys().nth(at).cloned() else { return };
            if rng.byte() < 32 {
                fields.remove(&name);
                return;
            }
            if let Some(field) = fields.get_mut(&name) {
                change(rng, field);
            }
        }
        _ => *value = any(rng, 0),
    }
}

/// Returns arbitrary JSON, a few levels deep, including the words used in reports.
fn any(rng: &mut Rng, depth: u8) -> Value {
    const WORDS: [&str; 8] =
        ["draw", "begin_clip", "end_blend", "begin_", "everything", "svg/g[2]", "</script>", ""];
    match rng.below(10) {
        0 => Value::Null,
        1 => rng.one_in(2).into(),
        2 => (rng.bits() as i64).into(),
        3 => f64::from_bits(rng.bits()).into(),
        4 => 1e39.into(),
        5 => any_text(rng).into(),
        6 => (*rng.pick(&WORDS)).into(),
        7 => [1, 2, 3, 4, 5][..rng.below(6) as usize].to_vec().into(),
        8 if depth < 4 => Value::Array(vec![any(rng, depth + 1); 3]),
        _ if depth < 4 => json!({ "x0": any(rng, depth + 1) }),
        _ => Value::Null,
    }
}

/// Returns a few characters. Half of them are ASCII.
fn any_text(rng: &mut Rng) -> String {
    let character = |rng: &mut Rng| match rng.below(2) {
        0 => rng.below(128),
        _ => rng.below(0x11_0000),
    };
    (0..rng.below(9)).filter_map(|_| char::from_u32(character(rng))).collect()
}
