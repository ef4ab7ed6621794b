//! Reads a file and parses its content: a drawing, a report or a scene.

use crate::{
    failure::{Failure, plain, printable},
    options::{Limits, is_stream},
    subject::{Subject, text_of},
    warnings,
};
use std::{
    collections::HashSet,
    ffi::OsString,
    fmt::Display,
    fs::{File, OpenOptions},
    io::{self, Read},
    path::{Path, PathBuf},
};
use treebounds_core::reference;
use treebounds_encoding::svg::{self, Drawing, Media, Options};
use treebounds_inspector::{Exhibit, Watched};
use treebounds_report::{Backend, Findings, ReadReport, Report, Scene, SceneFile, SourceDocument};

/// An input file: a drawing, a report or a scene file.
#[derive(Debug)]
pub struct Input {
    /// The path from the command line, escaped for printing.
    pub name: String,
    /// The file name without its folder, escaped for printing. Reports and pages contain this name, so they reveal no folder
    /// of this machine.
    pub file_name: String,
    /// `None` for standard input.
    path: Option<PathBuf>,
    stem: OsString,
}

/// The maximum size of a report in bytes. Reports are longer than their drawings.
const REPORT_MAX: u64 = 1 << 30;

impl Input {
    /// Creates the input for a path; `-` is standard input.
    pub fn named(path: &Path) -> Self {
        if is_stream(path) {
            let (name, file_name) = ("stdin".to_owned(), "stdin".to_owned());
            return Self { name, file_name, path: None, stem: "stdin".into() };
        }
        let last = path.file_name().unwrap_or(path.as_os_str());
        Self {
            name: printable(&path.to_string_lossy()),
            file_name: printable(&last.to_string_lossy()),
            stem: path.file_stem().unwrap_or_default().into(),
            path: Some(path.into()),
        }
    }

    /// Returns the path, or `None` for standard input.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns the file name without folder and extension.
    pub fn stem(&self) -> OsString {
        self.stem.clone()
    }

    /// Reads the whole file.
    ///
    /// # Errors
    /// Fails if the file is missing, not a regular file, unreadable, or longer than the maximum: 256 MiB for drawings, 1 GiB
    /// for reports.
    pub fn read(&self) -> Result<Vec<u8>, Failure> {
        match &self.path {
            None => self.read_from(&mut io::stdin().lock(), 0),
            Some(path) => {
                let mut file = open(path).map_err(|error| self.bad(plain(&error)))?;
                let length = file.metadata().map_or(0, |about| about.len());
                self.read_from(&mut file, length)
            }
        }
    }

    /// Reads the file, but not much beyond the maximum size for its kind, which the first bytes determine: a drawing
    /// or a report. The file may be longer than `length`.
    fn read_from(&self, file: &mut dyn Read, length: u64) -> Result<Vec<u8>, Failure> {
        let mut data = Vec::new();
        let mut fill = |most: u64| {
            let left = most.saturating_sub(data.len() as u64);
            let read = (&mut *file).take(left).read_to_end(&mut data);
            let read = read.map_err(|error| self.bad(plain(&error)))?;
            // A report contains no zero byte. This stops the reading of sparse files.
            let end = data.get(data.len() - read..).unwrap_or_default();
            Ok((is_json(&data), read > 0 && !(is_json(&data) && end.contains(&0))))
        };
        let drawing_max = usvg_guard::Limits::default().bytes;
        let most = if fill(HEAD)?.0 { REPORT_MAX } else { drawing_max };
        let mut end = HEAD;
        while length <= most && end <= most && fill((end + PART).min(most + 1))?.1 {
            end += PART;
        }
        if length.max(data.len() as u64) > most {
            return Err(self.bad(format!("the file is larger than {} MiB", most >> 20)));
        }
        Ok(data)
    }

