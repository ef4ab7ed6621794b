//! Tests the program's options, table and exit codes.

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

fn small(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{inside}</svg>")
}

fn png_size(png: &[u8]) -> [u32; 2] {
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn the_suffix_decides_the_picture_format() {
    let folder = folder();
    folder.check_run("drawing.svg -o boxes.SVG", 0);
    let text = folder.text("boxes.SVG");
    let picture = treebounds_encoding::svg::usvg::roxmltree::Document::parse(&text).unwrap();
    let has = |title: &str| picture.descendants().any(|node| node.text() == Some(title));
    assert!(has("draw dot: x 10 to 40, y 10 to 50") && has("clip badge: x 0 to 50, y 0 to 50"));
}

#[test]
fn a_picture_and_a_table_are_the_default() {
    let folder = folder();
    let table = folder.check_run("drawing.svg", 0);
    for word in ["elements", "culled", "deepest nesting", "area saved", "CPU", "time"] {
        assert!(table.contains(word), "{table}");
    }
    assert!(!table.contains('\u{1b}'), "no colours without a terminal");
    assert_eq!(folder.other_files(), ["drawing.bounds.png"]);
    assert_eq!(png_size(&folder.read("drawing.bounds.png"))[0], 1000);
}

#[test]
fn quiet_runs_print_nothing() {
    let folder = folder();
    let out = folder.check_run("-q drawing.svg -o out.png --json a.json --csv a.csv", 0);
    assert_eq!(
        (&*out, folder.other_files()),
        ("", ["a.csv", "a.json", "out.png"].map(Into::into).into())
    );
    let report: Value = serde_json::from_slice(&folder.read("a.json")).unwrap();
    assert_eq!(report["schema"], "treebounds.report/1");
    assert_eq!(report["source"], "drawing.svg");
    assert_eq!(report["elements"][0]["id"], "badge");
    assert_eq!(report["elements"][0]["bounds"], serde_json::json!([10.0, 10.0, 40.0, 50.0]));
    let rows = |field: &str| report[field].as_array().unwrap().len();
    let ends = report["summary"]["nodes"].as_u64().unwrap() as usize;
    let all = rows("elements") - ends + rows("objects") + rows("groups");
    assert_eq!(folder.text("a.csv").lines().count(), all, "the root has no id");
}

/// Tests the selection of kinds of elements and of levels of the tree.
#[test]
fn only_and_depth_restrict_the_listed_elements() {
    let folder = folder();
    let svg = r##"<clipPath id="c"><rect width="9" height="9"/></clipPath><g clip-path="url(#c)"><g opacity=".5"
      ><rect id="r" width="9" height="9"/></g></g><rect width="5" height="5"/>"##;
    folder.write("deep.svg", small(svg));
    for (args, expected) in [
        ("--only layers", "blend"),
        ("--only clips,draws", "clip draw draw"),
        ("--depth 0", "clip draw"),
        ("--depth 1", "clip blend draw"),
        ("--id r --only draws", "draw"),
    ] {
        let csv = folder.csv(&format!("deep.svg {args}"));
        let kinds = csv.lines().skip(1).map(|line| line.split(',').nth(1).unwrap());
        assert_eq!(kinds.collect::<Vec<_>>().join(" "), expected, "{args}");
        let table = folder.check_run(&format!("deep.svg {args} --no-picture"), 0);
        let is_whole = !args.starts_with("--id");
        assert_eq!(table.contains("4 (2 draws, 1 clip, 1 layer)"), is_whole, "{args}: {table}");
        let listed = format!("{} of them (--only, --depth)", expected.split(' ').count());
        assert!(table.contains(&listed), "{args}: {table}");
    }
}

#[test]
fn data_on_standard_output_moves_the_table_to_standard_error() {
    let folder = folder();
    let run = folder.run("drawing.svg --json -");
    assert_eq!(run.code, Some(0));
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["summary"]["clips"], 1);
    assert!(run.stderr.contains("elements"), "the table makes way");
    assert!(folder.csv("drawing.svg").starts_with("id,kind,x,y,w,h,"));

    let mut command = folder.command("- --backend cpu --json - -q");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(DRAWING.as_bytes()).unwrap();
    let run = Run::from(child.wait_with_output().unwrap());
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["source"], "stdin");
    assert_eq!(folder.other_files(), [""; 0], "data alone is asked for");
}

