//! Binning: ours next to Vello's binning shader, on the same boxes in the same run.

mod strategies;
mod task;

use crate::arguments::{BinsArguments, save};
use crate::arguments::{check_wanted, wanted};
use crate::bins::strategies::{Ours, Vello};
use crate::bins::task::{Binning, Task};
use crate::inputs::xorshift;
use crate::measure::{Harness, Measured, submit};
use crate::report::{dispatches, table};
use anyhow::ensure;
use serde::Serialize;
use treebounds::Gpu;
use treebounds_core::{BinGrid, Rect, reference};

/// The sizes of the viewport: 40, 135, 256 and 4096 bins.
const VIEWPORTS: [[u32; 2]; 4] = [[1920, 1080], [3840, 2160], [4096, 4096], [16_384, 16_384]];

/// No more entries than this are asked for.
const MOST_ENTRIES: usize = 1 << 26;

/// Measures, prints and saves.
pub(crate) fn run(arguments: &BinsArguments) -> anyhow::Result<()> {
    let parts = &arguments.common.inputs;
    let common = &arguments.common;
    ensure!(common.only.is_empty(), "bins measures ours next to Vello's: leave out --only");
    ensure!(!common.rows, "bins prints every row: leave out --rows");
    ensure!(common.figures.is_none(), "bins draws no figure: leave out --figures");
    check_wanted("input", BOXES.iter().map(|input| input.name), parts)?;
    let inputs: Vec<_> = BOXES.iter().filter(|input| wanted(input.name, parts)).collect();
    let grids = grids(&arguments.bins)?;
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let ours = Ours::new(&harness.gpu.device, &arguments.common.binner())?;
    let vello = Vello::new(&harness.gpu.device, arguments.common.checked)?;
    let mut report = Report::new(&harness);
    for grid in grids {
        for n in arguments.common.sizes() {
            for input in &inputs {
                let Some(task) = Task::new(input, grid, n) else { continue };
                let lists = ours.lists(&harness.gpu, &task)?;
                let lists = measure(&harness, &task, &lists, "treebounds")?;
                let pieces = ours.pieces(&harness.gpu, &task)?;
                let pieces = measure_some(&harness, &task, pieces, "treebounds, in pieces")?;
                let vello = vello.bind(&harness.gpu, &task)?;
                let vello = measure_some(&harness, &task, vello, "Vello")?;
                report.add(&task, lists, pieces, vello);
            }
        }
        arguments.common.json.iter().try_for_each(|path| save(path, &report))?;
    }
    println!("{}", report.table());
    Ok(())
}

/// The grids of so many bins; all where nobody says how many.
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
    /// None where it has too many entries.
    fn new(input: &Boxes, grid: BinGrid, n: usize) -> Option<Self> {
        let boxes = input.boxes(&grid, n);
        let touched = |rect: &Rect| {
            let [low, high] = grid.touched(*rect)?;
            Some((high[0] - low[0]) as usize * (high[1] - low[1]) as usize)
        };
        let entries: usize = boxes.iter().filter_map(touched).sum();
        let lists = (entries <= MOST_ENTRIES).then(|| reference::bins(&grid, &boxes))?;
        Some(Self { input: input.name, grid, boxes, lists })
    }
}

/// The same of what could be bound.
fn measure_some(
    harness: &Harness,
    task: &Task,
    binning: Option<impl Binning>,
    name: &str,
) -> anyhow::Result<Option<Measured>> {
    binning.map(|binning| measure(harness, task, &binning, name)).transpose()
}

/// Checked, timed, and checked again.
fn measure(
    harness: &Harness,
    task: &Task,
    binning: &dyn Binning,
    name: &str,
) -> anyhow::Result<Measured> {
    let dispatches = binning.dispatches();
    submit(&harness.gpu, dispatches.iter().map(Box::as_ref))?;
    check(harness, task, binning, name)?;
    let measured = harness.measure(&dispatches)?;
    check(harness, task, binning, name)?;
    Ok(measured)
}

fn check(harness: &Harness, task: &Task, binning: &dyn Binning, name: &str) -> anyhow::Result<()> {
    let found = binning.lists(&harness.gpu)?;
    let wrong = found.iter().zip(&task.lists).position(|(found, expected)| found != expected);
    let n = task.boxes.len();
    let input = task.input;
    ensure!(found.len() == task.lists.len(), "{name}, {input}, n = {n}: not every bin");
    ensure!(wrong.is_none(), "{name}, {input}, n = {n}: the list of bin {wrong:?} is wrong");
    Ok(())
}

