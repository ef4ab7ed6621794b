//! Tests that Chromium compiles every kernel, that its WebGPU gives the right results through WebAssembly, and
//! that it paints drawings inside their boxes. Its WGSL compiler is stricter than naga: it requires parentheses
//! around mixed operators, `enable subgroups;`, and barriers in provably uniform control flow.
//!
//! The tests need Chromium (`apt-get install chromium`, or its path in `CHROMIUM`) and Rust's target
//! wasm32-unknown-unknown, and run only on request: `cargo test -p treebounds_tests --features browser
//! browser::`.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use treebounds_shaders::{Kernel, Linked, Target, Variant, link, link_overlay};
use treebounds_tests::chromium::{Seen, compare, in_chromium};
use treebounds_tests::svg::{assets, corpus};
use wasm_bindgen_cli_support::Bindgen;

/// Compiles each kernel and logs each compiler message as `index:line:message`.
const COMPILE: &str = r"
const log = text => console.log('treebounds ' + text);
try {
    const adapter = await navigator.gpu.requestAdapter();
    const { maxStorageBuffersPerShaderStage } = adapter.limits;
    const requiredLimits = { maxStorageBuffersPerShaderStage };
    const device = await adapter.requestDevice({ requiredFeatures: ['subgroups'], requiredLimits });
    for (const [index, code] of kernels.entries()) {
        const module = device.createShaderModule({ code });
        for (const { type, lineNum, message } of (await module.getCompilationInfo()).messages) {
            log(`${index}:${lineNum}:${type}: ${message.split('\n')[0]}`);
        }
    }
} catch (error) {
    log(error);
}
log('end');
";

#[test]
fn every_kernel_is_valid() {
    let kernels = kernels();
    let sources: Vec<&str> = kernels.iter().map(|(_, linked)| linked.source()).collect();
    let sources = serde_json::to_string(&sources).unwrap().replace("</", "<\\/");
    let page = format!("<script type=module>const kernels = {sources};\n{COMPILE}</script>");
    let said = in_chromium(&page);
    let told: Vec<String> = said.iter().map(|line| place(&kernels, line)).collect();
    assert!(told.is_empty(), "of {} kernels:\n{}", kernels.len(), told.join("\n"));
}

#[test]
fn results_in_a_browser_match_the_reference() {
    let folder = tempfile::tempdir().unwrap();
    Bindgen::new()
        .input_path(wasm())
        .no_modules(true)
        .unwrap()
        .typescript(false)
        .generate(folder.path())
        .unwrap();
    let glue = fs::read_to_string(folder.path().join("in_browser.js")).unwrap();
    let bytes = fs::read(folder.path().join("in_browser_bg.wasm")).unwrap();
    let start = format!("wasm_bindgen({{ module_or_path: new Uint8Array({bytes:?}) }})");
    let said = in_chromium(&format!("<script>{glue}\n{start}</script>"));
    assert!(said.is_empty(), "{}", said.join("\n"));
}

#[test]
fn assets_are_painted_inside_their_boxes() {
    check_painted(&assets());
}

/// Paints every eighth file of `TREEBOUNDS_SVG_CORPUS`, or every nth with `TREEBOUNDS_SVG_EVERY=n`.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn drawings_of_a_corpus_are_painted_inside_their_boxes() {
    let every = std::env::var("TREEBOUNDS_SVG_EVERY").map_or(8, |every| every.parse().unwrap());
    check_painted(&corpus().into_iter().step_by(every).collect::<Vec<_>>());
}

/// Checks that painted pixels are inside the boxes, and that the pixels of each object, painted alone, are inside its box.
fn check_painted(files: &[PathBuf]) {
    let seen = compare(files);
    let ids: u32 = seen.iter().map(|(_, one)| one.ids).sum();
    let off: usize = seen.iter().map(|(_, one)| one.off.len()).sum();
    let is_wrong = |one: &&(PathBuf, Seen)| one.1.outside >= 20 || !one.1.off.is_empty();
    let wrong: Vec<_> = seen.iter().filter(is_wrong).map(|one| format!("{one:?}")).collect();
    eprintln!("{} drawings, {ids} ids, {off} of them off:\n{}", seen.len(), wrong.join("\n"));
    assert!(seen.iter().all(|(_, one)| one.outside < 20), "pixels outside of all boxes");
    assert!(ids > 0, "of {} files, none has an object to compare", files.len());
    assert!(off * 1000 <= ids as usize, "more than one id in a thousand is off");
}

/// Compiles `examples/in_browser.rs` with the flags of the live page, so that both share their dependencies.
fn wasm() -> std::path::PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let triple = "wasm32-unknown-unknown";
    let status = Command::new(env!("CARGO"))
        .args(["build", "--profile", "site", "--target", triple, "--example", "in_browser"])
        .args(["--package", "treebounds_tests", "--features", "treebounds_tests/browser"])
        .args(["--package", "treebounds_browser", "--quiet", "--target-dir"])
        .arg(target)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C link-arg=-zstack-size=67108864")
        .status()
        .unwrap();
    assert!(status.success(), "is the target there? rustup target add {triple}");
    target.join(triple).join("site/examples/in_browser.wasm")
}

/// Returns the compiler's message with the file and line of the kernel.
fn place(kernels: &[(String, Linked)], said: &str) -> String {
    let mut parts = said.splitn(3, ':');
    let mut number = || parts.next()?.parse().ok();
    let (Some(index), Some(line)) = (number(), number()) else { return said.to_owned() };
    let (name, linked): &(String, Linked) = &kernels[index];
    let (file, line) = linked.locate(line);
    format!("{name}: {file}:{line}: {}", parts.next().unwrap_or_default())
}

/// Returns every kernel that can run in a browser. Omits kernels whose text is already in the list.
fn kernels() -> Vec<(String, Linked)> {
    let mut seen = HashSet::new();
    let mut kernels = vec![("overlay".to_owned(), link_overlay().unwrap())];
    for variant in variants() {
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let linked = link(kernel, &variant).unwrap();
            if seen.insert(linked.source().to_owned()) {
                kernels.push((format!("{} in {variant:?}", kernel.name()), linked));
            }
        }
    }
    kernels
}

fn variants() -> impl Iterator<Item = Variant> {
    let sizes = [(256, 1), (64, 1), (4, 1), (256, 4), (256, 16), (128, 32), (128, 64)];
    let sized = sizes.into_iter().flat_map(|(threads, per_thread)| {
        [false, true].map(|on| Variant::new(threads, per_thread).unwrap().with_subgroups(on))
    });
    sized.map(|variant| variant.with_target(Target::Browser))
}
