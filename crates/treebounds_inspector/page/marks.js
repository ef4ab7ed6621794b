// Marks over the boxes: the selection with the enclosing clips, the hovered item, the step, the crosshair, and labels.
import { intersect, isEmpty, isEverything, NOTHING } from "./boxes.js";
import { SPREAD } from "./model.js";
import { clear, color, culledPlace, kindColor, LINES, lineStyle, Pen } from "./paint.js";
import { name, number, shown, size, tag } from "./words.js";

/** The maximum number of enclosing clips to draw: the innermost ones, and the one that cuts most. */
const CHAIN_MAX = 12;

export class Marks {
    constructor(context, model, view, ratio, width, height) {
        Object.assign(this, { context, model, view, ratio, width, height });
        this.pen = new Pen(context, view, ratio);
        this.labels = [];
    }

    line(kind, ink, box, extra = 0) {
        lineStyle(this.context, kind, ink, this.ratio);
        if (extra > 0) this.context.lineWidth = Math.round((LINES[kind].width + extra) * this.ratio);
        this.pen.last = [NaN];
        this.pen.stroke(box, 0);
    }

    /** A line on a halo, visible on any drawing. */
    strong(kind, ink, box, extra = 1) {
        this.line("draw", clear(color("halo"), 0.85), box, extra + 2.5);
        this.line(kind, ink, box, extra);
    }

    fill(ink, box) {
        this.context.fillStyle = ink;
        this.pen.fill(box, 0);
    }

    /** Darkens everything outside the box. */
    shade(box, alpha) {
        const { context, ratio } = this;
        context.fillStyle = clear("rgb(0, 0, 0)", alpha);
        context.beginPath();
        context.rect(0, 0, this.width * ratio, this.height * ratio);
        if (!isEmpty(box)) {
            const [x0, y0, x1, y1] = this.view.toPage(box).map((x) => Math.round(Math.min(1e6, Math.max(-1e6, x)) * ratio));
            context.rect(x0, y0, x1 - x0, y1 - y0);
        }
        context.fill("evenodd");
    }

    /**
     * Draws a label at the upper left corner of the box, next to or below other labels. If the box is off-screen, the label
     * is at the edge of the stage with an arrow that points to the box.
     */
    label(text, ink, box, isInside = false) {
        const { context, ratio } = this;
        const [x0, y0, x1, y1] = this.view.toPage(box);
        if (isEmpty(box)) return;
        const [toX, toY] = [outOfSight(x0, x1, this.width), outOfSight(y0, y1, this.height)];
        context.font = `600 ${12 * ratio}px system-ui, "DejaVu Sans", sans-serif`;
        const arrow = toX === 0 && toY === 0 ? 0 : 16;
        const width = Math.min(this.width - 8, context.measureText(text).width / ratio + 12 + arrow);
        const height = 20;
        let x = Math.min(Math.max(4, x0), this.width - width - 4);
        let y = Math.max(4, isInside || y0 - height - 2 < 4 ? y0 + 3 : y0 - height - 2);
        y = Math.min(y, this.height - height - 4);
        const hits = (other) => x < other.x + other.width + 2 && other.x < x + width + 2 && y < other.y + height + 2 && other.y < y + height + 2;
        for (let tries = 0; tries < 20; tries += 1) {
            const other = this.labels.find(hits);
            if (other === undefined) break;
            // To the right if there is room, otherwise below, or in the next column from the top.
            const beside = other.x + other.width + 4;
            if (beside + width <= this.width - 4) x = beside;
            else if (y + 2 * height + 3 <= this.height) y += height + 3;
            else [x, y] = [4, 4];
        }
        this.labels.push({ x, y, width, text, toX, toY });
        context.setLineDash([]);
        context.fillStyle = ink;
        context.beginPath();
        context.roundRect(x * ratio, y * ratio, width * ratio, height * ratio, 4 * ratio);
        context.fill();
        context.fillStyle = color("halo");
        context.textBaseline = "middle";
        context.fillText(text, (x + 6 + arrow) * ratio, (y + height / 2 + 0.5) * ratio, (width - 12 - arrow) * ratio);
        if (arrow > 0) this.#arrow(x + 12, y + height / 2, Math.atan2(toY, toX));
    }

