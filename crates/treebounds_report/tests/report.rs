//! Tests the report against REPORT.md.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use treebounds_core::{
    Bounds, Footprint, NONE, NodeKind, Rect, Stream, StreamBuilder, Tag, reference,
};
use treebounds_report::{
    Backend, Cut, Findings, Ignored, Object, Origin, Part, ReadError, ReadReport, Report, Scene,
    Selection, SourceDocument,
};

/// Numbers that need all their digits to read back unchanged.
const ODD: Rect = Rect::new(0.1, -f32::MAX, 16_777_218.0, -1.0 / 3.0);

/// Returns a clip with a culled and a visible draw, and a layer that contains a draw with the box [`ODD`].
fn scene() -> Scene {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 200.0, 100.0));
    stream.begin(NodeKind::Clip, Rect::new(0.0, 0.0, 50.0, 50.0)).unwrap();
    stream.draw(Rect::new(10.0, 10.0, 40.0, 500.0)).unwrap();
    stream.draw(Rect::new(60.0, 10.0, 70.0, 20.0)).unwrap();
    stream.end().unwrap();
    stream.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
    stream.draw(ODD).unwrap();
    stream.end().unwrap();
    scene_of(stream.finish().unwrap(), &["badge", "in,\"side", "", "badge", "", "", ""])
}

fn scene_of(stream: Stream, ids: &[&str]) -> Scene {
    let origins = (0..stream.len()).map(|at| Origin {
        id: ids.get(at).filter(|id| !id.is_empty()).map(ToString::to_string),
        source: "g".into(),
        ..Origin::default()
    });
    let (origins, notes) = (origins.collect(), vec!["a note".into()]);
    Scene { stream, origins, notes, width: 200.0, height: 100.0 }
}

fn json(findings: &Findings<'_>) -> Value {
    let mut out = Vec::new();
    Report::new(findings, Backend::Cpu, "drawing.svg").write_json(&mut out).unwrap();
    serde_json::from_slice(&out).unwrap()
}

/// Returns the JSON report on a scene and its document, if any.
fn report(scene: &Scene, document: Option<&SourceDocument>) -> Value {
    let bounds = reference::bounds(&scene.stream);
    let findings = Findings::new(scene, &bounds).unwrap();
    json(&match document {
        Some(document) => findings.of(document).unwrap(),
        None => findings,
    })
}

#[test]
fn reports_have_every_field_of_the_schema() {
    let report = report(&scene(), None);
    let fields = "schema source width height viewport backend elements notes summary";
    assert!(fields.split(' ').all(|field| report.get(field).is_some()));
    assert_eq!(report["schema"], "treebounds.report/1");
    assert_eq!(report["backend"], serde_json::json!({"kind": "cpu", "adapter": null}));
    assert_eq!(report["notes"], serde_json::json!(["a note"]));
    let expected = serde_json::json!({"ix": 0, "kind": "begin_clip", "non_local": false,
        "id": "badge", "source": "g", "depth": 0, "link": null, "rect": [0.0, 0.0, 50.0, 50.0],
        "own": null, "clip": [0.0, 0.0, 50.0, 50.0], "content": [10.0, 10.0, 40.0, 50.0],
        "bounds": [10.0, 10.0, 40.0, 50.0], "parent": null,
        "unclipped": [10.0, 10.0, 70.0, 500.0], "culled": null, "path": null});
    assert_eq!(report["elements"][0], expected);
    let summary = &report["summary"];
    for (field, count) in [
        ("elements", 7),
        ("draws", 3),
        ("clips", 1),
        ("blends", 1),
        ("culled", 4),
        ("max_depth", 1),
        ("culled_draws", 2),
        ("filters", 0),
        ("nodes", 2),
        ("culled_nodes", 1),
    ] {
        assert_eq!(summary[field], count, "{field}: a layer above the viewport is culled");
    }
    let hidden = 30.0 * 50.0 + 10.0 * 10.0;
    let share = hidden / (30.0 * 90.0 + 10.0 * 10.0);
    assert!((summary["saved"]["clips"].as_f64().unwrap() - share).abs() < 1e-9, "{summary}");
    assert_eq!(report["objects"], serde_json::json!([]));
}

