//! Writes elements: their values, their start tags, and what is inside of them.

use super::context::{Context, Shown};
use super::gaps::Gap;
use super::layout::is_moved;
use super::viewports::inner_view;
use super::writer::{Run, Writer};
use crate::elements::{Part, is_definition, is_painted, is_shape, transform_attribute};
use crate::values::properties::IGNORED;
use crate::xml::{Attributes, XHTML, attribute, set, take, write_attribute};
use kurbo::Affine;
use std::rc::Rc;
use usvg::roxmltree::Node;
use usvg_guard::{Error, LeftOut, NAMESPACE};

/// What is inside of an element.
enum Contents<'a, 'i> {
    Written(String),
    /// What a `use` shows.
    Shown(Node<'a, 'i>, Shown),
    /// The children, in a group with these attributes: usvg applies the effects of groups, and none of markers.
    Group(String),
    Children,
}

impl Writer<'_> {
    /// Writes an element and everything inside of it.
    pub(crate) fn element(&mut self, node: Node, around: &Context) -> Result<(), Error> {
        self.choice(node);
        let Some(object) = self.objects.of_node(node) else { return Ok(()) };
        let tag = node.tag_name().name();
        // References lead to the definitions of the document.
        if around.shown.is_some() && is_definition(tag) && !around.is_shown(node) {
            return Ok(());
        }
        self.check_limits(around)?;
        let declared = self.cascade.declarations(node, around.tree());
        let mut own = Context { depth: around.depth + 1, is_replaced: false, ..around.clone() };
        own.place = Some(self.boxes.place());
        own.values = Rc::new(self.winners(object, node, &declared, around, &mut own));
        if object == 0 {
            self.root(node, &mut own);
        }
        self.part(object, tag, around, &mut own);
        own.is_empty = !own.is_replaced && self.is_flat(node, &own);
        if object != 0 && (is_skipped(node, &own) || own.is_empty) {
            return Ok(());
        }
        self.write(object, node, around, own)
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

    /// Computes the part of the document that an object belongs to.
    fn part(&mut self, object: u32, tag: &str, around: &Context, own: &mut Context) {
        let is_none = own.own("display") == Some("none");
        own.is_off |= is_none && object != 0 && tag != "clipPath" && !is_definition(tag);
        let is_definition = is_definition(tag) && own.shown.is_none();
        own.part = match () {
            _ if around.part == Part::Definition || is_definition => Part::Definition,
            _ if own.is_off || matches!(own.get("visibility"), "hidden" | "collapse") => {
                Part::Hidden
            }
            _ => Part::Painted,
        };
        if own.shown.is_none() {
            self.objects.all[object as usize].part = own.part;
        }
    }

    /// Writes an element whose values are known.
    pub(crate) fn write(
        &mut self,
        object: u32,
        node: Node,
        around: &Context,
        mut own: Context,
    ) -> Result<(), Error> {
        let tag = match node.tag_name().name() {
            "svg" if own.is_replaced => "g",
            "symbol" if own.is_shown(node) => "svg",
            tag => tag,
        };
        let mut attributes = self.attributes(object, node, around, &own);
        let is_in_text = node.parent().is_some_and(|outer| outer.has_tag_name("text"));
        if tag == "textPath" && !(is_in_text && attribute(&attributes, "href").is_some()) {
            if node.parent().is_some_and(|outer| outer.has_tag_name("a")) {
                self.note(object, "textPath in an a", IGNORED);
            }
            return Ok(());
        }
        let viewport = match tag {
            "svg" | "marker" => Some(node),
            _ => None,
        };
        self.defaults(object, node, &own, &mut attributes);
        self.image_sizes(object, tag, &own, &mut attributes);
        let found = self.lay_out(object, tag, viewport, &own, &mut attributes);
        let Some(laid) = found else { return Ok(()) };
        let known = self.matrices.zip(own.place).and_then(|(all, place)| all.get(&place)).copied();
        let matrix = laid.matrix.or(known);
        own.is_placed &= matrix.is_some();
        own.to_drawing = around.to_drawing * matrix.unwrap_or_default() * laid.place * laid.inner;
        let mut parts = None;
        if is_shape(tag) || tag == "text" {
            let outline = laid.outline.as_ref();
            self.dashes(node, &own, outline, &mut attributes);
            parts = self.unscaled(object, tag, &own, outline, &mut attributes);
        }
        self.not_applied(object, tag, &own, &mut attributes);
        let shown = if tag == "use" { self.shown(object, node, &own, &attributes) } else { None };
        let in_clip = own.in_clip.then_some(&shown).and_then(Option::as_ref);
        if let Some((root, shown)) = in_clip {
            // Only a reference can show a shape in a clip path.
            let mark = self.objects.generated_mark();
            set(&mut attributes, "href", format!("#{mark}"));
            self.out += "<defs>";
            let shown = Shown { mark: Some(mark), ..shown.clone() };
            self.copy(*root, shown, &own)?;
            self.out += "</defs>";
        } else if tag == "use" {
            take(&mut attributes, &["x", "y", "width", "height", "href"]);
        }
        let contents = match shown {
            _ if parts.is_some() => Contents::Written(parts.unwrap_or_default()),
            _ if Self::is_marked(tag, &own) => {
                let outline = laid.outline.as_ref();
                Contents::Written(self.marked(object, tag, &own, outline, &mut attributes))
            }
            Some((root, shown)) if !own.in_clip => Contents::Shown(root, shown),
            _ if tag == "use" => Contents::Written(String::new()),
            _ if tag == "marker" => {
                Contents::Group(take(&mut attributes, &["opacity", "clip-path", "filter", "mask"]))
            }
            _ => Contents::Children,
        };
        let tag = match (tag, &contents) {
            ("a", _) if own.text.is_some() => "tspan",
            ("use", _) if own.in_clip => "use",
            (_, Contents::Written(_) | Contents::Shown(..)) => "g",
            (tag, _) => tag,
        };
        let start = (self.out.len(), self.gaps.len(), self.opened);
        let is_use = node.has_tag_name("use") && !own.in_clip;
        let is_group =
            matches!((tag, &contents), ("g" | "a" | "svg" | "switch", Contents::Children));
        let has_filter = attribute(&attributes, "filter").is_some_and(|filter| filter != "none");
        let is_chosen = node.parent().is_some_and(|outer| outer.has_tag_name("switch"));
        let may_go = is_group && !has_filter && !is_chosen && object != 0;
        let may_go = may_go && own.text.is_none() && own.part != Part::Definition;
        let may_go = may_go || is_use && !is_chosen && own.text.is_none();
        self.open(object, node, tag, &own, &attributes);
        let is_moved = is_moved(node.tag_name().name(), laid.place, &own);
        if laid.moves.is_some() || is_moved {
            let then = if is_moved { laid.place } else { Affine::IDENTITY };
            self.gap(object, own.place, transform_attribute(tag), laid.matrix, then);
        }
        own.environment.view = inner_view(object, node, tag, &attributes, &own);
        let is_part = !is_definition(tag) && tag != "defs" && !own.is_off;
        if let Some(place) = own.place {
            self.boxes.add(place, around.place.filter(|_| is_part), laid);
        }
        self.out.push('>');
        self.contents(object, node, tag, contents, &mut own)?;
        if object == 0 {
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
                self.out.extend(["<defs id=\"", self.objects.mark(object), "\"/>"]);
            }
        }
        Ok(())
    }

    /// Finds what a `use` shows.
    fn shown<'a, 'i>(
        &mut self,
        object: u32,
        node: Node<'a, 'i>,
        own: &Context,
        attributes: &Attributes,
    ) -> Option<(Node<'a, 'i>, Shown)> {
        let root = self.objects.linked(node)?;
        let tag = root.tag_name().name();
        let is_in_clip = is_shape(tag) || matches!(tag, "text" | "use");
        if is_definition(tag) && tag != "symbol" || own.in_clip && !is_in_clip {
            return None;
        }
        let (mut host, mut around) = (Some(node), own.shown.as_ref());
        while let Some(inner) = host {
            if inner.ancestors().any(|outer| outer == root) {
                let link = attribute(attributes, "href").unwrap_or_default();
                self.note(object, &format!("use href=\"{link:.60}\""), LeftOut::WHY);
                return None;
            }
            host = around.and_then(|shown| node.document().get_node(shown.host));
            around = around.and_then(|shown| shown.around.as_ref());
        }
        let paint = |name: &str, default: &str| match own.get(name) {
            "" => default.into(),
            paint => paint.into(),
        };
        let shown = Shown {
            root: root.id(),
            host: node.id(),
            around: own.shown.clone(),
            size: ["width", "height"].map(|side| attribute(attributes, side).map(str::to_owned)),
            paints: [paint("fill", "#000000"), paint("stroke", "none")],
            mark: None,
        };
        Some((root, shown))
    }

    /// Writes what a `use` shows.
    fn copy(&mut self, root: Node, shown: Shown, own: &Context) -> Result<(), Error> {
        let effect = own.place.zip(self.effect_of_box(own));
        let effect = effect.map(|(_, name)| (self.objects.of_node(root).unwrap_or(0), name));
        let effect = effect.or(own.effect);
        self.element(root, &Context { shown: Some(Rc::new(shown)), effect, ..own.clone() })
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
        let object = self.objects.of_node(node);
        if let Some(object) = object.filter(|_| node.prev_siblings().skip(1).any(is_shown)) {
            let effect = "browsers show it, and not what comes after it in the switch";
            self.note(object, "foreignObject", effect);
        }
    }

    /// Sets the size of an SVG image, on its root or where it is shown.
    fn image_sizes(&mut self, object: u32, tag: &str, own: &Context, attributes: &mut Attributes) {
        if object == 0 && self.image.as_ref().is_some_and(|image| image.aspect.is_some()) {
            set(attributes, "width", own.environment.page.0.to_string());
            set(attributes, "height", own.environment.page.1.to_string());
            attributes.retain(|(name, _)| name != "preserveAspectRatio");
        }
        let link = attribute(attributes, "xlink:href").filter(|_| tag == "image");
        let image = link.and_then(|link| self.images.size(link));
        if image.is_some_and(|image| !image.fit(attributes)) {
            let effect = "its size and its viewBox do not say its proportions; its contents may be larger or smaller";
            self.note(object, "href: an SVG image", effect);
        }
    }

    /// Notes what usvg does not apply to an element, or not as browsers do.
    fn not_applied(&mut self, object: u32, tag: &str, own: &Context, attributes: &mut Attributes) {
        let has = |name: &str| own.own(name).is_some_and(|value| value != "none");
        if tag == "radialGradient" {
            self.focus(object, attributes);
        }
        if tag == "svg" && object != 0 && has("filter") {
            self.note(object, "filter of a nested svg", "cut by its viewport, and not around that");
        }
        if own.text.is_none() {
            return;
        }
        for name in ["filter", "clip-path", "mask"].into_iter().filter(|name| has(name)) {
            self.note(object, &format!("{name} in a text"), IGNORED);
        }
        if own.own("opacity") == Some("0") {
            attributes.push(("visibility".into(), "hidden".to_owned()));
        }
    }

    /// Begins the start tag of an element.
    fn open(&mut self, object: u32, node: Node, tag: &str, own: &Context, attributes: &Attributes) {
        self.opened += 1;
        self.out.extend(["<", tag]);
        match &own.shown {
            None => write_attribute(&mut self.out, "id", self.objects.mark(object)),
            Some(shown) => {
                let mark = shown.mark.iter().filter(|_| own.is_shown(node));
                mark.for_each(|mark| write_attribute(&mut self.out, "id", mark));
            }
        }
        if object == 0 {
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
        object: u32,
        place: Option<u32>,
        name: &'static str,
        matrix: Option<Affine>,
        then: Affine,
    ) {
        let (at, place) = (self.out.len(), place.unwrap_or_default());
        self.gaps.push(Gap { at, object, place, name, matrix, then });
    }

    /// Writes what is inside of an element.
    fn contents(
        &mut self,
        object: u32,
        node: Node,
        tag: &str,
        contents: Contents,
        own: &mut Context,
    ) -> Result<(), Error> {
        match contents {
            Contents::Written(text) => self.out += &text,
            Contents::Shown(root, shown) => self.copy(root, shown, own)?,
            Contents::Group(attributes) if !attributes.is_empty() => {
                self.out += &format!("<g{attributes}>");
                self.children(object, node, tag, own)?;
                self.out += "</g>";
            }
            Contents::Children if own.is_empty => {}
            _ => self.children(object, node, tag, own)?,
        }
        Ok(())
    }

    /// Notes where usvg places the letters of a text in another way.
    fn spacing(&mut self, object: u32, node: Node, own: &Context) {
        let is_rtl = own.get("direction") == "rtl";
        let is_start = matches!(own.get("text-anchor"), "" | "start") && !is_rtl;
        let spacing = own.number("letter-spacing", 0.0);
        let has_parts = node.children().any(|child| child.is_element());
        let has_line = own.own("text-decoration").is_some_and(|line| line.contains("line-through"));
        if let Some(length) = node.attribute("textLength")
            && (spacing != 0.0 || has_parts || has_line)
        {
            let effect = "not applied as in browsers; the letters may be elsewhere";
            self.note(object, &format!("textLength: {length}"), effect);
        }
        let has_letters = |one: Node| one.text().is_some_and(|letters| !letters.trim().is_empty());
        let mut parts = node.children().skip_while(|child| !child.has_tag_name("textPath"));
        if parts.next().is_some() && parts.any(|part| part.descendants().any(has_letters)) {
            self.note(object, "text after a textPath", "its place may be another");
        }
        // usvg reads every text from left to right.
        let of_text = || node.descendants().filter_map(|one| one.text()).flat_map(str::chars);
        let is_right = |letter: char| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
        let is_left = |letter: char| letter.is_alphabetic() && !is_right(letter);
        let is_simple = of_text().all(|one| is_left(one) || one.is_whitespace())
            || of_text().all(|one| is_right(one) || one.is_whitespace());
        if is_rtl && !is_simple {
            self.note(object, "direction: rtl", "the letters may stand in another order");
        }
        // usvg shifts the letters before a new line with their anchor, and begins the line where they end.
        let before = own.text.and_then(|text| self.objects.letters(text)).unwrap_or_default();
        let has_letters = before.iter().any(|run| run.count > 0);
        if let (Some(y), None) = (node.attribute("y"), node.attribute("x"))
            && !is_start
            && has_letters
        {
            self.note(
                object,
                &format!("y: {y}"),
                "without x in an anchored text; its place may be another",
            );
        }
        if !is_start && spacing != 0.0 {
            let effect = "it ends without a gap, which moves it by up to the gap";
            self.note(object, &format!("letter-spacing: {spacing}"), effect);
        }
    }

    fn children(
        &mut self,
        object: u32,
        node: Node,
        tag: &str,
        own: &mut Context,
    ) -> Result<(), Error> {
        own.in_clip |= tag == "clipPath";
        own.effect = self.effect_of_box(own).map(|name| (object, name)).or(own.effect);
        own.is_content |= matches!(tag, "marker" | "mask" | "pattern");
        if object == 0 {
            self.background(node, own);
        }
        let starts = tag == "text" && own.text.is_none();
        if own.shown.is_none() && (starts || own.text.is_some()) {
            self.spacing(object, node, own);
        }
        if starts {
            own.text = Some(object);
            self.run = Run { is_blank: true, last: None };
        }
        self.cascade.enter(node);
        for child in node.children() {
            if child.is_element() {
                self.element(child, own)?;
            } else if let (Some(text), Some(letters)) =
                (own.text, child.text().filter(|_| child.is_text()))
            {
                self.letters(text, object, letters, own);
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
                self.objects.drop_letter(object);
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
