//! The page in Chromium, driven by mouse and keys: every row of what it can do.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`), so it is asked for by name:
//! `cargo test -p treebounds_inspector --features browser --test browser`. With a folder in `TREEBOUNDS_SVG_CORPUS`, every
//! drawing in it is opened too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod chromium;
mod drawings;

use chromium::Browser;
use drawings::{Random, asset, files, made, read, report, report_of, report_on, svg};
use serde_json::Value;
use std::path::{Path, PathBuf};
use treebounds_inspector::{Diff, Exhibit, ReadReport, html, html_of_diff};

/// A browser, and a folder for its pages.
struct Desk {
    browser: Browser,
    folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        Self {
            browser: Browser::start(1200, 800, &["--disable-gpu"]),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn write(&self, page: &str) -> PathBuf {
        let path = self.folder.path().join("page.html");
        std::fs::write(&path, page).unwrap();
        path
    }

    fn open(&mut self, page: &str, hash: &str) {
        let path = self.write(page);
        self.browser.open_page(&path, hash);
    }

    /// Opens the page of an SVG text.
    fn open_svg(&mut self, text: &str) {
        let page = html(&Exhibit { report: &report_on(text), drawing: Some(text.as_bytes()) });
        self.open(&page, "");
    }

    fn is_fine(&mut self, about: &str) {
        let said = self.browser.complaints();
        assert!(said.is_empty(), "{about}: {said:?}");
        let failure = self.browser.run("!document.getElementById('failure').hidden && document.getElementById('failure').innerText");
        assert_eq!(failure, Value::Bool(false), "{about}");
    }

    /// Where on the page a point of the drawing is.
    fn at(&mut self, x: f64, y: f64) -> [f64; 2] {
        let at = self.browser.run(&format!("inspector.place({x}, {y})"));
        [0, 1].map(|axis| at[axis].as_f64().unwrap())
    }

    fn selected(&mut self) -> String {
        self.browser.text("#why h2")
    }
}

/// A badge that is cut, a dot in it, something outside, a layer.
const BODY: &str = r##"<clipPath id="cut"><rect x="20" y="20" width="60" height="60"/></clipPath>
    <g id="badge" clip-path="url(#cut)"><rect id="plate" x="10" y="10" width="90" height="80" fill="teal"/>
    <circle id="dot" cx="50" cy="50" r="10" fill="gold"/><rect id="away" x="120" y="30" width="20" height="20"/></g>
    <g id="veil" opacity=".5"><rect id="left" x="120" y="40" width="20" height="20"/><rect id="right" x="160" y="60" width="30" height="30"/></g>
    <rect id="outside" x="300" y="10" width="20" height="20"/>"##;

fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.open_svg(&svg(BODY));
    desk.is_fine("the page");
    desk
}

#[test]
fn every_drawing_opens() {
    let mut desk = Desk::new();
    let mut all = files(&asset(""));
    assert!(all.len() > 10);
    if let Some(corpus) = std::env::var_os("TREEBOUNDS_SVG_CORPUS") {
        all.extend(files(Path::new(&corpus)));
    }
    let mut opened = 0;
    for file in &all {
        let data = std::fs::read(file).unwrap();
        let Ok(drawing) = read(&data) else { continue };
        let report = report_of(&drawing, &file.display().to_string());
        desk.open(&html(&Exhibit { report: &report, drawing: Some(&data) }), "");
        desk.is_fine(&file.display().to_string());
        opened += 1;
    }
    println!("{opened} of {} files opened", all.len());
    desk.open(&html(&Exhibit { report: &report(&made(100_000), "made"), drawing: None }), "");
    desk.is_fine("a made scene of 100,000 elements");
    assert!(desk.browser.text("#summary").starts_with("9"), "{}", desk.browser.text("#summary"));
}

