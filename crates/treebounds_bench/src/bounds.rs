//! The whole stage: checked, then timed.

mod report;

use crate::arguments::{BoundsArguments, save};
use crate::board::Board;
use crate::copy::Copy;
use crate::harness::{Harness, Measured, Recordable};
use crate::inputs::{self, Input, xorshift};
use crate::strategy::Strategy;
use anyhow::ensure;
use std::time::Instant;
use treebounds::{Capacity, Gpu, Inputs, Options, Outputs, Stage};
use treebounds_core::{Rect, Stream, Tag, reference};

/// What the saw teeth aim at.
const TILE: usize = 2048;

/// Measures, prints and saves.
pub(crate) fn run(arguments: &BoundsArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let options = arguments.common.options();
    let copy = Copy::new(&harness.gpu.device, options.checked)?;
    let mut report = report::Report::new(&harness);
    for n in arguments.common.sizes() {
        let board = Board::new(&harness.gpu, n)?;
        let copy = harness.measure(&copy.prepare(&board)?)?;
        for input in inputs::ALL {
            report.add(measure(&harness, &options, input, n)?, &copy);
        }
    }
    println!("{}", report.table());
    arguments.common.json.iter().try_for_each(|path| save(path, &report))
}

/// One row: an input at a size, how long the GPU took and how long one core of
/// the CPU.
struct Row {
    input: &'static str,
    n: usize,
    gpu: Measured,
    cpu_micros: f64,
}

/// The whole stage on a stream of nodes alone, every output compared.
fn measure(harness: &Harness, options: &Options, input: &Input, n: usize) -> anyhow::Result<Row> {
    let Gpu { device, queue, .. } = &harness.gpu;
    let stream = scene(input, n)?;
    let start = Instant::now();
    let expected = reference::bounds(&stream);
    let cpu_micros = start.elapsed().as_secs_f64() * 1e6;

    let stage = Stage::new(device, options)?;
    ensure!(
        stage.compute(queue, &stream)? == expected,
        "{} at n = {n}: the bounds are wrong",
        input.name
    );
    let capacity = Capacity::of(&stream);
    let inputs = Inputs::new(device, capacity)?;
    let outputs = Outputs::new(device, capacity)?;
    let scratch = stage.scratch(capacity)?;
    let job = stage.bind(&inputs, &outputs, &scratch)?;
    inputs.write(queue, &stream)?;
    let dispatches: Vec<Box<dyn Recordable>> =
        job.dispatches().iter().map(|dispatch| Box::new(dispatch.clone()) as _).collect();
    let gpu = harness.measure(&dispatches)?;
    Ok(Row { input: input.name, n, gpu, cpu_micros })
}

/// The input as a scene: clips, and the draws that it has, on the left of the
/// viewport or across it.
fn scene(input: &Input, n: usize) -> anyhow::Result<Stream> {
    let mut state = 1;
    let (mut tags, mut rects) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for bits in input.tags(n, TILE) {
        state = xorshift(state);
        let edge = (state >> 40) as f32 / 65_536.0;
        tags.extend(Tag::from_bits(bits));
        rects.push(Rect::new(edge, edge, 1024.0 - edge, 1000.0));
    }
    Ok(Stream::new(tags, rects, Rect::new(0.0, 0.0, 1024.0, 1024.0))?)
}
