//! Bounding boxes of the commands of a display list.
//!
//! | file | contains |
//! |---|---|
//! | `pixels` | boxes of whole pixels: rounded outward for touched pixels, inward for covered ones |
//! | `outline` | transformed paths: rectangle detection and touched pixels |
//! | `glyphs` | boxes of glyphs, from their fonts |
//! | `filter` | how far each filter effect moves and spreads pixels |
//! | `draw` | the pixels that a draw can touch |
//! | `commands` | the properties of each command and each layer |
//! | `measure` | computes these properties, command by command |
//! | `stream` | conversion of a list into an element stream |
//! | `layer_plan` | the memory that the layers of a list need |

pub(crate) mod commands;
pub(crate) mod draw;
pub(crate) mod filter;
pub(crate) mod glyphs;
pub(crate) mod layer_plan;
pub(crate) mod measure;
pub(crate) mod outline;
pub(crate) mod pixels;
pub(crate) mod stream;
