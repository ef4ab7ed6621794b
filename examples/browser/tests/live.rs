//! Tests the live page in Chromium: builds it, serves it and uses it like a person.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`) and Rust's target wasm32-unknown-unknown, so it
//! must be requested explicitly: `cargo test -p treebounds_browser --features browser --test live`.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::json;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;
use treebounds_browser::Server;
use treebounds_testkit::chromium::{Browser, WEBGPU};
use treebounds_testkit::rows::ROWS;

const READY: &str = "performance.getEntriesByName('treebounds ready').length > 0";
const DONE: &str =
    "globalThis.live && !live.isRunning && document.querySelectorAll('.bar-row').length > 0";
const WITHOUT: &[&str] = &["--disable-gpu", "--disable-features=WebGPU"];
/// The maximum time for a million elements on a shared software adapter.
const LONG: Duration = Duration::from_secs(600);
const PASTED: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect id='pasted' width='9' height='9'/></svg>";

/// Returns the address of the site, which is built once.
fn url() -> &'static str {
    static URL: OnceLock<String> = OnceLock::new();
    URL.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let site = treebounds_browser::build(&root, target).unwrap();
        let [plain, packed] = site.wasm_bytes;
        println!("{plain} bytes of WebAssembly, {packed} compressed");
        assert!(packed < 6_000_000);
        let server = Server::new(&site.folder, 0).unwrap();
        let url = server.url();
        std::thread::spawn(move || server.run());
        url
    })
}

/// Opens the page and waits until its drawing is shown and computed.
fn open(options: &[&str], search: &str) -> Browser {
    let mut browser = Browser::start(1200, 900, options);
    browser.open(&format!("{}{search}", url()), READY);
    browser.wait_for(DONE, LONG);
    browser
}

fn paste(browser: &mut Browser, text: &str) {
    let text = serde_json::to_string(text).unwrap();
    browser.run(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {text});
         dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data }})); }})()"
    ));
}

#[test]
fn both_backends_agree_and_the_inspector_works() {
    let mut browser = open(WEBGPU, "?asset=nested_clips.svg");
    println!(
        "ready after {} ms",
        browser.run("performance.getEntriesByName('treebounds ready')[0].startTime")
    );
    let status = browser.text("#status");
    assert!(status.starts_with("equal, bit for bit"), "{status}");
    assert_eq!(browser.text("#title"), "nested_clips.svg");
    assert!(browser.text("#bars").contains("elements/s"));

    browser.run("document.getElementById('size').focus()");
    browser.key("ArrowRight");
    browser.key("ArrowRight");
    browser.wait("live.runs.length > 1 && !live.isRunning");
    let status = browser.text("#status");
    assert!(status.starts_with("equal, bit for bit"), "{status}");

    assert!(browser.text("#why").contains("computed on the GPU, "), "{}", browser.text("#why"));

    paste(&mut browser, PASTED);
    browser.wait("inspector.model.ids[0] === 'pasted'");
    browser.wait(DONE);
    browser.run("document.getElementById('tree').focus()");
    browser.key("Home");
    assert!(browser.text("#why h2").contains("rect #pasted"), "{}", browser.text("#why h2"));

    paste(&mut browser, "<svg this is none");
    browser.wait("document.getElementById('status').classList.contains('bad')");
    assert!(browser.text("#status").starts_with("pasted.svg: "), "{}", browser.text("#status"));

    browser.click("#race-again");
    browser.wait(DONE);
    assert!(browser.text("#status").starts_with("equal"), "the drawing before is still there");

    browser.run("(() => { const choice = document.getElementById('assets'); choice.value = 'text.svg'; choice.dispatchEvent(new Event('change')); })()");
    browser.wait("inspector.model.head.source === 'text.svg'");
    browser.wait(DONE);
    let texts = browser.run("inspector.model.sources.filter(source => source === 'text').length");
    assert!(texts.as_u64() > Some(2), "text is not lost: {texts}");
    assert!(browser.complaints().is_empty());
}

