//! What a browser makes of it: Chromium's compiler, which wants more than naga (brackets where operators mix, `enable
//! subgroups;`, barriers that it can see all threads reach), and its WebGPU, through WebAssembly.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`) and Rust's target wasm32-unknown-unknown, so it
//! is asked for by name: `cargo test -p treebounds_tests --features browser browser::`.

use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use treebounds_shaders::{Kernel, Linked, Target, Variant, link};
use wasm_bindgen_cli_support::Bindgen;

/// How long Chromium may be silent.
const PATIENCE: Duration = Duration::from_secs(300);

/// Compiles each kernel, and logs each message of the compiler as `index:line:message`.
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
fn answers_are_the_references() {
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

/// Compiles `examples/in_browser.rs`, the way the live page is compiled, so that the two share what they depend on.
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

/// What was said of a kernel, and of which line of which file.
fn place(kernels: &[(String, Linked)], said: &str) -> String {
    let mut parts = said.splitn(3, ':');
    let mut number = || parts.next()?.parse().ok();
    let (Some(index), Some(line)) = (number(), number()) else { return said.to_owned() };
    let (name, linked): &(String, Linked) = &kernels[index];
    let (file, line) = linked.locate(line);
    format!("{name}: {file}:{line}: {}", parts.next().unwrap_or_default())
}

/// Every kernel for browsers, each text once.
fn kernels() -> Vec<(String, Linked)> {
    let mut seen = HashSet::new();
    let mut kernels = Vec::new();
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

/// Chromium, which ends with the test.
struct Chromium(Child);

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a page logs, up to its end.
fn in_chromium(page: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, page).unwrap();
    let mut chromium = start(&path, &folder.path().join("profile"));
    let lines = BufReader::new(chromium.0.stderr.take().unwrap()).lines();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // The other end is gone where the test has waited long enough.
        lines.map_while(Result::ok).try_for_each(|line| sender.send(line).ok())
    });
    let mut said = Vec::new();
    loop {
        let line = receiver.recv_timeout(PATIENCE).expect("Chromium has WebGPU and answers");
        let Some((_, line)) = line.split_once("\"treebounds ") else { continue };
        let line = line.rsplit_once("\", source:").map_or(line, |(line, _)| line);
        if line == "end" {
            return said;
        }
        said.push(line.to_owned());
    }
}

/// Without a window, and with SwiftShader for a GPU.
fn start(page: &Path, profile: &Path) -> Chromium {
    let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let child = Command::new(&program)
        .args(["--headless=new", "--no-sandbox", "--no-first-run", "--enable-logging=stderr"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
        .arg("--enable-features=Vulkan")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    match child {
        Ok(child) => Chromium(child),
        Err(error) => panic!("{program} does not start ({error}): apt-get install chromium"),
    }
}
