//! The page in Chromium, driven by mouse and keys: every row of what it can do.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`), so it is asked for by name:
//! `cargo test -p treebounds_inspector --features browser --test browser`. With a folder in `TREEBOUNDS_SVG_CORPUS`, every
//! drawing in it is opened too.
#![allow(clippy::unwrap_used, clippy::panic)]

mod chromium;
mod drawings;
mod rows;

use chromium::Browser;
use drawings::{Random, asset, files, made, read, report, report_of, report_on, svg};
use rows::{BODY, ROWS};
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

    /// Opens the page of two SVG texts.
    fn open_diff(&mut self, old: &str, new: &str) {
        let (old_report, new_report) = (report_on(old), report_on(new));
        let diff = Diff::new(
            &ReadReport::from_json(&old_report).unwrap(),
            &ReadReport::from_json(&new_report).unwrap(),
        );
        let page = html_of_diff(
            &Exhibit { report: &old_report, drawing: Some(old.as_bytes()) },
            &Exhibit { report: &new_report, drawing: Some(new.as_bytes()) },
            &diff,
        );
        self.open(&page, "");
    }

    fn is_fine(&mut self, about: &str) {
        let said = self.browser.complaints();
        assert!(said.is_empty(), "{about}: {said:?}");
        let failure = self.browser.run("!document.getElementById('failure').hidden && document.getElementById('failure').innerText");
        assert_eq!(failure, Value::Bool(false), "{about}");
    }

    /// The page of the same link has the same state; it is opened.
    fn opens_again_as(&mut self, state: &str) {
        let before = self.browser.run(state);
        // A link is written soon, and not at once.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let hash = self.browser.run("location.hash");
        let path = self.folder.path().join("page.html");
        self.browser.open_page(&path, hash.as_str().unwrap());
        assert_eq!(self.browser.run(state), before, "{hash}");
    }

    fn selected(&mut self) -> String {
        self.browser.text("#why h2")
    }
}

fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.open_svg(&svg(BODY));
    desk.is_fine("the page");
    desk
}

#[test]
fn every_row_holds() {
    let mut desk = Desk::new();
    for row in ROWS {
        println!("{}", row.name);
        desk.browser.dark(false);
        desk.open_svg(&row.drawing());
        desk.is_fine("the page");
        (row.run)(&mut desk.browser);
        desk.is_fine(row.name);
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
    let nonsense = "#select=77&step=x&mode=nothing&at=1,a&view=0,0,0&boxes=&find=%00%ff&theme=pink&object=99&change=0&split=2&camera=1,9,0";
    desk.browser.open_page(&path, nonsense);
    desk.is_fine("a link that makes no sense");
}

#[test]
fn a_link_holds_the_camera_and_the_object() {
    let mut desk = desk();
    desk.browser.key("3");
    desk.browser.run("document.getElementById('stage').focus()");
    for key in ["ArrowLeft", "ArrowUp", "+"] {
        desk.browser.key(key);
    }
    desk.browser.click("#tab-objects");
    desk.browser.click("#objects tr:nth-child(3) button");
    let state = "JSON.stringify([inspector.state.object, inspector.state.tab, Object.values(inspector.state.camera).map(x => x.toFixed(3))])";
    desk.opens_again_as(state);
    assert_ne!(desk.browser.run("inspector.state.camera.zoom"), 1);
    assert_eq!(desk.browser.run("inspector.state.object"), 2);
}

/// What has more in it than it shows, sideways, and does not say so with an ellipsis.
const CUT_OFF: &str = "[...document.querySelectorAll('#app *')].filter(part => part.offsetParent && part.scrollWidth > part.clientWidth + 1
    && !['visible', 'clip'].includes(getComputedStyle(part).overflowX) && getComputedStyle(part).textOverflow !== 'ellipsis'
    && !part.matches('.spoken, .stage')).map(part => part.id || part.className || part.tagName).join()";

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
        for tab in ["why", "point", "layers", "objects"] {
            desk.browser.click(&format!("#tab-{tab}"));
            let cut = desk.browser.run(CUT_OFF);
            assert_eq!(cut, "", "cut off at {width}, {tab}");
        }
    }
    desk.is_fine("widths");
}

