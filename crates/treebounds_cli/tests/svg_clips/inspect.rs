//! The program's pages, comparisons and lines of boxes, as a shell sees them.

use crate::Folder;
use serde_json::Value;

const OLD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
    <rect id="a" x="10" y="10" width="20" height="20"/><circle id="far" cx="300" cy="9" r="5"/></svg>"#;

/// A folder with `old.svg` and `new.svg`, in which the rectangle has moved.
fn folder() -> Folder {
    let folder = Folder::with("old.svg", OLD);
    folder.write("new.svg", OLD.replace("x=\"10\"", "x=\"40\""));
    folder
}

/// Exit code, standard output, standard error.
fn run(folder: &Folder, args: &[&str]) -> (i32, String, String) {
    let run = crate::Run::from(folder.command(args).output().unwrap());
    (run.code.unwrap(), run.stdout, run.stderr.trim_end().to_owned())
}

#[test]
fn a_difference_is_4_and_told() {
    let folder = folder();
    let (code, out, _) = run(&folder, &["old.svg", "new.svg", "--diff"]);
    assert_eq!(code, 4);
    assert!(out.contains(" moved  draw #a  by 30, 0"), "{out}");
    assert!(out.ends_with("old.svg and new.svg: 1 difference: 1 moved\n"), "{out}");
    let (code, out, _) = run(&folder, &["old.svg", "old.svg", "--diff"]);
    assert_eq!((code, out.as_str()), (0, "old.svg and old.svg: no box differs\n"));
    folder.write("red.svg", OLD.replace("<rect", "<rect fill=\"red\""));
    let (code, out, _) = run(&folder, &["old.svg", "red.svg", "--diff"]);
    assert_eq!(code, 0);
    assert_eq!(out, "old.svg and red.svg: no box differs; 1 element changed paint\n");
    let (code, out, said) = run(&folder, &["old.svg", "new.svg", "--diff", "-q"]);
    assert_eq!((code, out.as_str(), said.as_str()), (4, "", ""));
    assert!(folder.left().is_empty());
}

#[test]
fn a_difference_is_a_list_and_a_page() {
    let folder = folder();
    let (code, out, said) =
        run(&folder, &["old.svg", "new.svg", "--diff", "--json", "-", "--html", "d.html"]);
    assert_eq!(code, 4);
    let diff: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(diff["changes"][0]["change"], "moved");
    assert!(said.contains("1 moved"), "the table makes way: {said}");
    let page = folder.text("d.html");
    assert!(page.contains("id=\"report-old\"") && page.contains("id=\"measured-old\""));
}

#[test]
fn a_page_holds_report_and_drawing() {
    let folder = folder();
    let (code, _, said) = run(&folder, &["old.svg", "--html", "page.html", "-q"]);
    assert_eq!((code, said.as_str()), (0, ""));
    assert_eq!(folder.left(), ["page.html"], "and no picture");
    let page = folder.text("page.html");
    let is_empty = |id: &str| page.contains(&format!("id=\"{id}\"></script>"));
    assert!(!is_empty("svg") && !is_empty("measured") && page.len() < 500_000);
    assert!(page.contains("data-elements=\"2\""), "the report is read, and packed");
    let (code, out, _) = run(&folder, &["old.svg", "--html", "-", "-q"]);
    assert!(code == 0 && out.starts_with("<!doctype html>"));
}

#[test]
fn a_report_is_taken_for_a_drawing() {
    let folder = folder();
    run(&folder, &["old.svg", "--json", "old.json", "-q"]);
    assert_eq!(run(&folder, &["old.json", "old.svg", "--diff", "-q"]).0, 0);
    assert_eq!(run(&folder, &["old.json", "new.svg", "--diff", "-q"]).0, 4);
    let (code, out, _) = run(&folder, &["old.json", "--json", "-", "-q"]);
    let again: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &again["summary"]["draws"]), (0, &Value::from(2)));
    let (code, out, _) = run(&folder, &["old.json", "--html", "-", "-q"]);
    assert!(code == 0 && out.contains("data-elements=\"2\""));
    let text = folder.text("old.json");
    folder.write("cut.json", &text[..text.len() / 2]);
    folder.write("newer.json", text.replace("report/1", "report/2"));
    folder.write("odd.json", text.replace("\"notes\": []", "\"notes\": 5"));
    let files =
        [("cut.json", "not a report"), ("newer.json", "report/2"), ("odd.json", "field `notes`")];
    for (file, words) in files {
        let diff = [file, "old.svg", "--diff", "--html", "page.html"];
        for args in [&[file][..], &diff, &[file, "--document"]] {
            let (code, out, said) = run(&folder, args);
            assert_eq!((code, out.as_str()), (1, ""), "{args:?}");
            assert!(
                said.contains(file) && said.contains(words) && said.lines().count() == 1,
                "{said}"
            );
        }
    }
}

