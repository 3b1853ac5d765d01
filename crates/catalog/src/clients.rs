//! The clients that load skills, and the directories where they look for them.

/// A client that loads skills from directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkillClient {
    /// The name as it is typed.
    pub name: &'static str,
    /// The name as it is shown.
    pub title: &'static str,
    /// The directory from the root of a project.
    pub project: &'static str,
    /// The directory from the home directory of a user.
    pub user: &'static str,
    /// Where this is documented.
    pub source: &'static str,
}

/// The client whose directories most others read as well.
pub const SHARED_CLIENT: &str = "agents";

/// A third party's table, where the client itself documents nothing that was found.
const SYLLAGO: &str = "https://syllago.dev/docs/skills-matrix (a third party)";

/// Every client that is known, sorted by name after the shared one.
pub const SKILL_CLIENTS: &[SkillClient] = &[
    SkillClient {
        name: SHARED_CLIENT,
        title: "clients that share a directory",
        project: ".agents/skills",
        user: ".agents/skills",
        source: "agentskills.io, docs/client-implementation/adding-skills-support.mdx",
    },
    SkillClient {
        name: "amp",
        title: "Amp",
        project: ".agents/skills",
        user: ".config/agents/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "claude-code",
        title: "Claude Code",
        project: ".claude/skills",
        user: ".claude/skills",
        source: "code.claude.com/docs/en/skills",
    },
    SkillClient {
        name: "cline",
        title: "Cline",
        project: ".cline/skills",
        user: ".cline/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "codex",
        title: "Codex",
        project: ".agents/skills",
        user: ".agents/skills",
        source: "github.com/openai/codex, core-skills/loader.rs",
    },
    SkillClient {
        name: "copilot",
        title: "GitHub Copilot and VS Code",
        project: ".github/skills",
        user: ".copilot/skills",
        source: "github.com/microsoft/vscode, setting chat.agentSkillsLocations",
    },
    SkillClient {
        name: "crush",
        title: "Crush",
        project: ".crush/skills",
        user: ".config/crush/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "cursor",
        title: "Cursor",
        project: ".cursor/skills",
        user: ".cursor/skills",
        source: "cursor.com/docs/context/skills",
    },
    SkillClient {
        name: "factory",
        title: "Factory",
        project: ".factory/skills",
        user: ".factory/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "gemini",
        title: "Gemini CLI",
        project: ".gemini/skills",
        user: ".gemini/skills",
        source: "github.com/google-gemini/gemini-cli, skillLoader.ts",
    },
    SkillClient {
        name: "goose",
        title: "Goose",
        project: ".agents/skills",
        user: ".agents/skills",
        source: "github.com/block/goose, skills/mod.rs",
    },
    SkillClient {
        name: "kiro",
        title: "Kiro",
        project: ".kiro/skills",
        user: ".kiro/skills",
        source: "kiro.dev/docs/skills",
    },
    SkillClient {
        name: "opencode",
        title: "OpenCode",
        project: ".opencode/skills",
        user: ".config/opencode/skills",
        source: "opencode.ai/docs/skills",
    },
    SkillClient {
        name: "pi",
        title: "Pi",
        project: ".pi/skills",
        user: ".pi/agent/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "roo",
        title: "Roo Code",
        project: ".roo/skills",
        user: ".roo/skills",
        source: SYLLAGO,
    },
    SkillClient {
        name: "vscode",
        title: "VS Code",
        project: ".github/skills",
        user: ".copilot/skills",
        source: "github.com/microsoft/vscode, setting chat.agentSkillsLocations",
    },
    SkillClient {
        name: "windsurf",
        title: "Windsurf",
        project: ".windsurf/skills",
        user: ".codeium/windsurf/skills",
        source: SYLLAGO,
    },
];

impl SkillClient {
    /// Returns the client of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        SKILL_CLIENTS.iter().find(|client| client.name == name).copied()
    }
}
