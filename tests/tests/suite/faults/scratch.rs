//! Scratch that two jobs share, of another device, of another subject; and devices that take each other's jobs.

use crate::faults::bench::{self, Bench, encoder, submit_jobs};
use crate::faults::lab::Lab;
use crate::faults::subject::{AnyJob, AnyScratch, Subject};
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::Gpu;
use treebounds::device::scoped;

/// How two jobs of one scratch follow each other: each in a pass of its own, in one pass, in two command buffers of a
/// submission, or in two submissions without a wait between them.
const ORDERS: [&str; 4] = ["one_encoder", "one_pass", "one_submission", "two_submissions"];

/// Subject x order, and scratch that is not its own; then subject x mistake with devices.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, own, other) in &lab.subjects {
        let (own, other) = (&**own, &**other);
        for order in ORDERS {
            let case = format!("{name}/scratch/shared_in_{order}");
            table.case(&case, Expect::Right, || shared(&lab.gpu, own, order));
        }
        if own.repeats() {
            table.case(&format!("{name}/job/recorded_twice"), Expect::Right, || {
                let bench = Bench::new(&lab.gpu, own)?;
                let job = bench.bind()?;
                submit_jobs(&lab.gpu, &[&job, &job])?;
                bench.check(false)
            });
        }
        if !matches!(own.scratch(own.elements()), Ok(AnyScratch::Own)) {
            let case = format!("{name}/scratch/of_another_device");
            table.case(&case, Expect::Refused(&["Device"], ""), || {
                let bench = Bench::new(&lab.gpu, own)?;
                bench.finish(&bench.bind_with(&other.scratch(bench.room)?)?)
            });
        }
        devices(lab, table, name, [own, other]);
    }
    foreign(lab, table);
}

/// Two jobs with buffers of their own on one scratch.
fn shared(gpu: &Gpu, subject: &dyn Subject, order: &str) -> Ending {
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

/// A job of one device recorded by the other, submitted by the other, and both at work in turns.
fn devices(lab: &Lab, table: &mut Table<'_>, name: &str, [own, other]: [&dyn Subject; 2]) {
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
fn crossed(subject: &dyn Subject, [own, recorder, submitter]: [&Gpu; 3]) -> Ending {
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
    let of_a_tree = |subject: &dyn Subject| {
        matches!(subject.scratch(subject.elements()), Ok(AnyScratch::Tree(_)))
    };
    let trees: Vec<_> =
        lab.subjects.iter().filter(|(_, subject, _)| of_a_tree(&**subject)).collect();
    for (name, subject, _) in &trees {
        for (other, another, _) in trees.iter().filter(|(other, ..)| is_other(name, other)) {
            let case = format!("{name}/scratch/of_{other}");
            table.case(&case, Expect::Refused(&["ForeignScratch", "BufferTooSmall"], ""), || {
                let bench = Bench::new(&lab.gpu, &**subject)?;
                // With as many elements. With more markers, buffers are too small before anything else matters.
                bench.bind_with(&another.scratch(bench.room)?).map(|_| ())
            });
        }
    }
}

/// Whether scratch of one is foreign to the other: stages of as many threads may share.
fn is_other(one: &str, other: &str) -> bool {
    one != other && !(one.starts_with("stage_") && other.starts_with("stage_"))
}
