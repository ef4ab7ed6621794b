//! The outputs of a drawing: all of them, whole, or none.

use crate::{
    failure::{Failure, plain},
    options::{Written, is_stream},
    staged::{self, Folder, Staged},
    target::{Target, open_special},
    wire::Output,
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::File,
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};
use tempfile::SpooledTempFile;

/// The outputs asked for of one drawing, and what is ready of them to be put in place.
pub(crate) struct Outputs {
    all: Vec<(Output, Place)>,
    /// The folder of a page that is opened and has no other place.
    folder: Option<Folder>,
    /// Whether the page is opened when it is in place.
    opens: bool,
}

/// An output's place, and what has come for it.
struct Place {
    target: Target,
    /// The path as it was given.
    path: PathBuf,
    content: Option<Content>,
}

enum Content {
    /// Beside the file that it replaces.
    File(Staged),
    /// For what nothing can be put in the place of: written when all of it is there.
    Spooled(SpooledTempFile),
}

/// Longer contents for pipes and devices go to an unnamed file.
const SPOOLED_MAX: usize = 1 << 24;

/// What a drawing's outputs are called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Names<'a> {
    /// The drawing's name, without its folder and ending.
    pub(crate) stem: &'a OsStr,
    /// The picture's ending, where its path is not given.
    pub(crate) picture: &'a str,
    /// The drawing's own file, which is never written to.
    pub(crate) source: Option<&'a Path>,
    /// Whether there are several drawings, and outputs are folders.
    pub(crate) several: bool,
}

impl Names<'_> {
    /// The file of this drawing: the path itself, or in the folder that it is.
    fn file(&self, path: &Path, ending: &str) -> PathBuf {
        let is_whole = !self.several || is_stream(path);
        if is_whole { path.to_owned() } else { path.join(self.default(ending)) }
    }

    fn default(&self, ending: &str) -> PathBuf {
        let mut name = self.stem.to_owned();
        name.push(ending);
        name.into()
    }
}

impl Outputs {
    /// Finds out where everything goes, and what cannot be. No two outputs of any drawing may go to one file.
    ///
    /// # Errors
    /// Two outputs would go to one file, or one to the drawing; or something cannot be written.
    pub(crate) fn new(
        written: &Written,
        names: Names<'_>,
        taken: &mut HashSet<PathBuf>,
    ) -> Result<Self, Failure> {
        let picture = match &written.output {
            _ if !written.has_picture() => None,
            Some(path) => Some(names.file(path, names.picture)),
            None => Some(names.default(names.picture)),
        };
        let mut folder = None;
        let html = match &written.html {
            Some(path) => Some(names.file(path, ".html")),
            None if written.open => {
                let new = Folder::new().map_err(|error| Failure::bad(plain(&error)))?;
                Some(folder.insert(new).path().join(names.default(".html")))
            }
            None => None,
        };
        let file =
            |path: &Option<PathBuf>, ending| path.as_ref().map(|path| names.file(path, ending));
        let paths = [
            (Output::Picture, picture),
            (Output::Json, file(&written.json, ".json")),
            (Output::Csv, file(&written.csv, ".csv")),
            (Output::Html, html),
        ];
        taken.extend(names.source.and_then(|path| path.canonicalize().ok()));
        let mut all = Vec::new();
        for (output, path) in paths {
            let Some(path) = path else { continue };
            let target = Target::at(&path)?;
            if let Target::File(file) = &target
                && !taken.insert(file.clone())
            {
                let cause = "this file is the input or another output already";
                return Err(Failure::usage(cause).about(path.display()));
            }
            all.push((output, Place { target, path, content: None }));
        }
        Ok(Self { all, folder, opens: written.open })
    }

    fn place(&mut self, output: Output) -> Option<&mut Place> {
        self.all.iter_mut().find(|(its, _)| *its == output).map(|(_, place)| place)
    }

    /// What people call the file of the picture.
    pub(crate) fn picture(&self) -> Option<String> {
        let mut all = self.all.iter();
        let (_, place) = all.find(|(output, _)| *output == Output::Picture)?;
        Some(place.path.display().to_string())
    }

    /// Adds to an output; what no one asked for is dropped.
    pub(crate) fn add(&mut self, output: Output, bytes: &[u8]) -> Result<(), Failure> {
        match self.place(output) {
            Some(place) => place.add(bytes).map_err(|error| place.fail(&error)),
            None => Ok(()),
        }
    }

    /// Drops what came for an output.
    pub(crate) fn restart(&mut self, output: Output) {
        if let Some(place) = self.place(output) {
            place.content = None;
        }
    }

    /// Writes to pipes and devices, then puts the files in place.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        let mut files = Vec::new();
        for (_, place) in &mut self.all {
            match place.content.take() {
                Some(Content::Spooled(content)) => {
                    place.pour(content).map_err(|error| place.fail(&error))?;
                }
                Some(Content::File(staged)) => files.push(staged),
                None => {}
            }
        }
        staged::persist(files)
            .map_err(|(path, error)| Failure::bad(plain(&error)).about(path.display()))?;
        let opens = self.opens;
        match self.place(Output::Html) {
            Some(place) if opens => {
                open::that_detached(&place.path).map_err(|error| place.fail(&error))?;
            }
            _ => {}
        }
        // A page that was not opened does not stay.
        if let Some(folder) = self.folder.take() {
            folder.keep();
        }
        Ok(())
    }
}

impl Place {
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
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

    /// Writes to what nothing can be put in the place of.
    fn pour(&self, mut content: SpooledTempFile) -> io::Result<()> {
        content.seek(SeekFrom::Start(0))?;
        let done = match &self.target {
            Target::Stdout => {
                let mut stdout = io::stdout().lock();
                io::copy(&mut content, &mut stdout).and_then(|_| stdout.flush())
            }
            Target::Special(path) => {
                let mut file: File = open_special(path)?;
                io::copy(&mut content, &mut file).map(drop)
            }
            Target::File(_) => Ok(()),
        };
        match done {
            // Whoever read has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done,
        }
    }

    fn fail(&self, error: &io::Error) -> Failure {
        let failure = Failure::bad(plain(error));
        match &self.target {
            Target::Stdout => failure.about("stdout"),
            _ => failure.about(self.path.display()),
        }
    }
}