#[test]
fn id_selects_the_element_and_its_ancestors() {
    let folder = folder();
    let report = folder.report("drawing.svg --id dot");
    let elements = report["elements"].as_array().unwrap();
    let ids: Vec<_> = elements.iter().map(|element| element["id"].as_str()).collect();
    assert_eq!(ids, [Some("badge"), Some("dot"), Some("badge")]);
    folder.check_failure("drawing.svg --id nobody", 1, &["drawing.svg", "the id 'nobody'"]);
    folder.check_failure("drawing.svg --id Bagde", 1, &["did you mean 'badge'?"]);
    let marked = folder.report("drawing.svg --id #dot");
    assert_eq!(marked, report, "an id may be given as the table prints it");
}

/// Returns the CSV rows of this kind: id and six numbers.
fn rows<'a>(csv: &'a str, kind: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    let lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    lines.filter(|row| row[1] == kind).map(|row| (row[0], row[2..8].to_vec())).collect()
}

#[test]
fn every_kind_of_id_has_a_row() {
    let folder = folder();
    let csv = folder.csv("drawing.svg");
    let objects = rows(&csv, "object");
    let ids: Vec<_> = objects.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["square", "badge", "dot", "hidden", "glass"]);
    assert_eq!(objects[0].1, ["0", "0", "50", "50", "50", "50"], "a clip path");
    assert_eq!(objects[3].1, [""; 6]);
    assert!(csv.contains("outside the clip #square of #badge"), "{csv}");
    for id in ids {
        let csv = folder.csv(&format!("drawing.svg --id {id}"));
        assert!(rows(&csv, "object").iter().any(|row| row.0 == id), "{csv}");
    }
    let table = folder.check_run("drawing.svg --id square --no-picture", 0);
    assert!(table.contains("clipPath, x 0 to 50, y 0 to 50"), "{table}");
    assert_eq!(folder.other_files(), [""; 0]);
}

#[test]
fn ids_are_escaped_in_csv_and_on_the_terminal() {
    let ids = "<rect id='=1+1' width='5' height='5'/><rect id='\u{9b}31m' width='5' height='5'/>
        <rect id='x;=1' width='5' height='5'/><rect id='&#xFEFF; ＝1' width='5' height='5'/>";
    let folder = Folder::with("ids.svg", &small(ids));
    let csv = folder.csv("ids.svg");
    assert!(
        csv.contains("\n'=1+1,object,0,0,5,5,")
            && csv.contains("\nx;'=1,")
            && csv.contains(" '＝1,")
            && csv.contains("\n\\u{9b}31m,draw,"),
        "{csv}"
    );
    let json = folder.check_run("ids.svg --json - -q", 0);
    assert!(json.contains("\"=1+1\"") && json.contains('\u{9b}'), "JSON is exact: {json}");
    assert!(!folder.check_run("ids.svg --query-all", 0).contains('\u{9b}'));
}