#[test]
fn boxes_read_back_unchanged() {
    let report = report(&scene(), None);
    let elements = report["elements"].as_array().unwrap();
    assert_eq!(elements[3]["rect"], Value::Null);
    assert_eq!(elements[3]["link"], 0);
    assert_eq!(elements[2]["bounds"], Value::Null);
    assert_eq!(elements[4]["rect"], "everything");
    let read: [f32; 4] = serde_json::from_value(elements[5]["rect"].clone()).unwrap();
    assert_eq!(read, ODD.to_array());
}

#[test]
fn selecting_an_id_includes_the_nodes_around_it() {
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
fn selecting_elements_includes_the_nodes_around_them() {
    let scene = scene();
    for (elements, expected) in [
        (&[1][..], Some(vec![0, 1, 3])),
        (&[4, 1], Some(vec![0, 1, 3, 4, 6])),
        (&[0], Some(vec![0, 3])),
        (&[3, u32::MAX], Some(vec![0, 3])),
        (&[4], Some(vec![4, 6])),
        (&[6], Some(vec![4, 6])),
        (&[], None),
        (&[u32::MAX], None),
    ] {
        let selection = Selection::of_elements(&scene, elements.iter().copied());
        let selected = |selection: Selection| {
            (0..scene.stream.len() as u32).filter(|ix| selection.contains(*ix)).collect::<Vec<_>>()
        };
        assert_eq!(selection.map(selected), expected, "{elements:?}");
    }
}

#[test]
fn csv_quotes_ids_and_leaves_empty_boxes_empty() {
    let scene = scene();
    let bounds = reference::bounds(&scene.stream);
    let findings = Findings::new(&scene, &bounds).unwrap();
    let mut out = Vec::new();
    Report::new(&findings, Backend::Cpu, "drawing.svg").write_csv(&mut out).unwrap();
    let lines: Vec<_> = str::from_utf8(&out).unwrap().lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(lines[0], Report::COLUMNS.join(","));
    assert!(lines[0].starts_with("id,kind,x,y,w,h,"));
    assert_eq!(lines[1], "badge,clip,10,10,30,40,40,50,0,0,,10,10,70,500,,g,,drawing.svg");
    assert_eq!(
        lines[2],
        "\"in,\"\"side\",draw,10,10,30,40,40,50,1,1,0,10,10,40,500,,g,,drawing.svg"
    );
    assert_eq!(lines[3], ",draw,,,,,,,2,1,0,60,10,70,20,outside the clip of #badge,g,,drawing.svg");
}

#[test]
fn unbalanced_streams_are_reported() {
    let rect = Rect::new(0.0, 0.0, 1.0, 1.0);
    let tags = vec![Tag::end(NodeKind::Clip), Tag::begin(NodeKind::Clip), Tag::DRAW];
    let stream = Stream::new(tags, vec![rect; 3], rect).unwrap();
    let report = report(&scene_of(stream, &[]), None);
    let depths: Vec<_> = (0..3).map(|ix| report["elements"][ix]["depth"].as_u64()).collect();
    assert_eq!(depths, [Some(0), Some(0), Some(1)]);
    assert_eq!(report["elements"][0]["link"], Value::Null);
}

/// Returns a group with a clip and a layer of opacity 0, a clip path and a gradient. The group contains a text with
/// a fully clipped tspan.
fn document() -> (Scene, SourceDocument) {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 200.0, 100.0));
    stream.begin(NodeKind::Clip, Rect::new(0.0, 0.0, 50.0, 50.0)).unwrap();
    stream.draw(Rect::new(10.0, 10.0, 90.0, 20.0)).unwrap();
    stream.draw(Rect::new(60.0, 10.0, 70.0, 20.0)).unwrap();
    stream.end().unwrap();
    stream.begin(NodeKind::Blend, Rect::NOTHING).unwrap();
    stream.draw(Rect::new(0.0, 0.0, 10.0, 10.0)).unwrap();
    stream.end().unwrap();
    stream.draw(Rect::new(0.0, 100.0, 9.0, 109.0)).unwrap();
    let object = |id: &str, tag: &'static str, parent, ordinal, part, used| Object {
        id: (!id.is_empty()).then(|| id.into()),
        tag: tag.into(),
        parent,
        ordinal,
        part,
        used,
        is_used: id == "glow",
    };
    let (painted, nothing) = (Part::Painted, Rect::NOTHING);
    let objects = vec![
        object("", "svg", NONE, 1, painted, nothing),
        object("hole", "clipPath", 0, 1, Part::Definition, Rect::new(0.0, 0.0, 50.0, 50.0)),
        object("sky", "linearGradient", 0, 1, Part::Definition, nothing),
        object("card", "g", 0, 1, painted, nothing),
        object("t", "text", 3, 1, painted, nothing),
        object("gone", "tspan", 4, 1, painted, nothing),
        object("glass", "g", 0, 2, painted, nothing),
        object("", "rect", 6, 1, painted, nothing),
        object("off", "rect", 0, 1, Part::Hidden, nothing),
        object("glow", "filter", 0, 1, Part::Definition, nothing),
        object("soft", "feGaussianBlur", 9, 1, Part::Definition, nothing),
    ];
    let cuts = vec![
        Cut { element: 0, clip: Some("hole".into()), ..Cut::default() },
        Cut { element: 4, transparent: true, ..Cut::default() },
    ];
    let ignored =
        vec![Ignored { object: 7, what: "animate".into(), effect: "stands still".into() }];
    let sources = vec![3, 4, 5, 3, 6, 7, 6, NONE];
    let ids = ["card", "t", "t", "card", "glass", "", "glass", ""];
    let scene = scene_of(stream.finish().unwrap(), &ids);
    (scene, SourceDocument { objects, sources, cuts, ignored })
}

