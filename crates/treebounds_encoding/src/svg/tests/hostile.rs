//! Damaged, huge and cyclic files. The guard's own tests have the rest.

use super::*;
use crate::svg::{GuardError, encode_tree};
use std::fmt::Write;
use std::fs;

fn refused(inside: &str) -> String {
    let error = read(inside).expect_err("a bad file").to_string();
    assert_eq!(error.lines().count(), 1);
    error
}

/// `count` definitions, each referring to the next.
fn chain(count: usize, one: impl Fn(usize, usize) -> String) -> String {
    (0..count).map(|at| one(at, at + 1)).collect()
}

#[test]
fn files_that_are_not_svg_are_refused() {
    let refuse = |data: &[u8]| match encode(data, &Options::default()) {
        Err(SvgError::Guard(why)) => why,
        other => panic!("a bad file: {other:?}"),
    };
    assert!(matches!(refuse(b""), GuardError::Empty));
    assert!(matches!(refuse(b"<svg>\xff"), GuardError::NotText { .. }));
    assert!(matches!(refuse(b"hello"), GuardError::BadXml { .. }));
    assert!(matches!(refuse(b"<svg><rect width="), GuardError::BadXml { .. }));
    for breaks in [&b"<svg></svg\n/>"[..], b"<svg xmlns='a&#10;b'/>"] {
        assert_eq!(refuse(breaks).to_string().lines().count(), 1);
    }
    assert!(matches!(refuse(b"<html/>"), GuardError::NotSvg { .. }));
    assert!(matches!(refuse(b"<svg xmlns='urn:other'/>"), GuardError::NotSvg { .. }));
    let zero = b"<svg xmlns='http://www.w3.org/2000/svg' width='0' height='5'/>";
    assert!(matches!(refuse(zero), GuardError::NoSize));
}

#[test]
fn huge_numbers_give_finite_boxes() {
    let (scene, bounds) = scene(
        "<rect x='-1e38' y='-1e38' width='3e38' height='3e38' stroke='red' stroke-width='1e38'/>
         <g transform='scale(1e38) scale(1e38) scale(1e38)'><circle r='1' stroke='red'/></g>
         <path d='M NaN 0 L 5 5'/><rect x='NaN' width='1e400' height='5'/>
         <path d='M 0 0 L 1e30 1e30' stroke='red' stroke-dasharray='1e-30'/>",
    );
    for rect in scene.stream.rects().iter().chain(&bounds.boxes) {
        assert!(rect.to_array().iter().all(|edge| edge.is_finite()));
    }
}

#[test]
fn nesting_is_limited() {
    let nest = |depth: usize| {
        format!(
            "{}<rect width='9' height='9'/>{}",
            "<g opacity='.9'>".repeat(depth),
            "</g>".repeat(depth)
        )
    };
    let (scene, bounds) = scene(&nest(1000));
    assert_eq!(scene.stream.len(), 2001);
    assert_eq!(bounds.boxes[0], Rect::new(0.0, 0.0, 9.0, 9.0));
    assert!(refused(&nest(10_000)).contains("nested more than 1024 deep"));
}

#[test]
fn chains_of_references_are_limited() {
    let rect = "<rect width='9' height='9'";
    let patterns = |count| {
        let one = |at, next| {
            format!(
                "<pattern id='p{at}' width='1' height='1'>{rect} fill='url(#p{next})'/></pattern>"
            )
        };
        format!("{}{rect} fill='url(#p0)'/>", chain(count, one))
    };
    let clips = |count| {
        let one = |at, next| {
            format!("<clipPath id='p{at}' clip-path='url(#p{next})'>{rect}/></clipPath>")
        };
        let last = format!("<clipPath id='p{count}'>{rect}/></clipPath>");
        format!("{}{last}{rect} clip-path='url(#p0)'/>", chain(count, one))
    };
    assert_eq!(scene(&patterns(200)).0.stream.len(), 1);
    assert_eq!(scene(&clips(200)).0.stream.len(), 3);
    assert!(refused(&patterns(10_000)).contains("too deeply"));
    assert!(refused(&clips(200_000)).contains("too deeply"));
}

#[test]
fn uses_of_uses_are_refused() {
    let mut bomb = "<g id='b0'><path d='M0 0 1 1 2 0'/></g>".to_owned();
    for level in 1..=10 {
        let inside = format!("<use xlink:href='#b{}'/>", level - 1).repeat(10);
        write!(bomb, "<g id='b{level}'>{inside}</g>").unwrap();
    }
    assert!(refused(&(bomb + "<use xlink:href='#b10'/>")).contains("1,000,000 elements"));
}

#[test]
fn more_elements_than_usvg_reads_are_refused() {
    // Empty groups are the quickest elements to read.
    let line = refused(&"<g/>".repeat(1_000_001));
    assert!(line.contains("the elements exceed the limit of 1,000,000"), "{line}");
}

/// Reads a drawing whose notes list exactly these parts of cycles.
#[track_caller]
fn left_out(inside: &str, parts: &[&str]) -> Drawing {
    let drawing = read(inside).expect("a good file");
    let notes = &drawing.scene.notes;
    let circles: Vec<_> = notes.iter().filter(|note| note.contains("circular")).collect();
    let is_told = |part: &&str| circles.iter().any(|note| note.starts_with(*part));
    assert!(circles.len() == parts.len() && parts.iter().all(is_told), "{notes:?}");
    drawing
}

