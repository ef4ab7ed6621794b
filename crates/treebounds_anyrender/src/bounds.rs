//! Where the commands of a display list are.
//!
//! | file | contains |
//! |---|---|
//! | `pixels` | boxes of whole pixels: rounded outward for what is touched, inward for what is covered |
//! | `outline` | transformed paths: which are rectangles, and which pixels they touch |
//! | `glyphs` | boxes of glyphs, from their fonts |
//! | `filter` | how far each filter effect moves and spreads pixels |
//! | `draw` | the pixels that a draw can touch |
//! | `commands` | the facts about each command and each layer |
//! | `measure` | finds these facts, command by command |
//! | `stream` | a list as an element stream |
//! | `layer_plan` | how much memory the layers of a list need |

pub(crate) mod commands;
pub(crate) mod draw;
pub(crate) mod filter;
pub(crate) mod glyphs;
pub(crate) mod layer_plan;
pub(crate) mod measure;
pub(crate) mod outline;
pub(crate) mod pixels;
pub(crate) mod stream;
