//! Code shared by the examples next to this folder: products along paths and over subtrees, and bracket matching, on a GPU
//! or on the CPU.
//!
//! Each GPU call uploads its input and reads the result back. A renderer would use its own buffers and keep the objects that
//! are built here on each call.

use anyhow::{Context, ensure};
use std::fmt;
use treebounds::wgpu::{Buffer, BufferDescriptor, BufferUsages};
use treebounds::{
    BracketBindings, BracketMatcher, FixBindings, FixDescriptor, Gpu, Job, LeafFix, Params, RootFix,
};
pub use treebounds_cli::Choice;
use treebounds_cli::{Failure, Opened, backend};
use treebounds_core::{Bracket, BracketRole, Monoid, Segment, Tag, reference};

/// A monoid with a WGSL implementation that has the same memory layout.
pub trait WgslMonoid: Monoid + bytemuck::Pod {
    /// The text for [`treebounds::WgslMonoid::wgsl`].
    const WGSL: &str;
}

/// The GPU, or the CPU with the reason.
pub struct Backend {
    gpu: Option<Gpu>,
    name: String,
}

impl Backend {
    /// Opens the chosen backend.
    ///
    /// # Errors
    /// Fails if a GPU was chosen and none works.
    pub fn open(choice: Choice) -> Result<Self, Failure> {
        Ok(match choice.open().map_err(Failure::no_gpu)? {
            Opened::Gpu(gpu) => Self { name: backend::name(&gpu.adapter), gpu: Some(*gpu) },
            Opened::Cpu(None) => Self { name: "CPU".into(), gpu: None },
            Opened::Cpu(Some(why)) => Self { name: format!("CPU, because {why}"), gpu: None },
        })
    }

    /// Returns the product along the path to each element.
    ///
    /// # Errors
    /// Fails if the GPU cannot hold that many elements, or if it fails.
    pub fn root_fix<M: WgslMonoid>(&self, tags: &[Tag], values: &[M]) -> anyhow::Result<Vec<M>> {
        match &self.gpu {
            None => Ok(reference::root_fix(tags, values)),
            Some(gpu) => products(gpu, Direction::Down, tags, values),
        }
    }

    /// Returns the product over the subtree of each element.
    ///
    /// # Errors
    /// Fails like [`Self::root_fix`].
    pub fn leaf_fix<M: WgslMonoid>(&self, tags: &[Tag], values: &[M]) -> anyhow::Result<Vec<M>> {
        match &self.gpu {
            None => Ok(reference::leaf_fix(tags, values)),
            Some(gpu) => products(gpu, Direction::Up, tags, values),
        }
    }

    /// Matches brackets and returns their partners and segments.
    ///
    /// # Errors
    /// Fails like [`Self::root_fix`].
    pub fn brackets(&self, words: &[Bracket]) -> anyhow::Result<Matched> {
        match &self.gpu {
            None => {
                let reference::Brackets { partners, segments, .. } = reference::brackets(words);
                Ok(Matched { partners, segments })
            }
            Some(gpu) => match_brackets(gpu, words),
        }
    }
}

