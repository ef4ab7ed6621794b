//! Scenes by number.

use crate::many::variants::{MOST, MOST_OF_FEW};
use treebounds_core::Stream;
use treebounds_tests::streams::{random_few_nodes, random_mixture, random_scene};

/// How many elements a scene has: small scenes as often as large ones.
fn length(number: u64) -> usize {
    let n = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % u64::from(MOST + 1);
    if number.is_multiple_of(3) { (n % 20) as usize } else { n as usize }
}

/// Half of them balanced, half of them anything.
pub(crate) fn any(number: u64) -> Stream {
    let n = length(number);
    if number.is_multiple_of(2) {
        random_scene(number, n, [0, 20, 50, 90][(number / 2 % 4) as usize])
    } else {
        random_mixture(number, n)
    }
}

/// A scene of few markers.
pub(crate) fn of_few_nodes(number: u64) -> Stream {
    random_few_nodes(number, length(number), MOST_OF_FEW as usize)
}
