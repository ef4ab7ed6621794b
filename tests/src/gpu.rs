//! The GPU that the tests run on.

use std::sync::{Mutex, MutexGuard, OnceLock};
use treebounds::{Gpu, Inputs, Job, Match, Params, Stage, Variant, wgpu};
use treebounds_core::{Bounds, Stream};
use wgpu::BufferUsages;

/// The GPU, opened once. A machine without one fails the test: it must never
/// pass unseen.
///
/// # Panics
/// Where no GPU works, with the line that says how to install one.
#[expect(clippy::panic, reason = "a test without a GPU must fail, and say why")]
pub fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| match pollster::block_on(Gpu::request()) {
        Ok(gpu) => gpu,
        Err(error) => panic!("{error}"),
    })
}

/// Software drivers use every core for one test; two at a time only wait for
/// each other.
pub fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Whether the GPU can run the stage in this variant at all: a smaller device has
/// fewer threads a workgroup, less workgroup memory, or no subgroups.
pub fn can_run(variant: &Variant) -> bool {
    has_room(variant, variant.workgroup_bytes())
}

/// Whether the GPU can run matching alone in this variant.
pub fn can_match(variant: &Variant) -> bool {
    variant.check_matching().is_ok() && has_room(variant, variant.match_workgroup_bytes())
}

fn has_room(variant: &Variant, bytes: u32) -> bool {
    let device = &gpu().device;
    let limits = device.limits();
    variant.workgroup_size() <= limits.max_compute_invocations_per_workgroup
        && variant.workgroup_size() <= limits.max_compute_workgroup_size_x
        && bytes <= limits.max_compute_workgroup_storage_size
        && (!variant.subgroups() || device.features().contains(wgpu::Features::SUBGROUP))
}

/// The links that [`Match`] finds on the GPU for these tag words.
///
/// # Errors
/// What the stage or the device says.
pub fn links(matching: &Match, tags: &[u32]) -> Result<Vec<u32>, treebounds::Error> {
    let Gpu { device, queue, .. } = gpu();
    let n = tags.len() as u32;
    let size = (4 * tags.len().max(1) as u64).next_multiple_of(16);
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage: usage | BufferUsages::STORAGE,
            mapped_at_creation: false,
        })
    };
    let input = buffer(BufferUsages::COPY_DST);
    // Poisoned: what the kernels do not write shows.
    let output = buffer(BufferUsages::COPY_DST | BufferUsages::COPY_SRC);
    let capacity = treebounds::Capacity { elements: n, nodes: 0 };
    let params = Inputs::new(device, capacity)?.params;
    let scratch = matching.scratch(n)?;
    let job = matching.bind(&params, &input, &output, &scratch)?;
    let values = Params { elements: n, ..Params::default() };
    queue.write_buffer(&params, 0, as_bytes(&[values]));
    queue.write_buffer(&input, 0, as_bytes(tags));
    queue.write_buffer(&output, 0, as_bytes(&vec![0xdead_u32; tags.len()]));
    run(&job);
    Ok(read(&output, tags.len()))
}

/// The bounds that a stage finds on the GPU.
///
/// # Errors
/// What the stage or the device says.
pub fn bounds(stage: &Stage, stream: &Stream) -> Result<Bounds, treebounds::Error> {
    stage.compute(&gpu().queue, stream)
}

/// Records a job and submits it.
pub fn run(job: &Job) {
    let Gpu { device, queue, .. } = gpu();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    job.record(&mut encoder);
    queue.submit([encoder.finish()]);
}

/// The first `len` values of a buffer that can be copied from.
#[expect(clippy::expect_used, reason = "the device failing is a failure of the test")]
pub fn read<T: bytemuck::Pod>(buffer: &wgpu::Buffer, len: usize) -> Vec<T> {
    let Gpu { device, queue, .. } = gpu();
    let size = (len * size_of::<T>()) as u64;
    if size == 0 {
        return Vec::new();
    }
    let download = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(buffer, 0, &download, 0, size);
    queue.submit([encoder.finish()]);
    download.map_async(wgpu::MapMode::Read, .., |_| ());
    device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
    let view = download.get_mapped_range(..).expect("the buffer is mapped");
    bytemuck::pod_collect_to_vec(&view)
}

fn as_bytes<T: bytemuck::NoUninit>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}
