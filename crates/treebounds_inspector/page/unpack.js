// Unpacks the report and drawings stored in the page: gzipped, in base64.
import { BadReport } from "./model.js";
import { byId } from "./words.js";

/** Returns the bytes stored under this id; null if there are none. */
async function bytesOf(id) {
    const text = byId(id)?.textContent ?? "";
    if (text === "") return null;
    if (!globalThis.DecompressionStream) {
        throw new BadReport("This browser is too old to unpack it. Open the page in a current version of Firefox, Chrome, Edge or Safari.");
    }
    try {
        const packed = Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const whole = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(whole).arrayBuffer());
    } catch {
        throw new BadReport("Its data in this file is damaged: copy the file again, or make it again with svg_clips.");
    }
}

/** Returns the text stored under this id; "" if there is none. */
export async function textOf(id) {
    return new TextDecoder().decode((await bytesOf(id)) ?? new Uint8Array(0));
}

/** Returns the SVG text stored under this id, with the interface of a Blob, unpacked on first use; null if there is none. */
export function drawingOf(id) {
    if (!byId(id)?.textContent) return null;
    let whole = null;
    const blob = () => (whole ??= unpacked(id));
    return { blob, text: async () => (await blob()).text() };
}

/** Returns the Blob of the SVG text stored under this id. */
async function unpacked(id) {
    return new Blob([await bytesOf(id)], { type: "image/svg+xml" });
}

/**
 * Returns the rects stored under this id, four edges each: columns of integers, each of which has four planes of bytes,
 * lowest bytes first.
 */
export async function rectsOf(id) {
    const bytes = (await bytesOf(id)) ?? new Uint8Array(0);
    const bits = new Int32Array(bytes.length / 4);
    const many = bits.length / 4;
    for (let plane = 0; plane < 16; plane += 1) {
        const [column, shift, from] = [plane >> 2, 8 * (plane & 3), plane * many];
        for (let at = 0; at < many; at += 1) bits[4 * at + column] |= bytes[from + at] << shift;
    }
    for (let at = 0; at < bits.length; at += 4) {
        bits[at + 2] += bits[at];
        bits[at + 3] += bits[at + 1];
    }
    return new Float32Array(bits.buffer);
}
