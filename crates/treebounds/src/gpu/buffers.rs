//! Buffer ranges: requirements on the caller's ranges, parts of a scratch, and checks of sizes and 32-bit
//! counts.

use crate::Error;
use crate::gpu::{lost, scoped};
use treebounds_shaders::{Params, Variant};
use wgpu::BufferUsages;

/// A range provided by the caller, and its requirements.
#[derive(Clone, Debug)]
pub struct Need<'a> {
    /// The name of the range in error messages.
    pub name: &'static str,
    /// The range.
    pub binding: wgpu::BufferBinding<'a>,
    /// The required size. Only this many bytes are bound.
    pub bytes: u64,
    /// The required usages of the buffer.
    pub usage: BufferUsages,
}

impl<'a> Need<'a> {
    pub(crate) fn new(
        name: &'static str,
        binding: &wgpu::BufferBinding<'a>,
        bytes: u64,
        usage: BufferUsages,
    ) -> Self {
        Self { name, binding: binding.clone(), bytes, usage }
    }

    pub(crate) fn storage(
        name: &'static str,
        binding: &wgpu::BufferBinding<'a>,
        bytes: u64,
    ) -> Self {
        Self::new(name, binding, bytes, BufferUsages::STORAGE)
    }

    /// The requirement for [`Params`].
    pub(crate) fn params(binding: &wgpu::BufferBinding<'a>) -> Self {
        Self::new("params", binding, size_of::<Params>() as u64, BufferUsages::UNIFORM)
    }
}

/// A range of a buffer that is ready to be bound. It keeps the buffer alive.
#[derive(Clone, Debug)]
pub struct Range {
    /// The name of the binding in kernels.
    pub name: &'static str,
    buffer: wgpu::Buffer,
    offset: u64,
    bytes: u64,
}

impl Range {
    /// The wgpu binding of the range.
    pub fn binding(&self) -> wgpu::BufferBinding<'_> {
        let size = wgpu::BufferSize::new(self.bytes);
        wgpu::BufferBinding { buffer: &self.buffer, offset: self.offset, size }
    }

    /// Returns the range under another name.
    pub(crate) fn named(&self, name: &'static str) -> Self {
        Self { name, ..self.clone() }
    }

    /// Returns the part that starts at `offset`, under another name.
    pub(crate) fn part(&self, name: &'static str, offset: u64, bytes: u64) -> Self {
        Self { name, buffer: self.buffer.clone(), offset: self.offset + offset, bytes }
    }

    /// The range of a whole buffer.
    pub(crate) fn whole(name: &'static str, buffer: wgpu::Buffer) -> Self {
        let bytes = buffer.size();
        Self { name, buffer, offset: 0, bytes }
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn shares_buffer(&self, other: &Self) -> bool {
        self.buffer == other.buffer
    }

    fn overlaps(&self, other: &Self) -> bool {
        let end = |range: &Self| range.offset + range.bytes;
        self.shares_buffer(other) && self.offset < end(other) && other.offset < end(self)
    }
}

/// The size in bytes of `count` values, or of one value if `count` is 0, because WebGPU does not allow
/// empty bindings.
pub(crate) fn bytes(each: u64, count: u32) -> u64 {
    each * u64::from(count.max(1))
}

/// The size in bytes of one word per element, rounded up to whole vectors of four words.
pub(crate) fn vector_bytes(elements: u32) -> u64 {
    bytes(4, elements).next_multiple_of(16)
}

/// Checks that all ranges meet their requirements and do not overlap each other or `scratch`.
///
/// # Errors
/// For the first unsuitable range: [`Error::OutsideBuffer`], [`Error::BufferTooSmall`],
/// [`Error::BufferUsage`], [`Error::TooLarge`], [`Error::Unaligned`] or [`Error::Overlap`].
pub fn check<'a>(
    device: &wgpu::Device,
    needs: impl IntoIterator<Item = Need<'a>>,
    scratch: &[Range],
) -> Result<Vec<Range>, Error> {
    let mut checked: Vec<Range> = Vec::new();
    for need in needs {
        let range = fit(device, &need)?;
        let others = checked.iter().chain(scratch);
        if let Some(other) = others.into_iter().find(|other| other.overlaps(&range)) {
            return Err(Error::Overlap { first: other.name, second: range.name });
        }
        checked.push(range);
    }
    Ok(checked)
}