#[test]
fn tree_and_drawing_light_each_other() {
    let mut desk = desk();
    assert_eq!(desk.browser.run("document.querySelectorAll('.row:not([hidden])').length"), 8);
    let at = desk.at(50.0, 50.0);
    desk.browser.move_to(at);
    assert!(desk.browser.text(".row.hovered").contains("#dot"), "the box lights the row");
    desk.browser.click_at(at);
    assert!(desk.selected().contains("#dot"));
    assert!(desk.browser.text(".row.selected").contains("#dot"));
    desk.browser.click("#tab-why");
    let row = desk.browser.run("[...document.querySelectorAll('.row')].findIndex(row => row.ariaLabel.includes('#right')) + 1");
    desk.browser.point(&format!(".row:nth-child({row})"));
    assert_eq!(desk.browser.run("inspector.state.hovered"), 6, "the row lights the box");
    desk.browser.click(&format!(".row:nth-child({row})"));
    assert!(desk.selected().contains("#right"));
    let twisty = ".row[aria-expanded] .twisty";
    desk.browser.click(twisty);
    assert_eq!(
        desk.browser.run("document.querySelectorAll('.row:not([hidden])').length"),
        5,
        "the badge is closed"
    );
    desk.is_fine("hover and select");
}

#[test]
fn why_is_told_in_words() {
    let mut desk = desk();
    let mut why = |id: &str| {
        desk.browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        desk.browser.text("#why")
    };
    let plate = why("plate");
    for words in [
        "Of its own box 50% is left: clip #badge cuts the rest.",
        "90 × 80",
        "60 × 60",
        "cuts most: 50%",
    ] {
        assert!(plate.contains(words), "{plate} lacks {words}");
    }
    assert!(why("away").contains("Culled: it lies outside clip #badge."), "{}", why("away"));
    assert!(why("outside").contains("Culled: it lies outside the canvas."), "{}", why("outside"));
    assert!(why("dot").contains("nothing cuts it"), "{}", why("dot"));
    let veil = why("veil");
    for words in [
        "It has no extent of its own",
        "70 × 50",
        "left\t120\trect #left",
        "right\t190\trect #right",
    ] {
        assert!(veil.contains(words), "{veil} lacks {words}");
    }
    let right = why("right");
    assert!(right.contains("layer #veil\t70 × 50 → 20 × 20\t−89%"), "{right}");
    let none = desk.browser.run("inspector.select(-1), document.querySelector('#why').innerText");
    assert!(none.as_str().unwrap().contains("Select an element"), "{none}");
    desk.is_fine("why");
}

#[test]
fn a_point_has_a_stack() {
    let mut desk = desk();
    let at = desk.at(15.0, 50.0);
    desk.browser.click_at(at);
    assert!(
        desk.browser.text("#point").contains("1 element, 0 of them visible"),
        "{}",
        desk.browser.text("#point")
    );
    assert!(desk.browser.text("#point").contains("rect #plate\tclipped here"));
    let at = desk.at(130.0, 45.0);
    desk.browser.click_at(at);
    let stack = desk.browser.text("#point table");
    let expected = ["rect #left\tvisible", "layer #veil\tvisible", "rect #away\tculled"];
    assert_eq!(stack.lines().map(str::trim).collect::<Vec<_>>(), expected);
    desk.browser.run("document.getElementById('stage').focus()");
    for _ in 0..3 {
        desk.browser.key("ArrowRight");
    }
    assert!(
        desk.browser.run("inspector.state.point[0]").as_f64().unwrap() > 130.5,
        "the crosshair moves by keys"
    );
    desk.browser.key("Enter");
    assert!(desk.browser.text("#live").contains("#left"), "{}", desk.browser.text("#live"));
    desk.is_fine("pick");
}

#[test]
fn the_paint_order_is_walked() {
    let mut desk = desk();
    desk.browser.key(".");
    assert!(
        desk.browser.text("#step-text").starts_with("1 of 8: clip #badge"),
        "{}",
        desk.browser.text("#step-text")
    );
    desk.browser.key(".");
    assert_eq!(desk.browser.text("#step-text"), "2 of 8: rect #plate, clip 60 × 60 in force");
    desk.browser.key(",");
    desk.browser.key(",");
    assert!(desk.browser.text("#step-text").starts_with("1 of 8"));
    desk.browser.run("document.getElementById('step').focus()");
    desk.browser.key("ArrowRight");
    assert!(desk.browser.text("#step-text").starts_with("2 of 8"), "the slider, by keys");
    desk.browser.click("#step-on");
    assert!(desk.browser.text("#step-text").starts_with("3 of 8"));
    desk.browser.click("#step-play");
    desk.browser.wait("inspector.state.step === -1");
    assert_eq!(desk.browser.text("#step-text"), "all 8 steps");
    desk.is_fine("steps");
}

