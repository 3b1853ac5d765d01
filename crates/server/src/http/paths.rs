//! The paths that a server answers at.

/// The path of MCP.
pub const MCP_PATH: &str = "/mcp";

/// The path of the Skills Protocol.
pub const RPC_PATH: &str = "/rpc";

/// The path of the list of guides. Each guide has a path below it.
pub const GUIDES_PATH: &str = "/guides";

/// The route of one guide.
pub(super) const GUIDE_ROUTE: &str = "/guides/{*path}";
