//! Ranges of arenas; scratch that two jobs share, of another device, of another subject; and devices that take each other's jobs.

use crate::faults::bench::{self, Bench, OWN, POISON, buffer, encoder, submit, submit_jobs};
use crate::faults::lab::Lab;
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject};
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::device::scoped;
use treebounds::{Gpu, wgpu};
use wgpu::{BufferBinding, BufferSize, BufferUsages};

/// How two jobs of one scratch follow each other: each in a pass of its own, in one pass, in two command buffers of a
/// submission, or in two submissions without a wait between them.
const ORDERS: [&str; 4] = ["one_encoder", "one_pass", "one_submission", "two_submissions"];

/// Subject x order, and scratch that is not its own; then subject x mistake with devices.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, own, other) in &lab.subjects {
        for order in ORDERS {
            let case = format!("{name}/scratch/shared_in_{order}");
            table.case(&case, Expect::Right, || shared(&lab.gpu, own, order));
        }
        table.case(&format!("{name}/buffers/ranges_of_arenas"), Expect::Right, || {
            in_arenas(&lab.gpu, own)
        });
        if own.repeats {
            table.case(&format!("{name}/job/recorded_twice"), Expect::Right, || {
                let bench = Bench::new(&lab.gpu, own)?;
                let job = bench.bind()?;
                submit_jobs(&lab.gpu, &[&job, &job])?;
                bench.check(false)
            });
        }
        if !matches!((own.scratch)(own.elements, None), Ok(AnyScratch::Own)) {
            let case = format!("{name}/scratch/of_another_device");
            table.case(&case, Expect::Refused(&["Device"], ""), || {
                let bench = Bench::new(&lab.gpu, own)?;
                bench.finish(&bench.bind_with(&(other.scratch)(bench.room, None)?)?)
            });
        }
        devices(lab, table, name, [own, other]);
    }
    foreign(lab, table);
}

/// Two jobs with buffers of their own on one scratch.
fn shared(gpu: &Gpu, subject: &Subject, order: &str) -> Ending {
    let benches = [Bench::new(gpu, subject)?, Bench::new(gpu, subject)?];
    let scratch = benches[0].scratch()?;
    let jobs = [benches[0].bind_with(&scratch)?, benches[1].bind_with(&scratch)?];
    let recorded = |job: &AnyJob| {
        let mut encoder = encoder(gpu);
        job.record(&mut encoder);
        encoder.finish()
    };
    scoped(&gpu.device, || match order {
        "one_encoder" => {
            let mut encoder = encoder(gpu);
            jobs.iter().for_each(|job| job.record(&mut encoder));
            gpu.queue.submit([encoder.finish()]);
        }
        "one_pass" => {
            let mut encoder = encoder(gpu);
            let mut pass = encoder.begin_compute_pass(&Default::default());
            jobs.iter().for_each(|job| job.record_in_pass(&mut pass));
            drop(pass);
            gpu.queue.submit([encoder.finish()]);
        }
        "one_submission" => {
            gpu.queue.submit(jobs.each_ref().map(recorded));
        }
        _ => jobs.iter().for_each(|job| {
            gpu.queue.submit([recorded(job)]);
        }),
    })
    .map_err(Refusal::wgpu)?;
    benches.iter().try_for_each(|bench| bench.check(false))
}

