//! The buffers that strategies play on: tags or bits in, links out.

use crate::harness::{Recordable, submit};
use crate::kernel::{Kernel, scoped};
use crate::puzzle::Puzzle;
use anyhow::Context;
use rayon::prelude::*;
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// No index and not `NONE`: what no kernel has written.
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

/// Buffers for `n` elements.
pub(crate) struct Board<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) n: usize,
    /// `n` as the first word of a uniform.
    pub(crate) size: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) tags: wgpu::Buffer,
    /// A bit an element, then up to four words of nothing.
    pub(crate) bits: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) links: wgpu::Buffer,
    fill: Kernel,
    download: wgpu::Buffer,
}

impl<'a> Board<'a> {
    pub(crate) fn new(gpu: &'a Gpu, n: usize) -> anyhow::Result<Self> {
        let device = &gpu.device;
        let bytes = bytes(n);
        anyhow::ensure!(
            Self::fits(gpu, n),
            "{n} elements are more than one buffer of {} can hold",
            gpu.adapter.name
        );
        let words = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let piece = 4 * n.clamp(1, PIECE) as u64;
        let size = buffer(device, "size", 16, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        gpu.queue.write_buffer(&size, 0, bytemuck::bytes_of(&[n as u32, 0, 0, 0]));
        Ok(Self {
            gpu,
            n,
            size,
            tags: buffer(device, "tags", bytes, words)?,
            bits: buffer(device, "bits", self::bytes(n.div_ceil(32)), words)?,
            links: buffer(device, "links", bytes, words)?,
            fill: Kernel::new(
                device,
                "poison",
                &FILL.replace("POISON", &format!("{POISON}u")),
                true,
            )?,
            download: buffer(
                device,
                "download",
                piece,
                BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            )?,
        })
    }

    /// Whether the device has buffers that large.
    pub(crate) fn fits(gpu: &Gpu, n: usize) -> bool {
        let limits = gpu.device.limits();
        bytes(n) <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
            && u32::try_from(n).is_ok()
    }

    /// Uploads the tags, `n` of them, and the bits, where the puzzle has any.
    pub(crate) fn load(&self, puzzle: &Puzzle) -> anyhow::Result<()> {
        self.upload(&self.tags, &puzzle.tags)?;
        self.upload(&self.bits, puzzle.bits.as_deref().unwrap_or_default())
    }

    fn upload(&self, buffer: &wgpu::Buffer, words: &[u32]) -> anyhow::Result<()> {
        for (piece, words) in words.chunks(PIECE).enumerate() {
            let offset = 4 * (piece * PIECE) as u64;
            self.gpu.queue.write_buffer(buffer, offset, bytemuck::cast_slice(words));
            self.gpu.queue.submit([]);
            self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        }
        Ok(())
    }

    /// Overwrites all links, so that what a kernel leaves out shows.
    pub(crate) fn poison(&self) -> anyhow::Result<()> {
        let device = &self.gpu.device;
        let groups = (self.n as u64).div_ceil(4 * 256).max(1);
        let fill = self.fill.bind(device, &[&self.links], groups)?;
        submit(self.gpu, [&fill as &dyn Recordable])
    }

    /// The first link that is not as expected: where, what it is, what it must be.
    pub(crate) fn mismatch(&self, expected: &[u32]) -> anyhow::Result<Option<Mismatch>> {
        for (piece, expected) in expected.chunks(PIECE).enumerate() {
            if let Some(mismatch) = self.compare_piece(piece * PIECE, expected)? {
                return Ok(Some(mismatch));
            }
        }
        Ok(None)
    }

    /// Compares the links from this one on, at most a piece.
    fn compare_piece(&self, start: usize, expected: &[u32]) -> anyhow::Result<Option<Mismatch>> {
        let Gpu { device, queue, .. } = self.gpu;
        let bytes = 4 * expected.len() as u64;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.links, 4 * start as u64, &self.download, 0, bytes);
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
fn bytes(n: usize) -> u64 {
    (4 * n as u64).next_multiple_of(16).max(16)
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
        write!(f, "element {} has {:#x}, not {:#x}", self.at, self.found, self.expected)
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

fn buffer(
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
