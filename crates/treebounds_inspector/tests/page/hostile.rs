//! Tests hostile texts and broken reports in the page, in Chromium.

use crate::desk::Desk;
use crate::drawings::{report_on, svg};
use serde_json::Value;
use treebounds_inspector::{Exhibit, html};
use treebounds_testkit::rows::BODY;

#[test]
fn hostile_texts_are_not_interpreted() {
    let mut desk = Desk::new();
    let long = "x".repeat(1 << 20);
    let ids = [
        "</script><script>window.hacked = 1</script>",
        "\"><img src=x onerror='window.hacked = 1'>",
        "a\u{202e}gnihsif\u{2066}",
        "' & \" < >",
        "<!--<script>",
        "\u{0}\u{1b}[31m\r\n",
        "{{script}}",
        "__proto__",
        &long,
    ];
    let mut report: Value =
        serde_json::from_str(&report_on(&svg(&"<rect width='9' height='9'/>".repeat(ids.len()))))
            .unwrap();
    for (at, id) in ids.iter().enumerate() {
        report["elements"][at]["id"] = (*id).into();
        report["elements"][at]["source"] = (*id).into();
    }
    report["source"] = ids[0].into();
    report["notes"] = ids.as_slice().into();
    let script = svg(
        "<script>window.hacked = 1; parent.hacked = 1</script><rect width='9' height='9' onclick='window.hacked = 1'/>",
    );
    let report = report.to_string();
    desk.open(
        &html(&Exhibit { report: &report, drawing: Some(&script), ..Exhibit::default() }),
        "",
    );
    for item in 0..ids.len() {
        desk.browser.run(&format!("inspector.select({item})"));
        desk.browser.run(&format!("inspector.hover({item})"));
    }
    assert_eq!(desk.browser.run("typeof window.hacked"), "undefined");
    assert_eq!(desk.browser.run("inspector.model.ids[0]"), ids[0], "the id is whole");
    assert_eq!(desk.browser.run("inspector.model.ids[8].length"), 1 << 20);
    let unseen = desk
        .browser
        .run("/[\\u202e\\u2066\\u0000\\u001b]/.test(document.getElementById('app').innerText)");
    assert_eq!(unseen, false, "invisible characters are shown as numbers");
    desk.check_no_complaints("hostile texts");
    desk.browser.run("(() => { const b = document.createElement('button'); b.setAttribute('onclick', 'window.hacked = 1'); document.body.append(b); b.click(); b.remove(); })()");
    assert_eq!(
        desk.browser.run("typeof window.hacked"),
        "undefined",
        "the policy allows no inline handler"
    );
    assert_eq!(
        desk.browser.run("fetch('http://127.0.0.1:9/').then(() => 'sent', () => 'refused')"),
        "refused"
    );
    let said = desk.browser.complaints().join("\n");
    assert!(said.contains("Content Security Policy"), "{said}");
}

#[test]
fn hostile_texts_in_a_comparison_are_not_interpreted() {
    let id = "&lt;/script>&lt;img src=x onerror='window.hacked = 1'>a\u{202e}b";
    let old = svg(&format!(
        r#"<g id="g{id}"><rect id="{id}" width="9" height="9"/></g><foreignObject id="f{id}"/>"#
    ));
    let new = old.replace("width=\"9\"", "width=\"19\"");
    let mut desk = Desk::new();
    desk.open_diff(&old, &new);
    for tab in ["changes", "objects", "why"] {
        desk.browser.click(&format!("#tab-{tab}"));
    }
    desk.browser.run("inspector.setChange(0), inspector.setObject(1), inspector.select(-1)");
    assert!(desk.browser.text("#changes").contains("</script><img"), "the id is text");
    assert!(desk.browser.text("#why").contains("</script><img"), "also of what was ignored");
    assert_eq!(desk.browser.run("typeof window.hacked"), "undefined");
    let app = "document.getElementById('app').innerText";
    assert_eq!(desk.browser.run(&format!("{app}.includes('\\u202e')")), false);
    desk.check_no_complaints("hostile comparison");
}

