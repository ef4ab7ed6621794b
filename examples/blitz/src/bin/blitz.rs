//! Paints HTML pages through Blitz, with and without treebounds' optimizer.

use anyhow::{Error, Result, bail};
use anyrender::PaintScene;
use clap::{Parser, Subcommand, ValueEnum};
use kurbo::{Affine, Stroke};
use peniko::Color;
use std::path::{Path, PathBuf};
use std::time::Instant;
use treebounds_anyrender::{Options, Workspace};
use treebounds_blitz::changes::{Change, changes};
use treebounds_blitz::cost::{self, Cost};
use treebounds_blitz::document::{Page, View};
use treebounds_blitz::measure::{MODES, Plan, Row, check, measure, median};
use treebounds_blitz::paint::{Painter, Renderer, save};
use treebounds_blitz::table::{self, table};
use treebounds_blitz::{pages, window};
use treebounds_testkit::recorded::{self, Recorded};

/// HTML pages through Blitz and AnyRender, with and without treebounds' optimizer.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Width and height of the picture at scale 1.
    #[arg(long, global = true, num_args = 2, default_values_t = [1280, 800])]
    size: Vec<u32>,
}

#[derive(Subcommand)]
enum Command {
    /// Paints a page, original and optimized, into two PNG files per renderer, and prints a table.
    Render {
        /// An HTML file, or the name of a page of this example.
        page: String,
        /// Where to write the pictures: `page.png` gives `page.vello_cpu.png` and `page.vello_cpu.optimized.png`.
        #[arg(long, default_value = "page.png")]
        out: PathBuf,
        #[command(flatten)]
        renderers: Renderers,
        /// Keep every bit, whatever it costs.
        #[arg(long)]
        exact: bool,
        #[arg(long, default_value_t = 0.0)]
        place: f64,
        #[arg(long, default_value_t = 1.0)]
        scale: f32,
    },
    /// Prints a table of pages, at two scales and three places each.
    Table {
        /// HTML files, or names of pages of this example; all of these if none is given.
        pages: Vec<String>,
        #[command(flatten)]
        renderers: Renderers,
        /// Where to write all rows as JSON.
        #[arg(long)]
        json: Option<PathBuf>,
        #[arg(long, default_value_t = 5)]
        runs: usize,
        /// One place and one scale.
        #[arg(long)]
        quick: bool,
        /// Print what each rule did, too.
        #[arg(long)]
        rules: bool,
    },
    /// Changes the pages like a user, from hovering to scrolling, and prints the size of the damage, the cost of finding it,
    /// and the time saved by painting only the damage. Fails if repainting the damage gives a different picture.
    Damage {
        #[arg(long, default_value_t = 200)]
        runs: usize,
        /// A folder for each change: a picture with its damage framed, and both lists as text.
        #[arg(long)]
        out: Option<PathBuf>,
    },
    /// Shows a page in a window: `b` draws the boxes of all commands, `o` switches the optimizer, `d` flashes
    /// damage, `p` paints only the damage, arrows scroll. Click into a field to type.
    Window {
        /// An HTML file, the name of a page of this example, or `live`: a page to type into, on which something moves.
        page: String,
    },
}

#[derive(clap::Args)]
struct Renderers {
    /// What paints; may be given several times.
    #[arg(long = "renderer", value_enum, default_values_t = [Renderer::VelloCpu])]
    renderers: Vec<Renderer>,
    /// By all renderers, one after the other.
    #[arg(long, conflicts_with = "renderers")]
    all: bool,
}

