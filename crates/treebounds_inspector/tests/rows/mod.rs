//! What a person does on the page, row by row of what it can do: on the HTML file and on the live page.
//!
//! Each row begins with a page that was just opened on the drawing [`BODY`].
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

use crate::chromium::Browser;

/// What is done with a page.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The part of the drawing after [`BODY`].
    more: &'static str,
    pub(crate) run: fn(&mut Browser),
}

impl Row {
    /// The drawing's SVG text.
    pub(crate) fn drawing(&self) -> String {
        let body = [BODY, self.more].concat();
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">{body}</svg>"#)
    }
}

const fn row(name: &'static str, run: fn(&mut Browser)) -> Row {
    Row { name, more: "", run }
}

/// All rows.
pub(crate) const ROWS: &[Row] = &[
    row("tree and drawing light each other", tree_and_drawing_light_each_other),
    row("why is told in words", why_is_told_in_words),
    row("a point has a stack", a_point_has_a_stack),
    row("the paint order is walked", the_paint_order_is_walked),
    row("elements are found by words", elements_are_found_by_words),
    row("toggles change the picture", toggles_change_the_picture),
    row("overdraw is counted in tiles", overdraw_is_counted_in_tiles),
    Row { name: "layers are a table", more: GONE, run: layers_are_a_table },
    row("objects of the document have boxes", objects_of_the_document_have_boxes),
    row("layers are drawn apart", layers_are_drawn_apart),
    row("keys do all of it", keys_do_all_of_it),
    row("space plays", space_plays),
    row("the view follows the crosshair", the_view_follows_the_crosshair),
];

/// A badge that is cut, a dot in it, something outside, a layer.
pub(crate) const BODY: &str = r##"<clipPath id="cut"><rect x="20" y="20" width="60" height="60"/></clipPath>
    <g id="badge" clip-path="url(#cut)"><rect id="plate" x="10" y="10" width="90" height="80" fill="teal"/>
    <circle id="dot" cx="50" cy="50" r="10" fill="gold"/><rect id="away" x="120" y="30" width="20" height="20"/></g>
    <g id="veil" opacity=".5"><rect id="left" x="120" y="40" width="20" height="20"/><rect id="right" x="160" y="60" width="30" height="30"/></g>
    <rect id="outside" x="300" y="10" width="20" height="20"/>"##;

/// A layer of which nothing can be seen.
const GONE: &str = r#"<g id="gone" opacity=".2"><rect id="far" x="500" width="9" height="9"/></g>"#;

/// The position on the page of a point of the drawing.
fn at(browser: &mut Browser, x: f64, y: f64) -> [f64; 2] {
    let at = browser.run(&format!("inspector.place({x}, {y})"));
    [0, 1].map(|axis| at[axis].as_f64().unwrap())
}

fn selected(browser: &mut Browser) -> String {
    browser.text("#why h2")
}

fn tree_and_drawing_light_each_other(browser: &mut Browser) {
    assert_eq!(browser.run("document.querySelectorAll('.row:not([hidden])').length"), 8);
    let point = at(browser, 50.0, 50.0);
    browser.move_to(point);
    assert!(browser.text(".row.hovered").contains("#dot"), "the box lights the row");
    browser.click_at(point);
    assert!(selected(browser).contains("#dot"));
    assert!(browser.text(".row.selected").contains("#dot"));
    browser.click("#tab-why");
    let row = browser.run("[...document.querySelectorAll('.row')].findIndex(row => row.ariaLabel.includes('#right')) + 1");
    browser.point(&format!(".row:nth-child({row})"));
    assert_eq!(browser.run("inspector.state.hovered"), 6, "the row lights the box");
    browser.click(&format!(".row:nth-child({row})"));
    assert!(selected(browser).contains("#right"));
    let twisty = ".row[aria-expanded] .twisty";
    browser.click(twisty);
    assert_eq!(
        browser.run("document.querySelectorAll('.row:not([hidden])').length"),
        5,
        "the badge is closed"
    );
}

