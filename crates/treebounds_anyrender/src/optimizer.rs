//! Produces the same picture from fewer commands.
//!
//! | file | contains |
//! |---|---|
//! | `options` | the options, and the report of each rule |
//! | `workspace` | runs the rules on a list: measures, culls, occludes, then decides about layers |
//! | `plan` | a measured list, the remaining content of each layer, and the changes so far |
//! | `rules` | one file per rule |
//! | `coverage` | the pixels that an outline covers completely |
//! | `unwrap` | decides which layers remain |
//! | `painter` | a painter that optimizes its commands |

pub(crate) mod coverage;
pub(crate) mod options;
pub(crate) mod painter;
pub(crate) mod plan;
pub mod rules;
pub(crate) mod unwrap;
pub(crate) mod workspace;
