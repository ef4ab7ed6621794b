// The stage: the drawing with the boxes over it, and the mouse, touch and keys that move it.
import { paintChanges } from "./compare.js";
import { Drawings, luminance, picture } from "./drawings.js";
import { Exploded, nearer, turned } from "./explode.js";
import { Heat, paintBins, paintHeat } from "./heat.js";
import { Marks } from "./marks.js";
import { color, forgetColors, Painter } from "./paint.js";
import { topmost } from "./query.js";
import { isHeavy, View } from "./view.js";
import { byId, make, timed, whole } from "./words.js";

/** Milliseconds of painting at a time. */
const SLICE = 8;
/** A pointer that moves less than this is a click. */
const CLICK = 4;
/** The most that one step of the wheel zooms, as a logarithm. */
const WHEEL = 0.4;
/** The crosshair keeps this distance from the edges. */
const MARGIN = 32;
/** A drawing is drawn anew, sharp, when the view has rested for so many milliseconds. Until then its pixels are scaled. */
const REST = 200;
const HEAT_SIDE = 16;
const BIN_SIDE = 256;

export class Stage {
    /** `on` has the functions select(item), hover(item), pick(x, y, isKey), viewChanged(), split(share). */
    constructor(state, on) {
        this.state = state;
        this.on = on;
        this.host = byId("stage");
        this.base = byId("base");
        this.top = byId("top");
        this.images = { new: byId("drawing"), old: byId("drawing-old") };
        this.drawings = new Drawings(state, this.images, () => this.paint());
        this.painter = new Painter();
        this.exploded = new Exploded();
        this.pointers = new Map();
        this.running = 0;
        this.width = this.height = 0;
        new ResizeObserver(() => this.resize()).observe(this.host);
        const listen = (type, run, options) => this.host.addEventListener(type, run, options);
        listen("pointerdown", (event) => this.#down(event));
        listen("pointermove", (event) => this.#move(event));
        listen("pointerup", (event) => this.#up(event));
        listen("pointercancel", (event) => this.#up(event));
        listen("pointerleave", () => this.on.hover(-1));
        listen("wheel", (event) => this.#wheel(event), { passive: false });
        listen("keydown", (event) => this.#key(event));
    }

    show(model, old, changes) {
        Object.assign(this, { model, old, changes: changes ?? [], allowed: null, count: model.length });
        this.heat = this.bins = this.listed = null;
        if (this.width > 0 && this.state.isFit) this.fit();
    }

    /** Limits the boxes to these items: one byte per item, null for all. */
    only(allowed, count) {
        this.allowed = allowed;
        this.count = count;
        this.listed = null;
        this.paint();
    }

    /** The number of panes side by side. */
    get panes() {
        return this.state.mode === "compare" && this.state.compare === "side" ? 2 : 1;
    }

    /** Shows the full width from the top. The wheel scrolls from then on; with the control key it zooms. */
    fitWidth() {
        const [x0, y0, x1] = this.model.viewport;
        const width = this.width / this.panes;
        const view = View.fit([x0, y0, x1, y0 + 1e-3 * (x1 - x0)], width, this.height);
        this.setView(view.moved(0, Math.min(MARGIN, this.height / 16) - view.toPage(this.model.viewport)[1]));
        this.state.scrolls = true;
    }

    fit() {
        this.state.isFit = true;
        this.state.scrolls = false;
        this.state.view = View.fit(this.model.viewport, this.width / this.panes, this.height);
        this.on.viewChanged();
    }

    resize() {
        const { width, height } = this.host.getBoundingClientRect();
        if (width === 0 || height === 0) return;
        const wasShown = this.width > 0;
        const by = [(width - this.width) / 2, (height - this.height) / 2];
        [this.width, this.height] = [width, height];
        this.ratio = window.devicePixelRatio || 1;
        for (const canvas of [this.base, this.top]) {
            canvas.width = Math.round(width * this.ratio);
            canvas.height = Math.round(height * this.ratio);
        }
        if (!this.model) return;
        if (this.state.isFit) this.fit();
        else if (wasShown) {
            this.state.view = this.state.view.moved(...by);
            this.on.viewChanged();
        }
        this.paint();
    }

    setView(view) {
        this.state.isFit = false;
        this.state.view = view;
        this.on.viewChanged();
        this.paint();
    }

    zoomBy(factor, x = this.width / 2 / this.panes, y = this.height / 2) {
        if (this.state.mode === "exploded") {
            this.#setCamera(nearer(this.state.camera, factor));
            return;
        }
        this.setView(this.state.view.zoomed(factor, x, y));
    }

    /** Fits the box to the stage, with a margin; a box within the canvas never gets smaller than the whole canvas fits. */
    zoomTo(box) {
        if (this.state.mode === "exploded") return;
        const grown = 0.25 * Math.max(box[2] - box[0], box[3] - box[1], 1);
        const [width, height] = [this.width / this.panes, this.height];
        const view = View.fit([box[0] - grown, box[1] - grown, box[2] + grown, box[3] + grown], width, height);
        const least = View.fit(this.model.viewport, width, height);
        const [x0, y0, x1, y1] = this.model.viewport;
        const isInside = x0 <= box[0] && y0 <= box[1] && box[2] <= x1 && box[3] <= y1;
        this.setView(isInside && view.scale < least.scale ? least : view);
    }

    // Painting.

    paint() {
        if (!this.model || this.width === 0) return;
        this.#ground();
        this.#placeImages();
        cancelAnimationFrame(this.running);
        this.running = 0;
        const { mode } = this.state;
        if (mode === "boxes") this.#paintBoxes();
        else timed(mode, () => this.#paintAtOnce(mode));
        this.paintTop();
    }

    #paintAtOnce(mode) {
        const context = blank(this.base);
        if (mode === "heat") {
            this.heat ??= new Heat(this.model, HEAT_SIDE);
            paintHeat(context, this.heat, { ...this.#flat(), which: this.state.heat });
        }
        if (mode === "exploded") this.#paintExploded(context);
        if (mode === "compare") this.#paintCompare(context);
    }

    #paintBoxes() {
        const { state, model, ratio } = this;
        const last = state.step < 0 ? model.length - 1 : state.step;
        const scene = { model, view: state.view, ratio, show: state.show, allowed: this.allowed, count: this.count, last };
        this.#old(state.view);
        this.painter.start({ ...scene, width: this.base.width, height: this.base.height });
        this.started = performance.now();
        this.#slice();
    }

    #slice() {
        if (!this.painter.slice(SLICE)) {
            this.running = requestAnimationFrame(() => this.#slice());
            return;
        }
        this.running = 0;
        const context = blank(this.base);
        if (this.state.show.bins) paintBins(context, (this.bins ??= new Heat(this.model, BIN_SIDE)), this.#flat());
        context.drawImage(this.painter.canvas, 0, 0);
        this.painted = this.state.view;
        performance.measure("treebounds boxes", { start: this.started, end: performance.now() });
    }

    /** Until the boxes are painted, shows those of the last view, moved. */
    #old(view) {
        const { painted, base, ratio } = this;
        if (!painted || painted.same(view)) return;
        const by = view.scale / painted.scale;
        const [x, y] = [(view.x - painted.x * by) * ratio, (view.y - painted.y * by) * ratio];
        const copy = this.painter.canvas;
        const context = base.getContext("2d");
        if (copy.width === 0 || this.painter.job !== null) return;
        context.clearRect(0, 0, base.width, base.height);
        context.drawImage(copy, x, y, copy.width * by, copy.height * by);
    }

    /** A drawing is dimmed towards its own luminance: a dark one to black, under bright boxes; a light one to white. */
    #ground() {
        const { state, images } = this;
        const isUnder = state.drawing !== "off" && (state.mode === "boxes" || state.mode === "compare");
        const ground = isUnder && images.new.src ? luminance(images.new) : "";
        if (ground === (this.host.dataset.ground ?? "")) return;
        this.host.dataset.ground = ground;
        forgetColors();
    }

    #placeImages() {
        const { state, images, width } = this;
        const dimmed = state.mode === "boxes" ? (state.step >= 0 && !images.new.isPart ? 0.25 : 0.5) : 0.6;
        const opacity = { full: 1, dim: dimmed, off: 0 }[state.drawing];
        const isTwo = state.mode === "compare";
        const split = { side: width / 2, slider: width * state.split, over: null }[isTwo ? state.compare : "over"];
        const left = this.panes === 2 ? width / 2 : 0;
        this.#placeImage(images.new, this.model, left, [split ?? 0, width]);
        this.#placeImage(images.old, this.old ?? this.model, 0, [0, split ?? width]);
        images.new.hidden = state.mode === "exploded";
        images.old.hidden = !isTwo;
        images.old.style.opacity = images.old.src ? opacity : 1;
        images.new.style.opacity = images.new.src ? opacity / (isTwo && split === null ? 2 : 1) : isTwo ? 0 : 1;
    }

    /**
     * Places the image in the view, cut to the part of the stage between `from` and `to`. Its size follows when the view rests,
     * because browsers draw an image anew for each size.
     */
    #placeImage(image, model, left, [from, to]) {
        const { view } = this.state;
        if (image.drawnAt === undefined || image.drawnFor !== model) this.#drawAt(image, model, view.scale);
        else if (image.drawnAt !== view.scale && !isHeavy(model)) {
            clearTimeout(image.resting);
            image.resting = setTimeout(() => {
                this.#drawAt(image, model, this.state.view.scale);
                this.#placeImages();
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

    /** Draws the drawing anew at the size of the view. */
    sharpen() {
        const { images, model, old, state } = this;
        this.#drawAt(images.new, model, state.view.scale);
        this.#drawAt(images.old, old ?? model, state.view.scale);
        this.#placeImages();
    }

    /** The numbers behind the heat map. */
    heatWords(which) {
        this.heat ??= new Heat(this.model, HEAT_SIDE);
        const { givenSum, foundSum, side } = this.heat;
        return { givenSum, foundSum, saved: givenSum - foundSum, side, most: this.heat.most(which) };
    }

    #flat() {
        const { model, ratio, state: { view } } = this;
        return { model, ratio, view };
    }

    #scene3d() {
        const { model, width, height, ratio, images } = this;
        const isShown = this.state.drawing !== "off";
        const pictures = isShown ? this.drawings.layers : null;
        const image = isShown ? (pictures?.get(-1) ?? picture(images.new)) : null;
        return { pictures, model, width, height, ratio, camera: this.state.camera, image };
    }

    #list3d() {
        const last = this.state.step < 0 ? this.model.length - 1 : this.state.step;
        if (this.listed?.last !== last) this.listed = { ...this.exploded.items(this.model, this.allowed, last), last };
        return this.listed;
    }

    #paintExploded(context) {
        this.exploded.paint(context, this.#scene3d(), this.#list3d());
    }

    /** Whether the exploded view omits some boxes. */
    get leavesOut() {
        return this.#list3d().isCut;
    }

    #paintCompare(context) {
        const { state, model, old, ratio, width, height, changes } = this;
        const scene = { context, old, model, view: state.view, ratio, width, height, changes };
        const marked = changes[state.change];
        const panes = {
            side: [["old", 0, width / 2, 0], ["new", width / 2, width, width / 2]],
            over: [["both", 0, width, 0]],
            slider: [["old", 0, width * state.split, 0], ["new", width * state.split, width, 0]],
        }[state.compare];
        for (const [side, from, to, by] of panes) {
            context.save();
            context.beginPath();
            context.rect(from * ratio, 0, (to - from) * ratio, height * ratio);
            context.clip();
            paintChanges({ ...scene, view: state.view.moved(by, 0) }, side, marked);
            context.restore();
        }
        for (const [side, from] of panes) {
            if (side === "both") continue;
            context.fillStyle = color("ink");
            if (from > 0) context.fillRect(Math.round(from * ratio), 0, Math.max(2, 2 * ratio), height * ratio);
            new Marks(context, model, new View(1, 0, 0), ratio, width, height).label(side, color("ink"), [from + 8, 2, from + 40, 20], true);
        }
    }

    /** Paints the marks, or a view that has its marks in the picture. */
    paintTop() {
        if (!this.model || this.width === 0) return;
        const { state, model, ratio, width, height, top } = this;
        const context = blank(top);
        if (state.mode === "exploded") {
            const marked = [state.selected, state.step, state.hovered];
            this.exploded.mark(context, this.#scene3d(), this.#list3d(), marked);
        }
        if (state.mode === "exploded" || state.mode === "compare") return;
        const marks = new Marks(context, model, state.view, ratio, width, height);
        if (state.point && state.isCrossed && state.tab === "point") marks.crosshair(state.point);
        if (state.step >= 0) marks.step(state.step);
        if (state.selected >= 0 && state.links) marks.selection(state.selected, state.links, state.most);
        if (state.object >= 0) marks.object(model.objects[state.object]);
        if (state.hovered >= 0 && state.hovered !== state.selected) {
            marks.hover(state.hovered);
            if (this.measures && state.selected >= 0) marks.distance(state.selected, state.hovered);
        }
        this.labels = marks.labels;
    }

    /** What is seen, as a canvas. */
    picture() {
        const { host, ratio, base, top, images, state } = this;
        const canvas = make("canvas", { width: base.width, height: base.height });
        const context = canvas.getContext("2d");
        context.fillStyle = getComputedStyle(host).backgroundColor;
        context.fillRect(0, 0, canvas.width, canvas.height);
        const { left, top: above } = host.getBoundingClientRect();
        for (const image of [images.old, images.new]) {
            if (image.hidden || !image.src || !image.complete) continue;
            const box = image.getBoundingClientRect();
            const place = [box.left - left, box.top - above, box.width, box.height].map((length) => length * ratio);
            context.save();
            context.beginPath();
            if (state.mode === "compare" && state.compare !== "over") {
                const split = (state.compare === "side" ? 0.5 : state.split) * canvas.width;
                context.rect(image === images.old ? 0 : split, 0, image === images.old ? split : canvas.width, canvas.height);
                context.clip();
            }
            context.fillStyle = "white";
            context.fillRect(...place);
            context.globalAlpha = Number(image.style.opacity);
            context.drawImage(image, ...place);
            context.restore();
        }
        context.drawImage(base, 0, 0);
        context.drawImage(top, 0, 0);
        return canvas;
    }

    // Mouse, touch and keys.

    /** The place of a pointer in its pane. */
    #at(event) {
        const { left, top } = this.host.getBoundingClientRect();
        let x = event.clientX - left;
        if (this.panes === 2 && x > this.width / 2) x -= this.width / 2;
        return [x, event.clientY - top];
    }

    #down(event) {
        if (event.button > 1 || !this.model) return;
        this.host.setPointerCapture(event.pointerId);
        const [x, y] = this.#at(event);
        this.pointers.set(event.pointerId, { x, y, fromX: x, fromY: y });
        this.isDragged = this.pointers.size > 1;
        this.#splits(event, true);
    }

    /** Whether the pointer drags the line between old and new. */
    #splits(event, begins) {
        const { state } = this;
        if (state.mode !== "compare" || state.compare !== "slider") return false;
        const x = event.clientX - this.host.getBoundingClientRect().left;
        if (begins) this.isSplitting = Math.abs(x - state.split * this.width) < 14;
        if (this.isSplitting) this.on.split(Math.min(1, Math.max(0, x / this.width)));
        return this.isSplitting;
    }

    #move(event) {
        if (!this.model) return;
        const [x, y] = this.#at(event);
        const held = this.pointers.get(event.pointerId);
        if (!held) {
            this.measures = event.altKey;
            const tile = this.state.mode === "heat" ? this.heat.at(...this.state.view.toDrawing(x, y)) : -1;
            this.on.hover(this.#itemAt(x, y), tile);
            return;
        }
        if (this.isSplitting) {
            this.#splits(event, false);
            return;
        }
        if (!this.isDragged && Math.hypot(x - held.fromX, y - held.fromY) < CLICK) return;
        this.isDragged = true;
        this.host.classList.add("grabbing");
        const by = [x - held.x, y - held.y];
        if (this.pointers.size === 2) this.#pinch(event.pointerId, x, y);
        else if (this.state.mode === "exploded") this.turn(by[0] / 160, -by[1] / 160);
        else this.setView(this.state.view.moved(...by));
        Object.assign(held, { x, y });
    }

    #pinch(id, x, y) {
        const moved = this.pointers.get(id);
        const other = [...this.pointers.entries()].find(([pointer]) => pointer !== id)[1];
        const before = Math.hypot(moved.x - other.x, moved.y - other.y);
        const after = Math.hypot(x - other.x, y - other.y);
        if (before > 0) this.zoomBy(after / before, (x + other.x) / 2, (y + other.y) / 2);
    }

    #up(event) {
        const held = this.pointers.get(event.pointerId);
        this.pointers.delete(event.pointerId);
        this.host.classList.remove("grabbing");
        const wasSplitting = this.isSplitting;
        this.isSplitting = false;
        if (!held || this.isDragged || wasSplitting || event.type === "pointercancel") return;
        if (this.state.mode === "exploded") this.on.select(this.#itemAt(held.x, held.y));
        else this.on.pick(...this.state.view.toDrawing(held.x, held.y));
    }

    #itemAt(x, y) {
        const last = this.state.step < 0 ? this.model.length - 1 : this.state.step;
        if (this.state.mode === "exploded") {
            return this.exploded.pick(this.#scene3d(), this.#list3d(), x, y);
        }
        return topmost(this.model, ...this.state.view.toDrawing(x, y), this.allowed, last);
    }

    #wheel(event) {
        if (!this.model) return;
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 18 : 1;
        if (this.state.scrolls && !event.ctrlKey && this.state.mode !== "exploded") {
            this.#setMoved(-event.deltaX * unit, -event.deltaY * unit);
            return;
        }
        const by = (-event.deltaY * unit) / (event.ctrlKey ? 120 : 400);
        this.zoomBy(Math.exp(Math.min(WHEEL, Math.max(-WHEEL, by))), ...this.#at(event));
    }

    /** Scrolls, but not past the ends of the drawing. */
    #setMoved(x, y) {
        const { view } = this.state;
        const box = view.toPage(this.model.viewport);
        const limit = (by, low, high, length) => Math.max(Math.min(by, Math.max(0, MARGIN - low)), Math.min(0, length - MARGIN - high));
        this.setView(view.moved(limit(x, box[0], box[2], this.width / this.panes), limit(y, box[1], box[3], this.height)));
    }

