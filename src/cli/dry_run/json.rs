//! `dibber dry-run --json`: what a server would answer, for each skill.
//!
//! The shape is frozen by [`VERSION`] and described by `schemas/dry-run.schema.json`. The
//! names inside a draft are those of the contract.

use serde::Serialize;

use super::review::Review;
use dibber_lint::report::{HeldProblems, Position, Problem, write_json_element};
use dibber_skill::contract::{PolicyDecision, SkillPreview};
use dibber_skill::diagnostic::Diagnostic;
use dibber_text::LineColumn;

/// The version of the shape, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 2;

/// The JSON document while it is written: each draft at once, the problems at the end.
#[derive(Default)]
pub(super) struct Json {
    position: Position,
    problems: HeldProblems,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DraftV1<'a> {
    path: &'a str,
    preview_skill: Option<&'a SkillPreview>,
    policy_decision: &'a PolicyDecision,
    spec_hash: Option<String>,
    next_step: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rendered_prompt: Option<&'a str>,
    faults: Vec<FaultV1<'a>>,
    /// What keeps its heartbeats from being set.
    heartbeat_faults: Vec<FaultV1<'a>>,
    /// The files that are not published, except those for people.
    unpublished_files: &'a [String],
}

#[derive(Serialize)]
struct FaultV1<'a> {
    rule: &'a str,
    path: &'a str,
    start: Option<PointV1>,
    end: Option<PointV1>,
    message: &'a str,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct PointV1 {
    line: usize,
    column: usize,
}

impl Json {
    /// Starts the object.
    pub(super) fn begin(out: &mut Vec<u8>) {
        out.extend_from_slice(format!("{{\"version\":{VERSION},\"items\":[").as_bytes());
    }

    /// Adds a draft that [`draft`] has written.
    pub(super) fn draft(&mut self, draft: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(match self.position.advance() {
            Position::First => b"\n",
            Position::Later => b",\n",
        });
        out.extend_from_slice(draft);
    }

    /// Keeps a path that could not be looked at for the end.
    pub(super) fn problem(&mut self, problem: &Problem) {
        self.problems.push(problem);
    }

    /// Ends the object.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"\n],\"problems\":[");
        let mut position = Position::First;
        for problem in self.problems.take() {
            write_json_element(&problem, position.advance(), out);
        }
        out.extend_from_slice(b"\n]}\n");
    }
}

/// Writes one draft.
pub(super) fn draft(review: &Review, rendered: Option<&str>) -> Vec<u8> {
    let draft = DraftV1 {
        path: &review.path,
        preview_skill: review.preview.as_ref(),
        policy_decision: &review.decision,
        spec_hash: review.hash.map(|hash| hash.to_string()),
        next_step: &review.next_step,
        rendered_prompt: rendered,
        faults: review.faults.iter().map(fault_v1).collect(),
        heartbeat_faults: review.heartbeat_faults.iter().map(fault_v1).collect(),
        unpublished_files: &review.unpublished,
    };
    let mut out = Vec::new();
    dibber_lint::report::write_json(&draft, &mut out);
    out
}

fn fault_v1(fault: &Diagnostic) -> FaultV1<'_> {
    let range = fault.range.as_ref();
    FaultV1 {
        rule: fault.rule.id,
        path: &fault.path,
        start: range.map(|range| point_v1(range.start)),
        end: range.map(|range| point_v1(range.end)),
        message: &fault.message,
        help: fault.help.as_deref(),
    }
}

const fn point_v1(at: LineColumn) -> PointV1 {
    PointV1 { line: at.line, column: at.column }
}
