//! Parsing in a separate process.
//!
//! The child parses the file and throws the tree away. Then this process repeats the work, with the same bytes and with the
//! linked files that the child read. The work is deterministic, so the time, memory and stack that were enough for the child are
//! enough here. The tree is exactly usvg's.
//!
//! The alternative, in which the child writes the tree as SVG text for this process to read, would bound memory better.
//! But usvg does not read everything that it writes: 36 files of resvg's tests came out as different trees, some with
//! different colours (a `saturate` beyond 1) or without an `feImage`.

use crate::check::{LeftOut, check_text, tree, with_large_stack};
use crate::contain::{self, Ended, Messages, Pool, one_line};
use crate::images::{FILES, FilePolicy, Files, Images, NOTES};
use crate::{Error, LARGE_STACK, Limits, text};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use usvg::fontdb::Database;

/// The name of the work.
pub(crate) const WORK: &str = "usvg_guard::parse";

/// How to read drawings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Which files images may link to; none by default.
    pub files: FilePolicy,
    /// Whether text may use the fonts of this machine; true by default.
    pub system_fonts: bool,
    /// More font files for text; none by default.
    pub fonts: Vec<PathBuf>,
    /// The font family for text that names none. If `None`, the default, it is usvg's.
    pub font_family: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            files: FilePolicy::default(),
            system_fonts: true,
            fonts: Vec::new(),
            font_family: None,
        }
    }
}

/// A parsed drawing.
#[derive(Debug)]
pub struct Parsed {
    /// The drawing.
    pub tree: usvg::Tree,
    /// What was left out of it, one line for each.
    pub notes: Vec<String>,
}

/// Parses untrusted drawings. Threads may share it; each parses in its own child.
#[derive(Debug, Default)]
pub struct Guard {
    options: Options,
    pool: Pool,
    fonts: OnceLock<Arc<Database>>,
}

impl Guard {
    /// A guard that has started no process yet.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// Parses an `.svg` or `.svgz` file within the limits, whatever it contains.
    ///
    /// The program's `main` must begin with [`contain::serve`](crate::contain::serve). The child gets half of the time limit, and
    /// the other half is for parsing here.
    ///
    /// Cost: twice [`parse_here`](Self::parse_here), plus the messages; about 2 ms more than usvg on average in a debug build.
    /// The first call also starts a process.
    ///
    /// # Errors
    /// If the file is damaged or exceeds a limit; [`Error::Stopped`] if the child was stopped or crashed.
    pub fn parse(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        let files = self.contained(bytes, limits)?;
        self.read(bytes, limits, files).map(|(parsed, _)| parsed)
    }

