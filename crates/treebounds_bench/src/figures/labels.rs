//! Labels beside the ends of lines, moved apart where they would overlap.

/// Moves positions apart, as little as it takes, so that neighbours are at least
/// `gap` apart; none goes beyond `lowest` and `highest` while there is room. The
/// positions keep their places in the list.
pub(super) fn apart(positions: &mut [i32], gap: i32, lowest: i32, highest: i32) {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&ix| positions[ix]);
    let mut below = lowest - gap;
    for &ix in &order {
        positions[ix] = positions[ix].max(below + gap);
        below = positions[ix];
    }
    let mut above = highest + gap;
    for &ix in order.iter().rev() {
        positions[ix] = positions[ix].min(above - gap);
        above = positions[ix];
    }
}

/// A value of the axis: powers of ten without noise.
pub(super) fn plain(log10: f64) -> String {
    let digits = (-log10.round()).max(0.0) as usize;
    format!("{:.digits$}", 10_f64.powi(log10.round() as i32))
}

/// An integer with commas.
pub(super) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_overlap() {
        let mut positions = [50, 10, 52, 49, 100];
        apart(&mut positions, 15, 0, 100);
        let mut sorted = positions;
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 15), "{positions:?}");
        assert!(positions[3] < positions[0] && positions[0] < positions[2]);
        assert!(sorted[0] >= 0 && sorted[4] <= 100);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!((thousands(7), thousands(65_536)), ("7".into(), "65,536".into()));
        assert_eq!(
            (plain(-2.0), plain(0.0), plain(2.0)),
            ("0.01".into(), "1".into(), "100".into())
        );
    }
}
