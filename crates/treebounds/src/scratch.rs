//! Memory that the stage works in. The caller owns it and reuses it.

use crate::buffers::{check_size, create};
use crate::kernels::levels;
use crate::plan::Layout;
use crate::ready::{lost, scoped};
use crate::{Capacity, Error};
use treebounds_shaders::{Level, Plan};
use wgpu::BufferUsages;

/// Working memory of a [`Stage`](crate::Stage), [`Bounds`](crate::Bounds) or [`HostClips`](crate::HostClips) for a
/// capacity. One scratch serves
/// any number of jobs that do not run at the same time.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) layout: Layout,
    pub(crate) words: wgpu::Buffer,
    pub(crate) products: wgpu::Buffer,
    pub(crate) plan: wgpu::Buffer,
    pub(crate) levels: Levels,
    /// Where the layout is of entries.
    pub(crate) sparse: Option<SparseScratch>,
}

/// What a scene of few nodes takes besides: how its elements are laid out in the same scratch.
#[derive(Clone, Debug)]
pub(crate) struct SparseScratch {
    pub(crate) layout: Layout,
    pub(crate) plan: wgpu::Buffer,
}

impl Scratch {
    pub(crate) fn new(device: &wgpu::Device, layout: Layout) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE;
        Ok(Self {
            sparse: None,
            words: create(device, "treebounds words", layout.word_bytes, storage)?,
            products: create(device, "treebounds products", layout.product_bytes, storage)?,
            plan: uniform(device, "treebounds plan", bytemuck::bytes_of::<Plan>(&layout.plan))?,
            levels: Levels::new(device, &levels(&layout))?,
            layout,
        })
    }

    /// What it was made for.
    pub fn capacity(&self) -> Capacity {
        self.sparse.as_ref().map_or(self.layout.capacity, |sparse| sparse.layout.capacity)
    }

    /// How many bytes of GPU memory it holds.
    pub fn bytes(&self) -> u64 {
        let own = [&self.words, &self.products, &self.plan, &self.levels.buffer];
        let sparse = self.sparse.iter().map(|sparse| &sparse.plan);
        own.into_iter().chain(sparse).map(wgpu::Buffer::size).sum::<u64>()
    }
}

/// A uniform for each dispatch that wants one, at an offset of its own.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    buffer: wgpu::Buffer,
    size: u64,
    stride: u64,
    count: usize,
}

impl Levels {
    pub(crate) fn new(device: &wgpu::Device, levels: &[u32]) -> Result<Self, Error> {
        let level = |&nodes| Level { nodes, ..Level::default() };
        Self::of(device, &levels.iter().map(level).collect::<Vec<_>>())
    }

    pub(crate) fn of<T: bytemuck::Pod>(device: &wgpu::Device, all: &[T]) -> Result<Self, Error> {
        let size = size_of::<T>();
        let alignment = device.limits().min_uniform_buffer_offset_alignment as usize;
        let stride = size.next_multiple_of(alignment.max(1));
        let mut bytes = vec![0; stride * all.len().max(1)];
        for (slot, one) in bytes.chunks_exact_mut(stride).zip(all) {
            slot[..size].copy_from_slice(bytemuck::bytes_of(one));
        }
        let buffer = uniform(device, "treebounds levels", &bytes)?;
        Ok(Self { buffer, size: size as u64, stride: stride as u64, count: all.len() })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    pub(crate) fn binding(&self, level: usize) -> Option<wgpu::BindingResource<'_>> {
        (level < self.count).then(|| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &self.buffer,
                offset: level as u64 * self.stride,
                size: wgpu::BufferSize::new(self.size),
            })
        })
    }
}

/// A uniform buffer with these bytes, written before any submission.
pub(crate) fn uniform(
    device: &wgpu::Device,
    label: &'static str,
    bytes: &[u8],
) -> Result<wgpu::Buffer, Error> {
    let size = (bytes.len() as u64).next_multiple_of(16);
    check_size(device, label, size)?;
    let descriptor = wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: BufferUsages::UNIFORM,
        mapped_at_creation: true,
    };
    let buffer = scoped(device, || device.create_buffer(&descriptor)).map_err(Error::Device)?;
    let mut view = buffer.get_mapped_range_mut(..).map_err(|error| lost(&error))?;
    view.slice(..bytes.len()).copy_from_slice(bytes);
    drop(view);
    buffer.unmap();
    Ok(buffer)
}
