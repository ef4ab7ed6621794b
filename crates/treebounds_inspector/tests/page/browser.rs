//! Tests every feature of the page in Chromium, driven by mouse and keyboard.

use crate::desk::Desk;
use crate::drawings::{asset, files, made, read, report, report_of, report_on, svg, text_of};
use std::path::Path;
use treebounds_inspector::{Exhibit, html};
use treebounds_testkit::rows::{BODY, ROWS, says};

fn opened() -> Desk {
    let mut desk = Desk::new();
    desk.open_svg(&svg(BODY));
    desk.check_no_complaints("the page");
    desk
}

#[test]
fn every_feature_works() {
    let mut desk = Desk::new();
    for row in ROWS {
        println!("{}", row.name);
        desk.browser.dark(false);
        desk.open_svg(&row.drawing());
        desk.check_no_complaints("the page");
        (row.run)(&mut desk.browser);
        desk.check_no_complaints(row.name);
    }
}

#[test]
fn every_drawing_opens() {
    let mut desk = Desk::new();
    let mut all = files(&asset(""));
    assert!(all.len() > 10);
    if let Some(corpus) = std::env::var_os("TREEBOUNDS_SVG_CORPUS") {
        all.extend(files(Path::new(&corpus)));
    }
    let own = files(&asset("")).len();
    let mut opened = 0;
    for (at, file) in all.iter().enumerate() {
        let data = std::fs::read(file).unwrap();
        let Ok(drawing) = read(&data) else { continue };
        let report = report_of(&drawing, &file.display().to_string());
        // Opening a page takes longer than showing another drawing in it, so one page shows most of
        // the corpus.
        if at < own || at % 16 == 0 {
            let exhibit =
                Exhibit { report: &report, drawing: Some(&text_of(&data)), ..Exhibit::default() };
            desk.open(&html(&exhibit), "");
        } else {
            desk.show(&report, &text_of(&data));
        }
        desk.check_no_complaints(&file.display().to_string());
        opened += 1;
    }
    println!("{opened} of {} files opened", all.len());
    desk.open(
        &html(&Exhibit { report: &report(&made(100_000), "made"), ..Exhibit::default() }),
        "",
    );
    desk.check_no_complaints("a made scene of 100,000 elements");
    assert!(desk.browser.text("#summary").starts_with("9"), "{}", desk.browser.text("#summary"));
}

#[test]
fn links_restore_the_view() {
    let mut desk = opened();
    desk.browser.run("inspector.select(inspector.model.ids.indexOf('dot'))");
    for key in [".", ".", "2"] {
        desk.browser.key(key);
    }
    desk.browser.click("#tab-layers");
    desk.browser.key("1");
    desk.browser.click("[data-show=content]");
    desk.browser.key("+");
    desk.browser.wait("location.hash.includes('view=')");
    let state = "JSON.stringify([inspector.state.selected, inspector.state.step, inspector.state.tab, inspector.state.show])";
    let view = "Object.values(inspector.state.view).map(x => x.toPrecision(4)).join()";
    let (before, zoomed) = (desk.browser.run(state), desk.browser.run(view));
    let hash = desk.browser.run("location.hash");
    let path = desk.folder.path().join("page.html");
    desk.browser.open_page(&path, hash.as_str().unwrap());
    assert_eq!(desk.browser.run(state), before, "{hash}");
    assert_eq!(desk.browser.run(view), zoomed, "{hash}");
    let nonsense = "#select=77&step=x&mode=nothing&at=1,a&view=0,0,0&boxes=&find=%00%ff&theme=pink&object=99&change=0&split=2&camera=1,9,0";
    desk.browser.open_page(&path, nonsense);
    desk.check_no_complaints("a link that makes no sense");
}

#[test]
fn links_restore_the_camera_and_the_object() {
    let mut desk = opened();
    desk.browser.key("3");
    desk.browser.run("document.getElementById('stage').focus()");
    for key in ["ArrowLeft", "ArrowUp", "+"] {
        desk.browser.key(key);
    }
    desk.browser.click("#tab-objects");
    desk.browser.click("#objects tr:nth-child(3) button");
    let state = "JSON.stringify([inspector.state.object, inspector.state.tab, Object.values(inspector.state.camera).map(x => x.toFixed(3))])";
    desk.check_link_restores(state);
    assert_ne!(desk.browser.run("inspector.state.camera.zoom"), 1);
    assert_eq!(desk.browser.run("inspector.state.object"), 2);
}

