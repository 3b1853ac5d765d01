//! The arguments of each action of `heartbeat_update`.

use crate::failure::Failure;
use crate::wrong_argument::{ActionShown, wrong_arguments};
use dibber_skill::contract::{HeartbeatUpdate, HeartbeatUpdateArguments, WireEnum};

/// Parses the arguments, or refuses them with everything that is wrong. Their paths begin with
/// `prefix`.
pub(crate) fn parse(
    arguments: HeartbeatUpdateArguments,
    prefix: &str,
) -> Result<HeartbeatUpdate, Failure> {
    let action = ActionShown { name: arguments.action.name(), prefix, example: None };
    arguments.parse().map_err(|wrong| wrong_arguments(wrong, action))
}
