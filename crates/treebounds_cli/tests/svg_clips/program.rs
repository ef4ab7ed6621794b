//! The program's options, table and exit codes.

use crate::{Folder, Run};
use serde_json::Value;
use std::{fs, io::Write, path::Path, process::Stdio};

const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">
  <clipPath id="square"><rect width="50" height="50"/></clipPath>
  <g id="badge" clip-path="url(#square)">
    <rect id="dot" x="10" y="10" width="30" height="90"/>
    <rect id="hidden" x="60" y="60" width="30" height="30"/>
  </g>
  <g id="glass" opacity="0.5"><rect x="100" y="20" width="50" height="50"/></g>
</svg>"##;

fn folder() -> Folder {
    Folder::with("drawing.svg", DRAWING)
}

/// Width and height of a PNG.
fn png_size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn the_name_of_the_picture_decides_whether_it_is_svg() {
    let folder = folder();
    let run = folder.run(&["drawing.svg", "-o", "boxes.SVG"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let text = folder.text("boxes.SVG");
    let picture = treebounds_encoding::svg::usvg::roxmltree::Document::parse(&text).unwrap();
    let has = |title: &str| picture.descendants().any(|node| node.text() == Some(title));
    assert!(has("draw dot: x 10 to 40, y 10 to 50") && has("clip badge: x 0 to 50, y 0 to 50"));
}

#[test]
fn writes_a_picture_and_prints_a_table() {
    let folder = folder();
    let run = folder.run(&["drawing.svg"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    for word in ["elements", "culled", "deepest nesting", "area saved", "CPU", "time"] {
        assert!(run.stdout.contains(word), "{}", run.stdout);
    }
    assert!(!run.stdout.contains('\u{1b}'), "no colours without a terminal");
    assert_eq!(folder.left(), ["drawing.bounds.png"]);
    assert_eq!(png_size(&folder.read("drawing.bounds.png"))[0], 1000);
}

#[test]
fn quiet_is_quiet() {
    let folder = folder();
    let run =
        folder.run(&["-q", "drawing.svg", "-o", "out.png", "--json", "a.json", "--csv", "a.csv"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
    assert_eq!(folder.left(), ["a.csv", "a.json", "out.png"]);
    let report: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
    assert_eq!(report["schema"], "treebounds.report/1");
    assert_eq!(report["source"], "drawing.svg");
    assert_eq!(report["elements"][0]["id"], "badge");
    assert_eq!(report["elements"][0]["bounds"], serde_json::json!([10.0, 10.0, 40.0, 50.0]));
    let csv = String::from_utf8(folder.read("a.csv")).unwrap();
    let rows = |field: &str| report[field].as_array().unwrap().len();
    let ends = report["summary"]["nodes"].as_u64().unwrap() as usize;
    let all = rows("elements") - ends + rows("objects") + rows("groups");
    assert_eq!(csv.lines().count(), all, "the root has no id");
}

/// Kinds of elements, and levels of the tree.
#[test]
fn a_part_of_the_elements_is_listed() {
    let folder = folder();
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><clipPath id="c"
      ><rect width="9" height="9"/></clipPath><g clip-path="url(#c)"><g opacity=".5"><rect id="r" width="9"
      height="9"/></g></g><rect width="5" height="5"/></svg>"##;
    folder.write("deep.svg", svg);
    let kinds = |args: &[&str]| {
        let run = folder.run(&[&["deep.svg", "--csv", "-", "-q"][..], args].concat());
        let lines = run.stdout.lines().skip(1);
        lines.map(|line| line.split(',').nth(1).unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(kinds(&["--only", "layers"]), "blend");
    assert_eq!(kinds(&["--only", "clips,draws"]), "clip draw draw");
    assert_eq!(kinds(&["--depth", "0"]), "clip draw");
    assert_eq!(kinds(&["--depth", "1"]), "clip blend draw");
    assert_eq!(kinds(&["--id", "r", "--only", "draws"]), "draw");
    assert_eq!(folder.run(&["deep.svg", "--only", "boxes"]).code, Some(2));
}

#[test]
fn data_has_standard_output_for_itself() {
    let folder = folder();
    let run = folder.run(&["drawing.svg", "--json", "-"]);
    assert_eq!(run.code, Some(0));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["summary"]["clips"], 1);
    assert!(run.stderr.contains("elements"), "the table makes way");
    let run = folder.run(&["drawing.svg", "--csv", "-", "-q"]);
    assert!(run.stdout.starts_with("id,kind,x,y,w,h,"));
    assert_eq!(run.stderr, "");
}

#[test]
fn reads_standard_input() {
    let folder = folder();
    let mut child = folder
        .command(&["-", "--backend", "cpu", "--json", "-", "-q"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(DRAWING.as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["source"], "stdin");
    assert_eq!(folder.left(), [""; 0], "data alone is asked for");
}

#[test]
fn an_id_selects_itself_and_what_is_around_it() {
    let folder = folder();
    let run = folder.run(&["drawing.svg", "--id", "dot", "--json", "-", "-q"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let elements = report["elements"].as_array().unwrap();
    let ids: Vec<_> = elements.iter().map(|element| element["id"].as_str()).collect();
    assert_eq!(ids, [Some("badge"), Some("dot"), Some("badge")]);
    folder.fails(&["drawing.svg", "--id", "nobody"], 1, &["drawing.svg", "the id 'nobody'"]);
    folder.fails(&["drawing.svg", "--id", "Bagde"], 1, &["did you mean 'badge'?"]);
    let marked = folder.run(&["drawing.svg", "--id", "#dot", "--json", "-", "-q"]);
    assert_eq!(marked.stdout, run.stdout, "an id may be given as the table prints it");
}

/// The rows of a CSV with this kind: id and the six numbers.
fn rows<'a>(csv: &'a str, kind: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    lines.filter(|row| row[1] == kind).map(|row| (row[0], row[2..8].to_vec())).collect()
}

#[test]
fn every_id_has_a_row_whatever_it_is() {
    let folder = folder();
    let csv = folder.run(&["drawing.svg", "--csv", "-", "-q"]).stdout;
    let objects = rows(&csv, "object");
    let ids: Vec<_> = objects.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["square", "badge", "dot", "hidden", "glass"]);
    assert_eq!(objects[0].1, ["0", "0", "50", "50", "50", "50"], "a clip path");
    assert_eq!(objects[3].1, [""; 6]);
    assert!(csv.contains("outside the clip #square of #badge"), "{csv}");
    for id in ids {
        let run = folder.run(&["drawing.svg", "--id", id, "--csv", "-", "-q"]);
        assert!(rows(&run.stdout, "object").iter().any(|row| row.0 == id), "{}", run.stdout);
    }
    let run = folder.run(&["drawing.svg", "--id", "square", "--no-picture"]);
    assert!(run.stdout.contains("clipPath, x 0 to 50, y 0 to 50"), "{}", run.stdout);
    assert_eq!(folder.left(), [""; 0]);
}

#[test]
fn an_id_is_no_formula_and_cannot_control_a_terminal() {
    let folder = folder();
    let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
        <rect id='=1+1' width='5' height='5'/><rect id='\u{9b}31m' width='5' height='5'/></svg>";
    folder.write("ids.svg", svg);
    let csv = folder.run(&["ids.svg", "--csv", "-", "-q"]).stdout;
    assert!(csv.contains("\n'=1+1,object,0,0,5,5,") && csv.contains("\n\\u{9b}31m,draw,"), "{csv}");
    let json = folder.run(&["ids.svg", "--json", "-", "-q"]).stdout;
    assert!(json.contains("\"=1+1\"") && json.contains('\u{9b}'), "JSON is exact: {json}");
    let lines = folder.run(&["ids.svg", "--query-all"]).stdout;
    assert!(!lines.contains('\u{9b}'), "{lines}");
}

#[test]
fn the_table_says_why_something_is_culled_and_what_saved_area() {
    let folder = folder();
    folder.write(
        "glass.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
         <g id='g' opacity='0'><rect width='9' height='9'/></g>
         <foreignObject id='f' width='5' height='5'/><rect x='20' width='9' height='9'/></svg>",
    );
    let run = folder.run(&["glass.svg", "--no-picture"]);
    for words in [
        "3 (2 draws, 1 layer)\n",
        "3 (2 draws, 1 other)\n",
        "2: opacity 0 of #g",
        "1: outside the canvas",
        "100.0% (opacity 0)",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert_eq!(run.stderr, "note: foreignObject of #f: not painted; it has no box\n");
    let one = folder.run(&["drawing.svg", "--id", "dot", "--no-picture"]).stdout;
    assert!(one.contains("(1 draw, 1 clip)"), "{one}");
    folder.write(
        "blur.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><filter id='f'>
         <feGaussianBlur stdDeviation='1'/></filter><rect width='5' height='5' filter='url(#f)'/></svg>",
    );
    let blurred = folder.run(&["blur.svg", "--no-picture"]).stdout;
    assert!(blurred.contains("(1 draw, 1 layer, 1 filter)"), "{blurred}");
}

#[test]
fn pictures_are_made_where_they_are_wanted() {
    let folder = folder();
    let made = |args: &[&str]| {
        let run = folder.run(&[&["drawing.svg", "-q"], args].concat());
        assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
        let left = folder.left();
        left.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
        left
    };
    assert_eq!(made(&[]), ["drawing.bounds.png"]);
    assert_eq!(made(&["--no-picture"]), [""; 0]);
    assert_eq!(made(&["--csv", "a.csv"]), ["a.csv"]);
    assert_eq!(made(&["--json", "a.json", "-o", "a.png"]), ["a.json", "a.png"]);
}

#[test]
fn several_drawings_go_to_folders_or_one_after_the_other() {
    let folder = folder();
    folder.write("other.svg", DRAWING.replace("badge", "other"));
    fs::create_dir(folder.path("out")).unwrap();
    let run = folder.run(&["drawing.svg", "other.svg", "-o", "out", "--json", "out", "--csv", "-"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut made: Vec<_> =
        fs::read_dir(folder.path("out")).unwrap().map(|file| file.unwrap().file_name()).collect();
    made.sort();
    assert_eq!(made, ["drawing.bounds.png", "drawing.json", "other.bounds.png", "other.json"]);
    assert_eq!(run.stdout.matches("id,kind,").count(), 1, "one line of columns");
    let files = |name: &str| run.stdout.lines().filter(|line| line.ends_with(name)).count();
    assert_eq!(files(",drawing.svg"), files(",other.svg"));
    for name in ["drawing.svg", "other.svg"] {
        let lines: Vec<_> =
            run.stderr.lines().filter(|line| line.starts_with(&format!("{name}: "))).collect();
        assert_eq!(lines.len(), 1, "one line each: {}", run.stderr);
        for words in [" pixels, ", " elements, ", " culled, ", "area saved "] {
            assert!(lines[0].contains(words), "{} lacks {words}", lines[0]);
        }
    }

    folder.write("bad.svg", "<svg");
    for bad in ["bad.svg", "missing.svg", "out"] {
        let run = folder.run(&[bad, "drawing.svg", "-q"]);
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{}", run.stderr);
        assert!(run.stderr.starts_with(&format!("svg_clips: {bad}: ")), "{}", run.stderr);
        fs::remove_file(folder.path("drawing.bounds.png")).unwrap();
    }
    fs::create_dir(folder.path("copy")).unwrap();
    fs::copy(folder.path("drawing.svg"), folder.path("copy/drawing.svg")).unwrap();
    let run = folder.run(&["drawing.svg", "copy/drawing.svg", "-q"]);
    assert_eq!(run.code, Some(2), "two drawings of one name: {}", run.stderr);
}

/// A drawing of 200,001 elements, which is enough for a GPU.
fn large() -> String {
    let row = "<path d='M0 0h1v1z'/>".repeat(500);
    let rows = "<use href='#row'/>".repeat(400);
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>
        <defs><g id='row'>{row}</g></defs>{rows}<rect width='1' height='1'/></svg>"
    )
}

/// With the software Vulkan driver of the tests.
#[cfg(target_os = "linux")]
#[test]
fn auto_asks_for_no_adapter_for_few_elements_and_leaves_a_software_adapter_alone() {
    let folder = folder();
    folder.write("large.svg", large());
    let driver = format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
    assert!(Path::new(&driver).exists(), "no software driver: apt-get install mesa-vulkan-drivers");
    let run = |file, backend| {
        let mut command = folder.command(&[file, "--no-picture", "--backend", backend]);
        Run::from(command.env("VK_DRIVER_FILES", &driver).output().unwrap())
    };
    let auto = run("large.svg", "auto").stdout;
    assert!(auto.contains("CPU, because the only adapter, llvmpipe"), "{auto}");
    let small = run("drawing.svg", "auto");
    assert!(small.stdout.contains("CPU\n") && !small.stdout.contains("start-up"), "{small:?}");
    assert_eq!(small.stderr, "", "no driver is loaded, so none complains");
    let gpu = run("drawing.svg", "gpu").stdout;
    assert!(gpu.contains("software adapter, llvmpipe"), "{gpu}");
    for step in ["reading", "start-up", "kernels", "computing", "readback"] {
        assert!(gpu.contains(step), "{step}: {gpu}");
    }
}

#[test]
fn help_says_what_happens() {
    let folder = folder();
    let help = folder.command(&["--help"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    for words in [
        "--no-picture",
        "--csv",
        "--backend",
        "Exit codes: 0 done",
        "--max-output",
        "--max-seconds",
        "--max-memory",
        "--trust",
        "--allow-files",
        "nested 1,024 deep",
        "STEM.bounds.png",
    ] {
        assert!(help.contains(words), "{words}: {help}");
    }
}

#[test]
fn the_picture_is_as_large_as_asked() {
    let folder = folder();
    for (option, value, width) in
        [("--width", "700", 700), ("--width", "320", 320), ("--scale", "2.5", 500)]
    {
        let run = folder.run(&["drawing.svg", "-q", option, value]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(png_size(&folder.read("drawing.bounds.png"))[0], width);
    }
    assert_eq!(folder.run(&["drawing.svg", "-q", "--width", "1"]).code, Some(0));
    let [width, height] = png_size(&folder.read("drawing.bounds.png"));
    assert!((100..400).contains(&width) && height > 100, "the legend: {width} x {height}");
    let report = folder.run(&["drawing.svg", "-q", "--scale", "3", "--json", "-"]).stdout;
    assert!(report.contains(r#""width": 200.0"#), "boxes stay in SVG pixels");
}

#[test]
fn wrong_usage_is_2() {
    let folder = folder();
    let wrong: [&[&str]; 15] = [
        &[],
        &["drawing.svg", "--nonsense"],
        &["drawing.svg", "drawing.svg"],
        &["drawing.svg", "--backend", "tpu"],
        &["drawing.svg", "--width", "100", "--scale", "2"],
        &["drawing.svg", "--width", "0"],
        &["drawing.svg", "--width", "1000000"],
        &["drawing.svg", "--scale", "0"],
        &["drawing.svg", "--scale=-1"],
        &["drawing.svg", "--scale", "NaN"],
        &["drawing.svg", "--scale", "inf"],
        &["drawing.svg", "--scale", "1e9"],
        &["drawing.svg", "--json", "-", "--csv", "-"],
        &["drawing.svg", "--json", "same", "--csv", "same"],
        &["drawing.svg", "-o", "picture.jpg"],
    ];
    for args in wrong {
        folder.fails(args, 2, &[]);
    }
    folder.fails(&["drawing.svg", "-o", "drawing.svg"], 2, &["drawing.svg"]);
    folder.fails(&["drawing.svg", "--scale", "1e30"], 2, &["--scale 1e30", "2e32 x 1e32 pixels"]);
    assert_eq!(folder.read("drawing.svg"), DRAWING.as_bytes());
}

#[test]
fn bad_input_is_1_and_names_the_file() {
    let folder = folder();
    fs::create_dir(folder.path("folder.svg")).unwrap();
    let deep = "<g opacity='0.9'>".repeat(100_000);
    let bad: [(&str, &[u8]); 9] = [
        ("empty.svg", b""),
        ("text.svg", b"this is no drawing"),
        ("html.svg", b"<html/>"),
        ("png.svg", b"\x89PNG\r\n\x1a\n"),
        ("cut.svg", &DRAWING.as_bytes()[..150]),
        ("gzip.svg", &[0x1f, 0x8b, 8, 0, 1, 2, 3]),
        ("binary.svg", &[0xff, 0, 0xfe, 7]),
        ("flat.svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="5"/>"#),
        ("unclosed.svg", deep.as_bytes()),
    ];
    for (name, data) in bad {
        folder.write(name, data);
        folder.fails(&[name], 1, &[name]);
    }
    folder.fails(&["png.svg"], 1, &["this is a PNG image, not an SVG drawing"]);
    folder.fails(&["html.svg"], 1, &["this is an HTML page"]);
    folder.fails(&["missing.svg"], 1, &["missing.svg", "no such file"]);
    folder.fails(&["folder.svg"], 1, &["folder.svg", "folder"]);
}

#[test]
fn hostile_drawings_end_in_a_result_or_one_line() {
    let folder = folder();
    let svg = |body: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{body}</svg>")
    };
    let nested = format!("{}<rect width='9' height='9'/>", "<g opacity='0.9'>".repeat(1_000));
    let hostile = [
        ("layers.svg", svg(&format!("{nested}{}", "</g>".repeat(1_000)))),
        (
            "huge.svg",
            svg("<rect x='1e38' y='-1e38' width='1e38' height='NaN'/><path d='M-1e38 0L1e38 9'/>"),
        ),
    ];
    for (name, data) in hostile {
        folder.write(name, data);
        let run = folder.run(&[name, "-q"]);
        match run.code {
            Some(0) => assert_eq!(run.stderr, "", "{name}"),
            Some(1) => assert_eq!(run.stderr.lines().count(), 1, "{name}: {}", run.stderr),
            other => panic!("{name}: {other:?}, {}", run.stderr),
        }
    }
}

#[test]
fn outputs_that_cannot_be_written_leave_nothing() {
    let folder = folder();
    for option in ["-o", "--json", "--csv"] {
        folder.fails(&["drawing.svg", option, "no/where.out"], 1, &["no/where.out"]);
        folder.fails(&["drawing.svg", option, ".."], 1, &["folder"]);
    }
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_devices_stay_devices() {
    let folder = folder();
    folder.write("real.png", "old");
    std::os::unix::fs::symlink("real.png", folder.path("link.png")).unwrap();
    let run = folder.run(&["drawing.svg", "-q", "-o", "link.png", "--json", "/dev/null"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(folder.path("link.png").is_symlink());
    png_size(&folder.read("real.png"));
    assert!(!Path::new("/dev/null").is_file());
}

/// Runs where no GPU can be found.
fn without_gpu(folder: &Folder, file: &str, backend: &str) -> Run {
    let mut command = folder.command(&[file, "--no-picture", "--backend", backend]);
    command.env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
    Run::from(command.env("WGPU_BACKEND", "vulkan").output().unwrap())
}

#[test]
fn a_gpu_that_is_not_there_is_3() {
    let folder = folder();
    let run = without_gpu(&folder, "drawing.svg", "gpu");
    assert_eq!(run.code, Some(3), "{}", run.stderr);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("no GPU works"), "{}", run.stderr);
    assert_eq!(folder.left(), [""; 0]);
}

#[test]
fn auto_takes_the_cpu_and_says_why() {
    let folder = folder();
    folder.write("large.svg", large());
    let run = without_gpu(&folder, "large.svg", "auto");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("CPU, because no GPU works"), "{}", run.stdout);
}

/// Sizes are differences of edges, not of what f32 makes of them.
#[test]
fn a_clip_of_whole_pixels_has_whole_edges() {
    let folder = folder();
    let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><clipPath id="c"
      ><rect x="1" y="1" width="4" height="4"/></clipPath><rect id="r" width="9" height="9"
      clip-path="url(#c)"/></svg>"##;
    folder.write("clip.svg", svg);
    let run = folder.run(&["clip.svg", "--id", "c", "--no-picture"]);
    assert!(run.stdout.contains("x 1 to 5, y 1 to 5"), "{}", run.stdout);
    let run = folder.run(&["clip.svg", "--csv", "-"]);
    assert!(run.stdout.contains("c,object,1,1,4,4,5,5,"), "{}", run.stdout);
}

/// Reports and pages are mailed: they hold no folder of this machine.
#[test]
fn reports_and_pages_hold_the_name_of_the_file_alone() {
    let folder = folder();
    fs::create_dir(folder.path("secret")).unwrap();
    fs::copy(folder.path("drawing.svg"), folder.path("secret/d.svg")).unwrap();
    let whole = folder.path("secret/d.svg");
    // A page holds the JSON.
    for option in ["--json", "--csv"] {
        let run = folder.run(&[whole.to_str().unwrap(), option, "-", "-q"]);
        assert!(run.stdout.contains("d.svg") && !run.stdout.contains("secret"), "{option}");
    }
    let run = folder.run(&["secret/d.svg", "secret/d.svg", "--diff"]);
    assert_eq!(run.stdout, "secret/d.svg and secret/d.svg: no box differs\n");
}

#[test]
fn a_note_is_told_once() {
    let folder = folder();
    let twice = "<foreignObject id='f' width='5' height='5'/>".repeat(2);
    let svg = format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{twice}</svg>");
    folder.write("twice.svg", svg);
    let run = folder.run(&["twice.svg", "--no-picture"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
    let report = folder.run(&["twice.svg", "--json", "-", "-q"]).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["notes"].as_array().unwrap().len(), 1);
}

/// Without a launcher of browsers, and with one that fails, and one that works.
#[cfg(unix)]
#[test]
fn the_page_stays_whether_a_browser_opens_or_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::create_dir(folder.path("bin")).unwrap();
    fs::create_dir(folder.path("tmp")).unwrap();
    let open = |exit: Option<i32>| {
        if let Some(exit) = exit {
            folder.write("bin/xdg-open", format!("#!/bin/sh\nexit {exit}\n"));
            fs::set_permissions(folder.path("bin/xdg-open"), fs::Permissions::from_mode(0o755))
                .unwrap();
        }
        let mut command = folder.command(&["drawing.svg", "--open", "--backend", "cpu"]);
        command.env("PATH", folder.path("bin")).env("TMPDIR", folder.path("tmp"));
        Run::from(command.output().unwrap())
    };
    for (exit, code) in [(None, 1), (Some(3), 1), (Some(0), 0)] {
        let run = open(exit);
        assert_eq!(run.code, Some(code), "{run:?}");
        let page = run.stdout.lines().find_map(|line| line.trim().strip_prefix("page"));
        let page = page.map(|page| Path::new(page.trim())).unwrap();
        assert!(fs::read_to_string(page).unwrap().starts_with("<!doctype html>"));
        let said = if code == 0 {
            String::new()
        } else {
            let words = "the page is written, but no program could be started to show it";
            format!("svg_clips: {}: {words}\n", page.display())
        };
        assert_eq!(run.stderr, said);
    }
}
