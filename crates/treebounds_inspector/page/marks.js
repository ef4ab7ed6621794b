// What lies over the boxes: hover, selection with the chain that cuts it, the step, the crosshair, and their labels.
import { intersect, isEmpty, isEverything } from "./box.js";
import { clear, color, kindColor } from "./colors.js";
import { culledPlace } from "./painter.js";
import { LINES, Pen, lineStyle } from "./strokes.js";
import { name, noun, shown, size, tag } from "./words.js";

/** More links of a chain are only told in words. */
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

    /** A line with a lighter or darker one beneath it, so that it shows on any drawing. */
    strong(kind, ink, box, extra = 1) {
        this.line("draw", clear(color("halo"), 0.85), box, extra + 2.5);
        this.line(kind, ink, box, extra);
    }

    fill(ink, box) {
        this.context.fillStyle = ink;
        this.pen.fill(box, 0);
    }

    /** What is outside the box, dimmed. */
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

    /** A text on a plate at the box's upper left corner, where no other label lies. */
    label(text, ink, box, isInside = false) {
        const { context, ratio } = this;
        const [x0, y0, x1, y1] = this.view.toPage(box);
        if (x1 < 0 || y1 < 0 || x0 > this.width || y0 > this.height) return;
        context.font = `600 ${12 * ratio}px system-ui, "DejaVu Sans", sans-serif`;
        const width = Math.min(this.width - 8, context.measureText(text).width / ratio + 12);
        const height = 20;
        let x = Math.min(Math.max(4, x0), this.width - width - 4);
        let y = Math.max(4, isInside || y0 - height - 2 < 4 ? y0 + 3 : y0 - height - 2);
        y = Math.min(y, this.height - height - 4);
        const hits = (other) => x < other.x + other.width + 2 && other.x < x + width + 2 && y < other.y + height + 2 && other.y < y + height + 2;
        for (let tries = 0; tries < 20; tries += 1) {
            const other = this.labels.find(hits);
            if (other === undefined) break;
            // Beside it, or, where there is no room, below it.
            const beside = other.x + other.width + 4;
            if (beside + width <= this.width - 4) x = beside;
            else y += height + 3;
        }
        if (y + height > this.height) return;
        this.labels.push({ x, y, width });
        context.setLineDash([]);
        context.fillStyle = ink;
        context.beginPath();
        context.roundRect(x * ratio, y * ratio, width * ratio, height * ratio, 4 * ratio);
        context.fill();
        context.fillStyle = color("halo");
        context.textBaseline = "middle";
        context.fillText(text, (x + 6) * ratio, (y + height / 2 + 0.5) * ratio, (width - 12) * ratio);
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
        this.label(`${noun(model, item)} ${tag(model, item)}  ${text}`, ink, box);
    }

    /** The selection: its own box, what is left of it, and who cuts it, in order. */
    selection(item, links, most) {
        const { model } = this;
        const cutting = links.filter((link) => link.alone > 0).slice(-CHAIN_MAX);
        const own = model.box("rect", item);
        const ink = kindColor(model, item);
        if (!isEverything(own) && !isEmpty(own)) this.hatch(own, model.box("bounds", item));
        const numbers = new Map(cutting.map((link, at) => [link, at + 1]));
        for (const link of cutting) {
            const isMost = link.who === most;
            const around = link.who < 0 ? color("culled") : color("clip");
            this.strong(link.who < 0 ? "draw" : "clip", around, intersect(link.theirs, model.viewport), isMost ? 1.5 : 0);
        }
        if (!isEverything(own) && !isEmpty(own)) this.strong("own", color("own"), own, 0);
        if (model.isNode(item)) {
            this.strong("clip", color("clip"), model.box("clip", item), -0.25);
            this.strong("content", color("content"), model.box("content", item), 0);
        }
        const bounds = model.box("bounds", item);
        this.fill(clear(ink, 0.22), bounds);
        this.strong("draw", ink, bounds, 1.25);
        const place = isEmpty(bounds) ? culledPlace(model, item) : bounds;
        if (place) this.label(`${noun(model, item)} ${tag(model, item)}`, isEmpty(bounds) ? color("culled") : ink, place);
        for (const [link, at] of numbers) {
            const who = link.who < 0 ? "canvas" : tag(model, link.who);
            const share = link.who === most ? "  cuts most" : "";
            this.label(`${at}  ${who}${share}`, link.who < 0 ? color("culled") : color("clip"), intersect(link.theirs, model.viewport));
        }
    }

    /** An object of the source document: its box, and what that would be if nothing cut it. */
    object({ source, id, bounds, unclipped }) {
        this.strong("own", color("own"), unclipped, 0);
        this.fill(clear(color("accent"), 0.2), bounds);
        this.strong("draw", color("accent"), bounds, 1.25);
        const text = `${shown(source)} ${id === null ? "" : `#${shown(id)}`}`;
        this.label(text, isEmpty(bounds) ? color("culled") : color("accent"), isEmpty(bounds) ? unclipped : bounds);
    }

    /** Stripes over what is cut away of a box. */
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
        const force = model.isNode(item) && model.isClip(item) ? model.box("clip", item) : model.inForce(item);
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

/** The box that stands for an item: of a clip what it lets through, else its bounds. */
export function lit(model, item) {
    return model.isClip(item) && !model.isLayer(item) ? model.box("clip", item) : model.box("bounds", item);
}