fn why_is_told_in_words(browser: &mut Browser) {
    let mut why = |id: &str| {
        browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        browser.text("#why")
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
    let none = browser.run("inspector.select(-1), document.querySelector('#why').innerText");
    assert!(none.as_str().unwrap().contains("Select an element"), "{none}");
}

fn a_point_has_a_stack(browser: &mut Browser) {
    let point = at(browser, 15.0, 50.0);
    browser.click_at(point);
    assert!(
        browser.text("#point").contains("1 element, 0 of them visible"),
        "{}",
        browser.text("#point")
    );
    assert!(browser.text("#point").contains("rect #plate\tclipped here"));
    let point = at(browser, 130.0, 45.0);
    browser.click_at(point);
    let stack = browser.text("#point table");
    let expected = ["rect #left\tvisible", "layer #veil\tvisible", "rect #away\tculled"];
    assert_eq!(stack.lines().map(str::trim).collect::<Vec<_>>(), expected);
    browser.run("document.getElementById('stage').focus()");
    for _ in 0..3 {
        browser.key("ArrowRight");
    }
    assert!(
        browser.run("inspector.state.point[0]").as_f64().unwrap() > 130.5,
        "the crosshair moves by keys"
    );
    browser.key("Enter");
    assert!(browser.text("#live").contains("#left"), "{}", browser.text("#live"));
}

fn the_paint_order_is_walked(browser: &mut Browser) {
    browser.key(".");
    assert!(
        browser.text("#step-text").starts_with("1 of 8: clip #badge"),
        "{}",
        browser.text("#step-text")
    );
    browser.key(".");
    assert_eq!(browser.text("#step-text"), "2 of 8: rect #plate, clip 60 × 60 in force");
    browser.key(",");
    browser.key(",");
    assert!(browser.text("#step-text").starts_with("1 of 8"));
    browser.run("document.getElementById('step').focus()");
    browser.key("ArrowRight");
    assert!(browser.text("#step-text").starts_with("2 of 8"), "the slider, by keys");
    browser.click("#step-on");
    assert!(browser.text("#step-text").starts_with("3 of 8"));
    browser.click("#step-play");
    browser.wait("inspector.state.step === -1");
    assert_eq!(browser.text("#step-text"), "all 8 steps");
}

fn elements_are_found_by_words(browser: &mut Browser) {
    let mut found = |words: &str| {
        browser.key("Escape");
        browser.run(
            "document.getElementById('query').focus(), document.getElementById('query').select()",
        );
        browser.write(words);
        let text = browser.text("#found");
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
    let rows = browser.run("[...document.querySelectorAll('.row:not([hidden])')].map(row => row.querySelector('.id').textContent).join()");
    assert_eq!(rows, "#veil,#right", "what is around what is found stays");
}

fn toggles_change_the_picture(browser: &mut Browser) {
    let hash = |browser: &mut Browser| {
        browser
            .run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        browser.run("inspector.fingerprint()").as_str().unwrap().to_owned()
    };
    let mut seen = vec![hash(browser)];
    for toggle in ["bounds", "clip", "content", "own", "culled", "bins"] {
        browser.click(&format!("[data-show={toggle}]"));
        let now = hash(browser);
        assert!(!seen.contains(&now), "{toggle} changes nothing");
        seen.push(now);
    }
    browser.dark(true);
    browser.wait("getComputedStyle(document.documentElement).colorScheme.includes('dark')");
    let now = hash(browser);
    assert!(!seen.contains(&now), "dark is as light");
    browser.key("t");
    assert_eq!(browser.run("document.documentElement.dataset.theme"), "light");
}

fn overdraw_is_counted_in_tiles(browser: &mut Browser) {
    browser.key("2");
    let key = browser.text("#key");
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
        browser.click(&format!("[data-heat={which}]"));
        assert_eq!(browser.run("inspector.state.heat"), which);
    }
}

fn layers_are_a_table(browser: &mut Browser) {
    browser.click("#tab-layers");
    let text = browser.text("#layers");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Two layers of 200 x 100 pixels as given; of one 70 x 50 pixels can be seen, of the other nothing.
    for words in [
        "2 layers",
        "1 of them can be left out",
        "layer #gone changes nothing 20,000 80.0 KB 0 0 B",
        "layer #veil 20,000 80.0 KB 3,500 14.0 KB",
        "all 40,000 160 KB 3,500 14.0 KB",
    ] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
    browser.click("#layers button.link");
    assert!(selected(browser).contains("#gone"));
}

fn objects_of_the_document_have_boxes(browser: &mut Browser) {
    browser.click("#tab-objects");
    let text = browser.text("#objects");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "10 objects",
        "g #badge svg/g[1] 60 × 60 at 20, 20",
        "rect #outside svg/rect[1] outside the canvas",
        "clipPath #cut",
    ] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
    let before = browser.run("inspector.stage.top.toDataURL()");
    browser.click("#objects tr:nth-child(3) button");
    assert_ne!(browser.run("inspector.stage.top.toDataURL()"), before, "the object lights up");
}

