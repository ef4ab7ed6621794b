//! Builds the site from the inspector's page and modules, the files in the folder `site`, the WebAssembly, a font,
//! and the assets.

use anyhow::{Context, ensure};
use flate2::{Compression, write::GzEncoder};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use treebounds_inspector::{MODULES, STYLE, body};
use usvg::fontdb::{Database, Family, Query, Style, Weight};
use wasm_bindgen_cli_support::Bindgen;

const TRIPLE: &str = "wasm32-unknown-unknown";

/// No other servers are contacted. `wasm-unsafe-eval` permits the compilation of WebAssembly.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; \
                      style-src 'self'; img-src blob: data:; base-uri 'none'; form-action 'none'";

/// The files used only by the site.
const FILES: &[(&str, &str)] = &[
    ("live.css", include_str!("../site/live.css")),
    ("live.js", include_str!("../site/live.js")),
    ("worker.js", include_str!("../site/worker.js")),
];

/// The result of building the site.
#[derive(Clone, Debug)]
pub struct Site {
    /// The site's folder.
    pub folder: PathBuf,
    /// The size of its WebAssembly in bytes, uncompressed and compressed.
    pub wasm_bytes: [usize; 2],
    /// The fonts used for text.
    pub fonts: Vec<String>,
}

/// Builds the site of the workspace `root` in the target folder `target`.
///
/// # Errors
/// Fails if the WebAssembly does not compile, no font is installed, or a file cannot be written.
pub fn build(root: &Path, target: &Path) -> anyhow::Result<Site> {
    let folder = target.join("browser");
    fs::create_dir_all(folder.join("assets")).with_context(|| folder.display().to_string())?;
    // Check the cheap requirements first, because compiling takes minutes.
    let fonts = fonts(&folder)?;
    let wasm = compile(root, target)?;
    Bindgen::new()
        .input_path(wasm)
        .out_name("desk")
        .web(true)?
        .typescript(false)
        .remove_name_section(true)
        .generate(&folder)?;
    let wasm = fs::read(folder.join("desk_bg.wasm"))?;
    let page = body(
        POLICY,
        "<link rel=\"stylesheet\" href=\"style.css\"><link rel=\"stylesheet\" href=\"live.css\">",
        "<script type=\"module\" src=\"live.js\"></script>",
    );
    let modules = MODULES.iter().filter(|(name, _)| *name != "main.js");
    let texts = [("index.html", page.as_str()), ("style.css", STYLE)];
    for (name, text) in texts.iter().chain(modules).chain(FILES) {
        fs::write(folder.join(name), text)?;
    }
    let assets = assets(root, &folder)?;
    let list = |names: &[String]| {
        format!("[{}]", names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))
    };
    fs::write(
        folder.join("files.json"),
        format!("{{\"assets\": {}, \"fonts\": {}}}\n", list(&assets), list(&fonts)),
    )?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&wasm)?;
    Ok(Site { folder, wasm_bytes: [wasm.len(), packed.finish()?.len()], fonts })
}

fn compile(root: &Path, target: &Path) -> anyhow::Result<PathBuf> {
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--profile",
            "site",
            "--target",
            TRIPLE,
            "--package",
            "treebounds_browser",
            "--lib",
        ])
        .arg("--target-dir")
        .arg(target)
        // Reading deep drawings needs the stack size documented in treebounds_encoding.
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C link-arg=-zstack-size=67108864")
        .current_dir(root)
        .status()?;
    ensure!(
        status.success(),
        "it does not compile; is the target there? rustup target add {TRIPLE}"
    );
    Ok(target.join(TRIPLE).join("site/treebounds_browser.wasm"))
}

/// Copies the drawings in `assets` and returns their names.
fn assets(root: &Path, folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(root.join("assets"))? {
        let path = entry?.path();
        if let (Some("svg"), Some(name)) =
            (path.extension().and_then(|it| it.to_str()), path.file_name())
        {
            fs::copy(&path, folder.join("assets").join(name))?;
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Copies the regular and bold faces of a sans-serif font of this machine. Returns the file names.
fn fonts(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut all = Database::new();
    all.load_system_fonts();
    let families = ["DejaVu Sans", "Noto Sans", "Liberation Sans", "Arial"].map(Family::Name);
    let mut names = Vec::new();
    for (name, weight) in [("regular.ttf", Weight::NORMAL), ("bold.ttf", Weight::BOLD)] {
        let query = Query { families: &families, weight, style: Style::Normal, ..Query::default() };
        let file =
            all.query(&query).and_then(|face| all.with_face_data(face, |data, _| data.to_vec()));
        if let Some(file) = file {
            fs::write(folder.join(name), file)?;
            names.push(name.to_owned());
        }
    }
    ensure!(
        !names.is_empty(),
        "none of the fonts DejaVu Sans, Noto Sans, Liberation Sans and Arial is installed, so all text would be lost: \
         apt-get install fonts-dejavu-core"
    );
    Ok(names)
}
