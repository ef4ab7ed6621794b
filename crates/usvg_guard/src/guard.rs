//! Parsing in a process of its own.
//!
//! The child parses the file and throws the tree away. Then this process does the same again, with the bytes that the
//! child had and with the linked files that the child read: the work is deterministic, so it ends in the time, the memory
//! and the stack that the child has shown to be enough. The tree is exactly usvg's.
//!
//! The other way, in which the child writes the tree as SVG text and this process reads that, would bound memory better.
//! But usvg does not read everything that it writes: of the 812 files of resvg's tests 36 came out as other trees, some
//! with other colours (a `saturate` beyond 1) or without an `feImage`.

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

/// How drawings are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Which files images may link to: none.
    pub files: FilePolicy,
    /// Whether the fonts of this machine are used for text: true.
    pub system_fonts: bool,
    /// Further files of fonts: none.
    pub fonts: Vec<PathBuf>,
    /// The family for text that names none: usvg's.
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
    /// What was left out of it, a line each.
    pub notes: Vec<String>,
}

/// Parses drawings that nobody vouches for. Threads may share it; each parses in a child of its own.
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

    /// Parses an `.svg` or `.svgz` file within the limits, whatever is in it.
    ///
    /// The program's `main` must begin with [`contain::serve`](crate::contain::serve). Half of the time is the child's, the
    /// other half is for parsing here. Parsing takes twice as long as
    /// [`parse_here`](Self::parse_here) and a fraction of a millisecond; the first call starts a process.
    ///
    /// # Errors
    /// What is wrong with the file, or too much of it; [`Error::Stopped`] where the child was stopped or crashed.
    pub fn parse(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        let files = self.contained(bytes, limits)?;
        self.read(bytes, limits, files).map(|(parsed, _)| parsed)
    }

    /// Says whether [`parse`](Self::parse) would read the file. This process stays small: it holds the bytes of the file
    /// and of the files that it links to, and nothing else of the drawing.
    ///
    /// # Errors
    /// As of [`parse`](Self::parse).
    pub fn check(&self, bytes: &[u8], limits: &Limits) -> Result<(), Error> {
        self.contained(bytes, limits).map(|_| ())
    }

    /// Parses a file in this process, for programs that cannot start others.
    ///
    /// Counted are bytes, elements, nesting, attributes and what entities expand to, and references in a circle are left
    /// out. **Nothing else is stopped**: a file of a few kilobytes may take hours (a pattern of ten patterns of ten ...), or
    /// all memory, which ends the program. So it belongs where somebody else can end it, such as WebAssembly in a worker of
    /// a page. Panics of usvg are errors, where panics unwind.
    ///
    /// # Errors
    /// What is wrong with the file, or too much of it.
    pub fn parse_here(&self, bytes: &[u8], limits: &Limits) -> Result<Parsed, Error> {
        let files = Files::new(&self.options.files);
        self.read(bytes, limits, files).map(|(parsed, _)| parsed)
    }

    /// Has a child parse the file; the files that it linked to.
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

    /// Parses a file in this process, with linked files from there.
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

    /// The fonts, which are looked for once.
    fn fonts(&self) -> Arc<Database> {
        let load = || {
            let mut fonts = Database::new();
            if self.options.system_fonts {
                fonts.load_system_fonts();
            }
            for file in &self.options.fonts {
                // A font that is not there is not used, as in usvg.
                let _ = fonts.load_font_file(file);
            }
            Arc::new(fonts)
        };
        self.fonts.get_or_init(load).clone()
    }
}

/// What the child answers.
#[derive(Serialize, Deserialize)]
enum Answer {
    /// It read a linked file, whose bytes follow, or could not, for this reason.
    File(String, Option<String>),
    Refused(Error),
}

/// A value with its length, before other bytes.
fn head(value: &impl Serialize) -> Vec<u8> {
    let value = serde_json::to_vec(value).unwrap_or_default();
    [&(value.len() as u64).to_le_bytes(), &value[..]].concat()
}

/// The value that comes first, and the bytes behind it.
fn split<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (head, rest) = rest.split_at_checked(length)?;
    Some((serde_json::from_slice(head).ok()?, rest))
}

/// What the child does with a job: it answers with the files that it read, or the error.
pub(crate) fn work(job: &[u8], out: &mut Messages) -> Result<(), String> {
    // A worker serves one guard.
    static GUARD: OnceLock<Guard> = OnceLock::new();
    let ((options, limits), bytes) = split::<(_, Limits)>(job).ok_or("the job is broken")?;
    let guard = GUARD.get_or_init(|| Guard::new(options));
    // Looking for fonts does not count.
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
