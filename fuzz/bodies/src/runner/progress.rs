//! How far the child is, in a file.

use crate::Outcome;
use std::fs::File;
use std::io::{self, Read, Seek, Write};

/// The number of the input that comes next, and what became of those before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) next: u64,
    pub(super) executions: u64,
    pub(super) outcome: Outcome,
}

impl Progress {
    pub(super) fn write(&self, file: &mut File) -> io::Result<()> {
        let Outcome { accepted, refused, caught } = self.outcome;
        let numbers = [self.next, self.executions, accepted, refused, caught];
        file.rewind()?;
        file.write_all(bytemuck::cast_slice(&numbers))
    }

    /// What was written last; nothing before anything was.
    pub(super) fn read(file: &mut File) -> io::Result<Option<Self>> {
        let mut numbers = [0_u64; 5];
        file.rewind()?;
        match file.read_exact(bytemuck::cast_slice_mut(&mut numbers)) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            other => {
                other?;
                let [next, executions, accepted, refused, caught] = numbers;
                let outcome = Outcome { accepted, refused, caught };
                Ok(Some(Self { next, executions, outcome }))
            }
        }
    }
}
