// Reads a report: a JSON text, or the lines stored in a page.
import { BadReport, Model } from "./model.js";

const SCHEMA = "treebounds.report/1";

/** Reads a report's JSON text, or returns a model that was already read. */
export function readReport(report) {
    if (report instanceof Model) return report;
    const whole = parse(report);
    checkHead(whole);
    const { elements, objects, ...head } = whole;
    if (!Array.isArray(elements)) throw new BadReport('The report has no list "elements".');
    const model = new Model(head, objects, elements.length);
    model.add(elements);
    return model.finish();
}

function parse(text) {
    try {
        return JSON.parse(text);
    } catch (error) {
        throw new BadReport(`The report is cut off, or it is not JSON: ${error.message}`);
    }
}

/**
 * Reads a report from the lines of a page: the head, the objects, the reasons for culling, and `most` elements, several per
 * line, whose `rects` are stored separately. Between two lines, awaits `pause` with the share that is read.
 */
export async function readLines(text, rects, most, pause) {
    let start = 0;
    const next = () => {
        const end = text.indexOf("\n", start);
        const line = text.slice(start, end < 0 ? text.length : end);
        start = end < 0 ? text.length : end + 1;
        return parse(line);
    };
    const head = next();
    checkHead(head);
    await pause(0);
    const model = new Model(head, next(), most, rects);
    const reasons = next();
    let folder = "";
    while (start < text.length) {
        const { paths, ids, kinds, sources, culled, more } = next();
        const elements = paths.map((path, at) => {
            const isBeside = path?.startsWith("/");
            if (path !== null && !isBeside) folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
            const element = { kind: kinds[at] ?? "draw", id: ids[at], source: sources[at] ?? "path", path: isBeside ? folder + path : path, folder };
            if (culled[at] != null) element.culled = reasons[culled[at]];
            return more[at] === undefined ? element : Object.assign(element, more[at]);
        });
        model.add(elements);
        await pause(model.length / most);
    }
    return model.finish();
}

function checkHead(report) {
    if (report === null || typeof report !== "object" || Array.isArray(report)) {
        throw new BadReport("This is JSON, but not a report.");
    }
    const { schema, width, height } = report;
    if (schema !== SCHEMA) {
        const newer = /^treebounds\.report\/(\d+)$/.exec(schema ?? "");
        throw new BadReport(
            newer
                ? `The report has the format ${schema}, but this page reads ${SCHEMA}. Use the page of the svg_clips that made the report.`
                : `The report has the format ${JSON.stringify(schema) ?? "(none)"}, but this page reads ${SCHEMA}.`,
        );
    }
    if (!(width > 0 && height > 0 && width < Infinity && height < Infinity)) {
        throw new BadReport(`The size of the drawing is not valid: ${width} × ${height}.`);
    }
}
