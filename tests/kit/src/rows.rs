//! User interactions with the inspector's page, one row per feature. Both the HTML file and the live page must
//! pass these rows.
//!
//! Each row starts with a fresh page of the drawing [`BODY`].
#![allow(clippy::unwrap_used, clippy::panic, reason = "a row that does not hold ends the test")]

use crate::chromium::Browser;

/// A feature with the steps that test it.
pub struct Row {
    /// The name in failure messages.
    pub name: &'static str,
    /// Additional parts of the drawing, after [`BODY`].
    more: &'static str,
    /// The steps of the test.
    pub run: fn(&mut Browser),
}

impl Row {
    /// Returns the drawing's SVG text.
    pub fn drawing(&self) -> String {
        let body = [BODY, self.more].concat();
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">{body}</svg>"#)
    }
}

const fn row(name: &'static str, run: fn(&mut Browser)) -> Row {
    Row { name, more: "", run }
}

/// All rows.
pub const ROWS: &[Row] = &[
    row("tree and drawing light each other", tree_and_drawing_light_each_other),
    row("why is told in words", why_panel_explains_the_selection),
    row("a point has a stack", pointing_lists_the_stack),
    row("the paint order is walked", steps_walk_the_paint_order),
    row("elements are found by words", search_finds_elements),
    Row {
        name: "parts of the document are found",
        more: PARTS,
        run: search_finds_parts_of_the_document,
    },
    Row { name: "findings are told in plain words", more: PARTS, run: findings_are_listed },
    Row { name: "groups and texts have names", more: NAMES, run: groups_and_texts_have_names },
    Row {
        name: "boxes claim no more than they know",
        more: ROUND,
        run: limits_of_boxes_are_explained,
    },
    Row { name: "what costs most is told first", more: COSTLY, run: findings_are_sorted_by_cost },
    Row {
        name: "parts of uses and texts are told apart",
        more: USES,
        run: parts_of_uses_and_texts_are_distinguished,
    },
    row("zoom steps are small", zoom_steps_are_small),
    row("culled and exploded selections are clear", culled_and_exploded_selections_are_marked),
    row("icons are pictures", icons_are_svg),
    row("toggles change the picture", toggles_change_the_picture),
    row("edges of panels are dragged", panels_are_resized),
    row("the width fits and the wheel scrolls", wheel_scrolls_when_the_width_is_fitted),
    row("distances are measured", distances_are_measured),
    row("elements are hidden and shown alone", elements_are_hidden_and_shown_alone),
    row("boxes, links and views leave the page", boxes_links_and_views_are_exported),
    row("overdraw is counted in tiles", overdraw_is_counted_in_tiles),
    Row { name: "layers are a table", more: GONE, run: layers_are_listed },
    row("objects of the document have boxes", objects_of_the_document_have_boxes),
    row("layers are drawn apart", exploded_layers_have_their_own_pixels),
    row("keys do all of it", keyboard_reaches_every_feature),
    row("space plays", space_plays_the_paint_order),
    row("the view follows the crosshair", the_view_follows_the_crosshair),
];

/// A clipped badge with a dot, an element outside the canvas, and a layer.
pub const BODY: &str = r##"<clipPath id="cut"><rect x="20" y="20" width="60" height="60"/></clipPath>
    <g id="badge" clip-path="url(#cut)"><rect id="plate" x="10" y="10" width="90" height="80" fill="teal"/>
    <circle id="dot" cx="50" cy="50" r="10" fill="gold"/><rect id="away" x="120" y="30" width="20" height="20"/></g>
    <g id="veil" opacity=".5"><rect id="left" x="120" y="40" width="20" height="20"/><rect id="right" x="160" y="60" width="30" height="30"/></g>
    <rect id="outside" x="300" y="10" width="20" height="20"/>"##;

const GONE: &str = r#"<g id="gone" opacity=".2"><rect id="far" x="500" width="9" height="9"/></g>"#;

/// Returns the position on the page of a point of the drawing.
fn at(browser: &mut Browser, x: f64, y: f64) -> [f64; 2] {
    let at = browser.run(&format!("inspector.place({x}, {y})"));
    [0, 1].map(|axis| at[axis].as_f64().unwrap())
}

/// Asserts that a text contains all these words.
pub fn says(text: &str, words: &[&str]) {
    for words in words {
        assert!(text.contains(words), "{text} lacks {words}");
    }
}