    /// Returns the options for parsing. Relative links to images start in the drawing's folder. Only files in that folder
    /// and in `limits.allow_files` may be linked.
    pub fn options(&self, limits: &Limits) -> Options {
        let options = match self.path.as_ref().and_then(|path| path.parent()) {
            None => Options::default(),
            Some(folder) if folder.as_os_str().is_empty() => Options::default().resources_dir("."),
            Some(folder) => Options::default().resources_dir(folder),
        };
        let options = options.media(Media { print: limits.print, dark: limits.dark });
        limits.allow_files.iter().fold(options, Options::allow_files)
    }

    /// Creates a failure about this file.
    pub fn bad(&self, cause: impl Display) -> Failure {
        Failure::bad(cause).about(&self.name)
    }
}

/// Opens a regular file. Opening a named pipe could wait for a writer forever, so the file is opened in non-blocking mode
/// and its type is checked before reading. Pipes opened by the shell (`<(...)`) are accepted.
fn open(path: &Path) -> io::Result<File> {
    let is_descriptor = ["/dev/fd", "/dev/stdin", "/proc/self/fd"];
    if is_descriptor.iter().any(|folder| path.starts_with(folder)) {
        return File::open(path);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path)?;
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    #[cfg(unix)]
    if std::os::unix::fs::FileTypeExt::is_fifo(&kind) {
        return Err(io::Error::other("this is a pipe, not a file; - reads standard input"));
    }
    Err(io::Error::other("this is a device, not a file"))
}

/// The number of bytes that identify a format, and the number of bytes per read.
const HEAD: u64 = 1 << 12;
const PART: u64 = 1 << 24;

/// The note printed for each scene file and shown in its page.
const NO_DRAWING: &str = "this is a scene file, which has no drawing: only boxes are shown";

/// Whether the data starts like JSON, and is therefore a report or a scene file.
fn is_json(data: &[u8]) -> bool {
    data.trim_ascii_start().starts_with(b"{")
}

/// Whether the JSON text names the format of scene files. The text may be truncated.
fn is_scene(text: &str) -> bool {
    let mut values =
        text.split("\"schema\"").skip(1).filter_map(|rest| rest.trim_start().strip_prefix(':'));
    values.next().is_some_and(|value| value.trim_start().starts_with("\"treebounds.scene/"))
}

pub(crate) enum Loaded {
    Drawing(Box<Drawing>),
    Report { report: Box<ReadReport>, scene: Box<Scene> },
    Scene(Box<Scene>),
}

impl Loaded {
    /// Parses an input. Text that begins with a brace is a scene file or a report.
    ///
    /// # Errors
    /// Fails if the data is neither an SVG drawing nor one of these, or exceeds a limit.
    pub(crate) fn from(data: &[u8], input: &Input, limits: &Limits) -> Result<Self, Failure> {
        if let Some(what) = other_format(data) {
            return Err(input.bad(format!("this is {what}, not an SVG drawing")));
        }
        if let Some(text) = str::from_utf8(data).ok().filter(|_| is_json(data)) {
            if is_scene(text) {
                let file = SceneFile::from_json(text).map_err(|error| input.bad(error))?;
                let mut scene = file.scene().map_err(|error| input.bad(error))?;
                scene.notes.push(NO_DRAWING.into());
                return Ok(Self::Scene(Box::new(scene)));
            }
            let report = ReadReport::from_json(text).map_err(|error| input.bad(error))?;
            let scene = report.scene().map_err(|error| input.bad(error))?;
            return Ok(Self::Report { report: Box::new(report), scene: Box::new(scene) });
        }
        let (encoded, warnings) = warnings::during(|| svg::encode(data, &input.options(limits)));
        let mut drawing = encoded.map_err(|error| input.bad(error))?;
        drawing.scene.notes.extend(warnings);
        let mut seen = HashSet::new();
        drawing.scene.notes.retain(|note| seen.insert(note.clone()));
        Ok(Self::Drawing(Box::new(drawing)))
    }