#[test]
fn boxes_come_in_the_form_of_inkscape() {
    let folder = folder();
    let (code, out, _) = run(&folder, &["old.svg", "--document"]);
    assert_eq!((code, out.as_str()), (0, "svg,10,10,20,20\n"));
    let (code, out, _) = run(&folder, &["old.svg", "new.svg", "--query-all"]);
    let expected = "svg,10,10,20,20\na,10,10,20,20\nfar,295,4,10,10\nsvg,40,10,20,20\na,40,10,20,20\nfar,295,4,10,10\n";
    assert_eq!((code, out.as_str()), (0, expected), "nothing cuts the box of an id");
}

#[test]
fn a_group_without_an_id_is_found_by_its_path() {
    let folder = folder();
    let body =
        r#"<g><rect x="1" y="2" width="3" height="4"/><g><rect width="9" height="9"/></g></g>"#;
    let text =
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'>{body}</svg>");
    folder.write("groups.svg", text);
    let (code, csv, _) = run(&folder, &["groups.svg", "--csv", "-", "-q"]);
    let groups: Vec<_> = csv.lines().filter(|line| line.starts_with(",group,")).collect();
    assert_eq!((code, groups.len()), (0, 2), "{csv}");
    assert!(groups[0].starts_with(",group,0,0,9,9,") && groups[0].contains(",svg/g[1],"), "{csv}");
    assert!(groups[1].contains(",svg/g[1]/g[1],"), "{csv}");
    let (_, json, _) = run(&folder, &["groups.svg", "--json", "-", "-q"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["groups"][0]["bounds"], serde_json::json!([0.0, 0.0, 9.0, 9.0]));
    assert_eq!(report["objects"].as_array().unwrap().len(), 1, "and the objects are as before");
}

/// The page is written again when the drawing changes, also after a drawing that is broken.
#[test]
fn a_drawing_is_watched() {
    let folder = folder();
    let args = ["old.svg", "--html", "page.html", "--watch", "-q"];
    let mut watching = folder.command(&args).stderr(std::process::Stdio::null()).spawn().unwrap();
    let wait = |until: &dyn Fn(&str) -> bool| {
        let start = std::time::Instant::now();
        let page = || std::fs::read_to_string(folder.path("page.html")).unwrap_or_default();
        while !until(&page()) {
            assert!(start.elapsed().as_secs() < 60, "the page is not written");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    wait(&|page| page.contains("data-elements=\"2\" data-address=\"http://127.0.0.1:"));
    folder.write("old.svg", "<svg");
    std::thread::sleep(std::time::Duration::from_millis(700));
    folder.write("old.svg", OLD.replace("</svg>", "<path d='M0 0h9v9z'/></svg>"));
    wait(&|page| page.contains("data-elements=\"3\""));
    watching.kill().unwrap();
    watching.wait().unwrap();
    for args in [&["-", "--watch"][..], &["old.svg", "--watch", "--open"]] {
        assert_eq!(run(&folder, args).0, 2, "{args:?}");
    }
}

#[test]
fn wrong_usage_is_2() {
    let folder = folder();
    let wrong: [&[&str]; 7] = [
        &["old.svg", "--diff"],
        &["old.svg", "new.svg", "old.svg", "--diff"],
        &["old.svg", "new.svg", "--diff", "--csv", "-"],
        &["old.svg", "--document", "--query-all"],
        &["old.svg", "--html", "-", "--open"],
        &["old.svg", "--html", "-", "--json", "-"],
        &["old.svg", "new.svg", "--diff", "--json", "new.svg"],
    ];
    for args in wrong {
        assert_eq!(run(&folder, args).0, 2, "{args:?}");
    }
    assert_eq!(folder.text("old.svg"), OLD);
}
