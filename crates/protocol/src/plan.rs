//! Planning a run: everything that can be checked before code is started.

use std::sync::Arc;
use std::time::Duration;

use dibber_sandbox::{Job, Limits, MountedBlob, MountedSkill, Program, Secrets, TIMEOUT_MAX};
use dibber_skill::contract::skills_protocol::{
    CODE_ENTRYPOINT_DEFAULT, ExecuteSkill, RUN_SECONDS_MAX, RpcError, RpcReason, RunCode, RunLimits,
};
use dibber_skill::manifest::Located;
use dibber_text::{Message, message, quote_in_full};
use serde_json::{Map, Value};

use crate::arguments;
use crate::refusal::{refused, shown};
use crate::requirements::requirements_file;
use crate::secrets::{SECRETS_FILE_NAME, SecretStore};
use crate::skill::ProtocolSkill;

/// The most skills that code can import.
pub const MOUNTED_SKILLS_MAX: usize = 50;

/// The most bytes of the code and the arguments of a run, as JSON (12 MiB).
pub const INPUT_BYTES_MAX: usize = 12 << 20;

/// What the schemas of the methods and the commands say is what the sandbox permits.
const _: () = assert!(TIMEOUT_MAX.as_secs() == RUN_SECONDS_MAX, "one longest time of a run");

/// A run that can be started.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// What is to be run.
    pub job: Job,
    /// What was ignored or changed.
    pub warnings: Vec<String>,
}

/// Plans the run of a skill. `limits` are those of a call that names none.
///
/// This reads files of the skill.
pub fn plan_skill(
    skill: &ProtocolSkill,
    call: &ExecuteSkill,
    blobs: Vec<MountedBlob>,
    secrets: &SecretStore,
    limits: &Limits,
) -> Result<RunPlan, RpcError> {
    let mut warnings = Vec::new();
    let limits = limits_of(call.timeout_ms, call.limits, limits, &mut warnings)?;
    let (mounted, function) = executable_skill(skill)?;
    check_network(skill)?;
    check_requirements(skill)?;
    let arguments = call.args.clone().unwrap_or_default();
    check_size(&arguments, "")?;
    if let Some(schema) = &skill.manifest.input_schema {
        arguments::check(&skill.name, &schema.value, &arguments)?;
    }
    let job = Job {
        program: Program::Skill { name: skill.name.clone(), function },
        arguments,
        skills: vec![mounted],
        blobs,
        secrets: secrets_of(skill, secrets)?,
        limits,
    };
    Ok(RunPlan { job, warnings })
}

/// Plans the run of code. `skills` are those of `mount_skills`; the code gets none of their secrets.
/// `limits` are those of a call that names none.
pub fn plan_code(
    call: &RunCode,
    skills: &[Arc<ProtocolSkill>],
    blobs: Vec<MountedBlob>,
    limits: &Limits,
) -> Result<RunPlan, RpcError> {
    let mut warnings = Vec::new();
    let limits = limits_of(call.timeout_ms, call.limits, limits, &mut warnings)?;
    let arguments = call.args.clone().unwrap_or_default();
    check_size(&arguments, &call.code)?;
    let skills = without_duplicates(skills)?;
    warnings.extend(skills.iter().flat_map(|skill| import_warnings(skill)));
    let function = call.entrypoint.as_deref().unwrap_or(CODE_ENTRYPOINT_DEFAULT);
    let job = Job {
        program: Program::Code { source: call.code.clone(), function: function.to_owned() },
        arguments,
        skills: skills.into_iter().filter_map(mounted_skill).collect(),
        blobs,
        secrets: Secrets::default(),
        limits,
    };
    Ok(RunPlan { job, warnings })
}

/// Returns the limits of a run. Its time may be in two places; in both it must be the same.
fn limits_of(
    timeout: Option<u64>,
    limits: Option<RunLimits>,
    default: &Limits,
    warnings: &mut Vec<String>,
) -> Result<Limits, RpcError> {
    let inner = limits.and_then(|limits| limits.timeout_ms);
    let invalid = |message: Message, help: &'static str| {
        Err(refused(RpcReason::InvalidParams, message, help))
    };
    let milliseconds = match (timeout, inner) {
        (Some(outer), Some(inner)) if outer != inner => {
            let message =
                message!["`timeout_ms` is ", outer, ", and `limits.timeout_ms` is ", inner];
            return invalid(message, "send one of them");
        }
        (Some(0), _) | (_, Some(0)) => {
            return invalid("`timeout_ms` is 0".into(), "send at least 1, or leave it out");
        }
        (outer, inner) => outer.or(inner),
    };
    let asked = milliseconds.map_or(default.timeout, Duration::from_millis);
    let timeout = asked.min(TIMEOUT_MAX);
    if timeout < asked {
        let (asked, max) = (asked.as_millis(), TIMEOUT_MAX.as_millis());
        warnings.push(format!("`timeout_ms` is {asked}; the run ends after {max}, the maximum"));
    }
    Ok(Limits { timeout, ..default.clone() })
}