fn desk_edge(desk: &mut Desk) -> f64 {
    desk.browser.run("document.querySelector('.left').offsetWidth").as_f64().unwrap()
}

/// The elements whose content is cut off horizontally without an ellipsis.
const CUT_OFF: &str = "[...document.querySelectorAll('#app *')].filter(part => part.offsetParent && part.scrollWidth > part.clientWidth + 1
    && !['visible', 'clip'].includes(getComputedStyle(part).overflowX) && getComputedStyle(part).textOverflow !== 'ellipsis'
    && !part.matches('.spoken, .stage')).map(part => part.id || part.className || part.tagName).join()";

#[test]
fn the_layout_adapts_to_the_width() {
    let mut desk = opened();
    for width in [320, 400, 1200, 2400] {
        desk.browser.resize(width, 900);
        desk.browser.wait(&format!("innerWidth === {width}"));
        let overflow = desk.browser.run("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, 0, "at {width}");
        if width <= 400 {
            let boxes = "document.querySelector('[data-show=draw]').checkVisibility()";
            assert_eq!(desk.browser.run(boxes), false, "the toggles are behind a button");
            desk.browser.click("#boxes-open");
            assert_eq!(desk.browser.run(boxes), true);
            desk.browser.click("#boxes-open");
            desk.browser.click("#tab-tree");
        }
        for part in ["#stage", "#tree", "#step", "#query"] {
            let shown = desk.browser.run(&format!("(() => {{ const box = document.querySelector('{part}').getBoundingClientRect();
                return box.width > 50 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; }})()"));
            assert_eq!(shown, true, "{part} at {width}");
        }
        for tab in ["why", "point", "layers", "objects"] {
            desk.browser.click(&format!("#tab-{tab}"));
            let cut = desk.browser.run(CUT_OFF);
            assert_eq!(cut, "", "cut off at {width}, {tab}");
        }
    }
    // A wide tree leaves little room for the drawing.
    desk.browser.resize(900, 800);
    desk.browser.wait("innerWidth === 900");
    let edge = desk_edge(&mut desk);
    desk.browser.drag([edge, 400.0], [420.0, 400.0]);
    let inside = "[...document.querySelectorAll('.toggles button, .toggles select')].filter(part => part.offsetParent && part.getBoundingClientRect().right > document.querySelector('.middle').getBoundingClientRect().right).length";
    assert_eq!(desk.browser.run(inside), 0, "no tool is cut off");
    let names = "(() => { const names = [...document.querySelectorAll('button')].map(part => part.textContent.trim()); return names.filter((name, at) => names.indexOf(name) < at).join(); })()";
    assert_eq!(desk.browser.run(names), "", "no two buttons have one name");
    desk.check_no_complaints("widths");
}

#[test]
fn comparisons_list_the_differences() {
    let mut desk = Desk::new();
    let (old, new) =
        (svg(BODY), svg(&BODY.replace("cx=\"50\"", "cx=\"60\"").replace("x=\"300\"", "x=\"5\"")));
    desk.open_diff(&old, &new);
    let text = desk.browser.text("#changes");
    says(&text, &["2 differences", "circle #dot\nby 10, 0", "rect #outside\nnow 20 × 20 at"]);
    let mut seen = vec![desk.browser.run("inspector.fingerprint()")];
    for way in ["over", "slider"] {
        desk.browser.click(&format!("[data-compare={way}]"));
        let now = desk.browser.run("inspector.fingerprint()");
        assert!(!seen.contains(&now), "{way} looks as another");
        seen.push(now);
    }
    let middle = desk
        .browser
        .run("inspector.stage.host.getBoundingClientRect().x + inspector.stage.width / 2")
        .as_f64()
        .unwrap();
    desk.browser.drag([middle, 300.0], [middle - 100.0, 300.0]);
    assert!(
        desk.browser.run("inspector.state.split").as_f64().unwrap() < 0.45,
        "the line is dragged"
    );
    desk.browser.click("#changes button.link");
    assert!(desk.selected().contains("#dot"));
    desk.check_link_restores("JSON.stringify([inspector.state.change, inspector.state.split.toFixed(3), inspector.state.compare])");
    assert_eq!(desk.browser.run("inspector.state.change"), 0);
    assert!(desk.browser.run("inspector.state.split").as_f64().unwrap() < 0.45);
    desk.check_no_complaints("compare");
}

