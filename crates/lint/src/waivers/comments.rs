//! Waiver comments in the files of a skill.
//!
//! `<!-- dibber: allow RULE — reason -->` in Markdown covers lines of its file, and
//! `# dibber: allow RULE — reason` in the frontmatter or in `sprout.yaml` the whole skill.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::cover::{Coverage, Lines};
use super::directive::{self, Directive, MARK};
use super::yaml_comment::Yaml;
use crate::rule::Check;
use crate::rules::delegated::{MALFORMED_WAIVER, UNUSED_WAIVER};
use crate::rules::rule;
use dibber_skill::diagnostic::{Finding, Place, RuleMeta};
use dibber_skill::manifest::MANIFEST_FILE_NAME;
use dibber_skill::skill::{self, Markdown, Resource, Skill};
use dibber_text::{Source, Span};

/// The most waiver comments of one skill that are read.
const COMMENTS_MAX: usize = 200;

static MARK_FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));
static COMMENT_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-->"));

/// The waiver comments of one skill.
#[derive(Debug, Default)]
pub(crate) struct Comments {
    waivers: Vec<Waiver>,
    read: usize,
    /// What is wrong with comments: findings of `malformed-waiver`.
    pub(crate) faults: Vec<Finding>,
}

/// One rule in one comment.
#[derive(Debug)]
struct Waiver {
    rule: &'static RuleMeta,
    file: File,
    /// Where the rule is named.
    span: Span,
    cover: Cover,
    usage: Usage,
}

