//! Tests the page's answers and measures their durations, in Chromium.

use crate::desk::Desk;
use crate::drawings::{asset, files, made, read, report, report_on, svg};
use serde_json::{Value, json};
use treebounds_core::{Rect, Role};
use treebounds_inspector::{Exhibit, html};
use treebounds_report::{Element, ReadReport};
use treebounds_testkit::Rng;
use treebounds_testkit::chromium::Browser;

/// Each culled element is explained by the rule that culls it.
#[test]
fn culled_elements_are_explained_by_their_rule() {
    let text =
        svg(r##"<mask id="veil"><rect x="150" y="50" width="9" height="9" fill="white"/></mask>
        <g id="clear" opacity="0"><rect id="in-clear" width="9" height="9"/></g>
        <g id="masked" mask="url(#veil)"><rect id="in-masked" width="9" height="9"/></g>
        <g id="hollow" opacity=".5"><rect id="far" x="900" width="9" height="9"/></g>"##);
    let mut desk = Desk::new();
    let report = report_on(&text);
    assert!(report.contains(r#""by":"opacity""#) || report.contains(r#""by": "opacity""#));
    let [region, empty] =
        ["region", "empty"].map(|rule| report.replace("\"opacity\"", &format!("\"{rule}\"")));
    for (report, id, words) in [
        (&report, "clear", "Culled: it lets nothing through (opacity 0: #clear)."),
        (
            &report,
            "in-clear",
            "inside layer #clear, which lets nothing through (opacity 0: #clear).",
        ),
        (&report, "masked", "Culled: it lets nothing through (masked away: #veil)."),
        (&report, "hollow", "Culled: the draw inside it is not visible."),
        (&report, "far", "Culled: it lies outside the canvas."),
        (&region, "clear", "Culled: it lets nothing through (outside a filter's region)."),
        (&empty, "clear", "Culled: it lets nothing through (nothing visible inside)."),
    ] {
        desk.open(&html(&Exhibit { report, ..Exhibit::default() }), "");
        desk.browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        let said = desk.browser.text("#why");
        assert!(said.contains(words), "{id}: {said} lacks {words}");
    }
    desk.check_no_complaints("rules");
}

#[test]
fn explanations_searches_and_distances_are_correct() {
    let mut desk = Desk::new();
    desk.open_svg(&svg(r##"<clipPath id="round"><circle cx="20" cy="20" r="20"/></clipPath>
        <g clip-path="url(#round)"><rect id="corner" width="10" height="10"/></g>
        <filter id="f"><feOffset dx="5"/></filter><rect x="60" width="9" height="9" filter="url(#f)"/>
        <text y="90">two words</text><rect id="cover" width="33" height="50"/>"##));
    desk.browser.run("inspector.select(inspector.model.ids.lastIndexOf('corner'))");
    let said = desk.browser.text("#why");
    for words in ["No clip cuts its box.", "may not be a rectangle", "hides it if it is opaque"] {
        assert!(said.contains(words), "{said} lacks {words}");
    }
    for (text, found) in
        [("w=33", "1 found"), ("\"two words\"", "1 found"), ("!draw w=33", "0 found")]
    {
        desk.browser.run(&format!("inspector.find('{text}')"));
        assert_eq!(desk.browser.text("#found"), found, "{text}");
    }
    desk.browser.run("inspector.find('filtered')");
    assert_ne!(desk.browser.text("#found"), "0 found");
    desk.browser.run("inspector.find('bogus=1')");
    assert!(desk.browser.text("#query-error").contains("is not a size"));
    desk.browser.run("document.activeElement.blur()");
    desk.browser.key("Escape");
    assert_eq!(desk.browser.run("inspector.state.query"), "");
    // Distances appear while the key is pressed, even if the pointer does not move.
    for (event, is_on) in [("keydown", true), ("keyup", false)] {
        let press = format!(
            "document.body.dispatchEvent(new KeyboardEvent('{event}', {{ key: 'Alt', bubbles: true }}))"
        );
        desk.browser.run(&press);
        assert_eq!(desk.browser.run("inspector.stage.measures"), is_on, "{event}");
    }
    desk.check_no_complaints("answers");
}

/// Naively picks the elements at a point. Returns `ix` and state, front to back.
fn naive_stack(elements: &[Element<'_>], x: f32, y: f32) -> Vec<(u64, &'static str)> {
    let has = |rect: Rect| rect.x0 <= x && x < rect.x1 && rect.y0 <= y && y < rect.y1;
    let mut stack = Vec::new();
    // The number of open filters.
    let mut filters = 0;
    for element in elements.iter().rev() {
        let (is_spread, role) = (element.tag.is_spread(), element.tag.role());
        match role {
            Role::End if is_spread => filters += 1,
            Role::Begin if is_spread => filters -= 1,
            _ => {}
        }
        let bounds = if filters > 0 { element.lands } else { element.bounds };
        let rect = if filters > 0 || is_spread { bounds } else { element.rect };
        if role == Role::End || !has(if rect == Rect::EVERYTHING { bounds } else { rect }) {
            continue;
        }
        let state = match (bounds.is_empty(), has(bounds)) {
            (true, _) => "culled",
            (false, true) => "visible",
            (false, false) => "clipped",
        };
        stack.push((u64::from(element.ix), state));
    }
    stack
}

#[test]
fn picks_agree_with_a_naive_oracle() {
    let mut desk = Desk::new();
    let mut rng = Rng::new(7);
    let mut drawings: Vec<String> = files(&asset(""))
        .iter()
        .map(|file| report(&read(&std::fs::read(file).unwrap()).unwrap().scene, "asset"))
        .collect();
    while drawings.len() < 50 {
        let mut scene = made(20 + 10 * drawings.len());
        scene.notes.push(String::new());
        drawings.push(report(&scene, "made"));
    }
    desk.open_svg(&svg(""));
    let mut hits = 0;
    for text in &drawings {
        let report = ReadReport::from_json(text).unwrap();
        let (width, height) = (report.width, report.height);
        let points: Vec<[f32; 2]> =
            (0..200).map(|_| [width, height].map(|side| side * rng.range(-0.1, 1.1))).collect();
        desk.show(text, "");
        let found = desk.browser.run(&format!("{points:?}.map(([x, y]) => inspector.at(x, y))"));
        for (point, found) in points.iter().zip(found.as_array().unwrap()) {
            let found: Vec<(u64, &str)> = found
                .as_array()
                .unwrap()
                .iter()
                .map(|hit| (hit["ix"].as_u64().unwrap(), hit["state"].as_str().unwrap()))
                .collect();
            let expected = naive_stack(&report.elements, point[0], point[1]);
            assert_eq!(found, expected, "at {point:?}");
            hits += expected.len();
        }
    }
    assert!(drawings.len() >= 50 && hits > 20_000, "{hits} hits");
}

/// Prints the durations, and asserts only that there are some, because they depend on the machine.
fn print_times(about: &str, times: &Value) {
    let mut times: Vec<f64> =
        times.as_array().unwrap().iter().map(|time| time.as_f64().unwrap()).collect();
    times.sort_by(f64::total_cmp);
    assert!(times.len() >= 5, "{about} was timed {} times", times.len());
    let (middle, most) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{about}: median {middle:.1} ms, most {most:.1} ms of {}", times.len());
}

#[test]
fn answers_record_their_durations() {
    let mut desk = Desk::new();
    desk.open(&html(&Exhibit { report: &report(&made(50_000), "made"), ..Exhibit::default() }), "");
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
        print_times(name, &times);
    }
    desk.check_no_complaints("50,000 elements");
}

/// Measures the gaps between frames of a large drawing, while the tree opens and closes, and while the view moves.
#[test]
fn frame_gaps_are_measured() {
    let mut desk = Desk::new();
    let report = report(&made(200_000), "made");
    let page = html(&Exhibit { report: &report, drawing: Some(DOT), ..Exhibit::default() });
    desk.open(&page, "");
    desk.browser.wait("inspector.stage.painted !== undefined");
    let loaded = desk.browser.run("performance.getEntriesByName('treebounds ready')[0].startTime");
    println!("200,000: ready after {loaded} ms");
    desk.browser.run(
        "globalThis.gaps = []; globalThis.last = performance.now();
         (function frame(now) { gaps.push(now - last); last = now; requestAnimationFrame(frame); })(last)",
    );
    desk.browser.call("Performance.enable", json!({}));
    let mut gaps = |about: &str, act: &dyn Fn(&mut Browser)| {
        desk.browser.run("gaps.length = 0");
        let before = main_thread(&mut desk.browser);
        for _ in 0..20 {
            act(&mut desk.browser);
        }
        desk.browser.wait("gaps.length >= 5");
        let each = (main_thread(&mut desk.browser) - before) / 20.0;
        println!("{about}: {each:.1} ms of the main thread each");
        let times = desk.browser.run("gaps");
        print_times(about, &times);
    };
    gaps("200,000: twisty", &|browser| browser.click(".row[aria-expanded] .twisty"));
    gaps("200,000: wheel on the drawing", &|browser| browser.wheel([600.0, 400.0], -60.0));
    gaps("200,000: wheel on the tree", &|browser| browser.wheel([120.0, 400.0], 400.0));
    gaps("200,000: wheel on the exploded view", &|browser| {
        browser.run("inspector.state.mode === 'exploded' || inspector.setMode('exploded')");
        browser.wheel([600.0, 400.0], -20.0);
    });
    gaps("200,000: pointer in the exploded view", &|browser| {
        browser.run("inspector.state.mode === 'exploded' || inspector.setMode('exploded')");
        browser.move_to([600.0, 400.0]);
        browser.move_to([640.0, 420.0]);
    });
    desk.browser.key("1");
    let source = "document.getElementById('drawing').src";
    assert_eq!(desk.browser.run(source), "", "a heavy drawing is not drawn unless asked for");
    desk.browser.click("#key button");
    // Only the click unpacks and draws the drawing.
    desk.browser
        .wait("inspector.stage.images.new.src !== '' && inspector.stage.images.new.complete");
    let drawn = "inspector.stage.images.new.drawnAt";
    let before = desk.browser.run(drawn);
    desk.browser.key("+");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(desk.browser.run(drawn), before, "its pixels are scaled");
    desk.browser.click("#key button");
    assert_ne!(desk.browser.run(drawn), before, "until it is sharpened");
    desk.check_no_complaints("200,000 elements");
}

/// Returns the milliseconds of CPU time used by the page's main thread.
fn main_thread(browser: &mut Browser) -> f64 {
    let metrics = browser.call("Performance.getMetrics", json!({}));
    let mut all = metrics["metrics"].as_array().unwrap().iter();
    1e3 * all.find(|metric| metric["name"] == "ThreadTime").unwrap()["value"].as_f64().unwrap()
}

/// A page of 200,000 random shapes must be small enough to mail.
#[test]
fn large_pages_stay_small() {
    let scene = made(200_000);
    let mut rng = Rng::new(3);
    let shapes = scene.stream.rects().iter().map(|Rect { x0, y0, x1, y1 }| {
        let color = rng.below(1 << 24);
        format!(
            "<path d=\"M{x0:.3} {y0:.3}L{x1:.3} {y0:.3} {x1:.3} {y1:.3}Z\" fill=\"#{color:06x}\"/>\n"
        )
    });
    let drawing = shapes.collect::<String>();
    let exhibit =
        Exhibit { report: &report(&scene, "made"), drawing: Some(&drawing), ..Exhibit::default() };
    let page = html(&exhibit);
    println!("{} bytes of SVG, {} bytes of HTML", drawing.len(), page.len());
    assert!(page.len() < 12_000_000, "{} bytes of HTML", page.len());
}

const DOT: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><circle r="9"/></svg>"#;
