//! Words up to the GPU and down again, compared in full.

use super::harness::{Recordable, submit};
use super::kernel::{Kernel, scoped};
use anyhow::Context;
use rayon::prelude::*;
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// No index, not `NONE` and no coordinate: what no kernel has written.
pub(crate) const POISON: u32 = 0xbad0_bad0;

const FILL: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<vec4<u32>>;
@compute @workgroup_size(256)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let at = (id.y * groups.x + id.x) * 256u + thread;
    if at < arrayLength(&words) {
        words[at] = vec4<u32>(POISON);
    }
}
";

/// How many words go up or down at once.
const PIECE: usize = 1 << 24;

/// A way up and a way down.
pub(crate) struct Transfer<'a> {
    pub(crate) gpu: &'a Gpu,
    fill: Kernel,
    download: wgpu::Buffer,
}

impl<'a> Transfer<'a> {
    /// For buffers of about so many words; larger ones take more pieces.
    pub(crate) fn new(gpu: &'a Gpu, words: usize) -> anyhow::Result<Self> {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let piece = 4 * words.clamp(1, PIECE) as u64;
        let fill = FILL.replace("POISON", &format!("{POISON}u"));
        Ok(Self {
            gpu,
            fill: Kernel::new(&gpu.device, "poison", &fill, true)?,
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

    /// Overwrites a buffer of whole vectors, so that what a kernel leaves out shows.
    pub(crate) fn poison(&self, buffer: &wgpu::Buffer) -> anyhow::Result<()> {
        let groups = buffer.size().div_ceil(16 * 256).max(1);
        let fill = self.fill.bind(&self.gpu.device, &[buffer], groups)?;
        submit(self.gpu, [&fill as &dyn Recordable])
    }

    /// The first word that is not as expected: where, what it is, what it must be.
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

    /// Compares the words from this one on, at most a piece.
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

/// Whole vectors of four words, at least one.
pub(crate) fn bytes(words: usize) -> u64 {
    (4 * words as u64).next_multiple_of(16).max(16)
}

/// A wrong answer.
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

/// The first difference between two equally long pieces that begin at `start`.
pub(crate) fn compare(start: usize, found: &[u32], expected: &[u32]) -> Option<Mismatch> {
    let at =
        found.par_iter().zip(expected).position_first(|(found, expected)| found != expected)?;
    Some(Mismatch { at: start + at, found: found[at], expected: expected[at] })
}

/// A storage buffer of at least this many bytes.
pub(crate) fn storage(
    device: &wgpu::Device,
    label: &'static str,
    bytes: u64,
) -> anyhow::Result<wgpu::Buffer> {
    buffer(device, label, bytes.max(16), BufferUsages::STORAGE)
}

/// A buffer for these usages.
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