#[test]
fn every_id_has_boxes_or_a_reason() {
    let (scene, document) = document();
    let bounds = reference::bounds(&scene.stream);
    let findings = Findings::new(&scene, &bounds).unwrap().of(&document).unwrap();
    let report = json(&findings);
    let objects = report["objects"].as_array().unwrap();
    let ids: Vec<_> = objects.iter().map(|object| object["id"].as_str()).collect();
    let expected = ["hole", "sky", "card", "t", "gone", "glass", "off", "glow", "soft"].map(Some);
    assert_eq!(ids[1..], expected);
    assert_eq!(ids[0], None, "the root");
    let of = |id: &str| objects.iter().find(|object| object["id"] == id).unwrap();
    assert_eq!(of("hole")["bounds"], serde_json::json!([0.0, 0.0, 50.0, 50.0]));
    assert_eq!(of("card")["unclipped"], serde_json::json!([10.0, 10.0, 90.0, 20.0]));
    assert_eq!(of("card")["bounds"], serde_json::json!([10.0, 10.0, 50.0, 20.0]));
    assert_eq!((&of("card")["draws"], &of("t")["path"]), (&2.into(), &"svg/g[1]/text[1]".into()));
    let why = |id: &str| of(id)["culled"]["by"].as_str();
    assert_eq!(
        ["hole", "sky", "card", "gone", "glass", "off"].map(why),
        [None, Some("definition"), None, Some("clip"), Some("opacity"), Some("hidden")]
    );
    assert_eq!(["glow", "soft"].map(why), [Some("reference"); 2]);
    assert_eq!(of("gone")["culled"]["path"], "hole");
    assert_eq!(of("gone")["culled"]["node"], "card");
    let elements = report["elements"].as_array().unwrap();
    assert_eq!(elements[5]["path"], "svg/g[2]/rect[1]");
    assert_eq!(elements[5]["culled"]["by"], "opacity");
    assert_eq!(elements[6]["culled"]["ix"], 4);
    assert_eq!(
        (&elements[7]["culled"]["by"], &elements[7]["path"]),
        (&"canvas".into(), &Value::Null)
    );
    assert_eq!(report["ignored"][0]["path"], "svg/g[2]/rect[1]");
    let saved = findings.summary().saved.parts();
    assert_eq!(saved.iter().map(|(what, _)| *what).collect::<Vec<_>>(), ["clips", "opacity 0"]);
}