#[test]
fn broken_reports_show_an_error() {
    let mut desk = Desk::new();
    let whole = report_on(&svg(BODY));
    let (before, after) = whole.split_once("end_blend").unwrap();
    let wrong = [
        (whole[..whole.len() / 2].to_owned(), "cut off"),
        (String::new(), "cut off"),
        ("[1, 2]".to_owned(), "not a report"),
        (whole.replace("report/1", "report/2"), "The report has the format treebounds.report/2"),
        (whole.replace("\"elements\"", "\"other\""), "no list"),
        (
            format!("{before}end_blend{}", after.replacen("\"link\": ", "\"link\": 9", 1)),
            "do not nest",
        ),
        (whole.replace("\"kind\": \"draw\"", "\"kind\": \"doodle\""), "unknown kind"),
        (whole.replace("\"ix\": 3,", "\"ix\": 2,"), "the index 2"),
        (whole.replacen("\"rect\": [", "\"rect\": [\"a\", ", 1), "is not a box"),
        (whole.replace("\"width\": 200.0", "\"width\": -1"), "is not valid"),
    ];
    for (report, words) in wrong {
        desk.open(&html(&Exhibit { report: &report, ..Exhibit::default() }), "");
        let said = desk.browser.text("#failure");
        assert!(
            said.contains("This report cannot be shown") && said.contains(words),
            "{said} lacks {words}"
        );
        assert!(desk.browser.complaints().is_empty());
    }
}

/// Tests truncated pages, damaged data, and browsers that are too old.
#[test]
fn damaged_pages_show_an_error() {
    let mut desk = Desk::new();
    let (report, text) = (report_on(&svg(BODY)), svg(BODY));
    let page = html(&Exhibit {
        report: &report,
        drawing: Some(&text),
        measured: Some(&text),
        ..Exhibit::default()
    });
    let at = |words: &str| page.find(words).unwrap();
    let says = |desk: &mut Desk, page: &str, words: &str| {
        desk.open(page, "");
        let said = desk.browser.text("#failure");
        assert!(said.contains("This report cannot be shown") && said.contains(words), "{said}");
        assert!(desk.browser.complaints().is_empty());
    };
    for place in ["id=\"report\"", "id=\"rects\"", "id=\"measured\"", "id=\"whole\""] {
        says(&mut desk, &page[..at(place)], "cut off");
        says(&mut desk, &page[..at(place) + 9], "cut off");
    }
    // Replaces a part of the data with garbage.
    let damaged = |id: &str, by: &str| {
        let start = at(&format!("id=\"{id}\""));
        let data = start + page[start..].find('>').unwrap() + 1;
        format!("{}{by}{}", &page[..data + 40], &page[data + 48..])
    };
    for id in ["report", "rects"] {
        for by in ["AAAAAAAA", "\u{e4}\u{e4}\u{e4}\u{e4}"] {
            says(&mut desk, &damaged(id, by), "data in this file is damaged");
        }
    }
    desk.open(&damaged("measured", "AAAAAAAA"), "");
    let key = "document.getElementById('key').innerText.includes('cannot be shown. Its data in this file is damaged')";
    desk.browser.wait(key);
    assert_eq!(desk.browser.run("inspector.model.count > 3"), true, "the boxes are there");
    desk.check_no_complaints("a damaged drawing");
    // The script itself is truncated, so the plain HTML has to show the error.
    let script = at("<script type=\"module\">") + 2000;
    let path = desk.write(&page[..script]);
    let seen = "getComputedStyle(document.getElementById('stuck')).visibility === 'visible'";
    desk.browser.open(&format!("file://{}", path.display()), seen);
    assert!(desk.browser.text("#loading").contains("not complete, or this browser is too old"));
    desk.browser.complaints();
    let old = serde_json::json!({"source": "delete globalThis.DecompressionStream"});
    desk.browser.call("Page.addScriptToEvaluateOnNewDocument", old);
    says(&mut desk, &page, "This browser is too old to unpack it.");
}