#[test]
fn old_and_new_are_compared() {
    let mut desk = Desk::new();
    let (old, new) =
        (svg(BODY), svg(&BODY.replace("cx=\"50\"", "cx=\"60\"").replace("x=\"300\"", "x=\"5\"")));
    desk.open_diff(&old, &new);
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
    desk.opens_again_as("JSON.stringify([inspector.state.change, inspector.state.split.toFixed(3), inspector.state.compare])");
    assert_eq!(desk.browser.run("inspector.state.change"), 0);
    assert!(desk.browser.run("inspector.state.split").as_f64().unwrap() < 0.45);
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

/// Milliseconds that the middle one of an action's times must stay below, however busy the machine is: a page that
/// answers within a frame takes a sixtieth of it.
const ANSWER_MAX: f64 = 1000.0;

/// Prints how long these took, and holds the middle one to a bound that a busy machine keeps.
fn tell(about: &str, times: &Value) {
    let mut times: Vec<f64> =
        times.as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    assert!(times.len() >= 5, "{about} was timed {} times", times.len());
    let (middle, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{about}: median {middle:.1} ms, most {most:.1} ms of {}", times.len());
    assert!(middle < ANSWER_MAX, "{about}: {middle} ms");
}

/// The page's own marks.
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
            "performance.getEntriesByName('treebounds {name}').map(mark => mark.duration)"
        ));
        tell(name, &times);
    }
    desk.is_fine("50,000 elements");
}

/// The gaps between frames while the tree opens and closes, and while the view moves.
#[test]
fn frames_are_timed() {
    let mut desk = Desk::new();
    desk.open(&html(&Exhibit { report: &report(&made(100_000), "made"), drawing: None }), "");
    desk.browser.wait("inspector.stage.painted !== undefined");
    desk.browser.run(
        "globalThis.gaps = []; globalThis.last = performance.now();
         (function frame(now) { gaps.push(now - last); last = now; requestAnimationFrame(frame); })(last)",
    );
    let mut gaps = |about: &str, act: &dyn Fn(&mut Browser)| {
        desk.browser.run("gaps.length = 0");
        for _ in 0..20 {
            act(&mut desk.browser);
        }
        desk.browser.wait("gaps.length >= 5");
        let times = desk.browser.run("gaps");
        tell(about, &times);
    };
    gaps("100,000: twisty", &|browser| browser.click(".row[aria-expanded] .twisty"));
    gaps("100,000: wheel on the drawing", &|browser| browser.wheel([600.0, 400.0], -60.0));
    gaps("100,000: wheel on the tree", &|browser| browser.wheel([120.0, 400.0], 400.0));
    desk.is_fine("100,000 elements");
}

/// What lets nothing through: by which rule, and whose.
#[test]
fn every_rule_is_told() {
    let text =
        svg(r##"<mask id="veil"><rect x="150" y="50" width="9" height="9" fill="white"/></mask>
        <g id="clear" opacity="0"><rect id="in-clear" width="9" height="9"/></g>
        <g id="masked" mask="url(#veil)"><rect id="in-masked" width="9" height="9"/></g>
        <g id="hollow" opacity=".5"><rect id="far" x="900" width="9" height="9"/></g>"##);
    let mut desk = Desk::new();
    let mut why = |report: &str, id: &str, words: &str| {
        desk.open(&html(&Exhibit { report, drawing: None }), "");
        desk.browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        let said = desk.browser.text("#why");
        assert!(said.contains(words), "{id}: {said} lacks {words}");
    };
    let report = report_on(&text);
    why(&report, "clear", "Culled: it lets nothing through (opacity 0: #clear).");
    why(
        &report,
        "in-clear",
        "inside layer #clear, which lets nothing through (opacity 0: #clear).",
    );
    why(&report, "masked", "Culled: it lets nothing through (masked away: #veil).");
    why(&report, "hollow", "Culled: of 1 draw in it none can be seen.");
    why(&report, "far", "Culled: it lies outside the canvas.");
    assert!(report.contains(r#""by":"opacity""#) || report.contains(r#""by": "opacity""#));
    for (rule, words) in [("region", "outside a filter's region"), ("empty", "nothing painted")] {
        let report = report.replace("\"opacity\"", &format!("\"{rule}\""));
        why(&report, "clear", &format!("Culled: it lets nothing through ({words})."));
    }
    desk.is_fine("rules");
}

/// Ids and texts of two drawings, and what differs, with the same hostile texts as one drawing.
#[test]
fn hostile_texts_of_a_comparison_stay_texts() {
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
    desk.is_fine("hostile comparison");
}
