//! Writes elements: their values, start tags, and content.

use super::context::{Context, Run, Shown, Writer};
use super::layout::moves_contents;
use super::pictures::cut;
use super::viewports::{inner_view, window};
use crate::elements::{Part, is_definition, is_painted, is_shape, transform_attribute};
use crate::measure::boxes::{Moves, Own, matrix_text};
use crate::values::properties::IGNORED;
use crate::xml::{Attributes, XHTML, attribute, set, take, write_attribute};
use kurbo::Affine;
use std::rc::Rc;
use usvg::roxmltree::{Node, NodeId};
use usvg_guard::{Error, NAMESPACE};

enum Contents<'a, 'i> {
    Written(String),
    /// The content of a `use`.
    Shown((Node<'a, 'i>, Shown)),
    /// The children, in a group with this name and these attributes. usvg applies the effects of groups but not of
    /// markers, and clips a nested `svg` after its filter.
    Group(&'static str, String),
    Children,
}

impl Writer<'_> {
    /// Writes an element with its content.
    pub(crate) fn element(&mut self, node: Node, around: &Context) -> Result<(), Error> {
        self.match_switch_choice(node);
        let Some(element) = self.elements.of_node(node) else { return Ok(()) };
        let tag = node.tag_name().name();
        // References lead to the definitions of the document.
        if around.shown.is_some() && is_definition(tag) && !around.is_shown(node) {
            return Ok(());
        }
        self.check_limits(around)?;
        let declared = self.cascade.declarations(node, around.tree());
        let mut own =
            Context { element, depth: around.depth + 1, is_replaced: false, ..around.clone() };
        own.slot = self.boxes.slot();
        own.values = Rc::new(self.winners(node, &declared, around, &mut own));
        if element == 0 {
            self.root(node, &mut own);
        }
        self.set_part(tag, around, &mut own);
        own.is_empty = !own.is_replaced && self.shows_nothing(node, &own);
        if element != 0 && (is_skipped(node, &own) || own.is_empty) {
            return Ok(());
        }
        self.write(node, around, own)
    }

    /// Counts an element, which may be part of a `use` copy, and checks the limits.
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

    /// Determines whether an element is painted, hidden, or part of a definition.
    fn set_part(&mut self, tag: &str, around: &Context, own: &mut Context) {
        let element = own.element;
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
        node: Node,
        around: &Context,
        mut own: Context,
    ) -> Result<(), Error> {
        let element = own.element;
        let tag = match node.tag_name().name() {
            "svg" if own.is_replaced => "g",
            "symbol" if own.is_shown(node) => "svg",
            tag => tag,
        };
        let mut attributes = self.attributes(node, around, &own);
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
        self.set_default_sizes(node, &own, &mut attributes);
        let is_cut = self.picture(tag, &own, &mut attributes);
        let tag = match tag.starts_with("fe") {
            true => self.primitive(tag, &own, &mut attributes),
            false => tag,
        };
        let found = self.lay_out(tag, viewport, &own, &mut attributes);
        let Some(laid) = found else { return Ok(()) };
        let matrix = laid.matrix.or(self.matrices.get(&own.slot).copied());
        own.is_placed &= matrix.is_some();
        own.to_drawing = around.to_drawing * matrix.unwrap_or_default() * laid.place * laid.inner;
        let is_moved = moves_contents(tag, &own, laid.place);
        let view = inner_view(element, node, tag, &attributes, &own);
        let mut parts = None;
        if is_shape(tag) || tag == "text" {
            let outline = laid.outline.as_ref();
            self.dashes(node, &own, outline, &mut attributes);
            parts = self.unscaled(tag, &own, outline, &mut attributes);
        }
        self.check_ignored_properties(tag, &own, &mut attributes);
        let contents = match (tag, parts) {
            ("use", _) if own.in_clip => {
                self.show_in_clip(node, &own, &mut attributes)?;
                Contents::Written(String::new())
            }
            ("use", _) => {
                let shown = self.shown(node, &own, &attributes);
                take(&mut attributes, &["x", "y", "width", "height", "href"]);
                shown.map_or(Contents::Written(String::new()), Contents::Shown)
            }
            (_, Some(parts)) => Contents::Written(parts),
            _ if Self::is_marked(tag, &own) => {
                let outline = laid.outline.as_ref();
                Contents::Written(self.marked(tag, &own, outline, &mut attributes))
            }
            ("marker", _) => {
                let effects = ["opacity", "clip-path", "filter", "mask"];
                Contents::Group("g", take(&mut attributes, &effects))
            }
            _ if is_cut => Contents::Written(cut(&mut attributes)),
            _ if is_moved => Contents::Group("svg", window(&mut attributes, &own, laid.place)),
            _ => Contents::Children,
        };
        let is_use = tag == "use" && !own.in_clip;
        let tag = match (tag, &contents) {
            ("a", _) if own.text.is_some() => "tspan",
            ("use", _) if own.in_clip => "use",
            (_, Contents::Written(_) | Contents::Shown(..) | Contents::Group("svg", _)) => "g",
            (tag, _) => tag,
        };
        let (start, opened) = (self.out.len(), self.opened);
        let is_chosen = node.parent().is_some_and(|outer| outer.has_tag_name("switch"));
        let may_go = match contents {
            _ if is_chosen || element == 0 || own.text.is_some() => false,
            Contents::Children if matches!(tag, "g" | "a" | "svg" | "switch") => {
                own.part != Part::Definition
                    && attribute(&attributes, "filter").is_none_or(|filter| filter == "none")
            }
            _ => is_use,
        };
        if laid.moves.is_some() || is_moved {
            self.place(&laid, matrix, is_moved, &own, &mut attributes);
        }
        self.open(node, tag, &own, &attributes);
        own.environment.view = view;
        let is_part = element != 0 && !is_definition(tag) && tag != "defs" && !own.is_off;
        self.boxes.add(own.slot, is_part.then_some(around.slot), laid);
        self.out.push('>');
        self.contents(node, tag, contents, &mut own)?;
        if element == 0 {
            for one in std::mem::take(&mut self.generated) {
                one.write(&mut self.boxes, &mut self.out, &mut self.notes);
            }
        }
        self.out.extend(["</", tag, ">"]);
        if may_go && self.opened == opened + 1 {
            // usvg includes an empty group as a point in the boxes of its ancestors.
            self.out.truncate(start);
            self.opened = opened;
            if own.shown.is_none() {
                self.out.extend(["<defs id=\"", self.elements.mark(element), "\"/>"]);
            }
        }
        Ok(())
    }