    turn(x, y) {
        this.#setCamera(turned(this.state.camera, x, y));
    }

    #setCamera(camera) {
        this.state.camera = camera;
        this.on.viewChanged();
        this.paint();
    }

    #key(event) {
        const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.ctrlKey || event.metaKey || event.altKey || !this.model) return;
        if (event.key in arrows) {
            const [x, y] = arrows[event.key];
            if (this.state.mode === "exploded") this.turn(x * 0.08, -y * 0.08);
            else this.#nudge(x * (event.shiftKey ? 10 : 1), y * (event.shiftKey ? 10 : 1));
        } else if (event.key === "Enter" && this.state.point) {
            const [x, y] = this.state.point;
            this.on.select(topmost(this.model, x, y, this.allowed));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #nudge(x, y) {
        const { point, view } = this.state;
        const from = point ?? view.toDrawing(this.width / 2 / this.panes, this.height / 2);
        const to = [from[0] + x / view.scale, from[1] + y / view.scale];
        this.#follow(to);
        this.on.pick(...to, true);
    }

    /** Moves the view so that it shows this point of the drawing. */
    #follow([x, y]) {
        const [left, top] = this.state.view.toPage([x, y, x, y]);
        const by = [into(left, this.width / this.panes), into(top, this.height)];
        if (by[0] !== 0 || by[1] !== 0) this.setView(this.state.view.moved(...by));
    }
}

/** The cleared context of a canvas. */
function blank(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
}

/** How far a position has to move to lie within a length, with a margin. */
function into(at, length) {
    const margin = Math.min(MARGIN, length / 4);
    return Math.min(Math.max(at, margin), length - margin) - at;
}
