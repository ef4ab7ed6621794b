//! What is told of a drawing, brought to files and to the terminal.

use crate::{
    failure::{Failure, one_line},
    notes,
    outputs::Outputs,
    progress::Progress,
    table,
    wire::{Message, Output, Sink},
};

/// Takes what is told of one drawing; nothing of it is to be seen before all of it is there.
pub(crate) struct Delivery<'a> {
    outputs: Outputs,
    progress: &'a Progress,
    rows: Vec<Vec<String>>,
    line: String,
    text: String,
    notes: Vec<String>,
    size: Option<[u32; 2]>,
}

/// How much of it a person reads, and where.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// No table, no notes.
    pub(crate) quiet: bool,
    /// Standard output is for data, the table goes to standard error.
    pub(crate) pipes: bool,
    /// There are several drawings: a line each, no tables.
    pub(crate) is_one_of_several: bool,
}

impl<'a> Delivery<'a> {
    /// To these outputs.
    pub(crate) fn new(outputs: Outputs, progress: &'a Progress) -> Self {
        let (rows, line, text) = (Vec::new(), String::new(), String::new());
        Self { outputs, progress, rows, line, text, notes: Vec::new(), size: None }
    }

    /// The step that comes next.
    pub(crate) fn step(&self, what: &str) {
        self.progress.step(what);
    }

    /// Puts the outputs in place, and tells the rest.
    ///
    /// # Errors
    /// What cannot be written.
    pub(crate) fn finish(mut self, manner: Manner) -> Result<(), Failure> {
        if let (Some([width, height]), Some(file)) = (self.size, self.outputs.picture()) {
            let picture = format!("{file}, {width} x {height} pixels");
            self.line.push_str(&format!(", {file}"));
            self.rows.push(vec!["picture".into(), picture]);
        }
        self.outputs.commit()?;
        self.progress.finish();
        if manner.quiet {
            return Ok(());
        }
        let told = match manner.is_one_of_several {
            true => format!("{}\n", one_line(&self.line)),
            false => table::text(&self.rows, manner.pipes),
        };
        table::say(&format!("{told}{}", self.text), manner.pipes)?;
        notes::print(self.notes.iter());
        Ok(())
    }
}

impl Sink for Delivery<'_> {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        match message {
            Message::Step(what) => self.progress.step(what),
            Message::Row(cells) => self.rows.push(cells),
            Message::Line(line) => self.line = line,
            Message::Text(text) => self.text.push_str(&text),
            Message::Note(note) => self.notes.push(note),
            Message::Size(size) => {
                self.size = Some(size);
                self.outputs.restart(Output::Picture);
            }
            Message::Data { to, bytes, .. } => self.outputs.add(to, &bytes)?,
            Message::Boxes | Message::Done(_) => {}
        }
        Ok(())
    }
}
