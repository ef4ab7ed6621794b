//! Faults of frames for any subject: invalid buffers, wrong counts, other scratches, several devices and threads, and
//! error scopes.

use crate::faults::bench::{
    self, Bench, Job, OWN, Slot, Step, Subject, buffer, scoped, submit, valid_buffer,
};
use crate::faults::subjects::builds;
use crate::faults::table::{Lab, Outcome, Refusal, Table, made, right_if};
use std::thread;
use treebounds::{Gpu, Scratch, wgpu};
use wgpu::{BufferBinding, BufferSize, BufferUsages};

/// A buffer fault: its name, the step before which it is injected, and the expected outcome if a subject checks and
/// binds the buffer.
const OF_A_BUFFER: [(&str, Step, &str); 12] = [
    ("one_too_small", Step::Scratch, "BufferTooSmall"),
    ("empty", Step::Scratch, "BufferTooSmall"),
    ("without_storage", Step::Scratch, "BufferUsage"),
    ("without_uniform", Step::Scratch, "BufferUsage"),
    ("odd_size", Step::Scratch, "right"),
    ("oversized", Step::Scratch, "right"),
    ("of_another_device", Step::Scratch, "Device"),
    ("destroyed", Step::Scratch, "Device"),
    ("destroyed_before_record", Step::Record, "wgpu"),
    ("destroyed_before_submit", Step::Submit, "wgpu"),
    ("mapped", Step::Scratch, "wgpu"),
    ("given_twice", Step::Scratch, "Overlap"),
];

