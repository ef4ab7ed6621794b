//! Values that refer to other elements: paints and filters.

use super::Writer;
use crate::svg::generated::Generated;
use crate::svg::objects::Objects;
use crate::svg::values::{self, Effect, Environment};
use std::collections::HashSet;
use usvg::roxmltree::Node;

impl Writer<'_, '_> {
    /// A paint; `None` if it is invalid.
    pub(super) fn paint(&mut self, value: &str, environment: &Environment) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        if matches!(&*lower, "none" | "context-fill" | "context-stroke") {
            return Some(lower);
        }
        let Some((link, rest)) = values::url(value) else {
            return values::colour(value, environment);
        };
        let rest = if rest.is_empty() { None } else { Some(self.paint(&rest, environment)?) };
        let kinds = ["linearGradient", "radialGradient", "pattern"];
        // usvg falls back on the colour for a gradient without stops, too, and browsers do not.
        let found = self.objects.index_of(&link);
        let rest = rest.filter(|_| !found.is_some_and(|found| self.stopless.contains(&found)));
        let mark = self.objects.reference(&link, &kinds).map(|mark| format!("url(#{mark})"));
        let words = [mark, rest].into_iter().flatten().collect::<Vec<_>>().join(" ");
        Some(if words.is_empty() { "none".to_owned() } else { words })
    }

    /// A list of filters; `None` if it is invalid.
    pub(super) fn filter(
        &mut self,
        object: u32,
        value: &str,
        environment: &Environment,
    ) -> Option<String> {
        let effects = values::effects(value, environment)?;
        let mut found = Vec::new();
        let is_link = |effect: &Effect| matches!(effect, Effect::Link(_));
        for run in effects.chunk_by(|a, b| !is_link(a) && !is_link(b)) {
            if let [Effect::Link(link)] = run {
                let mark = self.objects.reference(link, &["filter"]);
                found.extend(mark.map(|mark| format!("url(#{mark})")));
                continue;
            }
            let mark = self.objects.generated_mark();
            found.push(format!("url(#{mark})"));
            self.generated.push(Generated::Filter { mark, object, effects: run.to_vec() });
        }
        Some(if found.is_empty() { "none".to_owned() } else { found.join(" ") })
    }
}

/// The gradients without stops, of their own or of those that they link to.
pub(super) fn without_stops(objects: &Objects, nodes: &[Node]) -> HashSet<u32> {
    let is_bare = |object: u32| {
        let node = nodes[object as usize];
        node.tag_name().name().ends_with("Gradient")
            && !node.children().any(|child| child.has_tag_name("stop"))
    };
    let next = |object: &u32| objects.of_node(objects.linked(nodes[*object as usize])?);
    let all = (0..nodes.len() as u32).filter(|object| is_bare(*object));
    let is_stopless =
        |object: &u32| std::iter::successors(Some(*object), next).take(LINKS).all(is_bare);
    all.filter(is_stopless).collect()
}

/// How many gradients are followed from one to the next.
const LINKS: usize = 64;
