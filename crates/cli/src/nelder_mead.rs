//! The least value of a function without its derivative, after Nelder and Mead (The Computer Journal 7, 1965).

/// Most moves of the simplex.
const MOST_MOVES: usize = 200;

/// A difference of values that counts as none.
const SAME: f64 = 1e-10;

type Corner<const N: usize> = ([f64; N], f64);

/// A point at which `f` is low, and its value there, searched from `start` with a simplex of this size. `f` may be
/// infinite, but is a number.
pub(crate) fn minimum<const N: usize>(f: &mut impl FnMut([f64; N]) -> f64, start: [f64; N], size: f64) -> Corner<N> {
    let mut corners: Vec<Corner<N>> = vec![(start, f(start))];
    for axis in 0..N {
        let mut point = start;
        point[axis] += size;
        corners.push((point, f(point)));
    }
    for _ in 0..MOST_MOVES {
        corners.sort_by(|(_, one), (_, other)| one.total_cmp(other));
        let (best, worst) = (corners[0], corners[N]);
        if worst.1 - best.1 < SAME {
            break;
        }
        let middle: [f64; N] =
            std::array::from_fn(|axis| corners[..N].iter().map(|(point, _)| point[axis]).sum::<f64>() / N as f64);
        // On the line through the worst corner and the middle of the others: 1 is the worst, -1 its mirror image.
        let mut at = |place: f64| {
            let point = std::array::from_fn(|axis| middle[axis] + place * (worst.0[axis] - middle[axis]));
            (point, f(point))
        };
        let mirrored = at(-1.0);
        corners[N] = if mirrored.1 < best.1 {
            lower(at(-2.0), mirrored)
        } else if mirrored.1 < corners[N - 1].1 {
            mirrored
        } else {
            let inner = at(if mirrored.1 < worst.1 { -0.5 } else { 0.5 });
            if inner.1 < mirrored.1.min(worst.1) {
                inner
            } else {
                shrink(&mut corners, f);
                continue;
            }
        };
    }
    corners.into_iter().reduce(lower).unwrap_or((start, f64::INFINITY))
}

fn lower<const N: usize>(one: Corner<N>, other: Corner<N>) -> Corner<N> {
    if one.1 < other.1 { one } else { other }
}

/// All corners go halfway to the first.
fn shrink<const N: usize>(corners: &mut [Corner<N>], f: &mut impl FnMut([f64; N]) -> f64) {
    let best = corners[0].0;
    for (point, value) in &mut corners[1..] {
        *point = std::array::from_fn(|axis| 0.5 * (point[axis] + best[axis]));
        *value = f(*point);
    }
}

#[cfg(test)]
mod tests {
    use super::minimum;

    #[test]
    fn a_bowl_a_bent_valley_and_a_wall() {
        let (point, value) = minimum(&mut |[x, y, z]| (x - 1.0).abs() + (y + 2.0) * (y + 2.0) + z * z, [0.0; 3], 0.5);
        assert!(value < 1e-4 && (point[1] + 2.0).abs() < 0.02, "{point:?} {value}");
        let mut valley = |[x, y]: [f64; 2]| 100.0 * (y - x * x) * (y - x * x) + (1.0 - x) * (1.0 - x);
        let (point, value) = minimum(&mut valley, [-1.2, 1.0], 0.3);
        assert!(value < 1e-8, "{point:?} {value}");
        let mut wall = |[x]: [f64; 1]| if x < 0.5 { f64::INFINITY } else { x };
        let ([x], _) = minimum(&mut wall, [2.0], 0.3);
        assert!((x - 0.5).abs() < 1e-6, "{x}");
    }
}
