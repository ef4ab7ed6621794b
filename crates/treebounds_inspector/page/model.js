// A report as columns, with one item per draw, clip and layer. Items are in paint order, which is also the order of the
// tree's rows.
import { cut, emptyBoxes, EVERYTHING, grow, isEmpty, NOTHING } from "./boxes.js";

/** The kinds of items. A layer that clips has both bits. */
export const DRAW = 0;
export const CLIP = 1;
export const LAYER = 2;
/** A filter: neither a clip nor a layer. Its rect is a footprint. */
export const SPREAD = 4;

/** A group of the document that neither clips nor blends. It has a row in the tree but no box of its own. */
export const GROUP = 8;

/** A report that cannot be shown. The message is for people. */
export class BadReport extends Error {}

const NODES = { clip: CLIP, blend: LAYER, clip_blend: CLIP | LAYER, spread: SPREAD };
const COLUMNS = ["own", "clip", "content", "bounds"];
/** Bits for the boxes of a node that its element may omit. */
const CONTENT = 1;
const BOUNDS = 2;
/** A bit for the row of a text, whose boxes are all derived from its parts. */
const OF_PARTS = 4;
/** The maximum number of elements for which the parts of a text are nested. */
const NESTED_MAX = 20000;

/** Element kinds by name, with their role and the kind of their item. */
const KINDS = new Map([
    ["draw", { role: "", kind: DRAW }],
    ...Object.entries(NODES).flatMap(([name, kind]) => ["begin", "end"].map((role) => [`${role}_${name}`, { role, kind }])),
]);

export class Model {
    /**
     * Creates a model of at most `most` elements. Call `add` to add them, then `finish`. `rects` contains the rects omitted
     * from elements.
     */
    constructor(report, objects, most, rects = new Float32Array(0)) {
        const { groups, ...head } = report;
        this.head = head;
        this.named = Array.isArray(objects) ? objects : [];
        this.groups = Array.isArray(groups) ? groups : [];
        this.closed = new Map(groupsOf([...this.named, ...this.groups]));
        /** Whether the parts of a text are nested in it. */
        this.nests = most <= NESTED_MAX;
        const all = most + this.closed.size + (this.nests ? most >> 1 : 0);
        // In the report, elements of a text part have the id of the whole text; the list of objects has the part's own
        // id.
        const parts = this.named.filter((object) => object?.path && object.source !== "text" && object.id != null);
        this.parts = new Map(parts.map(({ path, id }) => [String(path), String(id)]));
        this.viewport = readBox(report.viewport, "viewport");
        this.ids = [];
        this.sources = [];
        this.paths = [];
        this.reasons = [];
        /** The index in the stream. A group has a fraction between those of its neighbours. */
        this.ix = new Float64Array(all);
        this.kind = new Uint8Array(all);
        this.nonLocal = new Uint8Array(all);
        /** Whether an item is inside a filter, so that all boxes except for `bounds` are places before the filter. */
        this.filtered = new Uint8Array(all);
        this.depth = new Uint32Array(all);
        /** The depth without groups. */
        this.level = new Uint32Array(all);
        this.parent = new Int32Array(all);
        this.end = new Uint32Array(all);
        this.rect = new Float32Array(4 * all);
        for (const name of COLUMNS) this[name] = emptyBoxes(all);
        /** For items inside filters: the part that affects pixels, before the filter. */
        this.needed = new Map();
        Object.assign(this, { rects, rectsRead: 0, left: new Map(), landings: new Map(), beside: {}, allObjects: null });
        this.hasUses = [...this.closed.values()].some(({ source }) => source === "use");
        this.length = 0;
        this.open = [];
        this.before = -1;
    }

    /** Adds elements. */
    add(elements) {
        for (const [at, element] of elements.entries()) {
            if (element === null || typeof element !== "object") {
                throw new BadReport('An entry of the list "elements" is not an object.');
            }
            const ix = element.ix ?? this.before + 1;
            if (!Number.isInteger(ix) || ix <= this.before || ix >= 2 ** 32) {
                throw new BadReport(`An element has the index ${ix}, which is not a whole number above ${this.before}.`);
            }
            this.before = ix;
            const known = KINDS.get(element.kind);
            if (known === undefined) throw new BadReport(`Element ${ix} has an unknown kind: ${JSON.stringify(element.kind)}.`);
            const { role, kind } = known;
            if (role === "end") {
                this.#endGroups(null);
                this.#close(this.open, element, ix, this.length);
                continue;
            }
            this.#group(element.path == null ? null : String(element.path), ix, element.folder);
            const isPart = this.nests && this.#isPart(element, elements[at + 1], ix);
            this.#write(isPart ? { ...element, id: null } : element, ix, kind);
        }
    }