    /// Returns the subject to show. `data` contains the bytes of the file.
    pub(crate) fn subject<'a>(&'a self, name: &'a str, data: &'a [u8]) -> Subject<'a> {
        match self {
            Self::Drawing(drawing) => drawn(drawing, name, data),
            Self::Report { scene, .. } | Self::Scene(scene) => Subject::of_scene(name, scene),
        }
    }
}

fn drawn<'a>(drawing: &'a Drawing, name: &'a str, data: &'a [u8]) -> Subject<'a> {
    Subject {
        name,
        scene: &drawing.scene,
        document: Some(&drawing.document),
        tree: Some(&drawing.tree),
        file: Some(data),
        watched: None,
    }
}

/// A report, with its drawing if there is one.
pub(crate) struct Reported {
    text: String,
    pub(crate) report: ReadReport,
    file: Option<String>,
    drawing: Option<Box<Drawing>>,
}

impl Reported {
    /// Reads a report, or creates the report for a drawing. The boxes are computed on the CPU; all backends give the
    /// same bits.
    ///
    /// # Errors
    /// The errors of [`Loaded::from`].
    pub(crate) fn from(data: &[u8], input: &Input, limits: &Limits) -> Result<Self, Failure> {
        let (text, drawing) = match Loaded::from(data, input, limits)? {
            Loaded::Report { report, .. } => {
                // Serializes only the parsed fields, so that the page contains no field of an unexpected type.
                let text = serde_json::to_string(&report).map_err(|error| input.bad(error))?;
                return Ok(Self { text, report: *report, file: None, drawing: None });
            }
            Loaded::Scene(scene) => (report_on(&scene, None, &input.file_name), None),
            Loaded::Drawing(drawing) => {
                let text = report_on(&drawing.scene, Some(&drawing.document), &input.file_name);
                (text, Some(drawing))
            }
        };
        let text = text.map_err(|error| input.bad(error))?;
        let report = ReadReport::from_json(&text).map_err(|error| input.bad(error))?;
        let file = drawing.as_ref().and_then(|_| text_of(data));
        Ok(Self { text, report, file, drawing })
    }

    pub(crate) fn subject(&self) -> Option<Subject<'_>> {
        self.drawing.as_ref().map(|drawing| drawn(drawing, "", &[]))
    }

    /// Returns the content of the page, including the `measured` drawing.
    pub(crate) fn exhibit<'b>(
        &'b self,
        measured: Option<&'b str>,
        watched: Option<&'b Watched>,
    ) -> Exhibit<'b> {
        Exhibit { report: &self.text, drawing: self.file.as_deref(), measured, watched }
    }
}

fn report_on(
    scene: &Scene,
    document: Option<&SourceDocument>,
    name: &str,
) -> Result<String, Box<dyn std::error::Error>> {
    let bounds = reference::bounds(&scene.stream);
    let mut findings = Findings::new(scene, &bounds)?;
    if let Some(document) = document {
        findings = findings.of(document)?;
    }
    let mut json = Vec::new();
    Report::new(&findings, Backend::Cpu, name).write_json(&mut json)?;
    Ok(String::from_utf8(json)?)
}

/// The magic numbers of unsupported formats, for better error messages.
const FORMATS: [(&[u8], &str); 9] = [
    (b"\x89PNG", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a WebP image"),
    (b"II*\0", "a TIFF image"),
    (b"MM\0*", "a TIFF image"),
    (b"%PDF", "a PDF file"),
    (b"%!PS", "a PostScript file"),
    (b"PK\x03\x04", "a ZIP archive"),
];

fn other_format(data: &[u8]) -> Option<&'static str> {
    if data.get(4..8) == Some(b"ftyp") {
        return Some("an AVIF or HEIC image");
    }
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data).trim_ascii_start();
    let begins = |with: &str| {
        text.get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
    };
    if begins("<!doctype html") || begins("<html") {
        return Some("an HTML page");
    }
    FORMATS.iter().find(|(magic, _)| data.starts_with(magic)).map(|(_, name)| *name)
}
