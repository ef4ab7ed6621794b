//! A browser that shows pages of reports.
#![allow(clippy::unwrap_used, dead_code)]

use crate::drawings::{measured, report_on};
use serde_json::Value;
use std::path::PathBuf;
use treebounds_inspector::{Diff, Exhibit, html, html_of_diff};
use treebounds_report::ReadReport;
use treebounds_testkit::chromium::Browser;

pub(crate) struct Desk {
    pub(crate) browser: Browser,
    pub(crate) folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self {
            browser: Browser::start(1200, 800, &["--disable-gpu"]),
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn write(&self, page: &str) -> PathBuf {
        let path = self.folder.path().join("page.html");
        std::fs::write(&path, page).unwrap();
        path
    }

    pub(crate) fn open(&mut self, page: &str, hash: &str) {
        let path = self.write(page);
        self.browser.open_page(&path, hash);
    }

    pub(crate) fn show(&mut self, report: &str, drawing: &str) {
        let [report, drawing] = [report, drawing].map(Value::from);
        self.browser.run(&format!(
            "inspector.show({report}, {{ source: new Blob([{drawing}], {{ type: 'image/svg+xml' }}) }})"
        ));
    }

    pub(crate) fn open_svg(&mut self, text: &str) {
        let page =
            html(&Exhibit { report: &report_on(text), drawing: Some(text), ..Exhibit::default() });
        self.open(&page, "");
    }

    pub(crate) fn open_diff(&mut self, old: &str, new: &str) {
        let (old_report, new_report) = (report_on(old), report_on(new));
        let [read_old, read_new] =
            [&old_report, &new_report].map(|report| ReadReport::from_json(report).unwrap());
        let (old_measured, new_measured) = (measured(old), measured(new));
        let diff = Diff::with_paint(&read_old, &read_new, [&old_measured, &new_measured]);
        let page = html_of_diff(
            &Exhibit { report: &old_report, drawing: Some(old), ..Exhibit::default() },
            &Exhibit { report: &new_report, drawing: Some(new), ..Exhibit::default() },
            &diff,
        );
        self.open(&page, "");
    }

    pub(crate) fn check_no_complaints(&mut self, about: &str) {
        let said = self.browser.complaints();
        assert!(said.is_empty(), "{about}: {said:?}");
        let failure = self.browser.run("!document.getElementById('failure').hidden && document.getElementById('failure').innerText");
        assert_eq!(failure, Value::Bool(false), "{about}");
    }

    /// Opens the link of the current state in a new page and compares the states.
    pub(crate) fn check_link_restores(&mut self, state: &str) {
        let before = self.browser.run(state);
        // The link is written with a delay.
        std::thread::sleep(std::time::Duration::from_millis(500));
        let hash = self.browser.run("location.hash");
        let path = self.folder.path().join("page.html");
        self.browser.open_page(&path, hash.as_str().unwrap());
        assert_eq!(self.browser.run(state), before, "{hash}");
    }

    pub(crate) fn selected(&mut self) -> String {
        self.browser.text("#why h2")
    }
}
