//! From bytes to a parsed drawing.

use super::fonts::Fonts;
use super::measure::Measures;
use super::objects::{Found, Objects};
use super::resolve::Resolver;
use super::{Options, SvgError, ignored, style};
use treebounds_report::Ignored;
use usvg::Tree;
use usvg_guard::{Cascade, Checked, Edits, Images, LeftOut, Limits, Told, check_text, tree};

/// A parsed drawing, and what was left out of it.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) notes: Vec<String>,
    pub(super) objects: Objects,
    pub(super) ignored: Vec<Ignored>,
}

/// Parses a text that the guard accepts. Must run on a large stack.
pub(super) fn parse(text: &str, options: &Options, fonts: &Fonts) -> Result<Parsed, SvgError> {
    let (limits, files) = (options.limits(), options.files());
    check_text(text, &limits, |checked| {
        let images = |checked: &Checked| Images::new(checked, &limits, &files).told_by(tell_image);
        // Images that are read only to be measured do not count.
        let measured = images(checked);
        let told = tell(checked, &limits, &usvg_options(options, fonts, &measured))?;
        check_text(&told.text, &limits, |told_again| {
            let images = images(told_again);
            let tree = tree(told_again.document, &usvg_options(options, fonts, &images))?;
            fonts.count(told_again.document);
            let mut notes = Vec::new();
            images.finish(&mut notes)?;
            let ToldDocument { objects, ignored, .. } = told;
            Ok(Parsed { tree, notes, objects, ignored })
        })
    })
}

/// How usvg reads: with these fonts and images.
fn usvg_options<'a>(options: &Options, fonts: &'a Fonts, images: &'a Images) -> usvg::Options<'a> {
    usvg::Options {
        resources_dir: options.resources_dir.clone(),
        font_family: fonts.default_family(),
        fontdb: fonts.database(),
        font_resolver: fonts.resolver(),
        image_href_resolver: images.resolver(),
        ..usvg::Options::default()
    }
}

/// A document, told to usvg.
struct ToldDocument {
    objects: Objects,
    text: String,
    ignored: Vec<Ignored>,
}

/// How often a document is measured: boxes depend on transforms inside them, which depend on boxes inside those.
const MEASURED: usize = 4;

/// A document of more elements is measured once.
const MEASURED_ONCE: u64 = 200_000;

/// Finds the objects of a document, and tells usvg in its text what it would not read.
fn tell(
    checked: &Checked,
    limits: &Limits,
    options: &usvg::Options,
) -> Result<ToldDocument, SvgError> {
    let document = checked.document;
    let cascade = Cascade::new(document).of(style::is_wanted);
    let mut edits = Edits::default();
    let found = Found::new(document, &cascade, &mut edits);
    let mut measures = Measures::default();
    let rounds = if checked.elements > MEASURED_ONCE { 1 } else { MEASURED };
    for _ in 0..rounds {
        let mut resolver = Resolver::new(&found, &measures, false, edits.clone());
        resolver.run(document);
        if !resolver.measured {
            break;
        }
        let text = resolver.edits.apply(document.input_text());
        let again = check_text(&text, limits, |again| {
            // What is wrong with it is said when it is read for good.
            Ok::<_, SvgError>(Tree::from_xmltree(again.document, options).ok())
        });
        let Some(tree) = again? else { break };
        let now = Measures::of(&tree, &found.objects);
        let is_settled = std::mem::replace(&mut measures, now) == measures;
        if is_settled {
            break;
        }
    }
    let mut resolver = Resolver::new(&found, &measures, true, edits);
    resolver.run(document);
    let Resolver { edits, ignored: unresolved, .. } = resolver;
    let text = edits.apply(document.input_text());
    let mut ignored = ignored::find(document, &found);
    ignored.extend(unresolved);
    ignored.extend(left_out(&checked.left_out, &found));
    ignored.sort_by_key(|one| one.object);
    Ok(ToldDocument { objects: found.objects, text, ignored })
}

/// What the guard left out, object by object.
fn left_out(left_out: &[LeftOut], found: &Found) -> Vec<Ignored> {
    let ignored = |one: &LeftOut| Ignored {
        object: found.indices.get(&one.node).copied().unwrap_or_default(),
        what: one.what.clone().into(),
        effect: one.why.into(),
    };
    left_out.iter().map(ignored).collect()
}

/// Reads an SVG image. What depends on boxes is not told.
fn tell_image(checked: &Checked) -> Told {
    let document = checked.document;
    let cascade = Cascade::new(document).of(style::is_wanted);
    // Its elements are not told apart, so that the ids that they were given are of no use.
    let found = Found::new(document, &cascade, &mut Edits::default());
    let measures = Measures::default();
    let mut resolver = Resolver::new(&found, &measures, true, Edits::default());
    resolver.run(document);
    let Resolver { edits, ignored: unresolved, .. } = resolver;
    let text = edits.apply(document.input_text());
    let mut ignored = ignored::find(document, &found);
    ignored.extend(unresolved);
    ignored.extend(left_out(&checked.left_out, &found));
    let objects = treebounds_report::Document { objects: found.objects.all, ..Default::default() };
    let notes = ignored::notes(&ignored, &objects);
    let notes = notes.into_iter().map(|note| format!("in an SVG image, {note}")).collect();
    Told { text, notes }
}
