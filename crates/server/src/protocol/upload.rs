//! Calls of `create_blob` that are too large to be read into memory.
//!
//! The content goes to a file without a name, since its encoding may be named only after it. When the rest of
//! the call is checked, the content is read from the file, decoded and stored. One for which the token has no
//! room is not written, but read to its end, so that the call is answered.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::answer_rpc::{RpcAnswer, Upload, UploadPart, UploadRefusal};
use super::blobs::{BlobOwner, BlobRoom, Blobs, internal};
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

/// The only method whose calls may be so large.
const METHOD: ProtocolMethod = ProtocolMethod::CreateBlob;

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

/// The content of a message.
#[derive(Debug)]
enum Content {
    /// In a file.
    File(File),
    /// There is no room for it.
    Refused(RpcError),
    /// It is not a string of JSON.
    Invalid,
}

/// The file of a content that arrives, as long as there is room for it.
struct ContentFile {
    file: Option<File>,
    bytes: u64,
    room: BlobRoom,
}

impl ContentFile {
    fn create(directory: &Path, room: Result<BlobRoom, RpcError>) -> io::Result<Self> {
        Ok(match room {
            Ok(room) => Self { file: Some(tempfile::tempfile_in(directory)?), bytes: 0, room },
            Err(refusal) => Self { file: None, bytes: 0, room: BlobRoom { bytes_max: 0, refusal } },
        })
    }

    /// Moves a piece of the content into the file.
    fn add(&mut self, piece: &mut Vec<u8>) -> io::Result<()> {
        self.bytes += piece.len() as u64;
        // Base64 is a third longer than what it encodes.
        if self.bytes > self.room.bytes_max / 3 * 4 + 4 {
            self.file = None;
        }
        if let Some(file) = &mut self.file {
            file.write_all(piece)?;
        }
        piece.clear();
        Ok(())
    }

