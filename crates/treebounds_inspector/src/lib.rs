//! The inspector: one HTML file that shows why every box of a drawing is where it is.
//!
//! [`html`] puts a report (`treebounds.report/1`, see `REPORT.md` of `treebounds_report`) and its drawing into the page:
//! plain HTML, CSS and ES modules, from the folder `page`. The page is self-contained, and its [content security
//! policy](https://www.w3.org/TR/CSP3/) allows no network. The browser shows the drawing as an image, so no script in it
//! runs.
//!
//! [`Diff`] lists the differences between two reports, for a terminal, for other programs, and for [`html_of_diff`], which
//! shows both drawings together.
//!
//! ```
//! use treebounds_inspector::{Exhibit, html};
//! let report = r#"{"schema": "treebounds.report/1", "source": "dot.svg", "width": 9.0, "height": 9.0,
//!     "viewport": [0, 0, 9, 9], "elements": []}"#;
//! let page = html(&Exhibit { report, ..Exhibit::default() });
//! assert!(page.starts_with("<!doctype html>") && page.contains("id=\"report\""));
//! ```

mod diff;
mod looks;
mod pack;
mod page;

pub use diff::{Change, Diff, Difference, Edges};
pub use page::{Exhibit, MODULES, STYLE, Watched, body, html, html_of_diff};
