//! Many strips onto one picture, at a cost that does not grow with their size.
//!
//! A strip adds one to every pixel it covers; what a pixel ends with says how
//! much ink it gets. Strips are not filled one by one: each is four changes to a
//! difference array, two in its first row and two in the row after its last. A
//! sweep over the rows keeps the array up to date, and the prefix sum along a
//! row gives the counts. A million boxes cost about as much as a million
//! corners.

use crate::ink::{Pen, Run, Strip};

/// In the row `row`, strips from `x0` to `x1` begin (or end).
#[derive(Clone, Copy, Debug)]
struct Change {
    row: u32,
    x0: u32,
    x1: u32,
    run: Run,
    begins: bool,
}

/// Strips to be inked.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    width: u32,
    height: u32,
    changes: Vec<Change>,
}

impl Sweep {
    pub(crate) fn new([width, height]: [i32; 2]) -> Self {
        Self { width: width.max(0) as u32, height: height.max(0) as u32, changes: Vec::new() }
    }

    /// Adds a strip, cut to the picture.
    pub(crate) fn add(&mut self, strip: Strip) {
        let cut = |x: i32, side: u32| x.clamp(0, side as i32) as u32;
        let (x0, x1) = (cut(strip.x0, self.width), cut(strip.x1, self.width));
        let (y0, y1) = (cut(strip.y0, self.height), cut(strip.y1, self.height));
        if x0 < x1 && y0 < y1 {
            for (row, begins) in [(y0, true), (y1, false)] {
                self.changes.push(Change { row, x0, x1, run: strip.run, begins });
            }
        }
    }

    /// Calls `ink` for every pixel that strips cover, with how many do. `pen`
    /// says where patterns have gaps.
    pub(crate) fn run(mut self, pen: &Pen, mut ink: impl FnMut(u32, u32, u32)) {
        self.changes.sort_unstable_by_key(|change| change.row);
        let mut rows =
            [Run::Solid, Run::Across, Run::Down].map(|_| vec![0_i32; self.width as usize + 1]);
        let mut changes = self.changes.iter().peekable();
        for y in 0..self.height {
            while let Some(change) = changes.next_if(|change| change.row == y) {
                let row = &mut rows[change.run as usize];
                let by = if change.begins { 1 } else { -1 };
                row[change.x0 as usize] += by;
                row[change.x1 as usize] -= by;
            }
            let down = pen.inks(y as i32);
            let mut counts = [0_i32; 3];
            for x in 0..self.width {
                for (count, row) in counts.iter_mut().zip(&rows) {
                    *count += row[x as usize];
                }
                let [solid, across, along] = counts;
                let gapped = if across > 0 && pen.inks(x as i32) { across } else { 0 };
                let count = solid + gapped + if down { along } else { 0 };
                if count > 0 {
                    ink(x, y, count as u32);
                }
            }
        }
    }
}
