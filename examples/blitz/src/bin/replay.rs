//! Paints recorded display lists with and without the optimizer, and writes what came of it as JSON.
//!
//! `replay --lists DIR --out FILE --renderer treebounds`: one file to carry, beside the recordings; no network.

use anyhow::{Context, Result, ensure};
use anyrender_serialize::SceneArchive;
use clap::{Parser, ValueEnum};
use std::fs::File;
use std::path::PathBuf;
use treebounds_anyrender::Workspace;
use treebounds_blitz::measure::{MODES, Plan, Row, check, measure};
use treebounds_blitz::paint::{Painter, Renderer, save};
use treebounds_blitz::table::{self, table};

/// Paints recorded display lists with and without treebounds' optimizer.
#[derive(Parser)]
struct Arguments {
    /// The folder with the recordings that `blitz record` wrote.
    #[arg(long)]
    lists: PathBuf,
    /// What paints; may be given several times.
    #[arg(long = "renderer", value_enum, default_values_t = Renderer::value_variants().to_vec())]
    renderers: Vec<Renderer>,
    /// Where to write the rows as JSON.
    #[arg(long, default_value = "replay.json")]
    out: PathBuf,
    /// A folder for the pictures, if they are wanted.
    #[arg(long)]
    pictures: Option<PathBuf>,
    /// How often each part is timed.
    #[arg(long, default_value_t = 9)]
    runs: usize,
    /// Print what each rule did, too.
    #[arg(long)]
    rules: bool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut rows: Vec<Row> = Vec::new();
    let mut lists: Vec<_> = std::fs::read_dir(&arguments.lists)
        .with_context(|| arguments.lists.display().to_string())?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "zip"))
        .collect();
    lists.sort();
    ensure!(
        !lists.is_empty(),
        "{} has no recordings (*.zip): run `blitz record` first",
        arguments.lists.display()
    );
    for renderer in &arguments.renderers {
        let mut workspace = Workspace::new();
        let mut painter: Option<([u32; 2], Painter)> = None;
        for options in MODES {
            for path in &lists {
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let size =
                    size_of(&name).with_context(|| format!("{name}: no size in the name"))?;
                let scene = SceneArchive::deserialize(File::open(path)?)
                    .and_then(|archive| archive.to_scene())
                    .map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
                let mut ready = match painter.take() {
                    Some((has, ready)) if has == size => ready,
                    _ => Painter::new(*renderer, size)?,
                };
                let mut plan = Plan {
                    painter: &mut ready,
                    renderer: renderer.name(),
                    workspace: &mut workspace,
                    options,
                    size,
                    runs: arguments.runs,
                };
                rows.push(measure(&name, &scene, &mut plan)?);
                if let Some(folder) = &arguments.pictures {
                    std::fs::create_dir_all(folder)?;
                    let pixels = ready.paint(&scene)?.0;
                    save(&folder.join(format!("{name}.{}.png", renderer.name())), pixels, size)?;
                }
                painter = Some((size, ready));
            }
        }
        let latest = &rows[rows.len() - MODES.len() * lists.len()..];
        println!("{}\n{}\n", renderer.name(), table(latest));
        if arguments.rules {
            println!("{}\n", table::rules(latest));
        }
        let json: Vec<_> = rows.iter().map(Row::json).collect();
        std::fs::write(&arguments.out, serde_json::to_string_pretty(&json)?)?;
    }
    check(&rows)
}

/// The size in a name such as `feed@1x-0-1280x800`.
fn size_of(name: &str) -> Option<[u32; 2]> {
    let (width, height) = name.rsplit('-').next()?.split_once('x')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}
