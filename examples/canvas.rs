//! Records a small scene with the canvas API, and shows the area that each call can touch, as
//! a table and as the picture `canvas.bounds.png` in the current folder.
//!
//! ```text
//! cargo run --release --example canvas -- --csv -
//! ```

use clap::Parser;
use kurbo::{Affine, BezPath, Circle, Rect, RoundedRect, Stroke, Vec2};
use peniko::Mix;
use std::process::ExitCode;
use treebounds_cli::Failure;
use treebounds_cli::{options::Shown, show::show_scene};
use treebounds_encoding::canvas::{Canvas, CanvasError};
use treebounds_report::Scene;

/// Shows where everything is in a small scene of canvas calls, the card of a music player.
#[derive(Debug, Parser)]
#[command(name = "canvas", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    options: Shown,
}

/// Returns the card of a music player, with a scrolled list under its header.
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

fn main() -> ExitCode {
    let args = treebounds_cli::parse::<Args>();
    let player = || player().map_err(Failure::bad);
    match show_scene(&args.options, "canvas", player) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell("canvas"),
    }
}