    /** Whether an element is one of several parts of a text. The first one starts a row for the text. */
    #isPart(element, next, ix) {
        const text = textAround(element);
        if (text === null) return false;
        // The following elements are not siblings of the text.
        this.beside = {};
        const innermost = this.open.at(-1) ?? -1;
        if (innermost >= 0 && this.paths[innermost] === text && this.kind[innermost] === GROUP) return true;
        if (textAround(next) !== text) return false;
        this.left.set(this.#write({ id: element.id, source: "text", path: text }, ix - 2 ** -10, GROUP), OF_PARTS);
        return true;
    }

    /**
     * Closes and opens groups before the element at this path. An element next to the previous one is in the same groups.
     */
    #group(path, ix, folder = path?.slice(0, Math.max(0, path.lastIndexOf("/")))) {
        const isBeside = () => folder === this.beside.folder && this.open.at(-1) === this.beside.innermost;
        if (path !== null && !this.hasUses && isBeside()) return;
        this.#endGroups(path);
        if (path !== null && this.closed.size > 0) this.#beginGroups(path, ix, isBeside() ? folder.length : 0);
        this.beside = { folder, innermost: this.open.at(-1) };
    }

    /** Closes the innermost groups that do not contain this path, or all if it is null. */
    #endGroups(path) {
        for (let at = this.open.at(-1); at !== undefined && this.kind[at] === GROUP; at = this.open.at(-1)) {
            if (path !== null && isInside(path, this.paths[at])) return;
            this.end[this.open.pop()] = this.length;
        }
    }

    /**
     * Opens the groups around this path that are inside the innermost open node. Those up to the length `known` are already
     * open. A group that is also a node needs no row.
     */
    #beginGroups(path, ix, known) {
        const innermost = this.open.at(-1) ?? -1;
        const around = innermost >= 0 ? (this.paths[innermost] ?? path) : "";
        const found = [];
        for (let end = path.length; end > (known || around.length); end = path.lastIndexOf("/", end - 1)) {
            const group = this.closed.get(path.slice(0, end));
            if (group !== undefined && (end < path.length || group.source === "use")) found.push(group);
        }
        for (const [at, group] of found.reverse().entries()) {
            this.closed.delete(group.path);
            const element = { ...group, rect: group.unclipped, content: group.bounds };
            this.#write(element, ix - 1 + (at + 1) / (found.length + 1), GROUP);
        }
    }

    /** Finishes the model after all elements are added. */
    finish() {
        for (const begin of this.open) this.end[begin] = this.length;
        this.#gather();
        this.#countSiblings();
        /** The items that are elements, in paint order: all but the groups. */
        this.steps = Uint32Array.from({ length: this.length }, (_, item) => item).filter((item) => this.kind[item] !== GROUP);
        /** The words of texts and the shapes painted by uses, by item. Both are read from the source document. */
        this.texts = new Map();
        this.shapes = new Map();
        this.known = [...this.named, ...this.groups].map((object) => (typeof object === "number" ? object : readObject(object)));
        for (const name of ["named", "groups", "closed", "open", "before", "rects", "rectsRead", "left", "landings", "beside"]) delete this[name];
        return this;
    }

    /** Objects of the source document: groups, and everything with an id. Reports of old versions have none. */
    get objects() {
        return (this.allObjects ??= this.known.map((object) => (typeof object === "number" ? this.#objectOf(object) : object)));
    }

    /** Returns the object that consists of only the draw with this index. */
    #objectOf(ix) {
        const item = this.itemOf(ix);
        const path = this.paths[item] ?? "";
        const [, source] = /([^/[]*)(?:\[\d+\])?$/.exec(path);
        const [bounds, unclipped] = [this.box("bounds", item), this.box("rect", item)];
        return { id: this.ids[item] ?? null, source, path, part: "painted", bounds, unclipped, culled: this.reasons[item] ?? null };
    }

    #close(open, element, ix, item) {
        const begin = open.pop();
        if (begin === undefined) return; // It closes nothing, so it changes nothing.
        const found = this.ix[begin];
        const link = element.link ?? found;
        if (link !== found) {
            throw new BadReport(
                `The elements do not nest: element ${ix} (${element.kind}) closes element ${link}, ` +
                    `but element ${found} is open.`,
            );
        }
        this.end[begin] = item;
    }

    #write(element, ix, kind) {
        const item = this.length;
        const parent = this.open.at(-1) ?? -1;
        this.length += 1;
        this.end[item] = item + 1;
        this.ix[item] = ix;
        this.kind[item] = kind;
        this.nonLocal[item] = element.non_local === true ? 1 : 0;
        this.parent[item] = parent;
        this.filtered[item] = parent >= 0 && (this.filtered[parent] || this.kind[parent] === SPREAD) ? 1 : 0;
        this.depth[item] = this.open.length;
        this.level[item] = parent < 0 ? 0 : this.level[parent] + (this.kind[parent] === GROUP ? 0 : 1);
        const part = element.source === "text" ? this.parts.get(element.path) : undefined;
        this.ids[item] = part ?? (element.id == null ? null : String(element.id));
        this.sources[item] = element.source == null ? "" : String(element.source);
        this.paths[item] = element.path == null ? null : String(element.path);
        this.reasons[item] = element.culled ?? null;
        this.#boxes(item, element, ix);
        if (kind !== DRAW) this.open.push(item);
        return item;
    }

    /** Writes the boxes of an item. Omitted boxes are derived from others. */
    #boxes(item, element, ix) {
        const [kind, base] = [this.kind[item], 4 * item];
        const isGiven = kind === GROUP || element.rect !== undefined || this.rects.length === 0;
        if (isGiven) this.rect.set(readBox(element.rect, "rect", ix), base);
        else for (let edge = 0; edge < 4; edge += 1) this.rect[base + edge] = this.rects[this.rectsRead++];
        for (const name of COLUMNS) {
            // The columns are initialized with empty boxes.
            if (element[name] != null) this[name].set(readBox(element[name], name, ix), base);
        }
        const parent = this.parent[item];
        const [around, from] = parent < 0 ? [this.viewport, 0] : [this.clip, 4 * parent];
        if (kind === DRAW) {
            if (element.bounds === undefined) cut(this.bounds, this.rect, base, around, from);
        } else if (kind === GROUP) {
            this.clip.set(this.activeClip(item), base);
        } else {
            if (element.clip === undefined) cut(this.clip, this.rect, base, around, from);
            const left = (element.content === undefined ? CONTENT : 0) | (element.bounds === undefined ? BOUNDS : 0);
            if (left > 0) this.left.set(item, left);
        }
        if (this.filtered[item] && kind !== GROUP) this.landings.set(item, readBox(element.lands, "lands", ix));
    }

    /** Derives omitted contents and bounds of nodes from their children. */
    #gather() {
        for (let item = this.length - 1; item >= 0; item -= 1) {
            const misses = this.left.get(item) ?? 0;
            if (misses & BOUNDS) this.bounds.set(this.box("content", item), 4 * item);
            let parent = this.parent[item];
            if ((this.left.get(parent) ?? 0) & OF_PARTS) {
                grow(this.rect, 4 * parent, this.rect, 4 * item);
                for (const name of ["content", "bounds"]) grow(this[name], 4 * parent, this.bounds, 4 * item);
            }
            while (parent >= 0 && this.kind[parent] === GROUP) parent = this.parent[parent];
            if (this.kind[item] !== GROUP && (this.left.get(parent) ?? 0) & CONTENT) {
                grow(this.content, 4 * parent, this.bounds, 4 * item);
            }
        }
        for (const [item, box] of this.landings) {
            // Inside a filter, the reported bounds are places before filtering. The page shows where they land on the
            // canvas instead.
            this.needed.set(item, this.box("bounds", item).slice());
            this.bounds.set(box, 4 * item);
        }
    }

    /** Numbers each item among its siblings, from 1, and counts the children of each item. */
    #countSiblings() {
        const children = new Uint32Array(this.length + 1);
        this.place = new Uint32Array(this.length);
        for (let item = 0; item < this.length; item += 1) {
            this.place[item] = children[this.parent[item] + 1] += 1;
        }
        this.children = children;
    }

    siblings(item) {
        return this.children[this.parent[item] + 1];
    }

    /** Returns one of the item's boxes: "rect", "own", "clip", "content" or "bounds". */
    box(name, item) {
        return this[name].subarray(4 * item, 4 * item + 4);
    }

    isCulled(item) {
        const { bounds } = this;
        const base = 4 * item;
        return !(bounds[base] < bounds[base + 2] && bounds[base + 1] < bounds[base + 3]);
    }

    isNode(item) {
        return this.kind[item] !== DRAW;
    }

    isLayer(item) {
        return (this.kind[item] & LAYER) !== 0;
    }

    isClip(item) {
        return (this.kind[item] & CLIP) !== 0;
    }

    /** Returns the item's own box, before clipping. */
    given(item) {
        const own = this.box("own", item);
        return isEmpty(own) ? this.box("rect", item) : own;
    }

    /** Returns the active clip of the item: that of its parent, or the canvas. */
    activeClip(item) {
        const parent = this.parent[item];
        return parent < 0 ? this.viewport : this.box("clip", parent);
    }

    /** Returns the clips, layers and filters around the item, outermost first. */
    ancestors(item) {
        const found = [];
        for (let up = this.parent[item]; up >= 0; up = this.parent[up]) {
            if (this.kind[up] !== GROUP) found.push(up);
        }
        return found.reverse();
    }

    isGroup(item) {
        return this.kind[item] === GROUP;
    }

    /** The number of draws, clips, layers and filters. */
    get count() {
        return this.steps.length;
    }

    /** Returns the number of elements before this item. */
    stepOf(item) {
        let [low, high] = [0, this.steps.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.steps[middle] < item) low = middle + 1;
            else high = middle;
        }
        return low;
    }

    /** Returns the item whose draw or begin has this index in the stream; -1 if there is none. */
    itemOf(ix) {
        let [low, high] = [0, this.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.ix[middle] < ix) low = middle + 1;
            else high = middle;
        }
        return low < this.length && this.ix[low] === ix ? low : -1;
    }
}

