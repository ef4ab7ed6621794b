//! Reads a drawing: rewrites its text, and parses it with usvg.
//!
//! Browsers lay out an SVG image as a viewport with the size of its `image` element. The image's own view box and
//! `preserveAspectRatio` fill this viewport; the attribute of the element counts only if it is `none`. usvg reads only
//! the attribute of the element. Therefore, the root of an image gets the size of its view box, and its element gets
//! the aspect ratio of the root.

use crate::cascade::Media;
use crate::elements::Elements;
use crate::images::{self, Picture, SvgImage, orientation};
use crate::measure::fonts::Fonts;
use crate::notes::{Note, lines};
use crate::rewrite::{Rewritten, Source, rewrite};
use crate::values::FONT_SIZE;
use data_url::DataUrl;
use kurbo::Rect;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use usvg::fontdb::Database;
use usvg::roxmltree::Document;
use usvg::{Node, Tree};
use usvg_guard::{Error, Images, LeftOut, Limits, document};

/// The maximum nesting of SVG images for measurements.
const LEVELS: u32 = 8;

/// A drawing rewritten so that usvg reads it as browsers do.
#[derive(Debug, Default)]
pub struct Page {
    /// The rewritten text.
    pub text: String,
    /// The elements of the document.
    pub elements: Elements,
    /// Parts that were left out or approximated, in document order.
    pub notes: Vec<Note>,
    /// The elements with an image that only usvg can read, and the links to these images.
    pictured: Vec<(u32, String)>,
    /// The reasons for skipping images.
    others: Vec<String>,
}

impl Page {
    /// Returns the notes as text, with one line per kind of note. Each line names the first elements that it applies
    /// to.
    pub fn lines(&self) -> Vec<String> {
        let all = lines(&self.notes, &self.elements).into_iter();
        let all = all.map(|(what, effect)| format!("{what}: {effect}"));
        all.chain(self.others.iter().cloned()).collect()
    }
}

/// Reads drawings with a set of fonts and images.
pub struct Reader<'a> {
    media: Media,
    fonts: Fonts,
    links: &'a dyn Images,
    /// The nesting of the images that are being rewritten.
    level: AtomicU32,
    /// The rewritten SVG images.
    known: Mutex<HashMap<String, Arc<Image>>>,
}

/// An SVG image for usvg.
struct Image {
    text: String,
    /// The size and notes of the image, if it could be rewritten.
    size: Option<SvgImage>,
}

impl<'a> Reader<'a> {
    /// Creates a reader with these fonts. `links` reads linked images; `&()` reads none.
    pub fn new(fonts: Arc<Database>, media: Media, links: &'a dyn Images) -> Self {
        let (level, known) = (AtomicU32::new(0), Mutex::default());
        Self { media, fonts: Fonts::new(fonts), links, level, known }
    }

    /// Rewrites the text of a drawing.
    ///
    /// If a value depends on the box of a text, usvg parses the drawing once to measure it. Requires a large stack: see
    /// [`usvg_guard::with_large_stack`]. Time and memory are not limited.
    ///
    /// # Errors
    /// Fails if the text is not SVG, or exceeds a limit of usvg.
    pub fn rewrite(&self, text: &str) -> Result<Page, Error> {
        let limits = Limits::default();
        let original = document(text, &limits)?;
        let page = |texts: &HashMap<u32, Rect>| {
            let Rewritten { text, elements, notes, wants_texts, pictured, .. } =
                self.rewritten(&original, &limits, texts, false)?;
            let page = Page { text, elements, notes, pictured, others: Vec::new() };
            Ok::<_, Error>((page, wants_texts))
        };
        let (first, wants_texts) = page(&HashMap::new())?;
        if !wants_texts {
            return Ok(first);
        }
        let tree = usvg_guard::read(&first.text, &limits, self.options(), self)?.tree;
        let texts = Parts::of(&tree, &first.elements).texts;
        if texts.is_empty() { Ok(first) } else { Ok(page(&texts)?.0) }
    }

