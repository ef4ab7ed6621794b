// A page that is written again is loaded again. The program that writes it tells its version, at an address of this machine.

/** Loads the page again when there is a newer version of it. The selection and the view stay. */
export function watch(app, { address, version }) {
    const events = new EventSource(address);
    events.addEventListener("message", ({ data }) => {
        // The page stays as it is if a version of it could not be written.
        if (data === version || data === history.state?.version) return;
        events.close();
        app.keep({ version: data, path: app.model?.paths[app.state.selected] });
        location.reload();
    });
    // The program has ended.
    events.addEventListener("error", () => events.close());
}