#[test]
fn the_table_explains_culling_and_saved_area() {
    let folder = folder();
    let notes = "<foreignObject id='f' width='5' height='5'/><foreignObject id='h'/>";
    let glass =
        "<g id='g' opacity='0'><rect width='9' height='9'/></g><rect x='20' width='9' height='9'/>";
    folder.write("glass.svg", small(&(glass.to_owned() + notes)));
    let run = folder.run("glass.svg --no-picture");
    for words in [
        "3 (2 draws, 1 layer)\n",
        "3 (2 draws, 1 other)\n",
        "2: opacity 0 of #g",
        "1: outside the canvas",
        "100.0% (opacity 0)",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert_eq!(run.stderr, "note: foreignObject of #f, #h: not painted; it has no box\n");
    let report: Value = serde_json::from_str(&folder.run("glass.svg --json - -q").stdout).unwrap();
    assert_eq!(report["notes"].as_array().unwrap().len(), 1);
    let one = folder.check_run("drawing.svg --id dot --no-picture", 0);
    assert!(one.contains("(1 draw, 1 clip)"), "{one}");
    let blur = "<filter id='f'><feGaussianBlur stdDeviation='1'/></filter><rect width='5' height='5' filter='url(#f)'/>";
    folder.write("blur.svg", small(blur));
    let blurred = folder.check_run("blur.svg --no-picture", 0);
    assert!(blurred.contains("(1 draw, 1 layer, 1 filter)"), "{blurred}");
}

#[test]
fn pictures_have_the_requested_path_and_size() {
    let folder = folder();
    for (args, expected) in [
        ("", "drawing.bounds.png"),
        ("--no-picture", ""),
        ("--csv a.csv", "a.csv"),
        ("--json a.json -o a.png", "a.json a.png"),
    ] {
        folder.check_run(&format!("drawing.svg -q {args}"), 0);
        let left = folder.other_files();
        assert_eq!(left.join(" "), expected, "{args}");
        left.iter().for_each(|name| fs::remove_file(folder.path(name)).unwrap());
    }
    let size = |args: &str| {
        folder.check_run(&format!("drawing.svg -q {args}"), 0);
        png_size(&folder.read("drawing.bounds.png"))
    };
    let asked = ["--width 700", "--width 320", "--scale 2.5"].map(|args| size(args)[0]);
    assert_eq!(asked, [700, 320, 500]);
    let [width, height] = size("--width 1");
    assert!((100..400).contains(&width) && height > 100, "the legend: {width} x {height}");
    assert_eq!(folder.report("drawing.svg --scale 3")["width"], 200.0, "boxes stay in SVG pixels");
}

#[test]
fn several_drawings_are_written_to_a_folder_or_concatenated() {
    let folder = folder();
    folder.write("other.svg", DRAWING.replace("badge", "other"));
    fs::create_dir(folder.path("out")).unwrap();
    let run = folder.run("drawing.svg other.svg -o out --json out --csv -");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    for name in ["drawing.bounds.png", "drawing.json", "other.bounds.png", "other.json"] {
        fs::remove_file(folder.path("out").join(name)).unwrap();
    }
    fs::remove_dir(folder.path("out")).expect("an empty folder");
    assert_eq!(run.stdout.matches("id,kind,").count(), 1, "one line of columns");
    let files = |name: &str| run.stdout.lines().filter(|line| line.ends_with(name)).count();
    assert_eq!(files(",drawing.svg"), files(",other.svg"));
    for name in ["drawing.svg: ", "other.svg: "] {
        let lines: Vec<_> = run.stderr.lines().filter(|line| line.starts_with(name)).collect();
        assert_eq!(lines.len(), 1, "one line each: {}", run.stderr);
        for words in [" pixels, ", " elements, ", " culled, ", "area saved "] {
            assert!(lines[0].contains(words), "{} lacks {words}", lines[0]);
        }
    }

    folder.write("bad.svg", "<svg");
    fs::create_dir(folder.path("copy")).unwrap();
    for bad in ["bad.svg", "missing.svg", "copy"] {
        let run = folder.run(&format!("{bad} drawing.svg -q"));
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{}", run.stderr);
        assert!(run.stderr.starts_with(&format!("svg_clips: {bad}: ")), "{}", run.stderr);
        fs::remove_file(folder.path("drawing.bounds.png")).unwrap();
    }
    fs::copy(folder.path("drawing.svg"), folder.path("copy/drawing.svg")).unwrap();
    let run = folder.run("drawing.svg copy/drawing.svg -q");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""), "two drawings of one name");
    assert!(folder.path("copy/drawing.bounds.png").exists());
    assert!(folder.path("drawing.bounds.png").exists());
}

