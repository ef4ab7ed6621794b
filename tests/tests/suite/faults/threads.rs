//! Two threads that use one device: objects built, and jobs bound and submitted, at the same time.

use crate::faults::bench::{self, Bench};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::subjects;
use crate::faults::table::{Ending, Expect, Refusal, Table};
use std::thread;
use treebounds::Gpu;

/// How often each thread runs its job.
const ROUNDS: u32 = 4;

/// Subjects of few kernels.
const BUILT: [&str; 4] = ["match", "compact", "bin", "root_fix"];

/// Subject x what two threads share.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, own, other) in &lab.subjects {
        table.case(&format!("{name}/threads/one_device"), Expect::Right, || {
            side_by_side([(&lab.gpu, own), (&lab.gpu, own)])
        });
        table.case(&format!("{name}/threads/two_devices"), Expect::Right, || {
            side_by_side([(&lab.gpu, own), (&lab.other, other)])
        });
        // An error of one thread does not reach the other.
        table.case(&format!("{name}/threads/one_of_them_refused"), Expect::AnyError, || {
            refused_beside(&lab.gpu, own, other)
        });
    }
    for (name, build) in subjects::ALL.into_iter().filter(|(name, _)| BUILT.contains(name)) {
        let device = &lab.gpu.device;
        table.case(&format!("{name}/threads/built_in_two"), Expect::Right, || {
            in_two(&|_| bench::run(&lab.gpu, &build(device)?))
        });
    }
}

/// Does something in two threads; the first refusal of either.
fn in_two(work: &(impl Fn(usize) -> Ending + Sync)) -> Ending {
    thread::scope(|scope| {
        let threads = [0, 1].map(|number| scope.spawn(move || work(number)));
        let ended = threads.map(|thread| thread.join());
        ended.into_iter().try_for_each(|ended| {
            ended.unwrap_or_else(|_| Err(Refusal::wrong("a thread panicked")))
        })
    })
}

fn side_by_side(each: [(&Gpu, &Subject); 2]) -> Ending {
    in_two(&|number| {
        let (gpu, subject) = each[number];
        (0..ROUNDS).try_for_each(|_| bench::run(gpu, subject))
    })
}

/// One thread runs a right job. The other binds buffers of another device, and gets the error.
fn refused_beside(gpu: &Gpu, own: &Subject, other: &Subject) -> Ending {
    thread::scope(|scope| {
        let right = scope.spawn(|| (0..ROUNDS).try_for_each(|_| bench::run(gpu, own)));
        let wrong = (0..ROUNDS).try_for_each(|_| {
            let bench = Bench { subject: other, ..Bench::new(gpu, own)? };
            bench.bind().map(|_| ())
        });
        right.join().unwrap_or_else(|_| Err(Refusal::wrong("a thread panicked")))?;
        wrong
    })
}
