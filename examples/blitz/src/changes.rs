//! User actions between two frames: events and document changes, recorded before and after.

use crate::document::{Page, View};
use crate::pages::{self, FIELD, SPINNER};
use anyhow::{Context, Result, ensure};
use anyrender::Scene;
use blitz_dom::BaseDocument;
use blitz_traits::node_id::NodeId;
use kurbo::Rect;
use treebounds_anyrender::Scroll;

/// A change of a page.
pub struct Change {
    pub name: &'static str,
    /// The page after the change.
    pub page: Page,
    pub view: View,
    /// The lists before and after the change.
    pub frames: [Scene; 2],
    /// The scroll hint, if the page was scrolled.
    pub scroll: Option<Scroll>,
}

struct Step {
    name: &'static str,
    page: &'static str,
    /// Text to add to the page's style, and to the start of its body.
    adds: [&'static str; 2],
    place: f64,
    before: fn(&mut BaseDocument) -> Result<()>,
    after: fn(&mut BaseDocument) -> Result<()>,
    /// The scroll distance in pixels.
    scroll: Option<i32>,
}

const STEP: Step = Step {
    name: "",
    page: "feed",
    adds: ["", ""],
    place: 0.0,
    before: |_| Ok(()),
    after: |_| Ok(()),
    scroll: None,
};

const STEPS: [Step; 9] = [
    Step {
        name: "a button is hovered",
        after: |document| {
            let button = find(document, ".button")?;
            let at = document.get_client_bounding_rect(button).context("no box")?;
            document.set_hover_to((at.x + at.width / 2.0) as f32, (at.y + at.height / 2.0) as f32);
            Ok(())
        },
        ..STEP
    },
    Step {
        name: "a caret blinks",
        page: "mail",
        adds: FIELD,
        before: focus,
        after: |document| {
            let field = find(document, ".field")?;
            document.set_style_property(field, "caret-color", "transparent");
            Ok(())
        },
        ..STEP
    },
    Step {
        name: "a letter is typed",
        page: "mail",
        adds: FIELD,
        before: focus,
        after: |document| {
            let field = find(document, ".field")?;
            document.with_text_input(field, |mut driver| driver.insert_or_replace_selection("s"));
            Ok(())
        },
        ..STEP
    },
    Step { name: "a spinner turns", adds: SPINNER, place: 0.5, ..STEP },
    Step {
        name: "a chart gets a point",
        page: "dashboard",
        adds: [".longer{display:none}", ""],
        after: |document| {
            let [chart, longer] = [find(document, "svg")?, find(document, ".longer")?];
            document.set_style_property(chart, "display", "none");
            document.set_style_property(longer, "display", "inline");
            Ok(())
        },
        ..STEP
    },
    Step {
        name: "a modal opens",
        page: "modal",
        before: |document| {
            for part in [".veil", ".modal"] {
                let part = find(document, part)?;
                document.set_style_property(part, "display", "none");
            }
            Ok(())
        },
        after: |document| {
            for part in [".veil", ".modal"] {
                let part = find(document, part)?;
                document.remove_style_property(part, "display");
            }
            Ok(())
        },
        ..STEP
    },
    Step {
        name: "a card is removed",
        after: |document| {
            let card = find(document, ".card")?;
            document.mutate().remove_node(card);
            Ok(())
        },
        ..STEP
    },
    Step { name: "scrolled by 40, no hint", place: 0.1, after: scroll, ..STEP },
    Step {
        name: "scrolled by 40, with the hint",
        place: 0.1,
        after: scroll,
        scroll: Some(40),
        ..STEP
    },
];

fn find(document: &BaseDocument, selector: &str) -> Result<NodeId> {
    document.query_selector(selector).ok().flatten().with_context(|| format!("no {selector}"))
}

fn focus(document: &mut BaseDocument) -> Result<()> {
    let field = find(document, ".field")?;
    document.set_focus_to(field);
    Ok(())
}

fn scroll(document: &mut BaseDocument) -> Result<()> {
    let mut at = document.viewport_scroll();
    at.y += 40.0;
    document.set_viewport_scroll(at);
    Ok(())
}

/// Duplicates the first chart of the page, if there is one. The copy has an additional point and is initially
/// hidden.
fn with_longer_chart(html: &str) -> String {
    let Some((start, end)) = html.find("<svg").zip(html.find("</svg>")) else {
        return html.to_owned();
    };
    let longer = html[start..end + 6].replacen("<svg", "<svg class='longer'", 1).replacen(
        "' fill='none'",
        "L357,40' fill='none'",
        1,
    );
    [&html[..end + 6], &longer, &html[end + 6..]].concat()
}

/// Records every change at this size.
pub fn changes(size: [u32; 2]) -> impl Iterator<Item = Result<Change>> {
    STEPS.into_iter().map(move |step| record(&step, size).context(step.name))
}

fn record(step: &Step, size: [u32; 2]) -> Result<Change> {
    let html = pages::html(step.page).context("no page")?;
    let html = html.replacen("</style>", &format!("{}</style>", step.adds[0]), 1).replacen(
        "<body>",
        &format!("<body>{}", step.adds[1]),
        1,
    );
    let mut page = Page::new(&with_longer_chart(&html), "page:/");
    let view = View { size, scale: 1.0, place: step.place };
    page.look(&view);
    (step.before)(page.document())?;
    page.settle(1.0);
    let before = page.record(&view);
    (step.after)(page.document())?;
    page.settle(1.0 + 1.0 / 60.0);
    let frames = [before, page.record(&view)];
    ensure!(frames[0] != frames[1], "both frames are equal");
    let area = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
    let scroll = step.scroll.map(|by| Scroll { area, by: [0, -by] });
    Ok(Change { name: step.name, page, view, frames, scroll })
}