/// Moves the slider to the maximum number of elements, and waits until they are being computed.
fn start_the_longest_computation(browser: &mut Browser) {
    browser.run("document.getElementById('size').focus()");
    browser.key("End");
    browser.wait(
        "live.isRunning && document.getElementById('status').innerText.startsWith('computing 1,04')",
    );
    // Long enough for the reference to finish.
    std::thread::sleep(Duration::from_millis(1000));
}

#[test]
fn the_slider_reaches_a_million_elements() {
    let mut browser = open(WEBGPU, "?asset=nested_clips.svg");
    start_the_longest_computation(&mut browser);
    browser.wait_for(DONE, LONG);
    let status = browser.text("#status");
    assert!(status.starts_with("equal, bit for bit"), "{status}");
    assert!(browser.run("live.runs.at(-1).elements").as_u64() > Some(1_000_000));
    println!("{}", browser.text("#bars"));
    assert!(browser.complaints().is_empty());
}

#[test]
fn newer_requests_replace_a_running_computation() {
    let mut browser = open(WEBGPU, "?asset=nested_clips.svg");
    let least = browser.run("live.elements");
    start_the_longest_computation(&mut browser);
    assert_eq!(browser.run("live.isRunning"), true, "the race is over before it is disturbed");
    browser.key("Home");
    browser.wait_for(DONE, LONG);
    assert_eq!(browser.run("live.runs.at(-1).elements"), least, "the slider says what is computed");

    start_the_longest_computation(&mut browser);
    for drawing in ["<svg this is none", PASTED] {
        paste(&mut browser, drawing);
    }
    browser.wait_for(DONE, LONG);
    assert_eq!(browser.run("inspector.model.ids[0]"), "pasted");
    let status = browser.text("#status");
    assert!(status.starts_with("equal, bit for bit"), "{status}");
    assert_eq!(browser.run("live.runs.map(run => run.elements)"), json!([1]));
    assert!(browser.complaints().is_empty());
}

#[test]
fn lost_gpus_are_reported_and_replaced_by_the_cpu() {
    let mut browser = open(WEBGPU, "?asset=opacity.svg");
    start_the_longest_computation(&mut browser);
    browser.run("live.worker.lose()");
    browser.wait_for(DONE, LONG);
    let status = browser.text("#status");
    assert!(status.starts_with("Without WebGPU: WebGPU was lost"), "{status}");
    assert!(status.contains("Computed in WebAssembly"), "{status}");
    browser.click("#race-again");
    browser.wait_for(DONE, LONG);
    assert!(!browser.text("#bars").contains("WebGPU"));
    paste(&mut browser, PASTED);
    browser.wait("inspector.model.ids[0] === 'pasted'");
    browser.wait_for(DONE, LONG);
    assert!(browser.text("#why").contains("computed on the CPU"), "{}", browser.text("#why"));
    assert!(browser.complaints().is_empty());
}

#[test]
fn links_apply_only_to_their_own_drawing() {
    let mut browser = open(WITHOUT, "?asset=nested_clips.svg#select=2&step=3&theme=dark&mode=heat");
    assert_eq!(browser.run("inspector.model.ix[inspector.state.selected]"), 2);
    assert_eq!(browser.run("inspector.state.step >= 0"), true);
    let asset = "document.getElementById('assets').value";
    assert_eq!(browser.run(asset), "nested_clips.svg");

    paste(&mut browser, PASTED);
    browser.wait("inspector.model.ids[0] === 'pasted'");
    assert_eq!(browser.run("[inspector.state.selected, inspector.state.step]"), json!([-1, -1]));
    assert_eq!(browser.run("inspector.state.mode"), "heat", "how it is shown stays");
    assert_eq!(browser.run(asset), "", "it is none of the assets");
    browser.wait("location.hash === '#mode=heat&theme=dark'");
    assert_eq!(browser.run("location.search"), "");

    browser.run("inspector.select(0)");
    browser.wait("location.hash.includes('select=0')");
    browser.run(&format!("{asset} = 'opacity.svg'"));
    browser.run("document.getElementById('assets').dispatchEvent(new Event('change'))");
    browser.wait("inspector.model.head.source === 'opacity.svg'");
    browser.wait("location.hash === '#mode=heat&theme=dark'");
    assert_eq!(browser.run("location.search"), "?asset=opacity.svg");
    assert_eq!(browser.run("inspector.state.selected"), -1);
    assert!(browser.complaints().is_empty());
}