/// A wrong count for a scene of `n` elements.
type Lie = (&'static str, fn(u32) -> u32);

const LIES: [Lie; 7] = [
    ("one_more", |n| n + 1),
    ("twice", |n| 2 * n),
    ("two_to_the_16", |_| 1 << 16),
    ("two_to_the_30", |_| 1 << 30),
    ("two_to_the_31", |_| 1 << 31),
    ("two_to_the_32_less_17", |_| u32::MAX - 16),
    ("two_to_the_32_less_1", |_| u32::MAX),
];

/// A fault of any frame: its name, the expected outcome, and a function that receives the subject, built on both
/// devices.
type Fault = (&'static str, &'static str, fn(&Lab, [&Subject; 2]) -> Outcome);

const OF_A_FRAME: [Fault; 16] = [
    ("scratch/shared_in_one_encoder", "right", |lab, [own, _]| {
        run_on_shared_scratch(&lab.gpu, own, |jobs| {
            submit(&lab.gpu, |encoder| jobs.iter().for_each(|job| (job.record)(encoder)))
        })
    }),
    ("scratch/shared_in_one_pass", "right", |lab, [own, _]| {
        run_on_shared_scratch(&lab.gpu, own, |jobs| {
            submit(&lab.gpu, |encoder| {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                jobs.iter().for_each(|job| (job.record_in_pass)(&mut pass));
            })
        })
    }),
    ("scratch/shared_in_one_submission", "right", |lab, [own, _]| {
        run_on_shared_scratch(&lab.gpu, own, |jobs| {
            let Gpu { device, queue, .. } = &lab.gpu;
            let commands = |job: &Job| {
                let mut encoder = device.create_command_encoder(&Default::default());
                (job.record)(&mut encoder);
                encoder.finish()
            };
            made(scoped(&lab.gpu, || queue.submit(jobs.each_ref().map(commands))))
        })
    }),
    ("scratch/shared_in_two_submissions", "right", |lab, [own, _]| {
        run_on_shared_scratch(&lab.gpu, own, |jobs| {
            jobs.iter().try_for_each(|job| submit(&lab.gpu, |encoder| (job.record)(encoder)))
        })
    }),
    ("scratch/of_another_device", "Device", |lab, [own, other]| {
        let bench = Bench::new(&lab.gpu, own)?;
        made(bench.bind_with(&(other.scratch)(bench.room, None)?))
    }),
    ("buffers/ranges_of_arenas", "right", |lab, [own, _]| run_in_arenas(&lab.gpu, own)),
    ("job/recorded_twice", "right", |lab, [own, _]| {
        let bench = Bench::new(&lab.gpu, own)?;
        let job = bench.bind()?;
        submit(&lab.gpu, |encoder| (0..2).for_each(|_| (job.record)(encoder)))?;
        bench.check()
    }),
    ("devices/in_turns", "right", |lab, [own, other]| {
        let turns = [(&lab.gpu, own), (&lab.other, other), (&lab.gpu, own)];
        turns.into_iter().try_for_each(|(gpu, subject)| bench::run(gpu, subject))
    }),
    ("devices/recorded_by_the_other", "wgpu", |lab, [own, _]| {
        run_across_devices(own, [&lab.gpu, &lab.other, &lab.other])
    }),
    ("devices/submitted_by_the_other", "wgpu", |lab, [own, _]| {
        run_across_devices(own, [&lab.gpu, &lab.gpu, &lab.other])
    }),
    ("devices/all_buffers_of_the_other", "Device", |lab, [own, _]| {
        made(Bench::new(&lab.other, own)?.bind())
    }),
    ("threads/one_device", "right", |lab, [own, _]| {
        run_on_two_threads(|_| run_often(&lab.gpu, own))
    }),
    ("threads/two_devices", "right", |lab, [own, other]| {
        run_on_two_threads(|at| run_often([&lab.gpu, &lab.other][at], [own, other][at]))
    }),
    // One thread binds buffers of another device and gets the error; the other thread gets none.
    ("threads/one_of_them_refused", "Device", |lab, [own, other]| {
        run_on_two_threads(|at| match at {
            0 => run_often(&lab.gpu, own).map_err(|error| Refusal::wrong(error.text)),
            _ => (0..ROUNDS).try_for_each(|_| {
                made(Bench { subject: other, ..Bench::new(&lab.gpu, own)? }.bind())
            }),
        })
    }),
    ("scopes/the_callers_stays_empty", "Device", |lab, [own, _]| {
        let bench = Bench::new(&lab.gpu, own)?;
        bench.buffers[bench.slots.len() - 1].destroy();
        let scope = lab.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let outcome = made(bench.bind());
        let heard = pollster::block_on(scope.pop());
        right_if(heard.is_none(), &format!("the caller heard {heard:?}"))?;
        // The device reports only that a host's bind group is invalid.
        let is_named = |text: &str| !own.checks || text.contains("destroyed");
        outcome
            .map_err(|error| if is_named(&error.text) { error } else { Refusal::wrong(error.text) })
    }),
    ("scopes/the_callers_keeps_its_error", "right", |lab, [own, _]| {
        let bench = Bench::new(&lab.gpu, own)?;
        let scope = lab.gpu.device.push_error_scope(wgpu::ErrorFilter::Validation);
        // No buffer can have these usages.
        drop(buffer(&lab.gpu.device, 16, BufferUsages::MAP_READ | BufferUsages::MAP_WRITE));
        let outcome = made(bench.bind());
        let heard = pollster::block_on(scope.pop());
        right_if(heard.is_some(), "the caller's error is gone").and(outcome)
    }),
];

const ROUNDS: u32 = 4;

/// Runs every fault of every buffer, every wrong count and every other fault, for each subject. Then builds subjects
/// with few kernels on two threads, and binds each subject over a tree with the scratch of every other one.
pub(crate) fn run(table: &mut Table<'_>) {
    let lab = table.lab;
    for (name, [own, other]) in &lab.subjects {
        for (at, slot) in (own.slots)(own.elements).iter().enumerate() {
            for (fault, step, expected) in OF_A_BUFFER {
                if let Some(expected) = expected_of_buffer(&lab.gpu, own, slot, fault, expected) {
                    let case = format!("{name}/{}/{fault}", slot.name);
                    table.case(&case, &expected, || run_with_fault(lab, own, at, fault, step));
                }
            }
        }
        // The words of the params, or of Vello's config, that contain counts.
        let of_clips = [("config/n_draw_objects", 20), ("config/n_clips", 28)];
        let of_params = [("params/elements", 16)];
        let counts = if name.starts_with("clip_stage") { &of_clips[..] } else { &of_params };
        let lies = counts.iter().flat_map(|at| LIES.map(|lie| (at, lie)));
        for ((place, offset), (lie, count)) in lies {
            let case = format!("{name}/{place}/{lie}");
            table.case(&case, "right", || {
                run_with_wrong_count(&lab.gpu, own, *offset, count(own.elements))
            });
        }
        for (fault, expected, run) in OF_A_FRAME {
            let is_possible = match fault {
                "scratch/of_another_device" => !own.has_scratch::<()>(),
                "job/recorded_twice" => own.repeats,
                _ => true,
            };
            if is_possible {
                table.case(&format!("{name}/{fault}"), expected, || run(lab, [own, other]));
            }
        }
    }
    for (name, build) in builds(|name| ["match", "compact", "bin", "root_fix"].contains(&name)) {
        table.case(&format!("{name}/threads/built_in_two"), "right", || {
            run_on_two_threads(|_| bench::run(&lab.gpu, &build(&lab.gpu.device)?))
        });
    }
    let trees = || lab.subjects.iter().filter(|(_, [own, _])| own.has_scratch::<Scratch>());
    let pairs = trees().flat_map(|one| trees().map(move |other| (one, other)));
    for ((name, [own, _]), (other, [another, _])) in pairs {
        // Stages with equal numbers of threads may share a scratch.
        let may_share = |kind| name.starts_with(kind) && other.starts_with(kind);
        if name == other || may_share("stage_") || may_share("node_stage") {
            continue;
        }
        // Both have the same number of elements. If the scratch is for more markers, the expected error is that the
        // buffers are too small, because sizes are checked first.
        let is_few = *name == "stage_of_few_markers";
        let expected = match name {
            _ if is_few => "BufferTooSmall",
            &"stage_with_filters" => "FilterDepth",
            _ => "ForeignScratch",
        };
        table.case(&format!("{name}/scratch/of_{other}"), expected, || {
            let bench = Bench::new(&lab.gpu, own)?;
            made(bench.bind_with(&(another.scratch)(bench.room, None)?))
        });
    }
}

/// Returns the expected outcome of a buffer fault, or `None` if the fault is impossible for the buffer.
fn expected_of_buffer(
    gpu: &Gpu,
    subject: &Subject,
    slot: &Slot,
    fault: &str,
    expected: &str,
) -> Option<String> {
    let Subject { checks, binds_whole, .. } = *subject;
    let [is_storage, is_uniform] =
        [BufferUsages::STORAGE, BufferUsages::UNIFORM].map(|usage| slot.usage.contains(usage));
    let is_bound = subject.unbound != slot.name;
    let most = gpu.device.limits().max_uniform_buffer_binding_size;
    let outcome = match fault {
        "without_storage" if !is_storage => return None,
        "without_uniform" if !is_uniform => return None,
        // A host's own WGSL determines what happens with short buffers, and the stage does not know the length of a
        // scene.
        "one_too_small" if !checks || slot.name == "scene" => return None,
        "given_twice" if !checks => return None,
        "empty" | "without_storage" | "without_uniform" if !checks => "Device",
        "one_too_small" | "empty" | "without_storage" | "without_uniform" | "given_twice" => {
            return Some(format!("{expected}: {}", slot.name));
        }
        _ if !is_bound => "right",
        // The device binds storage buffers in whole words, and uniforms up to a limit.
        "odd_size" if binds_whole && is_storage => "Device",
        "oversized" if binds_whole && is_uniform && slot.bytes + OVERSIZE > most => "Device",
        _ => expected,
    };
    Some(outcome.to_owned())
}

fn run_with_fault(lab: &Lab, subject: &Subject, at: usize, fault: &str, step: Step) -> Outcome {
    let mut bench = Bench::new(&lab.gpu, subject)?;
    let outcome = bench.frame(|before, bench| {
        if before == step {
            inject(lab, bench, at, fault);
        }
    });
    let Err(error) = &outcome else { return outcome };
    let Slot { name, bytes, .. } = &bench.slots[at];
    let size = if fault == "empty" { 0 } else { bytes - 4 };
    let words =
        format!("the range bound for {name} has {size} bytes, but the capacity needs {bytes}");
    // Only the first word of a scene is checked.
    let is_named =
        error.kind != "BufferTooSmall" || *name == "scene" || error.text.contains(&words);
    right_if(is_named, &format!("{}, not: {words}", error.text))?;
    // A rejected job writes nothing.
    bench.check_untouched(|index| index != at && fault != "given_twice").and(outcome)
}

/// The number of excess bytes in an oversized buffer.
const OVERSIZE: u64 = 1 << 17;

fn inject(Lab { gpu, other, .. }: &Lab, bench: &mut Bench<'_>, at: usize, fault: &str) {
    let next = (at + 1) % bench.slots.len();
    let (slot, neighbour) = (&bench.slots[at], &bench.slots[next]);
    let Slot { bytes, usage, .. } = *slot;
    let sized = |gpu: &Gpu, bytes| valid_buffer(gpu, &Slot { bytes, ..slot.clone() }).unwrap();
    let faulty = match fault {
        "one_too_small" => buffer(&gpu.device, bytes - 4, usage | OWN),
        "empty" => buffer(&gpu.device, 0, usage | OWN),
        "without_storage" => buffer(&gpu.device, bytes, (usage - BufferUsages::STORAGE) | OWN),
        "without_uniform" => buffer(&gpu.device, bytes, (usage - BufferUsages::UNIFORM) | OWN),
        "odd_size" => sized(gpu, bytes + 2),
        "oversized" => sized(gpu, bytes + OVERSIZE),
        "of_another_device" => sized(other, bytes),
        "mapped" => gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("fault"),
            size: bytes,
            usage: usage | OWN,
            mapped_at_creation: true,
        }),
        "given_twice" => {
            buffer(&gpu.device, bytes.max(neighbour.bytes), usage | neighbour.usage | OWN)
        }
        _ => return bench.buffers[at].destroy(),
    };
    if fault == "given_twice" {
        bench.buffers[next] = faulty.clone();
    }
    bench.buffers[at] = faulty;
}