/// The result of matching brackets.
pub struct Matched {
    /// The partner of each bracket.
    pub partners: Vec<u32>,
    /// The segments, each with its first error of each kind.
    pub segments: Vec<Segment>,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[derive(Clone, Copy, Debug)]
enum Direction {
    /// Products along paths, from the root down: [`RootFix`].
    Down,
    /// Products over subtrees, from the leaves up: [`LeafFix`].
    Up,
}

/// Computes one product per element. `tags` and `values` must have the same length.
fn products<M: WgslMonoid>(
    gpu: &Gpu,
    direction: Direction,
    tags: &[Tag],
    values: &[M],
) -> anyhow::Result<Vec<M>> {
    let elements = u32::try_from(tags.len()).context("more than 4294967295 elements")?;
    let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    let output = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let bytes = size_of_val(values);
    let buffers = Buffers {
        params: create(gpu, size_of::<Params>(), BufferUsages::UNIFORM | BufferUsages::COPY_DST)?,
        tags: create(gpu, size_of_val(tags), input)?,
        inputs: create(gpu, bytes, input)?,
        outputs: create(gpu, bytes, output)?,
    };
    let job = buffers.bind::<M>(gpu, direction, elements)?;
    let params = Params { elements, ..Params::default() };
    gpu.queue.write_buffer(&buffers.params, 0, bytemuck::bytes_of(&params));
    gpu.queue.write_buffer(&buffers.tags, 0, bytemuck::cast_slice(tags));
    gpu.queue.write_buffer(&buffers.inputs, 0, bytemuck::cast_slice(values));
    let [mut products] = run(gpu, &job, [&buffers.outputs])?;
    products.truncate(bytes);
    Ok(bytemuck::pod_collect_to_vec(&products))
}

fn run<const N: usize>(
    gpu: &Gpu,
    job: &Job,
    outputs: [&Buffer; N],
) -> anyhow::Result<[Vec<u8>; N]> {
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    job.record(&mut encoder);
    let mut downloads = Vec::with_capacity(N);
    for output in outputs {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let download = create(gpu, output.size() as usize, usage)?;
        encoder.copy_buffer_to_buffer(output, 0, &download, 0, output.size());
        downloads.push(download);
    }
    gpu.queue.submit([encoder.finish()]);
    let mut contents = [const { Vec::new() }; N];
    for (content, download) in contents.iter_mut().zip(&downloads) {
        *content = treebounds::device::read(&gpu.device, download)?;
    }
    Ok(contents)
}

fn match_brackets(gpu: &Gpu, words: &[Bracket]) -> anyhow::Result<Matched> {
    let elements = u32::try_from(words.len()).context("more than 4294967295 brackets")?;
    let resets = words.iter().filter(|word| word.role() == BracketRole::Reset).count();
    let (bytes, segment_bytes) = (size_of_val(words), size_of::<Segment>() * (resets + 1));
    let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
    let output = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let params = create(gpu, size_of::<Params>(), BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
    let tags = create(gpu, bytes, input)?;
    let [links, partners, depths] =
        [create(gpu, bytes, output)?, create(gpu, bytes, output)?, create(gpu, bytes, output)?];
    let segments = create(gpu, segment_bytes, output)?;
    let matcher = BracketMatcher::new(&gpu.device, &Default::default())?;
    let buffers = BracketBindings {
        params: params.as_entire_buffer_binding(),
        input: tags.as_entire_buffer_binding(),
        links: links.as_entire_buffer_binding(),
        partners: partners.as_entire_buffer_binding(),
        depths: depths.as_entire_buffer_binding(),
        segments: segments.as_entire_buffer_binding(),
    };
    let job = matcher.bind(&buffers, &matcher.scratch(elements, resets as u32 + 1)?)?;
    let count = Params { elements, ..Params::default() };
    gpu.queue.write_buffer(&params, 0, bytemuck::bytes_of(&count));
    gpu.queue.write_buffer(&tags, 0, bytemuck::cast_slice(words));
    let [partners, segments] = run(gpu, &job, [&partners, &segments])?;
    Ok(Matched {
        partners: bytemuck::pod_collect_to_vec(&partners[..bytes]),
        segments: bytemuck::pod_collect_to_vec(&segments[..segment_bytes]),
    })
}

struct Buffers {
    params: Buffer,
    tags: Buffer,
    inputs: Buffer,
    outputs: Buffer,
}

impl Buffers {
    fn bind<M: WgslMonoid>(
        &self,
        gpu: &Gpu,
        direction: Direction,
        elements: u32,
    ) -> Result<Job, treebounds::Error> {
        let size = size_of::<M>() as u32;
        let monoid = treebounds::WgslMonoid {
            wgsl: M::WGSL,
            input_bytes: size,
            product_bytes: size,
            output_bytes: size,
        };
        let (device, options) = (&gpu.device, FixDescriptor::default());
        let buffers = FixBindings {
            params: self.params.as_entire_buffer_binding(),
            tags: self.tags.as_entire_buffer_binding(),
            inputs: self.inputs.as_entire_buffer_binding(),
            outputs: self.outputs.as_entire_buffer_binding(),
        };
        match direction {
            Direction::Down => {
                let fix = RootFix::new(device, &monoid, &options)?;
                fix.bind(&buffers, &fix.scratch(elements)?)
            }
            Direction::Up => {
                let fix = LeafFix::new(device, &monoid, &options)?;
                fix.bind(&buffers, &fix.scratch(elements)?)
            }
        }
    }
}

/// Creates a buffer of at least this many bytes, rounded up to a multiple of 16.
fn create(gpu: &Gpu, bytes: usize, usage: BufferUsages) -> anyhow::Result<Buffer> {
    let size = (bytes as u64).next_multiple_of(16).max(16);
    let limits = gpu.device.limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
    ensure!(
        size <= most,
        "{size} bytes are more than a buffer of this GPU holds: {most}; use the CPU"
    );
    Ok(gpu.device.create_buffer(&BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    }))
}
