//! Calls of `create_blob` that are too large to be read into memory.
//!
//! The content goes to a file without a name, since what it is may be said only after it. When the rest of
//! the call is checked, the content is read from the file, decoded and stored.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::answer_rpc::{RpcAnswer, RpcOutcome, Upload, UploadPart, UploadRefusal};
use super::blobs::{BLOB_BYTES_MAX, BlobOwner, Blobs, internal};
use super::content_scanner::{ContentScanner, ScanError};
use super::envelope::{self, Message, RpcCall, RpcRequest};
use super::parameters;
use super::scope::check_scope;
use super::skills_protocol::{SkillsProtocol, owner};
use super::upload_slots::UploadSlots;
use crate::caller::Caller;
use crate::roster::FamilyMask;
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::{
    BlobCreated, CreateBlob, ProtocolMethod, RpcCode, RpcError, RpcReason,
};
use dibber_skill::names::Roster;
use dibber_text::Mask;

/// The most bytes of a content in its file: base64 is a third longer than what it encodes.
const CONTENT_BYTES_MAX: u64 = BLOB_BYTES_MAX / 3 * 4 + 4;

/// The most bytes that are written or read at once.
const PIECE_BYTES: usize = 256 << 10;

/// The parts that have arrived and are not written yet.
const PARTS_MAX: usize = 8;

/// Why there is no answer to a message.
enum UploadError {
    /// It is no call of `create_blob`, so that it is too large.
    TooLarge,
    /// It ended before its end.
    Cut,
    Io(io::Error),
}

impl From<io::Error> for UploadError {
    fn from(cause: io::Error) -> Self {
        Self::Io(cause)
    }
}

/// What a call needs that is not in it.
struct Receiver {
    blobs: Blobs,
    owner: BlobOwner,
    roster: Roster,
}

impl SkillsProtocol {
    /// Begins a call whose parts arrive one after another.
    pub(super) async fn begin(
        &self,
        caller: &Caller,
        token: Option<&[u8; 32]>,
    ) -> Result<Upload, UploadRefusal> {
        check_scope(caller, ProtocolMethod::CreateBlob).map_err(|_| UploadRefusal::TooLarge)?;
        let owner = owner(caller, token);
        let slot = UploadSlots::acquire(&self.uploads, &owner).ok_or(UploadRefusal::Busy)?;
        let roster = self.server.roster(caller.family.clone()).await;
        let roster = roster.map_err(|failure| {
            internal(failure);
            UploadRefusal::Failed
        })?;
        let receiver = Receiver { blobs: self.blobs.clone(), owner, roster };
        let (sender, parts) = mpsc::channel(PARTS_MAX);
        // The file is on the same disk as the blobs.
        let directory = self.data.clone();
        let work = spawn_blocking(move || {
            let _slot = slot;
            let message = tempfile::tempfile_in(directory).map_err(UploadError::from);
            let message = message.and_then(|file| receive(file, parts));
            match message.and_then(|(rest, content)| receiver.answer(&rest, content)) {
                Ok(answer) => Some(answer),
                Err(UploadError::TooLarge | UploadError::Cut) => None,
                Err(UploadError::Io(cause)) => {
                    Some(to_all(&internal(format_args!("a large blob was not stored: {cause}"))))
                }
            }
        });
        let answer = work.map(|done| done.unwrap_or_else(|cause| Some(to_all(&internal(cause)))));
        Ok(Upload { parts: sender, answer: answer.boxed() })
    }
}

/// Writes the content into a file; returns the rest of the message, and the file.
fn receive(
    mut file: File,
    mut parts: mpsc::Receiver<UploadPart>,
) -> Result<(Vec<u8>, Option<File>), UploadError> {
    let (mut scanner, mut content) = (ContentScanner::default(), Vec::new());
    let mut bytes = 0;
    loop {
        match parts.blocking_recv() {
            None => return Err(UploadError::Cut),
            Some(UploadPart::End) => {
                file.write_all(&content)?;
                file.rewind()?;
                return Ok((scanner.finish(), Some(file)));
            }
            Some(UploadPart::Bytes(part)) => {
                let before = content.len();
                match scanner.add(&part, &mut content) {
                    Ok(()) => {}
                    Err(ScanError::TooLarge) => return Err(UploadError::TooLarge),
                    // It is read to its end, as every message is that is answered.
                    Err(ScanError::NotAString) => return ignore(parts),
                }
                bytes += (content.len() - before) as u64;
                if bytes > CONTENT_BYTES_MAX {
                    return Err(UploadError::TooLarge);
                }
                if content.len() >= PIECE_BYTES {
                    file.write_all(&content)?;
                    content.clear();
                }
            }
        }
    }
}

