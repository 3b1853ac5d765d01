//! The output of a run that a JSON value cannot hold as it is: a large integer, a long decimal, a
//! duplicate key, half of a surrogate pair or many levels. The run cannot be repeated to see it, so its
//! text is kept.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use dibber_text::strict_json;

/// The value in the place of the output in the rest of the answer.
const PLACEHOLDER: &str = "true";
/// The name of the result in an answer, and of the output in it.
const RESULT: &str = "result";
const OUTPUT: &str = "output";

/// The members of an object, each as it is written.
type Members<'a> = BTreeMap<Cow<'a, str>, &'a RawValue>;

/// An answer, and the output that was taken out of it.
pub(super) struct SplitAnswer {
    /// The answer with a placeholder for the output.
    pub(super) rest: Vec<u8>,
    /// The output as it is written.
    pub(super) output: String,
}

/// Takes the output out of an answer, if a JSON value would alter it, or cannot hold it.
pub(super) fn split(body: &[u8]) -> Option<SplitAnswer> {
    let mut answer: Members<'_> = serde_json::from_slice(body).ok()?;
    let mut run: Members<'_> = serde_json::from_str(answer.get(RESULT)?.get()).ok()?;
    let output = run.get(OUTPUT)?.get();
    if strict_json::is_exact(output) {
        return None;
    }
    let output = output.to_owned();
    let placeholder: &RawValue = serde_json::from_str(PLACEHOLDER).ok()?;
    run.insert(OUTPUT.into(), placeholder);
    let run = serde_json::value::to_raw_value(&run).ok()?;
    answer.insert(RESULT.into(), &run);
    Some(SplitAnswer { rest: serde_json::to_vec(&answer).ok()?, output })
}
