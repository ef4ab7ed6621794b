//! `json_tree` as a shell sees it. The program compares every value with
//! serde_json itself and fails where one differs.

use crate::program::Program;
use std::fs;

const SHELF: &str = r#"{
  "books": [
    { "title": "Momo", "tags": ["time", "grey men"] },
    { "title": "Die \"unendliche\" Geschichte", "tags": [] }
  ],
  "shelf of": { "name": "B\u00e4\ud83d\udcda\n" },
  "open": true
}"#;

/// Runs with a file of this content and expects success; what it prints.
fn tree(json: &str, backend: &str) -> String {
    let program = Program::new("json_tree");
    fs::write(program.folder.path().join("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", backend]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

/// The rows of the table, without its alignment.
fn rows(stdout: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    stdout.lines().skip(1).map(words).take_while(|line| !line.is_empty()).collect()
}

/// A tree without symmetry: node `n` holds `n - 1`, some text and a smaller tree.
fn uneven(n: usize) -> String {
    match n {
        0 => r#""leaf \u00fc\"""#.into(),
        _ => {
            let (left, right) = (uneven(n - 1), uneven(n / 2));
            if n.is_multiple_of(2) {
                format!(r#"[{left}, {n}, {{}}, "{}", {right}]"#, "x".repeat(n))
            } else {
                format!(r#"{{"a]": {left}, "a]": null, "[{n}": [{right}, -1.5e3]}}"#)
            }
        }
    }
}

const SHELF_ROWS: [&str; 7] = [
    "13 4 51 $",
    "9 3 43 $.books",
    "5 2 16 $.books[0]",
    "3 2 27 $.books[1]",
    "3 1 12 $.books[0].tags",
    r#"2 1 8 $["shelf of"]"#,
    "1 1 0 $.books[1].tags",
];

#[test]
fn the_table_says_what_is_inside() {
    let stdout = tree(SHELF, "cpu");
    assert_eq!(rows(&stdout), SHELF_ROWS, "{stdout}");
    assert!(stdout.contains("CPU") && stdout.contains("13 values, with serde_json"), "{stdout}");
}

#[test]
fn the_gpu_says_the_same() {
    assert_eq!(rows(&tree(SHELF, "gpu")), SHELF_ROWS);
    let large = format!("[{}]", vec![uneven(14); 40].join(","));
    assert_eq!(rows(&tree(&large, "gpu")), rows(&tree(&large, "cpu")));
}

#[test]
fn every_value_is_compared() {
    for n in 0..16 {
        assert!(tree(&uneven(n), "cpu").contains("values, with serde_json"), "{n}");
    }
    for json in ["[]", "{}", " 7 ", "\"[\"", "null", r#"["\\", "\"]", "\u0000\u07ff\u0800"]"#] {
        assert!(tree(json, "cpu").contains("values, with serde_json"), "{json}");
    }
}

#[test]
fn depth_has_no_limit_but_the_comparison_has() {
    let nest = |depth| format!("{}\"text\"{}", "[".repeat(depth), "]".repeat(depth));
    let stdout = tree(&nest(127), "cpu");
    assert!(stdout.contains("128 values, with serde_json"), "{stdout}");
    let stdout = tree(&nest(100_000), "cpu");
    assert_eq!(rows(&stdout)[0], "100001 100000 4 $");
    assert!(stdout.contains("no, it nests deeper"), "{stdout}");
}

#[test]
fn long_paths_lose_their_beginning_and_rows_their_end() {
    let program = Program::new("json_tree");
    let json = format!("{}1{}", r#"{"a key of some length":"#.repeat(20), "}".repeat(20));
    fs::write(program.folder.path().join("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", "cpu", "--rows", "12"]);
    let rows = rows(&run.stdout);
    assert_eq!(rows.len(), 12, "{}", run.stdout);
    assert!(rows[11].contains(r#" ...["a key of some length"]["#), "{}", rows[11]);
}

#[test]
fn wrong_input_is_told_in_one_line_with_its_place() {
    let program = Program::new("json_tree");
    let cases: [(&[u8], &[&str]); 13] = [
        (b"", &["not JSON", "line 1 column 0"]),
        (b"hello", &["not JSON", "line 1 column 1"]),
        (b"[1 2]", &["not JSON", "line 1 column 4"]),
        (b"[1]\n[2]", &["not JSON", "line 2 column 1"]),
        (b"{\"a\" 1}", &["not JSON", "line 1 column 6"]),
        (b"{\"a\": [1,\n2}", &["the } at line 2 column 2", "the [ at line 1 column 7"]),
        (b"[1]]", &["the ] at line 1 column 4 closes nothing"]),
        (b"[1,\n [2]", &["the [ at line 1 column 1 is never closed"]),
        (b"[\"a", &["the string at line 1 column 2 is never closed"]),
        (b"[\"a\\\"]", &["the string at line 1 column 2 is never closed"]),
        (b"\"", &["the string at line 1 column 1 is never closed"]),
        (b"[\"\\u12\"]", &["not JSON", "line 1"]),
        (b"[\"\xff\"]", &["not UTF-8 from byte 2"]),
    ];
    for (json, words) in cases {
        fs::write(program.folder.path().join("file.json"), json).unwrap();
        program.fails(&["file.json", "--backend", "cpu"], &[words, &["file.json"]].concat());
    }
    program.fails(&["missing.json"], &["missing.json", "no such file"]);
    assert_eq!(program.run(&[]).code, Some(2));
}

/// For every example that reads a drawing or a file.
#[test]
fn help_is_help_alone() {
    for name in ["canvas", "svg_render", "json_tree"] {
        let program = Program::new(name);
        let run = program.run(&["--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
        for words in ["Usage: ", "--backend", "--quiet"] {
            assert!(run.stdout.contains(words), "{name} lacks {words}: {}", run.stdout);
        }
        let left = std::fs::read_dir(program.folder.path()).unwrap().count();
        assert_eq!(left, 0, "{name} wrote a file");
    }
}