/// A family of boxes.
struct Boxes {
    name: &'static str,
    one: fn(&mut Random, [u32; 2], usize) -> [u32; 4],
}

/// Every family.
const BOXES: &[Boxes] = &[
    Boxes { name: "tiny", one: |random, size, _| random.sized(size, [12, 12]) },
    Boxes { name: "text lines", one: |random, size, _| random.sized(size, [400, 20]) },
    Boxes { name: "cards", one: |random, size, _| random.sized(size, [600, 600]) },
    Boxes { name: "one bin", one: |random, _, _| random.sized([200, 200], [12, 12]) },
    Boxes { name: "a large one among 255 tiny", one: one_large },
    Boxes { name: "everything everywhere", one: |_, size, _| [0, 0, size[0], size[1]] },
];

fn one_large(random: &mut Random, size: [u32; 2], at: usize) -> [u32; 4] {
    if at % 256 == 100 { [0, 0, size[0], size[1]] } else { random.sized(size, [12, 12]) }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = xorshift(self.0);
        (((self.0 >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// A box of at most this size somewhere in the viewport.
    fn sized(&mut self, viewport: [u32; 2], most: [u32; 2]) -> [u32; 4] {
        let [x, y] = viewport.map(|side| self.below(side));
        let [width, height] = most.map(|side| 1 + self.below(side));
        [x, y, (x + width).min(viewport[0]), (y + height).min(viewport[1])]
    }
}

impl Boxes {
    /// This many boxes, the same for every call.
    fn boxes(&self, grid: &BinGrid, n: usize) -> Vec<Rect> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let one = |at| {
            let [x0, y0, x1, y1] = (self.one)(&mut random, grid.size(), at).map(|x| x as f32);
            Rect::new(x0, y0, x1, y1)
        };
        (0..n).map(one).collect()
    }
}

/// All figures of a run.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    adapter: String,
    driver: String,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    input: &'static str,
    width: u32,
    height: u32,
    bins: u32,
    n: usize,
    entries: usize,
    ours: Measured,
    /// As `PieceBinner` leaves them.
    pieces: Option<Measured>,
    /// With the clearing of its allocators.
    vello: Option<Measured>,
}

impl Row {
    /// How many times as fast as Vello's our pieces are, which are the same work.
    fn over_vello(&self) -> Option<f64> {
        let (vello, pieces) = (self.vello.as_ref()?, self.pieces.as_ref()?);
        Some(vello.chain.median / pieces.chain.median)
    }

    /// Each dispatch of all three.
    fn dispatches(&self) -> String {
        let some = [Some(&self.ours), self.pieces.as_ref(), self.vello.as_ref()];
        let of = |measured: &Measured| dispatches(&measured.dispatches);
        some.into_iter().flatten().map(of).collect::<Vec<_>>().join("; ")
    }
}

fn micros(measured: Option<&Measured>) -> String {
    measured.map_or_else(|| "-".to_owned(), |measured| format!("{:.1}", measured.chain.median))
}

impl Report {
    fn new(harness: &Harness) -> Self {
        let adapter = &harness.gpu.adapter;
        Self {
            schema: "treebounds.bench.bins/1",
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info),
            rows: Vec::new(),
        }
    }

    fn add(
        &mut self,
        task: &Task,
        ours: Measured,
        pieces: Option<Measured>,
        vello: Option<Measured>,
    ) {
        let [width, height] = task.grid.size();
        self.rows.push(Row {
            input: task.input,
            width,
            height,
            bins: task.grid.bins(),
            n: task.boxes.len(),
            entries: task.entries(),
            ours,
            pieces,
            vello,
        });
    }

    fn table(&self) -> String {
        let headers = [
            "input",
            "bins",
            "n",
            "entries",
            "lists, us",
            "pieces, us",
            "Vello's pieces, us",
            "times as fast",
            "dispatches, us",
        ];
        let mut table = table(headers.map(str::to_owned));
        for row in &self.rows {
            let over = row.over_vello().map(|over| format!("{over:.2}"));
            table.add_row([
                row.input.to_owned(),
                row.bins.to_string(),
                row.n.to_string(),
                row.entries.to_string(),
                micros(Some(&row.ours)),
                micros(row.pieces.as_ref()),
                micros(row.vello.as_ref()),
                over.unwrap_or_else(|| "-".to_owned()),
                row.dispatches(),
            ]);
        }
        format!("{} ({})\n\n{table}", self.adapter, self.driver)
    }
}
