//! The client: connections to a server, and calls of its tools.
