//! The page for people who cannot see it well, or at all, or who use no mouse.

use crate::chromium::Browser;
use crate::desk::Desk;
use crate::drawings::svg;
use crate::rows::BODY;
use serde_json::{Value, json};
use std::collections::HashSet;
use treebounds_inspector::{Exhibit, html};

/// Opens a page of two drawings, and shows every panel in every view, light and dark; then the help.
fn in_every_panel(desk: &mut Desk, check: &mut dyn FnMut(&mut Browser, &str)) {
    let old = svg(BODY);
    desk.open_diff(&old, &old.replace("cx=\"50\"", "cx=\"60\"").replace("x=\"300\"", "x=\"5\""));
    desk.browser.run("inspector.pick(50, 50), inspector.find('w>')");
    for is_dark in [false, true] {
        desk.browser.dark(is_dark);
        for tab in ["why", "point", "layers", "objects", "changes"] {
            desk.browser.click(&format!("#tab-{tab}"));
            for key in ["1", "2", "3", "4"] {
                desk.browser.key(key);
                check(&mut desk.browser, &format!("dark: {is_dark}, {tab}, {key}"));
            }
        }
        desk.browser.key("?");
        check(&mut desk.browser, &format!("dark: {is_dark}, help"));
        desk.browser.key("Escape");
    }
}

/// Landmarks and groups of controls: each needs a name, and no two of one role may share it.
const NAMED: [&str; 10] = [
    "main",
    "region",
    "banner",
    "search",
    "tree",
    "tablist",
    "tabpanel",
    "radiogroup",
    "group",
    "dialog",
];
/// These need no name.
const NAMELESS: [&str; 2] = ["main", "banner"];

/// What is wrong with the tree that the browser gives to screen readers.
fn faults_in_tree(browser: &mut Browser) -> Vec<String> {
    let tree = browser.call("Accessibility.getFullAXTree", json!({}));
    let nodes = tree["nodes"].as_array().unwrap().iter().filter(|node| node["ignored"] == false);
    let nodes: Vec<_> = nodes.collect();
    let mut faults = Vec::new();
    let mut seen = HashSet::new();
    for node in &nodes {
        let (role, name) = (text(&node["role"]), text(&node["name"]));
        let properties = node["properties"].as_array().into_iter().flatten();
        let is_focusable = properties
            .clone()
            .any(|property| property["name"] == "focusable" && property["value"]["value"] == true);
        let is_group = NAMED.contains(&role) && !NAMELESS.contains(&role);
        if (is_focusable || is_group) && name.is_empty() && role != "RootWebArea" {
            faults.push(format!("{role} without a name"));
        }
        if NAMED.contains(&role) && !seen.insert((role, name)) {
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

/// axe-core is no part of this repository, and CI has none. Where it is, it is the judge.
#[test]
#[ignore = "needs axe-core: AXE=/path/to/axe.min.js cargo test ... -- --ignored axe"]
fn axe_finds_no_fault() {
    let axe = std::env::var("AXE").expect("AXE is the path of axe.min.js, of the package axe-core");
    let axe = std::fs::read_to_string(axe).unwrap();
    let mut desk = Desk::new();
    in_every_panel(&mut desk, &mut |browser, place| {
        browser.run(&format!("globalThis.axe || (() => {{ {axe} }})(), 0"));
        let found = browser.run(
            "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`))",
        );
        assert_eq!(found, json!([]), "{place}");
    });
}

/// The least contrast between a text on the page and the ground under it, and that text.
const CONTRAST: &str = "(() => { const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const light = (...colors) => { for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...context.getImageData(0, 0, 1, 1).data].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const hasText = (part) => [...part.childNodes].some(node => node.nodeType === 3 && node.data.trim() !== '');
    const texts = [...document.querySelectorAll('#app *')].filter(part => hasText(part) && part.checkVisibility() && !part.closest('.spoken, :disabled, option'));
    return texts.map(part => { const grounds = ['white'];
        for (let up = part; up !== null; up = up.parentElement) grounds.splice(1, 0, getComputedStyle(up).backgroundColor);
        const [a, b] = [light(...grounds), light(...grounds, getComputedStyle(part).color)];
        return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), `${part.tagName} ${part.className} ${part.textContent}`]; }).sort((a, b) => a[0] - b[0])[0]; })()";

/// References between parts of the page that lead nowhere, and controls without a name.
const ASTRAY: &str = "[...document.querySelectorAll('[aria-controls], [aria-labelledby], [aria-describedby], [for]')].flatMap(part =>
        ['aria-controls', 'aria-labelledby', 'aria-describedby', 'for'].flatMap(name => (part.getAttribute(name) ?? '').split(' ').filter(Boolean)))
        .filter(id => !document.getElementById(id)).concat([...document.querySelectorAll('button, input, select, summary, [role=separator], [tabindex]')]
        .filter(part => part.checkVisibility() && !(part.innerText || part.ariaLabel || part.getAttribute('aria-labelledby') || part.labels?.length)).map(part => part.outerHTML)).join()";

#[test]
fn the_page_can_be_read_by_everyone() {
    let mut desk = Desk::new();
    in_every_panel(&mut desk, &mut |browser, place| {
        let least = browser.run(CONTRAST);
        assert!(least[0].as_f64() >= Some(4.5), "{place}: {least}");
        assert_eq!(browser.run(ASTRAY), "", "{place}");
        assert_eq!(faults_in_tree(browser), [""; 0], "{place}");
    });
    let landmark = "document.querySelectorAll('main').length === 1 && document.querySelector('main').checkVisibility()";
    assert_eq!(desk.browser.run(landmark), true);
    let named = "[...document.querySelectorAll('[role=treeitem]')].every(row => !row.ariaLabel)";
    assert_eq!(desk.browser.run(named), true, "a row is named by its visible text");
    desk.open(&html(&Exhibit { report: "{}", ..Exhibit::default() }), "");
    assert!(desk.browser.text("main").contains("This report cannot be shown"));
    assert_eq!(desk.browser.run(landmark), true);
}
