// The exploded view: nested layers separated in depth. The projection is parallel, so each plane is one affine map.
import { area, intersect, isEmpty } from "./boxes.js";
import { DRAW } from "./model.js";
import { clear, color, kindColor } from "./paint.js";

/** The maximum numbers of boxes drawn at rest, and while the camera moves. The largest boxes are drawn. */
const BOXES_MAX = 3000;
const MOVING_MAX = 1000;
/** More boxes are only outlined, with this opacity, because filling takes most of the time. */
const FILLED_MAX = 600;
const OF_MANY = 0.3;

/** The maximum tilt of the camera, nearly from the side; 0 is from above. */
export const TILT_MAX = 1.5;
const ZOOM_MIN = 0.1;
export const ZOOM_MAX = 50;

/** Returns the camera turned by these angles in radians. */
export function turned({ turn, tilt, zoom }, x, y) {
    return { turn: turn + x, tilt: Math.min(TILT_MAX, Math.max(0, tilt + y)), zoom };
}

/** Returns the camera zoomed by this factor. */
export function nearer({ turn, tilt, zoom }, factor) {
    return { turn, tilt, zoom: Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom * factor)) };
}

export class Exploded {
    /** Returns the plane at this height as a canvas transform: [a, b, c, d, e, f]. */
    plane({ model, width, height, camera: { turn, tilt, zoom } }, level, levels) {
        const [x0, y0, x1, y1] = model.viewport;
        const [w, h] = [x1 - x0, y1 - y0];
        const reach = Math.hypot(w, h);
        const lift = (reach * 0.7 * Math.sin(tilt)) / Math.max(3, levels);
        const scale = (zoom * Math.min(width, height)) / (reach * 1.3);
        const [c, s, flat] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt)];
        const [mx, my] = [(x0 + x1) / 2, (y0 + y1) / 2];
        const up = (level - levels / 2) * lift;
        return [
            scale * c, scale * s * flat, -scale * s, scale * c * flat,
            width / 2 - scale * (c * mx - s * my), height / 2 - scale * (flat * (s * mx + c * my) + up),
        ];
    }

    /** Returns the items to show, and the `few` to show while the camera moves, lowest level first. */
    items(model, allowed, last) {
        const found = [];
        for (let item = 0; item <= last; item += 1) {
            if (model.isGroup(item) || (allowed !== null && !allowed[item])) continue;
            const box = shownBox(model, item);
            if (!isEmpty(box)) found.push({ item, box, area: area(box) });
        }
        const isCut = found.length > BOXES_MAX;
        if (found.length > MOVING_MAX) found.sort((a, b) => b.area - a.area);
        if (isCut) found.length = BOXES_MAX;
        const upward = (a, b) => model.level[a.item] - model.level[b.item] || a.item - b.item;
        const few = found.slice(0, MOVING_MAX).sort(upward);
        found.sort(upward);
        const levels = found.reduce((most, { item }) => Math.max(most, model.level[item]), 0) + 1;
        return { found, few, isCut, levels };
    }

    paint(context, scene, { found, few, levels }) {
        const { model, ratio, image } = scene;
        const boxes = scene.isMoving ? few : found;
        const [x0, y0, x1, y1] = model.viewport;
        const plane = (at) => this.plane(scene, at, levels).map((value) => value * ratio);
        context.setTransform(...plane(0));
        context.fillStyle = clear(color("paper"), 0.9);
        context.fillRect(x0, y0, x1 - x0, y1 - y0);
        if (image) {
            context.globalAlpha = 0.85;
            context.drawImage(image, 0, 0, model.head.width, model.head.height);
            context.globalAlpha = 1;
        }
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.setLineDash([]);
        const sheet = new Sheet(context, ratio);
        sheet.plane = plane(0);
        sheet.box([x0, y0, x1, y1], color("culled"), 0, 1);
        const isCrowd = found.length > FILLED_MAX;
        let depth = -1;
        for (const { item, box } of boxes) {
            if (model.level[item] !== depth) sheet.plane = plane((depth = model.level[item]) + 1);
            const picture = scene.pictures?.get(item);
            if (picture) {
                context.setTransform(...sheet.plane);
                context.globalAlpha = 0.85;
                context.drawImage(picture, 0, 0, model.head.width, model.head.height);
                context.setTransform(1, 0, 0, 1, 0, 0);
            }
            context.globalAlpha = isCrowd ? OF_MANY : 1;
            const alpha = model.kind[item] === DRAW ? 0.1 : 0.07;
            sheet.box(box, kindColor(model, item), isCrowd ? 0 : alpha, 1);
        }
        context.globalAlpha = 1;
    }

    /** Paints these items over the others. */
    mark(context, scene, { levels }, items) {
        const sheet = new Sheet(context, scene.ratio);
        context.setLineDash([]);
        for (const item of items) {
            if (item < 0) continue;
            sheet.plane = this.plane(scene, scene.model.level[item] + 1, levels).map((value) => value * scene.ratio);
            sheet.box(shownBox(scene.model, item), kindColor(scene.model, item), 0.5, 3);
        }
    }

    /** Returns the frontmost item at this point of the page, or -1. */
    pick(scene, { found, levels }, x, y) {
        let [depth, px, py] = [-1, 0, 0];
        for (let at = found.length - 1; at >= 0; at -= 1) {
            const { item, box } = found[at];
            if (scene.model.level[item] !== depth) {
                depth = scene.model.level[item];
                const [a, b, c, d, e, f] = this.plane(scene, depth + 1, levels);
                const det = a * d - b * c;
                [px, py] = [(d * (x - e) - c * (y - f)) / det, (a * (y - f) - b * (x - e)) / det];
            }
            if (box[0] <= px && px < box[2] && box[1] <= py && py < box[3]) return item;
        }
        return -1;
    }
}

/** Paints boxes of one plane. Lines have the same width at any scale. */
class Sheet {
    constructor(context, ratio) {
        Object.assign(this, { context, ratio });
    }

    box([x0, y0, x1, y1], ink, alpha, width) {
        if (!(x0 < x1 && y0 < y1)) return;
        const { context, plane: [a, b, c, d, e, f] } = this;
        context.beginPath();
        for (const [x, y] of [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) context.lineTo(a * x + c * y + e, b * x + d * y + f);
        context.closePath();
        if (alpha > 0) {
            context.fillStyle = clear(ink, alpha);
            context.fill();
        }
        context.strokeStyle = ink;
        context.lineWidth = width * this.ratio;
        context.stroke();
    }
}

function shownBox(model, item) {
    const box = model.isClip(item) && !model.isLayer(item) ? model.box("clip", item) : model.box("bounds", item);
    return intersect(box, model.viewport);
}
