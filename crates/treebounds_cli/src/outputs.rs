//! Writes the outputs of a drawing, all or none.

use crate::{
    atomic::{Folder, Staged, put_in_place},
    failure::{Failure, plain},
    options::{Written, is_stream},
    target::{Target, open_special, parent, shown},
    worker::Output,
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::File,
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use tempfile::SpooledTempFile;

/// The outputs of one drawing and the content received so far.
pub(crate) struct Outputs {
    all: Vec<(Output, Place)>,
    /// Keeps the folder of a temporary page alive.
    _folder: Option<Folder>,
    opens: bool,
}

/// The destination of an output and the content received so far.
struct Place {
    target: Target,
    /// The path from the command line, escaped for printing.
    name: String,
    content: Option<Content>,
}

enum Content {
    /// A file that replaces another one.
    File(Staged),
    /// Content for a pipe or a device, written once it is complete.
    Spooled(SpooledTempFile),
}

/// The maximum number of bytes kept in memory for a pipe or a device. Longer content goes to an unnamed file.
const SPOOLED_MAX: usize = 1 << 24;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    /// The drawing's name without extension. In a batch it may include folders.
    pub(crate) stem: &'a OsStr,
    pub(crate) picture: &'a str,
    /// Whether there are several drawings, so that output paths name folders.
    pub(crate) several: bool,
}

/// The combined table of a batch.
#[derive(Default)]
pub(crate) struct Rows {
    /// The table's file; `None` for standard output.
    to: Option<Staged>,
    has_head: bool,
}

impl Rows {
    fn add(&mut self, table: SpooledTempFile) -> io::Result<()> {
        let mut table = BufReader::new(table);
        if std::mem::replace(&mut self.has_head, true) {
            table.skip_until(b'\n')?;
        }
        match &self.to {
            Some(staged) => io::copy(&mut table, &mut staged.file()?).map(drop),
            None => to_stdout(&mut table),
        }
    }
}

fn to_stdout(content: &mut impl io::Read) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    io::copy(content, &mut stdout).and_then(|_| stdout.flush())
}

/// The output files of all drawings, and the folders created for them.
#[derive(Default)]
pub(crate) struct Places {
    taken: HashSet<PathBuf>,
    /// Created folders, innermost first. Empty ones are removed at the end.
    folders: Vec<Folder>,
    /// The combined table and its name.
    rows: Option<(Arc<Mutex<Rows>>, String)>,
}

impl Places {
    pub(crate) fn protect(&mut self, path: Option<&Path>) {
        self.taken.extend(path.and_then(|path| path.canonicalize().ok()));
    }

    /// Creates an output folder if it is missing.
    fn make(&mut self, folder: &Path) -> io::Result<()> {
        let new = Folder::create(folder)?;
        self.folders.splice(0..0, new.into_iter().rev());
        Ok(())
    }

    /// Returns the destination of the combined table.
    fn rows(&mut self, path: &Path) -> Result<Place, Failure> {
        if self.rows.is_none() {
            let name = shown(path);
            let to = match Target::typed(path)? {
                Target::File(file) if !self.taken.insert(file.clone()) => return Err(taken(name)),
                Target::File(file) => {
                    let staged = Staged::beside(&file);
                    Some(staged.map_err(|error| Failure::bad(plain(&error)).about(&name))?)
                }
                Target::Stdout => None,
                _ => {
                    let cause =
                        "several drawings cannot be written to a device; - is standard output";
                    return Err(Failure::usage(cause).about(name));
                }
            };
            self.rows = Some((Arc::new(Mutex::new(Rows { to, has_head: false })), name));
        }
        let (rows, name) = self.rows.clone().unwrap_or_default();
        Ok(Place { target: Target::Rows(rows), name, content: None })
    }

    /// Puts the combined table in place, if it contains at least one drawing.
    ///
    /// # Errors
    /// Fails if the table cannot be put in place.
    pub(crate) fn finish(&mut self) -> Result<(), Failure> {
        let Some((rows, _)) = self.rows.take() else { return Ok(()) };
        let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        put_in_place(rows.to.take().filter(|_| rows.has_head).into_iter().collect())
    }
}

