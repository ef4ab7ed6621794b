// What flows to an element: what is around it (only known of a non-local open), and
// with its own value.
struct Flows {
    around: Flow,
    own: Flow,
}
