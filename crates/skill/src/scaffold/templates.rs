//! The templates: whole skills under `templates/`, each in its own directory.

/// A skill to start from.
#[derive(Debug)]
pub struct Template {
    /// The name of the template.
    pub name: &'static str,
    /// Its purpose, as a sentence fragment.
    pub summary: &'static str,
    /// Who makes such a skill.
    pub audience: TemplateAudience,
    /// When a skill of this purpose is used; empty if only its author knows.
    pub trigger: &'static str,
    /// The parts of its text that answers replace.
    pub slots: &'static [Slot],
    /// The name of the skill, and of its directory under `templates/<name>/`.
    pub skill: &'static str,
    /// The files; `SKILL.md` is the first.
    pub files: &'static [TemplateFile],
}

/// Who makes a skill from a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateAudience {
    /// A parent.
    Parents,
    /// A developer, who knows what the parts of a skill are.
    Developers,
}

/// A part of the text of `SKILL.md` that an answer replaces.
#[derive(Debug)]
pub struct Slot {
    /// The name of the answer.
    pub name: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// The part, which the text contains once.
    pub text: &'static str,
}

/// The slot for whom the skill is.
pub const FOR_WHOM: &str = "for-whom";

const CHILDREN: Slot =
    Slot { name: FOR_WHOM, question: "For whom is it?", text: "the children of the family" };