    /// Sets the transform of an element that is moved by CSS or its position.
    fn place(
        &mut self,
        laid: &Own,
        matrix: Option<Affine>,
        is_moved: bool,
        own: &Context,
        attributes: &mut Attributes,
    ) {
        let Some(matrix) = matrix.filter(Affine::is_finite) else {
            let what = laid.moves.as_ref().map_or("transform".to_owned(), Moves::text);
            return self.note(own.element, &what, IGNORED);
        };
        let then = if is_moved { laid.place } else { Affine::IDENTITY };
        let name = transform_attribute(&self.elements.all[own.element as usize].tag);
        set(attributes, name, matrix_text(matrix * then));
        if own.element == 0 {
            set(attributes, "transform-origin", "0 0".to_owned());
        }
    }

    /// Makes usvg select the same child of a `switch` as browsers, and adds a note where that is not possible.
    pub(crate) fn match_switch_choice(&mut self, node: Node) {
        if !node.parent().is_some_and(|outer| outer.has_tag_name("switch")) {
            return;
        }
        let tag = node.tag_name().name();
        let has_condition = is_painted(tag) || matches!(tag, "defs" | "foreignObject" | "mask");
        if !has_condition && node.tag_name().namespace() == Some(NAMESPACE) {
            // Browsers select this child, and paint nothing.
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

    /// Adds notes about properties that usvg ignores, or applies differently from browsers.
    fn check_ignored_properties(&mut self, tag: &str, own: &Context, attributes: &mut Attributes) {
        let element = own.element;
        let has = |name: &str| own.own(name).is_some_and(|value| value != "none");
        if tag == "radialGradient" {
            self.check_focus(element, attributes);
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

    /// Writes the start tag of an element, up to its closing bracket.
    fn open(&mut self, node: Node, tag: &str, own: &Context, attributes: &Attributes) {
        let element = own.element;
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
                // usvg reads these properties only from CSS.
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

    fn contents(
        &mut self,
        node: Node,
        tag: &str,
        contents: Contents,
        own: &mut Context,
    ) -> Result<(), Error> {
        match contents {
            Contents::Written(text) => self.out += &text,
            Contents::Shown((root, shown)) => self.copy(root, shown, own)?,
            Contents::Group(name, attributes) if !attributes.is_empty() => {
                self.out += &format!("<{name}{attributes}>");
                self.children(node, tag, own)?;
                self.out += &format!("</{name}>");
            }
            Contents::Children if own.is_empty => {}
            _ => self.children(node, tag, own)?,
        }
        Ok(())
    }

    /// Returns the child elements and texts of an element. The result is cached, because there may be many comments
    /// between them, and many uses of the element.
    fn parts(&mut self, node: Node) -> Rc<[NodeId]> {
        let parts = node.children().filter(|child| child.is_element() || child.is_text());
        let parts = || parts.map(|child| child.id()).collect();
        Rc::clone(self.parts.entry(node.id()).or_insert_with(parts))
    }

    fn children(&mut self, node: Node, tag: &str, own: &mut Context) -> Result<(), Error> {
        let element = own.element;
        own.in_clip |= tag == "clipPath";
        own.effect = self.effect_of_box(own).map(|name| (element, name)).or(own.effect);
        own.is_content |= matches!(tag, "marker" | "mask" | "pattern");
        if element == 0 {
            self.write_background(node, own);
        }
        let starts = tag == "text" && own.text.is_none();
        if own.shown.is_none() && (starts || own.text.is_some()) {
            self.check_letter_positions(node, own);
        }
        if starts {
            own.text = Some(element);
            self.run = Run { is_blank: true, ..Run::default() };
        }
        self.cascade.enter(node);
        for child in self.parts(node).iter().filter_map(|id| node.document().get_node(*id)) {
            if child.is_element() {
                self.element(child, own)?;
            } else if let (Some(text), Some(letters)) =
                (own.text, child.text().filter(|_| child.is_text()))
            {
                self.letters(text, letters, own);
            }
        }
        let mut stops = node.children().filter(|child| child.has_tag_name("stop"));
        if tag.ends_with("Gradient")
            && let (Some(stop), None) = (stops.next(), stops.next())
        {
            // usvg reads a gradient of one colour as that colour, which is painted even where a gradient is not.
            self.element(stop, own)?;
        }
        self.cascade.leave(node);
        if starts && let Some(at) = self.run.last.take() {
            // Whitespace at the end of a text is left out.
            self.out.remove(at);
            if own.shown.is_none() {
                self.elements.drop_letter(element);
            }
        }
        Ok(())
    }
}

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
