//! Measures whole frames, from the call until the GPU has painted them.

use anyhow::Context;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};
use treebounds_tests::gpu::gpu;
use treebounds_tests::scenes;
use treebounds_tests::vello::pipeline;
use treebounds_vello::{Clips, Frame};
use vello::peniko::Color;
use vello::{Scene, wgpu};

const REPEATS: usize = 50;
/// How long the GPU is kept busy before measuring.
const WARM_UP: Duration = Duration::from_millis(400);

const WAYS: [(&str, Clips); 3] = [
    ("vello", Clips::Vello),
    ("treebounds", Clips::Treebounds),
    ("treebounds, shrinking", Clips::TreeboundsShrink),
];

pub(crate) fn run(path: &Path) -> anyhow::Result<()> {
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
    let mut frames = Vec::new();
    for (name, scene) in rows {
        for way in WAYS {
            frames.push(measure(name, &scene, way)?);
        }
    }
    let figures = json!({
        "adapter": gpu().adapter.name,
        "driver": gpu().adapter.driver_info,
        "repeats": REPEATS,
        "frames": frames,
    });
    let text = serde_json::to_string_pretty(&figures)? + "\n";
    if path.as_os_str() == "-" {
        print!("{text}");
        return Ok(());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Measures full HD frames of a scene in one of the ways.
fn measure(name: &str, scene: &Scene, (way, clips): (&str, Clips)) -> anyhow::Result<Value> {
    let mut pipeline = pipeline(clips)?;
    let frame = Frame { base_color: Color::WHITE, ..Frame::new(1920, 1080) };
    let target = gpu().device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: 1920, height: 1080, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8Unorm,
        usage: wgpu::TextureUsages::STORAGE_BINDING,
        view_formats: &[],
    });
    let target = target.create_view(&wgpu::TextureViewDescriptor::default());
    let mut run = || {
        let start = Instant::now();
        let report = pipeline.render_to_texture(scene.encoding(), &frame, &target)?;
        Ok::<_, treebounds_vello::Error>((start.elapsed(), report))
    };
    let start = Instant::now();
    while start.elapsed() < WARM_UP {
        run()?;
    }
    let times = (0..REPEATS).map(|_| Ok(run()?.0)).collect::<anyhow::Result<Vec<_>>>()?;
    let (us, report) = (micros(median(times)), run()?.1);
    let spill = report.used.spill_words;
    eprintln!("{name:<30}{way:<22}{us:>9.1} us, spill {spill:>8} words");
    Ok(json!({
        "scene": name,
        "by": way,
        "us": us,
        "spill_words": spill,
        "tiles": report.used.tiles,
        "segments": report.used.segments,
        "used_bytes": report.used.bytes(),
        "pipeline_bytes": report.bytes,
    }))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