/** Returns the path of the text that contains a draw; null for other elements. */
function textAround(element) {
    if (element?.source !== "text" || element.kind !== "draw") return null;
    return /^.*\/text\[\d+\](?=\/|$)/.exec(element.path ?? "")?.[0] ?? null;
}

/** Whether a path equals `around` or is inside it. */
function isInside(path, around) {
    return path.startsWith(around) && (path.length === around.length || path[around.length] === "/");
}

const CONTAINERS = new Set(["g", "svg", "a", "switch", "use"]);

/** Returns the painted groups by path, except for the root and uses of a single shape. */
function groupsOf(objects) {
    const isPlain = ({ source, draws }) => source === "use" && draws === 1;
    const isGroup = (object) =>
        object?.part === "painted" && CONTAINERS.has(object.source) && String(object.path).includes("/") && !isPlain(object);
    return objects.filter(isGroup).map((object) => [String(object.path), object]);
}

function readObject(object) {
    return {
        id: object?.id == null ? null : String(object.id),
        source: String(object?.source ?? ""),
        path: String(object?.path ?? ""),
        part: String(object?.part ?? "painted"),
        bounds: readBox(object?.bounds, "bounds", object?.path),
        unclipped: readBox(object?.unclipped, "unclipped", object?.path),
        culled: object?.culled ?? null,
    };
}

/** Reads a box of a report. `name` is the field, `of` the index of its element or the path of its object. */
function readBox(value, name, of = "the report") {
    if (value === null || value === undefined) return NOTHING;
    if (value === "everything") return EVERYTHING;
    if (Array.isArray(value) && value.length === 4 && value.every(Number.isFinite)) return value;
    throw new BadReport(`The box "${name}" of ${typeof of === "number" ? `element ${of}` : of} is not a box: ${JSON.stringify(value).slice(0, 80)}`);
}
