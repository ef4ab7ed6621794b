// Starts a page that contains its report and drawing.
import { Inspector } from "./app.js";
import { BadReport } from "./model.js";
import { readLines } from "./read.js";
import { drawingOf, rectsOf, textOf } from "./unpack.js";
import { watch } from "./watch.js";
import { byId } from "./words.js";

/** Reading pauses after this many milliseconds, so that the page can show its progress. */
const READING = 40;

/** Returns the measured drawing and its source. */
function drawingIn(which) {
    return { measured: drawingOf(`measured${which}`), source: drawingOf(`svg${which}`) };
}

/** Returns the model of a report, or the text of an unreadable report. */
async function reportIn(which) {
    const text = await textOf(`report${which}`);
    const { elements } = byId(`report${which}`).dataset;
    if (elements === undefined) return text;
    let until = performance.now() + READING;
    return readLines(text, await rectsOf(`rects${which}`), Number(elements), async (share) => {
        if (performance.now() < until) return;
        byId("loading-bar").value = share;
        await new Promise((done) => setTimeout(done));
        until = performance.now() + READING;
    });
}

async function start(inspector) {
    if (byId("whole") === null) throw new BadReport("This file is cut off: copy it again, or make it again with svg_clips.");
    const report = await reportIn("");
    const older = byId("report-old") && {
        report: await reportIn("-old"),
        drawing: drawingIn("-old"),
        changes: await textOf("changes-data"),
    };
    inspector.show(report, drawingIn(""), older);
}

const inspector = new Inspector();
// Makes the inspector available to scripts and in the console.
globalThis.inspector = inspector;
await start(inspector).catch((error) => {
    inspector.fail(error.message);
    if (!(error instanceof BadReport)) throw error;
});
if (byId("report")?.dataset.address) watch(inspector, byId("report").dataset);
performance.mark("treebounds ready");
