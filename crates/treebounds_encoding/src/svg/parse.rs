//! From text to a parsed drawing.

use super::fonts::Fonts;
use super::objects::{Found, Objects};
use super::resolve::{Measures, Resolver};
use super::{Options, SvgError, css, left_out};
use treebounds_report::Ignored;
use usvg::Tree;
use usvg_guard::{Cascade, Checked, Edits, Images, Limits, Told, check_text, tree};

/// A parsed drawing, and the parts of it that were left out.
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
        let images =
            |checked: &Checked| Images::new(checked, &limits, &files).told_by(rewrite_image);
        // Images that are only measured get a budget of their own.
        let measured = images(checked);
        let rewritten = rewrite(checked, &limits, &usvg_options(options, fonts, &measured))?;
        check_text(&rewritten.text, &limits, |again| {
            let images = images(again);
            let tree = tree(again.document, &usvg_options(options, fonts, &images))?;
            let mut notes = Vec::new();
            images.finish(&mut notes)?;
            let Rewritten { objects, ignored, .. } = rewritten;
            Ok(Parsed { tree, notes, objects, ignored })
        })
    })
}

/// Options for usvg, with these fonts and images.
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

/// A document, rewritten for usvg.
struct Rewritten {
    objects: Objects,
    text: String,
    ignored: Vec<Ignored>,
}

/// How often a document is measured at most. Boxes depend on transforms inside them, which depend on boxes inside those.
const MEASURED: usize = 4;

/// A document with more elements than this is measured once.
const MEASURED_ONCE: u64 = 200_000;

/// Finds the objects of a document, and rewrites the parts of its text that usvg would not read.
fn rewrite(
    checked: &Checked,
    limits: &Limits,
    options: &usvg::Options,
) -> Result<Rewritten, SvgError> {
    let document = checked.document;
    let cascade = Cascade::new(document).of(css::is_wanted);
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
            // Errors are reported when the document is parsed for good.
            Ok::<_, SvgError>(Tree::from_xmltree(again.document, options).ok())
        });
        let Some(tree) = again? else { break };
        let now = Measures::of(&tree, &found.objects);
        let is_settled = std::mem::replace(&mut measures, now) == measures;
        if is_settled {
            break;
        }
    }
    let (text, mut ignored) = finish(checked, &found, &measures, edits);
    ignored.sort_by_key(|one| one.object);
    Ok(Rewritten { objects: found.objects, text, ignored })
}

/// The text of a document once everything is rewritten, and the parts that are left out.
fn finish(
    checked: &Checked,
    found: &Found,
    measures: &Measures,
    edits: Edits,
) -> (String, Vec<Ignored>) {
    let document = checked.document;
    let mut resolver = Resolver::new(found, measures, true, edits);
    resolver.run(document);
    let mut ignored = left_out::find(document, found);
    ignored.extend(resolver.ignored);
    ignored.extend(checked.left_out.iter().map(|one| Ignored {
        object: found.indices.get(&one.node).copied().unwrap_or_default(),
        what: one.what.clone().into(),
        effect: one.why.into(),
    }));
    (resolver.edits.apply(document.input_text()), ignored)
}

/// Rewrites an SVG image, except for properties that depend on boxes.
fn rewrite_image(checked: &Checked) -> Told {
    let document = checked.document;
    let cascade = Cascade::new(document).of(css::is_wanted);
    // Elements of an image are not reported one by one, so the added ids are not needed.
    let found = Found::new(document, &cascade, &mut Edits::default());
    let (text, ignored) = finish(checked, &found, &Measures::default(), Edits::default());
    let objects = treebounds_report::Document { objects: found.objects.all, ..Default::default() };
    let notes = left_out::notes(&ignored, &objects);
    let notes = notes.into_iter().map(|note| format!("in an SVG image, {note}")).collect();
    Told { text, notes }
}
