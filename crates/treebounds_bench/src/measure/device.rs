//! Kernels, and buffers with full comparison.

use crate::measure::{Recordable, submit};
use anyhow::{Context, anyhow};
use rayon::prelude::*;
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// Marks unwritten words. It differs from all valid indices, `NONE`, and all coordinates.
pub(crate) const POISON: u32 = 0xbad0_bad0;

/// Creates a kernel that runs `what` for each vector of `target_words`.
fn for_each_vector(source: &str, what: &str) -> String {
    format!(
        "{source}
@group(0) @binding(0) var<storage, read_write> target_words: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {{
    let at = (id.y * groups.x + id.x) * 256u + thread;
    if at < arrayLength(&target_words) {{
        target_words[at] = {what};
    }}
}}
"
    )
}

/// The number of words per upload or download.
const PIECE: usize = 1 << 24;

/// Upload and download buffers.
pub(crate) struct Transfer<'a> {
    pub(crate) gpu: &'a Gpu,
    fill: Kernel,
    download: wgpu::Buffer,
}

impl<'a> Transfer<'a> {
    /// Creates transfer buffers for about `words` words. Larger buffers are transferred in pieces.
    pub(crate) fn new(gpu: &'a Gpu, words: usize) -> anyhow::Result<Self> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let piece = 4 * words.clamp(1, PIECE) as u64;
        Ok(Self {
            gpu,
            fill: fill(&gpu.device, "poison", POISON, true)?,
            download: buffer(&gpu.device, "download", piece, usage)?,
        })
    }

    /// Writes the first words of a buffer.
    pub(crate) fn upload(&self, buffer: &wgpu::Buffer, words: &[u32]) -> anyhow::Result<()> {
        for (piece, words) in words.chunks(PIECE).enumerate() {
            let offset = 4 * (piece * PIECE) as u64;
            self.gpu.queue.write_buffer(buffer, offset, bytemuck::cast_slice(words));
            self.gpu.queue.submit([]);
            self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        }
        Ok(())
    }

    /// Overwrites a buffer of whole vectors, to detect words that a kernel does not write.
    pub(crate) fn poison(&self, buffer: &wgpu::Buffer) -> anyhow::Result<()> {
        let fill = self.fill.bind_to_fill(&self.gpu.device, buffer)?;
        submit(self.gpu, [&fill as &dyn Recordable])
    }

    /// Finds the first word that differs from the expected word.
    pub(crate) fn mismatch(
        &self,
        buffer: &wgpu::Buffer,
        expected: &[u32],
    ) -> anyhow::Result<Option<Mismatch>> {
        let piece = self.download.size() as usize / 4;
        for (ix, expected) in expected.chunks(piece).enumerate() {
            if let Some(mismatch) = self.compare_piece(buffer, ix * piece, expected)? {
                return Ok(Some(mismatch));
            }
        }
        Ok(None)
    }

    /// Compares at most one piece of words.
    fn compare_piece(
        &self,
        buffer: &wgpu::Buffer,
        start: usize,
        expected: &[u32],
    ) -> anyhow::Result<Option<Mismatch>> {
        let Gpu { device, queue, .. } = self.gpu;
        let bytes = 4 * expected.len() as u64;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(buffer, 4 * start as u64, &self.download, 0, bytes);
        queue.submit([encoder.finish()]);
        let slice = self.download.slice(..bytes);
        slice.map_async(wgpu::MapMode::Read, |_| ());
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let mismatch = {
            let view = slice.get_mapped_range()?;
            match bytemuck::try_cast_slice(&view) {
                Ok(found) => compare(start, found, expected),
                Err(_) => compare(start, &bytemuck::pod_collect_to_vec(&view), expected),
            }
        };
        self.download.unmap();
        Ok(mismatch)
    }
}

/// Creates a kernel that sets all words of a buffer, whose size must be a multiple of 16 bytes.
pub(crate) fn fill(
    device: &wgpu::Device,
    label: &'static str,
    word: u32,
    checked: bool,
) -> anyhow::Result<Kernel> {
    Kernel::new(device, label, &for_each_vector("", &format!("vec4<u32>({word}u)")), checked)
}

/// The size in bytes of a buffer for `words` words, rounded up to a multiple of 16 and at least 16.
pub(crate) fn bytes(words: usize) -> u64 {
    (4 * words as u64).next_multiple_of(16).max(16)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mismatch {
    pub(crate) at: usize,
    pub(crate) found: u32,
    pub(crate) expected: u32,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "word {} is {:#x}, not {:#x}", self.at, self.found, self.expected)
    }
}

/// Finds the first difference between two pieces of equal length that begin at `start`.
pub(crate) fn compare(start: usize, found: &[u32], expected: &[u32]) -> Option<Mismatch> {
    let at =
        found.par_iter().zip(expected).position_first(|(found, expected)| found != expected)?;
    Some(Mismatch { at: start + at, found: found[at], expected: expected[at] })
}

