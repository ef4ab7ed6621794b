//! The format of the pipes between a program and its worker. Numbers are little-endian; a length precedes its bytes.

use std::io::{self, Read, Write};

/// What a worker writes.
pub(super) enum Frame {
    /// It takes jobs from now on.
    Begun,
    Message(Vec<u8>),
    Done,
    Failed(String),
    /// A message is longer than allowed, or there is something else on the pipe.
    TooLong,
}

/// A reason for failure is no longer than this.
const FAILED_MAX: u64 = 4096;

impl Frame {
    /// The next frame, of which no more than so many bytes are read.
    pub(super) fn read(from: &mut impl Read, max: u64) -> io::Result<Self> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = u64::from(u32::from_le_bytes(length));
        if length > if kind == b'f' { FAILED_MAX } else { max } {
            return Ok(Self::TooLong);
        }
        let bytes = read_bytes(from, length)?;
        Ok(match kind {
            b'b' => Self::Begun,
            b'm' => Self::Message(bytes),
            b'd' => Self::Done,
            b'f' => Self::Failed(String::from_utf8_lossy(&bytes).into_owned()),
            _ => Self::TooLong,
        })
    }
}

/// Writes a frame of this kind.
pub(super) fn write_frame(to: &mut impl Write, kind: u8, bytes: &[u8]) -> io::Result<()> {
    let bytes = if kind == b'f' { &bytes[..bytes.len().min(FAILED_MAX as usize)] } else { bytes };
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&[kind])?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Writes what a worker wants to know before its first job.
pub(super) fn write_start(to: &mut impl Write, secret: &str, memory: u64) -> io::Result<()> {
    to.write_all(secret.as_bytes())?;
    to.write_all(&memory.to_le_bytes())
}

/// The limit of memory, if the secret is the right one.
pub(super) fn read_start(from: &mut impl Read, secret: &str) -> io::Result<Option<u64>> {
    let known = read_bytes(from, secret.len() as u64)?;
    Ok(if known == secret.as_bytes() { Some(read_number(from)?) } else { None })
}

pub(super) fn write_job(to: &mut impl Write, work: &str, job: &[&[u8]]) -> io::Result<()> {
    let length: u64 = job.iter().map(|part| part.len() as u64).sum();
    for (length, parts) in [(work.len() as u64, &[work.as_bytes()][..]), (length, job)] {
        to.write_all(&length.to_le_bytes())?;
        parts.iter().try_for_each(|part| to.write_all(part))?;
    }
    to.flush()
}

/// The next work and its job.
pub(super) fn read_job(from: &mut impl Read) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let mut next = || {
        let length = read_number(from)?;
        read_bytes(from, length)
    };
    Ok((next()?, next()?))
}

fn read_number(from: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn read_bytes(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = from.take(length).read_to_end(&mut bytes)?;
    if (read as u64) < length { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}
