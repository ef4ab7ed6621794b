//! Damaged, huge and cyclic files. usvg_guard's tests cover the other cases.

use super::*;
use std::fs;

fn error_of(inside: &str) -> String {
    let error = read(inside).expect_err("a bad file").to_string();
    assert_eq!(error.lines().count(), 1);
    error
}

/// Returns `count` definitions. `@` stands for the number of the definition, `$` for the next
/// number.
fn chain(count: usize, one: &str) -> String {
    let number = |at| one.replace('@', &usize::to_string(&at)).replace('$', &(at + 1).to_string());
    (0..count).map(number).collect()
}

#[test]
fn non_svg_files_fail_with_one_line() {
    for (data, expected) in [
        (&b""[..], "Empty"),
        (b"<svg>\xff", "NotText"),
        (b"hello", "BadXml"),
        (b"<svg><rect width=", "BadXml"),
        (b"<svg></svg\n/>", "BadXml"),
        (b"<svg xmlns='a&#10;b'/>", "NotSvg"),
        (b"<html/>", "NotSvg"),
        (b"<svg xmlns='urn:other'/>", "NotSvg"),
        (b"<svg xmlns='http://www.w3.org/2000/svg' width='0' height='5'/>", "NoSize"),
    ] {
        let Err(SvgError::Guard(why)) = encode(data, &Options::default()) else {
            panic!("{expected}")
        };
        assert!(format!("{why:?}").starts_with(expected), "{why:?} is not {expected}");
        assert_eq!(why.to_string().lines().count(), 1);
    }
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
        let (open, close) = ("<g opacity='.9'>".repeat(depth), "</g>".repeat(depth));
        format!("{open}<rect width='9' height='9'/>{close}")
    };
    let (scene, bounds) = scene(&nest(1000));
    assert_eq!(scene.stream.len(), 2001);
    assert_eq!(bounds.boxes[0], Rect::new(0.0, 0.0, 9.0, 9.0));
    assert!(error_of(&nest(10_000)).contains("nested more than 1024 deep"));
}

#[test]
fn chains_of_references_are_limited() {
    let pattern = "<pattern id='p@' width='1' height='1'><rect BOX fill='url(#p$)'/></pattern>";
    let clip = "<clipPath id='p@' clip-path='url(#p$)'><rect BOX/></clipPath>";
    for (one, user, elements, most) in [
        (pattern, "<rect BOX fill='url(#p0)'/>", 1, 10_000),
        (clip, "<rect BOX clip-path='url(#p0)'/>", 3, 200_000),
    ] {
        let inside = |count| chain(count, one) + user;
        assert_eq!(scene(&inside(200)).0.stream.len(), elements);
        assert!(error_of(&inside(most)).contains("too deeply"));
    }
}

#[test]
fn rejects_more_elements_than_usvg_accepts() {
    let uses = |level: i32| format!("<use xlink:href='#b{}'/>", level - 1).repeat(10);
    let group = |level| format!("<g id='b{level}'>{}</g>", uses(level));
    let bomb: String = (1..=10).map(group).collect();
    let bomb = bomb + "<g id='b0'><path d='M0 0 1 1 2 0'/></g>" + &uses(11);
    assert!(error_of(&bomb).contains("1,000,000 elements"));
    // Empty groups are the fastest elements to read.
    let line = error_of(&"<g/>".repeat(1_000_001));
    assert!(line.contains("the elements exceed the limit of 1,000,000"), "{line}");
}

/// Reads a drawing with one note about a cycle, which starts with `part`.
#[track_caller]
fn read_cyclic(inside: &str, part: &str) -> Drawing {
    let drawing = read(inside).expect("a good file");
    let notes = drawing.scene.notes.iter().filter(|note| note.contains("circular"));
    let notes: Vec<_> = notes.collect();
    assert!(notes.len() == 1 && notes[0].starts_with(part), "{notes:?}");
    drawing
}

#[test]
fn the_rest_of_a_cycle_is_painted() {
    let clip = "<clipPath id='c@'><path d='M0 0h9v9z' clip-path='url(#c$)'/></clipPath>";
    let shapes = "<rect BOX clip-path='url(#c0)'/><rect BOX/>";
    let drawing = read_cyclic(&(chain(3, clip).replace("#c3", "#c0") + shapes), "clip-path of");
    assert_eq!(draws(&drawing.scene).len(), 2);
}

#[test]
fn self_references_of_uses_are_left_out() {
    let group = "<g id='g@'><g><use xlink:href='#g$'/></g></g>";
    read_cyclic(&chain(3, group).replace("#g3", "#g0"), "use of");
    let outer = "<use xlink:href='#in'/><g id='out'><g id='in'><use xlink:href='#out'/></g></g>";
    assert!(read(outer).is_ok(), "the shortest cycles are left out");
    let switched = "<g id='a'><use id='b'/><g><use xlink:href='#b'/></g></g>";
    assert!(read(switched).is_ok(), "a use of nothing shows nothing");
    assert!(error_of(&chain(1100, group)).contains("1,024 levels"));
}

#[test]
fn svg_images_have_the_same_limits() {
    let inside = file("<g/>").replace("<g/>", &("<g>".repeat(2000) + &"</g>".repeat(2000)));
    let href = inside.replace('<', "%3C").replace('>', "%3E").replace('\'', "%22");
    for (href, why) in [(&*href, "elements are nested"), ("hello", "this is not well-formed XML")] {
        let image = format!("<image width='9' height='9' href='data:image/svg+xml,{href}'/>");
        let note = &scene(&image).0.notes[0];
        assert!(note.starts_with(&format!("image of svg/image[1]: skipped: {why}")), "{note}");
    }
}

/// Files are read only inside allowed folders.
#[test]
fn linked_files_must_be_regular_and_small() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let own = folder.join("own");
    let svg = file("<rect width='9' height='9'/>");
    for name in ["out.svg", "more/a.svg", "own/a.svg", "own/deep/b.svg"] {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), &svg).unwrap();
    }
    fs::write(own.join("long.svg"), svg + &" ".repeat(1000)).unwrap();
    let options = Options { image_bytes_max: 999, ..Options::default().resources_dir(&own) };
    let options = options.allow_files(folder.join("more"));
    let expect = |link: &str, why: &str| {
        let outer = file(&format!("<image width='9' height='9' href='{link}'/>").repeat(2));
        let scene = encode(outer.as_bytes(), &options).unwrap().scene;
        let notes = scene.notes.join(" / ");
        assert_eq!((scene.stream.is_empty(), notes.is_empty()), (!why.is_empty(), why.is_empty()));
        assert!(notes.contains(why) && scene.notes.len() < 2, "{link}: {notes}");
        assert!(
            why.is_empty() || notes.starts_with("image of svg/image[1], svg/image[2]: skipped: ")
        );
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
        // A link that replaces an opened folder does not lead elsewhere.
        let files = options.files();
        fs::rename(&own, folder.join("new")).unwrap();
        std::os::unix::fs::symlink(folder, &own).unwrap();
        assert_eq!(files.read("./out.svg"), Err("there is no such file".into()));
    }
}
