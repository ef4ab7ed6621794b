//! A frame: its size, its background, and what it took.

use crate::Sizes;
use std::time::Duration;

/// How edges are smoothed. The modes of Vello.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Antialiasing {
    /// The area of a pixel that is covered.
    #[default]
    Area,
    /// Eight samples a pixel.
    Msaa8,
    /// Sixteen samples a pixel.
    Msaa16,
}

/// Size and background of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// What is behind everything.
    pub base_color: peniko::Color,
    /// How edges are smoothed.
    pub antialiasing: Antialiasing,
}

impl Frame {
    /// A transparent frame of this size, smoothed by area.
    pub const fn new(width: u32, height: u32) -> Self {
        Self {
            width,
            height,
            base_color: peniko::Color::TRANSPARENT,
            antialiasing: Antialiasing::Area,
        }
    }
}

/// How much memory and time a frame took.
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
