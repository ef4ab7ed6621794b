//! What the stage is built with, for what is built on it: errors of a device as results, what a buffer
//! holds, kernels that compile side by side.

pub use crate::buffers::{check as check_buffers, create as create_buffer};
pub use crate::read::{read, read_async};
pub use crate::ready::scoped;
pub use crate::side_by_side::side_by_side;