#[test]
fn folders_are_searched_and_mirrored() {
    let folder = folder();
    for (path, content) in [("a/x.svg", DRAWING), ("a/b/x.SVG", DRAWING), ("a/b/bad.svg", "<svg")] {
        fs::create_dir_all(folder.path(path).parent().unwrap()).unwrap();
        folder.write(path, content);
    }
    for jobs in ["", " --jobs 1"] {
        let run = folder.run(&format!("a drawing.svg --json out --csv all.csv{jobs}"));
        assert_eq!((run.code, run.stderr.lines().count()), (Some(1), 1), "{}", run.stderr);
        assert!(run.stderr.starts_with("svg_clips: a/b/bad.svg: "), "{}", run.stderr);
        let names: Vec<_> =
            run.stdout.lines().map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(names, ["x.SVG", "x.svg", "drawing.svg"], "in order: {}", run.stdout);
        let table = folder.text("all.csv");
        assert_eq!(table.matches("id,kind,").count(), 1);
        assert_eq!(table.matches(",drawing.svg\n").count() * 3, table.lines().count() - 1);
        for name in ["out/x.json", "out/b/x.json", "out/drawing.json"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
        fs::remove_dir(folder.path("out/b")).expect("an empty folder");
    }
    let alone = folder.run("a/b/bad.svg a/b/bad.svg --csv none.csv");
    assert_eq!((alone.code, folder.path("none.csv").exists()), (Some(1), false), "{alone:?}");
    folder.run("drawing.svg a --query-all").stdout.lines().for_each(|line| {
        assert!(line.starts_with("drawing.svg:") || line.starts_with("a/"), "{line}");
    });
}

/// Returns a drawing of 200,001 elements, enough for `auto` to use a GPU.
fn large() -> String {
    let row = "<path d='M0 0h1v1z'/>".repeat(500);
    let rows = "<use href='#row'/>".repeat(400);
    small(&format!("<defs><g id='row'>{row}</g></defs>{rows}<rect width='1' height='1'/>"))
}

/// Runs with only the Vulkan driver described by this file.
fn run_with_driver(folder: &Folder, driver: &str, args: &str) -> Run {
    let mut command = folder.command(args);
    command.env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    Run::from(command.arg("--no-picture").env("WGPU_BACKEND", "vulkan").output().unwrap())
}

/// Uses the software Vulkan driver of the tests.
#[cfg(target_os = "linux")]
#[test]
fn auto_skips_the_gpu_for_few_elements_and_ignores_software_adapters() {
    let folder = folder();
    folder.write("large.svg", large());
    let driver = format!("/usr/share/vulkan/icd.d/lvp_icd.{}.json", std::env::consts::ARCH);
    assert!(Path::new(&driver).exists(), "no software driver: apt-get install mesa-vulkan-drivers");
    let run = |args| run_with_driver(&folder, &driver, args);
    let auto = run("large.svg --backend auto").stdout;
    assert!(auto.contains("CPU, because the only adapter, llvmpipe"), "{auto}");
    let small = run("drawing.svg --backend auto");
    assert!(small.stdout.contains("CPU\n") && !small.stdout.contains("start-up"), "{small:?}");
    assert_eq!(small.stderr, "", "no driver is loaded, so none complains");
    let gpu = run("drawing.svg --backend gpu").stdout;
    let steps = ["reading", "start-up", "kernels", "computing", "readback"];
    for words in steps.iter().chain(&["software adapter, llvmpipe"]) {
        assert!(gpu.contains(words), "{words}: {gpu}");
    }
}

#[test]
fn without_a_gpu_auto_uses_the_cpu_and_gpu_exits_with_code_3() {
    let folder = folder();
    let run = run_with_driver(&folder, "/nonexistent", "drawing.svg --backend gpu");
    assert_eq!((run.code, run.stderr.lines().count()), (Some(3), 1), "{}", run.stderr);
    assert!(run.stderr.contains("no GPU works"), "{}", run.stderr);
    assert_eq!(folder.other_files(), [""; 0]);
    folder.write("large.svg", large());
    let run = run_with_driver(&folder, "/nonexistent", "large.svg --backend auto");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("CPU, because no GPU works"), "{}", run.stdout);
}

