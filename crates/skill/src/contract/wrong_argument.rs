//! Arguments that do not belong to the action of a tool.

/// What is wrong with the arguments of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongArgument {
    /// None of these is given, of which the action needs at least one.
    Missing(&'static [&'static str]),
    /// The action does not take it.
    Unexpected(&'static str),
}