fn layers_are_drawn_apart(browser: &mut Browser) {
    browser.key("3");
    let first = browser.run("inspector.fingerprint()");
    browser.drag([600.0, 400.0], [700.0, 430.0]);
    let turned = browser.run("inspector.fingerprint()");
    assert_ne!(first, turned, "the mouse turns them");
    browser.run("document.getElementById('stage').focus()");
    browser.key("ArrowLeft");
    let again = browser.run("inspector.fingerprint()");
    assert_ne!(turned, again, "keys turn them");
    browser.wheel([600.0, 400.0], -200.0);
    browser.wait("inspector.state.camera.zoom > 1");
}

fn keys_do_all_of_it(browser: &mut Browser) {
    browser.key("/");
    assert_eq!(browser.run("document.activeElement.id"), "query");
    browser.write("draw");
    browser.key("ArrowDown");
    assert_eq!(browser.run("document.activeElement.id"), "tree");
    browser.run("document.getElementById('query').value = '', inspector.setQuery('')");
    browser.key("Home");
    assert!(selected(browser).contains("#badge"));
    browser.key("ArrowDown");
    assert!(selected(browser).contains("#plate"));
    browser.key("ArrowLeft");
    assert!(selected(browser).contains("#badge"), "out");
    browser.key("ArrowLeft");
    assert_eq!(browser.run("document.querySelectorAll('.row:not([hidden])').length"), 5, "closed");
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    assert!(selected(browser).contains("#plate"), "opened, and in");
    browser.key("End");
    assert!(selected(browser).contains("#outside"));
    let active = "document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant')).ariaLabel";
    assert_eq!(browser.run(active), "rect #outside, culled");
    browser.run("inspector.select(1)");
    browser.key("p");
    assert!(selected(browser).contains("#badge"), "what is around it");
    browser.key("z");
    assert!(browser.run("!inspector.state.isFit").as_bool().unwrap());
    browser.key("0");
    assert!(browser.run("inspector.state.isFit").as_bool().unwrap());
    browser.key("?");
    assert!(browser.run("document.getElementById('help').open").as_bool().unwrap());
    browser.key("Escape");
    assert!(!browser.run("document.getElementById('help').open").as_bool().unwrap());
    browser.run("document.querySelector('#modes [data-mode=boxes]').focus()");
    browser.key("ArrowRight");
    assert_eq!(browser.run("inspector.state.mode"), "heat", "buttons of which one is on");
    browser.run("document.getElementById('tab-why').focus()");
    browser.key("ArrowRight");
    assert_eq!(browser.run("inspector.state.tab"), "point");
    let nameless = "[...document.querySelectorAll('button, input, select, [role=tree], [role=tabpanel], [role=application]')]
        .filter(e => !(e.innerText || e.ariaLabel || e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.id || e.outerHTML).join()";
    assert_eq!(browser.run(nameless), "", "each control has a name");
}

fn space_plays(browser: &mut Browser) {
    let glyph = "document.getElementById('step-play').innerText.trim()";
    for place in ["stage", "step", "why"] {
        browser.run(&format!("document.getElementById('{place}').focus()"));
        browser.key(" ");
        browser.wait(&format!("{glyph}.startsWith('⏸') && inspector.state.step >= 0"));
        browser.wait("inspector.state.step === -1 && !inspector.playing");
        assert_eq!(browser.text("#step-text"), "all 8 steps", "played from {place}");
    }
    browser.key(" ");
    browser.key(" ");
    assert!(browser.run(glyph).as_str().unwrap().starts_with('▶'), "and pauses");
}

/// All of a drawing that is larger than the stage can be seen by keys.
fn the_view_follows_the_crosshair(browser: &mut Browser) {
    for _ in 0..8 {
        browser.key("+");
    }
    browser.run("document.getElementById('stage').focus()");
    let shown = "(() => { const [x, y] = inspector.state.point; const [left, top] = inspector.state.view.toPage([x, y, x, y]);
        return left >= 0 && top >= 0 && left <= inspector.stage.width && top <= inspector.stage.height; })()";
    let scale = browser.run("inspector.state.view.scale");
    for (key, axis, sign) in [("ArrowRight", 0, 1.0), ("ArrowDown", 1, 1.0), ("ArrowLeft", 0, -1.0)]
    {
        browser.key("ArrowUp");
        let place = format!("inspector.state.view.toDrawing(0, 0)[{axis}]");
        let before = browser.run(&place).as_f64().unwrap();
        for _ in 0..100 {
            browser.key_with_shift(key);
        }
        assert_eq!(browser.run(shown), true, "the crosshair can be seen after {key}");
        let moved = browser.run(&place).as_f64().unwrap() - before;
        assert!(sign * moved > 1.0, "{key} moves the view by {moved}");
    }
    assert_eq!(browser.run("inspector.state.view.scale"), scale);
}