const fn length(text: &'static str) -> Slot {
    Slot { name: "length", question: "How long should it be?", text }
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

/// A file of the skill in the given directory below `templates/`.
macro_rules! file {
    ($skill:literal, $path:literal) => {
        file!($skill, $path, is_executable: false)
    };
    ($skill:literal, $path:literal, is_executable: $is_executable:literal) => {
        TemplateFile {
            path: $path,
            text: include_str!(concat!("../../templates/", $skill, "/", $path)),
            is_executable: $is_executable,
        }
    };
}

/// The name of the template for what no other one is about.
pub const ANYTHING_ELSE: &str = "generic";

/// The name of the template for the Skills Protocol.
const SKILLS_PROTOCOL: &str = "skills-protocol";

/// Every template: those for parents first, the simplest of them at the beginning.
pub const TEMPLATES: &[Template] = &[
    Template {
        name: "story",
        summary: "tell a story, at bedtime or at another time",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child asks for a story, or when it is time for one",
        slots: &[CHILDREN, length("about 5 minutes")],
        skill: "bedtime-story",
        files: &[
            file!("story/bedtime-story", "SKILL.md"),
            file!("story/bedtime-story", "sprout.yaml"),
        ],
    },
    Template {
        name: "quiz",
        summary: "play a quiz",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child wants to play or to be asked questions, or when it is time for the quiz",
        slots: &[CHILDREN, length("five questions")],
        skill: "family-quiz",
        files: &[file!("quiz/family-quiz", "SKILL.md"), file!("quiz/family-quiz", "sprout.yaml")],
    },
    Template {
        name: "routine",
        summary: "go through a routine, or a check-in",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child asks what comes next, or when it is time for the routine or the check-in",
        slots: &[CHILDREN, length("about 5 minutes")],
        skill: "evening-routine",
        files: &[
            file!("routine/evening-routine", "SKILL.md"),
            file!("routine/evening-routine", "sprout.yaml"),
        ],
    },
    Template {
        name: "day-summary",
        summary: "sum up the day",
        audience: TemplateAudience::Parents,
        trigger: "a parent asks how the day was or what comes tomorrow, or when it is time for the summary",
        slots: &[
            Slot { name: FOR_WHOM, question: "For whom is it?", text: "the parents" },
            length("at most ten lines"),
        ],
        skill: "summary-of-the-day",
        files: &[
            file!("day-summary/summary-of-the-day", "SKILL.md"),
            file!("day-summary/summary-of-the-day", "sprout.yaml"),
        ],
    },
    Template {
        name: "chores",
        summary: "help with chores",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child asks what there is to do, or how a chore is done, or when it is time for chores",
        slots: &[CHILDREN, length("about 15 minutes")],
        skill: "chore-helper",
        files: &[
            file!("chores/chore-helper", "SKILL.md"),
            file!("chores/chore-helper", "sprout.yaml"),
        ],
    },
    Template {
        name: "practice",
        summary: "practise reading or maths",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child wants to practise, or when it is time for practice",
        slots: &[CHILDREN, length("about 10 minutes")],
        skill: "reading-practice",
        files: &[
            file!("practice/reading-practice", "SKILL.md"),
            file!("practice/reading-practice", "sprout.yaml"),
        ],
    },
    Template {
        name: ANYTHING_ELSE,
        summary: "something else, step by step",
        audience: TemplateAudience::Parents,
        trigger: "a parent or a child asks for it, or when it is time for it",
        slots: &[],
        skill: "rainy-day-ideas",
        files: &[
            file!("generic/rainy-day-ideas", "SKILL.md"),
            file!("generic/rainy-day-ideas", "sprout.yaml"),
        ],
    },
    Template {
        name: "daily-check-in",
        summary: "a loop of the home agent, for one child and one day",
        audience: TemplateAudience::Developers,
        trigger: "",
        slots: &[],
        skill: "refresh-check-in",
        files: &[
            file!("daily-check-in/refresh-check-in", "SKILL.md"),
            file!("daily-check-in/refresh-check-in", "sprout.yaml"),
        ],
    },
    Template {
        name: "kid-activity",
        summary: "something for children of certain ages to launch",
        audience: TemplateAudience::Developers,
        trigger: "",
        slots: &[],
        skill: "five-question-quiz",
        files: &[
            file!("kid-activity/five-question-quiz", "SKILL.md"),
            file!("kid-activity/five-question-quiz", "sprout.yaml"),
        ],
    },
    Template {
        name: "scheduler",
        summary: "an assignment: it puts another skill on a schedule",
        audience: TemplateAudience::Developers,
        trigger: "",
        slots: &[],
        skill: "schedule-a-skill",
        files: &[
            file!("scheduler/schedule-a-skill", "SKILL.md"),
            file!("scheduler/schedule-a-skill", "sprout.yaml"),
        ],
    },
    Template {
        name: "with-scripts",
        summary: "a script for the exact part, and a reference beside it",
        audience: TemplateAudience::Developers,
        trigger: "",
        slots: &[],
        skill: "reading-log",
        files: &[
            file!("with-scripts/reading-log", "SKILL.md"),
            file!("with-scripts/reading-log", "references/log-format.md"),
            file!("with-scripts/reading-log", "scripts/total_minutes.py", is_executable: true),
            file!("with-scripts/reading-log", "sprout.yaml"),
        ],
    },
    Template {
        name: SKILLS_PROTOCOL,
        summary: "code with one entry function, for the Skills Protocol",
        audience: TemplateAudience::Developers,
        trigger: "",
        slots: &[],
        skill: "family.dates.countdown",
        files: &[
            file!("skills-protocol/family.dates.countdown", "SKILL.md"),
            file!("skills-protocol/family.dates.countdown", "code/main.py"),
            file!("skills-protocol/family.dates.countdown", "skill.toml"),
        ],
    },
];

/// What a skill of the Skills Protocol begins with if its name is another one than that of the template,
/// whose code is about dates.
const OTHER_PROTOCOL_SKILL: Template = Template {
    name: SKILLS_PROTOCOL,
    summary: "code with one entry function, for the Skills Protocol",
    audience: TemplateAudience::Developers,
    trigger: "",
    slots: &[],
    skill: "family.words.count",
    files: &[
        file!("skills-protocol/family.words.count", "SKILL.md"),
        file!("skills-protocol/family.words.count", "code/main.py"),
        file!("skills-protocol/family.words.count", "skill.toml"),
    ],
};

/// Returns the template with this name.
pub fn template(name: &str) -> Option<&'static Template> {
    TEMPLATES.iter().find(|template| template.name == name)
}

impl Template {
    /// Returns what a skill of this name begins with.
    pub(super) fn for_name(&self, name: Option<&str>) -> &Self {
        let is_other = name.is_some_and(|name| name != self.skill);
        if is_other && self.name == SKILLS_PROTOCOL { &OTHER_PROTOCOL_SKILL } else { self }
    }

    /// Returns the file at this path.
    pub(super) fn file(&self, path: &str) -> Option<&'static TemplateFile> {
        self.files.iter().find(|file| file.path == path)
    }
}
