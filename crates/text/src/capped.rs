//! Collections that hostile input cannot make arbitrarily large.

use std::collections::BTreeMap;

/// The first items of each key that were pushed, and how many were left out.
///
/// A file of a few megabytes can have a problem on each line, so whatever is collected from
/// untrusted input has a limit. It is one for each key: a thousand problems of one kind do not
/// hide the only one of another.
#[derive(Clone, Debug)]
pub struct CappedByKey<K, T> {
    items: Vec<(K, T)>,
    counts: BTreeMap<K, usize>,
    max: usize,
}

impl<K: Copy + Ord, T> CappedByKey<K, T> {
    /// Creates an empty collection that keeps at most `max` items of each key.
    pub const fn new(max: usize) -> Self {
        Self { items: Vec::new(), counts: BTreeMap::new(), max }
    }

    /// Counts an item of a key, which is only created below the limit.
    pub fn push_with(&mut self, key: K, create: impl FnOnce() -> T) {
        let count = self.counts.entry(key).or_default();
        *count += 1;
        if *count <= self.max {
            self.items.push((key, create()));
        }
    }

    /// Returns the items below the limit, in the order in which they were pushed. `mark_omitted`
    /// gets the last one of each key that has more, and how many more it has.
    pub fn into_items(mut self, mut mark_omitted: impl FnMut(&mut T, usize)) -> Vec<T> {
        let max = self.max;
        for (key, count) in self.counts.into_iter().filter(|(_, count)| *count > max) {
            if let Some((_, last)) = self.items.iter_mut().rfind(|(other, _)| *other == key) {
                mark_omitted(last, count - max);
            }
        }
        self.items.into_iter().map(|(_, item)| item).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_each_key() {
        let mut capped = CappedByKey::new(2);
        for (key, item) in [('a', "1"), ('b', "2"), ('a', "3"), ('a', "4"), ('a', "5")] {
            capped.push_with(key, || item.to_owned());
        }
        let items = capped.into_items(|last, omitted| *last += &format!(" and {omitted} more"));
        assert_eq!(items, ["1", "2", "3 and 2 more"]);
    }
}
