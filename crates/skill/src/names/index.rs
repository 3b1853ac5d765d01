//! All names by their first word, with filters that quickly reject other words.
//!
//! Most words of prose are not names. Three bit sets reject nearly all of them without a hash or
//! an allocation: by the first three letters, by the first two bytes of what is not ASCII,
//! and by a hash of the whole word. Bits may be set wrongly, never missing, so what passes is
//! looked up in the map.

use std::collections::HashMap;

use super::entry::{NameEntry, WordBoundary};
use super::letters::{folded_within, is_unspaced};

/// The number of bits of the hash of a word.
const WORD_BITS: u32 = 16;
/// The number of letters of a word that are hashed.
const WORD_LETTERS: usize = 8;

/// The names by their beginning.
#[derive(Clone, Default)]
pub(super) struct NameIndex {
    entries: Vec<NameEntry>,
    /// The names that begin with a word, by the folded word; the longest first.
    by_word: HashMap<String, Vec<usize>>,
    /// The same for scripts without spaces, by the first character.
    by_character: HashMap<char, Vec<usize>>,
    /// For three ASCII letters, whether a name may begin with them.
    plain: Bits,
    /// The same for the first two bytes of a character that is not ASCII.
    wide: Bits,
    /// For an ASCII word, by its hash, whether a name may begin with it.
    words: Bits,
    pub(super) starts: Starts,
    /// The most bytes that the first word of a name can have in a string.
    pub(super) word_bytes_max: usize,
    /// The same for a whole name.
    pub(super) name_bytes_max: usize,
}

/// What a name in sentences can begin with.
#[derive(Clone, Copy, Default)]
pub(super) struct Starts {
    /// A lowercase ASCII letter.
    pub(super) lowercase: bool,
    /// A character that is not ASCII: the lowest and the highest first byte of these.
    pub(super) wide: Option<(u8, u8)>,
}

#[derive(Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn new() -> Self {
        Self(vec![0; 1 << (WORD_BITS - 6)])
    }

    fn set(&mut self, bit: usize) {
        self.0[bit >> 6] |= 1 << (bit & 63);
    }

    fn has(&self, bit: usize) -> bool {
        self.0[bit >> 6] >> (bit & 63) & 1 == 1
    }
}

impl NameIndex {
    pub(super) fn new(entries: Vec<NameEntry>) -> Self {
        let (plain, wide, words) = (Bits::new(), Bits::new(), Bits::new());
        let mut index = Self { entries, plain, wide, words, ..Self::default() };
        for number in 0..index.entries.len() {
            index.add(number);
        }
        let entries = &index.entries;
        let longest_first = |numbers: &mut Vec<usize>| {
            numbers.sort_by_key(|number| std::cmp::Reverse(entries[*number].words.len()));
        };
        index.by_word.values_mut().for_each(longest_first);
        index.by_character.values_mut().for_each(longest_first);
        index
    }

    fn add(&mut self, number: usize) {
        self.name_bytes_max = self.name_bytes_max.max(self.entries[number].bytes_max());
        let word = self.entries[number].words[0].folded.clone();
        let Some(character) = word.chars().next() else { return };
        self.add_first_bytes(number);
        let first = &self.entries[number].words[0];
        if first.is_unspaced {
            self.by_character.entry(character).or_default().push(number);
            return;
        }
        // No letter has more than twice the bytes of what it folds to. One more is for the `s` of a
        // plural or a genitive.
        self.word_bytes_max = self.word_bytes_max.max(2 * word.len() + 1);
        if word.is_ascii() {
            self.words.set(word_bit(word.as_bytes()));
        }
        self.by_word.entry(word).or_default().push(number);
    }

