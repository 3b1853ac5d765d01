//! Tests of the package through its public surface.