    #arrow(x, y, angle) {
        const { context, ratio } = this;
        context.save();
        context.translate(x * ratio, y * ratio);
        context.rotate(angle);
        context.scale(ratio, ratio);
        context.beginPath();
        for (const [px, py] of [[6, 0], [-4, -5], [-4, 5]]) context.lineTo(px, py);
        context.fill();
        context.restore();
    }

    hover(item) {
        const { model } = this;
        const isCulled = model.isCulled(item);
        const box = isCulled ? culledPlace(model, item) : lit(model, item);
        if (box === null) return;
        const ink = isCulled ? color("culled") : kindColor(model, item);
        this.fill(clear(ink, 0.18), box);
        this.strong(isCulled ? "culled" : kind(model, item), ink, box, 0.75);
        const text = isCulled ? "culled" : size(model.box("bounds", item));
        this.label(`${name(model, item)}  ${text}`, ink, box);
    }

    /** Draws the selected item: its own box, its visible part, and the enclosing clips with their numbers. */
    selection(item, links, most) {
        const { model } = this;
        const clipping = links.filter((link) => link.number > 0);
        const cutting = clipping.filter((link, at) => at >= clipping.length - CHAIN_MAX || link.who === most);
        // The rect of a filter is a footprint, not a box.
        const own = model.kind[item] === SPREAD ? NOTHING : model.box("rect", item);
        const ink = kindColor(model, item);
        if (!isEverything(own) && !isEmpty(own)) this.hatch(own, model.box("bounds", item));
        for (const link of cutting) {
            const isMost = link.who === most;
            const around = link.who < 0 ? color("culled") : color("clip");
            this.strong(link.who < 0 ? "draw" : "clip", around, intersect(link.theirs, model.viewport), isMost ? 1.5 : 0);
        }
        if (!isEverything(own) && !isEmpty(own)) this.strong("own", color("own"), own, 0);
        if (model.isNode(item) && !model.isGroup(item)) {
            this.strong("clip", color("clip"), model.box("clip", item), -0.25);
            this.strong("content", color("content"), model.box("content", item), 0);
        }
        const bounds = model.box("bounds", item);
        this.fill(clear(ink, 0.22), bounds);
        this.strong("draw", ink, bounds, 1.25);
        const place = isEmpty(bounds) ? culledPlace(model, item) : bounds;
        if (place) this.label(isEmpty(bounds) ? `${name(model, item)}, culled` : name(model, item), isEmpty(bounds) ? color("culled") : ink, place);
        cutting.sort((a, b) => Number(b.who === most) - Number(a.who === most));
        for (const { who, number, theirs } of cutting) {
            const text = `${number}  ${who < 0 ? "canvas" : tag(model, who)}${who === most ? "  cuts most" : ""}`;
            this.label(text, who < 0 ? color("culled") : color("clip"), intersect(theirs, model.viewport));
        }
    }

    /**
     * Draws the gaps between two boxes, horizontally and vertically, each as a line with its length. For overlapping boxes,
     * these are the gaps between their edges.
     */
    distance(from, to) {
        const { model } = this;
        const [a, b] = [from, to].map((item) => (model.isCulled(item) ? culledPlace(model, item) : model.box("bounds", item)));
        if (a === null || b === null) return;
        const overlap = [0, 1].map((axis) => [Math.max(a[axis], b[axis]), Math.min(a[axis + 2], b[axis + 2])]);
        const isApart = overlap.map(([low, high]) => low >= high);
        for (const axis of [0, 1]) {
            const across = (overlap[1 - axis][0] + overlap[1 - axis][1]) / 2;
            if (isApart[axis]) this.#gap(axis, overlap[axis][1], overlap[axis][0], across);
            if (isApart[0] || isApart[1]) continue;
            for (const side of [axis, axis + 2]) this.#gap(axis, Math.min(a[side], b[side]), Math.max(a[side], b[side]), across);
        }
    }

    /** A line along an axis, with its length. */
    #gap(axis, low, high, across) {
        if (high <= low) return;
        const { context, ratio, view } = this;
        const line = axis === 0 ? [low, across, high, across] : [across, low, across, high];
        const [x0, y0, x1, y1] = view.toPage(line);
        context.setLineDash([]);
        context.lineWidth = 2 * ratio;
        context.strokeStyle = color("accent");
        context.beginPath();
        context.moveTo(x0 * ratio, y0 * ratio);
        context.lineTo(x1 * ratio, y1 * ratio);
        context.stroke();
        const [x, y] = [(line[0] + line[2]) / 2, (line[1] + line[3]) / 2];
        this.label(`${number(high - low)} px`, color("accent"), [x, y, x + 1e-3, y + 1e-3]);
    }

    /** Draws an object of the source document: its box, and its box without clips. */
    object({ source, id, bounds, unclipped }) {
        this.strong("own", color("own"), unclipped, 0);
        this.fill(clear(color("accent"), 0.2), bounds);
        this.strong("draw", color("accent"), bounds, 1.25);
        const text = `${shown(source)} ${id === null ? "" : `#${shown(id)}`}`;
        this.label(text, isEmpty(bounds) ? color("culled") : color("accent"), isEmpty(bounds) ? unclipped : bounds);
    }

    /** Hatches the hidden part of a box. */
    hatch(own, left) {
        const { context, ratio } = this;
        context.save();
        context.beginPath();
        for (const box of [own, left]) {
            if (isEmpty(box)) continue;
            const [x0, y0, x1, y1] = this.view.toPage(box).map((x) => Math.min(1e5, Math.max(-1e5, x)) * ratio);
            context.rect(x0, y0, x1 - x0, y1 - y0);
        }
        context.clip("evenodd");
        context.strokeStyle = clear(color("own"), 0.3);
        context.lineWidth = ratio;
        context.setLineDash([]);
        context.beginPath();
        const [across, down] = [this.width * ratio, this.height * ratio];
        for (let x = -down; x < across; x += 8 * ratio) {
            context.moveTo(x, down);
            context.lineTo(x + down, 0);
        }
        context.stroke();
        context.restore();
    }

    step(item) {
        const { model } = this;
        const force = model.isNode(item) && model.isClip(item) ? model.box("clip", item) : model.activeClip(item);
        this.shade(force, 0.3);
        if (!isEmpty(force)) this.strong("clip", color("clip"), force, 0.5);
        const box = model.isCulled(item) ? culledPlace(model, item) : model.box("bounds", item);
        if (box === null) return;
        const ink = model.isCulled(item) ? color("culled") : kindColor(model, item);
        this.fill(clear(ink, 0.3), box);
        this.strong(model.isCulled(item) ? "culled" : "draw", ink, box, 1);
        this.label(name(model, item), ink, box);
    }

    crosshair([x, y]) {
        const { context, ratio } = this;
        const [px, py] = [x * this.view.scale + this.view.x, y * this.view.scale + this.view.y];
        const [cx, cy] = [Math.round(px * ratio) + 0.5, Math.round(py * ratio) + 0.5];
        for (const [ink, width] of [[clear(color("halo"), 0.8), 3], [color("ink"), 1]]) {
            context.strokeStyle = ink;
            context.lineWidth = width * ratio;
            context.setLineDash([]);
            context.beginPath();
            context.moveTo(cx, 0);
            context.lineTo(cx, cy - 6 * ratio);
            context.moveTo(cx, cy + 6 * ratio);
            context.lineTo(cx, this.height * ratio);
            context.moveTo(0, cy);
            context.lineTo(cx - 6 * ratio, cy);
            context.moveTo(cx + 6 * ratio, cy);
            context.lineTo(this.width * ratio, cy);
            context.stroke();
        }
    }
}

function kind(model, item) {
    if (model.isLayer(item)) return "layer";
    return model.isClip(item) ? "clip" : "draw";
}

/** Returns the box that represents an item: the clip box of a clip, otherwise the bounds. */
function lit(model, item) {
    return model.isClip(item) && !model.isLayer(item) ? model.box("clip", item) : model.box("bounds", item);
}

/** Returns the side of the stage on which a box is out of sight: -1 before it, 1 after it, 0 if it is visible. */
function outOfSight(low, high, length) {
    return high < 0 ? -1 : Number(low > length);
}