/// A moved group and an edited clip path are two causes, regardless of the number of changed boxes.
#[test]
fn changes_are_grouped_by_cause() {
    let body = |x: i32, width: i32, more: &str| {
        svg(&format!(
            r##"<g opacity=".5"><rect x="{x}" width="9" height="9"/><rect x="{x}" y="20" width="9" height="9"/></g>
            <clipPath id="c"><rect y="50" width="{width}" height="40"/></clipPath>
            <g clip-path="url(#c)"><rect y="50" width="90" height="9"/><rect y="70" width="90" height="9"/></g>{more}"##
        ))
    };
    let more = r#"<g opacity=".2"><path d="M90 90h9v9z"/></g>"#;
    let mut desk = Desk::new();
    desk.open_diff(&body(10, 60, ""), &body(15, 50, more));
    let told = desk.browser.text("#changes");
    says(&told, &["8 differences", "From 3 causes."]);
    let seen = "inspector.model.kind[inspector.changes[inspector.state.change].item]";
    desk.browser.key("n");
    assert_eq!(desk.browser.run(seen), 2, "the layer that moved, before what is in it");
    desk.browser.key("n");
    assert_eq!(desk.browser.run(seen), 1, "the clip");
    desk.browser.key("n");
    assert_eq!(desk.browser.run(seen), 2, "the new layer");
    desk.browser.key("N");
    assert_eq!(desk.browser.run(seen), 1);
    desk.check_no_complaints("causes");
}

/// The panel and the drawing use the same numbers for clips, and name the clip that cuts most.
#[test]
fn clips_have_the_same_numbers_in_the_panel_and_the_drawing() {
    let clip = |at: i32| {
        let (x, width) = (3 * at, 200 - 6 * at);
        format!(
            r##"<clipPath id="k{at}"><rect x="{x}" width="{width}" height="100"/></clipPath><g id="deep{at}" clip-path="url(#k{at})">"##
        )
    };
    let body: String = (0..18).map(clip).collect();
    let inner = r#"<rect id="innermost" width="200" height="100"/>"#;
    let mut desk = Desk::new();
    desk.open_svg(&svg(&format!("{body}{inner}{}", "</g>".repeat(18))));
    desk.browser.run("inspector.select(inspector.model.ids.indexOf('innermost'))");
    let labels = desk.browser.run("inspector.stage.labels.map(label => label.text.match(/^(\\d+)  (\\S+)/)).filter(Boolean).map(([, number, name]) => `${number} ${name}`)");
    let panel = desk.browser.run("[...document.querySelectorAll('#why .chain li')].map(li => `${li.querySelector('.number').innerText} ${li.querySelector('bdi').innerText}`)");
    let (labels, panel) = (labels.as_array().unwrap(), panel.as_array().unwrap());
    assert!(labels.len() >= 12 && panel.len() == 17, "{labels:?} {panel:?}");
    for label in labels {
        assert!(panel.contains(label), "{label} is not in {panel:?}");
    }
    let most = "inspector.stage.labels.some(label => label.text === '17  #deep17  cuts most')";
    assert_eq!(desk.browser.run(most), true);
    let width = desk.browser.run("document.querySelector('.row.selected .label').clientWidth");
    assert!(width.as_f64() > Some(60.0), "a deep row keeps its name: {width}");
    desk.check_no_complaints("deep clips");
}