/// Returns the text of an element with normalized whitespace.
fn words_of(browser: &mut Browser, selector: &str) -> String {
    browser.text(selector).split_whitespace().collect::<Vec<_>>().join(" ")
}

const ROW_COUNT: &str = "document.querySelectorAll('.row:not([hidden])').length";

fn selected(browser: &mut Browser) -> String {
    browser.text("#why h2")
}

fn tree_and_drawing_light_each_other(browser: &mut Browser) {
    assert_eq!(browser.run(ROW_COUNT), 8);
    let point = at(browser, 50.0, 50.0);
    browser.move_to(point);
    assert!(browser.text(".row.hovered").contains("#dot"), "the box lights the row");
    browser.click_at(point);
    assert_eq!(browser.run("inspector.state.tab"), "why", "a click selects, and opens nothing");
    assert!(selected(browser).contains("#dot"));
    assert!(browser.text(".row.selected").contains("#dot"));
    let row = browser.run("[...document.querySelectorAll('.row')].findIndex(row => row.textContent.includes('#right')) + 1");
    browser.point(&format!(".row:nth-child({row})"));
    assert_eq!(browser.run("inspector.state.hovered"), 6, "the row lights the box");
    browser.click(&format!(".row:nth-child({row})"));
    assert!(selected(browser).contains("#right"));
    let twisty = ".row[aria-expanded] .twisty";
    browser.click(twisty);
    assert_eq!(browser.run(ROW_COUNT), 5, "the badge is closed");
}

fn why_panel_explains_the_selection(browser: &mut Browser) {
    let mut why = |id: &str| {
        browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        browser.text("#why")
    };
    let plate = why("plate");
    says(
        &plate,
        &[
            "50% of its own box is left; clip #badge cuts the rest.",
            "90 × 80",
            "60 × 60",
            "cuts most: 50%",
        ],
    );
    assert!(why("away").contains("Culled: it lies outside clip #badge."), "{}", why("away"));
    assert!(why("outside").contains("Culled: it lies outside the canvas."), "{}", why("outside"));
    assert!(why("dot").contains("No clip cuts its box."), "{}", why("dot"));
    assert!(
        plate.contains("1 draw is painted over parts of its box, and may hide them."),
        "{plate}"
    );
    let veil = why("veil");
    says(
        &veil,
        &[
            "A layer has no size of its own. The clips around it allow up to 200 × 100; its contents cover 70 × 50 (18%)",
            "left\t120\trect #left",
            "right\t190\trect #right",
        ],
    );
    let right = why("right");
    assert!(right.contains("layer #veil\t70 × 50 → 20 × 20\t−89%"), "{right}");
    let none = browser.run("inspector.select(-1), document.querySelector('#why').innerText");
    says(none.as_str().unwrap(), &["Select an element", "Press ? for keyboard shortcuts."]);
}

fn pointing_lists_the_stack(browser: &mut Browser) {
    let point = at(browser, 15.0, 50.0);
    browser.click("#tab-point");
    browser.click_at(point);
    assert!(
        browser.text("#point").contains("1 element, none with a box here"),
        "{}",
        browser.text("#point")
    );
    assert!(browser.text("#point").contains("rect #plate\tclipped here"));
    let point = at(browser, 130.0, 45.0);
    browser.click_at(point);
    let stack = browser.text("#point table");
    let expected = ["rect #left\tbox is here", "layer #veil\tbox is here", "rect #away\tculled"];
    assert_eq!(stack.lines().map(str::trim).collect::<Vec<_>>(), expected);
    browser.run("document.getElementById('stage').focus()");
    for _ in 0..3 {
        browser.key("ArrowRight");
    }
    assert!(
        browser.run("inspector.state.point[0]").as_f64().unwrap() > 130.5,
        "the crosshair moves by keys"
    );
    assert_eq!(browser.run("inspector.state.isCrossed"), true);
    browser.click_at(point);
    assert_eq!(browser.run("inspector.state.isCrossed"), false, "a click leaves no crosshair");
    browser.key("Enter");
    assert!(browser.text("#live").contains("#left"), "{}", browser.text("#live"));
}

