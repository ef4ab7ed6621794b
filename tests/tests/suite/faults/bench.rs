//! Runs a subject: buffers, a job, a submission, an answer.

use crate::faults::subject::{AnyJob, Slot, Subject};
use crate::faults::table::{Ending, Refusal};
use treebounds::device::{create_buffer, scoped};
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// The usages that tests add to every buffer, to fill and to read it.
pub(crate) const OWN: BufferUsages = BufferUsages::COPY_DST.union(BufferUsages::COPY_SRC);

const POISON: u8 = 0xad;

/// A buffer of any size and usage, without checks.
pub(crate) fn buffer(device: &wgpu::Device, size: u64, usage: BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("fault"),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// The buffer of a slot, as it should be.
pub(crate) fn good(gpu: &Gpu, slot: &Slot) -> Result<wgpu::Buffer, Refusal> {
    let buffer = create_buffer(&gpu.device, "fault", slot.name, slot.bytes, slot.usage | OWN)?;
    fill(gpu, slot, &buffer);
    Ok(buffer)
}

/// Buffers for all slots, as they should be.
pub(crate) fn buffers(gpu: &Gpu, slots: &[Slot]) -> Result<Vec<wgpu::Buffer>, Refusal> {
    slots.iter().map(|slot| good(gpu, slot)).collect()
}

/// Writes what a slot holds before the job, or poison.
pub(crate) fn fill(gpu: &Gpu, slot: &Slot, buffer: &wgpu::Buffer) {
    let mut data = slot.data.clone();
    if data.is_empty() {
        data = vec![POISON; (slot.bytes.min(buffer.size()) / 4 * 4) as usize];
    }
    // On a lost device a new buffer is in error, and so is what is written to it.
    drop(scoped(&gpu.device, || gpu.queue.write_buffer(buffer, 0, &data)));
}

/// Records jobs and submits them; an error of wgpu comes back.
pub(crate) fn submit(gpu: &Gpu, jobs: &[&AnyJob]) -> Ending {
    scoped(&gpu.device, || {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        jobs.iter().for_each(|job| job.record(&mut encoder));
        gpu.queue.submit([encoder.finish()]);
    })
    .map_err(Refusal::wgpu)
}

/// What the buffers of all outputs hold.
pub(crate) fn read(
    gpu: &Gpu,
    slots: &[Slot],
    buffers: &[wgpu::Buffer],
) -> Result<Vec<Vec<u8>>, Refusal> {
    let parts: Vec<_> = slots.iter().zip(buffers).filter(|(slot, _)| slot.is_output).collect();
    let size = |slot: &Slot| slot.bytes / 4 * 4;
    let total = parts.iter().map(|(slot, _)| size(slot)).sum();
    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
    let download = create_buffer(&gpu.device, "fault", "answer", total, usage)?;
    scoped(&gpu.device, || {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let mut at = 0;
        for (slot, buffer) in &parts {
            encoder.copy_buffer_to_buffer(buffer, 0, &download, at, size(slot));
            at += size(slot);
        }
        gpu.queue.submit([encoder.finish()]);
    })
    .map_err(Refusal::wgpu)?;
    let all: Vec<u8> = treebounds::device::read(&gpu.device, &download)?;
    let mut rest = &all[..];
    let part = |(slot, _): &(&Slot, _)| {
        let (own, others) = rest.split_at(size(slot) as usize);
        rest = others;
        own.to_vec()
    };
    Ok(parts.iter().map(part).collect())
}

/// Checks that the buffers hold the reference's answer.
pub(crate) fn check(
    gpu: &Gpu,
    subject: &dyn Subject,
    slots: &[Slot],
    buffers: &[wgpu::Buffer],
    lied: bool,
) -> Ending {
    let found = read(gpu, slots, buffers)?;
    subject.compare(&found, lied).map_err(Refusal::wrong)
}

/// Makes everything that a subject needs, with room for this many elements, and runs it.
pub(crate) fn run(gpu: &Gpu, subject: &dyn Subject, room: u32) -> Ending {
    let slots = subject.slots(room);
    let buffers = buffers(gpu, &slots)?;
    run_on(gpu, subject, &slots, &buffers, room)
}

/// The same on buffers of the caller.
pub(crate) fn run_on(
    gpu: &Gpu,
    subject: &dyn Subject,
    slots: &[Slot],
    buffers: &[wgpu::Buffer],
    room: u32,
) -> Ending {
    let scratch = subject.scratch(room)?;
    let job = subject.bind(buffers, &scratch, room)?;
    submit(gpu, &[&job])?;
    check(gpu, subject, slots, buffers, false)
}

/// Checks that no output was written: nothing of a refused job has run.
pub(crate) fn untouched(gpu: &Gpu, slots: &[Slot], buffers: &[wgpu::Buffer]) -> Ending {
    let outputs = slots.iter().filter(|slot| slot.is_output);
    for (slot, found) in outputs.zip(read(gpu, slots, buffers)?) {
        let before = |at: usize| slot.data.get(at).copied();
        let poison = if slot.data.is_empty() { POISON } else { 0 };
        let is_same = |(at, byte): (usize, &u8)| *byte == before(at).unwrap_or(poison);
        if !found.iter().enumerate().all(is_same) {
            return Err(Refusal::wrong(format!("{} was written", slot.name)));
        }
    }
    Ok(())
}
