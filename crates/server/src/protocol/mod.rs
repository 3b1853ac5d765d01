//! The Skills Protocol: what the server does for its methods.

pub mod blobs;
