//! A small scene through the canvas: what each call can touch, as a table and
//! as a picture, `canvas.bounds.png` in the current folder.

use anyhow::Context;
use kurbo::{Affine, BezPath, Circle, Rect, RoundedRect, Stroke, Vec2};
use peniko::Mix;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use treebounds_core::{Bounds, Scene, Stream, reference};
use treebounds_debug::{Findings, Frame, Overlay};
use treebounds_encoding::canvas::{Canvas, CanvasError};

const PICTURE: &str = "canvas.bounds.png";

/// The card of a music player, with the list under its header scrolled.
fn player() -> Result<Scene, CanvasError> {
    let mut canvas = Canvas::new(480.0, 320.0);
    let card = RoundedRect::new(60.0, 30.0, 420.0, 290.0, 18.0);
    canvas.label("card").push_layer(Mix::Normal, 0.9, Affine::IDENTITY, &card);
    canvas.label("header").fill(&Rect::new(60.0, 30.0, 420.0, 120.0));
    canvas.save().label("avatar").clip(&Circle::new((115.0, 75.0), 32.0));
    canvas.label("photo").draw_image((160.0, 90.0), Affine::translate((70.0, 30.0))).restore();
    let glyph = Rect::new(165.0, 58.0, 174.0, 73.0);
    canvas.label("title").draw_glyphs((0..14).map(|n| glyph + Vec2::new(11.0 * f64::from(n), 0.0)));
    let mut wave = BezPath::new();
    wave.move_to((168.0, 95.0));
    wave.curve_to((220.0, 50.0), (260.0, 140.0), (315.0, 95.0));
    canvas.label("wave").stroke(&Stroke::new(4.0), &wave);
    canvas.save().label("list").clip(&Rect::new(60.0, 120.0, 420.0, 290.0));
    for row in 0..5 {
        canvas.save().translate((75.0, 100.0 + 48.0 * f64::from(row)));
        canvas.label(format!("row {row}")).fill(&RoundedRect::new(0.0, 0.0, 330.0, 40.0, 8.0));
        canvas.restore();
    }
    canvas.restore().pop_layer();
    canvas.save().translate((405.0, 45.0)).rotate(0.5);
    canvas.label("badge").push_group(Mix::Multiply, 0.8);
    canvas.label("ribbon").fill(&RoundedRect::new(-60.0, -16.0, 60.0, 16.0, 16.0));
    canvas.pop_layer().restore();
    canvas.finish()
}

/// On the GPU if one works, else on the CPU: the answers are the same. Says which.
fn bounds(stream: &Stream) -> (Bounds, String) {
    let gpu = pollster::block_on(treebounds::Gpu::request()).ok();
    let found = gpu.and_then(|gpu| {
        let bounds = treebounds::compute(&gpu.device, &gpu.queue, stream).ok()?;
        Some((bounds, format!("GPU, {}", gpu.adapter.name)))
    });
    found.unwrap_or_else(|| (reference::bounds(stream), "CPU".to_owned()))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("canvas: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    let scene = player()?;
    let (bounds, backend) = bounds(&scene.stream);
    let mut table = String::new();
    for (element, rect) in bounds.bounds.iter().enumerate() {
        let (tag, origin) = (scene.stream.tags()[element], &scene.origins[element]);
        let visible =
            if rect.is_empty() { "culled".into() } else { format!("{:?}", rect.to_array()) };
        let id = origin.id.as_deref().unwrap_or_default();
        writeln!(table, "{:<18}{id:<10}{visible}", tag.name())?;
    }
    let findings = Findings::new(&scene, &bounds)?;
    let picture = Overlay::new(&findings, Frame::fit(scene.width, scene.height)?).paint()?;
    std::fs::write(PICTURE, picture.to_png()?).context(PICTURE)?;
    writeln!(table, "backend  {backend}\npicture  {PICTURE}")?;
    // A closed pipe is the reader's choice.
    let _ = std::io::stdout().write_all(table.as_bytes());
    Ok(())
}
