//! Every buffer that a subject binds, with every fault that a buffer can have.

use crate::faults::bench::{Bench, OWN, buffer, encoder, good, submit, submit_jobs};
use crate::faults::lab::Lab;
use crate::faults::subject::{Slot, Subject};
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

macro_rules! faults {
    ($($fault:ident $name:literal,)*) => {
        /// A fault of a buffer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
        enum Fault { $($fault),* }

        use Fault::{$($fault),*};

        const FAULTS: &[(Fault, &str)] = &[$(($fault, $name)),*];
    };
}

faults! {
    OneTooSmall "one_too_small",
    Empty "empty",
    WithoutStorage "without_storage",
    WithoutUniform "without_uniform",
    OddSize "odd_size",
    Oversized "oversized",
    OfAnotherDevice "of_another_device",
    Destroyed "destroyed",
    DestroyedBeforeRecord "destroyed_before_record",
    DestroyedBeforeSubmit "destroyed_before_submit",
    Mapped "mapped",
    GivenTwice "given_twice",
}

/// Subject x buffer x fault.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, subject, _) in &lab.subjects {
        let slots = (subject.slots)(subject.elements);
        for (at, slot) in slots.iter().enumerate() {
            for &(fault, word) in FAULTS {
                let Some(expect) = expected(subject, slot, fault) else { continue };
                let case = format!("{name}/{}/{word}", slot.name);
                table.case(&case, expect, || injected(lab, subject, at, fault));
            }
        }
    }
}

/// How a fault must end, or `None` if the buffer cannot have it.
fn expected(subject: &Subject, slot: &Slot, fault: Fault) -> Option<Expect<'static>> {
    let of_device = Expect::Refused(&["Device"], "");
    let is_unbound = subject.unbound == slot.name;
    let has = |usage| slot.usage.contains(usage);
    Some(match fault {
        WithoutStorage if !has(BufferUsages::STORAGE) => return None,
        WithoutUniform if !has(BufferUsages::UNIFORM) => return None,
        // A host's own WGSL decides what a short buffer means.
        OneTooSmall | GivenTwice if !subject.checks => return None,
        _ if !subject.checks && fault <= WithoutUniform => of_device,
        // The stage does not know the length of a scene.
        OneTooSmall if slot.name == "scene" => return None,
        OneTooSmall | Empty => Expect::Refused(&["BufferTooSmall"], slot.name),
        WithoutStorage | WithoutUniform => Expect::Refused(&["BufferUsage"], slot.name),
        OddSize | Oversized if subject.binds_whole => Expect::Either,
        OddSize | Oversized => Expect::Right,
        GivenTwice => Expect::Refused(&["Overlap"], slot.name),
        _ if is_unbound => Expect::Right,
        OfAnotherDevice | Destroyed => of_device,
        DestroyedBeforeRecord | DestroyedBeforeSubmit | Mapped => {
            Expect::Refused(&[Refusal::WGPU], "")
        }
    })
}

/// Runs a subject with one buffer that is not as it should be.
fn injected(lab: &Lab, subject: &Subject, at: usize, fault: Fault) -> Ending {
    let gpu = &lab.gpu;
    let mut bench = Bench::new(gpu, subject)?;
    inject(lab, &mut bench, at, fault);
    // A job that was refused writes nothing.
    let others = |index: usize| index != at && fault != GivenTwice;
    let refused = |refusal: Refusal| bench.untouched(others).and(Err(refusal));
    let job = match bench.bind() {
        Ok(job) => job,
        Err(refusal) => {
            names_the_bytes(&bench.slots[at], fault, &refusal)?;
            return refused(refusal);
        }
    };
    if fault == DestroyedBeforeRecord {
        bench.buffers[at].destroy();
    }
    let submitted = if fault == DestroyedBeforeSubmit {
        let mut encoder = encoder(gpu);
        job.record(&mut encoder);
        bench.buffers[at].destroy();
        submit(gpu, || encoder.finish())
    } else {
        submit_jobs(gpu, &[&job])
    };
    submitted.or_else(refused)?;
    bench.check(false)
}

/// Checks that the error names the bytes of a buffer that is too small.
fn names_the_bytes(slot: &Slot, fault: Fault, refusal: &Refusal) -> Ending {
    let Slot { name, bytes, each, .. } = slot;
    let size = if fault == Empty { 0 } else { bytes - each };
    let words =
        format!("the range bound for {name} has {size} bytes, but the capacity needs {bytes}");
    // Only the first word of a scene is checked.
    let is_free = refusal.kind != "BufferTooSmall" || *name == "scene";
    if is_free || refusal.text.contains(&words) {
        return Ok(());
    }
    Err(Refusal::wrong(format!("{}, not: {words}", refusal.text)))
}

/// Puts the fault in its place.
fn inject(lab: &Lab, bench: &mut Bench<'_>, at: usize, fault: Fault) {
    let Lab { gpu, other, .. } = lab;
    let next = (at + 1) % bench.slots.len();
    let (slot, neighbour) = (&bench.slots[at], &bench.slots[next]);
    let sized = |gpu: &Gpu, bytes| good(gpu, &Slot { bytes, ..slot.clone() }).unwrap();
    let without = |usage| buffer(&gpu.device, slot.bytes, (slot.usage - usage) | OWN);
    let faulty = match fault {
        OneTooSmall => buffer(&gpu.device, slot.bytes - slot.each, slot.usage | OWN),
        Empty => buffer(&gpu.device, 0, slot.usage | OWN),
        WithoutStorage => without(BufferUsages::STORAGE),
        WithoutUniform => without(BufferUsages::UNIFORM),
        OddSize => sized(gpu, slot.bytes + 2),
        Oversized => sized(gpu, slot.bytes + (1 << 17)),
        OfAnotherDevice => sized(other, slot.bytes),
        Mapped => gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("fault"),
            size: slot.bytes,
            usage: slot.usage | OWN,
            mapped_at_creation: true,
        }),
        GivenTwice => {
            let usage = slot.usage | neighbour.usage | OWN;
            buffer(&gpu.device, slot.bytes.max(neighbour.bytes), usage)
        }
        Destroyed | DestroyedBeforeRecord | DestroyedBeforeSubmit => bench.buffers[at].clone(),
    };
    match fault {
        Destroyed => faulty.destroy(),
        GivenTwice => bench.buffers[next] = faulty.clone(),
        _ => {}
    }
    bench.buffers[at] = faulty;
}
