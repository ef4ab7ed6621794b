// The colours, from the style sheet, so that canvas and page agree in light and dark.

const NAMES = [
    "draw", "clip", "layer", "culled", "content", "own", "ink", "paper", "accent",
    "moved", "grown", "shrunk", "gone", "appeared", "halo",
];

let known = null;

/** The colours of the theme in force: `color("draw")` is an rgb() text. */
export function color(name) {
    known ??= read();
    return known[name];
}

/** The theme has changed. */
export function forgetColors() {
    known = null;
}

function read() {
    const probe = document.createElement("span");
    document.body.append(probe);
    const found = {};
    for (const name of NAMES) {
        probe.style.color = `var(--${name})`;
        found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return found;
}

/** The colour of an item of this kind. */
export function kindColor(model, item) {
    if (model.isLayer(item)) return color("layer");
    return model.isClip(item) ? color("clip") : color("draw");
}

/** The same colour, seen through. */
export function clear(rgb, alpha) {
    return rgb.replace(/^rgb\(([^)]*)\)$/, (_, channels) => `rgb(${channels.replaceAll(",", " ")} / ${alpha})`);
}