    fn finish(self) -> io::Result<Content> {
        Ok(match self.file {
            Some(mut file) => {
                file.rewind()?;
                Content::File(file)
            }
            None => Content::Refused(self.room.refusal),
        })
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
        check_scope(caller, METHOD).map_err(|_| UploadRefusal::TooLarge)?;
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
            let message = receive(&directory, receiver.blobs.room(&receiver.owner), parts);
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

/// Writes the content into a file in a directory, as far as there is room for it; returns the rest of the
/// message, and the content.
fn receive(
    directory: &Path,
    room: Result<BlobRoom, RpcError>,
    mut parts: mpsc::Receiver<UploadPart>,
) -> Result<(Vec<u8>, Content), UploadError> {
    let mut content = ContentFile::create(directory, room)?;
    let (mut scanner, mut piece) = (ContentScanner::default(), Vec::new());
    loop {
        match parts.blocking_recv() {
            None => return Err(UploadError::Cut),
            Some(UploadPart::End) => {
                content.add(&mut piece)?;
                return Ok((scanner.finish(), content.finish()?));
            }
            Some(UploadPart::Bytes(part)) => match scanner.add(&part, &mut piece) {
                Ok(()) if piece.len() < PIECE_BYTES => {}
                Ok(()) => content.add(&mut piece)?,
                Err(ScanError::TooLarge) => return Err(UploadError::TooLarge),
                // It is read to its end, as every message is that is answered.
                Err(ScanError::NotAString) => return ignore(parts),
            },
        }
    }
}

/// Waits for the end of a message that is not JSON.
fn ignore(mut parts: mpsc::Receiver<UploadPart>) -> Result<(Vec<u8>, Content), UploadError> {
    loop {
        match parts.blocking_recv() {
            None => return Err(UploadError::Cut),
            Some(UploadPart::End) => return Ok((Vec::new(), Content::Invalid)),
            Some(UploadPart::Bytes(_)) => {}
        }
    }
}

impl Receiver {
    /// Answers a message without its content.
    fn answer(self, rest: &[u8], content: Content) -> Result<RpcAnswer, UploadError> {
        if matches!(content, Content::Invalid) {
            let message = "the body is not JSON: `content` is not a valid string";
            let help = "escape control characters, and write surrogates in pairs";
            let error = RpcError::new(RpcCode::ParseError, RpcReason::NotJson, message, help);
            return Ok(to_all(&error));
        }
        let call = match envelope::parse(rest) {
            Err(error) => return Ok(to_all(&error)),
            Ok(Message::Single(RpcRequest::Call(call))) => call,
            Ok(Message::Single(RpcRequest::Invalid { id, error })) => {
                return Ok(RpcAnswer::to_call(id, METHOD.name(), Err(&error)));
            }
            Ok(Message::Batch(_)) => return Err(UploadError::TooLarge),
        };
        if ProtocolMethod::from_name(&call.method) != Some(METHOD) {
            return Err(UploadError::TooLarge);
        }
        let Some(id) = call.id else { return Ok(RpcAnswer::to_notification(METHOD.name())) };
        let created = self.create(&call, content);
        let created = created
            .map(|created| serde_json::to_string(&created).expect("a result has string keys"));
        Ok(RpcAnswer::to_call(id, METHOD.name(), created.as_deref()))
    }

    fn create(self, call: &RpcCall<'_>, content: Content) -> Result<BlobCreated, RpcError> {
        let mask = FamilyMask { roster: &self.roster };
        let parameters = parameters::check(METHOD, call.parameters()?)
            .map_err(|found| parameters::invalid(METHOD, found, &mask))?;
        let mut content = match content {
            Content::File(file) => file,
            Content::Refused(refusal) => return Err(refusal),
            Content::Invalid => unreachable!("it is answered already"),
        };
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

fn to_all(error: &RpcError) -> RpcAnswer {
    RpcAnswer::to_all(METHOD.name(), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Receives a message of two parts, of which the first one ends in the content.
    fn received(room: Result<BlobRoom, RpcError>, content: &str) -> (String, Content) {
        let directory = tempfile::tempdir().expect("a directory");
        let (sender, parts) = mpsc::channel(PARTS_MAX);
        let message = format!(r#"{{"params":{{"content":"{content}","kind":"a/b"}}}}"#);
        let (first, second) = message.split_at(30);
        for part in [first, second] {
            let part = UploadPart::Bytes(part.to_owned().into());
            assert!(sender.try_send(part).is_ok());
        }
        assert!(sender.try_send(UploadPart::End).is_ok());
        let (rest, content) = receive(directory.path(), room, parts).ok().expect("it is whole");
        (String::from_utf8(rest).expect("UTF-8"), content)
    }

    fn refusal(reason: RpcReason) -> RpcError {
        RpcError::invalid(reason, "there is no room", "wait")
    }

    #[test]
    fn a_content_without_room_is_read_and_not_kept() {
        let room = |bytes_max| BlobRoom { bytes_max, refusal: refusal(RpcReason::BlobTooLarge) };
        let long = "A".repeat(PIECE_BYTES * 3);
        for (room, content, reason) in [
            (Ok(room(300)), "AAAA".repeat(100), None),
            (Ok(room(300)), "AAAA".repeat(102), Some(RpcReason::BlobTooLarge)),
            (Ok(room(300)), long.clone(), Some(RpcReason::BlobTooLarge)),
            (Err(refusal(RpcReason::QuotaExceeded)), long, Some(RpcReason::QuotaExceeded)),
        ] {
            let (rest, found) = received(room, &content);
            assert_eq!(rest, r#"{"params":{"content":"","kind":"a/b"}}"#);
            match (found, reason) {
                (Content::File(mut file), None) => {
                    let mut kept = String::new();
                    file.read_to_string(&mut kept).expect("UTF-8");
                    assert_eq!(kept, content);
                }
                (Content::Refused(error), reason) => assert_eq!(error.reason(), reason),
                (found, reason) => panic!("{found:?}, {reason:?}"),
            }
        }
    }
}