#[test]
fn selecting_an_object_includes_its_contents() {
    let (scene, document) = document();
    let bounds = reference::bounds(&scene.stream);
    let ids = |id: &str| {
        let selection = Selection::of_object(&scene, &document, id)?;
        let findings = Findings::new(&scene, &bounds).ok()?.of(&document).ok()?.only(selection);
        let objects = findings.objects();
        let ids: Vec<_> =
            objects.iter().filter_map(|object| object.id.as_deref().map(String::from)).collect();
        Some((findings.elements().map(|element| element.ix).collect::<Vec<_>>(), ids.join(" ")))
    };
    assert_eq!(ids("t"), Some((vec![0, 1, 2, 3], "t gone".into())));
    assert_eq!(ids("gone"), Some((vec![0, 2, 3], "gone".into())));
    assert_eq!(ids("hole"), Some((vec![], "hole".into())));
    assert_eq!(ids("nobody"), None);
}

#[test]
fn rejects_bounds_of_another_scene() {
    assert!(Findings::new(&scene(), &Bounds::default()).is_err());
}

#[test]
fn reports_read_back_unchanged() {
    let (scene, document) = document();
    let bounds = reference::bounds(&scene.stream);
    let findings = Findings::new(&scene, &bounds).unwrap().of(&document).unwrap();
    let report = Report::new(&findings, Backend::Gpu { adapter: "any".into() }, "drawing.svg");
    let mut text = Vec::new();
    report.write_json(&mut text).unwrap();
    let read = ReadReport::from_json(str::from_utf8(&text).unwrap()).unwrap();
    assert!(read.elements.iter().eq(findings.elements().collect::<Vec<_>>().iter()));
    assert!(read.objects == report.objects && read.groups == report.groups);
    assert_eq!(read.backend, report.backend);
    assert_eq!(read.scene().unwrap().stream, scene.stream);
    let again = serde_json::to_value(&read).unwrap();
    assert_eq!(again, serde_json::from_slice::<Value>(&text).unwrap());
}

/// Changes a valid report and returns the error.
fn error_after(change: impl FnOnce(&mut Value)) -> ReadError {
    let (scene, document) = document();
    let mut report = report(&scene, Some(&document));
    change(&mut report);
    ReadReport::from_json(&report.to_string()).unwrap_err()
}

#[test]
fn errors_name_the_field() {
    let cases: [(&str, Value, &str); 12] = [
        ("/backend", Value::Null, "backend"),
        ("/notes", 5.into(), "notes"),
        ("/viewport", "somewhere".into(), "viewport"),
        ("/summary/draws", "many".into(), "summary.draws"),
        ("/summary/saved", 1.into(), "summary.saved"),
        ("/elements/3/bounds", serde_json::json!([1, 2, 3]), "elements[3].bounds"),
        ("/elements/3/bounds", serde_json::json!([5, 5, 1, 1]), "elements[3].bounds"),
        ("/elements/3/bounds", serde_json::json!([0, 0, 1, 1e300]), "elements[3].bounds"),
        ("/elements/1/kind", "doodle".into(), "elements[1].kind"),
        ("/elements/5/culled/by", "magic".into(), "elements[5].culled.by"),
        ("/objects/0/part", "seen".into(), "objects[0].part"),
        ("/ignored/0/what", 1.into(), "ignored[0].what"),
    ];
    for (pointer, value, field) in cases {
        let error = error_after(|report| *report.pointer_mut(pointer).unwrap() = value);
        assert!(matches!(&error, ReadError::Field { path, .. } if path == field), "{error}");
        let start = format!("this is not a report: field `{field}`: ");
        assert!(error.to_string().starts_with(&start), "{error}");
    }
    let missing = error_after(|report| {
        report["elements"][2].as_object_mut().unwrap().remove("clip");
    });
    assert!(missing.to_string().contains("field `elements[2]`: missing field `clip`"), "{missing}");
}

