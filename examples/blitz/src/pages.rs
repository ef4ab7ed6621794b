//! Realistic pages, written for this project.

use std::fmt::Write;

/// The names of the pages.
pub const NAMES: [&str; 8] =
    ["feed", "mail", "dashboard", "article", "thread", "modal", "review", "map"];

/// Returns a page: one of [`NAMES`], or `live`, the feed with a text field and an animation.
pub fn html(name: &str) -> Option<String> {
    let (style, body) = match name {
        "feed" => feed(),
        "mail" => mail(),
        "dashboard" => dashboard(),
        "article" => article(),
        "thread" => thread(),
        "modal" => modal(),
        "review" => review(),
        "map" => map(),
        "live" => {
            let (style, body) = feed();
            let [[field, input], [spinner, wheel]] = [FIELD, SPINNER];
            return Some(page(
                name,
                &[style, field, spinner].concat(),
                &[input, wheel, &body].concat(),
            ));
        }
        _ => return None,
    };
    Some(page(name, style, &body))
}

fn page(name: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html><html><head><title>{name}</title><style>{BASE}{style}</style></head><body>{body}</body></html>"
    )
}

/// The style and the HTML of a text field.
pub const FIELD: [&str; 2] = [
    ".field{position:fixed;left:650px;top:10px;width:400px;padding:8px;border:1px solid #99a;background:#fff}",
    "<input class='field' type='text' value='a letter about bridges'>",
];

/// The style and the HTML of a spinner.
pub const SPINNER: [&str; 2] = [
    ".spinner{position:fixed;left:610px;top:370px;width:60px;height:60px;border-radius:30px;border:6px solid #d5dbe4;\
     border-top-color:#3c78dc;background:#fff;animation:turn 1s linear infinite}@keyframes turn{to{transform:rotate(360deg)}}",
    "<div class='spinner'></div>",
];

const BASE: &str = "*{box-sizing:border-box}body{margin:0;font:15px/1.45 'DejaVu Sans',sans-serif;color:#1c2330;background:#eef1f5}";

const WORDS: [&str; 24] = [
    "layer", "clip", "the", "river", "of", "small", "boxes", "under", "paper", "light", "a",
    "quiet", "stone", "house", "window", "and", "field", "north", "letter", "walks", "over",
    "bridge", "morning", "salt",
];

/// Returns meaningless words that depend on the seed.
fn words(seed: usize, count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        let word = WORDS[(seed * 7 + i * (3 + seed % 5) + i * i) % WORDS.len()];
        let _ = write!(text, "{}{word}", if i == 0 { "" } else { " " });
    }
    text
}

