//! Tests scene files against SCENE.md.

#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::{Value, json};
use treebounds_core::damage::{Backdrop, Ident};
use treebounds_core::{Footprint, NodeKind, Rect, Stream, Tag, reference};
use treebounds_report::SceneFile;

const VIEW: Rect = Rect::new(0.0, 0.0, 100.0, 80.0);

/// Returns a stream with every kind of element and every flag, an unmatched end and an unmatched begin.
fn unbalanced() -> Stream {
    let blend = Tag::begin(NodeKind::Blend);
    let spread = Tag::begin(NodeKind::Spread);
    let layer = Tag::begin(NodeKind::ClipBlend).fills();
    let odd = Rect::new(0.1, -f32::MAX, 16_777_218.0, -1.0 / 3.0);
    let footprint = Footprint::new(-3.0, 0.0, 9.0, 4.0).unwrap().to_rect();
    let elements = [
        (Tag::end(NodeKind::Clip).fills(), Rect::NOTHING),
        (layer, Rect::new(0.0, 0.0, 50.0, 50.0)),
        (spread, footprint),
        (Tag::DRAW, odd),
        (blend.non_local(), Rect::EVERYTHING),
        (blend.non_local().closing(), Rect::NOTHING),
        (Tag::begin(NodeKind::Clip), Rect::NOTHING),
        (spread.closing(), Rect::NOTHING),
        (blend, Rect::new(1.0, 2.0, 3.0, 4.0)),
        (Tag::DRAW, Rect::new(2.0, 2.0, 9.0, 9.0)),
    ];
    let (tags, rects) = elements.into_iter().unzip();
    Stream::new(tags, rects, VIEW).unwrap()
}

fn draws(rects: &[Rect]) -> Stream {
    Stream::new(vec![Tag::DRAW; rects.len()], rects.to_vec(), VIEW).unwrap()
}

#[test]
fn unbalanced_streams_read_back_with_their_answers() {
    let stream = unbalanced();
    let backdrop = Backdrop { node: 1, footprint: Footprint::blur(2.0, 2.0) };
    let ids: Vec<_> = (0..10).map(|key| Ident { key: key << 60, hash: u64::MAX - key }).collect();
    let file = SceneFile::capture(&stream, |ix| (ix % 2 == 0).then(|| format!("\"{ix}\"")));
    let file = file.with_next(&draws(&[VIEW]), [&ids, &ids]).with_backdrops(&[backdrop]);
    let file = file.with_answers().unwrap();
    let read = SceneFile::from_json(&file.to_json()).unwrap();
    assert_eq!(read, file);
    assert_eq!(read.stream().unwrap(), stream);
    let bounds = reference::bounds(&stream);
    let landings = reference::landings(&stream, &bounds);
    assert_eq!(read.mistakes(&bounds, &landings), []);
}

/// Changes one value of a valid file and returns the error.
fn error_of(path: &str, wrong: Value) -> String {
    let mut file = json!({
        "schema": "treebounds.scene/1", "viewport": [0, 0, 9, 9],
        "elements": [
            {"kind": "begin_clip", "name": "card", "rect": [0, 0, 5, 5]},
            {"kind": "draw", "name": "photo", "rect": [0, 0, 5, 5]},
            {"kind": "begin_spread", "footprint": [0, 0, 5, 5]},
            {"kind": "end_clip", "name": "over"},
        ],
        "picks": [{"at": [1, 1], "hits": [1]}],
    });
    SceneFile::from_json(&file.to_string()).unwrap();
    let (parent, field) = path.rsplit_once('/').unwrap();
    let object = file.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    match wrong {
        Value::String(word) if word == "nothing" => drop(object.remove(field)),
        wrong => drop(object.insert(field.into(), wrong)),
    }
    SceneFile::from_json(&file.to_string()).unwrap_err().to_string()
}