#[test]
fn files_are_dropped_and_opened() {
    let mut browser = open(WITHOUT, "");
    let text = serde_json::to_string(PASTED).unwrap();
    browser.run(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{text}], 'dropped.svg'));
         document.getElementById('stage').dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); }})()"
    ));
    browser.wait("inspector.model.head.source === 'dropped.svg'");
    browser.wait(DONE);
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/masks.svg");
    browser.choose("#file", &file.canonicalize().unwrap());
    browser.wait("inspector.model.head.source === 'masks.svg'");
    browser.wait(DONE);
    assert!(browser.complaints().is_empty());
}

#[test]
fn every_feature_works_live() {
    let mut browser = Browser::start(1200, 900, WITHOUT);
    for row in ROWS {
        println!("{}", row.name);
        browser.dark(false);
        browser.open(url(), READY);
        browser.wait(DONE);
        paste(&mut browser, &row.drawing());
        browser.wait("inspector.model.head.source === 'pasted.svg'");
        browser.wait(DONE);
        (row.run)(&mut browser);
        let said = browser.complaints();
        assert!(said.is_empty(), "{}: {said:?}", row.name);
    }
}

/// The page's own tests try more texts. In this test, the texts pass through the parser, under the site's policy.
#[test]
fn hostile_texts_are_not_interpreted() {
    let mut browser = open(WITHOUT, "");
    let id = "&lt;/script>&lt;img src=x onerror='window.hacked = 1'>a\u{202e}b";
    let shape = format!(
        "<g id=\"g{id}\"><rect id=\"{id}\" width='9' height='9' onclick='window.hacked = 1'/></g>"
    );
    let more =
        "<script>window.hacked = 1; parent.hacked = 1</script><foreignObject id='&lt;b>bold'/>";
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'>{shape}{more}</svg>"
    );
    paste(&mut browser, &text);
    browser.wait("inspector.model.head.source === 'pasted.svg'");
    browser.wait(DONE);
    browser.run("inspector.select(0), inspector.hover(0)");
    browser.click("#tab-objects");
    browser.click("#objects tr:nth-child(3) button");
    browser.run("inspector.select(-1)");
    browser.click("#tab-why");
    assert!(browser.text("#why").contains("<b>bold"), "{}", browser.text("#why"));
    assert_eq!(browser.run("typeof window.hacked"), "undefined");
    let first = "</script><img src=x onerror='window.hacked = 1'>a\u{202e}b";
    assert_eq!(
        browser.run("inspector.model.ids[1]"),
        first,
        "the id is whole, after that of its group"
    );
    let unseen = browser.run("/\\u202e/.test(document.getElementById('app').innerText)");
    assert_eq!(unseen, false, "characters that turn text are shown as numbers");
    assert!(browser.complaints().is_empty());
}

#[test]
fn works_without_webgpu() {
    let mut browser = open(WITHOUT, "");
    let status = browser.text("#status");
    assert!(status.starts_with("Without WebGPU: "), "{status}");
    assert_eq!(browser.run("inspector.model.head.source"), "phone.svg");
    assert!(browser.text("#why").contains("computed on the CPU"), "{}", browser.text("#why"));
    assert!(browser.complaints().is_empty());
}