impl Renderers {
    fn list(&self) -> &[Renderer] {
        if self.all { Renderer::value_variants() } else { &self.renderers }
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let size = [arguments.size[0], arguments.size[1]];
    match arguments.command {
        Command::Render { page, out, renderers, exact, place, scale } => {
            let options = if exact { MODES[0] } else { MODES[1] };
            render(&page, &out, renderers.list(), options, &view(size, scale, place))
        }
        Command::Table { pages, renderers, json, runs, quick, rules } => {
            let (pages, views) = (or_all(pages), views(size, quick));
            let mut rows = Vec::new();
            for renderer in renderers.list() {
                let latest = rows_of(&pages, *renderer, runs, &views)?;
                println!("{}\n{}\n", renderer.name(), table(&latest));
                if rules {
                    println!("{}\n", table::rules(&latest));
                }
                rows.extend(latest);
            }
            if let Some(path) = json {
                let rows: Vec<_> = rows.iter().map(Row::json).collect();
                std::fs::write(path, serde_json::to_string_pretty(&rows)?)?;
            }
            check(&rows)
        }
        Command::Damage { runs, out } => {
            let costs = changes(size).map(|change| damage(&mut change?, runs, out.as_deref()));
            println!("{}", cost::table(&costs.collect::<Result<Vec<_>>>()?));
            Ok(())
        }
        Command::Window { page } => window::show(open(&page)?),
    }
}

fn damage(change: &mut Change, runs: usize, out: Option<&Path>) -> Result<Cost> {
    let cost = cost::cost(change, runs)?;
    if let Some(folder) = out {
        let mut scene = change.frames[1].clone();
        for rect in &cost.rects {
            let (frame, red) = (rect.inset(-1.0), Color::from_rgb8(220, 40, 60));
            scene.stroke(&Stroke::new(2.0), Affine::IDENTITY, red, None, &frame);
        }
        let size = change.view.size;
        let path = folder.join(change.name.replace([' ', ','], "_"));
        let picture = Painter::new(Renderer::VelloCpu, size)?.paint(&scene)?.0;
        save(&path.with_extension("png"), picture, size)?;
        let recorded = Recorded { size, scroll: change.scroll, frames: change.frames.clone() };
        std::fs::write(
            path.with_extension("txt"),
            recorded::write(&recorded).map_err(Error::msg)?,
        )?;
    }
    Ok(cost)
}

fn or_all(pages: Vec<String>) -> Vec<String> {
    if pages.is_empty() { pages::NAMES.map(str::to_owned).to_vec() } else { pages }
}

fn unknown(name: &str) -> String {
    format!("{name} is no file and no page of this example: {}, live", pages::NAMES.join(", "))
}

fn open(name: &str) -> Result<Page> {
    if let Some(html) = pages::html(name) {
        return Ok(Page::new(&html, "page:/"));
    }
    if !Path::new(name).is_file() {
        bail!(unknown(name));
    }
    Page::open(Path::new(name))
}

fn view([width, height]: [u32; 2], scale: f32, place: f64) -> View {
    let scaled = |side: u32| (side as f32 * scale).round() as u32;
    View { size: [scaled(width), scaled(height)], scale, place }
}

/// Returns the views: two scales with three places each.
fn views(size: [u32; 2], quick: bool) -> Vec<View> {
    if quick {
        return vec![view(size, 1.0, 0.5)];
    }
    [1.0, 2.0]
        .into_iter()
        .flat_map(|scale| [0.0, 0.5, 1.0].map(|place| view(size, scale, place)))
        .collect()
}

fn name_of_page(page: &str) -> String {
    Path::new(page).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn name_of(page: &str, view: &View) -> String {
    let page = name_of_page(page);
    let [width, height] = view.size;
    format!("{page}@{}x-{}-{width}x{height}", view.scale, view.place)
}

fn render(
    name: &str,
    out: &Path,
    renderers: &[Renderer],
    options: Options,
    view: &View,
) -> Result<()> {
    let mut page = open(name)?;
    page.look(view);
    let scene = page.record(view);
    let mut optimized = scene.clone();
    let [width, height] = view.size.map(f64::from);
    let viewport = kurbo::Rect::new(0.0, 0.0, width, height);
    let mut workspace = Workspace::new();
    let report = workspace.optimize(&mut optimized, viewport, &options)?;
    println!("{report:#?}");
    for renderer in renderers {
        let by = renderer.name();
        let mut painter = Painter::new(*renderer, view.size)?;
        let picture = |ending: &str| out.with_extension(format!("{by}.{ending}"));
        save(&picture("png"), painter.paint(&scene)?.0, view.size)?;
        save(&picture("optimized.png"), painter.paint(&optimized)?.0, view.size)?;
        let (painter, workspace, size) = (&mut painter, &mut workspace, view.size);
        let mut plan = Plan { painter, renderer: by, workspace, options, size, runs: 3 };
        let row = measure(&name_of(name, view), &scene, &mut plan)?;
        println!("{by}\n{}\n", table(&[row]));
    }
    Ok(())
}

fn rows_of(names: &[String], renderer: Renderer, runs: usize, views: &[View]) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut workspace = Workspace::new();
    for name in names {
        let mut page = open(name)?;
        for options in MODES {
            for view in views {
                page.look(view);
                let mut times = Vec::new();
                let mut scene = page.record(view);
                for _ in 0..runs.max(1) {
                    let start = Instant::now();
                    scene = page.record(view);
                    times.push(start.elapsed());
                }
                let mut painter = Painter::new(renderer, view.size)?;
                let mut plan = Plan {
                    painter: &mut painter,
                    renderer: renderer.name(),
                    workspace: &mut workspace,
                    options,
                    size: view.size,
                    runs,
                };
                let mut row = measure(&name_of(name, view), &scene, &mut plan)?;
                row.record_ms = Some(median(&mut times));
                rows.push(row);
            }
        }
    }
    Ok(rows)
}