fn steps_walk_the_paint_order(browser: &mut Browser) {
    browser.key(".");
    assert!(
        browser.text("#step-text").starts_with("1 of 8: clip #badge"),
        "{}",
        browser.text("#step-text")
    );
    browser.key(".");
    assert_eq!(browser.text("#step-text"), "2 of 8: rect #plate, active clip 60 × 60");
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

fn search_finds_elements(browser: &mut Browser) {
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
        ("w=30", 1),
        ("w>=30", 4),
        ("\"dot\"", 1),
        ("\"clip\"", 0),
        ("depth>0", 5),
        ("wasted>50%", 1),
        ("wasted>19000", 0),
        ("path !culled", 4),
        ("circle", 1),
        ("g[1]/rect", 2),
        ("g", 3),
        ("!g", 5),
        ("idle", 0),
        ("repeated", 0),
    ];
    for (words, expected) in words {
        assert_eq!(found(words), expected, "{words}");
    }
    assert_eq!(found("right"), 1);
    let rows = browser.run("[...document.querySelectorAll('.row:not([hidden])')].map(row => row.querySelector('.id').textContent).join()");
    assert_eq!(rows, "#veil,#right", "the ancestors of a found row stay");
    browser.key("Enter");
    assert!(selected(browser).contains("#right"), "Enter goes to the match");
    browser.run("inspector.find('draw'), document.getElementById('query').focus()");
    browser.key("Enter");
    assert!(selected(browser).contains("#outside"), "the next one");
    browser.key_with_shift("Enter");
    assert!(selected(browser).contains("#right"), "the previous one");
    browser.run("document.activeElement.blur()");
    browser.key("Escape");
    assert_eq!(browser.run("document.getElementById('query').value"), "", "Esc leaves the search");
    for (words, error) in [
        ("w>", "Add a number after “w>”, such as w>100."),
        ("h<much", "Add a number after “h<”"),
        ("length>5", "“length” is not a size."),
    ] {
        browser.run("inspector.find('')");
        browser.run("document.getElementById('query').focus()");
        browser.write(words);
        assert!(browser.text("#query-error").contains(error), "{words}");
        let rows = browser.run(ROW_COUNT);
        assert_eq!(rows, 8, "{words} hides nothing");
    }
}

/// A plain group, a part of a text, a repeated id, and a clip that cuts no box.
const PARTS: &str = r##"<g id="roads"><path d="M2 2h9v9z"/><path id="lane" d="M9 2h9v9z"/></g>
    <text id="line" x="5" y="95" font-size="9">in <tspan id="year">1999</tspan></text>
    <clipPath id="loose"><circle cx="170" cy="20" r="19"/></clipPath>
    <g clip-path="url(#loose)"><rect id="twin" x="160" y="10" width="9" height="9"/><rect id="twin" x="170" y="10" width="9" height="9"/></g>"##;

fn search_finds_parts_of_the_document(browser: &mut Browser) {
    let mut found = |words: &str| {
        browser.run(&format!("inspector.find('{words}')"));
        browser.text("#found")
    };
    assert_eq!(found("#roads"), "2 found", "what is in a group");
    assert_eq!(found("road"), "2 found", "a piece of the id of a group");
    assert_eq!(found("lane"), "1 found");
    assert_eq!(found("year"), "1 found", "a part of a text has its own id");
    assert_eq!(found("loose"), "0 found, 1 in Ids", "a clip path is no element of its own");
    assert_eq!(found("idle"), "1 found");
    assert_eq!(found("repeated"), "2 found");
    browser.run("inspector.find('year')");
    assert!(browser.text("#tree").contains("#year"), "{}", browser.text("#tree"));
    browser.run("inspector.find('loose')");
    browser.click("#tab-objects");
    assert!(browser.text("#objects").starts_with("1 object"), "{}", browser.text("#objects"));
}

fn findings_are_listed(browser: &mut Browser) {
    let why = browser.text("#why");
    says(&why, &["2 draws are never visible", "1 id is used more than once"]);
    assert!(!why.contains("cuts no box"), "a circle may cut what its box does not: {why}");
    let sum = "[...document.querySelectorAll('#why .counts b')].slice(0, 3).reduce((sum, b) => sum + Number(b.innerText), 0)";
    let elements = browser.run(sum);
    assert!(
        browser.text("#summary").starts_with(&format!("{elements} elements,")),
        "the counts agree: {elements} and {}",
        browser.text("#summary")
    );
    assert_eq!(browser.run("inspector.model.count"), elements);
    browser.run("[...document.querySelectorAll('#why .findings button')].find(button => button.innerText.includes('visible')).click()");
    assert_eq!(browser.run("document.getElementById('query').value"), "draw culled");
    assert_eq!(browser.text("#found"), "2 found");
}

