// The drawings behind the boxes: which form of a drawing is visible, and which parts of it.
import { BadReport, DRAW } from "./model.js";
import { isHeavy } from "./view.js";
import { make } from "./words.js";

/** The maximum number of elements for which parts of a drawing are drawn, and of layers in the exploded view. */
const STEPPED = 2000;
const LAYERS_DRAWN = 30;
/** The longer side of the drawing's picture in the exploded view. */
const PICTURE_SIDE = 1024;
/**
 * After the view has rested for this many milliseconds, the drawing is redrawn sharply. Until then its pixels are scaled.
 */
const REST = 200;

const svgBlob = (text) => new Blob([text], { type: "image/svg+xml" });

export class Drawings {
    /**
     * `images` contains the page's elements for the old and the new drawing. `changed` is called when one has loaded or
     * failed to load.
     */
    constructor(state, images, changed) {
        Object.assign(this, { state, images, changed, blobs: {}, failure: "" });
    }

    /** Shows other drawings. `blobs.new` and `blobs.old` contain the forms `measured` and `source`, as Blobs or packed. */
    show(model, old, blobs) {
        Object.assign(this, { model, old, blobs, source: null, partly: null, layers: null });
    }

    /** Loads the visible drawings. Hidden ones are not loaded, because loading may take seconds. */
    load() {
        if (this.state.drawing === "off") return;
        for (const [which, { measured = null, source = null }] of Object.entries(this.blobs)) {
            const image = this.images[which];
            const wanted = which === "new" && this.partly ? this.partly : this.state.drawnBy === "browser" ? (source ?? measured) : (measured ?? source);
            if (image.drawing === wanted) continue;
            if (image.src) URL.revokeObjectURL(image.src);
            image.drawing = wanted;
            // A partial drawing keeps the background of the whole drawing.
            image.isPart = wanted === this.partly;
            if (wanted === null) image.removeAttribute("src");
            else this.#loadOne(image, wanted);
        }
    }