/// Checks one requirement, and truncates the range to the required size.
fn fit(device: &wgpu::Device, need: &Need<'_>) -> Result<Range, Error> {
    let Need { name, binding, bytes, usage } = need;
    let &wgpu::BufferBinding { buffer, offset, size } = binding;
    let rest = buffer.size().saturating_sub(offset);
    let size = size.map_or(rest, wgpu::BufferSize::get);
    if size > rest {
        let end = offset.saturating_add(size);
        return Err(Error::OutsideBuffer { buffer: name, end, size: buffer.size() });
    }
    if size < *bytes {
        return Err(Error::BufferTooSmall { buffer: name, needed: *bytes, size });
    }
    if !buffer.usage().contains(*usage) {
        return Err(Error::BufferUsage { buffer: name, needed: *usage - buffer.usage() });
    }
    check_size(device, name, *bytes)?;
    let limits = device.limits();
    let rows = [
        (
            BufferUsages::STORAGE,
            "min_storage_buffer_offset_alignment",
            limits.min_storage_buffer_offset_alignment,
        ),
        (
            BufferUsages::UNIFORM,
            "min_uniform_buffer_offset_alignment",
            limits.min_uniform_buffer_offset_alignment,
        ),
    ];
    for (kind, limit_name, alignment) in rows {
        if usage.contains(kind) && !offset.is_multiple_of(u64::from(alignment).max(1)) {
            return Err(Error::Unaligned { buffer: name, offset, alignment, limit_name });
        }
    }
    Ok(Range { name, buffer: buffer.clone(), offset, bytes: *bytes })
}

