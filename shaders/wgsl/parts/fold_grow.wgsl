// The tree is over a tile's chunks, each of which may be one element, or over as many tiles, of what grows up.
alias Fold = Grow;
const FOLD_LEAVES = TILE;

fn fold_identity() -> Fold {
    return grow_identity();
}

fn fold_combine(a: Fold, b: Fold) -> Fold {
    return grow_combine(a, b);
}
