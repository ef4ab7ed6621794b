//! A device that is lost: before anything is built, and between any two steps of a frame.

use crate::faults::bench::{self, Bench, READABLE, buffer, encoder, submit, submit_jobs};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::subjects;
use crate::faults::table::{Ending, Expect, Refusal, Table};
use std::sync::mpsc;
use treebounds::{Gpu, wgpu};

/// The steps before which a device is lost.
const STEPS: [&str; 7] = [
    "before_scratch",
    "before_bind",
    "before_record",
    "before_finish",
    "before_submit",
    "before_read",
    "before_poll",
];

/// The steps that are left when the device is lost.
type Rest<'a> = Box<dyn FnOnce() -> Ending + 'a>;

/// Subject x step. One device is lost for all: everything is brought to its step before.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    let gpu = lab.device();
    // Two are like others in all that the device sees.
    let alike = ["stage_of_few_markers", "match_roles"];
    let all = subjects::some(&gpu.device, |name| table.wants(name) && !alike.contains(&name));
    let mut rests = Vec::new();
    for (name, subject) in &all {
        for step in STEPS {
            let rest = prepare(&gpu, subject, step).unwrap();
            rests.push((format!("{name}/lost/{step}"), step, rest));
        }
    }
    gpu.device.destroy();
    for (case, step, rest) in rests {
        // Submitted work may still arrive.
        let refused = Expect::Refused(&["Device", Refusal::WGPU], "");
        let expect = if step == "before_poll" { Expect::Either } else { refused };
        table.case(&case, expect, rest);
    }
    for (name, build) in subjects::ALL {
        table.case(&format!("{name}/lost/before_build"), Expect::AnyError, || {
            bench::run(&gpu, &build(&gpu.device)?)
        });
    }
    // A job in pieces counts workgroups in a word that each run leaves at 0: it is lost with the device of a run that is cut off.
    for (name, build) in subjects::ALL.into_iter().filter(|(name, _)| *name == "bin_pieces") {
        table.case(&format!("{name}/lost/and_on_a_new_device"), Expect::Right, || {
            let [lost, new] = [lab.device(), lab.device()];
            let subject = build(&lost.device)?;
            let bench = Bench::new(&lost, &subject)?;
            submit_jobs(&lost, &[&bench.bind()?])?;
            lost.device.destroy();
            let cut_off = bench.check(false);
            bench::run(&new, &build(&new.device)?)?;
            if cut_off.is_err() { Ok(()) } else { Err(Refusal::wrong("a lost device answers")) }
        });
    }
}

/// Does everything before a step, and returns the rest.
fn prepare<'a>(gpu: &'a Gpu, subject: &'a Subject, step: &str) -> Result<Rest<'a>, Refusal> {
    if step == "before_scratch" {
        return Ok(Box::new(move || bench::run(gpu, subject)));
    }
    let bench = Bench::new(gpu, subject)?;
    let scratch = bench.scratch()?;
    if step == "before_bind" {
        return Ok(Box::new(move || bench.finish(&bench.bind_with(&scratch)?)));
    }
    let job = bench.bind_with(&scratch)?;
    if step == "before_record" {
        return Ok(Box::new(move || bench.finish(&job)));
    }
    let mut encoder = encoder(gpu);
    job.record(&mut encoder);
    if step == "before_finish" {
        return Ok(Box::new(move || {
            submit(gpu, || encoder.finish())?;
            bench.check(false)
        }));
    }
    if step == "before_poll" {
        let pending = Pending::new(&bench, encoder);
        return Ok(Box::new(move || pending.finish(gpu)));
    }
    let command = encoder.finish();
    if step == "before_submit" {
        return Ok(Box::new(move || {
            submit(gpu, || command)?;
            bench.check(false)
        }));
    }
    submit(gpu, || command)?;
    Ok(Box::new(move || bench.check(false)))
}

/// A buffer that is being mapped.
struct Pending {
    download: wgpu::Buffer,
    receiver: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Pending {
    /// Submits, and asks for the last output.
    fn new(bench: &Bench<'_>, mut encoder: wgpu::CommandEncoder) -> Self {
        let last = bench.slots.len() - 1;
        let bytes = bench.slots[last].bytes;
        let download = buffer(&bench.gpu.device, bytes, READABLE);
        encoder.copy_buffer_to_buffer(&bench.buffers[last], 0, &download, 0, bytes);
        bench.gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        download.map_async(wgpu::MapMode::Read, .., move |result| {
            let _ = sender.send(result);
        });
        Self { download, receiver }
    }

    /// The callback is called even if the device is lost.
    fn finish(self, gpu: &Gpu) -> Ending {
        let refuse = |error: &dyn std::error::Error| Refusal::wgpu(format!("mapping: {error}"));
        let waited = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        waited.map_err(|error| refuse(&error))?;
        let result = self.receiver.recv().map_err(|error| refuse(&error))?;
        result.map_err(|error| refuse(&error))?;
        let view = self.download.get_mapped_range(..);
        view.map(|_| ()).map_err(|error| Refusal::wgpu(error.to_string().replace('\n', " ")))
    }
}
