//! Tests that a page stores every box and every drawing exactly.

use crate::desk::Desk;
use crate::drawings::{asset, files, made, read, report, report_of, text_of};
use serde_json::Value;
use treebounds_core::{Rect, Role};
use treebounds_inspector::{Exhibit, html};
use treebounds_report::{Element, ReadReport};

/// Returns the boxes of an element: its rect, own box, clip, content and bounds, and the landing of the bounds if it is
/// inside a filter.
fn boxes(element: &Element<'_>, is_filtered: bool) -> [Rect; 6] {
    let lands = if is_filtered { element.lands } else { element.bounds };
    [element.rect, element.own, element.clip, element.content, element.bounds, lands]
}

/// Evaluates to the boxes that [`boxes`] returns, for every item of the page: 24 numbers per item.
const BOXES: &str = "[...inspector.model.steps].map(item => [...['rect', 'own', 'clip', 'content'].map(name => inspector.model.box(name, item)),
    inspector.model.needed.get(item) ?? inspector.model.box('bounds', item), inspector.model.box('bounds', item)].flatMap(box => [...box]))";

fn compare(desk: &mut Desk, report: &str, about: &str) {
    let report = ReadReport::from_json(report).unwrap();
    let found = desk.browser.run(BOXES);
    let mut rows = found.as_array().unwrap().iter();
    let mut filters = 0;
    for element in &report.elements {
        if element.tag.role() == Role::End {
            filters -= i32::from(element.tag.is_spread());
            continue;
        }
        let row = rows.next().unwrap().as_array().unwrap().iter();
        let row: Vec<f32> = row.map(|edge| edge.as_f64().unwrap() as f32).collect();
        let expected: Vec<f32> =
            boxes(element, filters > 0).iter().flat_map(|rect| rect.to_array()).collect();
        assert_eq!(row, expected, "{about}, element {}", element.ix);
        filters += i32::from(element.tag.is_spread());
    }
    assert!(rows.next().is_none(), "{about}");
    let begun = report.elements.iter().filter(|element| element.tag.role() != Role::End);
    let paths = begun.map(|element| Value::from(element.path.as_ref().map(ToString::to_string)));
    assert_eq!(desk.browser.run(PATHS), Value::Array(paths.collect()), "{about}");
}

const PATHS: &str = "[...inspector.model.steps].map(item => inspector.model.paths[item])";

#[test]
fn every_box_is_exact() {
    let mut desk = Desk::new();
    for file in files(&asset("")) {
        let data = std::fs::read(&file).unwrap();
        let about = file.display().to_string();
        let report = report_of(&read(&data).unwrap(), &about);
        let text = text_of(&data);
        let exhibit = Exhibit { report: &report, drawing: Some(&text), ..Exhibit::default() };
        desk.open(&html(&exhibit), "");
        compare(&mut desk, &report, &about);
        let source = desk.browser.run("inspector.stage.drawings.blobs.new.source.text()");
        assert_eq!(source, text, "{about}");
        desk.check_no_complaints(&about);
    }
    let report = report(&made(5000), "made");
    desk.open(&html(&Exhibit { report: &report, ..Exhibit::default() }), "");
    compare(&mut desk, &report, "made");
}
