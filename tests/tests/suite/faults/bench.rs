//! Runs a subject: buffers, a job, a submission, an answer.

use crate::faults::subject::{AnyJob, AnyScratch, Bound, Slot, Subject};
use crate::faults::table::{Ending, Refusal};
use treebounds::device::{create_buffer, scoped};
use treebounds::{Gpu, wgpu};
use treebounds_tests::gpu::whole;
use wgpu::BufferUsages;

/// The usages that tests add to every buffer, to fill and to read it.
pub(crate) const OWN: BufferUsages = BufferUsages::COPY_DST.union(BufferUsages::COPY_SRC);

/// The usages of a buffer that is read.
pub(crate) const READABLE: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

/// What an output holds before the job.
pub(crate) const POISON: u8 = 0xad;

/// A buffer of any size and usage, without checks.
pub(crate) fn buffer(device: &wgpu::Device, size: u64, usage: BufferUsages) -> wgpu::Buffer {
    let label = Some("fault");
    let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false };
    device.create_buffer(&descriptor)
}

/// A new encoder.
pub(crate) fn encoder(gpu: &Gpu) -> wgpu::CommandEncoder {
    gpu.device.create_command_encoder(&Default::default())
}

/// Submits what a closure makes; an error of wgpu comes back.
pub(crate) fn submit(gpu: &Gpu, commands: impl FnOnce() -> wgpu::CommandBuffer) -> Ending {
    let submitted = scoped(&gpu.device, || gpu.queue.submit([commands()]));
    submitted.map(|_| ()).map_err(Refusal::wgpu)
}

/// Records jobs and submits them.
pub(crate) fn submit_jobs(gpu: &Gpu, jobs: &[&AnyJob]) -> Ending {
    submit(gpu, || {
        let mut encoder = encoder(gpu);
        jobs.iter().for_each(|job| job.record(&mut encoder));
        encoder.finish()
    })
}

/// Right, or an answer that is not the reference's.
pub(crate) fn right_if(is_right: bool) -> Ending {
    if is_right { Ok(()) } else { Err(Refusal::wrong("not the reference's answer")) }
}

/// The buffer of a slot, as it should be.
pub(crate) fn good(gpu: &Gpu, slot: &Slot) -> Result<wgpu::Buffer, Refusal> {
    let buffer = create_buffer(&gpu.device, "fault", slot.name, slot.bytes, slot.usage | OWN)?;
    fill(gpu, slot, &buffer);
    Ok(buffer)
}

/// Writes what a slot holds before the job, or poison.
fn fill(gpu: &Gpu, slot: &Slot, buffer: &wgpu::Buffer) {
    let mut data = slot.data.clone();
    if data.is_empty() {
        data = vec![POISON; (slot.bytes.min(buffer.size()) / 4 * 4) as usize];
    }
    // On a lost device a new buffer is in error, and so is what is written to it.
    drop(scoped(&gpu.device, || gpu.queue.write_buffer(buffer, 0, &data)));
}

/// A subject with buffers.
pub(crate) struct Bench<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) subject: &'a Subject,
    pub(crate) room: u32,
    pub(crate) slots: Vec<Slot>,
    pub(crate) buffers: Vec<wgpu::Buffer>,
}

impl<'a> Bench<'a> {
    /// With buffers as they should be, for as many elements as there are.
    pub(crate) fn new(gpu: &'a Gpu, subject: &'a Subject) -> Result<Self, Refusal> {
        Self::with(gpu, subject, subject.elements)
    }

    /// With room for this many elements.
    pub(crate) fn with(gpu: &'a Gpu, subject: &'a Subject, room: u32) -> Result<Self, Refusal> {
        let slots = (subject.slots)(room);
        let buffers = slots.iter().map(|slot| good(gpu, slot)).collect::<Result<_, _>>()?;
        Ok(Self { gpu, subject, room, slots, buffers })
    }