/// Every buffer is a range of one for its usage, as in a renderer with arenas: uniforms, what is read, what is written with
/// the scratch, and what is written before it is a uniform.
fn in_arenas(gpu: &Gpu, subject: &Subject) -> Ending {
    let (uniform, storage) = (BufferUsages::UNIFORM, BufferUsages::STORAGE);
    let usages = [uniform, storage, storage, storage | uniform];
    let arenas = usages.map(|usage| buffer(&gpu.device, 4 << 20, usage | OWN));
    let mut used = [4; 4];
    let mut take = |arena: usize, bytes: u64| {
        let offset = u64::next_multiple_of(used[arena], 256);
        used[arena] = offset + bytes + 4;
        BufferBinding { buffer: &arenas[arena], offset, size: BufferSize::new(bytes) }
    };
    let bench = Bench::new(gpu, subject)?;
    let range = |slot: &Slot| {
        let arena = match (slot.usage.contains(uniform), slot.is_output) {
            (true, false) => 0,
            (false, false) => 1,
            (false, true) => 2,
            (true, true) => 3,
        };
        let range = take(arena, slot.bytes);
        let poison = vec![POISON; slot.bytes as usize];
        let data = if slot.data.is_empty() { &poison } else { &slot.data };
        gpu.queue.write_buffer(range.buffer, range.offset, data);
        range
    };
    let ranges: Vec<_> = bench.slots.iter().map(range).collect();
    let scratch = (subject.scratch)(bench.room, Some(take(2, 1 << 20)))?;
    let job = (subject.bind)(&ranges, &scratch, bench.room)?;
    submit(gpu, || {
        let mut encoder = encoder(gpu);
        job.record(&mut encoder);
        let outputs = bench.slots.iter().zip(&ranges).zip(&bench.buffers);
        for ((slot, range), whole) in outputs.filter(|((slot, _), _)| slot.is_output) {
            let bytes = slot.bytes / 4 * 4;
            encoder.copy_buffer_to_buffer(range.buffer, range.offset, whole, 0, bytes);
        }
        encoder.finish()
    })?;
    bench.check(false)
}

/// A job of one device recorded by the other, submitted by the other, and both at work in turns.
fn devices(lab: &Lab, table: &mut Table<'_>, name: &str, [own, other]: [&Subject; 2]) {
    let wgpu = Expect::Refused(&[Refusal::WGPU], "");
    table.case(&format!("{name}/devices/in_turns"), Expect::Right, || {
        bench::run(&lab.gpu, own)?;
        bench::run(&lab.other, other)?;
        bench::run(&lab.gpu, own)
    });
    table.case(&format!("{name}/devices/recorded_by_the_other"), wgpu, || {
        crossed(own, [&lab.gpu, &lab.other, &lab.other])
    });
    table.case(&format!("{name}/devices/submitted_by_the_other"), wgpu, || {
        crossed(own, [&lab.gpu, &lab.gpu, &lab.other])
    });
    table.case(&format!("{name}/devices/all_buffers_of_the_other"), Expect::AnyError, || {
        let foreign = Bench::new(&lab.other, own)?;
        submit_jobs(&lab.gpu, &[&foreign.bind()?])
    });
}

/// A job of the first device, recorded by the second and submitted by the third. What is refused leaves the job as it
/// was: its own device runs it.
fn crossed(subject: &Subject, [own, recorder, submitter]: [&Gpu; 3]) -> Ending {
    let bench = Bench::new(own, subject)?;
    let job = bench.bind()?;
    let crossed = scoped(&recorder.device, || {
        scoped(&submitter.device, || {
            let mut encoder = encoder(recorder);
            job.record(&mut encoder);
            submitter.queue.submit([encoder.finish()]);
        })
    });
    let refused = crossed.and_then(|inner| inner).map_err(Refusal::wgpu);
    bench.finish(&job)?;
    refused
}

/// Scratch of every subject over a tree, given to every other.
fn foreign(lab: &Lab, table: &mut Table<'_>) {
    let of_a_tree = |subject: &Subject| {
        matches!((subject.scratch)(subject.elements, None), Ok(AnyScratch::Tree(_)))
    };
    let trees: Vec<_> = lab.subjects.iter().filter(|(_, subject, _)| of_a_tree(subject)).collect();
    for (name, subject, _) in &trees {
        for (other, another, _) in trees.iter().filter(|(other, ..)| is_other(name, other)) {
            let case = format!("{name}/scratch/of_{other}");
            table.case(&case, Expect::Refused(&["ForeignScratch", "BufferTooSmall"], ""), || {
                let bench = Bench::new(&lab.gpu, subject)?;
                // With as many elements. With more markers, buffers are too small before anything else matters.
                bench.bind_with(&(another.scratch)(bench.room, None)?).map(|_| ())
            });
        }
    }
}

/// Whether scratch of one is foreign to the other: stages of as many threads may share.
fn is_other(one: &str, other: &str) -> bool {
    let may_share = |kind: &str| one.starts_with(kind) && other.starts_with(kind);
    one != other && !may_share("stage_") && !may_share("node_stage")
}
