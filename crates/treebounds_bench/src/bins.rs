//! Compares our binning with a copy kernel and Vello's binning shader.

mod strategies;
mod task;

use crate::arguments::{BinsArguments, check_wanted, wanted};
use crate::bins::strategies::{Lists, Pieces, Vello};
use crate::bins::task::Task;
use crate::contest::{Contest, Strategy};
use crate::inputs::xorshift;
use crate::measure::{Copy, Harness};
use crate::record::{BINS_SCHEMA, Record};
use treebounds::Gpu;
use treebounds_core::{BinGrid, Rect, reference};

/// The viewport sizes, with 40, 135, 256 and 4096 bins.
const VIEWPORTS: [[u32; 2]; 4] = [[1920, 1080], [3840, 2160], [4096, 4096], [16_384, 16_384]];

/// The maximum number of entries.
const MOST_ENTRIES: usize = 1 << 26;

/// Runs the benchmark and reports it. Returns an error at the end if any result was wrong.
pub(crate) fn run(arguments: &BinsArguments) -> anyhow::Result<()> {
    let common = &arguments.common;
    check_wanted("input", BOXES.iter().map(|input| input.name), &common.inputs)?;
    let inputs: Vec<_> = BOXES.iter().filter(|input| wanted(input.name, &common.inputs)).collect();
    let grids = grids(&arguments.bins)?;
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, common.runs)?;
    let (device, checked) = (&harness.gpu.device, common.checked);
    let gpu: Vec<Box<dyn Strategy<Task>>> = vec![
        Box::new(Copy::new(device, checked)?),
        Box::new(Lists::new(device, &common.binner())?),
        Box::new(Pieces::new(device, &common.binner())?),
        Box::new(Vello::new(device, checked)?),
    ];
    let record = Record::new(BINS_SCHEMA, &harness);
    let contest = Contest::new(&harness, gpu, Vec::new(), &common.only, record)?;
    let sizes = common.sizes();
    contest.run(common, (&sizes[..], grids.len() * inputs.len()), false, |contest, n| {
        for grid in &grids {
            let tasks = inputs.iter().filter_map(|input| Task::new(input, *grid, n));
            tasks.for_each(|task| contest.play(&task, true));
        }
    })
}

/// The grids with the wanted numbers of bins, or all grids if `wanted` is empty.
fn grids(wanted: &[u32]) -> anyhow::Result<Vec<BinGrid>> {
    let all = VIEWPORTS.map(|[width, height]| BinGrid::new(width, height));
    let mut grids = all.into_iter().collect::<Result<Vec<_>, _>>()?;
    let has: Vec<u32> = grids.iter().map(BinGrid::bins).collect();
    if let Some(bins) = wanted.iter().find(|bins| !has.contains(bins)) {
        anyhow::bail!("no grid has {bins} bins. There are grids of {has:?}");
    }
    grids.retain(|grid| wanted.is_empty() || wanted.contains(&grid.bins()));
    Ok(grids)
}

impl Task {
    /// Returns `None` if there are too many entries.
    fn new(input: &Boxes, grid: BinGrid, n: usize) -> Option<Self> {
        let boxes = input.boxes(&grid, n);
        let touched = |rect: &Rect| {
            let [low, high] = grid.touched(*rect)?;
            Some((high[0] - low[0]) as usize * (high[1] - low[1]) as usize)
        };
        let entries: usize = boxes.iter().filter_map(touched).sum();
        let lists = (entries <= MOST_ENTRIES).then(|| reference::bins(&grid, &boxes))?;
        let input = format!("{}, {} bins", input.name, grid.bins());
        Some(Self { input, grid, boxes, lists })
    }
}

struct Boxes {
    name: &'static str,
    one: fn(&mut Random, [u32; 2], usize) -> [u32; 4],
}

const BOXES: &[Boxes] = &[
    Boxes { name: "tiny", one: |random, size, _| random.sized(size, [12, 12]) },
    Boxes { name: "text lines", one: |random, size, _| random.sized(size, [400, 20]) },
    Boxes { name: "cards", one: |random, size, _| random.sized(size, [600, 600]) },
    Boxes { name: "one bin", one: |random, _, _| random.sized([200, 200], [12, 12]) },
    Boxes { name: "a large one among 255 tiny", one: large_box_among_tiny },
    Boxes { name: "everything everywhere", one: |_, size, _| [0, 0, size[0], size[1]] },
];

fn large_box_among_tiny(random: &mut Random, size: [u32; 2], at: usize) -> [u32; 4] {
    if at % 256 == 100 { [0, 0, size[0], size[1]] } else { random.sized(size, [12, 12]) }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = xorshift(self.0);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A random box of at most this size inside the viewport.
    fn sized(&mut self, viewport: [u32; 2], most: [u32; 2]) -> [u32; 4] {
        let [x, y] = viewport.map(|side| self.below(side));
        let [width, height] = most.map(|side| 1 + self.below(side));
        [x, y, (x + width).min(viewport[0]), (y + height).min(viewport[1])]
    }
}

impl Boxes {
    /// Creates `n` reproducible boxes.
    fn boxes(&self, grid: &BinGrid, n: usize) -> Vec<Rect> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let one = |at| {
            let [x0, y0, x1, y1] = (self.one)(&mut random, grid.size(), at).map(|x| x as f32);
            Rect::new(x0, y0, x1, y1)
        };
        (0..n).map(one).collect()
    }
}
