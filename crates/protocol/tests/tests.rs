//! Tests of the package through its public surface.

mod guide;
mod registry;
mod support;
