// From the drawing's pixels to the page's: one scale and one offset, so that what is level stays level.

const LEAST = 1e-4;
const MOST = 1e4;

export class View {
    constructor(scale = 1, x = 0, y = 0) {
        this.scale = scale;
        this.x = x;
        this.y = y;
    }

    /** Shows all of the box in an area of this size. */
    static fit(box, width, height) {
        const margin = Math.min(24, width / 16, height / 16);
        const across = (width - 2 * margin) / (box[2] - box[0]);
        const down = (height - 2 * margin) / (box[3] - box[1]);
        const scale = clamp(Math.min(across, down));
        return new View(
            scale,
            (width - scale * (box[0] + box[2])) / 2,
            (height - scale * (box[1] + box[3])) / 2,
        );
    }

    /** Larger by this factor; the point (x, y) of the page stays where it is. */
    zoomed(factor, x, y) {
        const scale = clamp(this.scale * factor);
        const by = scale / this.scale;
        return new View(scale, x + (this.x - x) * by, y + (this.y - y) * by);
    }

    moved(x, y) {
        return new View(this.scale, this.x + x, this.y + y);
    }

    /** A point of the page, in the drawing. */
    toDrawing(x, y) {
        return [(x - this.x) / this.scale, (y - this.y) / this.scale];
    }

    /** A box of the drawing, on the page. */
    toPage(box) {
        return [
            box[0] * this.scale + this.x, box[1] * this.scale + this.y,
            box[2] * this.scale + this.x, box[3] * this.scale + this.y,
        ];
    }

    same(other) {
        return this.scale === other.scale && this.x === other.x && this.y === other.y;
    }
}

function clamp(scale) {
    return Math.min(MOST, Math.max(LEAST, scale));
}
