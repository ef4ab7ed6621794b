//! A device that is lost: before anything is built, and between any two steps of a frame.

use crate::faults::bench::{self, buffer, buffers, check};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::subjects;
use crate::faults::table::{Ending, Expect, Refusal, Table};
use std::sync::mpsc;
use treebounds::device::scoped;
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// The next step.
#[derive(Clone, Copy, Debug)]
enum Point {
    Scratch,
    Bind,
    Record,
    Finish,
    Submit,
    Read,
    Poll,
}

const POINTS: [(Point, &str); 7] = [
    (Point::Scratch, "before_scratch"),
    (Point::Bind, "before_bind"),
    (Point::Record, "before_record"),
    (Point::Finish, "before_finish"),
    (Point::Submit, "before_submit"),
    (Point::Read, "before_read"),
    (Point::Poll, "before_poll"),
];

/// The steps that are left when the device is lost.
type Rest<'a> = Box<dyn FnOnce() -> Ending + 'a>;

/// Subject x point. One device is lost for all: everything is brought to its point before.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    let gpu = lab.device();
    // Two are like others in all that the device sees.
    let alike = ["stage_of_few_nodes", "match_roles"];
    let all = subjects::some(&gpu.device, |name| table.wants(name) && !alike.contains(&name));
    let mut rests = Vec::new();
    for (name, subject) in &all {
        for (point, word) in POINTS {
            let rest = prepare(&gpu, &**subject, point).unwrap();
            rests.push((format!("{name}/lost/{word}"), point, rest));
        }
    }
    gpu.device.destroy();
    for (case, point, rest) in rests {
        // Submitted work may still arrive.
        let may_be_right = matches!(point, Point::Poll);
        let refused = Expect::Refused(&["Device", Refusal::WGPU], "");
        let expect = if may_be_right { Expect::Either } else { refused };
        table.case(&case, expect, rest);
    }
    for (name, build) in subjects::ALL {
        table.case(&format!("{name}/lost/before_build"), Expect::AnyError, || {
            let subject = build(&gpu.device)?;
            bench::run(&gpu, &*subject, subject.elements())
        });
    }
}

/// Does everything up to a point, and returns the rest.
fn prepare<'a>(gpu: &'a Gpu, subject: &'a dyn Subject, point: Point) -> Result<Rest<'a>, Refusal> {
    let room = subject.elements();
    if matches!(point, Point::Scratch) {
        return Ok(Box::new(move || bench::run(gpu, subject, room)));
    }
    let slots = subject.slots(room);
    let set = buffers(gpu, &slots)?;
    let scratch = subject.scratch(room)?;
    if matches!(point, Point::Bind) {
        return Ok(Box::new(move || {
            let job = subject.bind(&set, &scratch, room)?;
            bench::submit(gpu, &[&job])?;
            check(gpu, subject, &slots, &set, false)
        }));
    }
    let job = subject.bind(&set, &scratch, room)?;
    if matches!(point, Point::Record) {
        return Ok(Box::new(move || {
            bench::submit(gpu, &[&job])?;
            check(gpu, subject, &slots, &set, false)
        }));
    }
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    job.record(&mut encoder);
    let submit = |gpu: &Gpu, command: wgpu::CommandBuffer| {
        scoped(&gpu.device, || {
            gpu.queue.submit([command]);
        })
        .map_err(Refusal::wgpu)
    };
    Ok(match point {
        Point::Finish => Box::new(move || {
            let command = scoped(&gpu.device, || encoder.finish()).map_err(Refusal::wgpu)?;
            submit(gpu, command)?;
            check(gpu, subject, &slots, &set, false)
        }),
        Point::Submit => {
            let command = encoder.finish();
            Box::new(move || {
                submit(gpu, command)?;
                check(gpu, subject, &slots, &set, false)
            })
        }
        Point::Poll => {
            let pending =
                Pending::new(gpu, &slots[slots.len() - 1], &set[slots.len() - 1], encoder);
            Box::new(move || pending.finish(gpu))
        }
        _ => {
            submit(gpu, encoder.finish())?;
            Box::new(move || check(gpu, subject, &slots, &set, false))
        }
    })
}

/// A buffer that is being mapped.
struct Pending {
    download: wgpu::Buffer,
    receiver: mpsc::Receiver<Result<(), wgpu::BufferAsyncError>>,
}

impl Pending {
    /// Submits, and asks for the last output.
    fn new(
        gpu: &Gpu,
        slot: &crate::faults::subject::Slot,
        output: &wgpu::Buffer,
        mut encoder: wgpu::CommandEncoder,
    ) -> Self {
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let download = buffer(&gpu.device, slot.bytes, usage);
        encoder.copy_buffer_to_buffer(output, 0, &download, 0, slot.bytes);
        gpu.queue.submit([encoder.finish()]);
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
