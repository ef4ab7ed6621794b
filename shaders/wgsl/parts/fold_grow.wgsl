// The tree is over a tile's elements, of what flows up.
alias Fold = Grow;
const FOLD_IDENTITY = GROW_IDENTITY;
const FOLD_LEAVES = TILE;

fn fold_combine(a: Fold, b: Fold) -> Fold {
    return grow_combine(a, b);
}