/// Waits for the end of a message that is not JSON.
fn ignore(mut parts: mpsc::Receiver<UploadPart>) -> Result<(Vec<u8>, Option<File>), UploadError> {
    loop {
        match parts.blocking_recv() {
            None => return Err(UploadError::Cut),
            Some(UploadPart::End) => return Ok((Vec::new(), None)),
            Some(UploadPart::Bytes(_)) => {}
        }
    }
}

impl Receiver {
    /// Answers a message without its content, which is in a file; none if it is not a string.
    fn answer(self, rest: &[u8], content: Option<File>) -> Result<RpcAnswer, UploadError> {
        let Some(content) = content else {
            let message = "the body is not JSON: `content` is not a valid string";
            let help = "escape control characters, and write surrogates in pairs";
            let error = RpcError::new(RpcCode::ParseError, RpcReason::NotJson, message, help);
            return Ok(to_all(&error));
        };
        let call = match envelope::parse(rest) {
            Err(error) => return Ok(to_all(&error)),
            Ok(Message::Single(RpcRequest::Call(call))) => call,
            Ok(Message::Single(RpcRequest::Invalid { id, error })) => {
                return Ok(answered(id, Err(&error)));
            }
            Ok(Message::Batch(_)) => return Err(UploadError::TooLarge),
        };
        if ProtocolMethod::from_name(&call.method) != Some(ProtocolMethod::CreateBlob) {
            return Err(UploadError::TooLarge);
        }
        let Some(id) = call.id else {
            let code = RpcReason::NotificationRefused.name();
            let outcome = RpcOutcome { method: ProtocolMethod::CreateBlob.name(), code };
            return Ok(RpcAnswer { json: None, outcome });
        };
        let created = self.create(&call, content);
        Ok(answered(id, created.as_ref()))
    }

    fn create(self, call: &RpcCall<'_>, mut content: File) -> Result<BlobCreated, RpcError> {
        let method = ProtocolMethod::CreateBlob;
        let mask = FamilyMask { roster: &self.roster };
        let parameters = parameters::check(method, call.parameters()?)
            .map_err(|found| parameters::invalid(method, found, &mask))?;
        let CreateBlob { mime, encoding, .. } = parameters.parse()?;
        let mut blob = self.blobs.begin(self.owner, &mime, encoding.unwrap_or_default())?;
        let mut piece = vec![0; PIECE_BYTES];
        loop {
            let read = content
                .read(&mut piece)
                .map_err(|cause| internal(format_args!("a large blob was not read: {cause}")))?;
            if read == 0 {
                break;
            }
            blob.write(&piece[..read])?;
        }
        let mut created = blob.finish()?;
        let warnings = parameters.warnings.iter().map(|warning| mask.mask(warning).into_owned());
        created.warnings.extend(warnings);
        Ok(created)
    }
}

fn answered(id: &str, created: Result<&BlobCreated, &RpcError>) -> RpcAnswer {
    let method = ProtocolMethod::CreateBlob.name();
    let (json, code) = match created {
        Ok(created) => {
            let created = serde_json::to_string(created).expect("a result has string keys");
            (envelope::answer(id, Ok(&created)), "OK")
        }
        Err(error) => {
            let reason = error.reason().unwrap_or(RpcReason::Internal);
            (envelope::answer(id, Err(error)), reason.name())
        }
    };
    RpcAnswer { json: Some(json), outcome: RpcOutcome { method, code } }
}

fn to_all(error: &RpcError) -> RpcAnswer {
    answered("null", Err(error))
}
