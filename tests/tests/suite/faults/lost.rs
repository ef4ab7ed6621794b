//! Tests lost devices: before anything is built, between any two steps of a frame, and at any time.

use crate::faults::bench::{self, Bench, READABLE, Step, Subject, buffer, submit};
use crate::faults::subjects::builds;
use crate::faults::table::{Outcome, Refusal, Table, right_if};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use treebounds::{Gpu, wgpu};

/// The steps before which a device is lost. `None` means that the frame was submitted and its
/// answer requested.
const STEPS: [(&str, Option<Step>); 8] = [
    ("before_buffers", Some(Step::Buffers)),
    ("before_scratch", Some(Step::Scratch)),
    ("before_bind", Some(Step::Bind)),
    ("before_record", Some(Step::Record)),
    ("before_finish", Some(Step::Finish)),
    ("before_submit", Some(Step::Submit)),
    ("before_read", Some(Step::Read)),
    ("before_poll", None),
];

pub(crate) fn run(table: &mut Table<'_>) {
    let lab = table.lab;
    // These two subjects make the same device calls as others.
    let alike = ["stage_of_few_markers", "match_roles"];
    for (name, build) in builds(|name| !alike.contains(&name)) {
        for (moment, step) in STEPS {
            // A requested answer may still arrive.
            let expected = if step.is_none() { "right or wgpu" } else { "Device" };
            table.case(&format!("{name}/lost/{moment}"), expected, || {
                let gpu = lab.device();
                frame(&gpu, &build(&gpu.device)?, step)
            });
        }
    }
    let gpu = lab.device();
    gpu.device.destroy();
    for (name, build) in builds(|_| true) {
        table.case(&format!("{name}/lost/before_build"), "Device", || {
            bench::run(&gpu, &build(&gpu.device)?)
        });
    }
    // A job in pieces counts workgroups in a word that each run resets to 0. If a run is aborted, the word is lost with the
    // device.
    for (name, build) in builds(|name| name == "bin_pieces") {
        table.case(&format!("{name}/lost/and_on_a_new_device"), "right", || {
            let [lost, new] = [lab.device(), lab.device()];
            let subject = build(&lost.device)?;
            let bench = Bench::new(&lost, &subject)?;
            let job = bench.bind()?;
            submit(&lost, |encoder| (job.record)(encoder))?;
            lost.device.destroy();
            let cut_off = bench.check();
            bench::run(&new, &build(&new.device)?)?;
            right_if(cut_off.is_err(), "a lost device answers")
        });
    }
}

/// Runs a frame and loses the device before a step.
fn frame(gpu: &Gpu, subject: &Subject, step: Option<Step>) -> Outcome {
    let lose_before = |next| {
        if Some(next) == step {
            gpu.device.destroy();
        }
    };
    lose_before(Step::Buffers);
    let mut bench = Bench::new(gpu, subject)?;
    if step.is_some() {
        return bench.frame(|next, _| lose_before(next));
    }
    let (job, last) = (bench.bind()?, bench.slots.len() - 1);
    let bytes = bench.slots[last].bytes;
    let download = buffer(&gpu.device, bytes, READABLE);
    submit(gpu, |encoder| {
        (job.record)(encoder);
        encoder.copy_buffer_to_buffer(&bench.buffers[last], 0, &download, 0, bytes);
    })?;
    let (sender, receiver) = mpsc::channel();
    download.map_async(wgpu::MapMode::Read, .., move |result| drop(sender.send(result)));
    gpu.device.destroy();
    let refused = |error: &dyn std::error::Error| {
        Refusal::wgpu(format!("mapping: {error}").replace('\n', " "))
    };
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| refused(&error))?;
    // The callback is called even if the device is lost.
    receiver.recv().map_err(|error| refused(&error))?.map_err(|error| refused(&error))?;
    let view = download.get_mapped_range(..).map_err(|error| refused(&error))?;
    bench.slots[last].compare(&view, false)
}

/// Repeats work while another thread destroys the device after this number of milliseconds. The work must succeed until the
/// first error.
pub(crate) fn after(gpu: &Gpu, milliseconds: u64, mut work: impl FnMut() -> Outcome) -> Outcome {
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(milliseconds));
            gpu.device.destroy();
        });
        loop {
            work()?;
        }
    })
}
