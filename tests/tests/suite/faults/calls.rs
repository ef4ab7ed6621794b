//! Tests functions that need no frame: `compute` in its three forms, `read`, `create_buffer`, and uploads of
//! inputs.

use crate::faults::bench::{OWN, READABLE, buffer, submit};
use crate::faults::lost;
use crate::faults::subjects::with;
use crate::faults::table::{Lab, Outcome, Table, made, right_if};
use treebounds::device::{create_buffer, read, scoped};
use treebounds::{Error, Gpu, Inputs, Stage, wgpu};
use treebounds_core::{Bounds, Stream, reference};
use treebounds_tests::streams::random_scene;
use wgpu::BufferUsages;

/// Calls a form of `compute` with the device of the first GPU and the queue of the second.
type Form = fn(&Gpu, &Gpu, &Stream) -> Result<Bounds, Error>;

const FORMS: [(&str, Form); 3] = [
    ("compute", |gpu, queue, stream| treebounds::compute(&gpu.device, &queue.queue, stream)),
    ("compute_async", |gpu, queue, stream| {
        pollster::block_on(treebounds::compute_async(&gpu.device, &queue.queue, stream))
    }),
    ("stage_compute", |gpu, queue, stream| {
        Stage::new(&gpu.device, &with(Some(8)).into())?.compute(&queue.queue, stream)
    }),
];

type Unreadable = fn(&Lab) -> wgpu::Buffer;

const UNREADABLE: [(&str, Unreadable); 8] = [
    ("without_map_read", |lab| buffer(&lab.gpu.device, 16, OWN)),
    ("destroyed", |lab| {
        let buffer = buffer(&lab.gpu.device, 16, READABLE);
        buffer.destroy();
        buffer
    }),
    ("mapped", |lab| {
        let buffer = buffer(&lab.gpu.device, 16, READABLE);
        buffer.map_async(wgpu::MapMode::Read, .., |_| ());
        lab.gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        buffer
    }),
    ("being_mapped", |lab| {
        let buffer = buffer(&lab.gpu.device, 16, READABLE);
        buffer.map_async(wgpu::MapMode::Read, .., |_| ());
        buffer
    }),
    ("mapped_to_write", |lab| {
        let (label, size, usage, mapped_at_creation) = (None, 16, READABLE, true);
        let descriptor = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation };
        lab.gpu.device.create_buffer(&descriptor)
    }),
    ("only_writable", |lab| {
        buffer(&lab.gpu.device, 16, BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC)
    }),
    ("of_a_lost_device", |lab| {
        let lost = lab.device();
        let buffer = buffer(&lost.device, 16, READABLE);
        lost.device.destroy();
        buffer
    }),
    // `read` waits only for its own device.
    ("of_another_device", |lab| buffer(&lab.other.device, 16, READABLE)),
];

/// The size of a new buffer, and the number of rects to read from it. The last rect may be truncated.
const READS: [(&str, u64, usize); 4] =
    [("empty", 0, 0), ("one_word", 4, 1), ("three_words_as_rects", 12, 1), ("one_rect", 16, 1)];

/// A buffer that cannot be created: its size, its usages, and the expected error.
const ALLOCATIONS: [(&str, u64, BufferUsages, &str); 5] = [
    ("of_2_to_the_63", 1 << 63, BufferUsages::STORAGE, "TooLarge"),
    ("of_2_to_the_64_less_1", u64::MAX, BufferUsages::STORAGE, "TooLarge"),
    ("without_usage", 16, BufferUsages::empty(), "Device"),
    ("that_maps_both_ways", 16, READABLE.union(BufferUsages::MAP_WRITE), "Device"),
    ("that_maps_storage", 16, READABLE.union(BufferUsages::STORAGE), "Device"),
];

/// The inputs of a stream of 64 elements: their names and sizes.
const INPUTS: [(&str, u64); 3] = [("params", 32), ("tags", 256), ("rects", 1024)];

