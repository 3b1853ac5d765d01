//! Sets of scopes, as OAuth writes them: names with a space between each two.

use dibber_skill::contract::{Scope, WireEnum};

use super::error::{OAuthError, OAuthErrorCode};

/// Parses scopes. Those that are known are returned, in the order of the contract, each once; the others
/// are ignored, as RFC 6749, section 3.3 permits: clients ask for what other servers need, such as
/// `offline_access`.
pub fn parse_scopes(text: &str) -> Result<Vec<Scope>, OAuthError> {
    let scopes: Vec<Scope> = text.split(' ').filter_map(Scope::from_name).collect();
    if scopes.is_empty() {
        let known = scope_text(&Scope::all());
        let description = format!("the parameter scope has no known scope; known are {known}");
        return Err(OAuthError::new(OAuthErrorCode::InvalidScope, description));
    }
    Ok(in_order(&scopes))
}

/// Returns scopes as OAuth writes them.
pub fn scope_text(scopes: &[Scope]) -> String {
    let names: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
    names.join(" ")
}

fn in_order(scopes: &[Scope]) -> Vec<Scope> {
    Scope::all().into_iter().filter(|scope| scopes.contains(scope)).collect()
}
