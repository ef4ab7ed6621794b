//! The content of `use` elements.

use super::context::{Context, Shown, Writer};
use crate::elements::{is_definition, is_shape};
use crate::xml::{Attributes, attribute, set, take};
use std::rc::Rc;
use usvg::roxmltree::Node;
use usvg_guard::{Error, LeftOut};

impl Writer<'_> {
    /// Returns the content of a `use`.
    pub(crate) fn shown<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        own: &Context,
        attributes: &Attributes,
    ) -> Option<(Node<'a, 'i>, Shown)> {
        let root = self.elements.linked(node)?;
        let tag = root.tag_name().name();
        let is_in_clip = is_shape(tag) || matches!(tag, "text" | "use");
        if is_definition(tag) && tag != "symbol" || own.in_clip && !is_in_clip {
            return None;
        }
        let (mut host, mut around) = (Some(node), own.shown.as_ref());
        while let Some(inner) = host {
            if inner.ancestors().any(|outer| outer == root) {
                let link = attribute(attributes, "href").unwrap_or_default();
                self.note(own.element, &format!("use href=\"{link:.60}\""), LeftOut::WHY);
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

    /// Writes the content of a `use` in a clip path, where only a reference can show a shape.
    pub(crate) fn show_in_clip(
        &mut self,
        node: Node,
        own: &Context,
        attributes: &mut Attributes,
    ) -> Result<(), Error> {
        let shown = self.shown(node, own, attributes);
        take(attributes, &["href"]);
        let Some((root, shown)) = shown else { return Ok(()) };
        let mark = self.elements.generated_mark();
        set(attributes, "href", format!("#{mark}"));
        self.out += "<defs>";
        self.copy(root, Shown { mark: Some(mark), ..shown }, own)?;
        self.out += "</defs>";
        Ok(())
    }

    pub(crate) fn copy(&mut self, root: Node, shown: Shown, own: &Context) -> Result<(), Error> {
        let effect = self.effect_of_box(own).map(|name| (own.element, name)).or(own.effect);
        self.element(root, &Context { shown: Some(Rc::new(shown)), effect, ..own.clone() })
    }
}
