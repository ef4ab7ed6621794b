//! Which machine computed the bounds.

use serde::Serialize;
use std::fmt;

/// What computed the bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "Fields")]
pub enum Backend {
    /// The sequential reference.
    Cpu,
    /// The kernels.
    Gpu {
        /// The adapter's name, as its driver gives it.
        adapter: String,
    },
}

/// The form that a report has it in.
#[derive(Serialize)]
struct Fields {
    kind: &'static str,
    adapter: Option<String>,
}

impl From<Backend> for Fields {
    fn from(backend: Backend) -> Self {
        match backend {
            Backend::Cpu => Self { kind: "cpu", adapter: None },
            Backend::Gpu { adapter } => Self { kind: "gpu", adapter: Some(adapter) },
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => write!(f, "CPU"),
            Self::Gpu { adapter } => write!(f, "GPU, {adapter}"),
        }
    }
}
