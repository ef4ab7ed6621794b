//! What faults are injected into: anything that makes a job of buffers.

use crate::faults::table::Refusal;
use treebounds::{BinScratch, Job, MatchScratch, Scratch, wgpu};
use treebounds_vello::ClipJob;
use wgpu::BufferUsages;

/// A job that was bound, or why not.
pub(crate) type Bound = Result<AnyJob, Refusal>;

/// A part of the library, built for a device, with a scene and its answer.
pub(crate) trait Subject: Send + Sync {
    /// How many elements its scene has.
    fn elements(&self) -> u32;

    /// The buffers that it binds, in order, for this many elements; outputs with the answer.
    fn slots(&self, room: u32) -> Vec<Slot>;

    /// Working memory for this many elements.
    fn scratch(&self, _room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Own)
    }

    /// A job on buffers of the slots.
    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, room: u32) -> Bound;

    /// Compares what outputs say without being bytes that are known.
    fn compare(&self, _found: &[Vec<u8>]) -> Result<(), String> {
        Ok(())
    }

    /// Whether a second run gives the same answer: it writes nothing that it reads.
    fn repeats(&self) -> bool {
        true
    }

    /// Whether its errors name the buffer that does not fit. If not, the caller binds the buffers.
    fn checks(&self) -> bool {
        true
    }

    /// Whether buffers are bound whole, so that the device sees what is odd about their size.
    fn binds_whole(&self) -> bool {
        !self.checks()
    }

    /// Buffers that no kernel binds.
    fn unbound(&self) -> &'static [&'static str] {
        &[]
    }
}

/// A buffer that a subject binds.
#[derive(Clone)]
pub(crate) struct Slot {
    /// Its name in errors.
    pub(crate) name: &'static str,
    /// The bytes that it needs.
    pub(crate) bytes: u64,
    /// Bytes of an element.
    pub(crate) each: u64,
    /// The usages that it needs.
    pub(crate) usage: BufferUsages,
    /// What it holds before the job. Where that is nothing, poison.
    pub(crate) data: Vec<u8>,
    /// Whether the job writes it.
    pub(crate) is_output: bool,
    /// The first bytes after the job; and where the count was too large, which a status must report.
    pub(crate) answers: [Vec<u8>; 2],
}

impl Slot {
    /// A storage buffer of so many elements that is read.
    pub(crate) fn input<T: bytemuck::NoUninit>(
        name: &'static str,
        count: u64,
        values: &[T],
    ) -> Self {
        let data = bytemuck::cast_slice(values).to_vec();
        Self { data, is_output: false, ..Self::output::<T>(name, count, &[]) }
    }

    /// The uniform with these values.
    pub(crate) fn uniform<T: bytemuck::NoUninit>(name: &'static str, value: &T) -> Self {
        let data = bytemuck::bytes_of(value).to_vec();
        let (bytes, usage) = (data.len() as u64, BufferUsages::UNIFORM);
        Self { name, bytes, each: 4, usage, data, is_output: false, answers: Default::default() }
    }

    /// A storage buffer of so many elements that is written, and what it begins with after the job.
    pub(crate) fn output<T: bytemuck::NoUninit>(
        name: &'static str,
        count: u64,
        answer: &[T],
    ) -> Self {
        let each = size_of::<T>() as u64;
        let (bytes, usage) = (each * count.max(1), BufferUsages::STORAGE);
        let answer = bytemuck::cast_slice(answer).to_vec();
        let answers = [answer.clone(), answer];
        Self { name, bytes, each, usage, data: Vec::new(), is_output: true, answers }
    }

    /// With another answer where the count was too large.
    pub(crate) fn or_clamped<T: bytemuck::NoUninit>(mut self, answer: T) -> Self {
        self.answers[1] = bytemuck::bytes_of(&answer).to_vec();
        self
    }

    /// With bytes up to a whole vector.
    pub(crate) fn in_vectors(self) -> Self {
        Self { bytes: self.bytes.next_multiple_of(16), ..self }
    }

    /// Compares what was read back. `lied` means that the count was too large.
    pub(crate) fn compare(&self, found: &[u8], lied: bool) -> Result<(), String> {
        let (each, answer) = (self.each as usize, &self.answers[usize::from(lied)]);
        let pairs = found.chunks(each).zip(answer.chunks(each));
        match pairs.enumerate().find(|(_, (found, answer))| found != answer) {
            Some((at, pair)) => Err(format!("{}[{at}]: found, not answer: {pair:?}", self.name)),
            None => Ok(()),
        }
    }
}

/// Working memory of any subject.
pub(crate) enum AnyScratch {
    /// For work over a tree.
    Tree(Scratch),
    /// For matching.
    Match(MatchScratch),
    /// For binning.
    Bins(BinScratch),
    /// The job has its own.
    Own,
}

impl AnyScratch {
    /// That of a tree.
    pub(crate) fn tree(&self) -> Result<&Scratch, Refusal> {
        match self {
            Self::Tree(scratch) => Ok(scratch),
            _ => Err(Refusal::wrong("not the scratch of a tree")),
        }
    }
}

/// A job of any subject.
pub(crate) enum AnyJob {
    /// A job of the stage or a part of it.
    Core(Job),
    /// A job of the clip stage for Vello.
    Clips(ClipJob),
}

impl AnyJob {
    /// Records it.
    pub(crate) fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        match self {
            Self::Core(job) => job.record(encoder),
            Self::Clips(job) => job.record(encoder),
        }
    }

    /// Records it into a pass.
    pub(crate) fn record_in_pass(&self, pass: &mut wgpu::ComputePass<'_>) {
        match self {
            Self::Core(job) => job.record_in_pass(pass),
            Self::Clips(job) => job.record_in_pass(pass),
        }
    }
}
