// Reloads the page when it is rewritten. The program that writes it announces versions at a local address.

/** A page older than this, in milliseconds, was left over by a program that has ended, and asks for no versions. */
const LEFT_OVER = 24 * 3600 * 1000;

/** Reloads the page when there is a newer version. Keeps the selection and the view. */
export function watch(app, { address, version }) {
    const told = "svg_clips does not watch this drawing any more: the page stays as it is.";
    if (!(Date.now() - Date.parse(document.lastModified) < LEFT_OVER)) return app.stale(told);
    const events = new EventSource(address);
    events.addEventListener("message", ({ data }) => {
        app.stale("");
        // The page does not change if a new version could not be written.
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
