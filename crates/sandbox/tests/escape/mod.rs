//! What code in a sandbox tries, in every mode that works here.

mod bombs;
mod bypass;
mod cases;
mod control_groups;
mod hostile_inputs;
#[cfg(feature = "disable-layers")]
mod layers;
mod nothing_remains;
mod refused;
