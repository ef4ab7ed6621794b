//! Two devices: a job of one recorded by the other, submitted by the other, and both at work in turns.

use crate::faults::bench::{self, buffers, check, submit};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::Gpu;
use treebounds::device::scoped;

/// Subject x mistake.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    let wgpu = Expect::Refused(&[Refusal::WGPU], "");
    for (name, own, other) in &lab.subjects {
        let (own, other) = (&**own, &**other);
        table.case(&format!("{name}/devices/in_turns"), Expect::Right, || {
            bench::run(&lab.gpu, own, own.elements())?;
            bench::run(&lab.other, other, other.elements())?;
            bench::run(&lab.gpu, own, own.elements())
        });
        table.case(&format!("{name}/devices/recorded_by_the_other"), wgpu, || {
            crossed(own, [&lab.gpu, &lab.other, &lab.other])
        });
        table.case(&format!("{name}/devices/submitted_by_the_other"), wgpu, || {
            crossed(own, [&lab.gpu, &lab.gpu, &lab.other])
        });
        table.case(&format!("{name}/devices/all_buffers_of_the_other"), Expect::AnyError, || {
            let room = own.elements();
            let slots = own.slots(room);
            let foreign = buffers(&lab.other, &slots)?;
            let job = own.bind(&foreign, &own.scratch(room)?, room)?;
            submit(&lab.gpu, &[&job])
        });
    }
}

/// A job of the first device, recorded by the second and submitted by the third. What is refused leaves the job as it
/// was: its own device runs it.
fn crossed(subject: &dyn Subject, [own, recorder, submitter]: [&Gpu; 3]) -> Ending {
    let room = subject.elements();
    let slots = subject.slots(room);
    let set = buffers(own, &slots)?;
    let scratch = subject.scratch(room)?;
    let job = subject.bind(&set, &scratch, room)?;
    let crossed = scoped(&recorder.device, || {
        scoped(&submitter.device, || {
            let mut encoder = recorder.device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            submitter.queue.submit([encoder.finish()]);
        })
    });
    let refused = crossed.and_then(|inner| inner).map_err(Refusal::wgpu);
    submit(own, &[&job])?;
    check(own, subject, &slots, &set, false)?;
    refused
}
