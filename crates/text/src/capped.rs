//! Collections that hostile input cannot make arbitrarily large.

use std::collections::BTreeMap;

/// The first items that were pushed, and the number of all of them.
///
/// A file of a few megabytes can have a problem on each line: whatever is collected from
/// untrusted input has a limit, and reports how many items are beyond it.
#[derive(Clone, Debug)]
pub struct Capped<T> {
    items: Vec<T>,
    count: usize,
    max: usize,
}

impl<T> Capped<T> {
    /// Creates an empty collection that keeps at most `max` items.
    pub const fn new(max: usize) -> Self {
        Self { items: Vec::new(), count: 0, max }
    }

    /// Counts an item, and keeps it unless there are enough.
    pub fn push(&mut self, item: T) {
        self.push_with(|| item);
    }

    /// Counts an item, which is only created below the limit.
    pub fn push_with(&mut self, create: impl FnOnce() -> T) {
        self.count += 1;
        if self.items.len() < self.max {
            self.items.push(create());
        }
    }

    /// Returns the items below the limit, in the order in which they were pushed.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the number of items that were pushed.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns the number of items that were left out.
    pub fn omitted(&self) -> usize {
        self.count - self.items.len()
    }

    /// Returns `true` if nothing was pushed.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the items below the limit. Read [`Capped::omitted`] before.
    pub fn into_items(self) -> Vec<T> {
        self.items
    }
}

/// Like [`Capped`], with a limit for each key: a thousand problems of one kind do not hide the
/// only one of another.
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
    fn keeps_the_first_items_and_counts_all() {
        let mut capped = Capped::new(2);
        assert!(capped.is_empty());
        (0..5).for_each(|item| capped.push(item));
        assert_eq!((capped.items(), capped.count(), capped.omitted()), (&[0, 1][..], 5, 3));
        capped.push_with(|| unreachable!("there are enough"));
        assert_eq!(capped.into_items(), [0, 1]);
    }

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
