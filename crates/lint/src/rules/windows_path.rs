//! `windows-path`: a path into the skill has backslashes.

use crate::files::context::before_and_after;
use crate::files::links::{self, SkillPage};
use crate::files::mentions::words_with;
use crate::files::paths;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Bundle, Skill};
use dibber_text::{Span, message, quote};

/// Strings that show that a line is about Windows, where such a path is correct.
const WINDOWS_WORDS: [&str; 5] = ["Windows", "windows", "PowerShell", "powershell", "cmd"];
/// Extensions of files that run only on Windows.
const WINDOWS_ENDINGS: [&str; 4] = [".bat", ".cmd", ".ps1", ".exe"];
/// Languages of code blocks for Windows.
const WINDOWS_LANGUAGES: [&str; 8] =
    ["powershell", "pwsh", "ps1", "cmd", "bat", "batch", "dosbatch", "dos"];

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "windows-path",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "a path into the skill has backslashes",
        docs: include_str!("windows_path.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 {
        return;
    }
    for page in links::pages(skill) {
        let body = page.body();
        let text = page.source().slice(body);
        for word in words_with(b'\\', text, |_| true) {
            let Some(path) = path_in(&skill.bundle, text, word) else { continue };
            let span = path.shift(body.start);
            let written = &text[path.range()];
            if !is_for_windows(page, span, written) {
                findings.push(finding(page, span, written));
            }
        }
    }
}

fn finding(page: SkillPage<'_>, span: Span, written: &str) -> Finding {
    let right = written.replace('\\', "/");
    let message = message!["`", quote(written), "` is a valid path only on Windows"];
    let help =
        message!["write `", quote(&right).derived_from(written), "`, which works everywhere"];
    let finding = Finding::at(&RULE.meta, page.place(span), message).help(help);
    if page.is_skill_file() {
        finding.fix(Applicability::Safe, "Write the path with slashes", span, right)
    } else {
        finding
    }
}

/// Returns the part of a word that is a path in the skill with backslashes.
fn path_in(bundle: &Bundle, text: &str, word: Span) -> Option<Span> {
    let written = &text[word.range()];
    let trimmed = written.trim_start_matches(['*', '@']);
    let start = word.start + (written.len() - trimmed.len());
    let trimmed = trimmed.trim_end_matches(['.', ':', '*', '!', '?', '\\']);
    let is_plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'/' | b'\\')
    };
    if !trimmed.contains('\\') || !trimmed.bytes().all(is_plain) {
        return None;
    }
    let path = paths::join("", &trimmed.replace('\\', "/"))?;
    // A directory alone could be an escape: `\d` in a skill with a directory `d`.
    let exists =
        path.contains('/') && (bundle.is_regular(&path).is_some() || bundle.has_directory(&path));
    let starts_here = !trimmed.starts_with(['\\', '/']);
    (exists && starts_here).then(|| Span::new(start, start + trimmed.len()))
}

fn is_for_windows(page: SkillPage<'_>, span: Span, written: &str) -> bool {
    let (before, after) = before_and_after(page.source().text(), span);
    let has = |word: &&str| before.contains(*word) || after.contains(*word);
    WINDOWS_ENDINGS.iter().any(|ending| written.ends_with(ending))
        || WINDOWS_WORDS.iter().any(has)
        || language_at(page, span.start).is_some_and(|language| {
            WINDOWS_LANGUAGES.iter().any(|l| l.eq_ignore_ascii_case(language))
        })
}

/// Returns the language of the code block around a byte.
fn language_at(page: SkillPage<'_>, at: usize) -> Option<&str> {
    let code = &page.markdown().code;
    let next = code.partition_point(|span| span.start <= at);
    let block = code[..next].last().filter(|span| span.contains(at))?;
    let block = page.source().slice(*block);
    let info = block.trim_start_matches(['`', '~']);
    (info.len() + 3 <= block.len()).then(|| info.split_whitespace().next().unwrap_or_default())
}