/// A file of the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum File {
    Skill,
    Resource(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cover {
    WholeSkill,
    Lines(Lines),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Usage {
    Unused,
    Used,
}

impl Comments {
    /// Reads the comments; a skill without any costs one search through its text.
    pub(crate) fn read(skill: &Skill) -> Self {
        let mut comments = Self::default();
        let marks = marks(skill.source.text());
        let (in_frontmatter, in_body) =
            marks.split_at(marks.partition_point(|&at| at < skill.body.start));
        if !in_frontmatter.is_empty() {
            comments.read_yaml(&Yaml::of_frontmatter(skill), File::Skill, in_frontmatter);
        }
        if !in_body.is_empty() {
            comments.read_markdown(&skill.source, File::Skill, skill.markdown(), in_body);
        }
        for (index, resource) in skill.resources.iter().enumerate() {
            if resource.path == MANIFEST_FILE_NAME {
                comments.read_manifest(index, resource);
            } else if is_markdown(resource) {
                comments.read_resource(index, resource);
            }
        }
        comments
    }

    /// Tells whether a comment covers the finding; each that does is a used one from then on.
    pub(crate) fn cover(&mut self, skill: &Skill, finding: &Finding) -> bool {
        if self.waivers.is_empty() {
            return false;
        }
        let at = match finding.place {
            Place::SkillFile(span) => Some((File::Skill, skill.source.lines().line(span.start))),
            Place::Resource(index, span) => {
                let line = skill.resources[index].source.lines().line(span.start);
                Some((File::Resource(index), line))
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
            if covers && std::ptr::eq(waiver.rule, finding.rule) {
                waiver.usage = Usage::Used;
                is_covered = true;
            }
        }
        is_covered
    }

    /// The comments that covered nothing, as findings of `unused-waiver`.
    ///
    /// `has_run` tells whether a rule ran over the file of that place. A rule that takes more
    /// than one skill has not run yet when this is asked, so its waivers are never in the list.
    pub(crate) fn unused(&self, has_run: impl Fn(&RuleMeta, &Place) -> bool) -> Vec<Finding> {
        let unused = self.waivers.iter().filter(|waiver| waiver.usage == Usage::Unused);
        unused
            .filter(|waiver| {
                let check = rule(waiver.rule.id).map(|rule| rule.check);
                let runs_here = matches!(
                    check,
                    Some(
                        Check::Skill(_)
                            | Check::Manifest(_)
                            | Check::Draft(_)
                            | Check::Heartbeat(_)
                            | Check::Names(_)
                    )
                );
                runs_here && has_run(waiver.rule, &waiver.place())
            })
            .map(Waiver::unused)
            .collect()
    }

    fn read_yaml(&mut self, yaml: &Yaml<'_>, file: File, marks: &[usize]) {
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
            let yaml = Yaml { source: &resource.source, root: root.as_ref(), faults: &faults };
            self.read_yaml(&yaml, File::Resource(index), &marks);
        }
    }

    fn read_resource(&mut self, index: usize, resource: &Resource) {
        let source = &resource.source;
        let marks = marks(source.text());
        if !marks.is_empty() {
            self.read_markdown(source, File::Resource(index), resource.markdown(), &marks);
        }
    }

    fn read_markdown(&mut self, source: &Source, file: File, markdown: &Markdown, marks: &[usize]) {
        let text = source.text();
        let mut found = Vec::new();
        for &mark in marks {
            let Some(start) = html_comment_start(text, mark) else { continue };
            if markdown.is_code(start) || found.len() > COMMENTS_MAX {
                continue;
            }
            let behind = mark + MARK.len();
            let end = COMMENT_END.find(&text.as_bytes()[behind..]).map(|length| behind + length);
            found.push((start, behind, end));
        }
        let mut coverage = Coverage::new(source, markdown);
        let mut covers: Vec<_> = found
            .iter()
            .rev()
            .map(|&(start, _, end)| {
                let end = end.map_or(text.len(), |end| end + "-->".len());
                coverage.of(Span::new(start, end))
            })
            .collect();
        covers.reverse();
        for ((start, behind, end), lines) in found.into_iter().zip(covers) {
            let (span, directive) = match end {
                Some(end) => {
                    let span = Span::new(start, end + "-->".len());
                    (span, directive::parse(&text[behind..end], behind))
                }
                None => (Span::new(start, behind), directive::unclosed()),
            };
            if !self.add(file, span, directive, Cover::Lines(lines)) {
                return;
            }
        }
    }

    /// Adds a comment; tells whether there may be more.
    fn add(&mut self, file: File, comment: Span, directive: Directive, cover: Cover) -> bool {
        self.read += 1;
        if self.read > COMMENTS_MAX {
            if self.read == COMMENTS_MAX + 1 {
                let message = format!("the skill has more than {COMMENTS_MAX} waivers");
                let help = "from here on they are not read; waive whole files in `dibber.toml`";
                self.faults.push(malformed(file, comment, message).help(help));
            }
            return false;
        }
        for fault in directive.faults {
            let span = fault.span.unwrap_or(comment);
            self.faults.push(malformed(file, span, fault.message).help(fault.help));
        }
        for (rule, span) in directive.rules {
            self.waivers.push(Waiver { rule, file, span, cover, usage: Usage::Unused });
        }
        true
    }
}

impl Waiver {
    fn place(&self) -> Place {
        self.file.place(self.span)
    }

    fn unused(&self) -> Finding {
        let id = self.rule.id;
        let (message, help) = match self.cover {
            Cover::WholeSkill => (
                format!("`{id}` finds nothing in this skill that could be waived"),
                "remove the comment, or the rule's name from it",
            ),
            Cover::Lines(lines) => (
                format!("`{id}` finds nothing in {lines} that could be waived"),
                "remove the comment, or put it directly above what is to be waived",
            ),
        };
        Finding::at(&UNUSED_WAIVER.meta, self.place(), message).help(help)
    }
}

impl File {
    fn place(self, span: Span) -> Place {
        match self {
            Self::Skill => Place::SkillFile(span),
            Self::Resource(index) => Place::Resource(index, span),
        }
    }
}

fn malformed(file: File, span: Span, message: String) -> Finding {
    Finding::at(&MALFORMED_WAIVER.meta, file.place(span), message)
}

fn marks(text: &str) -> Vec<usize> {
    MARK_FINDER.find_iter(text.as_bytes()).collect()
}

fn is_markdown(resource: &Resource) -> bool {
    let ending = resource.path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ["md", "markdown", "mdx"].iter().any(|known| known.eq_ignore_ascii_case(ending))
}

/// The `<!--` that the mark stands directly behind, unless a backslash takes its meaning away.
fn html_comment_start(text: &str, mark: usize) -> Option<usize> {
    let before = text[..mark].trim_end().strip_suffix("<!--")?;
    (!before.ends_with('\\')).then_some(before.len())
}
