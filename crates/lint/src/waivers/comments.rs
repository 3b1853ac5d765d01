//! Waiver comments in the files of a skill.
//!
//! `<!-- dibber: allow RULE — reason -->` in Markdown covers lines of its file, and
//! `# dibber: allow RULE — reason` in the frontmatter, in `sprout.yaml` or in `skill.toml` the whole
//! skill.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::cover::{Coverage, LineRange};
use super::directive::{self, Directive, MARK};
use super::yaml_comment::ParsedYaml;
use crate::rule::Check;
use crate::rules::delegated::{MALFORMED_WAIVER, UNUSED_WAIVER};
use crate::rules::rule;
use dibber_skill::diagnostic::{Finding, Place, RuleMeta};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::protocol;
use dibber_skill::skill::{self, Markdown, PROTOCOL_FILE_NAME, Resource, Skill};
use dibber_text::{Message, Source, Span, message, quote};

/// The maximum number of waiver comments of one skill that are read.
const COMMENTS_MAX: usize = 200;

static MARK_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));
static COMMENT_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-->"));

/// The waiver comments of one skill.
#[derive(Debug, Default)]
pub(crate) struct WaiverComments {
    waivers: Vec<CommentWaiver>,
    read: usize,
    /// The problems of comments: findings of `malformed-waiver`.
    pub(crate) problems: Vec<Finding>,
}

/// One rule in one comment.
#[derive(Debug)]
struct CommentWaiver {
    rule: &'static RuleMeta,
    file: WaiverFile,
    /// The span of the rule's name.
    span: Span,
    cover: Cover,
    usage: Usage,
}

