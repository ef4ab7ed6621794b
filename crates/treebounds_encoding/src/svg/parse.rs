//! From bytes to a parsed drawing.

use super::cascade::Cascade;
use super::edit::Edits;
use super::error::one_line;
use super::fonts::Fonts;
use super::guard::{self, Cost, ELEMENTS_MAX};
use super::images::Images;
use super::measure::Measures;
use super::objects::{Found, Objects};
use super::resolve::Resolver;
use super::{Options, SvgError, ignored, source, style};
use treebounds_core::Ignored;
use usvg::roxmltree::{Document, Error as XmlError, ParsingOptions};
use usvg::{Error, Tree};

/// The most nodes of XML that are read, text and comments and all.
const NODES_MAX: u32 = 4_000_000;

/// A parsed drawing, how deep it is, and what was left out of it.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) depth: u64,
    pub(super) notes: Vec<String>,
    pub(super) objects: Objects,
    pub(super) ignored: Vec<Ignored>,
}

/// Parses the file. Must run on a large stack.
pub(super) fn parse(data: &[u8], options: &Options) -> Result<Parsed, SvgError> {
    with_document(data, |document| {
        let cost = guard::measure(document)?;
        let fonts = Fonts::new(options);
        // Images that are read only to be measured do not count.
        let measured = Images::new(cost)?;
        let told = tell(document, &usvg_options(options, &fonts, &measured))?;
        let images = Images::new(cost)?;
        let options = usvg_options(options, &fonts, &images);
        let document = &document_of(&told.text)?;
        let tree =
            Tree::from_xmltree(document, &options).map_err(|error| unreadable(error, document))?;
        let mut notes = fonts.notes(document);
        let depth = images.finish(&mut notes)?;
        Ok(Parsed { tree, depth, notes, objects: told.objects, ignored: told.ignored })
    })
}

/// How usvg reads: with these fonts and images.
fn usvg_options<'a>(options: &Options, fonts: &'a Fonts, images: &'a Images) -> usvg::Options<'a> {
    usvg::Options {
        resources_dir: options.resources_dir.clone(),
        font_family: fonts.default_family(),
        fontdb: fonts.database(),
        font_resolver: fonts.resolver(),
        image_href_resolver: images.resolver(options),
        ..usvg::Options::default()
    }
}

/// A document, told to usvg.
struct Told {
    objects: Objects,
    text: String,
    ignored: Vec<Ignored>,
}

/// How often a document is measured: boxes depend on transforms inside them, which depend on boxes inside those.
const MEASURED: usize = 4;

/// Finds the objects of a document, and tells usvg in its text what it would not read.
fn tell(document: &Document, options: &usvg::Options) -> Result<Told, SvgError> {
    let cascade = Cascade::new(document, style::is_wanted);
    let mut edits = Edits::default();
    let found = Found::new(document, &cascade, &mut edits);
    let mut measures = Measures::default();
    for _ in 0..MEASURED {
        let mut resolver = Resolver::new(&found, &measures, false, edits.clone());
        resolver.run(document);
        if !resolver.measured {
            break;
        }
        let text = resolver.edits.apply(document.input_text());
        let again = document_of(&text)?;
        // What is wrong with it is said when it is read for good.
        let Ok(tree) = Tree::from_xmltree(&again, options) else { break };
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
    ignored.sort_by_key(|one| one.object);
    Ok(Told { objects: found.objects, text, ignored })
}

/// An SVG image, told to usvg.
pub(super) struct ToldImage {
    /// What it would cost to parse.
    pub(super) cost: Cost,
    pub(super) text: String,
    pub(super) notes: Vec<String>,
}

/// Reads an SVG image. What depends on boxes is not told.
pub(super) fn tell_image(data: &[u8]) -> Result<ToldImage, SvgError> {
    with_document(data, |document| {
        let cost = guard::measure(document)?;
        let cascade = Cascade::new(document, style::is_wanted);
        // Its elements are not told apart, so that the ids that they were given are of no use.
        let found = Found::new(document, &cascade, &mut Edits::default());
        let measures = Measures::default();
        let mut resolver = Resolver::new(&found, &measures, true, Edits::default());
        resolver.run(document);
        let Resolver { edits, ignored: unresolved, .. } = resolver;
        let text = edits.apply(document.input_text());
        let mut ignored = ignored::find(document, &found);
        ignored.extend(unresolved);
        let objects =
            treebounds_core::Document { objects: found.objects.all, ..Default::default() };
        let notes = ignored::notes(&ignored, &objects);
        let notes = notes.into_iter().map(|note| format!("in an SVG image, {note}")).collect();
        Ok(ToldImage { cost, text, notes })
    })
}

/// Reads the file as XML.
fn with_document<T>(
    data: &[u8],
    work: impl FnOnce(&Document) -> Result<T, SvgError>,
) -> Result<T, SvgError> {
    if data.is_empty() {
        return Err(SvgError::Empty);
    }
    let text = source::text(data)?;
    guard::check_entities(&text)?;
    let document = document_of(&text)?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || !matches!(root.namespace(), None | Some(guard::NAMESPACE)) {
        let of = root.namespace().map_or(String::new(), |namespace| format!(" of {namespace}"));
        return Err(SvgError::NotSvg { found: one_line(&format!("{}{of}", root.name())) });
    }
    work(&document)
}

fn document_of(text: &str) -> Result<Document<'_>, SvgError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: NODES_MAX, ..Default::default() };
    Document::parse_with_options(text, options).map_err(bad_xml)
}

fn bad_xml(error: XmlError) -> SvgError {
    match error {
        XmlError::NodesLimitReached => SvgError::TooMuch { max: NODES_MAX.into() },
        other => SvgError::BadXml { reason: one_line(&other.to_string()) },
    }
}

fn unreadable(error: Error, document: &Document) -> SvgError {
    match error {
        Error::InvalidSize => SvgError::NoSize,
        Error::ElementsLimitReached => SvgError::TooMuch { max: ELEMENTS_MAX },
        Error::ParsingFailed(XmlError::NodesLimitReached) => {
            guard::circle_of_uses(document).unwrap_or_else(|| SvgError::Unreadable {
                reason: "with every use followed it has more than 1000000 elements, or nests them more than 1024 deep".into(),
            })
        }
        other => SvgError::Unreadable { reason: other.to_string() },
    }
}
