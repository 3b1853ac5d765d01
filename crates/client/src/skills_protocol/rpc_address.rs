//! Where the endpoint of the Skills Protocol of a server is.

use crate::address::Address;

/// The last segment of the URL of an endpoint.
const RPC_SEGMENT: &str = "rpc";
/// The last segment of the URL of an MCP endpoint.
const MCP_SEGMENT: &str = "mcp";

/// Returns the endpoint of a server: the URL itself, unless it has no path, or is that of an MCP
/// endpoint, beside which the other one is.
pub(super) fn rpc_address(url: Address) -> Address {
    let path = url.path();
    let before = match path.rsplit_once('/') {
        _ if url.has_no_path() => "",
        Some((before, MCP_SEGMENT)) => before,
        _ => return url,
    };
    let path = format!("{before}/{RPC_SEGMENT}");
    url.with_path(&path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_of_other_endpoints_are_changed() {
        let cases = [
            ("http://127.0.0.1:7340", "http://127.0.0.1:7340/rpc"),
            ("http://127.0.0.1:7340/mcp", "http://127.0.0.1:7340/rpc"),
            ("https://example.org/family/mcp?k=1", "https://example.org/family/rpc?k=1"),
            ("https://example.org/rpc", "https://example.org/rpc"),
            ("https://example.org/skills", "https://example.org/skills"),
            ("https://example.org/mcp/", "https://example.org/mcp/"),
        ];
        for (url, expected) in cases {
            let url = rpc_address(url.parse().expect("a URL"));
            assert_eq!(url.as_str(), expected);
        }
    }
}