/// Runs a job with a wrong count that the GPU writes, so that the CPU cannot check it. Everything within the capacity
/// must be right. Then runs the same job with the true count.
fn run_with_wrong_count(gpu: &Gpu, subject: &Subject, offset: u64, count: u32) -> Outcome {
    let mut bench = Bench { lied: true, ..Bench::new(gpu, subject)? };
    let job = bench.bind()?;
    let word = buffer(&gpu.device, 4, OWN);
    gpu.queue.write_buffer(&word, 0, &count.to_le_bytes());
    submit(gpu, |encoder| encoder.copy_buffer_to_buffer(&word, 0, &bench.buffers[0], offset, 4))?;
    bench.run(&job, |_, _| {})?;
    for (slot, buffer) in bench.slots.iter().zip(&bench.buffers) {
        gpu.queue.write_buffer(buffer, 0, &slot.before());
    }
    bench.lied = false;
    bench.run(&job, |_, _| {})
}

/// Runs two jobs on one scratch, with their own buffers.
fn run_on_shared_scratch(
    gpu: &Gpu,
    subject: &Subject,
    submit: impl FnOnce([Job; 2]) -> Outcome,
) -> Outcome {
    let benches = [Bench::new(gpu, subject)?, Bench::new(gpu, subject)?];
    let scratch = benches[0].scratch()?;
    submit([benches[0].bind_with(&scratch)?, benches[1].bind_with(&scratch)?])?;
    benches.iter().try_for_each(Bench::check)
}

