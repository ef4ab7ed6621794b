//! The GPU for the tests: one device per thread, its buffers, and the variants it can run.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use treebounds::{Gpu, Job, Params, Tuning, Variant, wgpu};
use treebounds_shaders::{Size, Stream as TreeStream, Task, TreeKernel};
use wgpu::BufferUsages;

/// Returns this thread's GPU device. A finished test hands its device to the next one, so there are at most as many devices
/// as concurrent tests. Without a GPU, the test fails.
///
/// # Panics
/// If no GPU works. The message names the package to install.
pub fn gpu() -> &'static Gpu {
    thread_local! {
        static LEASE: Lease = Lease::new();
    }
    LEASE.with(|lease| lease.0)
}

/// Fails a test because there is no GPU.
///
/// # Panics
/// Always. The message names the package to install.
#[expect(clippy::panic, reason = "a test without a GPU must fail, and say why")]
pub fn no_gpu(error: &treebounds::Error) -> ! {
    panic!("{error}; install a driver: apt-get install mesa-vulkan-drivers")
}

/// Devices not in use by a test. They are never dropped, because the driver may already have shut down.
static IDLE: Mutex<Vec<&'static Gpu>> = Mutex::new(Vec::new());

struct Lease(&'static Gpu);

impl Lease {
    fn new() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self(idle.unwrap_or_else(|| match pollster::block_on(Gpu::request()) {
            Ok(gpu) => Box::leak(Box::new(gpu)),
            Err(error) => no_gpu(&error),
        }))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// Whether the GPU can run the stage in this variant. Smaller devices have fewer threads per workgroup, less workgroup
/// memory, or no subgroups.
pub fn can_run(variant: &Variant) -> bool {
    variant.check_stage().is_ok()
        && has_room(variant, variant.workgroup_size(), stage_bytes(variant))
}

/// Whether the GPU can run matching in this variant.
pub fn can_match(variant: &Variant) -> bool {
    variant.check_matching().is_ok()
        && has_room(variant, variant.match_threads(), variant.match_workgroup_bytes())
}

/// Whether the GPU can run binning in this variant.
pub fn can_bin(variant: &Variant) -> bool {
    variant.check_binning().is_ok()
        && has_room(variant, variant.workgroup_size(), variant.bin_workgroup_bytes())
}

/// Returns the maximum workgroup memory of the stage.
fn stage_bytes(variant: &Variant) -> u32 {
    let kernels = [Size::Near, Size::Bundles, Size::Groups]
        .into_iter()
        .flat_map(|size| TreeKernel::steps(Task::both(TreeStream::Scene), size));
    kernels.map(|kernel| kernel.workgroup_bytes(variant, 16)).max().unwrap_or(0)
}

fn has_room(variant: &Variant, threads: u32, bytes: u32) -> bool {
    let device = &gpu().device;
    let limits = device.limits();
    threads <= limits.max_compute_invocations_per_workgroup
        && threads <= limits.max_compute_workgroup_size_x
        && bytes <= limits.max_compute_workgroup_storage_size
        && (!variant.subgroups() || device.features().contains(wgpu::Features::SUBGROUP))
}

/// Creates an empty buffer.
pub fn buffer(size: u64, usage: BufferUsages) -> wgpu::Buffer {
    gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Opens a device with exactly these limits and no features.
///
/// # Panics
/// If the adapter rejects the limits.
#[expect(clippy::expect_used, reason = "a device that does not open is a failure of the test")]
pub fn device_with(limits: wgpu::Limits) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let options = wgpu::RequestAdapterOptions::default();
    let adapter = pollster::block_on(instance.request_adapter(&options)).expect("there is a GPU");
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: limits,
        required_features: treebounds::required_features(),
        ..Default::default()
    };
    let (device, queue) =
        pollster::block_on(adapter.request_device(&descriptor)).expect("the device opens");
    Gpu { adapter: adapter.get_info(), device, queue }
}

/// Binds the whole buffer.
pub fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
    buffer.as_entire_buffer_binding()
}

/// A buffer that hands out ranges with gaps in between, like the arena of a renderer.
pub struct Arena {
    buffer: wgpu::Buffer,
    used: Cell<u64>,
}

impl Arena {
    /// Creates an arena. Its ranges can be read and written.
    pub fn new(bytes: u64, usage: BufferUsages) -> Self {
        let usage = usage | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        // No range starts at the beginning.
        Self { buffer: buffer(bytes, usage), used: Cell::new(4) }
    }

