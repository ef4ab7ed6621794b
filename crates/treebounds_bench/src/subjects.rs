//! What is measured: each subject checks its answer, then times itself.

use crate::harness::{Harness, Measured, Recordable};
use crate::inputs::{Input, xorshift};
use anyhow::ensure;
use std::time::Instant;
use treebounds::{Capacity, Gpu, Inputs, Match, Options, Params, Stage, wgpu};
use treebounds_core::{Rect, Stream, Tag, reference};
use wgpu::BufferUsages;

/// One row: an input at a size, how long the GPU took and how long one core of
/// the CPU.
pub(crate) struct Row {
    pub(crate) subject: &'static str,
    pub(crate) input: &'static str,
    pub(crate) n: usize,
    pub(crate) gpu: Measured,
    pub(crate) cpu_micros: f64,
}

/// Parentheses matching, every link compared.
pub(crate) fn matching(
    harness: &Harness,
    options: &Options,
    input: &Input,
    n: usize,
) -> anyhow::Result<Row> {
    let Gpu { device, queue, .. } = &harness.gpu;
    let words = input.tags(n);
    let tags: Vec<Tag> = words.iter().filter_map(|&bits| Tag::from_bits(bits)).collect();
    let start = Instant::now();
    let expected = reference::links(&tags);
    let cpu_micros = start.elapsed().as_secs_f64() * 1e6;

    let matching = Match::new(device, options)?;
    let inputs = Inputs::new(device, Capacity { elements: n as u32, nodes: 0 })?;
    let links = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("links"),
        size: 4 * n.max(1) as u64,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let scratch = matching.scratch(n as u32)?;
    let job = matching.bind(&inputs.params, &inputs.tags, &links, &scratch)?;
    let params = Params { elements: n as u32, ..Params::default() };
    queue.write_buffer(&inputs.params, 0, bytemuck::bytes_of(&params));
    queue.write_buffer(&inputs.tags, 0, bytemuck::cast_slice(&words));
    let dispatches: Vec<&dyn Recordable> = job.dispatches().iter().map(|d| d as _).collect();
    let gpu = harness.measure(&dispatches)?;
    let found = read(&harness.gpu, &links, n)?;
    ensure!(found == expected, "{} at n = {n}: the links are wrong", input.name);
    Ok(Row { subject: "matching", input: input.name, n, gpu, cpu_micros })
}

/// The whole stage on a stream of nodes alone, every output compared.
pub(crate) fn bounds(
    harness: &Harness,
    options: &Options,
    input: &Input,
    n: usize,
) -> anyhow::Result<Row> {
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
    let outputs = treebounds::Outputs::new(device, capacity)?;
    let scratch = stage.scratch(capacity)?;
    let job = stage.bind(&inputs, &outputs, &scratch)?;
    inputs.write(queue, &stream)?;
    let dispatches: Vec<&dyn Recordable> = job.dispatches().iter().map(|d| d as _).collect();
    let gpu = harness.measure(&dispatches)?;
    Ok(Row { subject: "bounds", input: input.name, n, gpu, cpu_micros })
}

/// The input as a scene: its opens are clips around the middle that shrink, and
/// every fourth element of the random walk is a draw.
fn scene(input: &Input, n: usize) -> anyhow::Result<Stream> {
    let mut state = 1;
    let (mut tags, mut rects) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for bits in input.tags(n) {
        state = xorshift(state);
        let edge = (state >> 40) as f32 / 65_536.0;
        tags.extend(Tag::from_bits(bits));
        rects.push(Rect::new(edge, edge, 1024.0 - edge, 1000.0));
    }
    Ok(Stream::new(tags, rects, Rect::new(0.0, 0.0, 1024.0, 1024.0))?)
}

fn read(gpu: &Gpu, source: &wgpu::Buffer, len: usize) -> anyhow::Result<Vec<u32>> {
    let size = 4 * len.max(1) as u64;
    let target = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("download"),
        size,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(source, 0, &target, 0, size);
    gpu.queue.submit([encoder.finish()]);
    target.map_async(wgpu::MapMode::Read, .., |_| ());
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    let mut words: Vec<u32> = bytemuck::pod_collect_to_vec(&target.get_mapped_range(..)?);
    words.truncate(len);
    Ok(words)
}
