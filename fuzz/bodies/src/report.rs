//! What reads reports: any text, any JSON in the form of a report, and reports of any stream.

use crate::Outcome;
use crate::words::Words;
use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};
use std::sync::OnceLock;
use treebounds_core::{Rect, Role, Stream, reference};
use treebounds_inspector::{Diff, Exhibit, html, html_of_diff};
use treebounds_report::{Backend, Findings, Origin, ReadReport, Report, Scene};
use treebounds_testkit::streams::random_scene;

/// Elements of the longest stream that is reported.
const MOST: usize = 24;

/// Any JSON: a typed error or a report that nests, is the same as itself, and whose page has no element of its own.
pub fn report(data: &[u8]) -> Outcome {
    let (kind, rest) = data.split_first().unwrap_or((&0, &[]));
    let mut u = Unstructured::new(rest);
    match kind % 4 {
        0 => written(&mut u).unwrap_or(Outcome::REFUSED),
        1 => read(&String::from_utf8_lossy(rest), *kind == 5),
        _ => read(&mangled(&mut u).unwrap_or_default(), *kind == 2),
    }
}

/// A text that may be a report. The page is half a megabyte, so it is not made of each.
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

/// Nothing in a report ends the element of the page that holds it.
fn check_page(text: &str) {
    static PLAIN: OnceLock<[usize; 4]> = OnceLock::new();
    let counts = |report, drawing| {
        let page = html(&Exhibit { report, drawing, ..Exhibit::default() });
        ["<script", "</script", "<!--", "<style"].map(|word| page.matches(word).count())
    };
    let plain = PLAIN.get_or_init(|| counts("{}", None));
    assert_eq!(counts(text, Some(text.as_bytes())), *plain, "of {text}");
}

/// A report of any stream reads back as it was.
fn written(u: &mut Unstructured<'_>) -> Result<Outcome> {
    let names: [u8; 4] = u.arbitrary()?;
    let words = Words::read(u, MOST)?;
    let Ok(stream) = words.stream() else { return Ok(Outcome::REFUSED) };
    let scene = scene(stream, names);
    let bounds = reference::bounds(&scene.stream);
    let Ok(findings) = Findings::new(&scene, &bounds) else { return Ok(Outcome::REFUSED) };
    let (mut json, mut csv) = (Vec::new(), Vec::new());
    let report = Report::new(&findings, Backend::Cpu, "any </script> \"name\"\n");
    assert!(report.write_json(&mut json).is_ok() && report.write_csv(&mut csv).is_ok());
    let text = String::from_utf8_lossy(&json).into_owned();
    let read = ReadReport::from_json(&text);
    if nests(&scene.stream) {
        assert!(read.is_ok(), "{:?}: of {text}", read.err());
    }
    let Ok(read) = read else { return Ok(Outcome::REFUSED) };
    check_read_back(&read, &scene, &bounds.boxes, &text);
    check_diff(&read, &scene, &text);
    Ok(Outcome::ACCEPTED)
}

/// The JSON of a report of any stream, with values changed.
fn mangled(u: &mut Unstructured<'_>) -> Result<String> {
    let names: [u8; 4] = u.arbitrary()?;
    let seed = u.arbitrary::<u8>()?;
    let scene = scene(random_scene(seed.into(), usize::from(seed) % 24, 40), names);
    let bounds = reference::bounds(&scene.stream);
    let mut json = Vec::new();
    let written = Findings::new(&scene, &bounds)
        .map(|findings| Report::new(&findings, Backend::Cpu, "any.svg").write_json(&mut json));
    assert!(matches!(written, Ok(Ok(()))), "of {scene:?}");
    let mut report = serde_json::from_slice(&json).unwrap_or_default();
    mangle(u, &mut report)?;
    Ok(report.to_string())
}

/// A scene of a stream, with ids that want escaping and some that several elements have.
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

/// Whether every end is of the kind of its begin: what is read as a report must be.
fn nests(stream: &Stream) -> bool {
    let tags = stream.tags();
    tags.iter().zip(reference::links(tags)).all(|(tag, link)| {
        let begin = tags.get(link as usize);
        tag.role() != Role::End || begin.is_none_or(|begin| begin.node_kind() == tag.node_kind())
    })
}

/// A report reads back as the scene that it was of; the scene again.
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

/// A report differs in nothing from itself.
fn check_diff(read: &ReadReport, scene: &Scene, text: &str) {
    let diff = Diff::new(read, read);
    assert!(diff.is_empty(), "{:?} of {text}", diff.changes);
    if scene.stream.len() == 3 && scene.width < 8.0 {
        let exhibit = Exhibit { report: text, ..Exhibit::default() };
        let page = html_of_diff(&exhibit, &exhibit, &diff);
        assert!(page.starts_with("<!doctype html>"));
    }
}

/// Changes up to three values anywhere in the report, or takes them out.
fn mangle(u: &mut Unstructured<'_>, report: &mut Value) -> Result<()> {
    for _ in 0..u.arbitrary::<u8>()? % 4 {
        change(u, report)?;
    }
    Ok(())
}

/// Goes down to a random value, and changes it.
fn change(u: &mut Unstructured<'_>, value: &mut Value) -> Result<()> {
    let stay = u.arbitrary::<u8>()? < 32;
    match value {
        Value::Array(items) if !stay && !items.is_empty() => {
            let at = u.choose_index(items.len())?;
            change(u, &mut items[at])
        }
        Value::Object(fields) if !stay && !fields.is_empty() => {
            let at = u.choose_index(fields.len())?;
            let Some(name) = fields.keys().nth(at).cloned() else { return Ok(()) };
            if u.arbitrary::<u8>()? < 32 {
                fields.remove(&name);
                return Ok(());
            }
            fields.get_mut(&name).map_or(Ok(()), |field| change(u, field))
        }
        _ => {
            *value = any(u, 0)?;
            Ok(())
        }
    }
}

/// Any JSON, a few levels deep; among it the words that reports are made of.
fn any(u: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    const WORDS: [&str; 8] =
        ["draw", "begin_clip", "end_blend", "begin_", "everything", "svg/g[2]", "</script>", ""];
    Ok(match u.arbitrary::<u8>()? % 10 {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i64>()?.into(),
        3 => f64::from_bits(u.arbitrary()?).into(),
        4 => 1e39.into(),
        5 => u.arbitrary::<&str>()?.into(),
        6 => (*u.choose(&WORDS)?).into(),
        7 => [1, 2, 3, 4, 5][..usize::from(u.arbitrary::<u8>()? % 6)].to_vec().into(),
        8 if depth < 4 => Value::Array(vec![any(u, depth + 1)?; 3]),
        _ if depth < 4 => json!({ "x0": any(u, depth + 1)? }),
        _ => Value::Null,
    })
}
