//! The public tools of Sprout: what a skill may name as its hands.

/// The tool that makes a task: the hand of a skill that does something when it runs.
pub const TASK_CREATE: &str = "task_create";

/// The tool that makes a heartbeat: the hand of a skill that schedules another one.
pub const HEARTBEAT_CREATE: &str = "heartbeat_create";
/// The tool that changes a heartbeat.
pub const HEARTBEAT_UPDATE: &str = "heartbeat_update";

/// One tool.
#[derive(Debug)]
pub struct PublicTool {
    /// Its name, in the spelling that `tools/list` has; the dotted one, `task.create`, means the
    /// same.
    pub name: &'static str,
    /// How much a call can do.
    pub sensitivity: Sensitivity,
}

/// How much a call of a tool can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sensitivity {
    /// It looks at something.
    Read,
    /// It changes something.
    Write,
    /// It touches what a child earns or is allowed, at once.
    High,
}

/// The spelling of a tool's name that is sent: `task_create` for `task.create`.
pub fn wire_name(tool: &str) -> String {
    tool.trim().replace('.', "_")
}

impl PublicTool {
    /// What is known of a tool, in either spelling of its name.
    pub fn named(name: &str) -> Option<&'static Self> {
        let name = wire_name(name);
        let index = PUBLIC_TOOLS.binary_search_by_key(&name.as_str(), |tool| tool.name).ok()?;
        Some(&PUBLIC_TOOLS[index])
    }
}

const fn tool(name: &'static str, sensitivity: Sensitivity) -> PublicTool {
    PublicTool { name, sensitivity }
}

/// Every tool that public pages name, and `skill_archive`, `heartbeat_due`, `inbox_list`, `inbox_update`
/// and `resource_wait` of this server, sorted.
///
/// Sources: the pages of Sprout on skills, heartbeats, tasks, canvases, rewards and utilities, its
/// pages on the home agent protocol (`canvas_update`, `task_list`, `screentime_approve`) and on subscriptions
/// (`resource_wait_and_read`), and the changelog of its agent contract (`heartbeat_cancel`,
/// `heartbeat_pause`, `heartbeat_resume`).
pub const PUBLIC_TOOLS: &[PublicTool] = &[
    tool("activity_list", Sensitivity::Read),
    tool("canvas_create", Sensitivity::Write),
    tool("canvas_update", Sensitivity::Write),
    tool("family_query_overview", Sensitivity::Read),
    tool("gems_adjust", Sensitivity::High),
    tool("gems_list_transactions", Sensitivity::Read),
    tool("gems_query_balance", Sensitivity::Read),
    tool("heartbeat_cancel", Sensitivity::Write),
    tool("heartbeat_create", Sensitivity::Write),
    tool("heartbeat_describe", Sensitivity::Read),
    tool("heartbeat_due", Sensitivity::Write),
    tool("heartbeat_list", Sensitivity::Read),
    tool("heartbeat_pause", Sensitivity::Write),
    tool("heartbeat_resume", Sensitivity::Write),
    tool("heartbeat_update", Sensitivity::Write),
    tool("inbox_list", Sensitivity::Read),
    tool("inbox_update", Sensitivity::Write),
    tool("mcp_health", Sensitivity::Read),
    tool("mcp_whoami", Sensitivity::Read),
    tool("project_get", Sensitivity::Read),
    tool("project_list", Sensitivity::Read),
    tool("resource_wait", Sensitivity::Read),
    tool("resource_wait_and_read", Sensitivity::Read),
    tool("screentime_approve", Sensitivity::High),
    tool("skill_archive", Sensitivity::Write),
    tool("skill_get", Sensitivity::Read),
    tool("skill_invoke", Sensitivity::Write),
    tool("skill_list", Sensitivity::Read),
    tool("skill_post_result", Sensitivity::Write),
    tool("skill_update", Sensitivity::Write),
    tool("skill_write", Sensitivity::Write),
    tool("task_create", Sensitivity::Write),
    tool("task_list", Sensitivity::Read),
    tool("task_update", Sensitivity::Write),
];