/// A plain group in another one, a layer by style, and a text without an id.
const NAMES: &str = r#"<style>.pale { opacity: .4 }</style><g id="roads"><g><path d="M2 2h9v9z"/></g><path d="M9 2h9v9z"/></g>
    <g id="ghost" class="pale" style="mix-blend-mode: multiply"><rect width="9" height="9"/></g>
    <text x="5" y="80" font-size="9">Harbour  loop</text>"#;

fn groups_and_texts_have_names(browser: &mut Browser) {
    browser.wait("inspector.model.texts.size === 1");
    let tree = browser.text("#tree");
    says(&tree, &["group #roads", "group g[1]", "text “Harbour loop”"]);
    assert_eq!(browser.run("inspector.model.count"), 13, "a group is no element");
    assert!(browser.text("#step-text").contains("all 13 steps"));
    let row = "[...document.querySelectorAll('.row')].findIndex(row => row.textContent.includes('#roads')) + 1";
    let row = browser.run(row);
    browser.click(&format!(".row:nth-child({row})"));
    assert_eq!(selected(browser).trim(), "group #roads");
    says(
        &browser.text("#why"),
        &["None of its 2 draws is culled.", "16 × 9", "No clip cuts its box.", "id=\"roads\""],
    );
    browser.key("ArrowRight");
    assert_eq!(selected(browser).trim(), "group g[1]");
    let link = "inspector.model.itemOf(Number(String(inspector.model.ix[inspector.state.selected]))) === inspector.state.selected";
    assert_eq!(browser.run(link), true, "a link leads to it");
    browser.run("inspector.find('harbour')");
    assert_eq!(browser.text("#found"), "1 found");
    browser.run("inspector.select(inspector.model.ids.indexOf('ghost'))");
    let why = browser.text("#why");
    says(&why, &["It is a layer because of opacity 0.4, mix-blend-mode multiply."]);
}

/// A rectangle in a corner cut off by a circle, one painted below another, a rectangle that cuts nothing, and
/// a filter.
const ROUND: &str = r##"<clipPath id="round"><circle cx="150" cy="50" r="40"/></clipPath>
    <clipPath id="plain"><rect x="100" width="100" height="100"/></clipPath><filter id="blur"><feGaussianBlur stdDeviation="1"/></filter>
    <g clip-path="url(#round)"><rect id="corner" x="111" y="11" width="4" height="4"/></g>
    <g clip-path="url(#plain)"><rect id="below" x="151" y="11" width="4" height="4" filter="url(#blur)"/></g>
    <rect id="cover" x="105" y="5" width="20" height="20" fill="red"/>"##;

fn limits_of_boxes_are_explained(browser: &mut Browser) {
    browser.wait("inspector.source !== null");
    let mut why = |id: &str| {
        browser.run(&format!("inspector.select(inspector.model.ids.lastIndexOf('{id}'))"));
        browser.text("#why")
    };
    let corner = why("corner");
    says(
        &corner,
        &[
            "No clip cuts its box.",
            "may not be a rectangle: what is in the box may be cut further, or not be seen at all.",
            "rect #cover is painted over all of its box, and hides it if it is opaque.",
        ],
    );
    let cover = why("cover");
    assert!(cover.contains("No clip cuts its box.") && !cover.contains("may"), "{cover}");
    browser.run("inspector.select(-1)");
    let finding = "2 clips cut no box; 1 of them is a rectangle and does nothing";
    assert!(browser.text("#why").contains(finding), "{}", browser.text("#why"));
    browser.run("inspector.find('filtered')");
    assert_eq!(browser.text("#found"), "1 found");
    browser.run("inspector.find('')");
    browser.click("#tab-objects");
    let objects = words_of(browser, "#objects");
    assert!(objects.contains("filter #blur svg/filter[1] used by what refers to it"), "{objects}");
}

/// Many layers as large as the canvas, and a sheet with a background and a small mark.
const COSTLY: &str = r#"<g opacity=".9"><g opacity=".8"><g opacity=".7"><g opacity=".6"><g opacity=".5"><rect width="200" height="100"/></g></g></g></g></g>
    <g id="sheet" opacity=".9"><rect id="ground" x="20" y="10" width="160" height="80"/><path d="M30 30h9v9z"/></g>"#;

