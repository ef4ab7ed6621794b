//! The page as one file.

use crate::{Diff, join::joined};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// What a page shows: a report, and the drawing that it is on.
#[derive(Clone, Copy, Debug)]
pub struct Exhibit<'a> {
    /// The report's JSON text. The page says what is wrong with one that it cannot show.
    pub report: &'a str,
    /// The bytes of the `.svg` or `.svgz` file, if there is one.
    pub drawing: Option<&'a [u8]>,
}

macro_rules! modules {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../page/", $name)))),*] };
}

/// The page's ES modules, name and source, in an order in which they can be joined. `main.js`, the last, starts the page
/// as one file; a site that shows other drawings imports `app.js` instead.
pub const MODULES: &[(&str, &str)] = modules! {
    "box.js" "model.js" "words.js" "why.js" "query.js" "pick.js" "heat.js" "layers.js" "dom.js" "view.js" "colors.js"
    "strokes.js" "painter.js" "explode.js" "marks.js" "compare.js" "tree.js" "hash.js" "panels.js" "stage.js" "app.js"
    "main.js"
};

/// The page's style sheet.
pub const STYLE: &str = include_str!("../page/style.css");

const INDEX: &str = include_str!("../page/index.html");

/// The page of one drawing.
pub fn html(exhibit: &Exhibit<'_>) -> String {
    whole(&[json("report", exhibit.report), svg("svg", exhibit.drawing)])
}

/// The page of two drawings and what differs between them.
pub fn html_of_diff(old: &Exhibit<'_>, new: &Exhibit<'_>, diff: &Diff) -> String {
    whole(&[
        json("report", new.report),
        svg("svg", new.drawing),
        json("report-old", old.report),
        svg("svg-old", old.drawing),
        json("changes-data", &diff.to_json()),
    ])
}

/// The page's HTML for a site: this content security policy, this in the head in the place of the style, and this at the
/// end of the body.
pub fn body(policy: &str, head: &str, end: &str) -> String {
    fill(INDEX, &[("policy", policy), ("style", head), ("data", ""), ("script", end)])
}

fn whole(data: &[String]) -> String {
    let script = joined(MODULES);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src blob: data:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let style = format!("<style>{STYLE}</style>");
    let script = format!("<script type=\"module\">{script}</script>");
    fill(
        INDEX,
        &[("policy", &policy), ("style", &style), ("data", &data.concat()), ("script", &script)],
    )
}

/// The template with its places filled, left to right; what is put in is not looked at again.
fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    for (name, text) in places {
        if let Some((before, after)) = rest.split_once(&format!("{{{{{name}}}}}")) {
            out.push_str(before);
            out.push_str(text);
            rest = after;
        }
    }
    out + rest
}

/// How a policy names an inline text that it allows.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// JSON as data in HTML. `<` appears in JSON's strings alone, where its number means the same, so that no text can end the
/// element or begin a comment.
fn json(id: &str, text: &str) -> String {
    format!(
        "<script type=\"application/json\" id=\"{id}\">{}</script>\n",
        text.replace('<', "\\u003c")
    )
}

fn svg(id: &str, file: Option<&[u8]>) -> String {
    let data = BASE64_STANDARD.encode(file.unwrap_or_default());
    format!("<script type=\"text/plain\" id=\"{id}\">{data}</script>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_whole() {
        let page = html(&Exhibit { report: "{}", drawing: None });
        assert!(page.len() < 500_000, "{} bytes", page.len());
        assert!(!page.contains("{{"), "a place was not filled");
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "it refers to another place"
        );
        assert!(!page.contains("innerHTML") && !page.contains("eval("));
    }

    #[test]
    fn nothing_in_the_data_ends_it() {
        let report = r#"{"source": "</script><script>alert(1)</script><!-- <script>"}"#;
        let page = html(&Exhibit { report, drawing: Some(b"</script>") });
        let plain = html(&Exhibit { report: "{}", drawing: None });
        assert_eq!(page.matches("<script").count(), plain.matches("<script").count());
        assert_eq!(page.matches("</script").count(), plain.matches("</script").count());
        assert_eq!(page.matches("<!--").count(), plain.matches("<!--").count());
    }

    #[test]
    fn places_in_the_data_are_not_filled() {
        let page = html(&Exhibit { report: "{\"source\": \"{{script}}\"}", drawing: None });
        assert_eq!(page.matches("{{script}}").count(), 1);
    }
}