enum Named {
    /// A path from the command line.
    Typed(PathBuf),
    /// A name chosen by this program. Because the name is predictable, anyone who may write in the folder could plant a
    /// link there; such a link is replaced, not followed.
    Chosen(PathBuf),
}

impl Names<'_> {
    fn chosen(&self, ending: &str) -> PathBuf {
        let mut name = self.stem.to_owned();
        name.push(ending);
        name.into()
    }

    /// Returns the typed path, or a file inside it if it is a folder.
    fn typed(&self, path: &Path, ending: &str, places: &mut Places) -> Result<Named, Failure> {
        let is_folder = ends_in_separator(path);
        if is_stream(path) || !(is_folder || self.several) {
            return Ok(Named::Typed(path.to_owned()));
        }
        if path.extension().is_some() && !is_folder && !path.is_dir() {
            let name = shown(path);
            let cause = format!("several drawings need a folder; {name}/ makes one of this name");
            return Err(Failure::usage(cause).about(name));
        }
        self.inside(path, ending, places)
    }

    /// Returns a file in `folder`, which is created if missing.
    fn inside(&self, folder: &Path, ending: &str, places: &mut Places) -> Result<Named, Failure> {
        let path = folder.join(self.chosen(ending));
        let made = places.make(parent(&path));
        made.map_err(|error| Failure::bad(plain(&error)).about(shown(parent(&path))))?;
        Ok(Named::Chosen(path))
    }

    /// Whether the path gets one combined table: it is standard output or a file name.
    fn is_table(&self, path: &Path) -> bool {
        let is_file = path.extension().is_some() && !ends_in_separator(path) && !path.is_dir();
        self.several && (is_stream(path) || is_file)
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

fn taken(name: String) -> Failure {
    Failure::usage("this file is an input or another output already").about(name)
}

impl Outputs {
    /// Decides where every output goes.
    ///
    /// # Errors
    /// Fails if two outputs, of this or another drawing, would go to the same file, if an output would replace the
    /// drawing, or if a destination is not writable.
    pub(crate) fn new(
        written: &Written,
        names: Names<'_>,
        places: &mut Places,
    ) -> Result<Self, Failure> {
        let mut outputs = Self { all: Vec::new(), _folder: None, opens: written.open };
        let files = [
            (Output::Picture, &written.output, names.picture),
            (Output::Json, &written.json, ".json"),
            (Output::Csv, &written.csv, ".csv"),
            (Output::Html, &written.html, ".html"),
        ];
        for (output, path, ending) in files {
            let named = match (output, path) {
                (Output::Picture, _) if !written.has_picture() => continue,
                (Output::Csv, Some(path)) if names.is_table(path) => {
                    outputs.all.push((output, places.rows(path)?));
                    continue;
                }
                (_, Some(path)) => names.typed(path, ending, places)?,
                (Output::Picture, None) => names.inside(Path::new(""), ending, places)?,
                (Output::Html, None) if written.open => {
                    let new = Folder::temporary().map_err(|error| Failure::bad(plain(&error)))?;
                    let folder = outputs._folder.insert(new);
                    Named::Chosen(folder.path().join(names.chosen(ending)))
                }
                _ => continue,
            };
            outputs.add(output, named, places)?;
        }
        Ok(outputs)
    }

    /// Creates outputs that only write lines to standard output.
    ///
    /// # Errors
    /// Fails if standard output is closed.
    pub(crate) fn lines() -> Result<Self, Failure> {
        let mut outputs = Self { all: Vec::new(), _folder: None, opens: false };
        outputs.add(Output::Lines, Named::Typed("-".into()), &mut Places::default())?;
        Ok(outputs)
    }

    fn add(&mut self, output: Output, named: Named, places: &mut Places) -> Result<(), Failure> {
        let (target, path) = match named {
            Named::Typed(path) => (Target::typed(&path)?, path),
            Named::Chosen(path) => (Target::chosen(&path)?, path),
        };
        let name = shown(&path);
        if let Target::File(file) = &target
            && !places.taken.insert(file.clone())
        {
            return Err(taken(name));
        }
        self.all.push((output, Place { target, name, content: None }));
        Ok(())
    }

    fn place(&mut self, output: Output) -> Option<&mut Place> {
        self.all.iter_mut().find(|(its, _)| *its == output).map(|(_, place)| place)
    }

    /// Whether data goes to standard output.
    pub(crate) fn pipes(&self) -> bool {
        let is_stdout = |target: &Target| match target {
            Target::Stdout => true,
            Target::Rows(rows) => rows.lock().unwrap_or_else(PoisonError::into_inner).to.is_none(),
            _ => false,
        };
        self.all.iter().any(|(_, place)| is_stdout(&place.target))
    }

    /// Returns the name of the output's destination, escaped for printing.
    pub(crate) fn name(&self, output: Output) -> Option<&str> {
        self.all.iter().find(|(its, _)| *its == output).map(|(_, place)| &*place.name)
    }

    /// Appends to an output. Ignores outputs that were not requested.
    pub(crate) fn write(&mut self, output: Output, bytes: &[u8]) -> Result<(), Failure> {
        match self.place(output) {
            Some(place) => place.write(bytes).map_err(|error| place.fail(&error)),
            None => Ok(()),
        }
    }

    pub(crate) fn discard(&mut self, output: Output) {
        if let Some(place) = self.place(output) {
            place.content = None;
        }
    }

    /// Finishes the complete outputs selected by `which`: writes to pipes and devices, then puts all files in place.
    ///
    /// # Errors
    /// Fails if an output cannot be written.
    pub(crate) fn commit(&mut self, which: impl Fn(Output) -> bool) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (_, place) in self.all.iter_mut().filter(|(output, _)| which(*output)) {
            match place.content.take() {
                Some(Content::Spooled(content)) => {
                    place.pour(content).map_err(|error| place.fail(&error))?;
                }
                Some(Content::File(staged)) => files.push(staged),
                None => {}
            }
        }
        put_in_place(files)
    }

    /// Opens the page in a browser if requested.
    ///
    /// # Errors
    /// Fails if there is no program to open the page, or if that program fails immediately.
    pub(crate) fn open_page(&mut self) -> Result<(), Failure> {
        let opens = self.opens;
        match self.place(Output::Html) {
            Some(Place { target: Target::File(path), name, .. }) if opens => {
                let cause = "the page is written, but no program could be started to show it";
                open::that_detached(path).map_err(|_| Failure::bad(cause).about(name))
            }
            _ => Ok(()),
        }
    }
}

impl Place {
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let content = match self.content.take() {
            Some(content) => content,
            None => match &self.target {
                Target::File(path) => Content::File(Staged::beside(path)?),
                _ => Content::Spooled(SpooledTempFile::new(SPOOLED_MAX)),
            },
        };
        match self.content.insert(content) {
            Content::File(staged) => staged.file()?.write_all(bytes),
            Content::Spooled(spooled) => spooled.write_all(bytes),
        }
    }

    fn pour(&self, mut content: SpooledTempFile) -> io::Result<()> {
        content.seek(SeekFrom::Start(0))?;
        let done = match &self.target {
            Target::Stdout => to_stdout(&mut content),
            Target::Rows(rows) => rows.lock().unwrap_or_else(PoisonError::into_inner).add(content),
            Target::Special(path) => {
                let mut file: File = open_special(path)?;
                io::copy(&mut content, &mut file).map(drop)
            }
            Target::File(_) => Ok(()),
        };
        match done {
            // The reader has closed the pipe early, which is not an error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }

    fn fail(&self, error: &io::Error) -> Failure {
        let name = if matches!(self.target, Target::Stdout) { "stdout" } else { &self.name };
        Failure::bad(plain(error)).about(name)
    }
}