fn findings_are_sorted_by_cost(browser: &mut Browser) {
    let found =
        "[...document.querySelectorAll('#why .findings li')].map(li => li.innerText).join('; ')";
    let found = browser.run(found);
    let told = found.as_str().unwrap();
    assert!(told.starts_with("7 layers take 465 KB, 400 KB at the same time; "), "{told}");
    assert!(!told.contains("#ground"), "a background is no fault: {told}");
}

/// A shape and a group referenced by uses, and a text of several parts.
const USES: &str = r##"<defs><rect id="shape" width="9" height="9"/><g id="pair"><rect id="p1" width="5" height="5"/><circle r="4"/></g></defs>
    <use href="#shape" x="100"/><use id="twice" href="#pair" x="120" y="20"/>
    <text id="line" x="5" y="95" font-size="9">in <tspan id="year" fill="red">1999</tspan> or so</text><path id="last" d="M1 1h9v9z"/>"##;

fn parts_of_uses_and_texts_are_distinguished(browser: &mut Browser) {
    browser.wait("inspector.model.texts.size === 4");
    let rows = "[...document.querySelectorAll('.row:not([hidden])')].slice(8).map(row => `${row.ariaLevel} ${row.querySelector('.label').innerText.trim()}`).join('; ')";
    let expected = "1 rect #shape; 1 group #twice; 2 rect #p1; 2 circle 12; \
        1 text #line “in 1999 or so”; 2 text “in”; 2 tspan #year “1999”; 2 text “or so”; 1 path #last";
    assert_eq!(browser.run(rows), expected);
    assert_eq!(browser.run("inspector.model.count"), 15, "a row of its own is no element");
    browser.run("inspector.select(inspector.model.ids.indexOf('line'))");
    says(&browser.text("#why"), &["None of its 3 draws is culled.", "3 elements inside"]);
}

fn zoom_steps_are_small(browser: &mut Browser) {
    let scale = |browser: &mut Browser| browser.run("inspector.state.view.scale").as_f64().unwrap();
    let fit = scale(browser);
    for id in ["plate", "badge", "dot"] {
        browser.key("0");
        browser.run(&format!("inspector.select(inspector.model.ids.indexOf('{id}'))"));
        browser.key("z");
        assert!(scale(browser) >= fit, "{id}: {} after {fit}", scale(browser));
    }
    for by in [-120.0, -300.0, -5000.0, 5000.0] {
        browser.key("0");
        let event = serde_json::json!({"type": "mouseWheel", "x": 600, "y": 400, "deltaX": 0, "deltaY": by, "modifiers": 2});
        browser.call("Input.dispatchMouseEvent", event);
        browser.wait(&format!("inspector.state.view.scale !== {fit}"));
        let ratio = scale(browser) / fit;
        assert!((0.6..1.6).contains(&ratio), "{by}: {ratio}");
    }
}

fn culled_and_exploded_selections_are_marked(browser: &mut Browser) {
    for _ in 0..6 {
        browser.key("+");
    }
    browser.run("inspector.select(inspector.model.ids.indexOf('outside'))");
    let arrow = browser
        .run("inspector.stage.labels.find(label => label.text === 'rect #outside, culled').toX");
    assert_eq!(arrow, 1, "an arrow points to a culled element that is out of sight");
    browser.key("0");
    browser.run("inspector.select(-1)");
    let point = at(browser, 50.0, 50.0);
    browser.click("#tab-point");
    browser.click_at(point);
    assert!(browser.text("#point").contains("#dot"));
    browser.key("3");
    assert!(browser.text("#point").contains("no points in the exploded view"));
    assert_eq!(browser.run("inspector.state.point"), serde_json::Value::Null);
}

fn icons_are_svg(browser: &mut Browser) {
    let glyphs = "[...document.querySelectorAll('button.icon')].filter(b => !b.querySelector('svg') || !/^[\\w :]+$/.test(b.textContent.trim())).map(b => b.id).join()";
    assert_eq!(browser.run(glyphs), "", "an icon button has a picture and a name in plain letters");
}

fn panels_are_resized(browser: &mut Browser) {
    let width = |browser: &mut Browser, panel: &str| {
        browser.run(&format!("document.querySelector('{panel}').offsetWidth")).as_f64().unwrap()
    };
    let (left, right) = (width(browser, ".left"), width(browser, ".right"));
    browser.drag([left, 300.0], [left + 60.0, 300.0]);
    assert_eq!(width(browser, ".left"), left + 60.0);
    browser.run("document.querySelector('.right .edge').focus()");
    browser.key("ArrowLeft");
    assert_eq!(width(browser, ".right"), right + 16.0, "by keys");
    let now = "document.querySelector('.right .edge').getAttribute('aria-valuenow')";
    assert_eq!(browser.run(now), (right + 16.0).to_string());
    browser.drag([left + 60.0, 300.0], [1100.0, 300.0]);
    assert!(width(browser, ".middle") >= 199.0, "the drawing keeps some room");
}

