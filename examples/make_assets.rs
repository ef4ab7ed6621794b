//! Writes the scenes too large to draw by hand:
//! `cargo run --example make_assets [FOLDER]` (default: the `assets` folder).
//!
//! The same bytes on every machine: there is no sine and no random number in it,
//! only arithmetic that rounds alike everywhere.

use std::fmt::Write;
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets");
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| default.into()));
    for (name, svg) in [("deep_nest.svg", deep_nest()), ("ten_thousand_clips.svg", mosaic())] {
        let path = folder.join(name);
        println!("{} ({} KB)", path.display(), svg.len().div_ceil(1024));
        std::fs::write(path, svg)?;
    }
    Ok(())
}

/// How deep the nest is.
const LEVELS: u32 = 1000;

/// Squares in squares, each turned a little and clipped by all around it.
fn deep_nest() -> String {
    let mut svg = String::from(concat!(
        "<!-- Look for: a thousand clips, one inside the other. Depth costs nothing; ",
        "every box lies within the one before. Written by examples/make_assets.rs. -->\n",
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="-300 -300 600 600">"##,
        "\n",
        r##"<defs><path id="s" d="M-290-290h580v580h-580z"/><clipPath id="c"><use href="#s"/></clipPath></defs>"##,
        "\n",
        r##"<rect x="-300" y="-300" width="600" height="600" fill="#14213d"/>"##,
        "\n",
    ));
    for level in 0..LEVELS {
        let color = cycle(&SUNSET, level * 3, 100);
        let open = r##"<g clip-path="url(#c)" transform="rotate(1.5)scale(.995)">"##;
        line(&mut svg, format_args!(r##"{open}<use href="#s" fill="{color}"/>"##));
    }
    svg.push_str(&"</g>".repeat(LEVELS as usize));
    svg.push_str("\n</svg>\n");
    svg
}

const SUNSET: [u32; 6] = [0x14213d, 0x355070, 0x6d597a, 0xb56576, 0xe56b6f, 0xeaac8b];

/// A place on the closed ring of colours, `steps` from each to the next.
fn cycle(colors: &[u32], at: u32, steps: u32) -> String {
    let color = |ix: u32| colors[ix as usize % colors.len()];
    let (from, to, part) = (color(at / steps), color(at / steps + 1), at % steps);
    let mix = |shift: u32| {
        let (from, to) = (from >> shift & 255, to >> shift & 255);
        (from * (steps - part) + to * part) / steps
    };
    format!("#{:02x}{:02x}{:02x}", mix(16), mix(8), mix(0))
}

/// Tiles across and down.
const TILES: i32 = 100;

/// Night over a lake: a picture of ten thousand tiles, each with its own clip.
fn mosaic() -> String {
    let mut svg = String::from(concat!(
        "<!-- Look for: ten thousand small clips, each with two discs that reach out of it; ",
        "every disc's box is cut to its tile. Written by examples/make_assets.rs. -->\n",
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="600" height="600" viewBox="0 0 600 600">"##,
        "\n<defs>",
        r##"<clipPath id="drop"><path d="M0 3Q0 0 3 0T6 3 3 6H0z"/></clipPath>"##,
        r##"<clipPath id="leaf"><path d="M0 0H3Q6 0 6 3V6H3Q0 6 0 3z"/></clipPath>"##,
        "\n",
    ));
    for (ix, (color, light, clip)) in TILE_KINDS.iter().enumerate() {
        let id = tile_id(ix);
        line(
            &mut svg,
            format_args!(
                r##"<g id="{id}" clip-path="url(#{clip})"><circle cx="3" cy="3" r="5" fill="{color}"/><circle cx="6" cy="1" r="3" fill="{light}"/></g>"##
            ),
        );
    }
    svg.push_str("</defs>\n<rect width=\"600\" height=\"600\" fill=\"#0b1021\"/>\n");
    for y in 0..TILES {
        let _ = write!(svg, r##"<g transform="translate(0 {})">"##, 6 * y);
        for x in 0..TILES {
            let _ = write!(svg, r##"<use href="#{}" x="{}"/>"##, tile_id(tile_at(x, y)), 6 * x);
        }
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// Colour, highlight, shape. Sky from the top down, then moon, hills, lake.
const TILE_KINDS: [(&str, &str, &str); 12] = [
    ("#14213d", "#1d2f57", "leaf"),
    ("#1f3a63", "#2a4d80", "leaf"),
    ("#355070", "#48668a", "leaf"),
    ("#6d597a", "#836b91", "leaf"),
    ("#b56576", "#c97b8b", "leaf"),
    ("#eaac8b", "#f4c3a6", "leaf"),
    ("#fff1d0", "#ffffff", "drop"),
    ("#3c4f65", "#4d637c", "drop"),
    ("#22324a", "#2f435f", "drop"),
    ("#1d4e68", "#2b6583", "leaf"),
    ("#8d6a7f", "#a9809a", "leaf"),
    ("#ffd9a8", "#fff1d0", "leaf"),
];
const MOON: usize = 6;
const FAR_HILLS: usize = 7;
const NEAR_HILLS: usize = 8;
const LAKE: usize = 9;
const RIPPLE: usize = 10;
const GLITTER: usize = 11;
const SHORE: i32 = 66;

fn tile_id(kind: usize) -> char {
    char::from(b'a' + kind as u8)
}

/// Which kind of tile lies here.
fn tile_at(x: i32, y: i32) -> usize {
    if y >= SHORE {
        return lake_at(x, y);
    }
    let far = 52 - zigzag(x + 9, 44) * 2 / 3 - zigzag(x, 14) / 4;
    let near = 63 - zigzag(x + 30, 70) / 3 - zigzag(x, 9) / 4;
    match () {
        () if y >= near => NEAR_HILLS,
        () if y >= far => FAR_HILLS,
        () if (x - 66).pow(2) + (y - 22).pow(2) < 121 => MOON,
        () => ((y + grain(x, y, 7)) / 9).clamp(0, 5) as usize,
    }
}

/// The moon's glitter, ripples, and dark water: dashes, wider further down.
fn lake_at(x: i32, y: i32) -> usize {
    let down = y - SHORE;
    let wide = 2 + down / 4 + grain(0, y, 4);
    match () {
        () if (x - 66 + grain(1, y, 3)).abs() < wide && grain(x / 3, y, 4) > 0 => GLITTER,
        () if grain((x + 3 * y) / (3 + down / 8), y, 6) == 0 => RIPPLE,
        () => LAKE,
    }
}

/// A number below `bound` that looks thrown: the place, stirred.
fn grain(x: i32, y: i32, bound: u32) -> i32 {
    let stirred = ((x as u32) << 16 ^ y as u32).wrapping_mul(0x9e37_79b1);
    let stirred = (stirred ^ stirred >> 15).wrapping_mul(0x85eb_ca77);
    ((stirred ^ stirred >> 13) % bound) as i32
}

/// Up from 0 to half the period and down again.
fn zigzag(x: i32, period: i32) -> i32 {
    let at = x.rem_euclid(period);
    at.min(period - at)
}

fn line(svg: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = writeln!(svg, "{text}");
}
