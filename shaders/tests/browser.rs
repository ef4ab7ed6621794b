//! Every kernel is valid as Chromium's compiler sees it, which wants more than naga: brackets where operators mix,
//! `enable subgroups;`, barriers that it can see all threads reach.
//!
//! Needs Chromium (`apt-get install chromium`, or its path in `CHROMIUM`), but no GPU, so it is asked for by name:
//! `cargo test -p treebounds_shaders --test browser -- --ignored`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use treebounds_shaders::{Kernel, Linked, RectFormat, Target, Variant, link};

/// How long Chromium may be silent.
const PATIENCE: Duration = Duration::from_secs(120);

/// Compiles each kernel, and logs `index:line:message` for each error, then the end.
const SCRIPT: &str = r"
const log = text => console.log('treebounds ' + text);
try {
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter.requestDevice({
        requiredFeatures: ['subgroups'],
        requiredLimits: { maxStorageBuffersPerShaderStage: adapter.limits.maxStorageBuffersPerShaderStage },
    });
    for (const [index, code] of kernels.entries()) {
        const module = device.createShaderModule({ code });
        for (const { type, lineNum, message } of (await module.getCompilationInfo()).messages) {
            log(`${index}:${lineNum}:${type}: ${message.split('\n')[0]}`);
        }
    }
} catch (error) {
    log('0:0:' + error);
}
log('end');
";

/// Chromium, which ends with the test.
struct Chromium(Child);

impl Drop for Chromium {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "needs Chromium"]
fn every_kernel_is_valid_in_a_browser() {
    let kernels = kernels();
    let found = in_chromium(&kernels);
    let told: Vec<String> = found
        .iter()
        .map(|(index, line, message)| {
            let (name, linked) = &kernels[*index];
            let (file, line) = linked.locate(*line);
            format!("{name}: {file}:{line}: {message}")
        })
        .collect();
    assert!(told.is_empty(), "of {} kernels:\n{}", kernels.len(), told.join("\n"));
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
    let sizes = [(256, 1), (64, 1), (2, 1), (256, 4), (256, 16), (128, 32), (128, 64)];
    let sized = sizes.into_iter().flat_map(|(threads, per_thread)| {
        [false, true].map(|on| Variant::new(threads, per_thread).unwrap().with_subgroups(on))
    });
    let in_runs = |variant: Variant| (variant.per_thread() == 1).then(|| variant.in_runs());
    let all = sized.flat_map(move |variant| [variant].into_iter().chain(in_runs(variant)));
    all.chain(formats()).map(|variant| variant.with_target(Target::Browser))
}

fn formats() -> impl Iterator<Item = Variant> {
    use RectFormat::{F32, I16, I32, PathBbox};
    let all = [F32, I32, I16, PathBbox].into_iter();
    all.flat_map(|rects| {
        [F32, I32, I16].map(|boxes| Variant::default().with_formats(rects, boxes).unwrap())
    })
}

/// What Chromium says of them: which, in which line, what.
fn in_chromium(kernels: &[(String, Linked)]) -> Vec<(usize, usize, String)> {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("kernels.html");
    let sources: Vec<&str> = kernels.iter().map(|(_, linked)| linked.source()).collect();
    let sources = serde_json::to_string(&sources).unwrap().replace("</", "<\\/");
    let script = format!("const kernels = {sources};\n{SCRIPT}");
    std::fs::write(&page, format!("<script type=module>{script}</script>")).unwrap();
    let mut chromium = start(&page.display().to_string(), &folder.path().display().to_string());
    let lines = BufReader::new(chromium.0.stderr.take().unwrap()).lines();
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        // The other end is gone where the test has waited long enough.
        lines.map_while(Result::ok).try_for_each(|line| sender.send(line).ok())
    });
    let mut found = Vec::new();
    loop {
        let line = receiver.recv_timeout(PATIENCE).expect("Chromium has WebGPU and answers");
        let Some((_, said)) = line.split_once("\"treebounds ") else { continue };
        if said.starts_with("end") {
            return found;
        }
        let mut parts = said.splitn(3, ':');
        let number = |part: Option<&str>| part.and_then(|text| text.parse().ok()).unwrap_or(0);
        let (index, line) = (number(parts.next()), number(parts.next()));
        found.push((index, line, parts.next().unwrap_or(said).to_owned()));
    }
}

/// Without a window, and with SwiftShader for a GPU.
fn start(page: &str, profile: &str) -> Chromium {
    let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let child = Command::new(&program)
        .args(["--headless=new", "--no-sandbox", "--no-first-run", "--enable-logging=stderr"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"])
        .args(["--enable-features=Vulkan", &format!("--user-data-dir={profile}/profile")])
        .arg(format!("file://{page}"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    match child {
        Ok(child) => Chromium(child),
        Err(error) => panic!("{program} does not start ({error}): apt-get install chromium"),
    }
}
