//! The paths that a server answers at.

/// The path of MCP.
pub const MCP_PATH: &str = "/mcp";

/// The path of the Skills Protocol.
pub const RPC_PATH: &str = "/rpc";

/// The path of the list of guides. Each guide has a path below it.
pub const GUIDES_PATH: &str = "/guides";

/// The path below which the skills of directories are, as a site has them.
pub const SKILLS_SITE_PATH: &str = "/.well-known/agent-skills";

/// The route of one of its files.
pub(super) const SKILLS_SITE_ROUTE: &str = "/.well-known/agent-skills/{*path}";

/// The route of one guide.
pub(super) const GUIDE_ROUTE: &str = "/guides/{*path}";