#[test]
fn help_describes_the_defaults() {
    let help = folder().command("--help").output().unwrap().stdout;
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
fn usage_errors_exit_with_code_2_and_write_nothing() {
    let folder = folder();
    folder.write("new.svg", DRAWING);
    for args in [
        "",
        "drawing.svg --nonsense",
        "drawing.svg drawing.svg",
        "drawing.svg --backend tpu",
        "drawing.svg --only boxes",
        "drawing.svg --width 100 --scale 2",
        "drawing.svg --width 0",
        "drawing.svg --width 1000000",
        "drawing.svg --scale 0",
        "drawing.svg --scale=-1",
        "drawing.svg --scale NaN",
        "drawing.svg --scale inf",
        "drawing.svg --scale 1e9",
        "drawing.svg --json - --csv -",
        "drawing.svg --json same --csv same",
        "drawing.svg -o picture.jpg",
        "drawing.svg --max-seconds 0",
        "drawing.svg --max-seconds NaN",
        "drawing.svg --max-memory 0.5",
        "drawing.svg --max-memory=-1",
        "drawing.svg --max-output 0",
        "drawing.svg --diff",
        "drawing.svg new.svg drawing.svg --diff",
        "drawing.svg new.svg --diff --csv -",
        "drawing.svg --document --query-all",
        "drawing.svg --html - --open",
        "drawing.svg --html - --json -",
        "drawing.svg new.svg --json all.json",
        "drawing.svg new.svg --jobs 0",
        "drawing.svg new.svg --diff --fail-on everything",
        "drawing.svg new.svg --diff --json new.svg",
        "- --watch",
        "drawing.svg --watch --open",
    ] {
        folder.check_failure(args, 2, &[]);
    }
    folder.check_failure("drawing.svg -o drawing.svg", 2, &["drawing.svg"]);
    folder.check_failure("drawing.svg --scale 1e30", 2, &["--scale 1e30", "2e32 x 1e32 pixels"]);
    assert_eq!([folder.text("drawing.svg"), folder.text("new.svg")], [DRAWING; 2]);
}

#[test]
fn bad_input_exits_with_code_1_and_names_the_file() {
    let folder = folder();
    fs::create_dir(folder.path("folder.svg")).unwrap();
    let deep = "<g opacity='0.9'>".repeat(100_000);
    let bad: [(&str, &[u8], &str); 10] = [
        ("empty.svg", b"", ""),
        ("text.svg", b"this is no drawing", ""),
        ("html.svg", b"<html/>", "this is an HTML page"),
        ("bom.svg", b"\xef\xbb\xbf\n<!DOCTYPE HTML><p>", "this is an HTML page"),
        ("png.svg", b"\x89PNG\r\n\x1a\n", "this is a PNG image, not an SVG drawing"),
        ("cut.svg", &DRAWING.as_bytes()[..150], ""),
        ("gzip.svg", &[0x1f, 0x8b, 8, 0, 1, 2, 3], ""),
        ("binary.svg", &[0xff, 0, 0xfe, 7], ""),
        ("flat.svg", br#"<svg xmlns="http://www.w3.org/2000/svg" width="0" height="5"/>"#, ""),
        ("unclosed.svg", deep.as_bytes(), ""),
    ];
    for (name, data, words) in bad {
        folder.write(name, data);
        folder.check_failure(name, 1, &[name, words]);
    }
    folder.check_failure("missing.svg", 1, &["missing.svg", "no such file"]);
    folder.check_failure(
        "folder.svg",
        1,
        &["folder.svg", "there is no drawing (.svg, .svgz) or scene (.scene.json)"],
    );
    fs::File::create(folder.path("sparse.svg")).unwrap().set_len(1 << 30).unwrap();
    folder.check_failure("sparse.svg", 1, &["sparse.svg: the file is larger than 256 MiB"]);
    folder.write("holes.svg", "{");
    let holes = fs::File::options().append(true).open(folder.path("holes.svg")).unwrap();
    holes.set_len(1 << 30).unwrap();
    folder.check_failure("holes.svg", 1, &["holes.svg: "]);
    for option in ["-o", "--json", "--csv"] {
        folder.check_failure(&format!("drawing.svg {option} no/where.out"), 1, &["no/where.out"]);
        folder.check_failure(&format!("drawing.svg {option} .."), 1, &["folder"]);
    }
}

/// Sizes are differences of edges, before rounding to f32.
#[test]
fn whole_pixel_clips_have_whole_pixel_edges() {
    let svg = r##"<clipPath id="c"><rect x="1" y="1" width="4" height="4"/></clipPath>
        <rect id="r" width="9" height="9" clip-path="url(#c)"/>"##;
    let folder = Folder::with("clip.svg", &small(svg));
    let table = folder.check_run("clip.svg --id c --no-picture", 0);
    assert!(table.contains("x 1 to 5, y 1 to 5"), "{table}");
    let csv = folder.csv("clip.svg");
    assert!(csv.contains("c,object,1,1,4,4,5,5,"), "{csv}");
}

/// Reports and pages are sent to others, so they must contain no folder of this machine.
#[test]
fn reports_and_pages_contain_no_folder() {
    let folder = folder();
    fs::create_dir(folder.path("secret")).unwrap();
    fs::copy(folder.path("drawing.svg"), folder.path("secret/d.svg")).unwrap();
    let whole = folder.path("secret/d.svg");
    // A page contains the JSON.
    for option in ["--json", "--csv"] {
        let mut command = folder.command("--backend cpu -q");
        let run = Run::from(command.arg(&whole).args([option, "-"]).output().unwrap());
        assert!(run.stdout.contains("d.svg") && !run.stdout.contains("secret"), "{option}");
    }
    let same = folder.check_run("secret/d.svg secret/d.svg --diff", 0);
    assert_eq!(same, "secret/d.svg and secret/d.svg: no box differs\n");
}

/// Tests `--open` without a browser launcher, with one that fails, and with one that works.
#[cfg(unix)]
#[test]
fn the_page_is_kept_whether_or_not_a_browser_opens() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    fs::create_dir(folder.path("bin")).unwrap();
    fs::create_dir(folder.path("tmp")).unwrap();
    for (exit, code) in [("", 1), ("exit 3", 1), ("exit 0", 0)] {
        if !exit.is_empty() {
            folder.write("bin/xdg-open", format!("#!/bin/sh\n{exit}\n"));
            let all = fs::Permissions::from_mode(0o755);
            fs::set_permissions(folder.path("bin/xdg-open"), all).unwrap();
        }
        let mut command = folder.command("drawing.svg --open --backend cpu");
        command.env("PATH", folder.path("bin")).env("TMPDIR", folder.path("tmp"));
        let run = Run::from(command.output().unwrap());
        assert_eq!(run.code, Some(code), "{run:?}");
        let page = run.stdout.lines().find_map(|line| line.trim().strip_prefix("page"));
        let page = page.map(|page| Path::new(page.trim())).unwrap();
        assert!(fs::read_to_string(page).unwrap().starts_with("<!doctype html>"));
        let words = "the page is written, but no program could be started to show it";
        let said = format!("svg_clips: {}: {words}\n", page.display());
        assert_eq!(run.stderr, if code == 0 { "" } else { &said });
    }
}