fn wheel_scrolls_when_the_width_is_fitted(browser: &mut Browser) {
    browser.click("#fit-width");
    let view = |browser: &mut Browser| browser.run("JSON.stringify(inspector.state.view)");
    browser.key("w");
    let scale = browser.run("inspector.state.view.scale");
    for _ in 0..3 {
        browser.key("+");
    }
    let before = view(browser);
    browser.wheel([600.0, 400.0], -60.0);
    browser
        .wait(&format!("JSON.stringify(inspector.state.view) !== '{}'", before.as_str().unwrap()));
    let zoomed = browser.run("inspector.state.view.scale").as_f64().unwrap();
    assert!(zoomed > 3.0 * scale.as_f64().unwrap(), "the wheel scrolls, and does not zoom");
    let event = serde_json::json!({"type": "mouseWheel", "x": 600, "y": 400, "deltaX": 0, "deltaY": 60, "modifiers": 8});
    let left = browser.run("inspector.state.view.x").as_f64().unwrap();
    browser.call("Input.dispatchMouseEvent", event);
    browser.wait(&format!("inspector.state.view.x < {left}"));
    assert_eq!(browser.run("inspector.state.view.scale"), zoomed, "shift scrolls sideways");
    let event = serde_json::json!({"type": "mouseWheel", "x": 600, "y": 400, "deltaX": 0, "deltaY": 60, "modifiers": 2});
    browser.call("Input.dispatchMouseEvent", event);
    browser.wait(&format!("inspector.state.view.scale < {zoomed}"));
    browser.key("0");
    assert_eq!(browser.run("inspector.state.scrolls"), false);
}

fn distances_are_measured(browser: &mut Browser) {
    browser.run("inspector.select(inspector.model.ids.indexOf('dot'))");
    let [x, y] = at(browser, 130.0, 45.0);
    let lengths = "inspector.stage.labels.map(label => label.text).filter(text => text.endsWith(' px')).join()";
    let alt = |browser: &mut Browser, kind: &str, modifiers: u32| {
        let event = serde_json::json!({"type": kind, "key": "Alt", "windowsVirtualKeyCode": 18, "modifiers": modifiers});
        browser.call("Input.dispatchKeyEvent", event);
        browser.run(lengths)
    };
    browser.move_to([x, y]);
    assert_eq!(alt(browser, "rawKeyDown", 1), "60 px", "the key comes after the pointer");
    assert_eq!(alt(browser, "keyUp", 0), "", "and its end is seen");
    let move_to = |browser: &mut Browser, modifiers: u32| {
        let event =
            serde_json::json!({"type": "mouseMoved", "x": x, "y": y, "modifiers": modifiers});
        browser.call("Input.dispatchMouseEvent", event);
        browser.run(lengths)
    };
    assert_eq!(move_to(browser, 1), "60 px", "from 60 to 120; they overlap downwards");
    browser.move_to([x, y + 200.0]);
    assert_eq!(move_to(browser, 0), "");
    let inside = at(browser, 25.0, 25.0);
    browser.move_to(inside);
    assert_eq!(alt(browser, "rawKeyDown", 1), "20 px,20 px,20 px,20 px", "in the plate around it");
    alt(browser, "keyUp", 0);
}

/// Returns the colour of the saved view at a point of the drawing.
fn pixel(browser: &mut Browser, x: f64, y: f64) -> serde_json::Value {
    browser.wait("inspector.source !== null && inspector.stage.images.new.complete");
    let [px, py] = at(browser, x, y);
    browser.run(&format!(
        "(() => {{ const {{ left, top }} = inspector.stage.host.getBoundingClientRect();
        return inspector.stage.picture().getContext('2d').getImageData({px} - left, {py} - top, 1, 1).data.join(); }})()"
    ))
}