    /// A job with a scratch of its own.
    pub(crate) fn bind(&self) -> Bound {
        self.bind_with(&self.scratch()?)
    }

    pub(crate) fn bind_with(&self, scratch: &AnyScratch) -> Bound {
        let ranges: Vec<_> = self.buffers.iter().map(whole).collect();
        (self.subject.bind)(&ranges, scratch, self.room)
    }

    pub(crate) fn scratch(&self) -> Result<AnyScratch, Refusal> {
        (self.subject.scratch)(self.room, None)
    }

    /// Submits a job and compares its answer.
    pub(crate) fn finish(&self, job: &AnyJob) -> Ending {
        submit_jobs(self.gpu, &[job])?;
        self.check(false)
    }

    /// Checks that the buffers hold the reference's answer. `lied` means that the count was too large.
    pub(crate) fn check(&self, lied: bool) -> Ending {
        let found = read(self.gpu, &self.slots, &self.buffers)?;
        let outputs = self.slots.iter().filter(|slot| slot.is_output);
        let same = outputs.zip(&found).try_for_each(|(slot, found)| slot.compare(found, lied));
        same.and_then(|()| (self.subject.compare)(&found)).map_err(Refusal::wrong)
    }

    /// Fills the buffers again.
    pub(crate) fn refill(&self) {
        self.slots
            .iter()
            .zip(&self.buffers)
            .for_each(|(slot, buffer)| fill(self.gpu, slot, buffer));
    }

    /// Checks that none of the outputs whose numbers pass was written: nothing of a refused job has run.
    pub(crate) fn untouched(&self, passes: impl Fn(usize) -> bool) -> Ending {
        let parts = self.slots.iter().cloned().zip(self.buffers.iter().cloned()).enumerate();
        let parts = parts.filter(|(index, (slot, _))| slot.is_output && passes(*index));
        let (slots, buffers): (Vec<_>, Vec<_>) = parts.map(|(_, pair)| pair).unzip();
        if slots.is_empty() {
            return Ok(());
        }
        for (slot, found) in slots.iter().zip(read(self.gpu, &slots, &buffers)?) {
            let poison = if slot.data.is_empty() { POISON } else { 0 };
            let before = slot.data.iter().copied().chain(std::iter::repeat(poison));
            if !found.into_iter().zip(before).all(|(found, before)| found == before) {
                return Err(Refusal::wrong(format!("{} was written", slot.name)));
            }
        }
        Ok(())
    }
}

/// Makes everything that a subject needs, and runs it.
pub(crate) fn run(gpu: &Gpu, subject: &Subject) -> Ending {
    let bench = Bench::new(gpu, subject)?;
    bench.finish(&bench.bind()?)
}

/// What the buffers of all outputs hold.
fn read(gpu: &Gpu, slots: &[Slot], buffers: &[wgpu::Buffer]) -> Result<Vec<Vec<u8>>, Refusal> {
    let parts: Vec<_> = slots.iter().zip(buffers).filter(|(slot, _)| slot.is_output).collect();
    let size = |slot: &Slot| slot.bytes / 4 * 4;
    let total = parts.iter().map(|(slot, _)| size(slot)).sum();
    let download = create_buffer(&gpu.device, "fault", "answer", total, READABLE)?;
    submit(gpu, || {
        let mut encoder = encoder(gpu);
        let mut at = 0;
        for (slot, buffer) in &parts {
            encoder.copy_buffer_to_buffer(buffer, 0, &download, at, size(slot));
            at += size(slot);
        }
        encoder.finish()
    })?;
    let all: Vec<u8> = treebounds::device::read(&gpu.device, &download)?;
    let mut rest = &all[..];
    let part = |(slot, _): &(&Slot, _)| {
        let (own, others) = rest.split_at(size(slot) as usize);
        rest = others;
        own.to_vec()
    };
    Ok(parts.iter().map(part).collect())
}
