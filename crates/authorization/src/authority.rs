//! The host and the port in a URL.

/// Returns `true` if a host, as it is written in a URL, is this computer.
pub(crate) fn is_loopback_host(host: &str) -> bool {
    matches!(host, "127.0.0.1" | "[::1]" | "localhost")
}

/// Returns `true` if a part of a URL is a host, with a port or without, and without a user.
pub(crate) fn is_authority(authority: &str) -> bool {
    let host = host_of(authority);
    let port = authority[host.len()..].strip_prefix(':');
    let is_port =
        |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0) && !port.starts_with('+');
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
    let is_address = |byte: u8| byte.is_ascii_hexdigit() || byte == b':';
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(address) => !address.is_empty() && address.bytes().all(is_address),
        None => !host.is_empty() && host.bytes().all(is_name),
    };
    is_host && (authority.len() == host.len() || port.is_some_and(is_port))
}

/// Returns the host of an authority, with the brackets of an IPv6 address.
pub(crate) fn host_of(authority: &str) -> &str {
    match authority.find(']') {
        Some(end) if authority.starts_with('[') => &authority[..=end],
        _ => authority.split(':').next().unwrap_or_default(),
    }
}
