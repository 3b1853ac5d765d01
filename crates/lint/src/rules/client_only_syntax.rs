//! `client-only-syntax`: the body has a placeholder that only Claude Code replaces.

use memchr::memmem;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{Message, Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "client-only-syntax",
        group: Group::Portability,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the body has a placeholder that only Claude Code replaces",
        docs: include_str!("client_only_syntax.md"),
    },
    check: Check::Skill(check),
};

/// The variables that are searched for literally, and the help for each.
const VARIABLES: [(&str, &str); 5] = [
    ("$ARGUMENTS", "describe in words what the model should take from the request"),
    ("${CLAUDE_SKILL_DIR}", "write the path relative to the skill, as in `scripts/run.py`"),
    ("${CLAUDE_PLUGIN_ROOT}", "write the path relative to the skill, as in `scripts/run.py`"),
    ("${CLAUDE_SESSION_ID}", "remove it, or let the model choose an id"),
    ("${CLAUDE_EFFORT}", "remove it"),
];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let body = skill.body_text().as_bytes();
    if memchr::memchr2(b'$', b'!', body).is_none() {
        return;
    }
    let mut takes_arguments =
        skill.field("arguments").is_some() || skill.field("argument-hint").is_some();
    for (variable, help) in VARIABLES {
        let places: Vec<usize> = memmem::find_iter(body, variable)
            .filter(|at| !continues_word(body, at + variable.len()))
            .collect();
        takes_arguments |= variable == "$ARGUMENTS" && !places.is_empty();
        findings.extend(finding(
            skill,
            message!["`", variable, "` is replaced"],
            variable.len(),
            &places,
            help,
        ));
    }
    if takes_arguments {
        let places = positions(skill, b'$', is_positional);
        let help = "describe in words what the model should take from the request";
        findings.extend(finding(skill, "an argument such as `$1` is replaced", 2, &places, help));
    }
    let places = positions(skill, b'!', is_injection);
    let help = "tell the model to run the command, and how to use its output";
    findings.extend(finding(skill, "a command in ``!`…` `` is run", 2, &places, help));
}

fn finding(
    skill: &Skill,
    what: impl Into<Message>,
    length: usize,
    places: &[usize],
    help: &'static str,
) -> Option<Finding> {
    let first = skill.body.start + places.first()?;
    let count = match places.len() {
        1 => Message::default(),
        count => message![" (", count, " places)"],
    };
    let message = message![what.into(), " only by Claude Code", count];
    Some(Finding::new(&RULE.meta, Span::new(first, first + length), message).help(help))
}

fn continues_word(body: &[u8], at: usize) -> bool {
    body.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// The positions in the body that begin with the byte `first`, pass `test`, and are not examples
/// in code. Inside code, only a span that is exactly `$1` counts.
fn positions(skill: &Skill, first: u8, test: fn(&[u8], usize) -> bool) -> Vec<usize> {
    let body = skill.body_text().as_bytes();
    memchr::memchr_iter(first, body)
        .filter(|&at| test(body, at) && !is_example(skill, at + skill.body.start))
        .collect()
}

fn is_example(skill: &Skill, at: usize) -> bool {
    let code = &skill.markdown().code;
    let next = code.partition_point(|span| span.start <= at);
    let is_argument = |span: Span| skill.source.slice(span).trim_matches('`').len() == 2;
    next > 0 && code[next - 1].contains(at) && !is_argument(code[next - 1])
}

/// Returns `true` at `$1` to `$9`, but not at a price such as `$1.50` or `$5M`.
fn is_positional(body: &[u8], at: usize) -> bool {
    let is_digit = |at: usize| body.get(at).is_some_and(u8::is_ascii_digit);
    let is_number = matches!(body.get(at + 2), Some(b'.' | b',')) && is_digit(at + 3);
    let follows_word = at > 0 && (continues_word(body, at - 1) || body[at - 1] == b'\\');
    is_digit(at + 1)
        && body[at + 1] != b'0'
        && !continues_word(body, at + 2)
        && !is_number
        && !follows_word
}

/// Returns `true` at an exclamation mark that begins a word and is followed by a command in
/// backticks.
fn is_injection(body: &[u8], at: usize) -> bool {
    let starts_word = at == 0 || body[at - 1].is_ascii_whitespace();
    let is_opened = body.get(at + 1) == Some(&b'`')
        && !matches!(body.get(at + 2), None | Some(b'`' | b'\n' | b'\r'));
    let closes = || memchr::memchr2(b'`', b'\n', &body[at + 2..]);
    starts_word && is_opened && closes().is_some_and(|length| body[at + 2 + length] == b'`')
}
