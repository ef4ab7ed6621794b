//! Scenes of layers, rendered three ways: by Vello's own renderer, by our pipeline with
//! Vello's clip stage, and with ours.
//!
//! Writes three pictures for each scene, one of the differences and one of two side by side, and prints what each way
//! took. On a software driver that takes minutes.
//! With `--json` it measures: the clip stages alone, and whole frames.

mod measure;
mod own;
mod pictures;
// The tests own them, and paint more of them.
#[path = "../../tests/src/scenes.rs"]
#[allow(dead_code, unreachable_pub)]
mod scenes;
mod ways;

use anyhow::Context;
use clap::Parser;
use scenes::Example;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use treebounds::Gpu;

/// Renders scenes of layers by Vello and with treebounds, and compares.
#[derive(Debug, Parser)]
#[command(name = "vello_layers", version)]
struct Args {
    /// Where the pictures go
    #[arg(short, long, value_name = "FOLDER", default_value = "vello_layers")]
    output: PathBuf,

    /// Measure instead, and write the figures to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    json: Option<PathBuf>,

    /// How often a frame is measured
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    repeats: u32,

    /// For about how long the GPU is kept busy before measuring
    #[arg(long, value_name = "MS", default_value_t = 400)]
    warm_up: u64,
}

/// The scenes that are shown.
fn examples() -> Vec<Example> {
    let [width, height] = [1920, 1080];
    let full = |name, scene| Example { name, width, height, scene };
    let groups = |depth| scenes::painted(|scene| scenes::groups(scene, width, height, depth));
    let cards = scenes::painted(|scene| scenes::small_layers(scene, width, height, 60.0, 1.0));
    let small = |name, scene| Example { name, width: scenes::SIDE, height: scenes::SIDE, scene };
    vec![
        full("five-groups", groups(5)),
        full("fifty-groups", groups(50)),
        full("cards", cards),
        small("clip-in-blend-in-clip", scenes::painted(scenes::clip_in_blend_in_clip)),
        small("operators", scenes::painted(scenes::operators)),
        small("left-open", scenes::left_open()),
        small("hundred-thousand-clips", {
            scenes::painted(|scene| scenes::many_clips(scene, scenes::SIDE, 100_000, 40))
        }),
        Example {
            name: "five-thousand-deep",
            width: 64,
            height: 64,
            scene: scenes::painted(|scene| scenes::deep_clips(scene, 5000)),
        },
    ]
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vello_layers: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    if let Some(path) = &args.json {
        let warm_up = std::time::Duration::from_millis(args.warm_up);
        return measure::run(&gpu, args.repeats as usize, warm_up, path);
    }
    eprintln!("{}, {}", gpu.adapter.name, gpu.adapter.driver);
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot create {}", args.output.display()))?;
    let mut ways = ways::Ways::new(&gpu)?;
    let mut table = ways::table();
    for example in examples() {
        eprintln!("{} ...", example.name);
        let results = ways.render(&example)?;
        results.iter().for_each(|result| {
            table.add_row(result.row(&example, &results[2]));
        });
        pictures::write(&args.output, &example, &results)?;
    }
    let text = format!("{table}\nPictures: {}\n", args.output.display());
    // A closed pipe is the reader's choice.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(())
}