    async #loadOne(image, wanted) {
        const fail = (why) => {
            this.failure = `The drawing cannot be shown. ${why}`;
            this.changed();
        };
        this.failure = "";
        try {
            const blob = await (wanted.blob?.() ?? wanted);
            if (image.drawing !== wanted) return;
            image.src = URL.createObjectURL(blob);
            image.onload = () => this.changed();
            image.onerror = () => fail("This browser cannot read its SVG text.");
        } catch (error) {
            if (!(error instanceof BadReport)) throw error;
            fail(error.message);
        }
    }

    /** Places the drawings in the view, on a stage of this width with this number of panes. */
    place({ width, panes }) {
        Object.assign(this, { width, panes });
        const { state, images } = this;
        const dimmed = state.mode === "boxes" ? (state.step >= 0 && !images.new.isPart ? 0.25 : 0.5) : 0.6;
        const opacity = { full: 1, dim: dimmed, off: 0 }[state.drawing];
        const isTwo = state.mode === "compare";
        const split = { side: width / 2, slider: width * state.split, over: null }[isTwo ? state.compare : "over"];
        const left = panes === 2 ? width / 2 : 0;
        this.#placeOne(images.new, this.model, left, [split ?? 0, width]);
        this.#placeOne(images.old, this.old ?? this.model, 0, [0, split ?? width]);
        images.new.hidden = state.mode === "exploded";
        images.old.hidden = !isTwo;
        images.old.style.opacity = images.old.src ? opacity : 1;
        images.new.style.opacity = images.new.src ? opacity / (isTwo && split === null ? 2 : 1) : isTwo ? 0 : 1;
    }

    /**
     * Places the image in the view, clipped to the part of the stage between `from` and `to`. Its size changes only when the
     * view rests, because browsers redraw an image for each size.
     */
    #placeOne(image, model, left, [from, to]) {
        const { view } = this.state;
        if (image.drawnAt === undefined || image.drawnFor !== model) this.#drawAt(image, model, view.scale);
        else if (image.drawnAt !== view.scale && !isHeavy(model)) {
            clearTimeout(image.resting);
            image.resting = setTimeout(() => {
                this.#drawAt(image, model, this.state.view.scale);
                this.place(this);
            }, REST);
        }
        const [by, x] = [view.scale / image.drawnAt, view.x + left];
        image.style.transform = `translate(${x}px, ${view.y}px) scale(${by})`;
        const [cutLeft, cutRight] = [Math.max(0, from - x), Math.max(0, model.head.width * view.scale + x - to)];
        const cut = from > 0 || to < this.width;
        image.style.clipPath = cut ? `inset(0 ${cutRight / by}px 0 ${cutLeft / by}px)` : "";
    }

    #drawAt(image, model, scale) {
        clearTimeout(image.resting);
        Object.assign(image, { drawnAt: scale, drawnFor: model });
        image.style.width = `${model.head.width * scale}px`;
        image.style.height = `${model.head.height * scale}px`;
    }

    /** Redraws the drawing at the size of the view. */
    sharpen() {
        const { images, model, old, state } = this;
        this.#drawAt(images.new, model, state.view.scale);
        this.#drawAt(images.old, old ?? model, state.view.scale);
        this.place(this);
    }

    /**
     * Draws the drawing without hidden and later elements. Requires the source, because the measured drawing has no paths.
     */
    follow() {
        const { model, source, state: { hidden, solo, step } } = this;
        const isStep = step >= 0 && model.count <= STEPPED;
        const isPart = hidden.size > 0 || solo >= 0 || isStep;
        if (!source || !(isPart || this.partly)) return;
        const paths = [...hidden].map((item) => model.paths[item]);
        if (isStep) paths.push(...laterPaths(model, step));
        const text = isPart ? source.without(paths, solo < 0 ? null : model.paths[solo]) : null;
        this.partly = text === null ? null : svgBlob(text);
        this.load();
    }

    /** Draws each layer separately for the exploded view. The lowest plane contains everything outside layers. */
    async drawLayers() {
        const { model, source } = this;
        const isDrawn = (item) => model.isLayer(item) && !model.isCulled(item) && model.paths[item] !== null;
        const items = [...model.steps].filter(isDrawn);
        if (!source || this.layers || model.count > STEPPED || items.length === 0 || items.length > LAYERS_DRAWN) return;
        const paths = items.map((item) => model.paths[item]);
        const found = (this.layers = new Map());
        for (const item of [-1, ...items]) {
            const path = item < 0 ? null : model.paths[item];
            const hidden = paths.filter((other) => other !== path && (path === null || other.startsWith(`${path}/`)));
            const image = new Image();
            image.src = URL.createObjectURL(svgBlob(source.without(hidden, path)));
            await image.decode().catch(() => {});
            found.set(item, picture(image));
            URL.revokeObjectURL(image.src);
        }
        if (this.layers === found) this.changed();
    }
}

/** Returns the paths of elements painted only after this step. */
function laterPaths(model, step) {
    const drawn = (item) => model.kind[item] === DRAW && model.paths[item] !== null;
    const draws = [...model.steps].filter(drawn);
    const before = new Set(draws.filter((item) => item <= step).map((item) => model.paths[item]));
    return draws.filter((item) => item > step && !before.has(model.paths[item])).map((item) => model.paths[item]);
}

/**
 * Returns the picture of a loaded image, which is quick to paint; null before that. Browsers redraw an SVG each time it is
 * painted.
 */
export function picture(image) {
    if (!image.complete || image.naturalWidth === 0) return null;
    if (image.picture?.of === image.src) return image.picture;
    const by = PICTURE_SIDE / Math.max(image.naturalWidth, image.naturalHeight);
    image.picture = make("canvas", { width: Math.max(1, image.naturalWidth * by), height: Math.max(1, image.naturalHeight * by) });
    image.picture.of = image.src;
    image.picture.getContext("2d").drawImage(image, 0, 0, image.picture.width, image.picture.height);
    return image.picture;
}

/** Returns "dark" or "light", by the mean luminance of a picture on white; "" until it is loaded. */
export function luminance(image) {
    if (!image.complete || image.naturalWidth === 0) return image.luminance?.ground ?? "";
    if (image.luminance?.src === image.src || (image.isPart && image.luminance)) return image.luminance.ground;
    const side = 24;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = side;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = "white";
    context.fillRect(0, 0, side, side);
    let mean = 1;
    try {
        context.drawImage(image, 0, 0, side, side);
        const { data } = context.getImageData(0, 0, side, side);
        mean = data.reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722, 0][at % 4], 0) / (255 * side * side);
    } catch {
        // Some browsers do not let a page read a picture that contains HTML.
    }
    image.luminance = { src: image.src, ground: mean < 0.4 ? "dark" : "light" };
    return image.luminance.ground;
}
