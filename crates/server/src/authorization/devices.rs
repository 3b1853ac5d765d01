//! Devices without a browser (RFC 8628): the device shows a code, and a person types it elsewhere.

use std::time::Duration;

use dibber_authorization::{
    Client, DeviceAuthorizationRequest, Issuer, OAuthError, OAuthErrorCode, UserCode,
};
use dibber_skill::contract::Scope;
use serde::{Deserialize, Serialize};

use super::clients::milliseconds;
use super::error::AuthorizationError;
use super::grants::{Allowed, allow};
use super::secret::{Secret, digest, stored, value_of};
use super::sign_in::BrowserSession;
use super::tokens::NewTokens;
use crate::failure::Failure;
use crate::id;
use crate::server::Server;
use crate::store::{Credential, CredentialKind, Reader, StoreExt, StoreResult};

/// How long a person has to type the code.
const DEVICE_CODE_TIME: Duration = Duration::from_mins(10);
/// How long a device waits between two questions.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// The codes of a device.
#[derive(Serialize)]
pub(crate) struct DeviceCodes {
    device_code: String,
    user_code: String,
    verification_uri: String,
    verification_uri_complete: String,
    expires_in: u64,
    interval: u64,
}

/// What a device asks a person for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeviceRequest {
    /// The id of the client.
    pub(crate) client_id: String,
    /// What it calls itself.
    pub(crate) client_name: String,
    /// The scopes that it asks for.
    pub(crate) scopes: Vec<Scope>,
    /// What the person has decided.
    answer: Answer,
    /// When the device last asked.
    polled_at: Option<i64>,
}

/// What a person has decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Pending,
    Refused,
    Allowed(Vec<Scope>),
}

impl Server {
    /// Returns codes for a device.
    pub(crate) async fn start_device(
        &self,
        client: &Client,
        request: DeviceAuthorizationRequest,
        page: String,
    ) -> Result<DeviceCodes, Failure> {
        let now = self.now().as_millisecond();
        let (secret, user_code) = (Secret::new(), new_user_code());
        let asked = DeviceRequest {
            client_id: client.id.as_str().to_owned(),
            client_name: client.shown_name().to_owned(),
            scopes: request.scopes,
            answer: Answer::Pending,
            polled_at: None,
        };
        let device = Credential {
            digest: secret.digest(),
            kind: CredentialKind::DeviceCode,
            user: None,
            grant_id: None,
            value: stored(&asked)?,
            expires_at: now + milliseconds(DEVICE_CODE_TIME),
        };
        let typed = Credential {
            digest: digest(user_code.letters()),
            kind: CredentialKind::UserCode,
            value: device.digest.as_str().into(),
            ..device.clone()
        };
        self.store()
            .write(move |store| -> Result<(), Failure> {
                store.remove_expired(now)?;
                store.put_credential(&device)?;
                Ok(store.put_credential(&typed)?)
            })
            .await?;
        Ok(DeviceCodes {
            device_code: secret.into_text(),
            verification_uri_complete: format!("{page}?code={user_code}"),
            verification_uri: page,
            user_code: user_code.to_string(),
            expires_in: DEVICE_CODE_TIME.as_secs(),
            interval: POLL_INTERVAL.as_secs(),
        })
    }

    /// Returns what the device with a code asks for; none if there is no such device that waits.
    pub(crate) async fn device_request(
        &self,
        code: &UserCode,
    ) -> Result<Option<DeviceRequest>, Failure> {
        let (code, now) = (code.clone(), self.now().as_millisecond());
        let find = move |store: &dyn Reader| waiting_device(store, &code, now);
        Ok(self.store().read(find).await?.map(|(_, request)| request))
    }

    /// Records what a person has decided for a device: the scopes, or none to refuse. Returns `false` if
    /// there is no such device that waits.
    pub(crate) async fn answer_device(
        &self,
        code: &UserCode,
        session: &BrowserSession,
        allowed: Option<Vec<Scope>>,
    ) -> Result<bool, Failure> {
        let (code, now) = (code.clone(), self.now().as_millisecond());
        let user = (session.family.clone(), session.user_id.clone());
        self.store()
            .write(move |store| -> Result<bool, Failure> {
                let Some((mut device, mut request)) = waiting_device(store, &code, now)? else {
                    return Ok(false);
                };
                request.answer = allowed.map_or(Answer::Refused, Answer::Allowed);
                device.user = Some(user);
                device.value = stored(&request)?;
                store.put_credential(&device)?;
                store.remove_credential(&digest(code.letters()))?;
                Ok(true)
            })
            .await
    }

