//! Scopes in the words of a parent.

use dibber_skill::contract::{Scope, WireEnum};
use maud::{Markup, html};

use super::form::Form;

/// The field of a scope.
pub(super) const SCOPE_FIELD: &str = "scope";

/// What a scope lets a client do.
pub(super) fn words(scope: Scope) -> &'static str {
    match scope {
        Scope::FamilyRead => {
            "See who is in your family: the names of grown-ups, the names and birthdays of children"
        }
        Scope::SkillRead => "Read your skills, and the results that they have posted",
        Scope::SkillWrite => "Write, change, archive and run skills, and read them",
        Scope::HeartbeatRead => "See when skills run by themselves",
        Scope::HeartbeatWrite => "Plan when skills run by themselves, pause and cancel them",
    }
}

/// Returns the choices between scopes: those that only read, and those that change something.
pub(super) fn choices(asked: &[Scope], checked: &[Scope]) -> Markup {
    let (writes, reads): (Vec<Scope>, Vec<Scope>) =
        asked.iter().partition(|scope| scope.is_write());
    html! {
        @for (legend, scopes) in [("It may look", reads), ("It may change things", writes)] {
            @if !scopes.is_empty() {
                fieldset {
                    legend { (legend) }
                    @for scope in scopes {
                        label {
                            input type="checkbox" name=(SCOPE_FIELD) value=(scope.name())
                                checked[checked.contains(&scope)];
                            span { (words(scope)) }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the scopes that a person has chosen, of those that were asked for.
pub(super) fn chosen(form: &Form, asked: &[Scope]) -> Vec<Scope> {
    let names: Vec<&str> = form.all(SCOPE_FIELD).collect();
    asked.iter().copied().filter(|scope| names.contains(&scope.name())).collect()
}