/// Returns the skill to mount and the function to call.
fn executable_skill(skill: &ProtocolSkill) -> Result<(MountedSkill, String), RpcError> {
    let export = skill.manifest.runtime.as_ref().and_then(|runtime| runtime.export.as_ref());
    let function = export.map_or(CODE_ENTRYPOINT_DEFAULT, |name| name.value.as_str());
    match mounted_skill(skill) {
        Some(mounted) if mounted.entrypoint.is_some() => return Ok((mounted, function.to_owned())),
        _ => {}
    }
    let message =
        message!["`", quote_in_full(&skill.name), "` is an instruction skill: it has no code"];
    let help = message![
        "read it with read_skill_file, `name` `",
        quote_in_full(&skill.name),
        "` and `path` `SKILL.md`, and follow it"
    ];
    Err(refused(RpcReason::NotExecutable, message, help))
}

fn check_network(skill: &ProtocolSkill) -> Result<(), RpcError> {
    let Some(Located { value: host, .. }) = skill.manifest.permissions.network.first() else {
        return Ok(());
    };
    let message = message![
        "`",
        quote_in_full(&skill.name),
        "` needs a network, to connect to `",
        quote_in_full(host),
        "`; runs have none"
    ];
    let help = "fetch the data in another way, and pass them as arguments or blobs to a skill \
                without `network` in `[permissions]`";
    Err(refused(RpcReason::NetworkNotSupported, message, help))
}

fn check_requirements(skill: &ProtocolSkill) -> Result<(), RpcError> {
    let Some(path) = requirements_file(skill) else { return Ok(()) };
    let message =
        message!["`", quote_in_full(&skill.name), "` needs the packages of its `", path, "`"];
    let help = "nothing is installed for a run: use the standard library of Python, or include the \
                code of the packages in the skill and remove the file";
    Err(refused(RpcReason::DependenciesNotInstalled, message, help))
}

fn secrets_of(skill: &ProtocolSkill, store: &SecretStore) -> Result<Secrets, RpcError> {
    let names = skill.manifest.permissions.secrets.iter().map(|name| name.value.as_str());
    store.of_skill(&skill.name, names).map_err(|name| {
        let message = message![
            "`",
            quote_in_full(&skill.name),
            "` needs the secret `",
            quote_in_full(name),
            "`, which has no value here"
        ];
        let help = message![
            "write `",
            quote_in_full(name),
            " = \"…\"` below `[secrets]` in `",
            SECRETS_FILE_NAME,
            "` in the data directory, which only its owner may read; a secret is never an argument"
        ];
        refused(RpcReason::SecretMissing, message, help)
    })
}

/// Refuses what is too large to be handed to a sandbox.
fn check_size(arguments: &Map<String, Value>, code: &str) -> Result<(), RpcError> {
    let length = |json: Result<String, _>| json.map_or(usize::MAX, |json| json.len());
    let bytes = length(serde_json::to_string(arguments))
        .saturating_add(length(serde_json::to_string(code)));
    if bytes <= INPUT_BYTES_MAX {
        return Ok(());
    }
    let message = message![
        "the code and the arguments have ",
        bytes,
        " bytes; the maximum is ",
        INPUT_BYTES_MAX
    ];
    let help = "store large data with create_blob, and send the id in `input_blobs`";
    Err(refused(RpcReason::InvalidParams, message, help))
}

/// Returns each skill once. Two versions of a skill would have the same name.
fn without_duplicates(skills: &[Arc<ProtocolSkill>]) -> Result<Vec<&ProtocolSkill>, RpcError> {
    let mut different: Vec<&ProtocolSkill> = Vec::new();
    for skill in skills {
        match different.iter().find(|other| other.name == skill.name) {
            None => different.push(skill),
            Some(other) if other.version == skill.version => {}
            Some(_) => {
                let message = message![
                    "`mount_skills` has two versions of `",
                    quote_in_full(&skill.name),
                    "`"
                ];
                return Err(refused(RpcReason::InvalidParams, message, "send one of them"));
            }
        }
    }
    if different.len() > MOUNTED_SKILLS_MAX {
        let message = message![
            "`mount_skills` has ",
            different.len(),
            " skills; the maximum is ",
            MOUNTED_SKILLS_MAX
        ];
        return Err(refused(RpcReason::InvalidParams, message, "send those that the code imports"));
    }
    Ok(different)
}

/// Returns a skill as it is mounted; none if it is built in, and has no directory.
fn mounted_skill(skill: &ProtocolSkill) -> Option<MountedSkill> {
    let entrypoint = skill.manifest.runtime.as_ref().and_then(|it| it.entrypoint.as_ref());
    Some(MountedSkill {
        name: skill.name.clone(),
        directory: skill.directory()?.to_owned(),
        entrypoint: entrypoint.map(|path| path.value.clone()),
    })
}

/// Returns what code cannot do with a skill that it imports.
fn import_warnings(skill: &ProtocolSkill) -> Vec<String> {
    let mut missing = Vec::new();
    let permissions = &skill.manifest.permissions;
    if !permissions.secrets.is_empty() {
        missing.push("its secrets, which only its own runs get");
    }
    if !permissions.network.is_empty() {
        missing.push("a network, which runs do not have");
    }
    if requirements_file(skill).is_some() {
        missing.push("its packages, which are not installed");
    }
    if skill.directory().is_none() {
        missing.push("its files, which are a part of the program");
    } else if executable_skill(skill).is_err() {
        missing.push("code to import; its files can be read");
    }
    let name = shown(&message![quote_in_full(&skill.name)]);
    missing.into_iter().map(|what| format!("`{name}` is mounted without {what}")).collect()
}
