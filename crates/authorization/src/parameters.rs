//! The parameters of a request: a query, or a form in its body.

use std::collections::BTreeMap;

use super::error::{OAuthError, OAuthErrorCode};

/// The most parameters of a request; those that are known are fewer than twenty.
const PARAMETERS_MAX: usize = 64;

/// The parameters of a request. An empty one is as if it were missing (RFC 6749, section 3.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    values: BTreeMap<String, String>,
    /// Each resource (RFC 8707, section 2): the one parameter that may be there several times.
    resources: Vec<String>,
    /// The first parameter that is there twice.
    repeated: Option<OAuthError>,
}

impl Parameters {
    /// Parses a query, or the body of a form.
    pub fn parse(encoded: &[u8]) -> Self {
        let mut parameters = Self::default();
        for (name, value) in form_urlencoded::parse(encoded).take(PARAMETERS_MAX) {
            if value.is_empty() {
                continue;
            }
            if name == "resource" {
                parameters.resources.push(value.into_owned());
            } else if parameters.values.contains_key(name.as_ref()) {
                let description = "a parameter is there twice";
                let error = OAuthError::new(OAuthErrorCode::InvalidRequest, description);
                parameters.repeated.get_or_insert(error);
            } else {
                parameters.values.insert(name.into_owned(), value.into_owned());
            }
        }
        parameters
    }

    /// Returns a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns a parameter, or the error that says that it is missing.
    pub fn require(&self, name: &str) -> Result<&str, OAuthError> {
        self.get(name).ok_or_else(|| {
            OAuthError::new(
                OAuthErrorCode::InvalidRequest,
                format!("the parameter {name} is missing"),
            )
        })
    }

    /// Returns the resources that a token is to be for.
    pub fn resources(&self) -> &[String] {
        &self.resources
    }

    /// Returns an error if a parameter is there twice: each program could read another one.
    pub fn check_repeated(&self) -> Result<(), OAuthError> {
        self.repeated.clone().map_or(Ok(()), Err)
    }
}
