//! Which known name a name that nobody knows was probably meant to be.

/// How alike two names are at least, from 0 to 1, for one to be taken as a slip for the other.
const LIKENESS_MIN: f64 = 0.6;
/// The characters beyond which a name is like none. Comparing takes time and memory by the
/// product of both lengths, and no known name is half as long as this.
const CHARACTERS_MAX: usize = 80;

/// The known name that `name` is most like, if it is so much like it that it may be a slip.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().nth(CHARACTERS_MAX).is_some() {
        return None;
    }
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(&lower, known), known))
        .filter(|(likeness, _)| *likeness > LIKENESS_MIN)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}
