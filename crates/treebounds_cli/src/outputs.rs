//! The files that are written: all of them, whole, or none.

use crate::{
    failure::{Failure, plain},
    options::{Written, is_stream},
};
use std::{
    collections::HashSet,
    ffi::OsStr,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;
use treebounds_debug::{Picture, Report};

/// Where something is to be written.
enum Target {
    Stdout,
    /// A file to be put in the place of what is there.
    File(PathBuf),
    /// A device or a pipe, which nothing can be put in the place of.
    Special(PathBuf),
}

/// The outputs asked for of one drawing, and those that are ready to be put in place.
pub(crate) struct Outputs {
    picture: Option<(Target, PathBuf)>,
    json: Option<Target>,
    csv: Option<Target>,
    html: Option<(Target, PathBuf)>,
    /// Whether the page is opened when it is in place.
    opens: bool,
    staged: Vec<(NamedTempFile, PathBuf)>,
}

/// What a drawing's outputs are called.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    /// The drawing's name, without its folder and ending.
    pub(crate) stem: &'a OsStr,
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
    pub(crate) fn new(
        written: &Written,
        names: Names<'_>,
        taken: &mut HashSet<PathBuf>,
    ) -> Result<Self, Failure> {
        let picture = match &written.output {
            _ if !written.has_picture() => None,
            Some(path) => Some(names.file(path, ".bounds.png")),
            None => Some(names.default(".bounds.png")),
        };
        let picture = picture.map(|path| Ok((Target::at(&path)?, path))).transpose()?;
        let target = |path: &Option<PathBuf>, ending| {
            path.as_ref().map(|path| Target::at(&names.file(path, ending))).transpose()
        };
        let (json, csv) = (target(&written.json, ".json")?, target(&written.csv, ".csv")?);
        let html = match &written.html {
            Some(path) => Some(names.file(path, ".html")),
            None if written.open => Some(temporary(&names.default(".html"))?),
            None => None,
        };
        let html = html.map(|path| Ok((Target::at(&path)?, path))).transpose()?;
        taken.extend(names.source.and_then(|path| path.canonicalize().ok()));
        let page = html.as_ref().map(|(target, _)| target);
        let all = [picture.as_ref().map(|(target, _)| target), json.as_ref(), csv.as_ref(), page];
        for target in all.into_iter().flatten() {
            if let Target::File(path) = target
                && !taken.insert(path.clone())
            {
                let cause = "this file is the input or another output already";
                return Err(Failure::usage(cause).about(path.display()));
            }
        }
        Ok(Self { picture, json, csv, html, opens: written.open, staged: Vec::new() })
    }

    /// Whether there is to be a picture.
    pub(crate) fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    pub(crate) fn png(&mut self, picture: &Picture) -> Result<(), Failure> {
        let Some((target, _)) = &self.picture else { return Ok(()) };
        let png = picture.to_png().map_err(Failure::bad)?;
        write(target, &mut self.staged, &mut |writer| writer.write_all(&png))
    }

    pub(crate) fn json(&mut self, report: &Report<'_>) -> Result<(), Failure> {
        let Some(target) = &self.json else { return Ok(()) };
        write(target, &mut self.staged, &mut |writer| report.write_json(writer))
    }

    /// Writes the CSV; without its first line, where another drawing's went before it.
    pub(crate) fn csv(&mut self, report: &Report<'_>, is_first: bool) -> Result<(), Failure> {
        let Some(target) = &self.csv else { return Ok(()) };
        let appends = !is_first && matches!(target, Target::Stdout);
        write(target, &mut self.staged, &mut |writer| match appends {
            true => report.append_csv(writer),
            false => report.write_csv(writer),
        })
    }

    /// Whether there is to be a page.
    pub(crate) fn has_page(&self) -> bool {
        self.html.is_some()
    }

    pub(crate) fn html(&mut self, page: &str) -> Result<(), Failure> {
        let Some((target, _)) = &self.html else { return Ok(()) };
        write(target, &mut self.staged, &mut |writer| writer.write_all(page.as_bytes()))
    }

    /// Writes text where JSON goes.
    pub(crate) fn json_text(&mut self, text: &str) -> Result<(), Failure> {
        let Some(target) = &self.json else { return Ok(()) };
        write(target, &mut self.staged, &mut |writer| writeln!(writer, "{text}"))
    }

    /// What people call the file of the picture.
    pub(crate) fn picture(&self) -> Option<String> {
        self.picture.as_ref().map(|(_, path)| path.display().to_string())
    }

    /// Puts the files in place.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        for (file, path) in self.staged {
            file.persist(&path)
                .map_err(|error| Failure::bad(plain(&error.error)).about(path.display()))?;
        }
        match self.html {
            Some((_, path)) if self.opens => open::that_detached(&path)
                .map_err(|error| Failure::bad(plain(&error)).about(path.display())),
            _ => Ok(()),
        }
    }
}

/// A path for this file among temporary files, in a folder that stays.
fn temporary(name: &Path) -> Result<PathBuf, Failure> {
    let folder = tempfile::Builder::new().prefix("svg_clips.").disable_cleanup(true).tempdir();
    folder.map(|folder| folder.path().join(name)).map_err(|error| Failure::bad(plain(&error)))
}

impl Target {
    /// What this path names.
    fn at(path: &Path) -> Result<Self, Failure> {
        if is_stream(path) {
            return Ok(Self::Stdout);
        }
        let fail = |cause: &str| Failure::bad(cause).about(path.display());
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(fail("this is a folder, not a file")),
            Ok(there) if !there.is_file() => Ok(Self::Special(path.into())),
            Ok(there) if there.permissions().readonly() => Err(fail("the file is read-only")),
            _ => Ok(Self::File(resolved(path).map_err(|error| fail(&plain(&error)))?)),
        }
    }
}

/// The path with links followed, so that a link stays one. The folder must be
/// there, the file need not.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    if let Ok(path) = path.canonicalize() {
        return Ok(path);
    }
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    Ok(folder.canonicalize()?.join(name))
}

/// Something that writes itself.
type Content<'a> = &'a mut dyn FnMut(&mut dyn Write) -> io::Result<()>;

/// Writes to the target; to a file, beside it, to be put in place later.
fn write(
    target: &Target,
    staged: &mut Vec<(NamedTempFile, PathBuf)>,
    content: Content<'_>,
) -> Result<(), Failure> {
    match target {
        Target::Stdout => match content(&mut io::stdout().lock()) {
            // Whoever read has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => done.map_err(|error| Failure::bad(plain(&error)).about("stdout")),
        },
        Target::Special(path) => File::create(path)
            .and_then(|mut file| content(&mut file))
            .map_err(|error| Failure::bad(plain(&error)).about(path.display())),
        Target::File(path) => {
            let file = beside(path, content)
                .map_err(|error| Failure::bad(plain(&error)).about(path.display()))?;
            staged.push((file, path.clone()));
            Ok(())
        }
    }
}

/// A new file in the same folder, with the permissions of the one it replaces.
fn beside(path: &Path, content: Content<'_>) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let anyone = std::os::unix::fs::PermissionsExt::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(anyone);
    let mut file = builder.prefix(".svg_clips.").tempfile_in(folder)?;
    if let Ok(there) = fs::metadata(path) {
        file.as_file().set_permissions(there.permissions())?;
    }
    content(file.as_file_mut())?;
    Ok(file)
}
