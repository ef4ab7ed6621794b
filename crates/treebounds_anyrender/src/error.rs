//! Errors of reading a display list.

/// The reason why a display list has no bounds and cannot be optimized.
///
/// The list itself is unchanged and can still be painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A pop without an open layer.
    #[error(
        "command {command} pops a layer, but none is open: push one before it, or leave the pop out"
    )]
    NothingOpen {
        /// The index of the pop.
        command: usize,
    },
    /// Layers are still open at the end.
    #[error(
        "{count} layers are still open at the end, the innermost since command {innermost}: pop each"
    )]
    StillOpen {
        /// The number of open layers.
        count: usize,
        /// The index of the innermost push.
        innermost: usize,
    },
    /// A number is NaN or infinite. Content of invisible layers is not checked.
    #[error("command {command}: {what} has a number that is not finite: give finite numbers")]
    NotFinite {
        /// The index of the command.
        command: usize,
        /// The part of the command that contains the number.
        what: &'static str,
    },
    /// The viewport has a NaN or infinite edge.
    #[error("the viewport has an edge that is not finite: give the size of the target")]
    Viewport,
    /// There are more commands than a stream can have elements.
    #[error("{commands} commands are more than the {most} that one list may have: split the list")]
    TooMany {
        /// The number of commands.
        commands: usize,
        /// The maximum.
        most: usize,
    },
}