/// Creates a storage buffer.
pub(crate) fn storage(
    device: &wgpu::Device,
    label: &'static str,
    bytes: u64,
) -> anyhow::Result<wgpu::Buffer> {
    buffer(device, label, bytes.max(16), BufferUsages::STORAGE)
}

pub(crate) fn buffer(
    device: &wgpu::Device,
    label: &'static str,
    size: u64,
    usage: BufferUsages,
) -> anyhow::Result<wgpu::Buffer> {
    let descriptor =
        wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
    scoped(device, || device.create_buffer(&descriptor))
        .with_context(|| format!("cannot have {size} bytes for {label}"))
}

#[derive(Debug)]
pub(crate) struct Kernel {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
}

/// A bound dispatch.
#[derive(Debug)]
pub(crate) struct Bound {
    label: &'static str,
    pipeline: wgpu::ComputePipeline,
    bind_group: wgpu::BindGroup,
    groups: [u32; 2],
}

impl Kernel {
    /// Compiles the kernel `main` of a WGSL source, with or without wgpu's index and loop checks.
    pub(crate) fn new(
        device: &wgpu::Device,
        label: &'static str,
        source: &str,
        checked: bool,
    ) -> anyhow::Result<Self> {
        let pipeline = scoped(device, || compile(device, label, source, checked))
            .with_context(|| format!("the device refused the kernel `{label}`"))?;
        Ok(Self { label, pipeline })
    }

    /// Binds buffers to the bindings 0, 1, ..., for `groups` workgroups.
    pub(crate) fn bind(
        &self,
        device: &wgpu::Device,
        buffers: &[&wgpu::Buffer],
        groups: u64,
    ) -> anyhow::Result<Bound> {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let bind_group = scoped(device, || {
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(self.label),
                layout: &self.pipeline.get_bind_group_layout(0),
                entries: &entries,
            })
        })
        .with_context(|| format!("the device refused the buffers of `{}`", self.label))?;
        let groups = grid(groups, device.limits().max_compute_workgroups_per_dimension);
        Ok(Bound { label: self.label, pipeline: self.pipeline.clone(), bind_group, groups })
    }

    /// Binds the buffer for a kernel from [`fill`].
    pub(crate) fn bind_to_fill(
        &self,
        device: &wgpu::Device,
        buffer: &wgpu::Buffer,
    ) -> anyhow::Result<Bound> {
        self.bind(device, &[buffer], buffer.size().div_ceil(16 * 256).max(1))
    }
}

impl Recordable for Bound {
    fn label(&self) -> &str {
        self.label
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}

fn compile(
    device: &wgpu::Device,
    label: &'static str,
    source: &str,
    checked: bool,
) -> wgpu::ComputePipeline {
    let module = module(device, label, source, checked);
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some(label),
        layout: None,
        module: &module,
        entry_point: Some("main"),
        // Kernels write all workgroup memory before reading it.
        compilation_options: wgpu::PipelineCompilationOptions {
            zero_initialize_workgroup_memory: false,
            ..Default::default()
        },
        cache: None,
    })
}

fn module(
    device: &wgpu::Device,
    label: &'static str,
    source: &str,
    checked: bool,
) -> wgpu::ShaderModule {
    let descriptor = wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    };
    if checked {
        return device.create_shader_module(descriptor);
    }
    let checks = wgpu::ShaderRuntimeChecks::unchecked();
    // SAFETY: `copy` and `poison` compare each index with the length. The comments in the kernels of the
    // paper and of look-back explain why their indices are in bounds and why they terminate. Vello also
    // runs its kernels without checks; here they get no scenes beyond their limits, and binning gets
    // buffers of the sizes in its configuration. The tests also run with checks.
    #[expect(unsafe_code, reason = "small kernels, compared with kernels without checks")]
    unsafe {
        device.create_shader_module_trusted(descriptor, checks)
    }
}

/// Runs `work` and returns its device errors, which would otherwise end the program.
pub(crate) fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> anyhow::Result<T> {
    treebounds::device::scoped(device, work).map_err(|message| anyhow!(message))
}

/// Computes a grid of at least `groups` workgroups, with the smallest number of equal rows.
fn grid(groups: u64, widest: u32) -> [u32; 2] {
    let rows = groups.div_ceil(widest.into()).max(1);
    [groups.div_ceil(rows) as u32, rows as u32]
}

/// The copy kernel, which copies the tags to the links.
pub(crate) struct Copy(Kernel);

impl Copy {
    pub(crate) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        let source = "@group(0) @binding(1) var<storage, read> source: array<vec4<u32>>;";
        let copy = for_each_vector(source, "source[at]");
        Ok(Self(Kernel::new(device, "copy", &copy, checked)?))
    }

    /// Copies a buffer to another of the same size, in whole vectors.
    pub(crate) fn between(
        &self,
        device: &wgpu::Device,
        source: &wgpu::Buffer,
        target: &wgpu::Buffer,
    ) -> anyhow::Result<Box<dyn Recordable>> {
        let groups = source.size().div_ceil(16 * 256).max(1);
        Ok(Box::new(self.0.bind(device, &[target, source], groups)?))
    }
}
