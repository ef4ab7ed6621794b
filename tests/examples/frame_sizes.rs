//! Measures small frames in a job with a capacity of 2^22 elements against jobs bound for the exact number, and the
//! compile time of a stage. Prints tables.

use std::time::Instant;
use treebounds::{Capacity, Job, Stage, StageDescriptor, wgpu};
use treebounds_core::Stream;
use treebounds_tests::bound::Bound;
use treebounds_tests::gpu::gpu;
use treebounds_tests::streams::{random_few_markers, random_walk};

const ROOM: u32 = 1 << 22;

/// Returns the microseconds per run of a job: the minimum over several submissions of many runs.
fn microseconds(job: &Job) -> f64 {
    const RUNS: u32 = 100;
    let gpu = gpu();
    let submit = || {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut pass = encoder.begin_compute_pass(&Default::default());
        (0..RUNS).for_each(|_| job.record_in_pass(&mut pass));
        drop(pass);
        let start = Instant::now();
        gpu.queue.submit([encoder.finish()]);
        let waited = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map_or(f64::NAN, |_| start.elapsed().as_secs_f64() * 1e6 / f64::from(RUNS))
    };
    (0..7).map(|_| submit()).fold(f64::INFINITY, f64::min)
}

fn row(stage: &Stage, large: &Bound, stream: &Stream) -> Result<(), Box<dyn std::error::Error>> {
    let n = stream.len() as u32;
    large.inputs.write(&gpu().queue, stream)?;
    let exact = Bound::new(stage, Capacity::of(stream))?;
    exact.inputs.write(&gpu().queue, stream)?;
    let [all, up_to, exact] = [&large.job, large.job.up_to(n), &exact.job].map(microseconds);
    println!("| {n} | {all:.1} | {up_to:.1} | {exact:.1} | {:.2} |", up_to / exact);
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let device = &gpu().device;
    let new = |name: &str, descriptor: StageDescriptor<'_>| {
        let start = Instant::now();
        let stage = Stage::new(device, &descriptor)?;
        println!("Stage::new, {name}: {:.0} ms", start.elapsed().as_secs_f64() * 1e3);
        Ok::<_, treebounds::Error>(stage)
    };
    println!("{}", gpu().adapter.name);
    new("the default", StageDescriptor::default())?;
    new("one filter", StageDescriptor { filter_depth: 1, ..Default::default() })?;
    new(
        "16 filters, landings",
        StageDescriptor { filter_depth: 16, landings: true, ..Default::default() },
    )?;
    let descriptor = StageDescriptor { few_markers: true, frame_sizes: true, ..Default::default() };
    let stage = new("few markers", descriptor)?;
    let sizes = [8, 10, 12, 14, 16, 17, 18, 19, 20, 21, 22].map(|log2| 1_usize << log2);
    let header = "| elements | job for 2^22, us | up_to, us | job for as many, us | ratio |\n|---|---|---|---|---|";

    println!("\nMarkers alone\n\n{header}");
    let large = Bound::new(&stage, Capacity::all_markers(ROOM))?;
    for n in sizes {
        row(&stage, &large, &random_walk(7, n))?;
        row(&stage, &large, &random_walk(7, n * 5 / 8))?;
    }
    println!("\nTwo markers in a hundred elements\n\n{header}");
    let capacity = Capacity { elements: ROOM, markers: ROOM / 50, filter_depth: 0 };
    let large = Bound::new(&stage, capacity)?;
    for n in sizes {
        row(&stage, &large, &random_few_markers(7, n, n / 50))?;
    }
    Ok(())
}
