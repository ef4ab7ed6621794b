//! Injects single faults: mismatched buffers, lost devices, too little memory, low limits, wrong counts, shared scratch,
//! several devices and threads, rejected kernels, late errors.
//!
//! Each case has a name, `subject/place/fault`, and must end in the reference's answer or in a typed error of one kind. No
//! error may reach the device's handler unseen, and the next frame on a healthy device must be right.
//!
//! The whole table takes minutes. `TREEBOUNDS_FAULTS=stage/bounds` runs only the cases with this prefix; `--
//! --include-ignored --nocapture` prints the table.

mod bench;
mod calls;
mod frames;
mod kernels;
mod limits;
mod lost;
mod pipeline;
mod subjects;
mod table;

use table::{Lab, Table};

/// The minimum number of cases in the whole table, which has 2,846.
const LEAST: usize = 2830;

/// The maximum number of cases that a device may be unable to run, namely those on a device with lower limits.
const MOST_IMPOSSIBLE: usize = 7;

type Run = fn(&mut Table<'_>);

/// The table in two halves of about equal duration, each with its own devices.
const HALVES: [&[Run]; 2] = [
    &[kernels::run, limits::memory, calls::run],
    &[frames::run, lost::run, limits::run, pipeline::run],
];

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_fault_ends_in_the_expected_error_or_the_right_answer() {
    let filter = std::env::var("TREEBOUNDS_FAULTS").unwrap_or_default();
    let least = if filter.is_empty() { LEAST } else { 1 };
    check(&[filter], least);
}

/// Runs the cases with these prefixes. Fails if a case fails, or if there are fewer cases than `least`.
fn check(wanted: &[String], least: usize) {
    let run = |half: &[Run]| {
        let lab = Lab::open(wanted);
        let mut table = Table::new(&lab, wanted);
        half.iter().for_each(|run| run(&mut table));
        (table.cases, table.impossible, table.failures)
    };
    let [first, second] = std::thread::scope(|scope| {
        HALVES.map(|half| scope.spawn(move || run(half))).map(|half| half.join().unwrap())
    });
    let (cases, impossible) = (first.0 + second.0, [first.1, second.1].concat());
    let failures = [first.2, second.2].concat();
    println!("{cases} cases, {} not possible, {} failures", impossible.len(), failures.len());
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
    assert!(impossible.len() <= MOST_IMPOSSIBLE, "not possible:\n{}\n", impossible.join("\n"));
    assert!(cases >= least, "{cases} cases ran, not {least}");
}