#[test]
fn the_rest_of_a_cycle_is_painted() {
    let circle = "<clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#b)'/></clipPath>
        <clipPath id='b'><path d='M0 0h9v9z' clip-path='url(#c)'/></clipPath>
        <clipPath id='c'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>
        <rect id='in' width='9' height='9' clip-path='url(#a)'/><rect id='out' width='5' height='5'/>";
    let drawing = left_out(circle, &["clip-path of"]);
    assert_eq!(draws(&drawing.scene).len(), 2);
}

#[test]
fn uses_of_themselves_are_left_out() {
    let group =
        |id: &str, shown: &str| format!("<g id='{id}'><g><use xlink:href='#{shown}'/></g></g>");
    let circle = [group("a", "b"), group("b", "c"), group("c", "a")].concat();
    left_out(&circle, &["use of"]);
    let outer = "<use xlink:href='#in'/><g id='out'><g id='in'><use xlink:href='#out'/></g></g>";
    assert!(read(outer).is_ok(), "the shortest cycles are left out");
    let switched = group("a", "b").replace("<g><use", "<use id='b'/><g><use");
    assert!(read(&switched).is_ok(), "a use of nothing shows nothing");
    let deep = chain(1100, |at, next| group(&format!("g{at}"), &format!("g{next}")));
    assert!(refused(&deep).contains("too deeply"));
}

#[test]
fn svg_images_have_the_same_limits() {
    let inside = file("<g/>").replace("<g/>", &("<g>".repeat(2000) + &"</g>".repeat(2000)));
    let href = inside.replace('<', "%3C").replace('>', "%3E").replace('\'', "%22");
    for (href, why) in [(&*href, "elements are nested"), ("hello", "this is not well-formed XML")] {
        let image = format!("<image width='9' height='9' href='data:image/svg+xml,{href}'/>");
        let note = &scene(&image).0.notes[0];
        assert!(note.starts_with(&format!("an SVG image was skipped: {why}")), "{note}");
    }
}

/// Files are read beneath allowed folders.
#[test]
fn linked_files_are_regular_and_not_too_long() {
    let folder = std::env::temp_dir().join(format!("treebounds-links-{}", std::process::id()));
    let own = folder.join("own");
    let svg = file("<rect width='9' height='9'/>");
    for name in ["out.svg", "more/a.svg", "own/a.svg", "own/deep/b.svg"] {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), &svg).unwrap();
    }
    fs::write(own.join("long.svg"), svg + &" ".repeat(1000)).unwrap();
    let options = Options::default().resources_dir(&own).image_bytes_max(999);
    let options = options.allow_files(folder.join("more"));
    let expect = |link: &str, why: &str| {
        let outer = file(&format!("<image width='9' height='9' href='{link}'/>").repeat(2));
        let scene = encode(outer.as_bytes(), &options).unwrap().scene;
        let notes = scene.notes.join(" / ");
        assert_eq!((scene.stream.is_empty(), notes.is_empty()), (!why.is_empty(), why.is_empty()));
        assert!(notes.contains(why) && scene.notes.len() < 2, "{link}: {notes}");
        assert!(why.is_empty() || notes.starts_with(&format!("the image '{link}' was skipped")));
    };
    let outside = "outside of the drawing's folder";
    for (link, why) in [
        ("a.svg", ""),
        ("deep/b.svg", ""),
        ("deep/../a.svg", ""),
        ("../more/a.svg", ""),
        (own.join("a.svg").to_str().unwrap(), ""),
        ("none.svg", "no such file"),
        ("none/../../out.svg", outside),
        ("../out.svg", outside),
        ("../none.svg", outside),
        ("/dev/zero", outside),
        ("deep", "not a regular file"),
        ("long.svg", "more than 999 bytes"),
        ("https://a.example/b.png", "network"),
        ("file:///a.svg", "file://"),
    ] {
        expect(link, why);
    }
    #[cfg(unix)]
    {
        let links = [("l1", "../out.svg"), ("l2", "/none"), ("l3", "deep"), ("l4", "/dev/zero")];
        for (name, target) in links {
            std::os::unix::fs::symlink(target, own.join(name)).unwrap();
        }
        std::process::Command::new("mkfifo").arg(own.join("pipe")).status().unwrap();
        for (link, why) in [("l1", outside), ("l2", outside), ("l3/b.svg", ""), ("l4", outside)] {
            expect(link, why);
        }
        expect("pipe", "not a regular file");
        // A folder that is swapped for a link after it was opened leads nowhere else.
        let files = options.files();
        fs::rename(&own, folder.join("new")).unwrap();
        std::os::unix::fs::symlink(&folder, &own).unwrap();
        assert_eq!(files.read("./out.svg"), Err("there is no such file".into()));
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_parsed_tree_gives_the_same_elements() {
    let drawing = read("<g opacity='.5'><rect width='9' height='9'/></g>").unwrap();
    let again = encode_tree(&drawing.tree).unwrap();
    assert_eq!(again, drawing.scene);
}
