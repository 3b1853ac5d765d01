//! The tests of the sandbox: each of them runs in every mode that works on the machine.
#![cfg(target_os = "linux")]

mod container;
mod escape;
mod functions;
mod interpreters;
mod real_container;
mod stopped_container;
mod support;