fn elements_are_hidden_and_shown_alone(browser: &mut Browser) {
    let until = |browser: &mut Browser, text: &str| {
        browser.wait(&format!("document.getElementById('key').innerText.startsWith('{text}')"));
    };
    let (dot, right) = ([50.0, 45.0], [175.0, 75.0]);
    let whole = [dot, right].map(|[x, y]| pixel(browser, x, y));
    let view = "JSON.stringify(inspector.state.view)";
    let before = browser.run(view);
    browser.run("inspector.select(inspector.model.ids.indexOf('veil'))");
    browser.key("h");
    until(browser, "1 hidden.");
    let off = "[...document.querySelectorAll('.row.off')].map(row => row.innerText.trim().split(/\\s+/).join(' ')).join()";
    assert_eq!(browser.run(off), "layer #veil hidden,rect #left hidden,rect #right hidden");
    assert_eq!(browser.run(view), before, "the drawing stays where it is");
    browser.run("inspector.select(-1)");
    assert_eq!(pixel(browser, dot[0], dot[1]), whole[0]);
    let hidden = pixel(browser, right[0], right[1]);
    assert_ne!(hidden, whole[1], "what is in the layer is hidden too");
    assert_eq!(browser.run("[...inspector.stage.allowed].join('')"), "11110001");
    browser.click("#key button");
    until(browser, "Solid");
    assert_eq!(pixel(browser, right[0], right[1]), whole[1]);
    browser.run("inspector.select(inspector.model.ids.indexOf('veil'))");
    browser.key("o");
    until(browser, "Only layer #veil is shown.");
    browser.run("inspector.select(-1)");
    assert_ne!(pixel(browser, dot[0], dot[1]), whole[0]);
    assert_eq!(pixel(browser, right[0], right[1]), whole[1]);
    browser.click("#key button");
    // At the first steps, later elements are not painted yet.
    browser.key(".");
    browser.key(".");
    browser.run("inspector.state.show = {}, inspector.stage.paint()");
    let early = pixel(browser, right[0], right[1]);
    browser.key("Escape");
    browser.run("inspector.state.show = {}, inspector.stage.paint()");
    assert_ne!(early, pixel(browser, right[0], right[1]), "pixels appear step by step");
}

fn boxes_links_and_views_are_exported(browser: &mut Browser) {
    browser.run("inspector.select(inspector.model.ids.indexOf('plate'))");
    browser.click("#why .actions button:nth-child(3)");
    assert_eq!(browser.text("#live"), "The box is copied: 20, 20, 60, 60");
    assert_eq!(browser.text("#toast"), browser.text("#live"), "and seen");
    browser.click("#why .actions button:nth-child(4)");
    assert!(browser.text("#live").contains("#select=1"), "{}", browser.text("#live"));
    browser.key("Escape");
    assert_ne!(
        pixel(browser, 50.0, 45.0),
        pixel(browser, 150.0, 80.0),
        "the drawing is in the picture"
    );
    browser.run("globalThis.saved = ''; HTMLAnchorElement.prototype.click = function () { saved = this.download; }");
    browser.key("s");
    browser.wait("saved !== ''");
    let name = browser.run("saved");
    assert!(name.as_str().unwrap().ends_with(".view.png"), "{name}");
}

fn toggles_change_the_picture(browser: &mut Browser) {
    let hash = |browser: &mut Browser| {
        browser
            .run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        browser.run("inspector.fingerprint()").as_str().unwrap().to_owned()
    };
    let mut seen = vec![hash(browser)];
    for toggle in ["draw", "layer", "clip", "content", "own", "culled", "bins"] {
        browser.click(&format!("[data-show={toggle}]"));
        let now = hash(browser);
        assert!(!seen.contains(&now), "{toggle} changes nothing");
        seen.push(now);
    }
    browser.run("inspector.state.drawing = 'off', inspector.stage.paint()");
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
    // Naively counts the 16-pixel tiles that each draw touches.
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
    let expected = format!("{given} without clips, {found} within bounds: {} saved", given - found);
    assert!(key.contains(&expected), "{key} lacks {expected}");
    let point = at(browser, 50.0, 50.0);
    browser.move_to(point);
    assert_eq!(browser.text("#here"), "Here 2 without clips, 2 within bounds.");
    for which in ["given", "saved", "found"] {
        browser.click(&format!("[data-heat={which}]"));
        assert_eq!(browser.run("inspector.state.heat"), which);
    }
}

