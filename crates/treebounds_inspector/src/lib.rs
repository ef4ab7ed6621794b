//! The inspector: one HTML file in which you see why every box of a drawing is where it is.
//!
//! [`html`] joins a report (`treebounds.report/1`, see `REPORT.md` of `treebounds_report`) and its drawing with the page:
//! plain HTML, CSS and ES modules, the files of the folder `page`. The file needs no network and no other file, and
//! [a content security policy](https://www.w3.org/TR/CSP3/) in it allows none. The browser shows the drawing as an image, so
//! that no script in it runs.
//!
//! [`Diff`] says what differs between two reports, for a terminal, for other programs, and for [`html_of_diff`], where old
//! and new are seen together.
//!
//! ```
//! use treebounds_inspector::{Exhibit, html};
//! let report = r#"{"schema": "treebounds.report/1", "source": "dot.svg", "width": 9.0, "height": 9.0,
//!     "viewport": [0, 0, 9, 9], "elements": []}"#;
//! let page = html(&Exhibit { report, drawing: None });
//! assert!(page.starts_with("<!doctype html>") && page.contains("dot.svg"));
//! ```

mod diff;
mod join;
mod page;

pub use diff::{Change, Diff, Difference, Edges};
pub use page::{Exhibit, MODULES, STYLE, body, html, html_of_diff};