/// A file of the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaiverFile {
    Skill,
    Resource(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    WholeSkill,
    Lines(LineRange),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usage {
    Unused,
    Used,
}

impl WaiverComments {
    /// Reads the comments. For a skill without any, the cost is one search through its text.
    pub(crate) fn read(skill: &Skill) -> Self {
        let mut comments = Self::default();
        let marks = marks(skill.source.text());
        let (in_frontmatter, in_body) =
            marks.split_at(marks.partition_point(|&at| at < skill.body.start));
        if !in_frontmatter.is_empty() {
            comments.read_yaml(
                &ParsedYaml::of_frontmatter(skill),
                WaiverFile::Skill,
                in_frontmatter,
            );
        }
        if !in_body.is_empty() {
            comments.read_markdown(&skill.source, WaiverFile::Skill, skill.markdown(), in_body);
        }
        for (index, resource) in skill.resources.iter().enumerate() {
            if resource.path == MANIFEST_FILE_NAME {
                comments.read_manifest(index, resource);
            } else if resource.path == PROTOCOL_FILE_NAME {
                comments.read_toml(index, resource);
            } else if is_markdown(resource) {
                comments.read_resource(index, resource);
            }
        }
        comments
    }

    /// Returns `true` if a comment covers the finding, and marks each comment that does as used.
    pub(crate) fn cover(&mut self, skill: &Skill, finding: &Finding) -> bool {
        if self.waivers.is_empty() {
            return false;
        }
        let at = match finding.place {
            Place::SkillFile(span) => {
                Some((WaiverFile::Skill, skill.source.lines().line(span.start)))
            }
            Place::Resource(index, span) => {
                let line = skill.resources[index].source.lines().line(span.start);
                Some((WaiverFile::Resource(index), line))
            }
            Place::File(_) => None,
        };
        let mut is_covered = false;
        for waiver in &mut self.waivers {
            let covers = match (waiver.cover, at) {
                (Cover::WholeSkill, _) => true,
                (Cover::Lines(lines), Some((file, line))) => {
                    waiver.file == file && lines.contains(line)
                }
                (Cover::Lines(_), None) => false,
            };
            // Rules are statics, so their address identifies them.
            if covers && std::ptr::eq(waiver.rule, finding.rule) {
                waiver.usage = Usage::Used;
                is_covered = true;
            }
        }
        is_covered
    }

    /// Returns the comments that covered nothing, as findings of `unused-waiver`.
    ///
    /// `has_run` returns `true` if a rule ran on the file of a place. Rules that compare several
    /// skills have not run yet at this point, so their waivers are never reported.
    pub(crate) fn unused(&self, has_run: impl Fn(&RuleMeta, &Place) -> bool) -> Vec<Finding> {
        let unused = self.waivers.iter().filter(|waiver| waiver.usage == Usage::Unused);
        unused
            .filter(|waiver| {
                let check = rule(waiver.rule.id).map(|rule| rule.check);
                let runs_here = check.is_some_and(|check| !matches!(check, Check::Runner));
                runs_here && has_run(waiver.rule, &waiver.place())
            })
            .map(CommentWaiver::unused)
            .collect()
    }

    fn read_yaml(&mut self, yaml: &ParsedYaml<'_>, file: WaiverFile, marks: &[usize]) {
        for &mark in marks {
            let Some(comment) = yaml.comment_at(mark) else { continue };
            let text = yaml.source.slice(Span::new(mark + MARK.len(), comment.end));
            let directive = directive::parse(text, mark + MARK.len());
            if !self.add(file, comment, directive, Cover::WholeSkill) {
                return;
            }
        }
    }

    fn read_manifest(&mut self, index: usize, resource: &Resource) {
        let marks = marks(resource.source.text());
        if !marks.is_empty() {
            let (root, faults) = skill::parse_yaml(resource.source.text());
            let yaml =
                ParsedYaml { source: &resource.source, root: root.as_ref(), faults: &faults };
            self.read_yaml(&yaml, WaiverFile::Resource(index), &marks);
        }
    }

    fn read_toml(&mut self, index: usize, resource: &Resource) {
        let file = WaiverFile::Resource(index);
        for (comment, mark) in protocol::comments(&resource.source, MARK) {
            let text = resource.source.slice(Span::new(mark + MARK.len(), comment.end));
            let directive = directive::parse(text, mark + MARK.len());
            if !self.add(file, comment, directive, Cover::WholeSkill) {
                return;
            }
        }
    }

    fn read_resource(&mut self, index: usize, resource: &Resource) {
        let source = &resource.source;
        let marks = marks(source.text());
        if !marks.is_empty() {
            self.read_markdown(source, WaiverFile::Resource(index), resource.markdown(), &marks);
        }
    }

    fn read_markdown(
        &mut self,
        source: &Source,
        file: WaiverFile,
        markdown: &Markdown,
        marks: &[usize],
    ) {
        let text = source.text();
        let mut found = Vec::new();
        for &mark in marks {
            let Some(start) = html_comment_start(text, mark) else { continue };
            // One more than the limit is stored, so that `add` can report the first that is ignored.
            if markdown.is_code(start) || found.len() > COMMENTS_MAX {
                continue;
            }
            let after = mark + MARK.len();
            let end = COMMENT_END.find(&text.as_bytes()[after..]).map(|length| after + length);
            found.push((start, after, end));
        }
        // From the last comment to the first: what a comment covers may depend on the next one,
        // and each block is then scanned only once, however many comments precede it.
        let mut coverage = Coverage::new(source, markdown);
        let mut covers: Vec<_> = found
            .iter()
            .rev()
            .map(|&(start, _, end)| {
                let end = end.map_or(text.len(), |end| end + "-->".len());
                coverage.lines_of(Span::new(start, end))
            })
            .collect();
        covers.reverse();
        for ((start, after, end), lines) in found.into_iter().zip(covers) {
            let (span, directive) = match end {
                Some(end) => {
                    let span = Span::new(start, end + "-->".len());
                    (span, directive::parse(&text[after..end], after))
                }
                None => (Span::new(start, after), directive::unclosed_comment()),
            };
            if !self.add(file, span, directive, Cover::Lines(lines)) {
                return;
            }
        }
    }

    /// Adds a comment; returns `false` once the limit is reached.
    fn add(&mut self, file: WaiverFile, comment: Span, directive: Directive, cover: Cover) -> bool {
        self.read += 1;
        if self.read > COMMENTS_MAX {
            if self.read == COMMENTS_MAX + 1 {
                let message = message!["the skill has more than ", COMMENTS_MAX, " waivers"];
                let help = "this and later ones are ignored; waive whole files in `dibber.toml`";
                self.problems.push(malformed(file, comment, message).help(help));
            }
            return false;
        }
        for problem in directive.problems {
            let problem = problem.map_place(|span| span.unwrap_or(comment));
            let place = file.place(problem.place);
            self.problems.push(Finding::of_problem(&MALFORMED_WAIVER.meta, place, problem));
        }
        for (rule, span) in directive.rules {
            self.waivers.push(CommentWaiver { rule, file, span, cover, usage: Usage::Unused });
        }
        true
    }
}

impl CommentWaiver {
    fn place(&self) -> Place {
        self.file.place(self.span)
    }

    fn unused(&self) -> Finding {
        let id = self.rule.id;
        let (message, help) = match self.cover {
            Cover::WholeSkill => (
                message!["the waiver of `", id, "` covers no finding in this skill"],
                "remove the comment, or the rule from it",
            ),
            Cover::Lines(lines) => (
                message![
                    "the waiver of `",
                    id,
                    "` covers no finding in ",
                    quote(&lines.to_string())
                ],
                "remove the comment, or move it directly above the finding",
            ),
        };
        Finding::at(&UNUSED_WAIVER.meta, self.place(), message).help(help)
    }
}

impl WaiverFile {
    fn place(self, span: Span) -> Place {
        match self {
            Self::Skill => Place::SkillFile(span),
            Self::Resource(index) => Place::Resource(index, span),
        }
    }
}

fn malformed(file: WaiverFile, span: Span, message: Message) -> Finding {
    Finding::at(&MALFORMED_WAIVER.meta, file.place(span), message)
}

fn marks(text: &str) -> Vec<usize> {
    MARK_FINDER.find_iter(text.as_bytes()).collect()
}

fn is_markdown(resource: &Resource) -> bool {
    let extension = resource.path.rsplit_once('.').map_or("", |(_, extension)| extension);
    ["md", "markdown", "mdx"].iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Returns the start of the `<!--` directly before the mark, unless a backslash escapes it.
fn html_comment_start(text: &str, mark: usize) -> Option<usize> {
    let before = text[..mark].trim_end().strip_suffix("<!--")?;
    (!before.ends_with('\\')).then_some(before.len())
}
