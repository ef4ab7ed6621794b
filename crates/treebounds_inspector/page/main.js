// Starts the page that has its report and drawing as data in the same file.
import { Inspector } from "./app.js";
import { BadReport, readLines } from "./model.js";
import { byId } from "./words.js";

/** Reading pauses after so many milliseconds, so that the page can show how far it is. */
const READING = 40;

/** Data of the page: gzipped, in base64. Null if there is none, or if it cannot be unpacked. */
async function unpacked(id) {
    const letters = atob(byId(id)?.textContent ?? "");
    if (letters === "") return null;
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
    const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(text).blob().catch(() => null);
}

/** The drawing as it was measured, and its source. */
async function drawingIn(which) {
    const [measured, source] = await Promise.all([unpacked(`measured${which}`), unpacked(`svg${which}`)]);
    const image = (text) => text && new Blob([text], { type: "image/svg+xml" });
    return { measured: image(measured), source: image(source) };
}

/** The model of a report; the text of one that the page cannot read. */
async function reportIn(id) {
    const text = (await (await unpacked(id))?.text()) ?? "";
    const { elements } = byId(id).dataset;
    if (elements === undefined) return text;
    let until = performance.now() + READING;
    return readLines(text, Number(elements), async (share) => {
        if (performance.now() < until) return;
        byId("loading-bar").value = share;
        await new Promise((done) => setTimeout(done));
        until = performance.now() + READING;
    });
}

async function start(inspector) {
    const report = await reportIn("report");
    const drawing = await drawingIn("");
    const older = byId("report-old") && {
        report: await reportIn("report-old"),
        drawing: await drawingIn("-old"),
        changes: await (await unpacked("changes-data")).text(),
    };
    inspector.show(report, drawing, older);
}

const inspector = new Inspector();
// For scripts and the console.
globalThis.inspector = inspector;
await start(inspector).catch((error) => {
    if (!(error instanceof BadReport)) throw error;
    inspector.fail(error.message);
});
// The address keeps the selection and the view.
if (byId("report").dataset.watched !== undefined) addEventListener("focus", () => location.reload());
performance.mark("treebounds ready");
