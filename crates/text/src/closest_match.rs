//! The known name that is most similar to an unknown one.

/// The least similarity, from 0 to 1, at which one name is taken as a typing error of the other.
const SIMILARITY_MIN: f64 = 0.6;
/// The most characters of a name that is compared. Comparing takes time and memory proportional
/// to the product of both lengths, and no known name is half as long as this.
const CHARACTERS_MAX: usize = 80;

/// Returns the known name that is most similar to `name`, if it is similar enough for `name` to
/// be a typing error.
pub fn closest_match<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.chars().nth(CHARACTERS_MAX).is_some() {
        return None;
    }
    let lowercase = name.to_lowercase();
    known
        .into_iter()
        .map(|known| (strsim::normalized_damerau_levenshtein(&lowercase, known), known))
        .filter(|(similarity, _)| *similarity > SIMILARITY_MIN)
        // Of words that are equally close, swapped letters are more likely than other letters.
        .max_by(|(one, a), (other, b)| {
            let is_swapped = |known| letters(known) == letters(&lowercase);
            one.total_cmp(other).then_with(|| is_swapped(a).cmp(&is_swapped(b)))
        })
        .map(|(_, known)| known)
}

/// Returns the letters of a word in the order of the alphabet.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}