#[test]
fn errors_name_the_element_and_the_field() {
    let rows = [
        ("/schema", json!("treebounds.scene/9"), &["treebounds.scene/9", "treebounds.scene/1"][..]),
        ("/colour", json!(1), &["unknown field `colour`"]),
        ("/elements", json!("nothing"), &["missing field `elements`"]),
        ("/elements/1/colour", json!(1), &["\"photo\"", "elements[1]", "unknown field `colour`"]),
        ("/elements/1/rect", json!([0, 0, 1]), &["\"photo\"", "elements[1].rect"]),
        ("/elements/1/rect", json!([5, 0, 1, 1]), &["\"photo\"", "elements[1].rect", "x0 < x1"]),
        ("/elements/1/rect", json!([0, 0, 1e300, 1]), &["elements[1].rect", "finite"]),
        (
            "/elements/1/rect",
            json!("nothing"),
            &["`elements[1]`", "\"photo\"", "`rect`", "missing"],
        ),
        ("/elements/1/kind", json!("drow"), &["\"photo\"", "elements[1].kind", "\"drow\""]),
        ("/elements/1/fills", json!(true), &["`elements[1]` (draw", "`fills`"]),
        ("/elements/0/non_local", json!(true), &["(begin_clip", "\"card\"", "`non_local`"]),
        ("/elements/1/footprint", json!([0, 0, 1, 1]), &["\"photo\"", "`footprint`"]),
        ("/elements/2/footprint", json!([0, 0, 0.5, 1]), &["`elements[2]`", "`footprint`", "2^22"]),
        ("/elements/2/footprint", json!("nothing"), &["`elements[2]`", "`footprint`", "missing"]),
        ("/elements/2/rect", json!([0, 0, 1, 1]), &["`elements[2]`", "`rect`"]),
        ("/elements/3/rect", json!(null), &["`elements[3]` (end_clip", "\"over\"", "`rect`"]),
        ("/elements/0/backdrop", json!([0, 0, 1, 1]), &["\"card\"", "`backdrop`", "`fills`"]),
        ("/elements/0/link", json!(4), &["\"card\"", "`link`", "no such element"]),
        ("/elements/1/content", json!(null), &["\"photo\"", "`content`"]),
        ("/damage", json!([]), &["`damage`", "`next`"]),
        ("/picks/0/hits", json!([9]), &["`picks[0].hits`"]),
        ("/picks/0/at", json!([1e300, 0]), &["picks[0].at"]),
    ];
    for (path, wrong, words) in rows {
        let error = error_of(path, wrong.clone());
        for word in words {
            assert!(error.contains(word), "{path} = {wrong}: {error}: no {word}");
        }
    }
}

#[test]
fn wrong_answers_are_listed_with_their_elements() {
    let stream = draws(&[Rect::new(1.0, 1.0, 2.0, 2.0), VIEW]);
    let file = SceneFile::capture(&stream, |_| Some("ink".into())).with_answers().unwrap();
    let mut bounds = reference::bounds(&stream);
    let landings = bounds.boxes.clone();
    bounds.boxes[0] = Rect::NOTHING;
    let mistakes: Vec<_> =
        file.mistakes(&bounds, &landings).iter().map(ToString::to_string).collect();
    assert_eq!(mistakes, ["element 0 (ink): bounds is null, not [1.0, 1.0, 2.0, 2.0]"]);
}

#[test]
fn changed_rects_and_backdrops_cause_damage_without_hashes() {
    let [near, far] = [20.0, 40.0].map(|x| Rect::new(x, 10.0, x + 5.0, 20.0));
    let ids = [Ident { key: 9, hash: 9 }, Ident { key: 4, hash: 9 }];
    let file = SceneFile::capture(&draws(&[VIEW, near]), |_| None);
    let moved = file.clone().with_next(&draws(&[VIEW, far]), [&ids, &ids]);
    assert_eq!(moved.find_damage(8).unwrap(), Some(vec![far, near]));
    let same = file.clone().with_next(&draws(&[VIEW, near]), [&ids, &ids]);
    assert_eq!(same.find_damage(8).unwrap(), Some(vec![]));
    assert_eq!(file.find_damage(8).unwrap(), None);
}
