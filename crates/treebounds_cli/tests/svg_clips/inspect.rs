//! Tests pages, comparisons and `--query-all` from a shell.

use crate::{Folder, Run};
use serde_json::Value;

const OLD: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="50">
    <rect id="a" x="10" y="10" width="20" height="20"/><circle id="far" cx="300" cy="9" r="5"/></svg>"#;

/// Creates a folder with `old.svg`, `new.svg` with a moved rectangle, and `red.svg`.
fn folder() -> Folder {
    let folder = Folder::with("old.svg", OLD);
    folder.write("new.svg", OLD.replace("x=\"10\"", "x=\"40\""));
    folder.write("red.svg", OLD.replace("<rect", "<rect fill=\"red\""));
    folder
}

#[test]
fn differences_exit_with_code_4_and_are_listed() {
    let folder = folder();
    let out = folder.check_run("old.svg new.svg --diff", 4);
    assert!(out.contains(" moved  draw #a  by 30, 0"), "{out}");
    assert!(out.ends_with("old.svg and new.svg: 1 difference: 1 moved\n"), "{out}");
    for (args, code, expected) in [
        ("old.svg old.svg --diff", 0, "old.svg and old.svg: no box differs\n"),
        (
            "old.svg red.svg --diff",
            0,
            " repainted  draw #a  20 x 20 at 10, 10\nold.svg and red.svg: 1 difference: 1 repainted\n",
        ),
        ("old.svg red.svg --diff -q --fail-on any", 4, ""),
        ("old.svg new.svg --diff -q", 4, ""),
        ("old.svg new.svg --diff -q --fail-on nothing", 0, ""),
    ] {
        assert_eq!(folder.check_run(args, code), expected);
    }
    assert!(folder.other_files().is_empty());

    let run = folder.run("old.svg new.svg --diff --json - --html d.html");
    let diff: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.code, &diff["changes"][0]["change"]), (Some(4), &"moved".into()));
    assert!(run.stderr.contains("1 moved"), "the table makes way: {run:?}");
    let page = folder.text("d.html");
    assert!(page.contains("id=\"report-old\"") && page.contains("id=\"measured-old\""));
}

#[test]
fn pages_contain_the_report_and_the_drawing() {
    let folder = folder();
    assert_eq!(folder.check_run("old.svg --html page.html -q", 0), "");
    assert_eq!(folder.other_files(), ["page.html"], "and no picture");
    let page = folder.text("page.html");
    let is_empty = |id: &str| page.contains(&format!("id=\"{id}\"></script>"));
    assert!(!is_empty("svg") && !is_empty("measured") && page.len() < 500_000);
    assert!(page.contains("data-elements=\"2\""), "the report is read, and packed");
    assert!(folder.check_run("old.svg --html - -q", 0).starts_with("<!doctype html>"));
}

#[test]
fn reports_are_accepted_as_input() {
    let folder = folder();
    folder.check_run("old.svg --json old.json -q", 0);
    folder.check_run("old.json old.svg --diff -q", 0);
    folder.check_run("old.json new.svg --diff -q", 4);
    assert_eq!(folder.report("old.json")["summary"]["draws"], 2);
    assert!(folder.check_run("old.json --html - -q", 0).contains("data-elements=\"2\""));
    let text = folder.text("old.json");
    // In a folder, scene files are recognized by their suffix.
    std::fs::create_dir(folder.path("frames")).unwrap();
    folder.write("frames/1.scene.json", &text);
    folder.write("frames/other.json", &text);
    let lines = folder.check_run("frames --query-all", 0);
    assert!(lines.lines().all(|line| line.starts_with("frames/1.scene.json:")), "{lines}");

    folder.write("cut.json", &text[..text.len() / 2]);
    folder.write("newer.json", text.replace("report/1", "report/2"));
    folder.write("odd.json", text.replace("\"notes\": []", "\"notes\": 5"));
    for (file, words) in
        [("cut.json", "not a report"), ("newer.json", "report/2"), ("odd.json", "field `notes`")]
    {
        for more in ["", "old.svg --diff --html page.html", "--document"] {
            let Run { code, stdout, stderr } = folder.run(&format!("{file} {more}"));
            assert_eq!((code, &*stdout, stderr.lines().count()), (Some(1), "", 1), "{stderr}");
            assert!(stderr.contains(file) && stderr.contains(words), "{stderr}");
        }
    }
}

