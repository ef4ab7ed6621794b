//! The files that are written: all of them, whole, or none.

use crate::{
    args::{Args, is_stream},
    failure::{Failure, plain},
    input::Input,
};
use std::{
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

/// The outputs asked for, and those that are ready to be put in place.
pub(crate) struct Outputs {
    png: Target,
    /// The picture's path as it was given.
    name: PathBuf,
    json: Option<Target>,
    csv: Option<Target>,
    staged: Vec<(NamedTempFile, PathBuf)>,
}

impl Outputs {
    /// Finds out where everything goes, and what cannot be.
    pub(crate) fn new(args: &Args, input: &Input) -> Result<Self, Failure> {
        let default = || {
            let mut name = input.stem();
            name.push(".bounds.png");
            PathBuf::from(name)
        };
        let name = args.output.clone().unwrap_or_else(default);
        let png = Target::at(&name)?;
        let json = args.json.as_deref().map(Target::at).transpose()?;
        let csv = args.csv.as_deref().map(Target::at).transpose()?;
        let source = input.path().and_then(|path| path.canonicalize().ok());
        let mut taken: Vec<&Path> = source.iter().map(PathBuf::as_path).collect();
        for target in [Some(&png), json.as_ref(), csv.as_ref()].into_iter().flatten() {
            if let Target::File(path) = target {
                if taken.contains(&path.as_path()) {
                    let cause = "this file is the input or another output already";
                    return Err(Failure::usage(cause).about(path.display()));
                }
                taken.push(path);
            }
        }
        Ok(Self { png, name, json, csv, staged: Vec::new() })
    }

    pub(crate) fn png(&mut self, picture: &Picture) -> Result<(), Failure> {
        let png = picture.to_png().map_err(Failure::bad)?;
        write(&self.png, &mut self.staged, &mut |writer| writer.write_all(&png))
    }

    pub(crate) fn json(&mut self, report: &Report<'_>) -> Result<(), Failure> {
        let Some(target) = &self.json else { return Ok(()) };
        write(target, &mut self.staged, &mut |writer| report.write_json(writer))
    }

    pub(crate) fn csv(&mut self, report: &Report<'_>) -> Result<(), Failure> {
        let Some(target) = &self.csv else { return Ok(()) };
        write(target, &mut self.staged, &mut |writer| report.write_csv(writer))
    }

    /// What people call the file of the picture.
    pub(crate) fn picture(&self) -> String {
        self.name.display().to_string()
    }

    /// Puts the files in place.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        for (file, path) in self.staged {
            file.persist(&path)
                .map_err(|error| Failure::bad(plain(&error.error)).about(path.display()))?;
        }
        Ok(())
    }
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
