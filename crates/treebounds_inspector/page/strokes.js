// Boxes on a canvas, in whole device pixels, so that lines are sharp.

/** How far outside the canvas a line may run. */
const OUTSIDE = 16;

/** A pen for a canvas; `view` places boxes, `ratio` is device pixels for one of the page. */
export class Pen {
    constructor(context, view, ratio) {
        this.context = context;
        this.view = view;
        this.ratio = ratio;
        this.right = context.canvas.width + OUTSIDE;
        this.bottom = context.canvas.height + OUTSIDE;
        this.last = [NaN, NaN, NaN, NaN];
    }

    /** The box in device pixels, cut to what can be seen; null where no edge of it can. */
    place(column, base) {
        const { view, ratio } = this;
        const x0 = Math.round((column[base] * view.scale + view.x) * ratio);
        const y0 = Math.round((column[base + 1] * view.scale + view.y) * ratio);
        const x1 = Math.round((column[base + 2] * view.scale + view.x) * ratio);
        const y1 = Math.round((column[base + 3] * view.scale + view.y) * ratio);
        if (!(column[base] < column[base + 2] && column[base + 1] < column[base + 3])) return null;
        if (x1 < 0 || y1 < 0 || x0 > this.right || y0 > this.bottom) return null;
        if (x0 < -OUTSIDE && y0 < -OUTSIDE && x1 > this.right && y1 > this.bottom) return null;
        return [
            Math.max(x0, -OUTSIDE), Math.max(y0, -OUTSIDE),
            Math.min(x1, this.right), Math.min(y1, this.bottom),
        ];
    }

    /** Strokes one box of a column with the context's style. A box like the one before is left out. */
    stroke(column, base, outset = 0) {
        const box = this.place(column, base);
        if (box === null || box.every((edge, at) => edge === this.last[at])) return false;
        this.last = box;
        const half = (this.context.lineWidth % 2) / 2;
        const [x, y] = [box[0] - outset + half, box[1] - outset + half];
        const width = Math.max(1, box[2] - box[0] + 2 * outset - 1);
        const height = Math.max(1, box[3] - box[1] + 2 * outset - 1);
        this.context.strokeRect(x, y, width, height);
        return true;
    }

    /** A cross over a box. */
    cross(column, base) {
        const box = this.place(column, base);
        if (box === null) return;
        const { context } = this;
        context.beginPath();
        context.moveTo(box[0], box[1]);
        context.lineTo(box[2], box[3]);
        context.moveTo(box[2], box[1]);
        context.lineTo(box[0], box[3]);
        context.rect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
        context.stroke();
    }

    fill(column, base) {
        const box = this.place(column, base) ?? this.#whole(column, base);
        if (box !== null) this.context.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    }

    /** A box whose edges all lie outside still fills what is inside. */
    #whole(column, base) {
        const [x0, y0, x1, y1] = this.view.toPage(column.subarray ? column.subarray(base, base + 4) : column);
        const covers = x0 <= 0 && y0 <= 0 && x1 * this.ratio >= this.right - OUTSIDE && y1 * this.ratio >= this.bottom - OUTSIDE;
        return covers ? [0, 0, this.right, this.bottom] : null;
    }
}

/** Line styles by kind: dashes and width in pixels of the page. The pattern says the same as the colour. */
export const LINES = {
    draw: { dash: [], width: 1.25, outset: 0 },
    clip: { dash: [7, 5], width: 1.75, outset: 0 },
    layer: { dash: [2, 3], width: 1.75, outset: 2 },
    culled: { dash: [], width: 1, outset: 0 },
    content: { dash: [10, 3, 2, 3], width: 1.5, outset: 0 },
    own: { dash: [1, 2], width: 1.25, outset: 0 },
};

/** Makes the context draw such lines. */
export function lineStyle(context, kind, colorText, ratio, isCrowded = false) {
    const line = LINES[kind];
    context.strokeStyle = colorText;
    context.lineWidth = isCrowded ? 1 : Math.max(1, Math.round(line.width * ratio));
    context.setLineDash(isCrowded ? [] : line.dash.map((length) => length * ratio));
    return isCrowded ? 0 : line.outset * ratio;
}
