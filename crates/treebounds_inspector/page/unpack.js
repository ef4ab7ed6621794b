// The data of a page that has its report and drawings in the same file: gzipped, in base64.
import { BadReport } from "./model.js";
import { byId } from "./words.js";

/** The bytes with this id; null if there are none. */
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

/** The text with this id; "" if there is none. */
export async function textOf(id) {
    return new TextDecoder().decode((await bytesOf(id)) ?? new Uint8Array(0));
}

/** The SVG text with this id, which is read like a Blob, and unpacked when it is first needed; null if there is none. */
export function drawingOf(id) {
    if (!byId(id)?.textContent) return null;
    let whole = null;
    const blob = () => (whole ??= unpacked(id));
    return { blob, text: async () => (await blob()).text() };
}

/** The Blob of an SVG text. */
async function unpacked(id) {
    const bytes = await bytesOf(id);
    return new Blob([byId(id).dataset.apart === undefined ? bytes : together(bytes)], { type: "image/svg+xml" });
}

/** The rects with this id, four edges each. */
export async function rectsOf(id) {
    const bytes = (await bytesOf(id)) ?? new Uint8Array(0);
    const bits = new Int32Array(bytes.length / 4);
    joinPlanes(bytes, bits, 4);
    for (let at = 0; at < bits.length; at += 4) {
        bits[at + 2] += bits[at];
        bits[at + 3] += bits[at + 1];
    }
    return new Float32Array(bits.buffer);
}

/** Reads rows of so many integers from columns, each of which has four planes of bytes: all lowest bytes first. */
function joinPlanes(bytes, integers, columns) {
    const many = integers.length / columns;
    for (let plane = 0; plane < 4 * columns; plane += 1) {
        const [column, shift, from] = [plane >> 2, 8 * (plane & 3), plane * many];
        for (let at = 0; at < many; at += 1) integers[columns * at + column] |= bytes[from + at] << shift;
    }
}

/** The form of a colour such as #12ab34. Other forms are numbers of decimals. */
const COLOR = 255;
const POWERS = Array.from({ length: 11 }, (_, digits) => 10 ** digits);
const HEX = new TextEncoder().encode("0123456789abcdef");
const ZERO = "0".charCodeAt(0);
const POINT = ".".charCodeAt(0);
const HASH = "#".charCodeAt(0);

/** The text of which these are the words and the numbers, as bytes. */
function together(bytes) {
    const many = new DataView(bytes.buffer).getUint32(0, true);
    const forms = bytes.subarray(4, 4 + many);
    const values = new Int32Array(many);
    joinPlanes(bytes.subarray(4 + many, 4 + 5 * many), values, 1);
    const words = bytes.subarray(4 + 5 * many);
    // A number has at most ten digits and a point.
    const text = new Uint8Array(words.length + 11 * many);
    let [length, next] = [0, 0];
    for (let at = 0; at < words.length; at += 1) {
        if (words[at] !== 0) {
            text[length++] = words[at];
        } else {
            length = write(text, length, forms[next], values[next]);
            next += 1;
        }
    }
    return text.subarray(0, length);
}

/** Writes a number or a colour, and returns where it ends. */
function write(text, start, form, value) {
    if (form === COLOR) {
        text[start] = HASH;
        for (let digit = 6; digit > 0; digit -= 1, value >>= 4) text[start + digit] = HEX[value & 15];
        return start + 7;
    }
    let digits = form + 1;
    while (value >= POWERS[digits]) digits += 1;
    const end = start + digits + (form > 0 ? 1 : 0);
    for (let digit = 0, at = end; digit < digits; digit += 1) {
        if (digit === form && form > 0) text[--at] = POINT;
        const rest = (value / 10) | 0;
        text[--at] = ZERO + value - 10 * rest;
        value = rest;
    }
    return end;
}
