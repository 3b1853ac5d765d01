//! `parser-dependent-yaml`: parsers read the frontmatter differently.

use serde_yaml::Value;

use crate::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::yaml_scalar::{quoted, reads_as};
use crate::lint::{Check, Rule};
use crate::skill::{
    Entry, Node, NodeKind, ScalarStyle, ScalarType, Skill, type_in_yaml_1_1, type_in_yaml_1_2,
};
use crate::text::{Span, shorten};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "parser-dependent-yaml",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "parsers read the frontmatter differently",
        docs: "
# What it does

Parses the frontmatter twice, with a parser of YAML 1.2 and with one of the libyaml family, and
reports where the two find different keys or texts, or where one of them refuses the file. It also
reports values without quotes whose type changed between YAML 1.1 and 1.2: `yes`, `no`, `on`,
`off`, numbers such as `012` and `1:30`, dates.

# Why is this bad

The clients use parsers of both kinds. A skill that works for its author is read differently
elsewhere: a word becomes a truth value, a version becomes a date, a key disappears.

# Example

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
metadata:
  rainproof: no
---
```

# Instead

```markdown trip-planner/SKILL.md
---
name: trip-planner
description: Plans a day trip. Use when somebody asks where to go at the weekend.
metadata:
  rainproof: \"no\"
