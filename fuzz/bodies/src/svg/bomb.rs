//! Small drawings that expand enormously: with references that multiply, possibly form cycles, and are read differently
//! by different readers.

use super::made;
use treebounds_testkit::Rng;

/// Elements that contain others, and the attributes that refer to them.
const HOLDERS: [(&str, &str); 7] = [
    ("clipPath", "clip-path"),
    ("clipPath", "clip-path"),
    ("mask", "mask"),
    ("pattern", "fill"),
    ("pattern", "stroke"),
    ("marker", "marker-start"),
    ("filter", "filter"),
];

/// Levels of one kind, each of which refers to the one below.
struct Bomb {
    levels: u32,
    times: usize,
    /// Whether the lowest level refers to the highest.
    circle: bool,
    tag: &'static str,
    attribute: &'static str,
    way: u32,
    /// The kind of elements around each level.
    around: u32,
}

pub(crate) fn drawing(rng: &mut Rng) -> String {
    let (tag, attribute) = *rng.pick(&HOLDERS);
    let (levels, exponent) = (1 + rng.below(12), rng.below(10));
    let most = if levels > 3 { 12 } else { 1000 };
    let times = (1 + rng.below(1 << exponent) as usize).min(most);
    let (way, around) = (rng.below(8), rng.below(8));
    let bomb = Bomb { levels, times, circle: rng.one_in(2), tag, attribute, way, around };
    let writers: [fn(&Bomb, u32) -> String; 6] =
        [Bomb::uses, Bomb::holders, Bomb::holders, Bomb::texts, Bomb::dashes, Bomb::rules];
    let level = *rng.pick(&writers);
    let decoys: String = match rng.below(3) {
        0 => (0..levels).map(|at| format!("<{tag} id=\"l{at}\"/>")).collect(),
        _ => String::new(),
    };
    let unread = rng.below(8);
    let unread: String = (0..levels).map(|at| unread_with_id(unread, at)).collect();
    let inside: String = (0..levels).map(|at| bomb.around(level(&bomb, at))).collect();
    let last = levels - 1;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"100\">{decoys}{inside}<rect width=\"30\" \
         height=\"30\" {attribute}=\"url(#l{last})\"/><use href=\"#l{last}\"/>{unread}</svg>"
    );
    for _ in 0..rng.below(3) {
        made::change(rng, &mut text);
    }
    if rng.one_in(4) {
        let other = made::drawing(rng);
        text = text.replace(
            "</svg>",
            &format!("{}</svg>", other.replace("<!DOCTYPE", "<!--").replace("]>", "-->")),
        );
    }
    text
}

/// Returns an element that readers may skip, with the id of a level.
fn unread_with_id(kind: u32, level: u32) -> String {
    match kind {
        0 => format!("<text><tspan><textPath id=\"l{level}\"/></tspan></text>"),
        1 => format!("<text><tref><tspan id=\"l{level}\"/></tref></text>"),
        2 => format!("<text><g id=\"l{level}\"/></text>"),
        3 => format!("<metadata><g id=\"l{level}\"/></metadata>"),
        _ => String::new(),
    }
}

impl Bomb {
    /// Wraps a level in elements that readers may skip.
    fn around(&self, level: String) -> String {
        match self.around {
            0 => format!("<tspan><a>{level}</a></tspan>"),
            1 => format!("<defs><textPath><tref>{level}</tref></textPath></defs>"),
            2 => format!("<path><stop>{level}</stop></path>"),
            3 => format!("<switch><symbol>{level}</symbol></switch>"),
            _ => level,
        }
    }

    /// Returns a reference to the level below. The lowest level may refer to the highest.
    fn reference_below(&self, level: u32) -> String {
        match level.checked_sub(1) {
            Some(below) => format!("l{below}"),
            None if self.circle => format!("l{}", self.levels - 1),
            None => "none".into(),
        }
    }

    fn uses(&self, level: u32) -> String {
        let uses = format!("<use href=\"#{}\"/>", self.reference_below(level)).repeat(self.times);
        format!("<g id=\"l{level}\"><path d=\"M0 0h9v9\"/>{uses}</g>")
    }

    /// Returns a definition whose contents refer to the definition below: by an attribute, a style, a style sheet that
    /// overrides an attribute, or through a `use`.
    fn holders(&self, level: u32) -> String {
        let Self { tag, attribute, times, .. } = self;
        let to = self.reference_below(level);
        let shape = match self.way {
            0 => format!("<path d=\"M0 0h9v9z\" {attribute}=\"url(#{to})\"/>"),
            1 => format!("<path d=\"M0 0h9v9z\" style=\"{attribute}:url(#{to})\"/>"),
            2 => format!("<path class=\"c{level}\" d=\"M0 0h9v9z\" style=\"{attribute}:none\"/>"),
            3 => format!("<use href=\"#u{level}\"/>"),
            4 => format!(
                "<g style=\"{attribute}:url(#{to})!important\"><path d=\"M0 0h9v9z\" {attribute}=\"inherit\" \
                 style=\"{attribute}:none\"/></g>"
            ),
            5 => format!("<path class=\"i\" d=\"M0 0h9v9z\" style=\"{attribute}:url(#{to})\"/>"),
            _ => format!("<g {attribute}=\"url(#{to})\"><path d=\"M0 0h9v9z\"/></g>"),
        };
        let shapes = match *tag {
            "filter" if self.way < 4 => format!("<feImage href=\"#u{level}\"/>"),
            "filter" => format!("<feImage href=\"#u{level}\"/><feImage href=\"#v{level}\"/>"),
            _ => shape,
        };
        let template = match self.way {
            7 => format!("href=\"#t{level}\"><title/></{tag}><{tag} id=\"t{level}\""),
            _ => String::new(),
        };
        format!(
            "<style>.i{{{attribute}:inherit!important}}.c{level}{{{attribute}:url(#{to})!important}}</style><defs>\
             <path id=\"u{level}\" d=\"M0 0h9v9z\" {attribute}=\"url(#{to})\"/>\
             <use id=\"v{level}\" href=\"#u{level}\"/></defs>\
             <{tag} id=\"l{level}\" {template} width=\"0.5\" height=\"0.5\">{}</{tag}>",
            shapes.repeat(*times)
        )
    }

    fn texts(&self, level: u32) -> String {
        let spans = "<tspan dx=\"1\">ab</tspan>".repeat(self.times * 8);
        let to = self.reference_below(level);
        format!(
            "<path id=\"l{level}\" d=\"M0 0h1e{level}\"/><text font-size=\"1e{level}\">{spans}<textPath href=\"#{to}\">ab\
             </textPath></text>"
        )
    }

    fn dashes(&self, level: u32) -> String {
        let path = "l1 1h-1a1 2 3 0 1 4 5".repeat(self.times * 8);
        let dash = format!("{}e-{level}", self.times);
        format!(
            "<path id=\"l{level}\" stroke=\"red\" stroke-dasharray=\"{dash}\" d=\"M0 0{path}\"/>"
        )
    }

    fn rules(&self, level: u32) -> String {
        let (times, to) = (self.times.min(100), self.reference_below(level));
        let rules = format!(".k g g>g #{to} *,").repeat(times);
        let (nest, end) = ("<g class=\"k\">".repeat(times), "</g>".repeat(times));
        format!(
            "<style>{rules}a{{fill:none}}</style>{nest}<path id=\"l{level}\" d=\"M0 0h9\"/>{end}"
        )
    }
}