    /// Parses a page with usvg, and adds notes about what usvg leaves out: circular references, missing fonts, and
    /// images.
    ///
    /// Also rewrites the SVG images in the page. Requires a large stack.
    ///
    /// # Errors
    /// Fails if usvg cannot read the page.
    pub fn parse(&self, page: &mut Page) -> Result<Tree, Error> {
        let parsed = |text: &str| usvg_guard::read(text, &Limits::default(), self.options(), self);
        let mut read = parsed(&page.text)?;
        if let Some(side) = missing_side(&page.text) {
            // usvg derives both sides from the content if one is missing.
            let size = read.tree.size();
            let length = if side == "width" { size.width() } else { size.height() };
            page.text = page.text.replacen("<svg", &format!("<svg {side}=\"{length}\""), 1);
            read = parsed(&page.text)?;
        }
        page.notes.extend(read.left_out.into_iter().map(|one| {
            let element = one.element.strip_prefix('#').and_then(|id| page.elements.find(id));
            let element = element.unwrap_or_default();
            Note::new(element, one.what, LeftOut::WHY)
        }));
        let Parts { found, unwritten, .. } = Parts::of(&read.tree, &page.elements);
        for element in unwritten {
            let effect = "no font has all of them; a box is drawn for each other";
            page.notes.push(Note::new(element, "letters", effect));
        }
        page.others = read.notes;
        let mut known = BTreeSet::new();
        for (element, link) in page.pictured.iter().filter(|(element, _)| !found.contains(element))
        {
            let start = skipped(link);
            let mut reasons = page.others.iter().filter_map(|note| note.strip_prefix(&start));
            let reason = match (reasons.next(), reasons.next()) {
                (Some(reason), None) => reason,
                _ => "it cannot be read",
            };
            let (what, effect) = (format!("image {link:.60}"), format!("skipped: {reason}"));
            page.notes.push(Note::new(*element, what, effect));
            known.insert(start);
        }
        known.extend(["in an SVG image, ".to_owned()]);
        let is_known = |note: &str| known.iter().any(|start| note.starts_with(start));
        page.others.retain(|note| !is_known(note) && !note.ends_with(usvg_guard::MORE_NOTES));
        page.notes.sort_by_key(|one| one.element);
        Ok(read.tree)
    }

    /// Returns usvg's options, with the fonts of this reader.
    fn options(&self) -> usvg::Options<'_> {
        usvg::Options {
            font_size: FONT_SIZE as f32,
            font_family: self.fonts.default_family(),
            fontdb: self.fonts.database(),
            ..usvg::Options::default()
        }
    }

    fn rewritten(
        &self,
        document: &Document,
        limits: &Limits,
        texts: &HashMap<u32, Rect>,
        is_image: bool,
    ) -> Result<Rewritten, Error> {
        let read = |link: &str, size| self.picture(link, size);
        let source = Source { media: self.media, fonts: &self.fonts, images: &read, texts };
        rewrite(document, limits, &source, is_image)
    }

    fn known(&self, text: &str) -> Option<Arc<Image>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    fn image(&self, document: &Document) -> Arc<Image> {
        let text = document.input_text();
        if let Some(known) = self.known(text) {
            return known;
        }
        self.level.fetch_add(1, Relaxed);
        let image = match self.rewritten(document, &Limits::default(), &HashMap::new(), true) {
            Ok(rewritten) => {
                let mut notes = lines(&rewritten.notes, &rewritten.elements);
                let circles = usvg_guard::circles(&rewritten.text, &Limits::default());
                let circles = circles.unwrap_or_default().into_iter();
                notes.extend(circles.map(|one| {
                    (format!("{} of {}", one.what, one.element), LeftOut::WHY.to_owned())
                }));
                let notes = notes.into();
                let size = rewritten.image.map(|image| SvgImage { notes, ..image });
                Image { text: rewritten.text, size }
            }
            Err(_) => Image { text: text.to_owned(), size: None },
        };
        self.level.fetch_sub(1, Relaxed);
        let image = Arc::new(image);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text.to_owned(), image.clone());
        image
    }

    /// Returns a linked image for an element of this size.
    fn picture(&self, link: &str, size: Option<(f64, f64)>) -> Option<Picture> {
        let lower = |text: &str| text.to_ascii_lowercase();
        let file = link.split('#').next().unwrap_or_default();
        let (data, may_be_svg) = match DataUrl::process(link) {
            Ok(url) => {
                let kind = url.mime_type();
                let kind = (lower(&kind.type_), lower(&kind.subtype));
                let may_be =
                    matches!((&*kind.0, &*kind.1), ("image", "svg+xml") | ("text", "plain"));
                (Arc::new(url.decode_to_vec().ok()?.0), may_be)
            }
            Err(_) => {
                let is_svg = [".svg", ".svgz"].iter().any(|end| lower(file).ends_with(end));
                (self.links.link(file).ok()?, is_svg)
            }
        };
        if let Some(orientation) = orientation(&data) {
            return Some(Picture::Photo(orientation));
        }
        if !may_be_svg || self.level.load(Relaxed) >= LEVELS {
            return may_be_svg.then(|| Picture::Svg(SvgImage::default(), None));
        }
        let limits = Limits::default();
        let text = usvg_guard::text(&data, &limits).ok()?;
        let known = self.known(&text).and_then(|image| image.size.clone());
        if let Some(known) = known.filter(|image| image.aspect.is_some() && file == link) {
            return Some(Picture::Svg(known, None));
        }
        let image = document(&text, &limits).ok()?;
        let (image, other) = match images::view(&image, link, size) {
            Some(other) => {
                (self.image(&document(&other, &limits).ok()?), Some(images::link(&other)))
            }
            None => (self.image(&image), (file != link).then(|| file.to_owned())),
        };
        Some(Picture::Svg(image.size.clone()?, other))
    }
}

