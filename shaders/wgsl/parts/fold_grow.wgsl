// The tree is over a tile's chunks, of what grows up; a chunk may be one element.
alias Fold = Grow;
const FOLD_LEAVES = TILE;

fn fold_identity() -> Fold {
    return grow_identity();
}

fn fold_combine(a: Fold, b: Fold) -> Fold {
    return grow_combine(a, b);
}
