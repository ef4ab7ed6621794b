//! Scratch: shared by two jobs, of another device, of another capacity.

use crate::faults::bench::{buffers, check, submit};
use crate::faults::lab::Lab;
use crate::faults::subject::{AnyJob, AnyScratch, Subject};
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::device::scoped;
use treebounds::{Gpu, wgpu};

/// How two jobs of one scratch follow each other.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// In one encoder, each in a pass of its own.
    Encoder,
    /// In one compute pass.
    Pass,
    /// In two command buffers of one submission.
    Buffers,
    /// In two submissions, without a wait between them.
    Submissions,
}

const ORDERS: [(Order, &str); 4] = [
    (Order::Encoder, "one_encoder"),
    (Order::Pass, "one_pass"),
    (Order::Buffers, "one_submission"),
    (Order::Submissions, "two_submissions"),
];

/// Subject x order, and scratch that is not its own.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, subject, other) in &lab.subjects {
        for (order, word) in ORDERS {
            let case = format!("{name}/scratch/shared_in_{word}");
            table.case(&case, Expect::Right, || shared(&lab.gpu, &**subject, order));
        }
        if subject.repeats() {
            let case = format!("{name}/job/recorded_twice");
            table.case(&case, Expect::Right, || twice(&lab.gpu, &**subject));
        }
        let (own, foreign) = (&**subject, &**other);
        let has_scratch = !matches!(own.scratch(own.elements()), Ok(AnyScratch::Own));
        if has_scratch {
            let case = format!("{name}/scratch/of_another_device");
            table.case(&case, Expect::Refused(&["Device"], ""), || {
                of_another(&lab.gpu, own, foreign)
            });
        }
    }
    foreign(lab, table);
}

/// Two jobs with buffers of their own on one scratch.
fn shared(gpu: &Gpu, subject: &dyn Subject, order: Order) -> Ending {
    let room = subject.elements();
    let slots = subject.slots(room);
    let scratch = subject.scratch(room)?;
    let sets = [buffers(gpu, &slots)?, buffers(gpu, &slots)?];
    let [first, second] = [&sets[0], &sets[1]].map(|set| subject.bind(set, &scratch, room));
    follow(gpu, [&first?, &second?], order)?;
    sets.iter().try_for_each(|set| check(gpu, subject, &slots, set, false))
}

fn follow(gpu: &Gpu, jobs: [&AnyJob; 2], order: Order) -> Ending {
    let encoder = || gpu.device.create_command_encoder(&Default::default());
    let recorded = |job: &AnyJob| {
        let mut encoder = encoder();
        job.record(&mut encoder);
        encoder.finish()
    };
    scoped(&gpu.device, || match order {
        Order::Encoder => {
            let mut encoder = encoder();
            jobs.iter().for_each(|job| job.record(&mut encoder));
            gpu.queue.submit([encoder.finish()]);
        }
        Order::Pass => {
            let mut encoder = encoder();
            let mut pass = encoder.begin_compute_pass(&Default::default());
            jobs.iter().for_each(|job| job.record_in_pass(&mut pass));
            drop(pass);
            gpu.queue.submit([encoder.finish()]);
        }
        Order::Buffers => {
            gpu.queue.submit(jobs.map(recorded));
        }
        Order::Submissions => jobs.into_iter().for_each(|job| {
            gpu.queue.submit([recorded(job)]);
        }),
    })
    .map_err(Refusal::wgpu)
}

/// One job, twice in one encoder.
fn twice(gpu: &Gpu, subject: &dyn Subject) -> Ending {
    let room = subject.elements();
    let slots = subject.slots(room);
    let scratch = subject.scratch(room)?;
    let set = buffers(gpu, &slots)?;
    let job = subject.bind(&set, &scratch, room)?;
    submit(gpu, &[&job, &job])?;
    check(gpu, subject, &slots, &set, false)
}

/// Scratch of another device, of the same layout.
fn of_another(gpu: &Gpu, subject: &dyn Subject, other: &dyn Subject) -> Ending {
    let room = subject.elements();
    let slots = subject.slots(room);
    let scratch = other.scratch(room)?;
    let set = buffers(gpu, &slots)?;
    let job = subject.bind(&set, &scratch, room)?;
    submit(gpu, &[&job])?;
    check(gpu, subject, &slots, &set, false)
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
                let slots = subject.slots(subject.elements());
                let set: Vec<wgpu::Buffer> = buffers(&lab.gpu, &slots)?;
                // With as many elements. With more markers, buffers are too small before anything else matters.
                let scratch = another.scratch(subject.elements())?;
                subject.bind(&set, &scratch, subject.elements()).map(|_| ())
            });
        }
    }
}

/// Whether scratch of one is foreign to the other: stages of as many threads may share.
fn is_other(one: &str, other: &str) -> bool {
    one != other && !(one.starts_with("stage_") && other.starts_with("stage_"))
}
