//! The settings that name programs of the server in this program.

use clap::ArgMatches;

use super::setting::{Origin, Setting};
use crate::cli::error::CommandError;
use crate::cli::remote::own_config::{self, Configured};
use crate::cli::remote::server_options;
use dibber_client::Address;
use dibber_skill::config::{
    ContainerEntry, RunnerCommand, RunnerEntry, RunnerTarget, SafetyEntry, SandboxEntry,
    SandboxMode,
};
use dibber_text::MASKED;

/// Adds the program that judges what is published to the server of this program. Its arguments may
/// be secrets.
pub(super) fn push_safety(
    matches: &ArgMatches,
    settings: &mut Vec<Setting>,
) -> Result<(), CommandError> {
    let data = server_options::data(matches)?;
    let found = own_config::configured::<SafetyEntry>(&data)?;
    let setting = match &found {
        None => Setting::new("safety.command", None, Origin::Default),
        Some(Configured { entry, source, path }) => {
            let program = entry.command.first().map(|(program, _)| program.clone());
            let origin = Origin::in_file(path, source, entry.span);
            Setting::new("safety.command", program, origin)
        }
    };
    settings.push(setting);
    Ok(())
}

/// Adds what executes the runs of heartbeats. Arguments and the query of a URL may be secrets.
pub(super) fn push_runner(
    matches: &ArgMatches,
    settings: &mut Vec<Setting>,
) -> Result<(), CommandError> {
    let data = server_options::data(matches)?;
    let Some(Configured { entry, source, path }) = own_config::configured::<RunnerEntry>(&data)?
    else {
        settings.push(Setting::new("runner", None, Origin::Default));
        return Ok(());
    };
    let origin = |span| Origin::in_file(&path, &source, span);
    let mut push = |name: &str, value: String, span| {
        settings.push(Setting::new(format!("runner.{name}"), value, origin(span)));
    };
    match &entry.target {
        Some(RunnerTarget::Command(command)) => {
            let RunnerCommand { words, directory, environment, is_home_agent } = command;
            if let Some((program, span)) = words.first() {
                push("command", program.clone(), *span);
            }
            if let Some((directory, span)) = directory {
                push("directory", directory.clone(), *span);
            }
            if let Some(names) = environment {
                let span = names.first().map_or(entry.span, |(_, span)| *span);
                let names: Vec<_> = names.iter().map(|(name, _)| name.as_str()).collect();
                push("environment", names.join(", "), span);
            }
            if *is_home_agent {
                push("home-agent", "true".to_owned(), entry.span);
            }
        }
        Some(RunnerTarget::Webhook { url: (url, span), secret_file }) => {
            let shown = url.parse::<Address>().map(|url| url.origin());
            push("webhook", shown.unwrap_or_else(|_| MASKED.to_owned()), *span);
            if let Some((file, span)) = secret_file {
                push("secret-file", file.clone(), *span);
            }
        }
        None => {}
    }
    let RunnerEntry { timeout, concurrency, lease, output_bytes, keep_days, .. } = entry;
    for (name, number) in [
        ("timeout", timeout),
        ("concurrency", concurrency),
        ("lease", lease),
        ("output-bytes", output_bytes),
        ("keep-days", keep_days),
    ] {
        if let Some((number, span)) = number {
            push(name, number.to_string(), span);
        }
    }
    Ok(())
}

/// Adds how the code of skills is run. Arguments of a container's command may be secrets.
pub(super) fn push_sandbox(
    matches: &ArgMatches,
    settings: &mut Vec<Setting>,
) -> Result<(), CommandError> {
    let data = server_options::data(matches)?;
    let Some(Configured { entry, source, path }) = own_config::configured::<SandboxEntry>(&data)?
    else {
        let mode = Some(SandboxMode::Full.name().to_owned());
        settings.push(Setting::new("sandbox.mode", mode, Origin::Default));
        return Ok(());
    };
    let mut push = |name: &str, value: String, span| {
        let origin = Origin::in_file(&path, &source, span);
        settings.push(Setting::new(format!("sandbox.{name}"), value, origin));
    };
    let modes: Vec<_> = entry.modes.iter().map(|(mode, _)| mode.name()).collect();
    let modes = if modes.is_empty() { vec![SandboxMode::Full.name()] } else { modes };
    push("mode", modes.join(", "), entry.modes.first().map_or(entry.span, |(_, span)| *span));
    if let Some((python, span)) = &entry.python {
        push("python", python.clone(), *span);
    }
    match &entry.container {
        Some(ContainerEntry::Image { runtime, image: (image, span) }) => {
            push("container", runtime.name().to_owned(), *span);
            push("image", image.clone(), *span);
        }
        Some(ContainerEntry::Command { run, .. }) => {
            if let Some((program, span)) = run.first() {
                push("command", program.clone(), *span);
            }
        }
        None => {}
    }
    for (name, number) in [
        ("timeout", entry.timeout),
        ("memory-bytes", entry.memory_bytes),
        ("disk-bytes", entry.disk_bytes),
        ("processes", entry.processes),
    ] {
        if let Some((number, span)) = number {
            push(name, number.to_string(), span);
        }
    }
    Ok(())
}