    /// Allocates the next range.
    pub fn take(&self, bytes: u64) -> wgpu::BufferBinding<'_> {
        let offset = self.used.get().next_multiple_of(256);
        self.used.set(offset + bytes + 4);
        wgpu::BufferBinding { buffer: &self.buffer, offset, size: wgpu::BufferSize::new(bytes) }
    }

    /// Allocates a range of at least 32 bytes with these values.
    pub fn put<T: bytemuck::NoUninit>(&self, values: &[T]) -> wgpu::BufferBinding<'_> {
        let range = self.take((size_of_val(values).max(32) as u64).next_multiple_of(4));
        gpu().queue.write_buffer(&self.buffer, range.offset, bytemuck::cast_slice(values));
        range
    }
}

/// Records and submits a job.
pub fn run(job: &Job) {
    run_times(job, 1);
}

/// Records a job `times` times in one encoder, and submits it.
pub fn run_times(job: &Job, times: u32) {
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    (0..times).for_each(|_| job.record(&mut encoder));
    gpu().queue.submit([encoder.finish()]);
}

/// Runs a job with a number of elements known only to the GPU: a copy writes it to the params.
pub fn run_counted(job: &Job, params: &wgpu::Buffer, elements: u32) {
    let count = buffer(4, BufferUsages::COPY_SRC | BufferUsages::COPY_DST);
    gpu().queue.write_buffer(&count, 0, &elements.to_le_bytes());
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    let at = std::mem::offset_of!(Params, elements) as u64;
    encoder.copy_buffer_to_buffer(&count, 0, params, at, 4);
    job.record(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
}

/// Returns the tuning that selects a variant.
pub fn tuning(variant: &Variant) -> Tuning {
    Tuning {
        workgroup_size: Some(variant.workgroup_size()),
        subgroups: Some(variant.subgroups()),
        checked: false,
    }
}

/// Returns the supported variants of the stage with these numbers of threads per workgroup, without and with subgroups.
pub fn variants(threads: impl IntoIterator<Item = u32>) -> impl Iterator<Item = Variant> {
    let all = threads.into_iter().flat_map(|threads| {
        let variant = Variant::new(threads, 1).expect("a number of threads that can be");
        [false, true].map(|on| variant.with_subgroups(on))
    });
    all.filter(can_run)
}

/// Reads the first `len` values of a buffer with `COPY_SRC`.
pub fn read<T: bytemuck::Pod>(buffer: &wgpu::Buffer, len: usize) -> Vec<T> {
    read_at(&whole(buffer), len)
}

/// Reads the first `len` values of a range of a buffer with `COPY_SRC`.
pub fn read_at<T: bytemuck::Pod>(range: &wgpu::BufferBinding<'_>, len: usize) -> Vec<T> {
    let bytes = read_ranges(&[(range.clone(), len * size_of::<T>())]);
    bytemuck::pod_collect_to_vec(&bytes[0])
}

/// Reads the first bytes of each of these buffers, in one submission. All must have `COPY_SRC`, and each number of bytes
/// must be a multiple of four.
///
/// # Panics
/// If the device fails.
pub fn read_all(parts: &[(&wgpu::Buffer, usize)]) -> Vec<Vec<u8>> {
    let ranges: Vec<_> = parts.iter().map(|(buffer, bytes)| (whole(buffer), *bytes)).collect();
    read_ranges(&ranges)
}

#[expect(clippy::expect_used, reason = "the device failing is a failure of the test")]
fn read_ranges(parts: &[(wgpu::BufferBinding<'_>, usize)]) -> Vec<Vec<u8>> {
    let Gpu { device, queue, .. } = gpu();
    let total: usize = parts.iter().map(|(_, bytes)| bytes).sum();
    let mut all: Vec<u8> = Vec::new();
    if total > 0 {
        let download = buffer(total as u64, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut at = 0;
        for (source, bytes) in parts.iter().filter(|(_, bytes)| *bytes > 0) {
            encoder.copy_buffer_to_buffer(
                source.buffer,
                source.offset,
                &download,
                at,
                *bytes as u64,
            );
            at += *bytes as u64;
        }
        queue.submit([encoder.finish()]);
        all = treebounds::device::read(device, &download).expect("the device works");
    }
    let mut rest = &all[..];
    let part = |(_, bytes): &(_, usize)| rest.split_off(..*bytes).unwrap_or_default().to_vec();
    parts.iter().map(part).collect()
}
