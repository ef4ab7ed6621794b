//! Tests that the page is accessible with screen readers, low vision, and the keyboard alone.

use crate::desk::Desk;
use crate::drawings::svg;
use serde_json::{Value, json};
use std::collections::HashSet;
use treebounds_inspector::{Exhibit, html};
use treebounds_testkit::chromium::Browser;
use treebounds_testkit::rows::BODY;

/// The views of a page of two drawings, and the script that shows each. Each script starts from the view before
/// it.
const STATES: [(&str, &str); 20] = [
    ("comparison", "0"),
    ("overlay", "inspector.set('compare-toggles', 'compare', 'over')"),
    (
        "slider",
        "inspector.set('compare-toggles', 'compare', 'slider'), inspector.setMode('compare')",
    ),
    ("a change", "inspector.nextChange(1)"),
    ("findings", "inspector.setMode('boxes'), inspector.clear(), inspector.details.set('why')"),
    ("why", "inspector.select(inspector.model.ids.indexOf('plate'))"),
    ("why of a layer", "inspector.select(inspector.model.ids.indexOf('veil'))"),
    ("why of what is culled", "inspector.select(inspector.model.ids.indexOf('outside'))"),
    ("layers", "inspector.details.set('layers')"),
    ("ids", "inspector.details.set('objects'), inspector.setObject(1)"),
    ("point", "inspector.pick(50, 50, true)"),
    ("step", "inspector.clear(), inspector.details.set('why'), inspector.steps.goTo(2)"),
    ("search", "inspector.steps.set(-1), inspector.find('draw')"),
    ("search with an error", "inspector.find('w>')"),
    ("hidden", "inspector.find(''), inspector.part.hide(1)"),
    ("boxes", "inspector.part.showAll(), document.getElementById('boxes-open').click()"),
    ("overdraw", "inspector.setMode('heat')"),
    ("exploded", "inspector.setMode('exploded')"),
    ("point of the exploded view", "inspector.details.set('point')"),
    ("help", "document.getElementById('help-open').click()"),
];

/// Checks every view of a page, light and dark, wide and narrow, and then a page without a report.
fn in_every_state(desk: &mut Desk, check: &mut dyn FnMut(&mut Browser, &str)) {
    let old = svg(BODY);
    for (is_dark, width) in [(false, 1200), (true, 1200), (true, 420)] {
        let mut see = |desk: &mut Desk, state| {
            check(&mut desk.browser, &format!("{state}, {width} wide, dark: {is_dark}"));
        };
        desk.browser.dark(is_dark);
        desk.browser.resize(width, 800);
        desk.open_diff(
            &old,
            &old.replace("cx=\"50\"", "cx=\"60\"").replace("x=\"300\"", "x=\"5\""),
        );
        for (state, script) in STATES {
            desk.browser.run(&format!("void ({script})"));
            see(desk, state);
        }
        desk.browser.key("Escape");
        if width < 800 {
            desk.browser.click("#tab-tree");
            see(desk, "tree");
        }
        desk.open(&html(&Exhibit { report: "{}", ..Exhibit::default() }), "");
        assert!(desk.browser.text("main").contains("This report cannot be shown"));
        see(desk, "failure");
    }
}

/// Landmarks and groups of controls. No two of the same role may share a name.
const NAMED: &str = "main region banner search tree tablist tabpanel radiogroup group dialog";
/// Roles that need no name.
const NAMELESS: [&str; 2] = ["main", "banner"];

fn faults_in_tree(browser: &mut Browser) -> Vec<String> {
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false);
    let nodes: Vec<_> = nodes.collect();
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    for node in &nodes {
        let (role, name) = (text(&node["role"]), text(&node["name"]));
        let mut properties = node["properties"].as_array().into_iter().flatten();
        let is_focusable = properties
            .any(|property| property["name"] == "focusable" && property["value"]["value"] == true);
        let is_named = NAMED.split(' ').any(|named| named == role);
        let needs_name = is_focusable || (is_named && !NAMELESS.contains(&role));
        if needs_name && name.is_empty() && role != "RootWebArea" {
            faults.push(format!("{role} without a name"));
        }
        if is_named && !seen.insert((role, name)) {
            faults.push(format!("two of {role} {name:?}"));
        }
    }
    let mains = nodes.iter().filter(|node| text(&node["role"]) == "main").count();
    let is_modal = nodes.iter().any(|node| text(&node["role"]) == "dialog");
    if mains != 1 && !is_modal {
        faults.push(format!("{mains} main landmarks"));
    }
    faults
}

fn text(value: &Value) -> &str {
    value["value"].as_str().unwrap_or_default()
}

/// Reads the script of axe-core, which is not part of this repository, from the file in `TREEBOUNDS_AXE`.
fn axe() -> String {
    let get = "run `npm pack axe-core@4.14.1`, unpack the archive, and set TREEBOUNDS_AXE to the path of its axe.min.js";
    let file = std::env::var_os("TREEBOUNDS_AXE").expect(get);
    std::fs::read_to_string(file).expect(get)
}

fn violations(browser: &mut Browser, axe: &str) -> Value {
    browser.run(&format!("globalThis.axe || (() => {{ {axe} }})(), 0"));
    browser.run(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`))",
    )
}

/// The lowest contrast between a text on the page and its background, with that text.
const CONTRAST: &str = "(() => { const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (...colors) => { for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const hasText = (part) => [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '');
    const texts = [...document.querySelectorAll('main *, dialog *')].filter(part => hasText(part) && part.checkVisibility() && !part.closest('.spoken, :disabled, option'));
    return texts.map(part => { const grounds = ['white'];
        for (let up = part; up !== null; up = up.parentElement) grounds.splice(1, 0, getComputedStyle(up).backgroundColor);
        const [a, b] = [light(...grounds), light(...grounds, getComputedStyle(part).color)];
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${part.tagName} ${part.className} ${part.textContent}`]; }).sort((a, b) => a[0] - b[0])[0]; })()";

/// Dangling references between parts of the page, and controls without a name.
const ASTRAY: &str = "[...document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby], [for]')].flatMap(part =>
        ['aria-controls', 'aria-labelledby', 'aria-describedby', 'for'].flatMap(name => (part.getAttribute(name) ?? '').split(' ').filter(Boolean)))
        .filter(id => !document.getElementById(id)).concat([...document.querySelectorAll('button, input, select, summary, [role=separator], [tabindex]')]
        .filter(part => part.checkVisibility() && !(part.innerText || part.ariaLabel || part.getAttribute('aria-labelledby') || part.labels?.length)).map(part => part.outerHTML)).join()";

/// The tree rows whose name differs from their text.
const MISNAMED: &str = "document.querySelectorAll('[role=treeitem][aria-label]').length";

#[test]
fn the_page_is_accessible() {
    let (axe, mut desk) = (axe(), Desk::new());
    in_every_state(&mut desk, &mut |browser, place| {
        let least = browser.run(CONTRAST);
        assert!(least.is_null() || least[0].as_f64() >= Some(4.5), "{place}: {least}");
        assert_eq!(browser.run(ASTRAY), "", "{place}");
        assert_eq!(faults_in_tree(browser), [""; 0], "{place}");
        assert_eq!(browser.run(MISNAMED), 0, "{place}: a row is named by its visible text");
        assert_eq!(violations(browser, &axe), json!([]), "{place}");
    });
}
