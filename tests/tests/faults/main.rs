//! Faults, injected one at a time: buffers that do not fit, lost devices, too little memory, low limits, counts that
//! lie, shared scratch, several devices and threads, kernels that are refused, errors that come late.
//!
//! Each case has a name, `subject/place/fault`, and ends in a typed error or in the reference's answer. No error reaches the
//! device's handler unseen, and the next frame of a healthy device is right. `TREEBOUNDS_FAULTS=stage/bounds` runs the
//! cases whose names begin so; `-- --nocapture` shows the table.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bench;
mod buffers;
mod compute;
mod counts;
mod devices;
mod kernels;
mod lab;
mod late;
mod limits;
mod lost;
mod memory;
mod pipeline;
mod refusal;
mod scratch;
mod subject;
mod subjects;
mod table;
mod threads;

use lab::Lab;
use table::{Table, wants};

/// The fewest cases of a whole table.
const LEAST: usize = 200;

#[test]
fn every_fault_ends_in_an_error_or_in_the_right_answer() {
    let filter = std::env::var("TREEBOUNDS_FAULTS").unwrap_or_default();
    let lab = Lab::open(|name| wants(&filter, name));
    let mut table = Table::new(&lab, &filter);
    buffers::run(&lab, &mut table);
    counts::run(&lab, &mut table);
    scratch::run(&lab, &mut table);
    devices::run(&lab, &mut table);
    threads::run(&lab, &mut table);
    memory::run(&lab, &mut table);
    kernels::run(&lab, &mut table);
    late::run(&lab, &mut table);
    compute::run(&lab, &mut table);
    lost::run(&lab, &mut table);
    limits::run(&lab, &mut table);
    pipeline::run(&lab, &mut table);
    table.finish(LEAST);
}
