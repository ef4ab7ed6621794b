// Paints each drawing of `sheets` and logs the pixels outside its boxes.

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = "path,rect,circle,ellipse,line,polyline,polygon,text,image,use";
const DEFINITIONS = "defs,clipPath,mask,pattern,marker,symbol,filter";
/** The maximum number of objects per drawing that are painted alone, and their scale. */
const IDS = 40;
const SCALE = 4;
const log = text => console.log("treebounds " + text);

/** Returns the pixels of a document of this size, scaled by `scale`. */
async function paint(doc, { width, height }, scale) {
    const root = doc.documentElement;
    root.style.setProperty("width", `${width}px`, "important");
    root.style.setProperty("height", `${height}px`, "important");
    const text = new XMLSerializer().serializeToString(doc);
    const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0, width * scale, height * scale);
    URL.revokeObjectURL(url);
    return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Returns the number of painted pixels that are more than one pixel away from all boxes. */
function outside(picture, boxes) {
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    for (const [x0, y0, x1, y1] of boxes) {
        const [left, top] = [Math.floor(x0) - 1, Math.floor(y0) - 1];
        context.fillRect(left, top, Math.ceil(x1) + 1 - left, Math.ceil(y1) + 1 - top);
    }
    const inside = context.getImageData(0, 0, canvas.width, canvas.height).data;
    let count = 0;
    for (let at = 3; at < inside.length; at += 4) {
        if (picture.data[at] > 0 && inside[at] === 0) count += 1;
    }
    return count;
}

/** Returns the box of all painted pixels, in pixels of the drawing. */
function extent({ data, width, height }) {
    let [x0, y0, x1, y1] = [width, height, 0, 0];
    for (let y = 0, at = 3; y < height; y += 1) {
        for (let x = 0; x < width; x += 1, at += 4) {
            if (data[at] === 0) continue;
            [x0, x1] = [Math.min(x0, x), Math.max(x1, x + 1)];
            [y0, y1] = [Math.min(y0, y), Math.max(y1, y + 1)];
        }
    }
    return x0 < x1 ? [x0, y0, x1, y1].map(edge => edge / SCALE) : null;
}

/**
 * Returns the drawing with only this element visible. Null if setting the visibility is not enough: filters read other
 * elements, and backgrounds remain. Also null for text, whose letter spacing depends on the platform, and for units of the
 * window.
 */
function alone(text, id) {
    const doc = new DOMParser().parseFromString(text, "image/svg+xml");
    const found = [...doc.querySelectorAll("[id]")].filter(one => one.id === id);
    if (found.length !== 1 || /visibility|foreignObject|<filter|background|\dv[hwib]|\dvm/.test(text)) return null;
    if (found[0].closest("text") || found[0].querySelector("text") || doc.querySelector("clipPath text, mask text")) return null;
    for (const shape of doc.querySelectorAll(SHAPES)) {
        // Shapes in a foreign namespace have no style and are not painted.
        if (!shape.style || shape.closest(DEFINITIONS) || found[0].contains(shape)) continue;
        shape.style.setProperty("visibility", "hidden", "important");
    }
    return { doc, element: found[0] };
}

/** Whether the boxes around an element may be larger than its paint: clips, masks and filters also count as boxes. */
function mayHaveLooseBoxes(element) {
    const cuts = "[clip-path],[mask],[filter],[style*=clip],[style*=mask],[style*=filter],[class],use,image,switch,svg svg,[marker-start],[marker-mid],[marker-end]";
    return element.closest(cuts) !== null || element.querySelector(cuts) !== null;
}

/** Describes the difference between two boxes. */
function difference(ours, theirs, loose) {
    if (theirs === null) return ours === null || loose ? "" : `[${ours}] is not painted`;
    if (ours === null) return `nothing, but [${theirs}] is painted`;
    // The tolerance: half a pixel, plus one pixel of the scaled picture, because an edge may cover
    // only part of it.
    const most = 0.5 + 1 / SCALE;
    const beyond = theirs.map((edge, at) => (at < 2 ? ours[at] - edge : edge - ours[at]));
    const isOff = beyond.some(by => by > most || (!loose && by < -most));
    return isOff ? `[${ours}], but [${theirs}] is painted` : "";
}

async function compare(sheet) {
    const doc = new DOMParser().parseFromString(sheet.text, "image/svg+xml");
    if (!doc.documentElement?.style || doc.documentElement.namespaceURI !== SVG) return { outside: 0, ids: 0, off: [] };
    const seen = { outside: outside(await paint(doc, sheet, 1), sheet.boxes), ids: 0, off: [] };
    for (const [id, ours] of sheet.ids.slice(0, IDS)) {
        const part = alone(sheet.text, id);
        if (!part) continue;
        const loose = mayHaveLooseBoxes(part.element) || part.doc.querySelector("style") !== null;
        const theirs = extent(await paint(part.doc, sheet, SCALE));
        const words = difference(ours, theirs, loose);
        seen.ids += 1;
        if (words) seen.off.push(`#${id}: ${words}`);
    }
    return seen;
}

for (const sheet of sheets) {
    try {
        // Quotes would end the log line early.
        log(JSON.stringify(await compare(sheet)));
    } catch (error) {
        log(JSON.stringify({ outside: 0, ids: 0, off: [`cannot be painted: ${error}`] }));
    }
}
log("end");
