//! How long the clip stages and whole frames take on the GPU.

use crate::scenes;
use anyhow::Context;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use treebounds::Gpu;
use treebounds_vello::{Clips, Error, Frame, Options, Pipeline};
use vello::Scene;
use vello::peniko::Color;

/// How often a frame is measured.
const REPEATS: usize = 50;
/// For about how long the GPU is kept busy before.
const WARM_UP: Duration = Duration::from_millis(400);

const WAYS: [(&str, Clips); 3] = [
    ("vello", Clips::Vello),
    ("treebounds", Clips::Treebounds),
    ("treebounds, shrinking", Clips::TreeboundsShrink),
];

/// Measures everything, prints a table, and writes the figures.
pub(crate) fn run(gpu: &Gpu, path: &Path) -> anyhow::Result<()> {
    let bench = Bench { gpu };
    let clips = bench.all_clips()?;
    let frames = bench.all_frames()?;
    let figures = json!({
        "adapter": gpu.adapter.name,
        "driver": gpu.adapter.driver_info,
        "repeats": REPEATS,
        "clips": clips,
        "frames": frames,
    });
    let text = serde_json::to_string_pretty(&figures)? + "\n";
    if path.as_os_str() == "-" {
        print!("{text}");
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

struct Bench<'a> {
    gpu: &'a Gpu,
}

impl Bench<'_> {
    fn pipeline(&self, clips: Clips) -> Result<Pipeline, Error> {
        let options = Options { clips, times: true, ..Options::default() };
        Pipeline::new(&self.gpu.device, &self.gpu.queue, &options)
    }

    /// The clip stage alone, with ever more begins and ends.
    fn all_clips(&self) -> anyhow::Result<Vec<Value>> {
        let mut rows = Vec::new();
        // With their groups, a hundred clips have 202 begins and ends.
        for clips in [495, 4950, 32_441, 100_000] {
            let scene = scenes::painted(|scene| scenes::many_clips(scene, 1024, clips, 20));
            let elements = scene.encoding().n_clips;
            for (name, clips) in WAYS {
                let Some(times) = self.clips(clips, &scene)? else { continue };
                let median = median(times);
                eprintln!(
                    "clip stage, {elements:>6} begins and ends, {name:<22}{:>9.1} us",
                    micros(median)
                );
                rows.push(json!({ "elements": elements, "by": name, "us": micros(median) }));
            }
        }
        Ok(rows)
    }

    /// How long the clip stage takes; nothing where it cannot be so large.
    fn clips(&self, clips: Clips, scene: &Scene) -> anyhow::Result<Option<Vec<Duration>>> {
        let mut pipeline = self.pipeline(clips)?;
        let frame = Frame::new(1024, 1024);
        let mut run = || pipeline.time_clips(scene.encoding(), &frame, REPEATS);
        match run() {
            Err(Error::TooMany { .. }) => return Ok(None),
            other => other?,
        };
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            run()?;
        }
        let times = run()?;
        anyhow::ensure!(!times.is_empty(), "the GPU has no timestamps");
        Ok(Some(times))
    }

    fn all_frames(&self) -> anyhow::Result<Vec<Value>> {
        let [width, height] = [1920, 1080];
        let groups = |depth| scenes::painted(|scene| scenes::groups(scene, width, height, depth));
        let cards =
            |side| scenes::painted(|scene| scenes::small_layers(scene, width, height, side, 1.0));
        let rows = [
            ("4 groups of the whole screen", groups(4)),
            ("5 groups of the whole screen", groups(5)),
            ("50 groups of the whole screen", groups(50)),
            ("cards of 60 pixels", cards(60.0)),
            ("cards of 12 pixels", cards(12.0)),
        ];
        let mut figures = Vec::new();
        for (name, scene) in rows {
            for way in WAYS {
                figures.push(self.frames(name, &scene, way)?);
            }
        }
        Ok(figures)
    }

    /// Frames of full HD of a scene, by one of the ways.
    fn frames(
        &self,
        name: &str,
        scene: &Scene,
        (way, clips): (&str, Clips),
    ) -> anyhow::Result<Value> {
        let mut pipeline = self.pipeline(clips)?;
        let frame = Frame { base_color: Color::WHITE, ..Frame::new(1920, 1080) };
        let encoding = scene.encoding();
        let once = pipeline.render_to_pixels(encoding, &frame)?.1.time();
        let warm_ups = WARM_UP.as_nanos() / once.as_nanos().max(1);
        let warm_ups = warm_ups.clamp(1, 1000) as usize;
        let reports = pipeline.time_frames(encoding, &frame, warm_ups, REPEATS)?;
        let report = reports.last().context("the GPU has no timestamps")?;
        let whole = median(reports.iter().map(|report| report.time()).collect());
        let of = |stage: &str| {
            median(reports.iter().filter_map(|report| report.time_of(stage)).collect())
        };
        eprintln!(
            "{name:<30}{way:<22}{:>9.1} us, clips {:>7.1} us, spill {:>8} words",
            micros(whole),
            micros(of("clips")),
            report.used.spill_words
        );
        let stages = report.times.iter().map(|stage| &stage.stage);
        let stages: serde_json::Map<_, _> =
            stages.map(|stage| (stage.clone(), json!(micros(of(stage))))).collect();
        Ok(json!({
            "scene": name,
            "by": way,
            "us": micros(whole),
            "clips_us": micros(of("clips")),
            "spill_words": report.used.spill_words,
            "tiles": report.used.tiles,
            "segments": report.used.segments,
            "used_bytes": report.used.bytes(),
            "pipeline_bytes": report.bytes,
            "stages_us": stages,
        }))
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
