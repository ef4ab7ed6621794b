//! Builds the page as one file: joins the modules into one script and adds the data.

use crate::{Diff, pack::Packed};
use base64::{Engine, prelude::BASE64_STANDARD};
use flate2::{Compression, write::GzEncoder};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io::Write;

/// A report and its drawing, to be shown in a page.
#[derive(Clone, Copy, Debug, Default)]
pub struct Exhibit<'a> {
    /// The report's JSON text. If it is invalid, the page shows the error.
    pub report: &'a str,
    /// The text of the SVG file, if there is one: the source of elements, and the drawing as a browser draws it. The page is
    /// in UTF-8, so the text must not declare another encoding.
    pub drawing: Option<&'a str>,
    /// The measured drawing, as a self-contained SVG text without fonts. The page shows it first.
    pub measured: Option<&'a str>,
    /// The server that announces new versions of the page, if there is one. The page then reloads itself.
    pub watched: Option<&'a Watched>,
}

/// A page that is rewritten repeatedly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    /// The server's address, such as `http://127.0.0.1:8000`. It sends version numbers as server-sent events.
    pub address: String,
    /// The version of this page.
    pub version: u32,
}

macro_rules! modules {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../page/", $name)))),*] };
}

/// The page's ES modules, name and source, in the order of their dependencies. `main.js`, the last, starts the one-file
/// page; a site that shows other drawings imports `app.js` instead.
pub const MODULES: &[(&str, &str)] = modules! {
    "boxes.js" "model.js" "read.js" "words.js" "unpack.js" "why.js" "query.js" "findings.js" "view.js" "paint.js" "heat.js"
    "explode.js" "marks.js" "source.js" "drawings.js" "compare.js" "tree.js" "controls.js" "panels.js" "pointer.js" "stage.js"
    "steps.js" "part.js" "details.js" "legend.js" "keys.js" "watch.js" "app.js" "main.js"
};

/// The page's style sheet.
pub const STYLE: &str = include_str!("../page/style.css");

const INDEX: &str = include_str!("../page/index.html");

/// Returns a page that shows a drawing.
pub fn html(exhibit: &Exhibit<'_>) -> String {
    whole(&data("", exhibit), exhibit.watched)
}

/// Returns a page that shows two drawings and their differences.
pub fn html_of_diff(old: &Exhibit<'_>, new: &Exhibit<'_>, diff: &Diff) -> String {
    let data = [data("", new), data("-old", old), packed("changes-data", &diff.to_json(), "")];
    whole(&data.concat(), new.watched)
}

/// Returns the page's HTML for a site, with this content security policy, with `head` in place of the style sheet and `end`
/// at the end of the body.
pub fn body(policy: &str, head: &str, end: &str) -> String {
    fill(INDEX, &[("policy", policy), ("style", head), ("script", end), ("data", "")])
}

fn whole(data: &str, watched: Option<&Watched>) -> String {
    let script = joined(MODULES);
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src blob: data:; base-uri 'none'; form-action 'none'{}",
        hash(&script),
        hash(STYLE),
        watched.map_or(String::new(), |Watched { address, .. }| format!(
            "; connect-src {}",
            attribute(address)
        ))
    );
    let style = format!("<style>{STYLE}</style>");
    let script = format!("<script type=\"module\">{script}</script>");
    fill(INDEX, &[("policy", &policy), ("style", &style), ("script", &script), ("data", data)])
}

/// Fills the template's placeholders from left to right. Placeholders in the inserted texts are not filled.
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

/// Removes characters that could end an attribute or a part of a policy. Addresses do not need them.
fn attribute(address: &str) -> String {
    address.replace(['"', '<', '&', ';', ' '], "")
}

/// Returns the hash of an inline text, for a policy that allows it.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// The maximum compressed length of a source in a page that also contains the measured drawing.
const SOURCE_MAX: usize = 3 << 20;

/// Returns the page's data for an exhibit.
fn data(which: &str, exhibit: &Exhibit<'_>) -> String {
    let watched = exhibit.watched.map_or(String::new(), |Watched { address, version }| {
        format!(" data-address=\"{}\" data-version=\"{version}\"", attribute(address))
    });
    let (lines, rects, count) = match Packed::new(exhibit.report) {
        Some(Packed { lines, rects, elements }) => {
            (lines, gzip(&rects), format!(" data-elements=\"{elements}\""))
        }
        None => (exhibit.report.to_owned(), Vec::new(), String::new()),
    };
    let measured = exhibit.measured.map(|text| gzip(text.as_bytes()));
    let is_long = |source: &Vec<u8>| source.len() > SOURCE_MAX && measured.is_some();
    let source = exhibit.drawing.map(|text| gzip(text.as_bytes()));
    let source = source.filter(|source| !is_long(source));
    // Every page has the same elements, possibly empty, so that data cannot create one.
    [
        packed(&format!("report{which}"), &lines, &(count + &watched)),
        script(&format!("rects{which}"), &rects, ""),
        script(&format!("svg{which}"), &source.unwrap_or_default(), ""),
        script(&format!("measured{which}"), &measured.unwrap_or_default(), ""),
    ]
    .concat()
}