/// Checks that the device can create and bind a buffer of this size.
fn check_size(device: &wgpu::Device, what: &'static str, needed: u64) -> Result<(), Error> {
    let limits = device.limits();
    let rows = [
        ("max_buffer_size", limits.max_buffer_size),
        ("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size),
    ];
    for (limit_name, limit) in rows {
        if needed > limit {
            return Err(Error::TooLarge { what, needed, limit_name, limit });
        }
    }
    Ok(())
}

/// Creates a buffer labelled "`label` `name`".
///
/// # Errors
/// [`Error::TooLarge`] with `name`, or [`Error::Device`] if memory runs out.
pub fn create(
    device: &wgpu::Device,
    label: &str,
    name: &'static str,
    size: u64,
    usage: BufferUsages,
) -> Result<wgpu::Buffer, Error> {
    check_size(device, name, size)?;
    let label = format!("{label} {name}");
    let descriptor =
        wgpu::BufferDescriptor { label: Some(&label), size, usage, mapped_at_creation: false };
    scoped(device, || device.create_buffer(&descriptor)).map_err(Error::Device)
}

/// Creates an initialized uniform buffer.
pub(crate) fn uniform(
    device: &wgpu::Device,
    label: &str,
    name: &'static str,
    bytes: &[u8],
) -> Result<wgpu::Buffer, Error> {
    let size = (bytes.len() as u64).next_multiple_of(16);
    check_size(device, name, size)?;
    let label = format!("{label} {name}");
    let descriptor = wgpu::BufferDescriptor {
        label: Some(&label),
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

/// The name and size of a part of a scratch.
pub(crate) type Part = (&'static str, u64);

/// The size of a range that contains all parts of a scratch, suitably aligned.
pub(crate) fn bytes_of_parts(device: &wgpu::Device, parts: &[Part]) -> u64 {
    let alignment = u64::from(device.limits().min_storage_buffer_offset_alignment.max(1));
    parts.iter().fold(0_u64, |end, (_, bytes)| {
        end.checked_next_multiple_of(alignment).unwrap_or(u64::MAX).saturating_add(*bytes)
    })
}

/// Places the parts of a scratch in new buffers, or one after the other in `memory`.
pub(crate) fn place_parts(
    device: &wgpu::Device,
    label: &str,
    parts: &[Part],
    memory: Option<wgpu::BufferBinding<'_>>,
) -> Result<Vec<Range>, Error> {
    let Some(binding) = memory else {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let create = |&(name, bytes): &Part| {
            Ok(Range::whole(name, create(device, label, name, bytes, usage)?))
        };
        return parts.iter().map(create).collect();
    };
    for (name, bytes) in parts {
        check_size(device, name, *bytes)?;
    }
    let alignment = u64::from(device.limits().min_storage_buffer_offset_alignment.max(1));
    let bytes = bytes_of_parts(device, parts);
    let usage = BufferUsages::STORAGE;
    // No kernel binds the whole range, so the limit on binding sizes does not apply.
    let whole = fit(device, &Need { name: "scratch", binding: binding.clone(), bytes: 1, usage })?;
    let rest = binding.buffer.size() - binding.offset;
    let size = binding.size.map_or(rest, wgpu::BufferSize::get);
    if size < bytes {
        return Err(Error::BufferTooSmall { buffer: "scratch", needed: bytes, size });
    }
    let mut offset = binding.offset;
    let place = |&(name, bytes): &Part| {
        let range = Range { name, offset, bytes, buffer: whole.buffer.clone() };
        offset = (offset + bytes).next_multiple_of(alignment);
        range
    };
    Ok(parts.iter().map(place).collect())
}

/// A buffer of uniforms at different offsets, one for each dispatch that reads one.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    buffer: wgpu::Buffer,
    size: u64,
    stride: u64,
    count: usize,
}

impl Levels {
    pub(crate) fn of<T: bytemuck::Pod>(
        device: &wgpu::Device,
        label: &str,
        all: &[T],
    ) -> Result<Self, Error> {
        let size = size_of::<T>();
        let alignment = device.limits().min_uniform_buffer_offset_alignment as usize;
        let stride = size.next_multiple_of(alignment.max(1));
        let mut bytes = vec![0; stride * all.len().max(1)];
        for (slot, one) in bytes.chunks_exact_mut(stride).zip(all) {
            slot[..size].copy_from_slice(bytemuck::bytes_of(one));
        }
        let buffer = uniform(device, label, "levels", &bytes)?;
        Ok(Self { buffer, size: size as u64, stride: stride as u64, count: all.len() })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    /// The range of each uniform. All ranges have the same name.
    pub(crate) fn ranges(&self, name: &'static str) -> impl Iterator<Item = Range> {
        let all = Range::whole(name, self.buffer.clone());
        (0..self.count as u64).map(move |level| all.part(name, level * self.stride, self.size))
    }

    pub(crate) fn binding(&self, level: usize) -> Option<wgpu::BufferBinding<'_>> {
        (level < self.count).then(|| wgpu::BufferBinding {
            buffer: &self.buffer,
            offset: level as u64 * self.stride,
            size: wgpu::BufferSize::new(self.size),
        })
    }
}

/// Divides and rounds up, to at least 1: the first tile runs even if it is empty.
pub(crate) fn ceil_div(items: u32, each: u32) -> u32 {
    items.div_ceil(each).max(1)
}

/// Checks that 32 bits can count to the end of the last workgroup.
pub(crate) fn check_count(what: &'static str, count: u32, variant: &Variant) -> Result<(), Error> {
    let most = u32::MAX - variant.tile().max(16 * variant.workgroup_size());
    if count <= most {
        return Ok(());
    }
    Err(Error::TooMany { what, needed: count.into(), most: most.into() })
}

/// Converts an offset to 32 bits, if the length of the whole region fits.
pub(crate) fn index(what: &'static str, at: u64, len: u64) -> Result<u32, Error> {
    let most = u64::from(u32::MAX);
    if len > most { Err(Error::TooMany { what, needed: len, most }) } else { Ok(at as u32) }
}

/// Implements the scratch methods of an object with `place_scratch`.
macro_rules! scratch_methods {
    ($object:ident -> $scratch:ty, $($capacity:ident: $type:ty),+) => {
        impl $object {
            /// Creates working memory in new buffers.
            ///
            /// # Errors
            /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] if memory runs out.
            pub fn scratch(&self, $($capacity: $type),+) -> Result<$scratch, Error> {
                self.place_scratch($($capacity,)+ None)
            }

            /// Creates working memory in a range provided by the caller, of at least
            /// [`scratch_bytes`](Self::scratch_bytes) and with the usage `STORAGE`.
            ///
            /// # Errors
            /// The errors of [`scratch`](Self::scratch); for an unsuitable range, the errors of
            /// [`Stage::bind`](crate::Stage::bind).
            pub fn scratch_in(
                &self,
                $($capacity: $type,)+
                memory: wgpu::BufferBinding<'_>,
            ) -> Result<$scratch, Error> {
                self.place_scratch($($capacity,)+ Some(memory))
            }
        }
    };
}
pub(crate) use scratch_methods;
