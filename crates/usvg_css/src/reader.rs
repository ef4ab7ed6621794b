//! Reads a drawing: its text is rewritten, and parsed by usvg.
//!
//! Browsers lay an SVG image out as a viewport as large as its `image` element: the view box and the `preserveAspectRatio` of
//! the image itself fill it, and the attribute of the element counts only if it is `none`. usvg reads only the attribute of
//! the element. So the root of an image gets the size of its view box, and its element the aspect ratio of its root.

use crate::cascade::Media;
use crate::elements::Elements;
use crate::measure::fonts::Fonts;
use crate::notes::{Note, lines};
use crate::rewrite::svg_image::{SvgImage, SvgImages};
use crate::rewrite::{Rewritten, Source, rewrite};
use crate::values::FONT_SIZE;
use data_url::DataUrl;
use kurbo::Rect;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use usvg::fontdb::Database;
use usvg::roxmltree::Document;
use usvg::{Node, Tree};
use usvg_guard::{Error, Images, LeftOut, Limits, document};

/// How deep SVG images are measured inside of each other.
const LEVELS: u32 = 8;

/// A drawing in which usvg reads what browsers read.
#[derive(Debug, Default)]
pub struct Page {
    /// The rewritten text.
    pub text: String,
    /// The elements of the document.
    pub elements: Elements,
    /// What is left out or approximated, in the order of the document.
    pub notes: Vec<Note>,
    /// Lines about fonts and images.
    others: Vec<String>,
}

impl Page {
    /// One line for each kind of thing that is left out or approximated, which names the first elements with it.
    pub fn lines(&self) -> Vec<String> {
        let mut all = lines(&self.notes, &self.elements);
        all.extend(self.others.iter().cloned());
        all
    }
}

/// Reads a drawing, with its fonts and images.
pub struct Reader<'a> {
    media: Media,
    fonts: Fonts,
    links: &'a dyn Images,
    /// How many images are being rewritten inside of each other.
    level: AtomicU32,
    /// The SVG images that were rewritten.
    known: Mutex<HashMap<String, Arc<Image>>>,
}

/// An SVG image for usvg, with notes about it.
struct Image {
    text: String,
    notes: Vec<String>,
    /// Its size, if it could be rewritten.
    size: Option<SvgImage>,
}

impl<'a> Reader<'a> {
    /// A reader with these fonts. `links` reads linked images; `&()` reads none.
    pub fn new(fonts: Arc<Database>, media: Media, links: &'a dyn Images) -> Self {
        let (level, known) = (AtomicU32::new(0), Mutex::default());
        Self { media, fonts: Fonts::new(fonts), links, level, known }
    }

    /// Rewrites the text of a drawing.
    ///
    /// If a value depends on the box of a text, usvg parses the drawing once to measure it. Call it on a large stack, see
    /// [`usvg_guard::with_large_stack`]. Its time and memory are not limited.
    ///
    /// # Errors
    /// The text is not SVG, or exceeds a limit of usvg.
    pub fn rewrite(&self, text: &str) -> Result<Page, Error> {
        let limits = Limits::default();
        let original = document(text, &limits)?;
        let page = |texts: &HashMap<u32, Rect>| {
            let Rewritten { text, elements, notes, wants_texts, .. } =
                self.rewritten(&original, &limits, texts, false)?;
            Ok::<_, Error>((Page { text, elements, notes, others: Vec::new() }, wants_texts))
        };
        let (first, wants_texts) = page(&HashMap::new())?;
        if !wants_texts {
            return Ok(first);
        }
        let tree = usvg_guard::read(&first.text, &limits, self.options(), self)?.tree;
        let texts = texts(&tree, &first.elements);
        if texts.is_empty() { Ok(first) } else { Ok(page(&texts)?.0) }
    }

    /// Parses a page with usvg, and adds what usvg leaves out to its notes: circular references, missing fonts, and images.
    ///
    /// SVG images in it are rewritten, too. Call it on a large stack.
    ///
    /// # Errors
    /// usvg cannot read the page.
    pub fn parse(&self, page: &mut Page) -> Result<Tree, Error> {
        let read = usvg_guard::read(&page.text, &Limits::default(), self.options(), self)?;
        page.notes.extend(read.left_out.into_iter().map(|one| {
            let element = one.element.strip_prefix('#').and_then(|id| page.elements.find(id));
            let element = element.unwrap_or_default();
            Note { element, what: one.what.into(), effect: LeftOut::WHY.into() }
        }));
        page.notes.sort_by_key(|one| one.element);
        page.others = self.fonts.notes();
        page.others.extend(read.notes);
        Ok(read.tree)
    }

    /// usvg's options, with the fonts of this reader.
    fn options(&self) -> usvg::Options<'_> {
        usvg::Options {
            font_size: FONT_SIZE as f32,
            font_family: self.fonts.default_family(),
            fontdb: self.fonts.database(),
            font_resolver: self.fonts.resolver(),
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
        let source = Source { media: self.media, fonts: &self.fonts, images: self, texts };
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
                let notes = lines(&rewritten.notes, &rewritten.elements).into_iter();
                let notes = notes.map(|note| format!("in an SVG image, {note}")).collect();
                Image { text: rewritten.text, notes, size: rewritten.image }
            }
            Err(_) => Image { text: text.to_owned(), notes: vec![], size: None },
        };
        self.level.fetch_sub(1, Relaxed);
        let image = Arc::new(image);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(text.to_owned(), image.clone());
        image
    }
}

impl SvgImages for Reader<'_> {
    fn size(&self, link: &str) -> Option<SvgImage> {
        let lower = |text: &str| text.to_ascii_lowercase();
        let data = match DataUrl::process(link) {
            Ok(url) => {
                let kind = url.mime_type();
                let kind = (lower(&kind.type_), lower(&kind.subtype));
                let may_be =
                    matches!((&*kind.0, &*kind.1), ("image", "svg+xml") | ("text", "plain"));
                Arc::new(url.decode_to_vec().ok().filter(|_| may_be)?.0)
            }
            Err(_) => {
                let is_svg = [".svg", ".svgz"].iter().any(|end| lower(link).ends_with(end));
                self.links.link(link).ok().filter(|_| is_svg)?
            }
        };
        if self.level.load(Relaxed) >= LEVELS {
            return Some(SvgImage::default());
        }
        let limits = Limits::default();
        let text = usvg_guard::text(&data, &limits).ok()?;
        if let Some(known) = self.known(&text) {
            return known.size.clone();
        }
        self.image(&document(&text, &limits).ok()?).size.clone()
    }
}

impl Images for Reader<'_> {
    fn rewrite(&self, image: &Document) -> (String, Vec<String>) {
        let image = self.image(image);
        (image.text.clone(), image.notes.clone())
    }

    fn link(&self, link: &str) -> Result<Arc<Vec<u8>>, String> {
        self.links.link(link)
    }
}

/// The boxes of texts, in their own coordinates: only usvg can measure them.
fn texts(tree: &Tree, elements: &Elements) -> HashMap<u32, Rect> {
    let mut found = HashMap::new();
    let mut open = vec![tree.root()];
    while let Some(group) = open.pop() {
        for node in group.children() {
            match node {
                Node::Group(group) => open.push(group),
                Node::Text(text) => {
                    let area = text.bounding_box();
                    let edges = [area.left(), area.top(), area.right(), area.bottom()];
                    let [x0, y0, x1, y1] = edges.map(f64::from);
                    let element = elements.find(text.id());
                    found.extend(element.map(|element| (element, Rect::new(x0, y0, x1, y1))));
                }
                _ => {}
            }
        }
    }
    found
}
