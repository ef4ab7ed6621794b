//! The subjects of fault injection: anything that makes a job of buffers.

use crate::faults::table::Refusal;
use treebounds::{BinScratch, Job, MatchScratch, Scratch, wgpu};
use treebounds_vello::ClipJob;
use wgpu::{BufferBinding as Range, BufferUsages};

/// A job that was bound, or why not.
pub(crate) type Bound = Result<AnyJob, Refusal>;

/// Makes working memory for this many elements, in new buffers or in a range.
pub(crate) type MakeScratch =
    dyn Fn(u32, Option<Range<'_>>) -> Result<AnyScratch, Refusal> + Send + Sync;

/// Binds ranges for the slots, for this many elements.
type Bind = dyn Fn(&[Range<'_>], &AnyScratch, u32) -> Bound + Send + Sync;

/// Compares outputs whose bytes are not known, or says what differs.
type Compare = dyn Fn(&[Vec<u8>]) -> Result<(), String> + Send + Sync;

/// A part of the library, built for a device, with a scene and its answer.
pub(crate) struct Subject {
    /// How many elements its scene has.
    pub(crate) elements: u32,
    /// The buffers that it binds, in order, for this many elements; outputs with the answer.
    pub(crate) slots: Box<dyn Fn(u32) -> Vec<Slot> + Send + Sync>,
    pub(crate) scratch: Box<MakeScratch>,
    pub(crate) bind: Box<Bind>,
    pub(crate) compare: Box<Compare>,
    /// Whether a second run gives the same answer: it writes nothing that it reads.
    pub(crate) repeats: bool,
    /// Whether its errors name the buffer that does not fit. If not, the caller binds the buffers.
    pub(crate) checks: bool,
    /// Whether buffers are bound whole, so that the device sees what is odd about their size.
    pub(crate) binds_whole: bool,
    /// A buffer that no kernel binds.
    pub(crate) unbound: &'static str,
}

impl Subject {
    /// One that has its own scratch, and whose slots know their answers.
    pub(crate) fn new(
        elements: u32,
        slots: impl Fn(u32) -> Vec<Slot> + Send + Sync + 'static,
        bind: impl Fn(&[Range<'_>], &AnyScratch, u32) -> Bound + Send + Sync + 'static,
    ) -> Self {
        Self {
            elements,
            slots: Box::new(slots),
            scratch: Box::new(|_, _| Ok(AnyScratch::Own)),
            bind: Box::new(bind),
            compare: Box::new(|_| Ok(())),
            repeats: true,
            checks: true,
            binds_whole: false,
            unbound: "",
        }
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