fn layers_are_listed(browser: &mut Browser) {
    browser.click("#tab-layers");
    let text = words_of(browser, "#layers");
    // Two layers of 200 x 100 pixels: one shows 70 x 50 of them, the other none.
    says(
        &text,
        &[
            "2 layers",
            "1 can be skipped.",
            "layer #gone shows nothing 20,000 80.0 KB 0 0 B",
            "layer #veil starts at 0 B 20,000 80.0 KB 3,500 14.0 KB",
            "total 40,000 160 KB 3,500 14.0 KB",
            "At most 14.0 KB are in use at the same time.",
        ],
    );
    browser.click("#layers button.link");
    assert!(selected(browser).contains("#gone"));
}

fn objects_of_the_document_have_boxes(browser: &mut Browser) {
    browser.click("#tab-objects");
    let text = words_of(browser, "#objects");
    for words in [
        "10 objects",
        "g #badge svg/g[1] 60 × 60 at 20, 20",
        "rect #outside svg/rect[1] culled outside the canvas",
        "clipPath #cut",
    ] {
        assert!(text.contains(words), "{text} lacks {words}");
    }
    let before = browser.run("inspector.stage.top.toDataURL()");
    browser.click("#objects tr:nth-child(3) button");
    assert_ne!(browser.run("inspector.stage.top.toDataURL()"), before, "the object lights up");
}

fn exploded_layers_have_their_own_pixels(browser: &mut Browser) {
    browser.wait("inspector.source !== null");
    browser.key("3");
    // The layer, and the content outside layers.
    browser.wait("inspector.stage.drawings.layers?.size === 2");
    let mut pixel = |item: &str| {
        browser.run(&format!("(() => {{ const canvas = inspector.stage.drawings.layers.get({item}); const by = canvas.width / 200;
            return canvas.getContext('2d').getImageData(175 * by, 75 * by, 1, 1).data[3]; }})()"))
    };
    let alphas =
        ["inspector.model.ids.indexOf('veil')", "-1"].map(|item| pixel(item).as_u64().unwrap());
    assert!((126..=129).contains(&alphas[0]) && alphas[1] == 0, "{alphas:?}");
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

fn keyboard_reaches_every_feature(browser: &mut Browser) {
    browser.key("/");
    assert_eq!(browser.run("document.activeElement.id"), "query");
    browser.write("draw");
    browser.key("ArrowDown");
    assert_eq!(browser.run("document.activeElement.id"), "tree");
    browser.run("document.getElementById('query').value = '', inspector.find('')");
    browser.key("Home");
    assert!(selected(browser).contains("#badge"));
    browser.key("ArrowDown");
    assert!(selected(browser).contains("#plate"));
    browser.key("ArrowLeft");
    assert!(selected(browser).contains("#badge"), "out");
    browser.key("ArrowLeft");
    assert_eq!(browser.run(ROW_COUNT), 5, "closed");
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    assert!(selected(browser).contains("#plate"), "opened, and in");
    browser.key("End");
    assert!(selected(browser).contains("#outside"));
    let active = "document.getElementById(document.getElementById('tree').getAttribute('aria-activedescendant')).textContent";
    assert_eq!(browser.run(active), "rect #outside culled");
    browser.run("inspector.select(1)");
    browser.key("p");
    assert!(selected(browser).contains("#badge"), "its parent");
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
    assert_eq!(browser.run("inspector.state.mode"), "heat", "radio buttons");
    browser.run("document.getElementById('tab-why').focus()");
    browser.key("ArrowRight");
    assert_eq!(browser.run("inspector.state.tab"), "point");
    let nameless = "[...document.querySelectorAll('button, input, select, [role=tree], [role=tabpanel], [role=application]')]
        .filter(e => !(e.innerText || e.ariaLabel || e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.id || e.outerHTML).join()";
    assert_eq!(browser.run(nameless), "", "each control has a name");
}

fn space_plays_the_paint_order(browser: &mut Browser) {
    let name = "document.getElementById('step-play').innerText.trim()";
    for place in ["stage", "step", "why"] {
        browser.run(&format!("document.getElementById('{place}').focus()"));
        browser.key(" ");
        browser.wait(&format!("{name} === 'Pause' && inspector.state.step >= 0"));
        browser.wait("inspector.state.step === -1 && !inspector.steps.playing");
        assert_eq!(browser.text("#step-text"), "all 8 steps", "played from {place}");
    }
    browser.key(" ");
    browser.key(" ");
    assert_eq!(browser.run(name), "Play", "and pauses");
}

/// With the keys, the crosshair reaches every part of a drawing larger than the stage.
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
