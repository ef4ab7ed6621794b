//! `compute`, `compute_async` and the stage's method: lost devices, queues of another device, streams of any size.

use crate::faults::bench::right_if;
use crate::faults::lab::{Lab, lost_after};
use crate::faults::table::{Ending, Expect, Table};
use treebounds::device::scoped;
use treebounds::{Error, Gpu, Stage, Tuning};
use treebounds_core::{Bounds, Stream, reference};
use treebounds_tests::streams::random_scene;

/// A way to compute.
type Way = fn(&Gpu, &Gpu, &Stream) -> Result<Bounds, Error>;

/// On the device of one, with the queue of another.
const WAYS: [(&str, Way); 3] = [
    ("compute", |gpu, queue, stream| treebounds::compute(&gpu.device, &queue.queue, stream)),
    ("compute_async", |gpu, queue, stream| {
        pollster::block_on(treebounds::compute_async(&gpu.device, &queue.queue, stream))
    }),
    ("stage_compute", |gpu, queue, stream| {
        let options = Tuning { workgroup_size: Some(8), ..Tuning::default() };
        Stage::new(&gpu.device, &options.into())?.compute(&queue.queue, stream)
    }),
];

/// Way x fault.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    let stream = random_scene(17, 300, 40);
    for (name, way) in WAYS {
        for n in [0, 1, 255, 256, 257, 1025] {
            table.case(&format!("{name}/healthy/{n}_elements"), Expect::Right, || {
                compare(way, &lab.gpu, &lab.gpu, &random_scene(n, n as usize, 50))
            });
        }
        let lost = lab.device();
        lost.device.destroy();
        table.case(&format!("{name}/lost/before"), Expect::Refused(&["Device"], "lost"), || {
            compare(way, &lost, &lost, &stream)
        });
        table.case(&format!("{name}/devices/queue_of_another"), Expect::AnyError, || {
            let Lab { gpu, other, .. } = lab;
            // The other device hears of it, too.
            let mut ending = Ok(());
            let _heard = scoped(&other.device, || ending = compare(way, gpu, other, &stream));
            ending
        });
        for milliseconds in [0, 1, 5, 20] {
            let case = format!("{name}/lost/after_{milliseconds}_ms");
            table.case(&case, Expect::Refused(&["Device"], ""), || {
                let gpu = lab.device();
                lost_after(&gpu, milliseconds, || compare(way, &gpu, &gpu, &stream))
            });
        }
        let mut limits = lab.limits();
        limits.max_buffer_size = 4096;
        let small = lab.device_with(limits).unwrap();
        table.case(&format!("{name}/memory/too_large"), Expect::Refused(&["TooLarge"], ""), || {
            compare(way, &small, &small, &stream)
        });
        table.case(&format!("{name}/memory/just_fits"), Expect::Right, || {
            compare(way, &small, &small, &random_scene(18, 20, 50))
        });
    }
}

fn compare(way: Way, gpu: &Gpu, queue: &Gpu, stream: &Stream) -> Ending {
    right_if(way(gpu, queue, stream)? == reference::bounds(stream))
}
