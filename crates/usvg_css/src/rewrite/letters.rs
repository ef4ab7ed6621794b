//! The letters of texts, and notes where usvg places letters differently from browsers.

use super::context::{Context, Run, Writer};
use crate::xml::write_letter;
use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;
use usvg::roxmltree::Node;

impl Writer<'_> {
    /// Writes letters of a text, with whitespace collapsed as in CSS.
    pub(crate) fn letters(&mut self, text: u32, letters: &str, own: &Context) {
        let element = own.element;
        if own.environment.font.size == 0.0 {
            // usvg drops such letters too.
            return;
        }
        let families = own.get("font-family");
        if let Some(effect) = self.fonts.missing(families).filter(|_| !letters.trim().is_empty()) {
            self.note(element, &format!("font-family: {families}"), effect);
        }
        let letters = match own.get("text-transform") {
            "uppercase" => Cow::Owned(letters.to_uppercase()),
            "lowercase" => Cow::Owned(letters.to_lowercase()),
            _ => Cow::Borrowed(letters),
        };
        let space = own.get("white-space");
        let is_kept = matches!(space, "pre" | "pre-wrap" | "break-spaces" | "preserve");
        let names = ["font-family", "font-weight", "font-style", "font-stretch", "font-size"];
        let font: Rc<str> = names.map(|name| own.get(name)).join(";").into();
        let mut count = 0;
        for letter in letters.chars() {
            let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
            if letter != ' ' || is_kept {
                count += 1;
                self.write_unkerned(&font);
                let start = self.out.len();
                write_letter(&mut self.out, letter);
                let place = (start..self.out.len(), Rc::clone(&font));
                self.run =
                    Run { letter: letter.is_alphanumeric().then_some(place), ..Run::default() };
            } else if !self.run.is_blank {
                count += 1;
                self.run = Run { is_blank: true, last: Some(self.out.len()), letter: None };
                self.out.push(' ');
            }
        }
        if own.shown.is_none() {
            self.elements.add_letters(text, element, count);
        }
    }

    /// Writes the last letter without kerning if another font follows: browsers shape the letters of each font
    /// separately.
    fn write_unkerned(&mut self, font: &str) {
        let last = self.run.letter.take().filter(|(_, last)| **last != *font);
        let Some((Range { start, end }, _)) = last else { return };
        let (before, after) = ("<tspan style=\"font-kerning:none\">", "</tspan>");
        self.out.insert_str(end, after);
        self.out.insert_str(start, before);
    }

    /// Adds notes where usvg places the letters of a text differently from browsers.
    pub(crate) fn check_letter_positions(&mut self, node: Node, own: &Context) {
        let element = own.element;
        let is_rtl = own.get("direction") == "rtl";
        let is_start = matches!(own.get("text-anchor"), "" | "start") && !is_rtl;
        let spacing = own.number("letter-spacing", 0.0);
        let has_parts = node.children().any(|child| child.is_element());
        let has_line = own.own("text-decoration").is_some_and(|line| line.contains("line-through"));
        let is_on_path =
            node.ancestors().chain(node.descendants()).any(|it| it.has_tag_name("textPath"));
        let is_turned = is_on_path || own.get("writing-mode").starts_with(['t', 'v']);
        if let Some(turns) = node.attribute("rotate").filter(|_| is_turned) {
            let effect = "the letters of a text on a path or in a column may be elsewhere";
            self.note(element, &format!("rotate: {turns}"), effect);
        }
        let letters: String = node.descendants().filter_map(|one| one.text()).collect();
        if spacing != 0.0 && ["ff", "fi", "fl"].iter().any(|pair| letters.contains(pair)) {
            let effect = "letters of a ligature are not spread";
            self.note(element, &format!("letter-spacing: {spacing} in fi, fl"), effect);
        }
        if is_on_path && spacing != 0.0 {
            let effect = "the letters may be a tenth of the gap away along the path";
            self.note(element, &format!("letter-spacing: {spacing}"), effect);
        }
        let line = own.own("text-decoration").filter(|line| line.contains("er"));
        if let Some(line) = line.filter(|_| is_turned || node.has_attribute("rotate")) {
            let effect = "its line may be a tenth of the font size away";
            self.note(element, &format!("text-decoration: {line}"), effect);
        }
        if let Some(length) = node.attribute("textLength")
            && (spacing != 0.0 || has_parts || has_line)
        {
            let effect = "not applied as in browsers; the letters may be elsewhere";
            self.note(element, &format!("textLength: {length}"), effect);
        }
        let has_letters = |one: Node| one.text().is_some_and(|letters| !letters.trim().is_empty());
        let mut parts = node.children().skip_while(|child| !child.has_tag_name("textPath"));
        if parts.next().is_some() && parts.any(|part| part.descendants().any(has_letters)) {
            self.note(element, "text after a textPath", "its place may be another");
        }
        // usvg reads every text from left to right.
        let is_right = |letter: char| matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
        let is_left = |letter: char| letter.is_alphabetic() && !is_right(letter);
        let is_simple = letters.chars().all(|one| is_left(one) || one.is_whitespace())
            || letters.chars().all(|one| is_right(one) || one.is_whitespace());
        if is_rtl && !is_simple {
            self.note(element, "direction: rtl", "the letters may stand in another order");
        }
        // usvg shifts the letters before a new line with their anchor, and begins the line where they end.
        let before = own.text.and_then(|text| self.elements.letters(text)).unwrap_or_default();
        let has_letters = before.iter().any(|run| run.count > 0);
        if let (Some(y), None) = (node.attribute("y"), node.attribute("x"))
            && !is_start
            && has_letters
        {
            self.note(
                element,
                &format!("y: {y}"),
                "without x in an anchored text; its place may be another",
            );
        }
        if !is_start && spacing != 0.0 {
            let effect = "it ends without a gap, which moves it by up to the gap";
            self.note(element, &format!("letter-spacing: {spacing}"), effect);
        }
    }
}
