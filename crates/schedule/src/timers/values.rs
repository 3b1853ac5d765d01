//! Sets of numbers as lists with ranges.

use crate::calendar::set_bits;

/// Returns the numbers of a set as a list, in which `range` joins the first and the last of three or
/// more that follow each other.
pub(super) fn list(values: u64, range: &str, name: impl Fn(u32) -> String) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest: Vec<u32> = set_bits(values).collect();
    rest.reverse();
    while let Some(first) = rest.pop() {
        let mut last = first;
        while rest.last() == Some(&(last + 1)) {
            last += 1;
            rest.pop();
        }
        match last - first {
            0 => parts.push(name(first)),
            1 => parts.extend([name(first), name(last)]),
            _ => parts.push(format!("{}{range}{}", name(first), name(last))),
        }
    }
    parts.join(",")
}
