//! Runs a frame of a subject for fault injection: buffers, a scratch, a job, a submission and an answer.

use crate::faults::table::{Outcome, Refusal, right_if};
use std::any::Any;
use treebounds::device::{create_buffer, read};
use treebounds::{Gpu, wgpu};
use treebounds_tests::gpu::whole;
use wgpu::{BufferBinding as Range, BufferUsages, CommandEncoder, ComputePass};

/// The usages that tests add to every buffer, for filling and reading.
pub(crate) const OWN: BufferUsages = BufferUsages::COPY_DST.union(BufferUsages::COPY_SRC);

pub(crate) const READABLE: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

/// The fill byte of outputs before the job.
const POISON: u8 = 0xad;

pub(crate) type Scratch = Box<dyn Any + Send + Sync>;

pub(crate) struct Job {
    pub(crate) record: Box<dyn Fn(&mut CommandEncoder) + Send + Sync>,
    pub(crate) record_in_pass: Box<dyn Fn(&mut ComputePass<'_>) + Send + Sync>,
}

type MakeScratch = dyn Fn(u32, Option<Range<'_>>) -> Result<Scratch, Refusal> + Send + Sync;
type Compare = dyn Fn(&[Vec<u8>]) -> Result<(), String> + Send + Sync;
type Bind = dyn Fn(&[Range<'_>], &Scratch, u32) -> Result<Job, Refusal> + Send + Sync;

/// A part of the library, built for a device, with a scene and the expected answer.
pub(crate) struct Subject {
    pub(crate) elements: u32,
    /// Returns the buffers that it binds, in order, for a number of elements.
    pub(crate) slots: Box<dyn Fn(u32) -> Vec<Slot> + Send + Sync>,
    /// Creates working memory for a number of elements, in new buffers or in a range.
    pub(crate) scratch: Box<MakeScratch>,
    /// Binds ranges for the slots, for a number of elements.
    pub(crate) bind: Box<Bind>,
    /// Compares outputs for which more than one answer is right. Returns a description of the
    /// difference.
    pub(crate) compare: Box<Compare>,
    /// Whether a second run gives the same answer, because it overwrites none of its inputs.
    pub(crate) repeats: bool,
    /// Whether its errors name the invalid buffer. False if the caller binds the buffers.
    pub(crate) checks: bool,
    /// Whether it binds whole buffers, so that the device sees their sizes.
    pub(crate) binds_whole: bool,
    /// A buffer that no kernel binds.
    pub(crate) unbound: &'static str,
}

impl Subject {
    pub(crate) fn has_scratch<S: Any>(&self) -> bool {
        (self.scratch)(self.elements, None).is_ok_and(|scratch| (*scratch).is::<S>())
    }
}

#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) usage: BufferUsages,
    /// The content before the job; poison if empty.
    pub(crate) data: Vec<u8>,
    pub(crate) is_output: bool,
    /// The expected first bytes after the job: for the right count, and for an excessive count, which
    /// the status must report.
    pub(crate) answers: [Vec<u8>; 2],
}

impl Slot {
    /// Creates a storage buffer of `count` elements that the job writes. `answer` contains its first
    /// elements after the job.
    pub(crate) fn output<T: bytemuck::NoUninit>(count: impl Into<u64>, answer: &[T]) -> Self {
        let (each, usage) = (size_of::<T>() as u64, BufferUsages::STORAGE);
        let bytes = each * count.into().max(1);
        let answers =
            [bytemuck::cast_slice(answer).to_vec(), bytemuck::cast_slice(answer).to_vec()];
        Self { name: "", bytes, usage, data: Vec::new(), is_output: true, answers }
    }

    /// Creates a storage buffer of `count` elements that the job reads.
    pub(crate) fn input<T: bytemuck::NoUninit>(count: impl Into<u64>, values: &[T]) -> Self {
        let data = bytemuck::cast_slice(values).to_vec();
        Self { data, is_output: false, ..Self::output::<T>(count, &[]) }
    }

    pub(crate) fn uniform<T: bytemuck::NoUninit>(value: &T) -> Self {
        Self { usage: BufferUsages::UNIFORM, ..Self::input(1_u32, &[*value]) }
    }

    pub(crate) fn named(self, name: &'static str) -> Self {
        if self.name.is_empty() { Self { name, ..self } } else { self }
    }

    pub(crate) fn in_vectors(self) -> Self {
        Self { bytes: self.bytes.next_multiple_of(16), ..self }
    }

    /// Returns the content before the job, in whole words.
    pub(crate) fn before(&self) -> Vec<u8> {
        let poison = vec![POISON; (self.bytes / 4 * 4) as usize];
        if self.data.is_empty() { poison } else { self.data.clone() }
    }

    /// Compares the content after the job. `lied` means that the count was too large.
    pub(crate) fn compare(&self, found: &[u8], lied: bool) -> Outcome {
        let answer = &self.answers[usize::from(lied)];
        let mut words = found.chunks(4).zip(answer.chunks(4)).enumerate();
        let wrong = words.find(|(_, (found, answer))| found != answer);
        right_if(wrong.is_none(), &format!("{}: found, not answer: {wrong:?}", self.name))
    }
}

/// Creates a buffer of any size and usage, without checks.
pub(crate) fn buffer(device: &wgpu::Device, size: u64, usage: BufferUsages) -> wgpu::Buffer {
    let label = Some("fault");
    device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

pub(crate) fn valid_buffer(gpu: &Gpu, slot: &Slot) -> Result<wgpu::Buffer, Refusal> {
    let buffer = create_buffer(&gpu.device, "fault", slot.name, slot.bytes, slot.usage | OWN)?;
    // On a lost device, a new buffer is invalid, and so are writes to it.
    drop(scoped(gpu, || gpu.queue.write_buffer(&buffer, 0, &slot.before())));
    Ok(buffer)
}

/// Uses a device and returns errors of wgpu.
pub(crate) fn scoped<T>(gpu: &Gpu, work: impl FnOnce() -> T) -> Result<T, Refusal> {
    treebounds::device::scoped(&gpu.device, work).map_err(Refusal::wgpu)
}

pub(crate) fn submit(gpu: &Gpu, record: impl FnOnce(&mut CommandEncoder)) -> Outcome {
    scoped(gpu, || {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Buffers,
    Scratch,
    Bind,
    Record,
    Finish,
    Submit,
    Read,
}

pub(crate) struct Bench<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) subject: &'a Subject,
    pub(crate) room: u32,
    pub(crate) slots: Vec<Slot>,
    pub(crate) buffers: Vec<wgpu::Buffer>,
    pub(crate) lied: bool,
}

impl<'a> Bench<'a> {
    /// Creates a bench with valid buffers, for the subject's number of elements.
    pub(crate) fn new(gpu: &'a Gpu, subject: &'a Subject) -> Result<Self, Refusal> {
        Self::with(gpu, subject, subject.elements)
    }

    pub(crate) fn with(gpu: &'a Gpu, subject: &'a Subject, room: u32) -> Result<Self, Refusal> {
        let slots = (subject.slots)(room);
        let buffers = slots.iter().map(|slot| valid_buffer(gpu, slot)).collect::<Result<_, _>>()?;
        Ok(Self { gpu, subject, room, slots, buffers, lied: false })
    }

    /// Creates a job with its own scratch.
    pub(crate) fn bind(&self) -> Result<Job, Refusal> {
        self.bind_with(&self.scratch()?)
    }

    pub(crate) fn bind_with(&self, scratch: &Scratch) -> Result<Job, Refusal> {
        let ranges: Vec<_> = self.buffers.iter().map(whole).collect();
        (self.subject.bind)(&ranges, scratch, self.room)
    }

    pub(crate) fn scratch(&self) -> Result<Scratch, Refusal> {
        (self.subject.scratch)(self.room, None)
    }

    /// Creates the scratch, binds and runs a job, and checks its answer. Calls `before` before each
    /// step.
    pub(crate) fn frame(&mut self, mut before: impl FnMut(Step, &mut Self)) -> Outcome {
        before(Step::Scratch, self);
        let scratch = self.scratch()?;
        before(Step::Bind, self);
        let job = self.bind_with(&scratch)?;
        self.run(&job, before)
    }

    /// Runs a job and checks its answer. Calls `before` before each step.
    pub(crate) fn run(&mut self, job: &Job, mut before: impl FnMut(Step, &mut Self)) -> Outcome {
        before(Step::Record, self);
        let gpu = self.gpu;
        scoped(gpu, || {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            (job.record)(&mut encoder);
            before(Step::Finish, self);
            let commands = encoder.finish();
            before(Step::Submit, self);
            gpu.queue.submit([commands]);
        })?;
        before(Step::Read, self);
        self.check()
    }

    /// Checks the outputs against the reference's answer.
    pub(crate) fn check(&self) -> Outcome {
        let found = self.outputs(|_| true)?;
        found.iter().try_for_each(|(slot, found)| slot.compare(found, self.lied))?;
        let found: Vec<_> = found.into_iter().map(|(_, found)| found).collect();
        (self.subject.compare)(&found).map_err(Refusal::wrong)
    }

    /// Checks that the selected outputs are unwritten, because a rejected job must not run.
    pub(crate) fn check_untouched(&self, passes: impl Fn(usize) -> bool) -> Outcome {
        self.outputs(passes)?.into_iter().try_for_each(|(slot, found)| {
            let mut before = slot.before();
            before.resize(found.len(), 0);
            right_if(found == before, &format!("{} was written", slot.name))
        })
    }

    /// Returns the selected outputs with their contents in whole words.
    fn outputs(&self, passes: impl Fn(usize) -> bool) -> Result<Vec<(&Slot, Vec<u8>)>, Refusal> {
        let passes = |(at, slot): &(usize, &Slot)| slot.is_output && passes(*at);
        let chosen: Vec<_> = self.slots.iter().enumerate().filter(passes).collect();
        let words = |slot: &Slot| slot.bytes / 4 * 4;
        let total = chosen.iter().map(|(_, slot)| words(slot)).sum();
        if total == 0 {
            return Ok(Vec::new());
        }
        let download = create_buffer(&self.gpu.device, "fault", "answer", total, READABLE)?;
        submit(self.gpu, |encoder| {
            let mut end = 0;
            for (at, slot) in &chosen {
                encoder.copy_buffer_to_buffer(&self.buffers[*at], 0, &download, end, words(slot));
                end += words(slot);
            }
        })?;
        let all: Vec<u8> = read(&self.gpu.device, &download)?;
        let mut rest = &all[..];
        let mut part = |bytes| rest.split_off(..bytes as usize).unwrap_or_default().to_vec();
        Ok(chosen.into_iter().map(|(_, slot)| (slot, part(words(slot)))).collect())
    }
}

pub(crate) fn run(gpu: &Gpu, subject: &Subject) -> Outcome {
    Bench::new(gpu, subject)?.frame(|_, _| {})
}