#[test]
fn filters_are_described_by_their_reach() {
    let mut desk = Desk::new();
    desk.open_svg(&svg(r#"<filter id="f"><feGaussianBlur stdDeviation="9"/></filter>
        <g filter="url(#f)"><rect id="glow" x="-20" y="40" width="50" height="30"/></g>"#));
    desk.browser.run("inspector.select(inspector.model.ids.lastIndexOf('glow'))");
    let why = desk.browser.text("#why");
    says(&why, &["The filter #glow reaches 32 px.", "it reads 100 × 100", "It lands in 36 × 36."]);
    desk.check_no_complaints("a filter");
}

/// Changes that affect no box are listed with their ids, and marked.
#[test]
fn changed_paint_ids_and_order_are_listed_and_marked() {
    let mut desk = Desk::new();
    let old = svg(
        r#"<rect id="a" width="9" height="9" fill="red"/><circle id="b" cx="30" r="9"/><rect id="c" x="50" width="9" height="9"/>"#,
    );
    let new = svg(
        r#"<circle id="b" cx="30" r="9"/><rect id="a" width="9" height="9" fill="blue"/><rect id="d" x="55" width="9" height="9"/><rect id="c" x="50" width="9" height="9"/>"#,
    );
    desk.open_diff(&old, &new);
    let words = "[...document.querySelectorAll('#changes tbody tr')].map(row => row.innerText.trim().split(/\\s+/).slice(0, 3).join(' ')).join()";
    let listed = "reordered circle #b,repainted rect #a,appeared rect #d";
    assert_eq!(desk.browser.run(words), listed);
    desk.browser.run("inspector.setChange(1)");
    assert!(desk.selected().contains("#a"), "{}", desk.selected());
    desk.open_diff(&old, &old.replace("\"c\"", "\"e\""));
    assert_eq!(desk.browser.run(words), "renamed rect #e");
    assert!(desk.browser.text("#changes").contains("was #c"));
    desk.open_diff(&old, &old);
    assert_eq!(desk.browser.text("#changes h2"), "No difference");
    desk.check_no_complaints("paint");
}

/// The page shows the measured drawing first. The browser's own rendering is optional, and stored in the link.
#[test]
fn the_measured_drawing_is_shown_first() {
    let mut desk = Desk::new();
    let (source, report) = (svg("<text y='50'>a</text>"), report_on(&svg(BODY)));
    let measured = svg("<path d='M0 0h9v9z'/>");
    let exhibit = Exhibit {
        report: &report,
        drawing: Some(&source),
        measured: Some(&measured),
        ..Exhibit::default()
    };
    desk.open(&html(&exhibit), "");
    let shown = "inspector.stage.images.new.drawing.text()";
    assert_eq!(desk.browser.run(shown), measured);
    let choose = |desk: &mut Desk, key: &str| {
        desk.browser.run("document.getElementById('drawn-by').focus()");
        desk.browser.key(key);
    };
    choose(&mut desk, "ArrowDown");
    assert_eq!(desk.browser.run(shown), source);
    desk.check_link_restores("inspector.state.drawnBy");
    assert_eq!(desk.browser.run(shown), source);
    choose(&mut desk, "ArrowUp");
    assert_eq!(desk.browser.run(shown), measured);
    desk.open_svg(&source);
    assert_eq!(desk.browser.run("document.getElementById('drawn-by').hidden"), true);
    desk.check_no_complaints("what was measured");
}

#[test]
fn the_initial_view_fits_the_drawing() {
    let mut desk = opened();
    let shown = "[...document.querySelectorAll('#box-toggles input:checked')].map(box => box.dataset.show).join()";
    assert_eq!(desk.browser.run(shown), "draw,layer,clip,culled");
    let ground = "document.getElementById('stage').dataset.ground";
    desk.browser.wait(&format!("{ground} === 'light'"));
    let many = r#"<rect width="5" height="5"/>"#.repeat(301);
    desk.open_svg(&svg(&format!(r#"<rect width="200" height="100"/>{many}"#)));
    assert_eq!(desk.browser.run(shown), "layer,clip", "a crowd of draws is hidden at first");
    assert_eq!(desk.browser.text("#key"), "Dashed: clip. Dotted: layer. Draws are hidden.");
    desk.browser.wait(&format!("{ground} === 'dark'"));
    desk.check_no_complaints("the first look");
}
