//! What a frame took.

use crate::Sizes;
use std::time::Duration;

/// What a frame needed and how long its stages took.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How often it was rendered: once, and again for each time that a buffer was too small.
    pub attempts: u32,
    /// What it used of the buffers that grow.
    pub used: Sizes,
    /// Draw objects.
    pub draw_objects: u32,
    /// Begins and ends of layers.
    pub clips: u32,
    /// Bytes of GPU memory that the pipeline holds: all buffers and textures of its own.
    pub bytes: u64,
    /// GPU time a stage, in order; empty where times were not asked for, or the
    /// device has no timestamps. The last attempt's.
    pub times: Vec<StageTime>,
}

/// GPU time of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageTime {
    /// Its name, as in Vello's shaders; `clips` is the clip stage, whichever it is.
    pub stage: String,
    /// How long it took.
    pub time: Duration,
}

impl Report {
    /// GPU time of the whole frame.
    pub fn time(&self) -> Duration {
        self.times.iter().map(|stage| stage.time).sum()
    }

    /// GPU time of one stage, if it was measured.
    pub fn time_of(&self, stage: &str) -> Option<Duration> {
        self.times.iter().find(|time| time.stage == stage).map(|time| time.time)
    }
}