#[test]
fn elements_are_found_by_words() {
    let mut desk = desk();
    let mut found = |words: &str| {
        desk.browser.key("Escape");
        desk.browser.run(
            "document.getElementById('query').focus(), document.getElementById('query').select()",
        );
        desk.browser.write(words);
        let text = desk.browser.text("#found");
        text.strip_suffix(" found")
            .unwrap_or_else(|| panic!("{words}: {text}"))
            .parse::<u32>()
            .unwrap()
    };
    let words = [
        ("draw", 6),
        ("clip", 1),
        ("layer", 1),
        ("!draw", 2),
        ("culled", 2),
        ("cut", 1),
        ("dot", 1),
        ("#le", 1),
        ("nobody", 0),
        ("w>25", 4),
        ("draw w>25", 2),
        ("area<450", 4),
        ("depth>0", 5),
        ("wasted>50%", 1),
        ("wasted>19000", 0),
        ("path !culled", 4),
        ("circle", 1),
        ("g[1]/rect", 2),
    ];
    for (words, expected) in words {
        assert_eq!(found(words), expected, "{words}");
    }
    assert_eq!(found("right"), 1);
    let rows = desk.browser.run("[...document.querySelectorAll('.row:not([hidden])')].map(row => row.querySelector('.id').textContent).join()");
    assert_eq!(rows, "#veil,#right", "what is around what is found stays");
    desk.is_fine("filter");
}

#[test]
fn toggles_change_the_picture() {
    let mut desk = desk();
    let hash = |this: &mut Desk| {
        this.browser
            .run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        this.browser.run("inspector.fingerprint()").as_str().unwrap().to_owned()
    };
    let mut seen = vec![hash(&mut desk)];
    for toggle in ["bounds", "clip", "content", "own", "culled", "bins"] {
        desk.browser.click(&format!("[data-show={toggle}]"));
        let now = hash(&mut desk);
        assert!(!seen.contains(&now), "{toggle} changes nothing");
        seen.push(now);
    }
    desk.browser.dark(true);
    desk.browser.wait("getComputedStyle(document.documentElement).colorScheme.includes('dark')");
    let now = hash(&mut desk);
    assert!(!seen.contains(&now), "dark is as light");
    desk.browser.key("t");
    assert_eq!(desk.browser.run("document.documentElement.dataset.theme"), "light");
    desk.is_fine("toggles");
}

#[test]
fn overdraw_is_counted_in_tiles() {
    let mut desk = desk();
    desk.browser.key("2");
    let key = desk.browser.text("#key");
    // Naively, the tiles of 16 pixels that each draw touches.
    let draws = [
        [10, 10, 100, 90],
        [40, 40, 60, 60],
        [120, 30, 140, 50],
        [120, 40, 140, 60],
        [160, 60, 190, 90],
    ];
    let cut = [[20, 20, 80, 80], [40, 40, 60, 60], [120, 40, 140, 60], [160, 60, 190, 90]];
    let tiles = |boxes: &[[i32; 4]]| -> i32 {
        let side = |low: i32, high: i32| (high + 15) / 16 - low / 16;
        boxes.iter().map(|[x0, y0, x1, y1]| side(*x0, *x1) * side(*y0, *y1)).sum()
    };
    let (given, found) = (tiles(&draws), tiles(&cut));
    let expected = format!("{given} as given, {found} as computed: {} saved", given - found);
    assert!(key.contains(&expected), "{key} lacks {expected}");
    for which in ["given", "saved", "found"] {
        desk.browser.click(&format!("[data-heat={which}]"));
        assert_eq!(desk.browser.run("inspector.state.heat"), which);
    }
    desk.is_fine("overdraw");
}

#[test]
fn layers_are_a_table() {
    let mut desk = Desk::new();
    let body = format!(
        r#"{BODY}<g id="gone" opacity=".2"><rect id="far" x="500" width="9" height="9"/></g>"#
    );
    desk.open_svg(&svg(&body));
    desk.browser.click("#tab-layers");
    let text = desk.browser.text("#layers");
    // Two layers of 200 x 100 pixels as given; of one 70 x 50 pixels can be seen, of the other nothing.
    for words in [
        "2 layers",
        "1 of them can be left out",
        "layer #gone changes nothing\t20,000\t0\t80.0 KB\t0 B",
        "layer #veil\t20,000\t3,500\t80.0 KB\t14.0 KB",
        "all\t40,000\t3,500\t160 KB\t14.0 KB",
    ] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
    desk.browser.click("#layers button.link");
    assert!(desk.selected().contains("#gone"));
    desk.is_fine("layers");
}

