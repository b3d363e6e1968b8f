//! Labels that must not lie on each other.

/// Moves heights apart until neighbours are at least `distance` apart, each as little as needed and all of them within
/// `from..=to`; returned in the order given. When there is no room for all, they overlap evenly.
pub(crate) fn spread(heights: &[i32], distance: i32, (from, to): (i32, i32)) -> Vec<i32> {
    // From the top down. Of equals the later one, which is drawn on top, stands above.
    let mut order = Vec::with_capacity(heights.len());
    for i in 0..heights.len() {
        let place = order.partition_point(|&above: &usize| heights[above] < heights[i]);
        order.insert(place, i);
    }
    let most = if heights.len() > 1 { (to - from) / (heights.len() as i32 - 1) } else { distance };
    let distance = distance.min(most).max(0);

    // Groups of touching labels: sum of the wanted heights of the group's first label, and its members.
    let mut groups: Vec<(i64, Vec<usize>)> = Vec::new();
    let first = |(sum, members): &(i64, Vec<usize>)| -> i64 {
        let length = i64::from(distance) * (members.len() as i64 - 1);
        let wanted = sum.div_euclid(members.len() as i64);
        wanted.min(i64::from(to) - length).max(i64::from(from))
    };
    for i in order {
        let mut group = (i64::from(heights[i]), vec![i]);
        while let Some(above) = groups.pop() {
            let end = first(&above) + i64::from(distance) * above.1.len() as i64;
            if end <= first(&group) {
                groups.push(above);
                break;
            }
            // Joined, this group's labels come after the other's: their first label wants to be that much higher.
            let shift = i64::from(distance) * above.1.len() as i64 * group.1.len() as i64;
            group = (above.0 + group.0 - shift, [above.1, group.1].concat());
        }
        groups.push(group);
    }

    let mut out = vec![0; heights.len()];
    for group in &groups {
        for (place, &i) in group.1.iter().enumerate() {
            out[i] = (first(group) + i64::from(distance) * place as i64) as i32;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn labels_with_room_stay_where_they_are() {
        assert_eq!(spread(&[80, 10], 14, (0, 100)), [80, 10]);
        assert_eq!(spread(&[], 14, (0, 100)), [0; 0]);
    }

    #[test]
    fn labels_that_touch_move_apart_evenly() {
        assert_eq!(spread(&[50, 54], 14, (0, 100)), [45, 59]);
        assert_eq!(spread(&[54, 50, 52], 10, (0, 100)), [62, 42, 52]);
        assert_eq!(spread(&[50, 50], 10, (0, 100)), [55, 45]);
    }

    #[test]
    fn labels_stay_inside() {
        assert_eq!(spread(&[-5, 120], 14, (0, 100)), [0, 100]);
        assert_eq!(spread(&[99, 100], 14, (0, 100)), [86, 100]);
        assert_eq!(spread(&[1, 2, 3], 90, (0, 100)), [0, 50, 100]);
    }
}