    /// Returns tokens for the code of a device, once a person has allowed it.
    pub(super) async fn exchange_device_code(
        &self,
        client_id: String,
        code: &str,
        issuer: &Issuer,
    ) -> Result<NewTokens, AuthorizationError> {
        let digest = digest(code);
        let (now, audience) = (self.now().as_millisecond(), issuer.to_string());
        self.store()
            .write(move |store| -> Result<_, AuthorizationError> {
                let Some(mut found) = store.credential(CredentialKind::DeviceCode, &digest)? else {
                    return Ok(Err(refused(OAuthErrorCode::InvalidGrant)));
                };
                let mut request: DeviceRequest = value_of(&found)?;
                if request.client_id != client_id {
                    return Ok(Err(refused(OAuthErrorCode::InvalidGrant)));
                }
                if found.expires_at <= now {
                    return Ok(Err(refused(OAuthErrorCode::ExpiredToken)));
                }
                let (user, scopes) = match (found.user.clone(), request.answer.clone()) {
                    (Some(user), Answer::Allowed(scopes)) => (user, scopes),
                    (_, Answer::Refused) => {
                        store.remove_credential(&digest)?;
                        return Ok(Err(refused(OAuthErrorCode::AccessDenied)));
                    }
                    _ => {
                        let is_early = request.polled_at.is_some_and(|at| {
                            now - at < milliseconds(POLL_INTERVAL) - POLL_TOLERANCE
                        });
                        request.polled_at = Some(now);
                        found.value = stored(&request)?;
                        store.put_credential(&found)?;
                        let pending = OAuthErrorCode::AuthorizationPending;
                        let code = if is_early { OAuthErrorCode::SlowDown } else { pending };
                        return Ok(Err(refused(code)));
                    }
                };
                store.remove_credential(&digest)?;
                let allowed = Allowed {
                    user,
                    client_id: request.client_id,
                    client_name: request.client_name,
                    asked: request.scopes,
                    scopes,
                    audience,
                };
                let grant = allow(store, allowed, now)?;
                Ok(Ok(NewTokens::issue(store, &grant, &grant.scopes, now)?))
            })
            .await?
            .map_err(AuthorizationError::Refused)
    }
}

/// The milliseconds by which a device may ask early: the network delays questions by different times.
const POLL_TOLERANCE: i64 = 500;

/// Returns the device with a code that a person can still decide on.
fn waiting_device(
    store: &(impl Reader + ?Sized),
    code: &UserCode,
    now: i64,
) -> StoreResult<Option<(Credential, DeviceRequest)>> {
    let typed = store.credential(CredentialKind::UserCode, &digest(code.letters()))?;
    let Some(typed) = typed else { return Ok(None) };
    let device: String = value_of(&typed)?;
    let device = store.credential(CredentialKind::DeviceCode, &device)?;
    let Some(device) = device.filter(|device| device.expires_at > now) else { return Ok(None) };
    let request: DeviceRequest = value_of(&device)?;
    Ok((request.answer == Answer::Pending).then_some((device, request)))
}

fn new_user_code() -> UserCode {
    loop {
        if let Some(code) = UserCode::from_random(&id::random()) {
            return code;
        }
    }
}

fn refused(code: OAuthErrorCode) -> OAuthError {
    let description = match code {
        OAuthErrorCode::AccessDenied => "the person refused",
        OAuthErrorCode::ExpiredToken => "the code of the device has expired",
        OAuthErrorCode::AuthorizationPending => "the code was not entered yet",
        OAuthErrorCode::SlowDown => "the device asks more often than every 5 seconds",
        _ => "the code of the device is unknown, used, or of another client",
    };
    OAuthError::new(code, description)
}
