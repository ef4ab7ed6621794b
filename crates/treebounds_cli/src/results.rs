//! Passes the worker's messages on to the outputs and the terminal.

use crate::{
    Failure, Progress,
    failure::one_line,
    options::{GIB, Quiet},
    outputs::Outputs,
    table,
    worker::{Message, Output, Sink},
};

pub(crate) const PROGRAM: &str = "svg_clips";

/// Collects the results of one drawing. For a single drawing, everything but the picture is written as soon as it is
/// complete. In a batch, everything is written at the end.
pub(crate) struct Results<'a> {
    outputs: Outputs,
    progress: &'a Progress,
    quiet: bool,
    /// Whether standard output is for data, so that the table goes to standard error.
    pipes: bool,
    /// Whether there are several drawings. If so, each gets a line instead of a table.
    pub(crate) several: bool,
    /// Whether the picture was not requested explicitly and may therefore be missing.
    pub(crate) is_extra: bool,
    /// The remaining size limit in bytes, and the whole limit in GiB.
    left: u64,
    max_output: f64,
    rows: Vec<Vec<String>>,
    line: String,
    text: String,
    notes: Vec<String>,
    size: Option<[u32; 2]>,
    /// Whether all reports are complete, and only the picture may be missing.
    has_boxes: bool,
    is_broken: bool,
}

/// A drawing whose outputs have been written.
pub(crate) struct Finished {
    code: u8,
    /// The reason why the picture is missing or the page was not opened.
    incomplete: Option<Failure>,
}

impl Finished {
    /// Returns an error if an output is missing.
    pub(crate) fn complete(self) -> Result<(), Failure> {
        self.incomplete.map_or(Ok(()), Err)
    }

    /// Prints the missing outputs. Returns the exit code.
    pub(crate) fn tell(self, program: &str, file: &str) -> u8 {
        let Some(failure) = self.incomplete else { return self.code };
        let failure = failure.about_if_none(file);
        failure.tell(program);
        failure.code()
    }
}

impl<'a> Results<'a> {
    /// Creates a collector for outputs of at most `max_output` GiB in total.
    pub(crate) fn new(
        outputs: Outputs,
        progress: &'a Progress,
        quiet: Quiet,
        max_output: f64,
    ) -> Self {
        Self {
            pipes: outputs.pipes(),
            several: false,
            is_extra: false,
            quiet: quiet.quiet,
            outputs,
            progress,
            left: (max_output * GIB) as u64,
            max_output,
            rows: Vec::new(),
            line: String::new(),
            text: String::new(),
            notes: Vec::new(),
            size: None,
            has_boxes: false,
            is_broken: false,
        }
    }

    /// Puts the outputs in place, and prints the table and the notes. If only the picture failed, writes everything else.
    ///
    /// # Errors
    /// Returns the error in `worked` unless only the picture failed. Fails if an output cannot be written.
    pub(crate) fn finish(mut self, worked: Result<u8, Failure>) -> Result<Finished, Failure> {
        let (mut code, mut incomplete) = match worked {
            Err(failure) if !self.has_boxes || self.is_broken => return Err(failure),
            Err(failure) => {
                self.outputs.discard(Output::Picture);
                self.size = None;
                (failure.code(), Some(failure.before("there is no picture: ")))
            }
            Ok(code) => (code, None),
        };
        let picture = self.outputs.name(Output::Picture).filter(|name| *name != "-");
        if let (Some([width, height]), Some(file)) = (self.size, picture) {
            self.rows.push(vec!["picture".into(), format!("{file}, {width} x {height} pixels")]);
            self.line.push_str(&format!(", {file}"));
        }
        if self.is_extra
            && let Some(failure) = incomplete.take()
        {
            self.notes.push(failure.to_string());
            code = 0;
        }
        if !self.has_boxes {
            self.name_page();
        }
        self.progress.step("saving");
        let saved = self.outputs.commit(|_| true);
        self.progress.finish();
        saved?;
        self.print()?;
        let opened = self.outputs.open_page().err();
        Ok(Finished { code, incomplete: incomplete.or(opened) })
    }

    /// Writes everything but the picture, and prints the table.
    fn publish(&mut self) -> Result<(), Failure> {
        self.name_page();
        if self.several {
            return Ok(());
        }
        self.outputs.commit(|output| output != Output::Picture)?;
        self.progress.pause(|| self.print())?;
        self.rows.clear();
        self.text.clear();
        self.notes.clear();
        Ok(())
    }

    fn name_page(&mut self) {
        if let Some(file) = self.outputs.name(Output::Html).filter(|name| *name != "-") {
            self.rows.push(vec!["page".into(), file.to_owned()]);
        }
    }

    fn print(&self) -> Result<(), Failure> {
        if self.quiet {
            return Ok(());
        }
        let shown = match self.several {
            true if self.line.is_empty() => String::new(),
            true => format!("{}\n", one_line(&self.line)),
            false => table::aligned(&self.rows, self.pipes),
        };
        table::print(&format!("{shown}{}", self.text), self.pipes)?;
        table::notes(&self.notes);
        Ok(())
    }

    fn accept(&mut self, message: Message) -> Result<(), Failure> {
        match message {
            Message::Step(what) => self.progress.step(what),
            Message::Row(cells) => self.rows.push(cells),
            Message::Line(line) => self.line = line,
            Message::Text(text) => self.text.push_str(&text),
            Message::Note(note) => self.notes.push(note),
            Message::Size(size) => {
                self.size = Some(size);
                self.outputs.discard(Output::Picture);
            }
            Message::Data { to, bytes } => {
                let left = self.left.checked_sub(bytes.len() as u64);
                self.left = left.ok_or_else(|| {
                    let gib = self.max_output;
                    Failure::bad(format!("its outputs exceed {gib} GiB; --max-output allows more"))
                })?;
                self.outputs.write(to, &bytes)?;
            }
            Message::Boxes => {
                self.has_boxes = true;
                self.publish()?;
            }
            Message::Done(_) => {}
        }
        Ok(())
    }
}

impl Sink for Results<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        self.accept(message).inspect_err(|_| self.is_broken = true)
    }
}
