//! Skills of sites and of MCP servers, as sources of `dibber add`.

mod server;
mod site;

pub(in crate::cli) use server::open_server;
pub(in crate::cli) use site::open_site;
