//! How much a drawing may take of the machine.

use clap::Args;
use std::{path::PathBuf, time::Duration};

/// How much a drawing may take, in a process of its own.
///
/// | limit | default | where |
/// |---|---|---|
/// | seconds to read the drawing and to compute its boxes | 60 | everywhere |
/// | seconds to paint its picture, besides | 60 | everywhere |
/// | memory: all that is allocated, and the stacks of threads | 4 GiB | Linux |
#[derive(Clone, Debug, Args)]
pub struct Limits {
    /// Seconds that a drawing may be read and computed, and as many again that it may be painted
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    #[arg(help_heading = "Limits", conflicts_with = "trust")]
    pub max_seconds: f64,

    /// Memory that a drawing may take, in GiB, where the system can limit it (Linux)
    #[arg(long, value_name = "GIB", default_value_t = 4.0, value_parser = memory)]
    #[arg(help_heading = "Limits", conflicts_with = "trust")]
    pub max_memory: f64,

    /// Read and paint in this process, without limits of time and memory: for drawings of your own
    #[arg(long, help_heading = "Limits")]
    pub trust: bool,

    /// A folder whose files the drawing may show besides those of its own folder; may be given more
    /// than once
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub allow_files: Vec<PathBuf>,
}

/// What the stack of the thread that reads needs, and a little, in GiB.
const LEAST_MEMORY: f64 = 1.25;
/// A year.
const MOST_SECONDS: f64 = 3.2e7;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MOST_SECONDS => Ok(seconds),
        _ => Err(format!("it must be a number greater than 0, at most {MOST_SECONDS:e}")),
    }
}

fn memory(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(memory) if (LEAST_MEMORY..=1e9).contains(&memory) => Ok(memory),
        _ => Err(format!("it must be a number of at least {LEAST_MEMORY}, at most 1e9")),
    }
}

impl Limits {
    /// The time for the boxes, and again for the picture.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.max_seconds)
    }

    /// Limits this process.
    ///
    /// Of Linux's limits this is the one of data: memory that is private and may be written. The one of address space
    /// would count what drivers of GPUs reserve and never use, up to terabytes.
    #[cfg(unix)]
    pub(crate) fn set(&self) {
        use rlimit::Resource;
        let bytes = (self.max_memory * f64::from(1 << 30)) as u64;
        for (resource, limit) in [(Resource::DATA, bytes), (Resource::CORE, 0)] {
            // Where the system has no such limit, the limit of time remains.
            let _ = resource.get().and_then(|(_, hard)| {
                let limit = limit.min(hard);
                resource.set(limit, limit)
            });
        }
    }

    /// Limits this process: not where there is no Unix; the limit of time remains.
    #[cfg(not(unix))]
    pub(crate) fn set(&self) {}
}
