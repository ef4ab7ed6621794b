//! Tests that a diff contains the differences between two reports and nothing else.

use crate::drawings::{measured, report_on, svg};
use treebounds_inspector::{Change, Diff};
use treebounds_report::ReadReport;

fn diff(old: &str, new: &str) -> Diff {
    let read = |body: &str| ReadReport::from_json(&report_on(&svg(body))).unwrap();
    Diff::new(&read(old), &read(new))
}

fn rect(id: &str, x: i32, width: i32) -> String {
    format!(r#"<rect id="{id}" x="{x}" y="10" width="{width}" height="20"/>"#)
}

#[test]
fn equal_drawings_have_no_differences() {
    let plain = "<rect width='9' height='3'/><g opacity='.5'><circle r='9'/></g>";
    let all = [&rect("a", 1, 5), &rect("b", 300, 5), &rect("a", 40, 5), plain].concat();
    assert!(diff(&all, &all).is_empty());
}

#[test]
fn every_kind_of_change_has_its_own_word() {
    let twice = |x: i32| [rect("a", 10, 20), rect("a", x, 20)].concat();
    let at = |x: &str| format!(r#"<rect id="a" x="{x}" y="10" width="20" height="20"/>"#);
    let (old, far) = (&rect("a", 10, 20), &rect("a", 300, 20));
    for (old, new, change) in [
        (old, &rect("a", 60, 20), Change::Moved),
        (&at("0.1"), &at("70.7"), Change::Moved),
        (old, &rect("a", 10, 30), Change::Grown),
        (old, &rect("a", 15, 10), Change::Shrunk),
        (old, &r#"<rect id="a" width="10" height="40"/>"#.into(), Change::Reshaped),
        (old, far, Change::Culled),
        (far, old, Change::Shown),
        (&String::new(), old, Change::Appeared),
        (old, &String::new(), Change::Gone),
        // Elements with equal ids match in order.
        (&twice(50), &twice(70), Change::Moved),
        (&twice(50), old, Change::Gone),
    ] {
        let changes = diff(old, new).changes.into_iter();
        let found: Vec<_> = changes.map(|change| (change.change, change.id)).collect();
        assert_eq!(found, [(change, Some("a".to_owned()))], "{old} {new}");
    }
}

#[test]
fn elements_without_an_id_match_by_place() {
    let plain = |x: i32| format!(r#"<rect x="{x}" y="1" width="5" height="5"/>"#);
    let old: String = (0..9).map(|at| plain(10 * at)).collect();
    let one_more = format!("{}{old}", plain(95));
    let found = diff(&old, &one_more);
    assert_eq!(found.counts(), [(Change::Appeared, 1)], "one in front does not shift the others");
    let moved = old.replace(r#"x="40""#, r#"x="44""#);
    let found = diff(&old, &moved);
    assert_eq!(found.counts(), [(Change::Moved, 1)]);
    assert_eq!((found.changes[0].old, found.changes[0].new), (Some(4), Some(4)));
}

#[test]
fn ids_match_at_any_place() {
    let (layer, rest) = (r#"<g opacity=".5"><rect width="9" height="9"/>"#, rect("a", 10, 20));
    let found = diff(&format!("{rest}{layer}</g>"), &format!("{layer}{rest}</g>"));
    assert_eq!(found.counts(), [(Change::Grown, 1)], "the layer alone, which now contains it");
}

#[test]
fn json_has_the_documented_format() {
    let json: serde_json::Value =
        serde_json::from_str(&diff(&rect("a", 10, 20), &rect("a", 60, 20)).to_json()).unwrap();
    let expected = serde_json::json!({"schema": "treebounds.diff/1", "old": "drawing.svg", "new": "drawing.svg", "changes": [
        {"change": "moved", "old": 0, "new": 0, "kind": "draw", "id": "a", "path": json["changes"][0]["path"],
         "from": [10.0, 10.0, 30.0, 30.0], "to": [60.0, 10.0, 80.0, 30.0]}], "repainted": null});
    assert_eq!(json, expected);
}

/// Each kind of change has its own word, with id and kind, also if a box changed.
#[test]
fn changed_paint_ids_and_order_are_listed() {
    let (a, b) = (rect("a", 10, 20), rect("b", 50, 20));
    let red = |text: &str| text.replace("<rect", "<rect fill='red'");
    let glass = |opacity: &str| format!("<g id='g' opacity='{opacity}'>{a}</g>");
    let plain = "<rect width='5' height='5'/>".to_owned();
    for (old, new, expected) in [
        ([&a, &b], [&a, &red(&b)], "repainted b"),
        ([&a, &b], [&rect("a", 12, 20), &red(&b)], "moved a, repainted b"),
        ([&a, &b], [&a, &red(&rect("b", 60, 20))], "moved b, repainted b"),
        ([&a, &b], [&a, &b.replace("\"b\"", "\"c\"")], "renamed c"),
        ([&a, &b], [&b, &a], "reordered b"),
        ([&plain, &red(&plain)], [&red(&plain), &plain], "repainted -, repainted -"),
        ([&glass("0.5"), &b], [&glass("0.6"), &b], "repainted a"),
        ([&a, &b], [&a, &b], ""),
    ] {
        let [old, new] = [old, new].map(|parts| svg(&[&**parts[0], &**parts[1]].concat()));
        let read = |text: &str| ReadReport::from_json(&report_on(text)).unwrap();
        let drawings = [measured(&old), measured(&new)];
        let found = Diff::with_paint(&read(&old), &read(&new), [&drawings[0], &drawings[1]]);
        let told = found.changes.iter().map(|difference| {
            format!("{} {}", difference.change, difference.id.as_deref().unwrap_or("-"))
        });
        assert_eq!(told.collect::<Vec<_>>().join(", "), expected, "{old} {new}");
        let many = expected.matches("repainted").count();
        assert_eq!((found.repainted, found.is_empty()), (Some(many), expected.is_empty()));
        assert_eq!(found.has_boxes(), expected.contains("moved"));
        assert!(drawings[0] == drawings[1] || !found.is_empty());
    }
    assert_eq!(diff(&a, &a).repainted, None, "without drawings, paint is not known");
}
