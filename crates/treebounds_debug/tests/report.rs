//! The report says what REPORT.md says it does.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use treebounds_core::{
    Bounds, NodeKind, Origin, Rect, Scene, Stream, StreamBuilder, Tag, reference,
};
use treebounds_debug::{Backend, Findings, Report, Selection};

/// Numbers that are easily written with too few digits.
const ODD: Rect = Rect::new(0.1, -f32::MAX, 16_777_218.0, -1.0 / 3.0);

/// A clip with a culled and a visible draw, and a layer with an odd one.
fn scene() -> Scene {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 200.0, 100.0));
    stream.begin(NodeKind::Clip, Rect::new(0.0, 0.0, 50.0, 50.0)).unwrap();
    stream.draw(Rect::new(10.0, 10.0, 40.0, 500.0)).unwrap();
    stream.draw(Rect::new(60.0, 10.0, 70.0, 20.0)).unwrap();
    stream.end().unwrap();
    stream.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
    stream.draw(ODD).unwrap();
    stream.end().unwrap();
    let ids = ["badge", "in,\"side", "", "badge", "", "", ""];
    let origins = ids.iter().map(|&id| Origin {
        id: (!id.is_empty()).then(|| id.to_owned()),
        source: "g".into(),
        ..Origin::default()
    });
    Scene {
        stream: stream.finish().unwrap(),
        origins: origins.collect(),
        notes: vec!["a note".into()],
        width: 200.0,
        height: 100.0,
    }
}

fn json(findings: &Findings<'_>) -> Value {
    let mut out = Vec::new();
    Report::new(findings, Backend::Cpu, "drawing.svg").write_json(&mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

#[test]
fn has_every_field_of_the_schema() {
    let scene = scene();
    let bounds = reference::bounds(&scene.stream);
    let report = json(&Findings::new(&scene, &bounds).unwrap());
    let fields = "schema source width height viewport backend elements notes summary";
    assert!(fields.split(' ').all(|field| report.get(field).is_some()));
    assert_eq!(report["schema"], "treebounds.report/1");
    assert_eq!(report["backend"], serde_json::json!({"kind": "cpu", "adapter": null}));
    assert_eq!(report["notes"], serde_json::json!(["a note"]));
    let expected = serde_json::json!({"ix": 0, "kind": "begin_clip", "non_local": false,
        "id": "badge", "source": "g", "depth": 0, "link": null, "rect": [0.0, 0.0, 50.0, 50.0],
        "own": null, "clip": [0.0, 0.0, 50.0, 50.0], "content": [10.0, 10.0, 40.0, 50.0],
        "bounds": [10.0, 10.0, 40.0, 50.0]});
    assert_eq!(report["elements"][0], expected);
    let expected = serde_json::json!({"elements": 7, "draws": 3, "clips": 1, "blends": 1,
        "culled": 4, "max_depth": 1});
    assert_eq!(report["summary"], expected, "a layer above the viewport is culled");
}

#[test]
fn boxes_are_null_everything_or_four_numbers_that_read_back() {
    let scene = scene();
    let bounds = reference::bounds(&scene.stream);
    let report = json(&Findings::new(&scene, &bounds).unwrap());
    let elements = report["elements"].as_array().unwrap();
    assert_eq!(elements[3]["rect"], Value::Null);
    assert_eq!(elements[3]["link"], 0);
    assert_eq!(elements[2]["bounds"], Value::Null);
    assert_eq!(elements[4]["rect"], "everything");
    let read: [f32; 4] = serde_json::from_value(elements[5]["rect"].clone()).unwrap();
    assert_eq!(read, ODD.to_array());
}

#[test]
fn a_selection_has_the_nodes_around_it_with_their_ends() {
    let scene = scene();
    let bounds = reference::bounds(&scene.stream);
    let indices = |id| {
        let selection = Selection::of_id(&scene, id)?;
        let findings = Findings::new(&scene, &bounds).ok()?.only(selection);
        let report = json(&findings);
        assert_eq!(report["summary"]["elements"], report["elements"].as_array()?.len());
        let indices = report["elements"].as_array()?.iter().map(|element| element["ix"].as_u64());
        indices.collect::<Option<Vec<_>>>()
    };
    assert_eq!(indices("badge"), Some(vec![0, 3]));
    assert_eq!(indices("in,\"side"), Some(vec![0, 1, 3]));
    assert_eq!(indices("nobody"), None);
}

#[test]
fn a_selection_of_elements_has_the_nodes_around_them() {
    let scene = scene();
    let of = |indices: &[u32]| {
        let selection = Selection::of_elements(&scene, indices.iter().copied())?;
        let all = 0..scene.stream.len() as u32;
        Some(all.filter(|ix| selection.contains(*ix)).collect::<Vec<_>>())
    };
    assert_eq!(of(&[1]), Some(vec![0, 1, 3]));
    assert_eq!(of(&[4, 1]), Some(vec![0, 1, 3, 4, 6]));
    assert_eq!(of(&[0]), Some(vec![0, 3]));
    assert_eq!(of(&[3, u32::MAX]), Some(vec![0, 3]));
    assert_eq!(of(&[6]), of(&[4]));
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[u32::MAX]), None);
}

#[test]
fn csv_quotes_ids_and_leaves_empty_boxes_empty() {
    let scene = scene();
    let bounds = reference::bounds(&scene.stream);
    let findings = Findings::new(&scene, &bounds).unwrap();
    let mut out = Vec::new();
    Report::new(&findings, Backend::Cpu, "drawing.svg").write_csv(&mut out).unwrap();
    let lines: Vec<_> = str::from_utf8(&out).unwrap().lines().collect();
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[0], "id,kind,x,y,w,h");
    assert_eq!(lines[1], "badge,begin_clip,10,10,30,40");
    assert_eq!(lines[2], "\"in,\"\"side\",draw,10,10,30,40");
    assert_eq!(lines[3], ",draw,,,,");
}

#[test]
fn streams_that_do_not_balance_are_reported_too() {
    let rect = Rect::new(0.0, 0.0, 1.0, 1.0);
    let tags = vec![Tag::end(NodeKind::Clip), Tag::begin(NodeKind::Clip), Tag::DRAW];
    let stream = Stream::new(tags, vec![rect; 3], rect).unwrap();
    let origins = vec![Origin::default(); 3];
    let scene = Scene { stream, origins, notes: vec![], width: 1.0, height: 1.0 };
    let bounds = reference::bounds(&scene.stream);
    let report = json(&Findings::new(&scene, &bounds).unwrap());
    let depths: Vec<_> = (0..3).map(|ix| report["elements"][ix]["depth"].as_u64()).collect();
    assert_eq!(depths, [Some(0), Some(0), Some(1)]);
    assert_eq!(report["elements"][0]["link"], Value::Null);
}

#[test]
fn bounds_of_another_scene_are_refused() {
    assert!(Findings::new(&scene(), &Bounds::default()).is_err());
}
