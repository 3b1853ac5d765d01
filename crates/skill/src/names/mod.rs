//! Children's names: the private list of a family, and where a string contains one of them.
//!
//! A name is never printed. A message about one says `entry #3`, and everything that is shown is
//! masked by [`Privacy`](crate::privacy::Privacy) first. Nothing here reads the list from a disk.
//!
//! # What matches a name
//!
//! A string and a name are compared in normal form (NFKC), without invisible characters and
//! diacritics, with Latin letters for those of other scripts that look like them, and also as the
//! string is rendered: without emphasis, tags and colours inside words, and with the characters that
//! HTML references, percent-encoding and the escapes of YAML, JSON and Markdown stand for, even if
//! they are encoded twice. A name matches as a whole word, and joined to others where a reader sees
//! it: in `Emma`, `emma's`, `Emmas`, `Emma-Marie`, `_Emma_`, `Emma_plan.md`, `Emma2019`, `EmmaPlan`,
//! `emmaAndZoe`, and not in `Emmaus`. The words of a longer name may be joined, too: `AnnaLena`,
//! `annalena`, `anna.lena`, `Anna+Lena`, `anna/lena`, `Anna:Lena`; and markup or the sign of a
//! quotation may be between them: `**Anna** Lena`. Any case matches, except for a name that is a
//! common word: its first letter must be uppercase, or all of them, and no digit and no other word
//! may touch it, unless its line in the list begins with `~`. Then `MAX_RETRIES` and `MaxRetries` are
//! constants, and `Don't` is not the name Don.
//!
//! One search decides what is reported and what is masked: the same is, except that a common word
//! that is joined to others (`MaxRetries`) is only masked in sentences. In the names of files,
//! skills and inputs, it is reported as well.
//!
//! Chinese, Japanese, Korean and the scripts of South-East Asia do not separate words, or not from
//! their particles, so that a name in them matches wherever its characters follow each other.

mod answer;
mod common_words;
mod english;
mod entry;
mod famous;
mod first_names;
mod index;
mod letters;
mod likely;
mod list;
mod lookalikes;
mod markup;
mod normal;
mod ordinary;
mod passages;
mod roster;
mod scan;
mod words;

pub use answer::AnswerKind;
pub use likely::{LikelyName, is_name, is_word, likely_names};
pub use list::{
    AddOutcome, CHARACTERS_MAX, Case, LETTERS_MIN, LIST_BYTES_MAX, List, ListProblem, NAMES_MAX,
    Name, NameError,
};
pub use lookalikes::lookalike_word;
pub use ordinary::is_endearing;
pub use roster::{Hit, Roster, Scope};

/// The help for a child's name in the prompt.
pub const HELP_IN_PROMPT: &str = "write `{{input.child_name}}` and declare that input, so that \
                                     each family fills in its own";
/// The help for a child's name in other sentences, in which nothing is filled in.
pub const HELP_IN_PROSE: &str = "write \"the child\" here; in the steps, \
                                    `{{input.child_name}}` is filled with the name at each run, \
                                    when `child_name` is an input";
/// The help for a child's name in the name of a skill, an input, a file or a directory.
pub const HELP_IN_NAMES: &str = "name it after its purpose; the name is published with the skill";