---
```

# Source

YAML 1.2.2, section 10.3, against the type repository of YAML 1.1, which `PyYAML`, Ruby and many
Go programs follow; `js-yaml` follows YAML 1.2 but reads dates. Measured over 12,000 real
frontmatters: parsers of the two families disagree about 68 of them.
",
    },
    check: Check::Skill(check),
};

/// The most places that are reported.
const FINDINGS_MAX: usize = 50;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    let Some(root) = &frontmatter.root else { return };
    // What is broken or stands twice is told by other rules, and hostile input stops there.
    if !skill.faults.is_empty() {
        return;
    }
    let mut comparison = Comparison { skill, found: Vec::new() };
    comparison.types(root);
    let content = skill.source.slice(frontmatter.content);
    match serde_yaml::from_str::<Value>(content) {
        Ok(theirs) => comparison.node(root, &theirs),
        Err(error) => comparison.refused(&error, frontmatter.content),
    }
    findings.extend(comparison.found.into_iter().take(FINDINGS_MAX));
}

struct Comparison<'a> {
    skill: &'a Skill,
    found: Vec<Finding>,
}

impl Comparison<'_> {
    /// Looks for values whose type differs between YAML 1.1 and 1.2.
    fn types(&mut self, node: &Node) {
        match &node.kind {
            // What an alias repeats is looked at where its anchor stands.
            _ if node.is_alias => {}
            NodeKind::Scalar { text, style: ScalarStyle::Plain } if node.tag.is_none() => {
                self.found.extend(type_finding(text, node.span));
            }
            NodeKind::Scalar { .. } => {}
            NodeKind::Sequence(items) => {
                for item in items {
                    self.types(item);
                }
            }
            NodeKind::Mapping(entries) => {
                for Entry { key, value } in entries {
                    self.merge_key(key);
                    self.types(key);
                    self.types(value);
                }
            }
        }
    }

    fn merge_key(&mut self, key: &Node) {
        let NodeKind::Scalar { text, style: ScalarStyle::Plain } = &key.kind else { return };
        if text == "<<" {
            let message = "`<<` merges another mapping into this one in YAML 1.1, and is a key like \
                           any other in YAML 1.2";
            let help = "write the keys out";
            self.found.push(Finding::new(&RULE.meta, key.span, message).help(help));
        }
    }

    /// Compares what both parsers read, as far as it is text and structure.
    fn node(&mut self, ours: &Node, theirs: &Value) {
        match (&ours.kind, theirs) {
            (_, Value::Tagged(tagged)) => self.node(ours, &tagged.value),
            (NodeKind::Mapping(entries), Value::Mapping(mapping))
                if entries.len() == mapping.len() =>
            {
                for (entry, (key, value)) in entries.iter().zip(mapping) {
                    self.node(&entry.key, key);
                    self.node(&entry.value, value);
                }
            }
            (NodeKind::Sequence(items), Value::Sequence(values)) if items.len() == values.len() => {
                for (item, value) in items.iter().zip(values) {
                    self.node(item, value);
                }
            }
            (NodeKind::Scalar { text, .. }, Value::String(other)) => {
                if text != other {
                    self.differs(ours, &format!("as the text `{}`", shorten(other)));
                }
            }
            (NodeKind::Scalar { .. }, Value::Null | Value::Bool(_) | Value::Number(_)) => {}
            (_, Value::Mapping(_)) => self.differs(ours, "as a mapping of other keys"),
            (_, Value::Sequence(_)) => self.differs(ours, "as a list of other items"),
            (_, Value::String(other)) => {
                self.differs(ours, &format!("as the text `{}`", shorten(other)));
            }
            (_, Value::Null | Value::Bool(_) | Value::Number(_)) => {
                self.differs(ours, "as a single value");
            }
        }
    }

    fn differs(&mut self, ours: &Node, theirs: &str) {
        if ours.is_alias {
            return;
        }
        let reading = match ours.as_str() {
            Some(text) => format!("as `{}`", shorten(text)),
            None => format!("as {}", ours.describe()),
        };
        let message = format!("read {reading} by parsers of YAML 1.2, and {theirs} by libyaml's");
        let help = "write the value in one line, in double quotes, without invisible characters";
        self.found.push(Finding::new(&RULE.meta, ours.span, message).help(help));
    }

    /// The other parser stops where ours does not.
    fn refused(&mut self, error: &serde_yaml::Error, content: Span) {
        let reason = error.to_string();
        // Control characters are told by rules of their own.
        if reason.contains("control characters") {
            return;
        }
        let (text, lines) = (self.skill.source.text(), self.skill.source.lines());
        let line = error.location().map_or(1, |location| location.line());
        let line = (lines.line(content.start) + line - 1).min(lines.line(content.end));
        let line = lines.line_span(text, line);
        let column = error.location().map_or(0, |location| location.column() - 1);
        let rest = &text[line.range()];
        let start = rest.char_indices().nth(column).map_or(line.start, |(at, _)| line.start + at);
        let reason = reason.split(" at line ").next().unwrap_or_default();
        let message = format!("parsers of the libyaml family refuse this: {}", shorten(reason));
        let help = "put the value in quotes, on one line";
        let span = Span::new(start, line.end.max(start));
        self.found.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}

/// A value without quotes that is of one type in YAML 1.1 and of another in YAML 1.2.
fn type_finding(text: &str, span: Span) -> Option<Finding> {
    let (old, new) = (type_in_yaml_1_1(text), type_in_yaml_1_2(text));
    let octal = octal_value(text).filter(|_| old == ScalarType::Int && new == ScalarType::Int);
    let message = match octal {
        Some(value) => {
            format!("`{text}` is the number {value} in YAML 1.1, where a leading 0 means octal")
        }
        None if old != new => {
            format!(
                "`{}` is {} in YAML 1.1 and {} in YAML 1.2",
                shorten(text),
                old.describe(),
                new.describe()
            )
        }
        None => return None,
    };
    let new_text = quoted(text);
    let is_safe = new == ScalarType::Text && reads_as(&new_text, text);
    let applicability = if is_safe { Applicability::Safe } else { Applicability::Unsafe };
    let help = if new == ScalarType::Text || old == ScalarType::Text {
        format!("put it in quotes if it is a text: `{new_text}`")
    } else {
        format!("put it in quotes, `{new_text}`, or write the number without the leading 0")
    };
    let finding = Finding::new(&RULE.meta, span, message).help(help);
    Some(finding.fix(applicability, "Put the value in quotes", span, new_text))
}

/// The value of a number in the old notation for octal, when it differs from the decimal one.
fn octal_value(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).strip_prefix('0')?;
    let value = u64::from_str_radix(digits, 8).ok()?;
    (value > 7).then_some(value)
}
