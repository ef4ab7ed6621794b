//! Wrong counts on the GPU: more elements than the capacity, more markers than the capacity.

use crate::faults::bench::{Bench, OWN, buffer, encoder};
use crate::faults::lab::Lab;
use crate::faults::subject::Subject;
use crate::faults::table::{Ending, Expect, Table};
use treebounds::Gpu;

/// The words that count, with their offsets: of the params, or of Vello's config.
fn places(name: &str) -> &'static [(&'static str, u64)] {
    if name.starts_with("clip_stage") {
        &[("config/n_draw_objects", 20), ("config/n_clips", 28)]
    } else {
        &[("params/elements", 16)]
    }
}

/// Subject x lie.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    for (name, subject, _) in &lab.subjects {
        let n = subject.elements;
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
                table.case(&case, Expect::Right, || lying(&lab.gpu, subject, *offset, lie));
            }
        }
    }
}

/// The GPU itself writes the count, so that no host sees it. All that there is room for is right.
fn lying(gpu: &Gpu, subject: &Subject, offset: u64, count: u32) -> Ending {
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