#[test]
fn objects_of_the_document_have_boxes() {
    let mut desk = desk();
    desk.browser.click("#tab-objects");
    let text = desk.browser.text("#objects");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "10 objects",
        "g #badge svg/g[1] 60 × 60 at 20, 20",
        "rect #outside svg/rect[1] outside the canvas",
        "clipPath #cut",
    ] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
    let before = desk.browser.run("inspector.stage.top.toDataURL()");
    desk.browser.click("#objects tr:nth-child(3) button");
    assert_ne!(desk.browser.run("inspector.stage.top.toDataURL()"), before, "the object lights up");
    desk.is_fine("objects");
}

#[test]
fn layers_are_drawn_apart() {
    let mut desk = desk();
    desk.browser.key("3");
    let first = desk.browser.run("inspector.fingerprint()");
    desk.browser.drag([600.0, 400.0], [700.0, 430.0]);
    let turned = desk.browser.run("inspector.fingerprint()");
    assert_ne!(first, turned, "the mouse turns them");
    desk.browser.run("document.getElementById('stage').focus()");
    desk.browser.key("ArrowLeft");
    let again = desk.browser.run("inspector.fingerprint()");
    assert_ne!(turned, again, "keys turn them");
    desk.browser.wheel([600.0, 400.0], -200.0);
    desk.browser.wait("inspector.stage.zoom > 1");
    desk.is_fine("exploded");
}

#[test]
fn a_link_holds_what_is_seen() {
    let mut desk = desk();
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
    let view = "inspector.state.view.scale.toPrecision(5)";
    let (before, zoomed) = (desk.browser.run(state), desk.browser.run(view));
    let hash = desk.browser.run("location.hash");
    let path = desk.folder.path().join("page.html");
    desk.browser.open_page(&path, hash.as_str().unwrap());
    assert_eq!(desk.browser.run(state), before, "{hash}");
    assert_eq!(desk.browser.run(view), zoomed, "{hash}");
    let nonsense = "#select=77&step=x&mode=nothing&at=1,a&view=0,0,0&boxes=&find=%00%ff&theme=pink";
    desk.browser.open_page(&path, nonsense);
    desk.is_fine("a link that makes no sense");
}

