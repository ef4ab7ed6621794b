//! The live page in Chromium: built, served and used as a person would.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`) and Rust's target wasm32-unknown-unknown, so it is
//! asked for by name: `cargo test -p treebounds_browser --features browser --test live`.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../../crates/treebounds_inspector/tests/chromium/mod.rs"]
mod chromium;

use chromium::Browser;
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;
use treebounds_browser::Server;

/// Chromium's WebGPU without a GPU.
const WEBGPU: &[&str] =
    &["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];
const READY: &str = "performance.getEntriesByName('treebounds ready').length > 0";
const DONE: &str =
    "globalThis.live && !live.isRunning && document.querySelectorAll('.bar-row').length > 0";

/// Where the site is served; built once.
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

/// The page, when it has shown its drawing and computed it.
fn open(options: &[&str], search: &str) -> Browser {
    let mut browser = Browser::start(1200, 900, options);
    browser.open(&format!("{}{search}", url()), READY);
    browser.wait(DONE);
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
fn both_ways_agree_and_the_page_inspects() {
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

    paste(
        &mut browser,
        "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect id='pasted' width='9' height='9'/></svg>",
    );
    browser.wait("inspector.model.ids[0] === 'pasted'");
    browser.wait(DONE);
    browser.run("document.getElementById('tree').focus()");
    browser.key("Home");
    assert!(browser.text("#why h2").contains("rect #pasted"), "{}", browser.text("#why h2"));

    paste(&mut browser, "<svg this is none");
    browser.wait("document.getElementById('status').classList.contains('bad')");
    assert!(browser.text("#status").starts_with("pasted.svg: "), "{}", browser.text("#status"));

    browser.run("document.getElementById('assets').focus()");
    browser.write("t");
    browser.run("(() => { const choice = document.getElementById('assets'); choice.value = 'text.svg'; choice.dispatchEvent(new Event('change')); })()");
    browser.wait("inspector.model.head.source === 'text.svg'");
    browser.wait(DONE);
    let texts = browser.run("inspector.model.sources.filter(source => source === 'text').length");
    assert!(texts.as_u64() > Some(2), "text is not lost: {texts}");
    assert!(browser.complaints().is_empty());
}

#[test]
fn a_gpu_that_is_lost_is_told_and_done_without() {
    let mut browser = open(WEBGPU, "?asset=opacity.svg");
    browser.run("live.worker.ask('lose')");
    browser.click("#race-again");
    browser
        .wait("document.getElementById('status').textContent.includes('lost') && !live.isRunning");
    let status = browser.text("#status");
    assert!(status.contains("Computed in WebAssembly"), "{status}");
    browser.click("#race-again");
    browser.wait(DONE);
    assert!(!browser.text("#bars").contains("WebGPU"));
}

#[test]
fn without_webgpu_it_works_too() {
    let mut browser = open(&["--disable-gpu", "--disable-features=WebGPU"], "");
    let status = browser.text("#status");
    assert!(status.starts_with("Without WebGPU: "), "{status}");
    assert_eq!(browser.run("inspector.model.head.source"), Value::from("phone.svg"));
    assert!(browser.complaints().is_empty());
}