#[test]
fn scene_files_are_accepted_as_input() {
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenes/clip_in_clip.json");
    let text = std::fs::read_to_string(assets).unwrap();
    let folder = Folder::with("frame.scene.json", &text);
    folder.write(
        "moved.json",
        text.replace("[0, 0, 100, 100], \"bounds", "[35, 0, 100, 100], \"bounds"),
    );
    let run = folder.run("frame.scene.json --html page.html -o frame.png");
    assert!(
        run.code == Some(0) && run.stderr.contains("scene file, which has no drawing"),
        "{run:?}"
    );
    assert!(run.stdout.contains("4 (1 draw, 3 clips)"), "{run:?}");
    assert!(folder.read("frame.png").starts_with(b"\x89PNG"));
    let page = folder.text("page.html");
    assert!(page.contains("data-elements=\"7\"") && page.contains("id=\"svg\"></script>"));
    assert_eq!(folder.report("frame.scene.json")["elements"][3]["bounds"][0], 30.0);
    assert!(folder.csv("frame.scene.json").contains("\nink,draw,30,30,30,30,"));
    let lines = folder.check_run("frame.scene.json --query-all", 0);
    assert!(
        lines.starts_with("svg,30,30,30,30\na,") && lines.ends_with("ink,0,0,100,100\n"),
        "{lines}"
    );
    folder.write(
        "everywhere.json",
        text.replace("\"rect\": [0, 0, 100, 100]", "\"rect\": \"everything\""),
    );
    let lines = folder.check_run("everywhere.json --query-all", 0);
    assert!(
        lines.ends_with("ink,30,30,30,30\n"),
        "what has no size shows its visible part: {lines}"
    );
    folder.check_run("frame.scene.json frame.scene.json --diff -q", 0);
    let changes = folder.check_run("frame.scene.json moved.json --diff", 4);
    assert!(changes.contains(" draw #ink"), "{changes}");

    folder.write("cut.json", &text[..text.len() / 2]);
    folder.write("newer.json", text.replace("scene/1", "scene/2"));
    folder.write("odd.json", text.replacen("\"rect\": [30, 10, 90, 70]", "\"rect\": 5", 1));
    for (file, words) in [
        ("cut.json", "not a scene file"),
        ("newer.json", "treebounds.scene/2"),
        ("odd.json", "element \"b\": field `elements[1].rect`"),
    ] {
        for more in ["", "frame.scene.json --diff", "--query-all"] {
            let Run { code, stdout, stderr } = folder.run(&format!("{file} {more}"));
            assert_eq!((code, &*stdout, stderr.lines().count()), (Some(1), "", 1), "{stderr}");
            assert!(stderr.contains(file) && stderr.contains(words), "{stderr}");
        }
    }
}

#[test]
fn mismatched_ends_close_the_open_node_in_every_view() {
    let assets = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scenes/open_other_kind.json");
    let folder = Folder::with("odd.json", &std::fs::read_to_string(assets).unwrap());
    let lines = folder.check_run("odd.json --query-all", 0);
    assert!(
        lines.contains("\nclip,15,15,75,75\n") && lines.contains("\nafter,60,60,10,10\n"),
        "{lines}"
    );
    folder.check_run("odd.json odd.json --diff -q", 0);
    assert_eq!(folder.run("odd.json --html page.html").code, Some(0));
}

#[test]
fn query_all_prints_the_format_of_inkscape() {
    let folder = folder();
    assert_eq!(folder.check_run("old.svg --document", 0), "svg,10,10,20,20\n");
    let expected = "old.svg:svg,10,10,20,20\nold.svg:a,10,10,20,20\nold.svg:far,295,4,10,10\n\
        new.svg:svg,40,10,20,20\nnew.svg:a,40,10,20,20\nnew.svg:far,295,4,10,10\n";
    let lines = folder.check_run("old.svg new.svg --query-all", 0);
    assert_eq!(lines, expected, "nothing cuts the box of an id");
    folder.write("tiny.svg", OLD.replace("x=\"10\"", "x=\"-0.00000004\""));
    assert_eq!(folder.check_run("tiny.svg --document", 0), "svg,0,10,20,20\n");
}

#[test]
fn groups_without_id_are_listed_by_path() {
    let text = r#"<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"><g
        ><rect x="1" y="2" width="3" height="4"/><g><rect width="9" height="9"/></g></g></svg>"#;
    let folder = Folder::with("groups.svg", text);
    let csv = folder.csv("groups.svg");
    let groups: Vec<_> = csv.lines().filter(|line| line.starts_with(",group,")).collect();
    assert_eq!(groups.len(), 2, "{csv}");
    assert!(groups[0].starts_with(",group,0,0,9,9,") && groups[0].contains(",svg/g[1],"), "{csv}");
    assert!(groups[1].contains(",svg/g[1]/g[1],"), "{csv}");
    let report = folder.report("groups.svg");
    assert_eq!(report["groups"][0]["bounds"], serde_json::json!([0.0, 0.0, 9.0, 9.0]));
    assert_eq!(report["objects"].as_array().unwrap().len(), 1, "and the objects are as before");
}

/// The page is rewritten when the drawing changes, even after the drawing was broken.
#[test]
fn watch_rewrites_the_page_on_changes() {
    let folder = folder();
    let mut watching = folder.command("old.svg --html page.html --watch");
    let said = std::fs::File::create(folder.path("said")).unwrap();
    let mut watching = watching.stderr(said).stdout(std::process::Stdio::null()).spawn().unwrap();
    let wait = |until: &str| {
        let start = std::time::Instant::now();
        let page = || std::fs::read_to_string(folder.path("page.html")).unwrap_or_default();
        while !page().contains(until) {
            assert!(start.elapsed().as_secs() < 60, "the page is not written");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    wait("data-elements=\"2\" data-address=\"http://127.0.0.1:");
    folder.write("old.svg", "<svg");
    std::thread::sleep(std::time::Duration::from_millis(700));
    folder.write("old.svg", OLD.replace("</svg>", "<path d='M0 0h9v9z'/></svg>"));
    wait("data-elements=\"3\"");
    let said = folder.text("said");
    for words in
        [" UTC watching; Ctrl+C ends\n", " UTC old.svg has changed\n", "svg_clips: old.svg: "]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    watching.kill().unwrap();
    watching.wait().unwrap();
}
