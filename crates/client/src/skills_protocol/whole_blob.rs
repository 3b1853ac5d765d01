//! Reading a whole blob, or a long beginning of it, in parts if a server sends only a part at a time.

use super::answers::RemoteBlob;
use super::client::SkillsProtocolClient;
use crate::error::ClientError;
use crate::rpc_refusal::RpcRefusal;
use dibber_skill::contract::skills_protocol::{BlobMode, ReadBlob, RpcReason};

/// The most parts of a blob.
const PARTS_MAX: usize = 10_000;
/// The most bytes of a blob that is read in parts (512 MiB).
const BYTES_MAX: usize = 512 << 20;

impl SkillsProtocolClient {
    /// Reads a whole blob. It remains truncated if the server does not send the rest: the parameter
    /// `offset` is one of dibber, which other servers ignore or refuse.
    pub async fn read_whole_blob(&self, blob_id: &str) -> Result<RemoteBlob, ClientError> {
        self.read_in_parts(blob_id, BlobMode::Full, None).await
    }

    /// Reads at most so many bytes of the beginning of a blob. There are fewer if the server does not
    /// send them.
    pub async fn read_blob_head(
        &self,
        blob_id: &str,
        bytes: u64,
    ) -> Result<RemoteBlob, ClientError> {
        self.read_in_parts(blob_id, BlobMode::SampleHead, Some(bytes)).await
    }

    async fn read_in_parts(
        &self,
        blob_id: &str,
        mode: BlobMode,
        bytes_max: Option<u64>,
    ) -> Result<RemoteBlob, ClientError> {
        let blob_id = blob_id.to_owned();
        let mut call = ReadBlob { blob_id, mode: Some(mode), max_bytes: bytes_max, offset: None };
        let mut whole = self.read_blob(&call).await?;
        let mut is_offset_known = false;
        for _ in 0..PARTS_MAX {
            let length = whole.bytes.len() as u64;
            let is_enough = !whole.is_truncated || bytes_max.is_some_and(|max| length >= max);
            if is_enough || !whole.is_part(mode) || length == 0 {
                break;
            }
            (call.offset, call.max_bytes) = (Some(length), bytes_max.map(|max| max - length));
            let part = match self.part(&call).await? {
                Ok(part) => part,
                Err(refusal) => {
                    whole.problem = Some(format!("it refuses to send the rest: {refusal}"));
                    break;
                }
            };
            if !is_offset_known && begin_alike(&whole, &part) {
                is_offset_known = self.knows_offset(&call, whole.size_bytes).await?;
                if !is_offset_known {
                    break;
                }
            }
            if let Some(problem) = part_problem(&call, &whole, &part) {
                whole.problem = Some(problem);
                break;
            }
            if part.bytes.is_empty() {
                break;
            }
            if whole.bytes.len() + part.bytes.len() > BYTES_MAX {
                let message = format!("the blob is larger than {BYTES_MAX} bytes");
                return Err(ClientError::Protocol(message));
            }
            whole.bytes.extend(part.bytes);
            whole.is_truncated = part.is_truncated;
        }
        Ok(whole)
    }

    /// Reads a part; the refusal if it is the parameter that the server refuses.
    async fn part(
        &self,
        call: &ReadBlob,
    ) -> Result<Result<RemoteBlob, Box<RpcRefusal>>, ClientError> {
        match self.read_blob(call).await {
            Err(ClientError::RpcRefused(refusal)) if is_of_parameter(&refusal) => Ok(Err(refusal)),
            read => read.map(Ok),
        }
    }

    /// Returns `true` if a server does not ignore `offset`: nothing is behind the end of a blob.
    async fn knows_offset(&self, call: &ReadBlob, size: Option<u64>) -> Result<bool, ClientError> {
        let Some(size) = size else { return Ok(false) };
        let behind = self.part(&ReadBlob { offset: Some(size), ..call.clone() }).await?;
        Ok(behind.map_or(true, |behind| behind.bytes.is_empty()))
    }
}

/// Returns what is wrong with a part if it is not the one after those that were read.
fn part_problem(call: &ReadBlob, whole: &RemoteBlob, part: &RemoteBlob) -> Option<String> {
    let offset = whole.bytes.len();
    let size = |blob: &RemoteBlob| {
        blob.size_bytes.map_or_else(|| "unknown".to_owned(), |size| size.to_string())
    };
    if !part.is_of(&call.blob_id) {
        return Some(format!("the part at {offset} is of another blob, `{}`", part.blob_id));
    }
    if !call.mode.is_none_or(|mode| part.is_part(mode)) {
        return Some(format!("the part at {offset} is not the one that was asked for"));
    }
    if part.size_bytes != whole.size_bytes {
        return Some(format!(
            "its size changes from {} to {} at the part at {offset}",
            size(whole),
            size(part)
        ));
    }
    if part.mime.is_some() && part.mime != whole.mime {
        return Some(format!("its type changes at the part at {offset}"));
    }
    let end = (offset + part.bytes.len()) as u64;
    let is_too_long = part.size_bytes.is_some_and(|size| end > size);
    is_too_long.then(|| format!("its parts have {end} bytes, and its size is {}", size(whole)))
}

/// Returns `true` if a part may be the beginning of the blob once more.
fn begin_alike(whole: &RemoteBlob, part: &RemoteBlob) -> bool {
    let bytes = whole.bytes.len().min(part.bytes.len());
    whole.bytes[..bytes] == part.bytes[..bytes]
}

fn is_of_parameter(refusal: &RpcRefusal) -> bool {
    refusal.is_before_effect()
        && refusal.reason().is_none_or(|reason| matches!(reason, RpcReason::InvalidParams))
}
