//! Writes elements: their values, their start tags, and what is inside of them.

use super::context::{Context, Shown};
use super::gaps::Gap;
use super::viewports::inner_view;
use super::writer::{Run, Writer};
use crate::elements::{Part, is_definition, is_painted, is_shape, transform_attribute};
use crate::values::properties::IGNORED;
use crate::xml::{Attributes, XHTML, attribute, set, take, write_attribute};
use kurbo::Affine;
use std::rc::Rc;
use usvg::roxmltree::{Node, NodeId};
use usvg_guard::{Error, NAMESPACE};

/// What is inside of an element.
enum Contents<'a, 'i> {
    Written(String),
    /// What a `use` shows.
    Shown((Node<'a, 'i>, Shown)),
    /// The children, in a group with these attributes: usvg applies the effects of groups, and none of markers.
    Group(String),
    Children,
}

impl Writer<'_> {
    /// Writes an element and everything inside of it.
    pub(crate) fn element(&mut self, node: Node, around: &Context) -> Result<(), Error> {
        self.choice(node);
        let Some(element) = self.elements.of_node(node) else { return Ok(()) };
        let tag = node.tag_name().name();
        // References lead to the definitions of the document.
        if around.shown.is_some() && is_definition(tag) && !around.is_shown(node) {
            return Ok(());
        }
        self.check_limits(around)?;
        let declared = self.cascade.declarations(node, around.tree());
        let mut own = Context { depth: around.depth + 1, is_replaced: false, ..around.clone() };
        own.slot = Some(self.boxes.slot());
        own.values = Rc::new(self.winners(element, node, &declared, around, &mut own));
        if element == 0 {
            self.root(node, &mut own);
        }
        self.part(element, tag, around, &mut own);
        own.is_empty = !own.is_replaced && self.is_flat(node, &own);
        if element != 0 && (is_skipped(node, &own) || own.is_empty) {
            return Ok(());
        }
        self.write(element, node, around, own)
    }

    /// Counts an element, which may be one that a `use` shows.
    fn check_limits(&mut self, around: &Context) -> Result<(), Error> {
        self.visited += 1;
        if around.depth > self.limits.nesting && around.shown.is_none() {
            return Err(Error::TooNested(self.limits.nesting));
        }
        if around.depth > self.limits.nesting || self.visited > self.limits.elements {
            return Err(Error::TooManyUsed);
        }
        if self.out.len() as u64 > self.limits.bytes {
            let what = "the bytes of the text with all uses";
            return Err(Error::TooMany(what.into(), self.limits.bytes));
        }
        Ok(())
    }

    /// Computes the part of the document that an element belongs to.
    fn part(&mut self, element: u32, tag: &str, around: &Context, own: &mut Context) {
        let is_none = own.own("display") == Some("none");
        own.is_off |= is_none && element != 0 && tag != "clipPath" && !is_definition(tag);
        let is_definition = is_definition(tag) && own.shown.is_none();
        own.part = match () {
            _ if around.part == Part::Definition || is_definition => Part::Definition,
            _ if own.is_off || matches!(own.get("visibility"), "hidden" | "collapse") => {
                Part::Hidden
            }
            _ => Part::Painted,
        };
        if own.shown.is_none() {
            self.elements.all[element as usize].part = own.part;
        }
    }

    /// Writes an element whose values are known.
    pub(crate) fn write(
        &mut self,
        element: u32,
        node: Node,
        around: &Context,
        mut own: Context,
    ) -> Result<(), Error> {
        let tag = match node.tag_name().name() {
            "svg" if own.is_replaced => "g",
            "symbol" if own.is_shown(node) => "svg",
            tag => tag,
        };
        let mut attributes = self.attributes(element, node, around, &own);
        let is_in_text = node.parent().is_some_and(|outer| outer.has_tag_name("text"));
        if tag == "textPath" && !(is_in_text && attribute(&attributes, "href").is_some()) {
            if node.parent().is_some_and(|outer| outer.has_tag_name("a")) {
                self.note(element, "textPath in an a", IGNORED);
            }
            return Ok(());
        }
        let viewport = match tag {
            "svg" | "marker" => Some(node),
            _ => None,
        };
        self.defaults(element, node, &own, &mut attributes);
        self.image_sizes(element, tag, &own, &mut attributes);
        let found = self.lay_out(element, tag, viewport, &own, &mut attributes);
        let Some(laid) = found else { return Ok(()) };
        let known = self.matrices.zip(own.slot).and_then(|(all, slot)| all.get(&slot)).copied();
        let matrix = laid.matrix.or(known);
        own.is_placed &= matrix.is_some();
        own.to_drawing = around.to_drawing * matrix.unwrap_or_default() * laid.place * laid.inner;
        let mut parts = None;
        if is_shape(tag) || tag == "text" {
            let outline = laid.outline.as_ref();
            self.dashes(node, &own, outline, &mut attributes);
            parts = self.unscaled(element, tag, &own, outline, &mut attributes);
        }
        self.not_applied(element, tag, &own, &mut attributes);
        let contents = match (tag, parts) {
            ("use", _) if own.in_clip => {
                self.show_in_clip(element, node, &own, &mut attributes)?;
                Contents::Written(String::new())
            }
            ("use", _) => {
                let shown = self.shown(element, node, &own, &attributes);
                take(&mut attributes, &["x", "y", "width", "height", "href"]);
                shown.map_or(Contents::Written(String::new()), Contents::Shown)
            }
            (_, Some(parts)) => Contents::Written(parts),
            _ if Self::is_marked(tag, &own) => {
                let outline = laid.outline.as_ref();
                Contents::Written(self.marked(element, tag, &own, outline, &mut attributes))
            }
            ("marker", _) => {
                Contents::Group(take(&mut attributes, &["opacity", "clip-path", "filter", "mask"]))
            }
            _ => Contents::Children,
        };
        let is_use = tag == "use" && !own.in_clip;
        let is_moved = is_use && laid.place != Affine::IDENTITY;
        let tag = match (tag, &contents) {
            ("a", _) if own.text.is_some() => "tspan",
            ("use", _) if own.in_clip => "use",
            (_, Contents::Written(_) | Contents::Shown(..)) => "g",
            (tag, _) => tag,
        };
        let start = (self.out.len(), self.gaps.len(), self.opened);
        let is_chosen = node.parent().is_some_and(|outer| outer.has_tag_name("switch"));
        let may_go = match contents {
            _ if is_chosen || element == 0 || own.text.is_some() => false,
            Contents::Children if matches!(tag, "g" | "a" | "svg" | "switch") => {
                own.part != Part::Definition
                    && attribute(&attributes, "filter").is_none_or(|filter| filter == "none")
            }
            _ => is_use,
        };
        self.open(element, node, tag, &own, &attributes);
        if laid.moves.is_some() || is_moved {
            let then = if is_moved { laid.place } else { Affine::IDENTITY };
            self.gap(element, own.slot, transform_attribute(tag), laid.matrix, then);
        }
        own.environment.view = inner_view(element, node, tag, &attributes, &own);
        let is_part = !is_definition(tag) && tag != "defs" && !own.is_off;
        if let Some(slot) = own.slot {
            self.boxes.add(slot, around.slot.filter(|_| is_part), laid);
        }
        self.out.push('>');
        self.contents(element, node, tag, contents, &mut own)?;
        if element == 0 {
            // The place of generated definitions.
            self.gap(u32::MAX, None, "", None, Affine::IDENTITY);
        }
        self.out.extend(["</", tag, ">"]);
        if may_go && self.opened == start.2 + 1 {
            // usvg takes an empty group for a point of the boxes around.
            self.out.truncate(start.0);
            self.gaps.truncate(start.1);
            self.opened = start.2;
            if own.shown.is_none() {
                self.out.extend(["<defs id=\"", self.elements.mark(element), "\"/>"]);
            }
        }
        Ok(())
    }

    /// Follows what browsers choose in a `switch`.
    pub(crate) fn choice(&mut self, node: Node) {
        if !node.parent().is_some_and(|outer| outer.has_tag_name("switch")) {
            return;
        }
        let tag = node.tag_name().name();
        let has_condition = is_painted(tag) || matches!(tag, "defs" | "foreignObject" | "mask");
        if !has_condition && node.tag_name().namespace() == Some(NAMESPACE) {
            // Browsers choose it, and paint nothing.
            self.out += "<g/>";
        }
        let is_shown = |one: Node| {
            let needs = one.attribute("requiredExtensions").unwrap_or(XHTML).trim();
            one.has_tag_name("foreignObject") && needs == XHTML
        };
        let element = self.elements.of_node(node);
        if let Some(element) = element.filter(|_| node.prev_siblings().skip(1).any(is_shown)) {
            let effect = "browsers show it, and not what comes after it in the switch";
            self.note(element, "foreignObject", effect);
        }
    }

    /// Sets the size of an SVG image, on its root or where it is shown.
    fn image_sizes(&mut self, element: u32, tag: &str, own: &Context, attributes: &mut Attributes) {
        if element == 0 && self.image.as_ref().is_some_and(|image| image.aspect.is_some()) {
            set(attributes, "width", own.environment.page.0.to_string());
            set(attributes, "height", own.environment.page.1.to_string());
            attributes.retain(|(name, _)| name != "preserveAspectRatio");
        }
        let link = attribute(attributes, "xlink:href").filter(|_| tag == "image");
        let image = link.and_then(|link| self.images.size(link));
        if image.is_some_and(|image| !image.fit(attributes)) {
            let effect = "its size and its viewBox do not say its proportions; its contents may be larger or smaller";
            self.note(element, "href: an SVG image", effect);
        }
    }

    /// Notes what usvg does not apply to an element, or not as browsers do.
    fn not_applied(&mut self, element: u32, tag: &str, own: &Context, attributes: &mut Attributes) {
        let has = |name: &str| own.own(name).is_some_and(|value| value != "none");
        if tag == "radialGradient" {
            self.focus(element, attributes);
        }
        if tag == "svg" && element != 0 && has("filter") {
            self.note(
                element,
                "filter of a nested svg",
                "cut by its viewport, and not around that",
            );
        }
        if own.text.is_none() {
            return;
        }
        for name in ["filter", "clip-path", "mask"].into_iter().filter(|name| has(name)) {
            self.note(element, &format!("{name} in a text"), IGNORED);
        }
        if own.own("opacity") == Some("0") {
            attributes.push(("visibility".into(), "hidden".to_owned()));
        }
    }

    /// Begins the start tag of an element.
    fn open(
        &mut self,
        element: u32,
        node: Node,
        tag: &str,
        own: &Context,
        attributes: &Attributes,
    ) {
        self.opened += 1;
        self.out.extend(["<", tag]);
        match &own.shown {
            None => write_attribute(&mut self.out, "id", self.elements.mark(element)),
            Some(shown) => {
                let mark = shown.mark.iter().filter(|_| own.is_shown(node));
                mark.for_each(|mark| write_attribute(&mut self.out, "id", mark));
            }
        }
        if element == 0 {
            self.out += " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
        }
        let mut style = String::new();
        for (name, value) in attributes {
            match &**name {
                // usvg reads these in CSS alone.
                "mix-blend-mode" | "isolation" | "font-kerning" | "image-rendering" => {
                    style += &format!("{name}:{value};");
                }
                _ => write_attribute(&mut self.out, name, value),
            }
        }
        if !style.is_empty() {
            write_attribute(&mut self.out, "style", &style);
        }
    }

    /// Leaves a gap for an attribute.
    fn gap(
        &mut self,
        element: u32,
        slot: Option<u32>,
        name: &'static str,
        matrix: Option<Affine>,
        then: Affine,
    ) {
        let (at, slot) = (self.out.len(), slot.unwrap_or_default());
        self.gaps.push(Gap { at, element, slot, name, matrix, then });
    }

    /// Writes what is inside of an element.
    fn contents(
        &mut self,
        element: u32,
        node: Node,
        tag: &str,
        contents: Contents,
        own: &mut Context,
    ) -> Result<(), Error> {
        match contents {
            Contents::Written(text) => self.out += &text,
            Contents::Shown((root, shown)) => self.copy(element, root, shown, own)?,
            Contents::Group(attributes) if !attributes.is_empty() => {
                self.out += &format!("<g{attributes}>");
                self.children(element, node, tag, own)?;
                self.out += "</g>";
            }
            Contents::Children if own.is_empty => {}
            _ => self.children(element, node, tag, own)?,
        }
        Ok(())
    }

    /// The elements and letters in an element. They are found once, because there may be many comments between them, and many
    /// uses that show them.
    fn parts(&mut self, node: Node) -> Rc<[NodeId]> {
        let parts = node.children().filter(|child| child.is_element() || child.is_text());
        let parts = || parts.map(|child| child.id()).collect();
        Rc::clone(self.parts.entry(node.id()).or_insert_with(parts))
    }

    fn children(
        &mut self,
        element: u32,
        node: Node,
        tag: &str,
        own: &mut Context,
    ) -> Result<(), Error> {
        own.in_clip |= tag == "clipPath";
        own.effect = self.effect_of_box(own).map(|name| (element, name)).or(own.effect);
        own.is_content |= matches!(tag, "marker" | "mask" | "pattern");
        if element == 0 {
            self.background(node, own);
        }
        let starts = tag == "text" && own.text.is_none();
        if own.shown.is_none() && (starts || own.text.is_some()) {
            self.spacing(element, node, own);
        }
        if starts {
            own.text = Some(element);
            self.run = Run { is_blank: true, last: None };
        }
        self.cascade.enter(node);
        for child in self.parts(node).iter().filter_map(|id| node.document().get_node(*id)) {
            if child.is_element() {
                self.element(child, own)?;
            } else if let (Some(text), Some(letters)) =
                (own.text, child.text().filter(|_| child.is_text()))
            {
                self.letters(text, element, letters, own);
            }
        }
        let mut stops = node.children().filter(|child| child.has_tag_name("stop"));
        if tag.ends_with("Gradient")
            && let (Some(stop), None) = (stops.next(), stops.next())
        {
            // usvg reads a gradient of one colour as that colour, which is painted where a gradient is not.
            self.element(stop, own)?;
        }
        self.cascade.leave(node);
        if starts && let Some(at) = self.run.last.take() {
            // A blank at the end of a text is left out.
            self.out.remove(at);
            if own.shown.is_none() {
                self.elements.drop_letter(element);
            }
        }
        Ok(())
    }
}

/// Whether an element is not written.
fn is_skipped(node: Node, own: &Context) -> bool {
    let tag = node.tag_name().name();
    if own.text.is_none() {
        return matches!(tag, "title" | "desc" | "metadata" | "script" | "foreignObject");
    }
    let is_read = |language: &str| {
        let language = language.to_ascii_lowercase();
        language.split(',').any(|one| one.trim().starts_with("en"))
    };
    own.is_off
        || !matches!(tag, "tspan" | "textPath" | "a")
        || node.attribute("systemLanguage").is_some_and(|language| !is_read(language))
}