#[test]
fn keys_do_all_of_it() {
    let mut desk = desk();
    desk.browser.key("/");
    assert_eq!(desk.browser.run("document.activeElement.id"), "query");
    desk.browser.write("draw");
    desk.browser.key("ArrowDown");
    assert_eq!(desk.browser.run("document.activeElement.id"), "tree");
    desk.browser.run("document.getElementById('query').value = '', inspector.setQuery('')");
    desk.browser.key("Home");
    assert!(desk.selected().contains("#badge"));
    desk.browser.key("ArrowDown");
    assert!(desk.selected().contains("#plate"));
    desk.browser.key("ArrowLeft");
    assert!(desk.selected().contains("#badge"), "out");
    desk.browser.key("ArrowLeft");
    assert_eq!(
        desk.browser.run("document.querySelectorAll('.row:not([hidden])').length"),
        5,
        "closed"
    );
    desk.browser.key("ArrowRight");
    desk.browser.key("ArrowRight");
    assert!(desk.selected().contains("#plate"), "opened, and in");
    desk.browser.key("End");
    assert!(desk.selected().contains("#outside"));
    let active = "document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant')).ariaLabel";
    assert_eq!(desk.browser.run(active), "rect #outside, culled");
    desk.browser.run("inspector.select(1)");
    desk.browser.key("p");
    assert!(desk.selected().contains("#badge"), "what is around it");
    desk.browser.key("z");
    assert!(desk.browser.run("!inspector.state.isFit").as_bool().unwrap());
    desk.browser.key("0");
    assert!(desk.browser.run("inspector.state.isFit").as_bool().unwrap());
    desk.browser.key("?");
    assert!(desk.browser.run("document.getElementById('help').open").as_bool().unwrap());
    desk.browser.key("Escape");
    assert!(!desk.browser.run("document.getElementById('help').open").as_bool().unwrap());
    desk.browser.run("document.querySelector('#modes [data-mode=boxes]').focus()");
    desk.browser.key("ArrowRight");
    assert_eq!(desk.browser.run("inspector.state.mode"), "heat", "buttons of which one is on");
    desk.browser.run("document.getElementById('tab-why').focus()");
    desk.browser.key("ArrowRight");
    assert_eq!(desk.browser.run("inspector.state.tab"), "point");
    let nameless = "[...document.querySelectorAll('button, input, select, [role=tree], [role=tabpanel], [role=application]')]
        .filter(e => !(e.innerText || e.ariaLabel || e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.id || e.outerHTML).join()";
    assert_eq!(desk.browser.run(nameless), "", "each control has a name");
    desk.is_fine("keys");
}

#[test]
fn every_width_has_its_layout() {
    let mut desk = desk();
    for width in [400, 1200, 2400] {
        desk.browser.resize(width, 900);
        desk.browser.wait(&format!("innerWidth === {width}"));
        let overflow = desk.browser.run("document.documentElement.scrollWidth - innerWidth");
        assert_eq!(overflow, 0, "at {width}");
        if width == 400 {
            desk.browser.click("#tab-tree");
        }
        for part in ["#stage", "#tree", "#step", "#query"] {
            let shown = desk.browser.run(&format!("(() => {{ const box = document.querySelector('{part}').getBoundingClientRect();
                return box.width > 50 && box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight; }})()"));
            assert_eq!(shown, true, "{part} at {width}");
        }
    }
    desk.is_fine("widths");
}

#[test]
fn old_and_new_are_compared() {
    let mut desk = Desk::new();
    let (old, new) =
        (svg(BODY), svg(&BODY.replace("cx=\"50\"", "cx=\"60\"").replace("x=\"300\"", "x=\"5\"")));
    let (old_report, new_report) = (report_on(&old), report_on(&new));
    let diff = Diff::new(
        &ReadReport::from_json(&old_report).unwrap(),
        &ReadReport::from_json(&new_report).unwrap(),
    );
    let page = html_of_diff(
        &Exhibit { report: &old_report, drawing: Some(old.as_bytes()) },
        &Exhibit { report: &new_report, drawing: Some(new.as_bytes()) },
        &diff,
    );
    desk.open(&page, "");
    let text = desk.browser.text("#changes");
    for words in ["2 differences", "circle #dot\nby 10, 0", "rect #outside\nempty → 20 × 20"] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
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
    desk.is_fine("compare");
}

