//! Writes elements whose values are known.

use super::letters::Run;
use super::places::{inner_transform, view_box};
use super::{
    Attributes, Context, Winners, Writer, attribute, get, set, transform_attribute, write_attribute,
};
use crate::svg::SvgError;
use crate::svg::boxes::{Gap, Own, matrix_text};
use crate::svg::lower::attribute_transform;
use crate::svg::objects::is_shape;
use crate::svg::properties::IGNORED;
use crate::svg::values::{self, Whole};
use kurbo::Affine;
use usvg::roxmltree::Node;

impl Writer<'_, '_> {
    /// Writes an element whose values are known.
    pub(super) fn write(
        &mut self,
        object: u32,
        node: Node,
        winners: &Winners,
        around: &Context,
        mut own: Context,
    ) -> Result<(), SvgError> {
        let tag = match node.tag_name().name() {
            "svg" if own.is_replaced => "g",
            tag => tag,
        };
        let moves = self.moves(object, node, winners, &own);
        let mut attributes = self.attributes(object, node, winners, around, &own);
        let viewport = match tag {
            "svg" | "marker" => Some(node),
            "use" => self.symbol(node),
            _ => None,
        };
        let shows_symbol = tag == "use" && viewport.is_some();
        if moves.is_some() || shows_symbol {
            let own = transform_attribute(tag);
            attributes.retain(|(name, _)| *name != own && name != "transform-origin");
        }
        if tag == "radialGradient" {
            self.focus(object, &attributes);
        }
        let is_in_text = node.parent().is_some_and(|outer| outer.has_tag_name("text"));
        let has_link = attributes.iter().any(|(name, _)| name == "href");
        if tag == "textPath" && !(is_in_text && has_link) {
            return Ok(());
        }
        let has_outline = is_shape(tag) || tag == "image";
        let shape = has_outline.then(|| Own::outline(tag, &attributes)).flatten();
        self.defaults(object, tag, node, &own, &mut attributes);
        if object == 0 && self.image.as_ref().is_some_and(|image| image.aspect.is_some()) {
            let (width, height) = own.environment.page;
            set(&mut attributes, "width", width.to_string());
            set(&mut attributes, "height", height.to_string());
            attributes.retain(|(name, _)| name != "preserveAspectRatio");
        }
        let link = attribute(&attributes, "xlink:href").filter(|_| tag == "image");
        let image = link.and_then(|link| self.images.size(link));
        if image.is_some_and(|image| !image.fit(&mut attributes)) {
            let effect = "its size and its viewBox do not say its proportions; its contents may be larger or smaller";
            self.note(object, "href: an SVG image", effect);
        }
        if tag == "svg" && object != 0 && get(winners, "filter").is_some_and(|one| one != "none") {
            self.note(object, "filter of a nested svg", "cut by its viewport, and not around that");
        }
        let (origin, inner) = inner_transform(tag, object, viewport, &attributes, &own);
        let matrix = match &moves {
            Some(moves) => moves.now(&own.environment),
            None => get(winners, "transform").map_or(Some(Affine::IDENTITY), attribute_transform),
        };
        if matrix.is_some_and(|it| it.determinant() == 0.0) {
            if transform_attribute(tag) != "transform" {
                // Nothing is painted with it.
                return Ok(());
            }
            if moves.is_none() && !shows_symbol {
                set(&mut attributes, "transform", matrix_text(Affine::scale(0.0)));
            }
        }
        own.to_drawing = around.to_drawing * matrix.unwrap_or_default() * origin * inner;
        if is_shape(tag) || tag == "text" {
            self.dashes(node, &own, shape.as_ref(), &mut attributes);
            self.pen(object, winners, &own, &mut attributes);
        }
        let is_effect = |name: &str| matches!(name, "opacity" | "clip-path" | "filter" | "mask");
        // The attributes of a group around the contents.
        let mut group = Attributes::new();
        if own.text.is_some() {
            self.effects_in_text(object, winners, &mut attributes);
        } else if tag == "marker" {
            // usvg applies the effects of groups, and none of markers.
            group.extend(attributes.extract_if(.., |(name, _)| is_effect(name)));
        }
        let marked = Self::is_marked(tag, &own)
            .then(|| self.marked(object, tag, winners, &own, &mut attributes));
        let is_of_symbol = |name: &str| matches!(name, "href" | "width" | "height" | "x" | "y");
        let shown = attributes.extract_if(.., |(name, _)| shows_symbol && is_of_symbol(name));
        let shown: Attributes = shown.collect();
        let tag = if tag == "a" && own.text.is_some() { "tspan" } else { tag };
        let mark = self.objects.mark(object).to_owned();
        let tag = if marked.is_some() || shows_symbol { "g" } else { tag };
        self.out += &format!("<{tag} id=\"{mark}\"");
        if object == 0 {
            self.out += " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
        }
        let mut style = String::new();
        for (name, value) in &attributes {
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
        if moves.is_some() || shows_symbol {
            let place = if shows_symbol { origin } else { Affine::IDENTITY };
            let name = transform_attribute(tag);
            self.gaps.push(Gap { at: self.out.len(), object, name, matrix, place });
        }
        self.remember(object, node, &own, shape, (matrix, moves), (origin, inner));
        self.out.push('>');
        if !group.is_empty() {
            self.out += "<g";
            group.iter().for_each(|(name, value)| write_attribute(&mut self.out, name, value));
            self.out.push('>');
        }
        match marked {
            Some(marked) => self.out += &marked,
            None if own.is_empty => {}
            None if shows_symbol => self.symbol_in_place(viewport, &shown),
            None => self.children(object, node, tag, &mut own)?,
        }
        if !group.is_empty() {
            self.out += "</g>";
        }
        if object == 0 {
            let (object, matrix, place) = (u32::MAX, None, Affine::IDENTITY);
            self.gaps.push(Gap { at: self.out.len(), object, name: "", matrix, place });
        }
        self.out += &format!("</{tag}>");
        Ok(())
    }

    /// Writes what a `use` of a symbol shows. Effects of the use belong around the viewport, in the coordinates that `x` and `y`
    /// have moved.
    fn symbol_in_place(&mut self, symbol: Option<Node>, attributes: &Attributes) {
        self.out += "<use";
        for (name, value) in attributes.iter().filter(|(name, _)| !matches!(&**name, "x" | "y")) {
            write_attribute(&mut self.out, name, value);
        }
        let symbol = symbol.and_then(|symbol| self.objects.of_node(symbol));
        if let Some(object) = symbol.filter(|_| self.boxes.is_some()) {
            let (name, matrix, place) = ("transform", None, Affine::IDENTITY);
            self.gaps.push(Gap { at: self.out.len(), object, name, matrix, place });
        }
        self.out += "/>";
    }

    /// Notes where usvg places the letters of a text in another way.
    fn spacing(&mut self, object: u32, node: Node, own: &Context) {
        let is_rtl = own.get("direction") == "rtl";
        let is_start = matches!(own.get("text-anchor"), "" | "start") && !is_rtl;
        let spacing = own.number("letter-spacing", 0.0);
        let has_parts = node.children().any(|child| child.is_element());
        if let Some(length) = node.attribute("textLength")
            && (spacing != 0.0 || has_parts)
        {
            let effect = "not applied as in browsers; the letters may be elsewhere";
            self.note(object, &format!("textLength: {length}"), effect);
        }
        // usvg reads every text from left to right.
        let of_text = || node.descendants().filter_map(|one| one.text()).flat_map(str::chars);
        let is_right = |letter: char| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
        let is_left = |letter: char| letter.is_alphabetic() && !is_right(letter);
        let is_blank = char::is_whitespace;
        let is_simple = of_text().all(|one| is_left(one) || is_blank(one))
            || of_text().all(|one| is_right(one) || is_blank(one));
        if is_rtl && !is_simple {
            self.note(object, "direction: rtl", "the letters may stand in another order");
        }
        if !is_start && spacing != 0.0 {
            let effect = "it ends without a gap, which moves it by up to the gap";
            self.note(object, &format!("letter-spacing: {spacing}"), effect);
        }
    }

    /// Notes what usvg does not apply to a part of a text.
    fn effects_in_text(&mut self, object: u32, winners: &Winners, attributes: &mut Attributes) {
        for name in ["filter", "clip-path", "mask"] {
            if get(winners, name).is_some_and(|value| value != "none") {
                self.note(object, &format!("{name} in a text"), IGNORED);
            }
        }
        if get(winners, "opacity") == Some("0") {
            attributes.push(("visibility".into(), "hidden".to_owned()));
        }
    }

    fn children(
        &mut self,
        object: u32,
        node: Node,
        tag: &str,
        own: &mut Context,
    ) -> Result<(), SvgError> {
        own.in_clip |= tag == "clipPath";
        own.is_content |= matches!(tag, "marker" | "mask" | "pattern");
        own.environment.view = match (tag, view_box(node)) {
            ("svg" | "symbol" | "pattern" | "marker", Some([_, _, width, height])) => {
                Some((width, height))
            }
            ("symbol" | "marker", None) => None,
            ("svg", None) if object != 0 => {
                let view = own.environment.view.unwrap_or(own.environment.page);
                let side = |name: &str, whole: f64| {
                    let value = node.attribute(name).unwrap_or("100%").trim();
                    values::length_in(value, &own.environment, Whole::Pixels(whole))
                };
                side("width", view.0).zip(side("height", view.1))
            }
            _ => own.environment.view,
        };
        if object == 0 {
            self.background(node, own);
        }
        let starts = tag == "text" && own.text.is_none();
        if starts || own.text.is_some() {
            self.spacing(object, node, own);
        }
        if starts {
            own.text = Some(object);
            self.run = Run { is_blank: true, last: None };
        }
        self.cascade.enter(node);
        let mut is_after = false;
        for child in node.children() {
            let has_letters =
                |one: Node| one.text().is_some_and(|letters| !letters.trim().is_empty());
            if is_after && child.descendants().any(has_letters) {
                self.note(object, "text after a textPath", "its place may be another");
            }
            is_after |= own.text.is_some() && child.has_tag_name("textPath");
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
            self.objects.drop_letter(object);
        }
        Ok(())
    }
}