fn repeat(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

/// 300 cards with rounded, clipped pictures, faded if read.
fn feed() -> (&'static str, String) {
    let style = ".feed{width:760px;margin:0 auto;padding:24px}.card{background:#fff;border-radius:14px;overflow:hidden;\
        margin-bottom:20px;border:1px solid #d5dbe4}.read{opacity:.6}.head{display:flex;gap:12px;padding:14px}\
        .face{width:44px;height:44px;border-radius:22px;overflow:hidden}.face img{width:44px;height:44px;display:block}\
        .name{font-weight:bold;overflow:hidden}.time{color:#778;overflow:hidden}.photo{height:240px;overflow:hidden;border-radius:8px;margin:0 14px}\
        .photo img{width:100%;height:260px;display:block}.text{padding:14px;overflow:hidden}.bar{display:flex;gap:8px;padding:0 14px 14px}\
        .button{background:#e8ecf3;border-radius:16px;padding:4px 14px;overflow:hidden}\
        .button:hover{background:#3c78dc;color:#fff}";
    let card = |i: usize| {
        format!(
            "<div class='card{}'><div class='head'><div class='face'><img src='page:/face{}.png'></div><div><div class='name'>{}</div>\
             <div class='time'>{} minutes ago</div></div></div><div class='photo'><img src='page:/photo{}.png'></div>\
             <div class='text'>{}</div><div class='bar'><div class='button'>Like {}</div><div class='button'>Reply</div>\
             <div class='button'>Share</div></div></div>",
            if i % 4 == 3 { " read" } else { "" },
            i % 12,
            words(i, 2),
            3 * i + 1,
            i % 16,
            words(i + 5, 30),
            i * 13 % 97
        )
    };
    (style, format!("<div class='feed'>{}</div>", repeat(300, card)))
}

/// Three panes with 200 rows, each pane scrolled and clipped.
fn mail() -> (&'static str, String) {
    let style = ".app{display:flex;height:100vh}.side{width:220px;background:#243044;color:#dbe3ef;overflow:hidden;padding:12px}\
        .folder{padding:8px 12px;border-radius:8px;overflow:hidden;white-space:nowrap}.on{background:#3b4d6b}\
        .list{width:400px;background:#fff;overflow:hidden;border-right:1px solid #d5dbe4}\
        .row{padding:10px 14px;border-bottom:1px solid #e6eaf0;overflow:hidden;height:72px}.from{font-weight:bold;overflow:hidden}\
        .snip{color:#667;overflow:hidden;white-space:nowrap;height:22px}.view{flex:1;overflow:hidden;padding:30px;background:#fafbfd}\
        .chip{display:inline-block;background:#dfe9fb;border-radius:12px;padding:3px 12px;margin:2px;overflow:hidden}";
    let folders = repeat(14, |i| {
        format!(
            "<div class='folder{}'>{} ({})</div>",
            if i == 0 { " on" } else { "" },
            words(i, 1),
            i * 7 % 40
        )
    });
    let rows = repeat(200, |i| {
        format!(
            "<div class='row'><div class='from'>{}</div><div>{}</div><div class='snip'>{}</div></div>",
            words(i, 2),
            words(i + 2, 4),
            words(i + 3, 20)
        )
    });
    let letter = repeat(14, |i| format!("<p>{}</p>", words(i, 60)));
    let chips = repeat(8, |i| format!("<span class='chip'>{}</span>", words(i, 1)));
    (
        style,
        format!(
            "<div class='app'><div class='side'>{folders}</div><div class='list'>{rows}</div><div class='view'><h2>{}</h2>{chips}{letter}</div></div>",
            words(3, 5)
        ),
    )
}

/// Twelve panels with inline SVG charts.
fn dashboard() -> (&'static str, String) {
    let style = ".grid{display:flex;flex-wrap:wrap;gap:20px;padding:24px}.panel{width:390px;background:#fff;border-radius:12px;overflow:hidden;\
        box-shadow:0 4px 14px rgba(20,30,60,.15);padding:16px}.panel h3{margin:0 0 8px}.num{font-size:30px;font-weight:bold;overflow:hidden}\
        .svg{overflow:hidden;border-radius:6px}";
    let chart = |i: usize| {
        let point =
            |k: usize| 110.0 - 80.0 * ((k * (i + 3)) as f64 * 0.23).sin().abs() - (k % 7) as f64;
        let line: String = (0..60)
            .map(|k| format!("{}{},{:.1} ", if k == 0 { "M" } else { "L" }, k * 6, point(k)))
            .collect();
        let bars = repeat(30, |k| {
            format!(
                "<rect x='{}' y='{:.1}' width='8' height='{:.1}' fill='#7aa2f7' opacity='.5'/>",
                k * 12,
                point(k * 2),
                120.0 - point(k * 2)
            )
        });
        let dots = repeat(12, |k| {
            format!("<circle cx='{}' cy='{:.1}' r='3.5' fill='#e0556b'/>", k * 30, point(k * 5))
        });
        format!(
            "<div class='panel'><h3>{}</h3><div class='num'>{}</div><div class='svg'><svg width='358' height='120' viewBox='0 0 358 120'>\
             <g opacity='.9'>{bars}</g><path d='{line}' fill='none' stroke='#1f4fd8' stroke-width='2'/>{dots}</svg></div></div>",
            words(i, 2),
            (i * 7919) % 10_000
        )
    };
    (style, format!("<div class='grid'>{}</div>", repeat(18, chart)))
}

/// A long text with tables.
fn article() -> (&'static str, String) {
    let style = "article{width:820px;margin:0 auto;background:#fff;padding:40px}table{border-collapse:collapse;width:100%;margin:20px 0}\
        td,th{border:1px solid #ccd3dd;padding:5px 10px;overflow:hidden}th{background:#eef2f8}tr:nth-child(even){background:#f7f9fc}\
        blockquote{border-left:4px solid #7aa2f7;margin:20px 0;padding:8px 20px;background:#f3f6fd;overflow:hidden}\
        code{background:#eef;border-radius:4px;padding:1px 5px}";
    let table = |i: usize| {
        let rows = repeat(12, |r| {
            let cells = repeat(6, |c| {
                format!("<td>{} {}</td>", words(r + c, 1), (r * 31 + c * 17 + i) % 1000)
            });
            format!("<tr>{cells}</tr>")
        });
        format!(
            "<table><tr><th>Name</th><th>One</th><th>Two</th><th>Three</th><th>Four</th><th>Five</th></tr>{rows}</table>"
        )
    };
    let section = |i: usize| {
        format!(
            "<h2>{}</h2><p>{} <code>{}</code> {}</p><blockquote>{}</blockquote><p>{}</p>{}",
            words(i, 4),
            words(i, 70),
            words(i, 1),
            words(i + 9, 40),
            words(i + 1, 30),
            words(i + 2, 90),
            table(i)
        )
    };
    (style, format!("<article><h1>{}</h1>{}</article>", words(2, 6), repeat(30, section)))
}

/// Nested answers, each in a clipped, rounded box.
fn thread() -> (&'static str, String) {
    let style = ".top{width:980px;margin:0 auto;padding:20px}.post{background:#fff;border:1px solid #dde3ea;border-radius:8px;overflow:hidden;\
        padding:8px 0 8px 14px;margin:8px 0 0 0}.meta{color:#778;overflow:hidden;height:22px}.text{overflow:hidden}.low{opacity:.55}\
        .vote{display:inline-block;overflow:hidden;border-radius:10px;background:#eef1f5;padding:0 10px}";
    fn post(out: &mut String, seed: usize, depth: usize) {
        let low = if seed % 9 == 8 { " low" } else { "" };
        let _ = write!(
            out,
            "<div class='post{low}'><div class='meta'>{} · {} points</div><div class='text'>{}</div><span class='vote'>reply</span>",
            words(seed, 2),
            seed * 37 % 900,
            words(seed + 4, 12 + seed % 25)
        );
        if depth > 0 {
            let answers = 1 + seed % 3;
            (0..answers).for_each(|i| post(out, seed * 3 + i + 1, depth - 1));
        }
        out.push_str("</div>");
    }
    let mut posts = String::new();
    (0..6).for_each(|i| post(&mut posts, i * 11 + 1, 7));
    (style, format!("<div class='top'>{posts}</div>"))
}

/// A sticky header, a fixed sidebar, and a modal on top.
fn modal() -> (&'static str, String) {
    let style = ".bar{position:fixed;top:0;left:0;right:0;height:56px;background:rgba(255,255,255,.92);overflow:hidden;padding:16px 24px;border-bottom:1px solid #d5dbe4}\
        .page{padding:80px 24px 24px 260px}.side{position:fixed;top:56px;left:0;width:230px;bottom:0;background:#fff;overflow:hidden;padding:16px}\
        .item{background:#fff;border-radius:10px;overflow:hidden;margin-bottom:14px;padding:14px}\
        .veil{position:fixed;inset:0;background:rgba(15,20,35,.55)}\
        .modal{position:fixed;left:50%;top:120px;width:520px;margin-left:-260px;background:#fff;border-radius:16px;overflow:hidden}\
        .modal .in{padding:24px;overflow:hidden}.modal .foot{background:#f1f4f9;padding:14px 24px;overflow:hidden}\
        .ok{display:inline-block;border-radius:8px;overflow:hidden;background:#1f4fd8;color:#fff;padding:6px 20px}";
    let items = repeat(120, |i| {
        format!("<div class='item'><b>{}</b><br>{}</div>", words(i, 3), words(i, 40))
    });
    let links = repeat(30, |i| format!("<div>{}</div>", words(i, 2)));
    let body = format!(
        "<div class='page'>{items}</div><div class='side'>{links}</div><div class='bar'><b>{}</b></div><div class='veil'></div>\
         <div class='modal'><div class='in'><h2>{}</h2><p>{}</p></div><div class='foot'><span class='ok'>OK</span></div></div>",
        words(1, 3),
        words(4, 4),
        words(8, 60)
    );
    (style, body)
}

/// Thousands of lines of changed code.
fn review() -> (&'static str, String) {
    let style = ".file{background:#fff;border:1px solid #d5dbe4;border-radius:8px;overflow:hidden;margin:16px 24px}\
        .path{background:#f1f4f9;padding:8px 14px;overflow:hidden;font-weight:bold}.line{display:flex;font:13px/19px 'DejaVu Sans Mono',monospace;height:19px}\
        .no{width:56px;color:#99a;text-align:right;padding-right:12px}.code{flex:1;overflow:hidden;white-space:pre}.add{background:#e3f7e6}.del{background:#fdeaea}";
    let file = |f: usize| {
        let lines = repeat(150, |i| {
            let kind = ["", "", "", " add", " del", ""][(i * 7 + f) % 6];
            format!(
                "<div class='line{kind}'><div class='no'>{}</div><div class='code'>{}let {} = {};</div></div>",
                i + 1,
                " ".repeat(4 * (i % 4)),
                words(i + f, 1),
                words(i, 4).replace(' ', "::")
            )
        });
        format!(
            "<div class='file'><div class='path'>src/{}.rs</div>{lines}</div>",
            words(f, 2).replace(' ', "/")
        )
    };
    (style, repeat(20, file))
}

/// A map of streets and houses in a single SVG.
fn map() -> (&'static str, String) {
    let mut svg = String::new();
    for i in 0..60 {
        for k in 0..40 {
            let seed = i * 37 + k * 101;
            let (x, y) = (i * 30 + seed % 9, k * 30 + seed % 7);
            let (w, h) = (10 + seed % 11, 9 + seed % 12);
            let tone = 200 + seed % 40;
            let _ = write!(
                svg,
                "<path d='M{x},{y} h{w} v{h} h-{w} z' fill='rgb({tone},{},{})' stroke='#a79' stroke-width='.6'/>",
                tone - 10,
                tone - 25
            );
        }
    }
    let streets = repeat(40, |i| {
        format!(
            "<path d='M0,{} C400,{} 900,{} 1800,{}' fill='none' stroke='#fff' stroke-width='{}' stroke-linecap='round' opacity='.9'/>",
            i * 33,
            i * 29 + 40,
            i * 36 - 30,
            i * 31 + 10,
            3 + i % 4
        )
    });
    let parks = repeat(12, |i| {
        format!(
            "<g opacity='.55'><clipPath id='c{i}'><circle cx='{}' cy='{}' r='70'/></clipPath><g clip-path='url(#c{i})'><rect x='{}' y='{}' width='160' height='160' fill='#8fce8b'/></g></g>",
            i * 150,
            (i * 237) % 1100,
            i * 150 - 80,
            (i * 237) % 1100 - 80
        )
    });
    (
        "svg{display:block}",
        format!(
            "<svg width='1800' height='1200' viewBox='0 0 1800 1200'><rect width='1800' height='1200' fill='#f2efe9'/>{parks}{svg}{streets}</svg>"
        ),
    )
}
