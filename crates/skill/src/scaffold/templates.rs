//! The templates: whole skills under `templates/`, each in its own directory.

/// A skill to start from.
#[derive(Debug)]
pub struct Template {
    /// The name of the template.
    pub name: &'static str,
    /// Its purpose, as a sentence fragment.
    pub summary: &'static str,
    /// The name of the skill, and of its directory under `templates/<name>/`.
    pub skill: &'static str,
    /// The files; `SKILL.md` is the first.
    pub files: &'static [TemplateFile],
}

/// A file of a template.
#[derive(Debug)]
pub struct TemplateFile {
    /// The path from the skill's directory, with `/` between its parts.
    pub path: &'static str,
    /// The text.
    pub text: &'static str,
    /// Whether it is executable.
    pub is_executable: bool,
}

const fn file(path: &'static str, text: &'static str) -> TemplateFile {
    TemplateFile { path, text, is_executable: false }
}

const fn program(path: &'static str, text: &'static str) -> TemplateFile {
    TemplateFile { path, text, is_executable: true }
}

/// Every template, the simplest first.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "generic",
        summary: "a task for either agent, step by step",
        skill: "rainy-day-ideas",
        files: &[
            file(
                "SKILL.md",
                include_str!("../../../../templates/generic/rainy-day-ideas/SKILL.md"),
            ),
            file(
                "sprout.yaml",
                include_str!("../../../../templates/generic/rainy-day-ideas/sprout.yaml"),
            ),
        ],
    },
    Template {
        name: "daily-check-in",
        summary: "a loop of the home agent, for one child and one day",
        skill: "refresh-check-in",
        files: &[
            file(
                "SKILL.md",
                include_str!("../../../../templates/daily-check-in/refresh-check-in/SKILL.md"),
            ),
            file(
                "sprout.yaml",
                include_str!("../../../../templates/daily-check-in/refresh-check-in/sprout.yaml"),
            ),
        ],
    },
    Template {
        name: "kid-activity",
        summary: "something for children of certain ages to launch",
        skill: "five-question-quiz",
        files: &[
            file(
                "SKILL.md",
                include_str!("../../../../templates/kid-activity/five-question-quiz/SKILL.md"),
            ),
            file(
                "sprout.yaml",
                include_str!("../../../../templates/kid-activity/five-question-quiz/sprout.yaml"),
            ),
        ],
    },
    Template {
        name: "scheduler",
        summary: "an assignment: it puts another skill on a schedule",
        skill: "schedule-a-skill",
        files: &[
            file(
                "SKILL.md",
                include_str!("../../../../templates/scheduler/schedule-a-skill/SKILL.md"),
            ),
            file(
                "sprout.yaml",
                include_str!("../../../../templates/scheduler/schedule-a-skill/sprout.yaml"),
            ),
        ],
    },
    Template {
        name: "with-scripts",
        summary: "a script for the exact part, and a reference beside it",
        skill: "reading-log",
        files: &[
            file(
                "SKILL.md",
                include_str!("../../../../templates/with-scripts/reading-log/SKILL.md"),
            ),
            file(
                "references/log-format.md",
                include_str!(
                    "../../../../templates/with-scripts/reading-log/references/log-format.md"
                ),
            ),
            program(
                "scripts/total_minutes.py",
                include_str!(
                    "../../../../templates/with-scripts/reading-log/scripts/total_minutes.py"
                ),
            ),
            file(
                "sprout.yaml",
                include_str!("../../../../templates/with-scripts/reading-log/sprout.yaml"),
            ),
        ],
    },
    Template {
        name: "skills-protocol",
        summary: "code with one entry function, for the Skills Protocol",
        skill: "family.dates.countdown",
        files: &[
            file(
                "SKILL.md",
                include_str!(
                    "../../../../templates/skills-protocol/family.dates.countdown/SKILL.md"
                ),
            ),
            file(
                "code/main.py",
                include_str!(
                    "../../../../templates/skills-protocol/family.dates.countdown/code/main.py"
                ),
            ),
            file(
                "skill.toml",
                include_str!(
                    "../../../../templates/skills-protocol/family.dates.countdown/skill.toml"
                ),
            ),
        ],
    },
];

/// Returns the template with this name.
pub fn template(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}

impl Template {
    /// Returns the file at this path.
    pub(super) fn file(&self, path: &str) -> Option<&'static TemplateFile> {
        self.files.iter().find(|file| file.path == path)
    }
}