#[test]
fn rejects_inconsistent_reports() {
    let error_after = |pointer: &str, value: Value| {
        error_after(|report| *report.pointer_mut(pointer).unwrap() = value)
    };
    let schema = error_after("/schema", "treebounds.report/2".into());
    assert!(matches!(schema, ReadError::Schema { found } if found.ends_with("/2")));
    assert!(matches!(error_after("/width", 0.into()), ReadError::Size { .. }));
    let order = error_after("/elements/2/ix", 1.into());
    assert!(matches!(order, ReadError::Order { ix: 1, before: 1 }), "{order}");
    let nesting = error_after("/elements/3/link", 1.into());
    assert!(matches!(nesting, ReadError::Nesting { ix: 3, .. }), "{nesting}");
    for text in ["", "[]", "{\"schema\": \"treebounds.report/1\", "] {
        assert!(matches!(ReadReport::from_json(text), Err(ReadError::Field { .. })), "{text}");
    }
}

/// The reader must require exactly the fields that the JSON Schema requires.
#[test]
fn the_reader_and_the_schema_require_the_same_fields() {
    let schema: Value = serde_json::from_str(include_str!("../report.schema.json")).unwrap();
    let definitions = &schema["$defs"];
    let places = [
        ("", &schema),
        ("/backend", &schema["properties"]["backend"]),
        ("/summary", &schema["properties"]["summary"]),
        ("/elements/5", &definitions["element"]),
        ("/elements/5/culled", &definitions["reason"]["oneOf"][1]),
        ("/objects/0", &definitions["object"]),
        ("/ignored/0", &definitions["ignored"]),
    ];
    let (scene, document) = document();
    let whole = report(&scene, Some(&document));
    for (pointer, definition) in places {
        let required = definition["required"].as_array().unwrap();
        let fields = whole.pointer(pointer).unwrap().as_object().unwrap();
        for field in fields.keys() {
            let mut report = whole.clone();
            report.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(field);
            let is_refused = ReadReport::from_json(&report.to_string()).is_err();
            assert_eq!(is_refused, required.contains(&field.as_str().into()), "{pointer}/{field}");
        }
    }
}

#[test]
fn filters_read_back_with_their_footprints() {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 200.0, 100.0));
    stream.begin_filling(NodeKind::Clip, Rect::new(0.0, 0.0, 50.0, 50.0)).unwrap();
    stream.begin_spread(Footprint::offset(5.0, 7.0)).unwrap();
    stream.draw(Rect::new(0.0, 0.0, 10.0, 10.0)).unwrap();
    let scene = scene_of(stream.finish_closing().unwrap().0, &[]);
    let text = report(&scene, None).to_string();
    assert_eq!(ReadReport::from_json(&text).unwrap().scene().unwrap().stream, scene.stream);
    let wrong = |from: &str, to: &str| {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text);
        ReadReport::from_json(&wrong).unwrap_err().to_string()
    };
    assert!(wrong("[5.0,7.0,5.0,7.0]", "[5.5,7.0,6.5,7.0]").contains("footprint of element 1"));
    assert!(wrong("[0.0,0.0,10.0,10.0]", "[0.0,0.0,0.0,10.0]").contains("not a box"));
    assert!(wrong("[0.0,0.0,10.0,10.0]", "[0.0,0.0,1e39,10.0]").contains("not finite"));
}

#[test]
fn layer_memory_is_a_stack() {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 100.0));
    let layer = |stream: &mut StreamBuilder, side: f32| {
        stream.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        stream.draw(Rect::new(0.0, 0.0, side, side)).unwrap();
    };
    layer(&mut stream, 9.5);
    layer(&mut stream, 3.0);
    stream.end().unwrap();
    stream.end().unwrap();
    layer(&mut stream, 4.0);
    stream.end().unwrap();
    let report = report(&scene_of(stream.finish().unwrap(), &[]), None);
    let layer = |ix: u32, side: f32, depth: u32, offset: u32| serde_json::json!({"ix": ix, "rect": [0.0, 0.0, side, side], "area": (side * side) as u32, "depth": depth, "offset": offset});
    let layers = [layer(0, 10.0, 0, 0), layer(2, 3.0, 1, 100), layer(6, 4.0, 0, 0)];
    let plan = serde_json::json!({"peak": 109, "by_depth": [116, 9], "overflows": false, "layers": layers});
    assert_eq!(report["layer_plan"], plan);
}
