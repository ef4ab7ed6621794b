//! Every buffer that a subject binds, with every fault that a buffer can have.

use crate::faults::bench::{OWN, buffer, buffers, check, good, submit, untouched};
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
        let slots = subject.slots(subject.elements());
        for (at, slot) in slots.iter().enumerate() {
            for &(fault, word) in FAULTS {
                let Some(expect) = expected(&**subject, slot, fault) else { continue };
                let bench = Bench { lab, subject: &**subject, slots: &slots, at, fault };
                table.case(&format!("{name}/{}/{word}", slot.name), expect, || bench.run());
            }
        }
    }
}

/// How a fault must end, or `None` if the buffer cannot have it.
fn expected(subject: &dyn Subject, slot: &Slot, fault: Fault) -> Option<Expect<'static>> {
    let of_device = Expect::Refused(&["Device"], "");
    let is_unbound = subject.unbound().contains(&slot.name);
    let has = |usage| slot.usage.contains(usage);
    Some(match fault {
        WithoutStorage if !has(BufferUsages::STORAGE) => return None,
        WithoutUniform if !has(BufferUsages::UNIFORM) => return None,
        // A host's own WGSL decides what a short buffer means.
        OneTooSmall | GivenTwice if !subject.checks() => return None,
        _ if !subject.checks() && fault <= WithoutUniform => of_device,
        // The stage does not know the length of a scene.
        OneTooSmall if slot.name == "scene" => return None,
        OneTooSmall | Empty => Expect::Refused(&["BufferTooSmall"], slot.name),
        WithoutStorage | WithoutUniform => Expect::Refused(&["BufferUsage"], slot.name),
        OddSize | Oversized if subject.binds_whole() => Expect::Either,
        OddSize | Oversized => Expect::Right,
        GivenTwice => Expect::Refused(&["Overlap"], slot.name),
        _ if is_unbound => Expect::Right,
        OfAnotherDevice | Destroyed => of_device,
        DestroyedBeforeRecord | DestroyedBeforeSubmit | Mapped => {
            Expect::Refused(&[Refusal::WGPU], "")
        }
    })
}

/// A subject with one buffer that is not as it should be.
struct Bench<'a> {
    lab: &'a Lab,
    subject: &'a dyn Subject,
    slots: &'a [Slot],
    at: usize,
    fault: Fault,
}

impl Bench<'_> {
    fn run(&self) -> Ending {
        let (gpu, subject, slots) = (&self.lab.gpu, self.subject, self.slots);
        let room = subject.elements();
        let mut buffers = buffers(gpu, slots)?;
        self.inject(&mut buffers);
        let scratch = subject.scratch(room)?;
        let job = match subject.bind(&buffers, &scratch, room) {
            Ok(job) => job,
            // A job that was refused has written nothing.
            Err(refusal) => {
                self.names_the_bytes(&refusal)?;
                return self.others_are_untouched(&buffers).and(Err(refusal));
            }
        };
        if self.fault == DestroyedBeforeRecord {
            buffers[self.at].destroy();
        }
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let submitted = if self.fault == DestroyedBeforeSubmit {
            job.record(&mut encoder);
            buffers[self.at].destroy();
            treebounds::device::scoped(&gpu.device, || {
                gpu.queue.submit([encoder.finish()]);
            })
            .map_err(Refusal::wgpu)
        } else {
            submit(gpu, &[&job])
        };
        if let Err(refusal) = submitted {
            return self.others_are_untouched(&buffers).and(Err(refusal));
        }
        check(gpu, subject, slots, &buffers, false)
    }

    /// Checks that the error names the bytes of a buffer that is too small.
    fn names_the_bytes(&self, refusal: &Refusal) -> Ending {
        let Slot { name, bytes, each, .. } = &self.slots[self.at];
        let size = if self.fault == Empty { 0 } else { bytes - each };
        let words =
            format!("the range bound for {name} has {size} bytes, but the capacity needs {bytes}");
        // Only the first word of a scene is checked.
        let is_free = refusal.kind != "BufferTooSmall" || *name == "scene";
        let is_said = is_free || refusal.text.contains(&words);
        if is_said {
            Ok(())
        } else {
            Err(Refusal::wrong(format!("{}, not: {words}", refusal.text)))
        }
    }

    /// Puts the fault in its place.
    fn inject(&self, buffers: &mut [wgpu::Buffer]) {
        let Self { lab, slots, at, fault, .. } = *self;
        let Lab { gpu, other, .. } = lab;
        let slot = &slots[at];
        let sized = |gpu: &Gpu, bytes| good(gpu, &Slot { bytes, ..slot.clone() }).unwrap();
        let without = |usage| buffer(&gpu.device, slot.bytes, (slot.usage - usage) | OWN);
        buffers[at] = match fault {
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
            Destroyed | DestroyedBeforeRecord | DestroyedBeforeSubmit | GivenTwice => {
                buffers[at].clone()
            }
        };
        match fault {
            Destroyed => buffers[at].destroy(),
            GivenTwice => {
                let next = (at + 1) % slots.len();
                let bytes = slot.bytes.max(slots[next].bytes);
                let usage = slot.usage | slots[next].usage | OWN;
                buffers[at] = buffer(&gpu.device, bytes, usage);
                buffers[next] = buffers[at].clone();
            }
            _ => {}
        }
    }

    /// Checks that the other outputs hold what they held.
    fn others_are_untouched(&self, buffers: &[wgpu::Buffer]) -> Ending {
        let others = |index: &usize| *index != self.at && self.fault != GivenTwice;
        let indices: Vec<_> = (0..buffers.len()).filter(others).collect();
        let slots: Vec<_> = indices.iter().map(|index| self.slots[*index].clone()).collect();
        let buffers: Vec<_> = indices.iter().map(|index| buffers[*index].clone()).collect();
        if slots.iter().any(|slot| slot.is_output) {
            untouched(&self.lab.gpu, &slots, &buffers)?;
        }
        Ok(())
    }
}