/// Binds every buffer as a range of one buffer per usage, as in a renderer with arenas: read buffers, uniforms, written
/// buffers including the scratch, and buffers that are written before they are read as a uniform.
fn run_in_arenas(gpu: &Gpu, subject: &Subject) -> Outcome {
    let (uniform, storage) = (BufferUsages::UNIFORM, BufferUsages::STORAGE);
    let usages = [storage, uniform, storage, storage | uniform];
    let arenas = usages.map(|usage| buffer(&gpu.device, 4 << 20, usage | OWN));
    let mut used = [4; 4];
    let mut take = |arena: usize, bytes: u64| {
        let offset = u64::next_multiple_of(used[arena], 256);
        used[arena] = offset + bytes + 4;
        BufferBinding { buffer: &arenas[arena], offset, size: BufferSize::new(bytes) }
    };
    let bench = Bench::new(gpu, subject)?;
    let range = |slot: &Slot| {
        let is_uniform = usize::from(slot.usage.contains(uniform));
        let range = take(is_uniform + 2 * usize::from(slot.is_output), slot.bytes);
        gpu.queue.write_buffer(range.buffer, range.offset, &slot.before());
        range
    };
    let ranges: Vec<_> = bench.slots.iter().map(range).collect();
    let scratch = (subject.scratch)(bench.room, Some(take(2, 1 << 20)))?;
    let job = (subject.bind)(&ranges, &scratch, bench.room)?;
    submit(gpu, |encoder| {
        (job.record)(encoder);
        let outputs = bench.slots.iter().zip(&ranges).zip(&bench.buffers);
        for ((slot, range), whole) in outputs.filter(|((slot, _), _)| slot.is_output) {
            let bytes = slot.bytes / 4 * 4;
            encoder.copy_buffer_to_buffer(range.buffer, range.offset, whole, 0, bytes);
        }
    })?;
    bench.check()
}

/// Records a job of the first device with the second and submits it with the third. After the errors, the job must still run
/// on its own device.
fn run_across_devices(subject: &Subject, [own, recorder, submitter]: [&Gpu; 3]) -> Outcome {
    let mut bench = Bench::new(own, subject)?;
    let job = bench.bind()?;
    let crossed = scoped(recorder, || {
        scoped(submitter, || {
            let mut encoder = recorder.device.create_command_encoder(&Default::default());
            (job.record)(&mut encoder);
            submitter.queue.submit([encoder.finish()]);
        })
    });
    bench.run(&job, |_, _| {})?;
    crossed.and_then(|inner| inner)
}

/// Runs `work` on two threads. Returns the first thread's error, or else the second's.
fn run_on_two_threads(work: impl Fn(usize) -> Outcome + Sync) -> Outcome {
    let panicked = || Err(Refusal::wrong("a thread panicked"));
    thread::scope(|scope| {
        let work = &work;
        let threads = [0, 1].map(|at| scope.spawn(move || work(at))).map(|thread| thread.join());
        threads.into_iter().try_for_each(|ended| ended.unwrap_or_else(|_| panicked()))
    })
}

fn run_often(gpu: &Gpu, subject: &Subject) -> Outcome {
    (0..ROUNDS).try_for_each(|_| bench::run(gpu, subject))
}
