//! Late errors: the caller's error scopes, buffers that cannot be read, uploads that do not fit.

use crate::faults::bench::{Bench, OWN, READABLE, buffer, encoder};
use crate::faults::lab::{Lab, lost_after};
use crate::faults::table::{Ending, Expect, Refusal, Table, made};
use treebounds::device::{create_buffer, read};
use treebounds::treebounds_core::Stream;
use treebounds::{Capacity, Gpu, Inputs, wgpu};
use treebounds_tests::streams::random_scene;
use wgpu::BufferUsages;

/// Scopes, reads, uploads.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    scopes(lab, table);
    reads(lab, table);
    allocations(lab, table);
    uploads(lab, table);
}

/// The library returns its own errors instead of raising them on the device, and leaves the caller's errors to the caller.
fn scopes(lab: &Lab, table: &mut Table<'_>) {
    let device = &lab.gpu.device;
    for (name, subject, _) in &lab.subjects {
        let bind = |broken: bool| {
            let bench = Bench::new(&lab.gpu, subject)?;
            if broken {
                bench.buffers[bench.slots.len() - 1].destroy();
            }
            bench.bind().map(|_| ())
        };
        let case = format!("{name}/scopes/the_callers_stays_empty");
        // The device reports only that a host's group is in error.
        let word = if subject.checks { "destroyed" } else { "" };
        table.case(&case, Expect::Refused(&["Device"], word), || {
            let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
            let ending = bind(true);
            match pollster::block_on(scope.pop()) {
                Some(error) => Err(Refusal::wrong(format!("the caller heard {error}"))),
                None => ending,
            }
        });
        table.case(&format!("{name}/scopes/the_callers_keeps_its_error"), Expect::Right, || {
            let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
            // No buffer has such usages.
            drop(buffer(device, 16, BufferUsages::MAP_READ | BufferUsages::MAP_WRITE));
            let ending = bind(false);
            match pollster::block_on(scope.pop()) {
                None => Err(Refusal::wrong("the caller's error is gone")),
                Some(_) => ending,
            }
        });
    }
}

/// Faults of a buffer that is read.
type Unreadable = fn(&Lab) -> wgpu::Buffer;

fn reads(lab: &Lab, table: &mut Table<'_>) {
    let refused: [(&str, Unreadable); 7] = [
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
            lab.gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage: READABLE,
                mapped_at_creation: true,
            })
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
    ];
    for (name, make) in refused {
        table.case(&format!("read/{name}"), Expect::Refused(&["Device"], ""), || {
            let buffer = make(lab);
            made(read::<u32>(&lab.gpu.device, &buffer))
        });
    }
    for (name, size) in [("empty", 0), ("one_word", 4), ("three_words_as_rects", 12)] {
        table.case(&format!("read/{name}"), Expect::Either, || {
            let buffer = buffer(&lab.gpu.device, size, READABLE);
            let values = read::<[u32; 4]>(&lab.gpu.device, &buffer)?;
            let is_right = values.iter().flatten().all(|word| *word == 0);
            if is_right { Ok(()) } else { Err(Refusal::wrong("a new buffer is all zeros")) }
        });
    }
    table.case("read/of_another_device", Expect::Either, || {
        // The other device is not waited for.
        let buffer = buffer(&lab.other.device, 16, READABLE);
        made(read::<u32>(&lab.gpu.device, &buffer))
    });
    for milliseconds in [0, 1, 4] {
        table.case(&format!("read/lost_after_{milliseconds}_ms"), Expect::AnyError, || {
            let gpu = lab.device();
            lost_after(&gpu, milliseconds, || {
                let buffer = create_buffer(&gpu.device, "fault", "read", 1 << 16, READABLE)?;
                read::<u32>(&gpu.device, &buffer)?;
                Ok(())
            })
        });
    }
}

fn allocations(lab: &Lab, table: &mut Table<'_>) {
    let storage = BufferUsages::STORAGE;
    let cases = [
        ("of_2_to_the_63", 1 << 63, storage, "TooLarge"),
        ("of_2_to_the_64_less_1", u64::MAX, storage, "TooLarge"),
        ("without_usage", 16, BufferUsages::empty(), "Device"),
        ("that_maps_both_ways", 16, READABLE | BufferUsages::MAP_WRITE, "Device"),
        ("that_maps_storage", 16, READABLE | storage, "Device"),
    ];
    for (name, size, usage, kind) in cases {
        table.case(&format!("create_buffer/{name}"), Expect::Refused(&[kind], ""), || {
            made(create_buffer(&lab.gpu.device, "fault", "one", size, usage))
        });
    }
}

/// Uploads into inputs of which one does not fit: nothing is written, not even to those that do.
fn uploads(lab: &Lab, table: &mut Table<'_>) {
    let stream = random_scene(19, 64, 40);
    let sizes = [("params", 32), ("tags", 256), ("rects", 1024)];
    for (at, (name, bytes)) in sizes.into_iter().enumerate() {
        table.case(
            &format!("inputs_write/{name}/one_too_small"),
            Expect::Refused(&["BufferTooSmall"], name),
            || upload(&lab.gpu, &stream, at, bytes - 4, OWN),
        );
        let usage = BufferUsages::COPY_SRC;
        table.case(
            &format!("inputs_write/{name}/without_copy_dst"),
            Expect::Refused(&["BufferUsage"], name),
            || upload(&lab.gpu, &stream, at, bytes, usage),
        );
    }
}

fn upload(gpu: &Gpu, stream: &Stream, at: usize, bytes: u64, usage: BufferUsages) -> Ending {
    let n = u64::from(Capacity::of(stream).elements);
    let sized = |bytes, usage| buffer(&gpu.device, bytes, OWN | usage);
    let params = sized(32, BufferUsages::UNIFORM);
    let [tags, rects] = [4 * n, 16 * n].map(|bytes| sized(bytes, BufferUsages::STORAGE));
    let mut all = [params, tags, rects];
    all[at] = buffer(&gpu.device, bytes, usage);
    let [params, tags, rects] = all.clone();
    let ending = made(Inputs { params, tags, rects }.write(&gpu.queue, stream));
    let download = buffer(&gpu.device, 32, READABLE);
    for other in all.iter().enumerate().filter(|(index, _)| *index != at) {
        let mut encoder = encoder(gpu);
        encoder.copy_buffer_to_buffer(other.1, 0, &download, 0, 32);
        gpu.queue.submit([encoder.finish()]);
        if read::<u32>(&gpu.device, &download)?.iter().any(|word| *word != 0) {
            return Err(Refusal::wrong(format!("buffer {} was written", other.0)));
        }
    }
    ending
}