#[test]
fn hostile_texts_stay_texts() {
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
    desk.open(&html(&Exhibit { report: &report, drawing: Some(script.as_bytes()) }), "");
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
    assert_eq!(unseen, false, "characters that turn or hide text are shown as numbers");
    desk.is_fine("hostile texts");
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
fn broken_reports_say_what_is_wrong() {
    let mut desk = Desk::new();
    let whole = report_on(&svg(BODY));
    let wrong = [
        (whole[..whole.len() / 2].to_owned(), "not whole"),
        (String::new(), "not whole"),
        ("[1, 2]".to_owned(), "not a report"),
        (whole.replace("report/1", "report/2"), "Its form is treebounds.report/2"),
        (whole.replace("\"elements\"", "\"other\""), "no list"),
        (whole.replace("end_blend", "end_clip"), "do not nest"),
        (whole.replace("\"kind\": \"draw\"", "\"kind\": \"doodle\""), "no known kind"),
        (whole.replace("\"ix\": 3,", "\"ix\": 2,"), "the index 2"),
        (whole.replacen("\"rect\": [", "\"rect\": [\"a\", ", 1), "is no box"),
        (whole.replace("\"width\": 200.0", "\"width\": -1"), "Its size is no size"),
    ];
    for (report, words) in wrong {
        desk.open(&html(&Exhibit { report: &report, drawing: None }), "");
        let said = desk.browser.text("#failure");
        assert!(
            said.contains("This report cannot be shown") && said.contains(words),
            "{said} lacks {words}"
        );
        assert!(desk.browser.complaints().is_empty());
    }
}

/// What is at a point, by the rule alone: `ix` and state, front to back.
fn naive_stack(report: &Value, x: f32, y: f32) -> Vec<(u64, &'static str)> {
    let has = |shape: &Value| {
        let edges = shape
            .as_array()?
            .iter()
            .map(|edge| edge.as_f64().map(|edge| edge as f32))
            .collect::<Option<Vec<_>>>()?;
        Some(edges[0] <= x && x < edges[2] && edges[1] <= y && y < edges[3])
    };
    let mut stack = Vec::new();
    for element in report["elements"].as_array().unwrap().iter().rev() {
        let (rect, bounds) = (&element["rect"], &element["bounds"]);
        let is_here = if rect == "everything" { has(bounds) } else { has(rect) };
        if is_here != Some(true) || element["kind"].as_str().unwrap().starts_with("end") {
            continue;
        }
        let state = match has(bounds) {
            None => "culled",
            Some(true) => "visible",
            Some(false) => "clipped",
        };
        stack.push((element["ix"].as_u64().unwrap(), state));
    }
    stack
}

#[test]
fn picks_agree_with_a_naive_oracle() {
    let mut desk = Desk::new();
    let mut random = Random(7);
    let mut drawings: Vec<String> = files(&asset(""))
        .iter()
        .map(|file| report(&read(&std::fs::read(file).unwrap()).unwrap().scene, "asset"))
        .collect();
    while drawings.len() < 50 {
        let mut scene = made(20 + 10 * drawings.len());
        scene.notes.push(String::new());
        drawings.push(report(&scene, "made"));
    }
    let mut hits = 0;
    for text in &drawings {
        let report: Value = serde_json::from_str(text).unwrap();
        let side = |name: &str| report[name].as_f64().unwrap() as f32;
        let (width, height) = (side("width"), side("height"));
        let points: Vec<[f32; 2]> = (0..200)
            .map(|_| [width * (1.2 * random.next() - 0.1), height * (1.2 * random.next() - 0.1)])
            .collect();
        desk.open(&html(&Exhibit { report: text, drawing: None }), "");
        let found = desk.browser.run(&format!("{points:?}.map(([x, y]) => inspector.at(x, y))"));
        for (point, found) in points.iter().zip(found.as_array().unwrap()) {
            let found: Vec<(u64, &str)> = found
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| (hit["ix"].as_u64().unwrap(), hit["state"].as_str().unwrap()))
                .collect();
            let expected = naive_stack(&report, point[0], point[1]);
            assert_eq!(found, expected, "at {point:?}");
            hits += expected.len();
        }
    }
    assert!(drawings.len() >= 50 && hits > 20_000, "{hits} hits");
}

/// Prints the page's own marks; a machine that does other things is no place to judge them.
#[test]
fn answers_are_timed() {
    let mut desk = Desk::new();
    desk.open(&html(&Exhibit { report: &report(&made(50_000), "made"), drawing: None }), "");
    desk.browser.wait("inspector.stage.painted !== undefined");
    for step in 0..20 {
        let at = 40.0 + 25.0 * f64::from(step);
        desk.browser.move_to([350.0 + at, 150.0 + at]);
        desk.browser.click_at([350.0 + at, 150.0 + at]);
    }
    for _ in 0..20 {
        desk.browser.key(".");
    }
    for row in 1..10 {
        desk.browser.point(&format!(".row:nth-child({row})"));
    }
    for words in ["clip", "!draw", "w>40", "e123", "culled", "wasted>50%"] {
        desk.browser.run(
            "document.getElementById('query').focus(), document.getElementById('query').select()",
        );
        desk.browser.write(words);
    }
    for name in ["hover", "select", "pick", "step", "filter"] {
        let times = desk.browser.run(&format!(
            "performance.getEntriesByName('treebounds {name}').map(mark => mark.duration).sort((a, b) => a - b)"
        ));
        let times: Vec<f64> =
            times.as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
        assert!(times.len() >= 5, "{name} was timed {} times", times.len());
        let (middle, most) = (times[times.len() / 2], times[times.len() - 1]);
        println!("{name}: median {middle:.1} ms, most {most:.1} ms of {}", times.len());
    }
    desk.is_fine("50,000 elements");
}
