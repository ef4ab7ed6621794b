// A page that is written again is loaded again. The program that writes it tells its version, at an address of this machine.

/** A page that was written longer ago, in milliseconds, was left over by a program that has ended: it asks no one. */
const LEFT_OVER = 24 * 3600 * 1000;

/** Loads the page again when there is a newer version of it. The selection and the view stay. */
export function watch(app, { address, version }) {
    const told = "svg_clips does not watch this drawing any more: the page stays as it is.";
    if (!(Date.now() - Date.parse(document.lastModified) < LEFT_OVER)) return app.stale(told);
    const events = new EventSource(address);
    events.addEventListener("message", ({ data }) => {
        app.stale("");
        // The page stays as it is if a version of it could not be written.
        if (data === version || data === history.state?.version) return;
        events.close();
        app.keep({ version: data, path: app.model?.paths[app.state.selected] });
        location.reload();
    });
    events.addEventListener("stale", () => {
        const time = new Date().toLocaleTimeString();
        app.stale(`Since ${time}, a drawing cannot be read: the terminal says why. This is the last version that could be.`);
    });
    // The program has ended.
    events.addEventListener("error", () => {
        events.close();
        app.stale(told);
    });
}