fn packed(id: &str, text: &str, more: &str) -> String {
    script(id, &gzip(text.as_bytes()), more)
}

/// Returns data in base64, which cannot contain a closing tag.
fn script(id: &str, data: &[u8], more: &str) -> String {
    let data = BASE64_STANDARD.encode(data);
    format!("<script type=\"text/plain\" id=\"{id}\"{more}>{data}</script>\n")
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector cannot fail.
    let written = packed.write_all(data).and_then(|()| packed.finish());
    written.unwrap_or_default()
}

/// Joins the modules into one script. They share one scope, so each top-level name may occur in only one module, which a
/// test checks.
fn joined(modules: &[(&str, &str)]) -> String {
    let mut script = String::new();
    for (name, source) in modules {
        script.push_str("// ");
        script.push_str(name);
        script.push('\n');
        script.push_str(&alone(source));
    }
    script
}

/// Returns a module without its imports and without the keyword `export`.
fn alone(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut in_import = false;
    for line in source.lines() {
        in_import |= line.starts_with("import ");
        if in_import {
            in_import = !line.trim_end().ends_with("\";");
            continue;
        }
        out.push_str(line.strip_prefix("export ").unwrap_or(line));
        out.push('\n');
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn pages_are_small_and_complete() {
        let page = html(&Exhibit { report: "{}", ..Exhibit::default() });
        assert!(page.len() < 500_000, "{} bytes", page.len());
        assert!(!page.contains("{{"), "a place was not filled");
        assert!(
            !page.contains("http://") && !page.contains("https://"),
            "it refers to another place"
        );
        assert!(!page.contains("innerHTML") && !page.contains("eval("));
    }

    #[test]
    fn data_cannot_end_its_script_element() {
        let report = r#"{"source": "</script><script>{{script}}<!-- <script>"}"#;
        let exhibit = Exhibit {
            report,
            drawing: Some("</script>"),
            measured: Some("</script>"),
            ..Exhibit::default()
        };
        let plain = html(&Exhibit { report: "{}", ..Exhibit::default() });
        for word in ["<script", "</script", "<!--", "{{script}}"] {
            assert_eq!(html(&exhibit).matches(word).count(), plain.matches(word).count(), "{word}");
        }
    }

    #[test]
    fn imports_are_removed() {
        let module = "import { a } from \"./a.js\";\nimport {\n    b,\n} from \"./b.js\";\nexport const c = a + b;\n";
        assert_eq!(alone(module), "const c = a + b;\n");
    }

    /// Returns the names declared at the top level of a module.
    fn names(source: &str) -> impl Iterator<Item = &str> {
        source.lines().filter_map(|line| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let rest = ["async function ", "function ", "const ", "let ", "class "]
                .iter()
                .find_map(|word| line.strip_prefix(word))?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        })
    }

    #[test]
    fn top_level_names_are_unique_across_modules() {
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for (module, source) in MODULES {
            for name in names(source) {
                if let Some(other) = owners.insert(name, module) {
                    assert_eq!(other, *module, "`{name}` is a name of {other} and of {module}");
                }
            }
        }
        assert!(owners.len() > 100);
    }

    #[test]
    fn modules_import_existing_names() {
        for (module, source) in MODULES {
            for import in source.split("import {").skip(1) {
                let (wanted, rest) = import.split_once('}').unwrap();
                let file = rest.split('"').nth(1).unwrap().trim_start_matches("./");
                let (_, exporter) = MODULES.iter().find(|(name, _)| *name == file).unwrap();
                for name in wanted.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let has = ["function", "async function", "const", "class"]
                        .iter()
                        .any(|word| exporter.contains(&format!("export {word} {name}")));
                    assert!(has, "{module} imports {name}, which {file} lacks");
                    let uses = source.matches(name).count();
                    assert!(uses > 1, "{module} imports {name} and does not use it");
                }
            }
        }
    }
}