pub(crate) fn run(table: &mut Table<'_>) {
    let lab = table.lab;
    let Lab { gpu, other, .. } = lab;
    let stream = random_scene(17, 300, 40);
    for (name, form) in FORMS {
        let compute = |gpu: &Gpu, queue: &Gpu, stream: &Stream| {
            let found = form(gpu, queue, stream)?;
            right_if(found == reference::bounds(stream), "not the reference's answer")
        };
        for n in [0, 1, 255, 256, 257, 1025] {
            let stream = random_scene(n, n as usize, 50);
            let case = format!("{name}/healthy/{n}_elements");
            table.case(&case, "right", || compute(gpu, gpu, &stream));
        }
        let lost = lab.device();
        lost.device.destroy();
        let case = format!("{name}/lost/before");
        table.case(&case, "Device: lost", || compute(&lost, &lost, &stream));
        table.case(&format!("{name}/devices/queue_of_another"), "Device", || {
            // The other device receives the error too.
            let mut outcome = Ok(());
            let _heard = scoped(&other.device, || outcome = compute(gpu, other, &stream));
            outcome
        });
        for milliseconds in [0, 1, 5, 20] {
            table.case(&format!("{name}/lost/after_{milliseconds}_ms"), "Device", || {
                let gpu = lab.device();
                lost::after(&gpu, milliseconds, || compute(&gpu, &gpu, &stream))
            });
        }
        let small = lab.device_with(|limits| limits.max_buffer_size = 4096).unwrap();
        let case = format!("{name}/memory/too_large");
        table.case(&case, "TooLarge", || compute(&small, &small, &stream));
        let (case, few) = (format!("{name}/memory/just_fits"), random_scene(18, 20, 50));
        table.case(&case, "right", || compute(&small, &small, &few));
    }
    for (name, make) in UNREADABLE {
        table.case(&format!("read/{name}"), "Device", || {
            let buffer = make(lab);
            made(read::<u32>(&gpu.device, &buffer))
        });
    }
    for (name, size, rects) in READS {
        table.case(&format!("read/{name}"), "right", || {
            let values: Vec<[u32; 4]> = read(&gpu.device, &buffer(&gpu.device, size, READABLE))?;
            right_if(values == vec![[0; 4]; rects], &format!("{values:?} in a new buffer"))
        });
    }
    for milliseconds in [0, 1, 4] {
        table.case(&format!("read/lost_after_{milliseconds}_ms"), "Device", || {
            let gpu = lab.device();
            lost::after(&gpu, milliseconds, || {
                let buffer = create_buffer(&gpu.device, "fault", "read", 1 << 16, READABLE)?;
                made(read::<u32>(&gpu.device, &buffer))
            })
        });
    }
    for (name, size, usage, expected) in ALLOCATIONS {
        table.case(&format!("create_buffer/{name}"), expected, || {
            made(create_buffer(&gpu.device, "fault", "one", size, usage))
        });
    }
    for (at, (name, bytes)) in INPUTS.into_iter().enumerate() {
        let (case, short) = (format!("inputs_write/{name}/one_too_small"), bytes - 4);
        let expected = format!("BufferTooSmall: {name}");
        table.case(&case, &expected, || upload(gpu, at, buffer(&gpu.device, short, OWN)));
        let (case, usage) =
            (format!("inputs_write/{name}/without_copy_dst"), BufferUsages::COPY_SRC);
        let expected = format!("BufferUsage: {name}");
        table.case(&case, &expected, || upload(gpu, at, buffer(&gpu.device, bytes, usage)));
    }
}

/// Uploads to inputs, one of which is invalid. Nothing may be written, not even to the valid ones.
fn upload(gpu: &Gpu, at: usize, faulty: wgpu::Buffer) -> Outcome {
    let usage = OWN | BufferUsages::UNIFORM | BufferUsages::STORAGE;
    let mut all = INPUTS.map(|(_, bytes)| buffer(&gpu.device, bytes, usage));
    all[at] = faulty;
    let [params, tags, rects] = all.clone();
    let outcome = made(
        Inputs { params, tags, rects, filter_depth: 0 }
            .write(&gpu.queue, &random_scene(19, 64, 40)),
    );
    for (index, (name, bytes)) in INPUTS.into_iter().enumerate().filter(|(index, _)| *index != at) {
        let download = buffer(&gpu.device, bytes, READABLE);
        submit(gpu, |encoder| encoder.copy_buffer_to_buffer(&all[index], 0, &download, 0, bytes))?;
        let words: Vec<u32> = read(&gpu.device, &download)?;
        right_if(words.iter().all(|word| *word == 0), &format!("{name} was written"))?;
    }
    outcome
}
