//! The same picture from fewer commands.
//!
//! | file | contains |
//! |---|---|
//! | `options` | which rules run, and the report of what they did |
//! | `workspace` | runs the rules on a list: measures, culls, occludes, then decides about layers |
//! | `plan` | a measured list, what remains in each layer, and the changes so far |
//! | `rules` | one file per rule |
//! | `coverage` | which pixels an outline covers completely |
//! | `unwrap` | decides which layers stay |
//! | `painter` | a painter that optimizes what it paints |

pub(crate) mod coverage;
pub(crate) mod options;
pub(crate) mod painter;
pub(crate) mod plan;
pub mod rules;
pub(crate) mod unwrap;
pub(crate) mod workspace;
