//! Single faults: buffers that do not fit, lost devices, too little memory, low limits, wrong counts, shared scratch, several
//! devices and threads, rejected kernels, late errors.
//!
//! Each case has a name, `subject/place/fault`, and ends in a typed error or in the reference's answer. No error reaches the
//! device's handler unseen, and the next frame of a healthy device is right. `TREEBOUNDS_FAULTS=stage/bounds` runs the cases
//! whose names start with that; `-- --nocapture` shows the table.

mod bench;
mod buffers;
mod compute;
mod counts;
mod kernels;
mod lab;
mod late;
mod limits;
mod lost;
mod memory;
mod pipeline;
mod scratch;
mod subject;
mod subjects;
mod table;
mod threads;

use lab::Lab;
use table::{Table, Tally, wants};

/// The fewest cases of a whole table.
const LEAST: usize = 200;

/// Runs cases of one kind.
type Run = fn(&Lab, &mut Table<'_>);

/// Two halves that take about as long, each with devices of its own.
const HALVES: [&[Run]; 2] = [
    &[kernels::run, memory::run, late::run],
    &[
        buffers::run,
        counts::run,
        scratch::run,
        threads::run,
        compute::run,
        lost::run,
        limits::run,
        pipeline::run,
    ],
];

#[test]
fn every_fault_ends_in_an_error_or_in_the_right_answer() {
    let filter = std::env::var("TREEBOUNDS_FAULTS").unwrap_or_default();
    let [first, second] = std::thread::scope(|scope| {
        let filter = &filter;
        HALVES.map(|half| scope.spawn(move || tally(filter, half))).map(|half| half.join().unwrap())
    });
    first.and(second).finish(&filter, LEAST);
}

fn tally(filter: &str, half: &[Run]) -> Tally {
    let lab = Lab::open(|name| wants(filter, name));
    let mut table = Table::new(&lab, filter);
    half.iter().for_each(|run| run(&lab, &mut table));
    table.tally
}
