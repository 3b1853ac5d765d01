//! First names of many cultures, and which of them are words as well.

use super::letters::{folded, is_combining_mark};
use std::collections::HashMap;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization as _;

/// What a first name is besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstName {
    /// Nothing else: `mia` is a name in any case.
    Only,
    /// A word in lowercase: `max`.
    WordInLowercase,
    /// A word, also at the beginning of a sentence: `Rose`.
    Word,
    /// The name of a place or a month: `Paris`.
    Thing,
}

/// Returns what a first name is besides; none for any other word. Diacritics do not count.
pub(super) fn first_name(word: &str) -> Option<FirstName> {
    let plain: String = word.nfd().filter(|c| !is_combining_mark(*c)).collect();
    FIRST_NAMES.get(folded(&plain).as_str()).copied()
}

static FIRST_NAMES: LazyLock<HashMap<&str, FirstName>> = LazyLock::new(|| {
    let lists = [
        (include_str!("first_names.txt"), FirstName::Only),
        (WORDS_IN_LOWERCASE, FirstName::WordInLowercase),
        (WORDS, FirstName::Word),
        (THINGS, FirstName::Thing),
    ];
    let names = |(list, kind): (&'static str, FirstName)| {
        list.split_ascii_whitespace().map(move |name| (name, kind))
    };
    lists.into_iter().flat_map(names).collect()
});

const WORDS_IN_LOWERCASE: &str = "
    ada al ali alma ari aria aurora bailey bea beau belle bo bob carter cooper dale dee dell
    dot ed eden emery finn flint ford forrest glen graham gray grey griffin harper hart hazel
    heath ike ina ira jack jan jasmine jay jean jed jo joey jordan jude jun juno kali kay ken
    lance lane lang lee len les levi lex lou luna madison marina marlin mason maverick max mo
    moe nick nova ole olympia paisley parker pat patty petunia pip piper porter ray reed ren
    rider rin rob ross rowan ryder sawyer sid sienna sierra sky skye stan sue tad tanner
    taylor ted tia trent una uri victor viola wade walker ward wes wilder woody zen zion
";
const WORDS: &str = "
    amber angel archer ash aster basil bill bliss brandy briar candy carol charity chase clay
    clementine cliff clover coral crystal daisy dawn dean dolly drake drew ebony ember faith
    fern flora frank gene ginger grace grant harmony haven heather holly honor hope hunter iris
    ivory ivy jade jewel joy kit kitty lark laurel lily mark melody mercy miles misty noel
    olive opal patience pearl penny poppy raven river robin rocky rose rosemary ruby rusty sage
    sandy serenity sonny sunny teddy violet will willow wren
";
const THINGS: &str = "
    alexa alexandria america april asia aspen august austin autumn barbie berlin brooklyn
    carolina chad chelsea china christian claude cleveland dakota dallas denver devon easter
    england eve florence georgia holland houston india ireland israel italy january jersey july
    june kent kenya kobe lincoln london lourdes mali may mercedes milan montana nevada orlando
    paris phoenix roma roman rome sahara savanna savannah siena siri sultan summer sydney troy
    valencia valentine verona vienna virginia winter
";