    /// Checks whether [`parse`](Self::parse) would read the file. This process stays small: it holds only the bytes of the file
    /// and of the files that it links to.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn check(&self, bytes: &[u8], limits: &Limits) -> Result<(), Error> {
        self.contained(bytes, limits).map(|_| ())
    }

    /// Parses a file in this process, for programs that cannot start others.
    ///
    /// It limits bytes, elements, nesting, attributes and the expansion of entities, and leaves out circular references.
    /// Circular references through a style sheet are not found: they can overflow the stack, which ends the program. **Time and
    /// memory are not limited**: a file of a few kilobytes may take hours (a pattern of ten patterns of ten ...) or all memory,
    /// which also ends the program. So call it only where something else can end the work, such as WebAssembly in a worker of a
    /// page. Panics of usvg are returned as errors where panics unwind.
    ///
    /// # Errors
    /// If the file is damaged or exceeds a limit.
    pub fn parse_here(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        let files = Files::new(&self.options.files);
        self.read(bytes, limits, files).map(|(parsed, _)| parsed)
    }

    /// Lets a child parse the file, and returns the files that it linked to.
    fn contained(&self, bytes: &[u8], limits: &Limits) -> Result<Files, Error> {
        if bytes.len() as u64 > limits.bytes {
            return Err(Error::too_many("the bytes of the file", limits.bytes));
        }
        let contained = contain::Limits {
            time: limits.time,
            memory: limits.memory.saturating_add(LARGE_STACK as u64),
            // The child sends the linked files.
            message_bytes: limits.image_bytes.saturating_add(1 << 16),
            answer_bytes: limits.image_bytes.saturating_mul(FILES).saturating_add(1 << 20),
        };
        let (mut files, mut refused) = (Files::default(), None);
        let mut take = |message: &[u8]| {
            match split(message) {
                Some((Answer::File(href, None), data)) => {
                    files.known.insert(href, Ok(Arc::new(data.to_vec())));
                }
                Some((Answer::File(href, Some(why)), _)) => {
                    files.known.insert(href, Err(why));
                }
                Some((Answer::Refused(why), _)) => refused = Some(why),
                None => refused = Some(Error::Unreadable("the child's answer is broken".into())),
            }
            ControlFlow::Continue(())
        };
        self.pool.run(WORK, &[&head(&(&self.options, limits)), bytes], &contained, &mut take)?;
        refused.map_or(Ok(files), Err)
    }

    /// Parses a file in this process, with its linked files from `files`.
    fn read(&self, bytes: &[u8], limits: &Limits, files: Files) -> Result<(Parsed, Files), Error> {
        with_large_stack(|| {
            check_text(&text::text(bytes, limits)?, limits, |checked| {
                let images = Images::with(checked, limits, files);
                let mut parsing = usvg::Options {
                    fontdb: self.fonts(),
                    image_href_resolver: images.resolver(),
                    ..usvg::Options::default()
                };
                if let Some(family) = &self.options.font_family {
                    parsing.font_family.clone_from(family);
                }
                let tree = tree(checked.document, &parsing)?;
                drop(parsing);
                let left_out = checked.left_out.iter().take(NOTES);
                let note = |one: &LeftOut| {
                    one_line(&format!("{} of {}: {}", one.what, one.element, one.why))
                };
                let (more, files) = images.finish();
                let notes = left_out.map(note).chain(more).collect();
                Ok((Parsed { tree, notes }, files))
            })
        })?
    }

    /// The fonts, which are loaded once.
    fn fonts(&self) -> Arc<Database> {
        let load = || {
            let mut fonts = Database::new();
            if self.options.system_fonts {
                fonts.load_system_fonts();
            }
            for file in &self.options.fonts {
                // A missing font is ignored, as in usvg.
                let _ = fonts.load_font_file(file);
            }
            Arc::new(fonts)
        };
        self.fonts.get_or_init(load).clone()
    }
}

/// One message from the child.
#[derive(Serialize, Deserialize)]
enum Answer {
    /// A linked file, whose bytes follow, or the reason why it could not be read.
    File(String, Option<String>),
    Refused(Error),
}

/// The length of a value and the value, to be followed by other bytes.
fn head(value: &impl Serialize) -> Vec<u8> {
    let value = serde_json::to_vec(value).unwrap_or_default();
    [&(value.len() as u64).to_le_bytes(), &value[..]].concat()
}

/// The value at the start, and the bytes after it.
fn split<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (head, rest) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(head).ok()?, rest))
}

/// Does a job in the child, which answers with the files that it read, or with the error.
pub(crate) fn work(job: &[u8], out: &mut Messages) -> Result<(), String> {
    // A worker serves one guard.
    static GUARD: OnceLock<Guard> = OnceLock::new();
    let ((options, limits), bytes) = split::<(_, Limits)>(job).ok_or("the job is broken")?;
    let guard = GUARD.get_or_init(|| Guard::new(options));
    // The time to load fonts does not count.
    guard.fonts();
    let start = Instant::now();
    let read = guard.read(bytes, &limits, Files::new(&guard.options.files));
    // The other half of the time is for the parent, which does the same again.
    if start.elapsed() > limits.time / 2 {
        return Err(Ended::Time { limit: limits.time }.to_string());
    }
    let mut send = |answer: Answer, data: &[u8]| {
        out.send(&[&head(&answer), data].concat()).map_err(|error| error.to_string())
    };
    match read {
        Err(why) => send(Answer::Refused(why), &[]),
        Ok((_, files)) => files.known.into_iter().try_for_each(|(href, file)| match file {
            Ok(data) => send(Answer::File(href, None), &data),
            Err(why) => send(Answer::File(href, Some(why)), &[]),
        }),
    }
}
