// The tree is over the threads, of what flows down.
alias Fold = Flow;
const FOLD_LEAVES = WORKGROUP_SIZE;

fn fold_identity() -> Fold {
    return flow_identity();
}

fn fold_combine(a: Fold, b: Fold) -> Fold {
    return flow_combine(a, b);
}