impl Images for Reader<'_> {
    fn rewrite(&self, image: &Document) -> (String, Vec<String>) {
        (self.image(image).text.clone(), Vec::new())
    }

    fn link(&self, link: &str) -> Result<Arc<Vec<u8>>, String> {
        self.links.link(link)
    }
}

/// Returns the missing side if the root of a page has only one of `width` and `height`, and no view box.
fn missing_side(text: &str) -> Option<&'static str> {
    let root = text.split('>').next().unwrap_or_default();
    let has = |name: &str| root.contains(&format!(" {name}=\""));
    match ["width", "height"].map(has) {
        _ if has("viewBox") => None,
        [true, false] => Some("height"),
        [false, true] => Some("width"),
        _ => None,
    }
}

/// The prefix of usvg_guard's note about a skipped image.
fn skipped(link: &str) -> String {
    let mime = link.strip_prefix("data:").and_then(|data| data.split([';', ',']).next());
    match mime {
        None => format!("the image '{link}' was skipped: "),
        Some("image/svg+xml") => "an SVG image was skipped: ".to_owned(),
        Some(mime) => format!("an image ({mime:.40}) was skipped: "),
    }
}

/// Data from usvg's tree.
#[derive(Default)]
struct Parts {
    found: HashSet<u32>,
    /// The boxes of texts, in their own coordinates: only usvg can measure them.
    texts: HashMap<u32, Rect>,
    /// The texts with letters that no font contains.
    unwritten: BTreeSet<u32>,
}

impl Parts {
    fn of(tree: &Tree, elements: &Elements) -> Self {
        let mut out = Self::default();
        let mut open = vec![(tree.root(), 0)];
        while let Some((group, around)) = open.pop() {
            for node in group.children() {
                let own = elements.find(node.id());
                out.found.extend(own);
                let nearest = own.unwrap_or(around);
                match node {
                    Node::Group(group) => open.push((group, nearest)),
                    Node::Text(text) => {
                        let area = text.bounding_box();
                        let edges = [area.left(), area.top(), area.right(), area.bottom()];
                        let [x0, y0, x1, y1] = edges.map(f64::from);
                        out.texts.extend(own.map(|element| (element, Rect::new(x0, y0, x1, y1))));
                        let spans = text.layouted().iter();
                        let mut glyphs = spans.flat_map(|span| &span.positioned_glyphs);
                        let is_missing = glyphs.any(|glyph| glyph.id.0 == 0);
                        out.unwritten.extend(is_missing.then_some(nearest));
                    }
                    _ => {}
                }
            }
        }
        out
    }
}
