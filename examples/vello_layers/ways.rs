//! The three ways, and a row of the table for each.

use crate::own;
use crate::scenes::Example;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets::UTF8_BORDERS_ONLY};
use treebounds::Gpu;
use treebounds_vello::{Clips, Error, Frame, Options, Pipeline, Report};
use vello::Renderer;
use vello::peniko::Color;

/// The renderers.
pub(crate) struct Ways<'a> {
    gpu: &'a Gpu,
    renderer: Renderer,
    pipelines: [(&'static str, Pipeline); 2],
}

/// What one of them made of a scene.
pub(crate) struct Rendering {
    /// For the names of files.
    pub(crate) name: &'static str,
    /// White where it failed.
    pub(crate) pixels: Vec<u8>,
    report: Option<Report>,
    failed: bool,
}

/// A white frame for a scene.
pub(crate) fn frame(example: &Example) -> Frame {
    Frame { base_color: Color::WHITE, ..Frame::new(example.width, example.height) }
}

impl<'a> Ways<'a> {
    pub(crate) fn new(gpu: &'a Gpu) -> anyhow::Result<Self> {
        let pipeline = |clips| {
            let options = Options { clips, times: true, ..Options::default() };
            Pipeline::new(&gpu.device, &gpu.queue, &options)
        };
        Ok(Self {
            gpu,
            renderer: own::renderer(gpu)?,
            pipelines: [
                ("pipeline", pipeline(Clips::Vello)?),
                ("treebounds", pipeline(Clips::TreeboundsShrink)?),
            ],
        })
    }

    /// All three, Vello's own first.
    pub(crate) fn render(&mut self, example: &Example) -> anyhow::Result<Vec<Rendering>> {
        let frame = frame(example);
        let pixels = own::render(self.gpu, &mut self.renderer, &example.scene, &frame)?;
        let mut all = vec![Rendering { name: "vello", pixels, report: None, failed: false }];
        for (name, pipeline) in &mut self.pipelines {
            // The first frame makes room, the second is measured.
            let mut run = || pipeline.render_to_pixels(example.scene.encoding(), &frame);
            let (pixels, report) = match run().and_then(|_| run()) {
                Ok((pixels, report)) => (pixels, Some(report)),
                Err(error @ (Error::TooLarge { .. } | Error::TooMany { .. })) => {
                    eprintln!("{}: {error}", example.name);
                    (vec![255; 4 * (frame.width * frame.height) as usize], None)
                }
                Err(error) => return Err(error.into()),
            };
            let failed = report.is_none();
            all.push(Rendering { name, pixels, report, failed });
        }
        Ok(all)
    }
}

/// The table without its rows.
pub(crate) fn table() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        "scene",
        "rendered by",
        "differ",
        "spill words",
        "tiles",
        "segments",
        "MB",
        "GPU ms",
    ]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

impl Rendering {
    /// Its row; `ours` is what its pixels are compared with.
    pub(crate) fn row(&self, example: &Example, ours: &Self) -> Vec<Cell> {
        let differ = self.pixels.chunks_exact(4).zip(ours.pixels.chunks_exact(4));
        let differ = differ.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1));
        let way = match self.name {
            "vello" => "Vello",
            "pipeline" => "ours, Vello's clips",
            _ => "ours",
        };
        let figures = match &self.report {
            None => ["-", "-", "-", "-", "-"].map(str::to_owned),
            Some(report) => [
                report.used.spill_words.to_string(),
                report.used.tiles.to_string(),
                report.used.segments.to_string(),
                format!("{:.1}", report.used.bytes() as f64 / 1e6),
                format!("{:.2}", report.time().as_secs_f64() * 1e3),
            ],
        };
        let differ = if self.failed { "failed".to_owned() } else { differ.count().to_string() };
        let name = [example.name.to_owned(), way.to_owned(), differ];
        name.into_iter().chain(figures).map(Cell::new).collect()
    }
}
