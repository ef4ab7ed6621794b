// The tree is over the threads, of what grows up.
alias Fold = Grow;
const FOLD_LEAVES = WORKGROUP_SIZE;

fn fold_identity() -> Fold {
    return grow_identity();
}

fn fold_combine(a: Fold, b: Fold) -> Fold {
    return grow_combine(a, b);
}