    /// Records the first bytes of everything that folds to the first word of a name.
    fn add_first_bytes(&mut self, number: usize) {
        let entry = &self.entries[number];
        let mut characters = entry.words[0].folded.chars();
        let Some(first) = characters.next() else { return };
        let (second, third) = (characters.next(), characters.next());
        self.starts.lowercase |= entry.ignores_case && first.is_ascii();
        let wide = first.to_uppercase().chain([first]);
        for c in wide.filter(|c| !c.is_ascii()) {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes);
            let (least, greatest) = self.starts.wide.unwrap_or((bytes[0], bytes[0]));
            self.starts.wide = Some((least.min(bytes[0]), greatest.max(bytes[0])));
            self.wide.set(wide_bit(bytes[0], bytes[1]));
        }
        let letter = |c: Option<char>| c.and_then(|c| u8::try_from(c).ok()).filter(u8::is_ascii);
        // A short word may be followed by anything, so that all bits are set for what is after it.
        let range = |letter: Option<u8>| match letter {
            Some(letter) => letter..=letter,
            None => 0..=31,
        };
        let Some(first) = letter(Some(first)) else { return };
        let (second, third) = (letter(second), second.and(letter(third)));
        let third = second.and(third);
        for second in range(second) {
            range(third).for_each(|third| self.plain.set(plain_bit([first, second, third])));
        }
    }

    /// Returns `true` if a name may begin with these bytes; those after the end of the text are 0.
    pub(super) fn may_begin(&self, bytes: [u8; 3]) -> bool {
        match bytes {
            [first, second, _] if !first.is_ascii() => self.wide.has(wide_bit(first, second)),
            [_, second, third] if !second.is_ascii() || !third.is_ascii() => true,
            _ => self.plain.has(plain_bit(bytes)),
        }
    }

    /// Returns `true` if a name may begin with this ASCII word, or with the word that it is the
    /// genitive of.
    pub(super) fn may_be_word(&self, word: &[u8]) -> bool {
        let shorter = word.strip_suffix(b"s").or(word.strip_suffix(b"S"));
        self.words.has(word_bit(word)) || shorter.is_some_and(|word| self.words.has(word_bit(word)))
    }

    /// Returns the longest name whose first word is `at..end` of the text: its end, and its index.
    pub(super) fn longest(
        &self,
        text: &str,
        at: usize,
        end: usize,
        boundary: WordBoundary,
    ) -> Option<(usize, usize)> {
        let word = &text[at..end];
        let may_be_plain = word.len() <= self.word_bytes_max && word.is_ascii();
        if may_be_plain && !self.words.has(word_bit(word.as_bytes())) {
            return None;
        }
        let numbers = self.by_word.get(&folded_within(word, self.word_bytes_max)?)?;
        self.longest_of(numbers, |entry| entry.end(text, at, end, boundary))
    }

    /// Returns the longest name that begins with the character at `at`, in a script without spaces.
    pub(super) fn longest_unspaced(
        &self,
        text: &str,
        at: usize,
        boundary: WordBoundary,
    ) -> Option<(usize, usize)> {
        if self.by_character.is_empty() {
            return None;
        }
        let first = text[at..].chars().next().filter(|c| is_unspaced(*c))?;
        let numbers = self.by_character.get(&first)?;
        self.longest_of(numbers, |entry| {
            let word = entry.words[0].folded.as_str();
            let end = text[at..].starts_with(word).then_some(at + word.len())?;
            entry.end(text, at, end, boundary)
        })
    }

    /// Returns the name with the highest end; of several, the first one of the list.
    fn longest_of(
        &self,
        numbers: &[usize],
        end: impl Fn(&NameEntry) -> Option<usize>,
    ) -> Option<(usize, usize)> {
        let ends =
            numbers.iter().filter_map(|number| Some((end(&self.entries[*number])?, *number)));
        let ends = ends.map(|(end, number)| (end, self.entries[number].index));
        ends.max_by_key(|(end, number)| (*end, std::cmp::Reverse(*number)))
    }
}

/// Returns the bit of three ASCII letters in any case.
const fn plain_bit(bytes: [u8; 3]) -> usize {
    let [first, second, third] = bytes;
    (first as usize & 31) << 10 | (second as usize & 31) << 5 | third as usize & 31
}

const fn wide_bit(first: u8, second: u8) -> usize {
    (first as usize) << 8 | second as usize
}

/// Returns the bit of an ASCII word in any case: a multiplicative hash (Knuth, TAOCP volume 3,
/// section 6.4) of its first letters and its length.
fn word_bit(word: &[u8]) -> usize {
    let letters = word.iter().take(WORD_LETTERS);
    let letters = letters.fold(0_u64, |letters, byte| letters << 8 | u64::from(byte | 0x20));
    let mixed = (letters ^ (word.len() as u64) << 58).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(mixed >> (64 - WORD_BITS)).expect("16 bits")
}

/// Returns the possible ends of the word `at..end`: its end, and the end without the `s` of a
/// plural or a genitive.
pub(super) fn word_ends(text: &str, at: usize, end: usize) -> impl Iterator<Item = usize> {
    let shorter = end
        .checked_sub(1)
        .filter(|shorter| *shorter > at && matches!(text.as_bytes()[*shorter], b's' | b'S'));
    std::iter::once(end).chain(shorter)
}
