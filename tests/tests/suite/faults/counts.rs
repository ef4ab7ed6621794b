//! Counts on the GPU that lie: more elements than the capacity, more markers than the capacity.

use crate::faults::bench::{Bench, OWN, READABLE, buffer, encoder, right_if};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::table::{Ending, Expect, Refusal, Table};
use treebounds::{Capacity, Counts, Gpu, Inputs, Outputs, Stage, Tuning};
use treebounds_core::reference;
use treebounds_tests::streams::random_scene;

/// The words that count, with their offsets: of the params, or of Vello's config.
fn places(name: &str) -> &'static [(&'static str, u64)] {
    if name.starts_with("clip_stage") {
        &[("config/n_draw_objects", 20), ("config/n_clips", 28)]
    } else {
        &[("params/elements", 16)]
    }
}

/// For how many markers there is room, of so many that are needed.
type Room = fn(u32) -> u32;

/// Subject x lie.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, subject, _) in &lab.subjects {
        let n = subject.elements();
        let lies = [
            ("one_more", n + 1),
            ("twice", 2 * n),
            ("two_to_the_16", 1 << 16),
            ("two_to_the_30", 1 << 30),
            ("two_to_the_31", 1 << 31),
            ("two_to_the_32_less_17", u32::MAX - 16),
            ("two_to_the_32_less_1", u32::MAX),
        ];
        for (place, offset) in places(name) {
            for (word, lie) in lies {
                let case = format!("{name}/{place}/{word}");
                table.case(&case, Expect::Right, || lying(&lab.gpu, &**subject, *offset, lie));
            }
        }
    }
    let rooms: [(_, Room); 4] = [
        ("none", |_| 0),
        ("one", |_| 1),
        ("half", |needed| needed / 2),
        ("one_too_few", |needed| needed - 1),
    ];
    for (word, room) in rooms {
        for threads in [None, Some(8)] {
            let tiles = threads.map_or("one_tile", |_| "many_tiles");
            let case = format!("stage/markers_of_{tiles}/room_for_{word}");
            let options = Tuning { workgroup_size: threads, ..Tuning::default() };
            table.case(&case, Expect::Right, || too_many_markers(&lab.gpu, &options, room));
        }
    }
}

/// The GPU itself writes the count, so that no host sees it. All that there is room for is right.
fn lying(gpu: &Gpu, subject: &dyn Subject, offset: u64, count: u32) -> Ending {
    let bench = Bench::new(gpu, subject)?;
    let job = bench.bind()?;
    let words = buffer(&gpu.device, 4, OWN);
    gpu.queue.write_buffer(&words, 0, &count.to_le_bytes());
    let mut encoder = encoder(gpu);
    encoder.copy_buffer_to_buffer(&words, 0, &bench.buffers[0], offset, 4);
    job.record(&mut encoder);
    gpu.queue.submit([encoder.finish()]);
    bench.check(true)?;
    // The same job with the true count.
    bench.refill();
    bench.finish(&job)
}

/// A scene of more markers than there is room for says so, and writes past no buffer: the next run has room.
fn too_many_markers(gpu: &Gpu, options: &Tuning, room: Room) -> Ending {
    let stream = random_scene(15, 100, 40);
    let needed = Capacity::of(&stream).markers;
    let markers = room(needed);
    let capacity = Capacity { elements: 100, markers };
    let stage = Stage::new(&gpu.device, &(*options).into())?;
    let inputs = Inputs::new(&gpu.device, capacity)?;
    let outputs = Outputs::new(&gpu.device, capacity)?;
    let job = stage.bind(&inputs, &outputs, &stage.scratch(capacity)?)?;
    inputs.write(&gpu.queue, &stream)?;
    let download = buffer(&gpu.device, 16, READABLE);
    let mut encoder = encoder(gpu);
    job.record(&mut encoder);
    encoder.copy_buffer_to_buffer(&outputs.counts, 0, &download, 0, 16);
    gpu.queue.submit([encoder.finish()]);
    let counts = treebounds::device::read::<Counts>(&gpu.device, &download)?[0];
    let expected = (100, markers, needed, Counts::MARKERS_CLAMPED);
    let found = (counts.elements, counts.markers, counts.markers_needed, counts.status);
    if found != expected {
        return Err(Refusal::wrong(format!("counts {found:?}, not {expected:?}")));
    }
    right_if(stage.compute(&gpu.queue, &stream)? == reference::bounds(&stream))
}
