//! Reading a whole blob, in parts if a server sends only its beginning.

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
        let mut call = ReadBlob {
            blob_id: blob_id.to_owned(),
            mode: Some(BlobMode::Full),
            max_bytes: None,
            offset: None,
        };
        let mut whole = self.read_blob(&call).await?;
        let mut is_offset_known = false;
        for _ in 0..PARTS_MAX {
            if !whole.is_truncated || !whole.is_part(BlobMode::Full) || whole.bytes.is_empty() {
                break;
            }
            call.offset = Some(whole.bytes.len() as u64);
            let Some(part) = self.part(&call).await? else { break };
            if !is_offset_known && begin_alike(&whole, &part) {
                is_offset_known = self.knows_offset(&call, whole.size_bytes).await?;
                if !is_offset_known {
                    break;
                }
            }
            let is_next = part.is_part(BlobMode::Full)
                && part.size_bytes == whole.size_bytes
                && !part.bytes.is_empty();
            if !is_next {
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

    /// Reads a part; none if the server refuses the parameter.
    async fn part(&self, call: &ReadBlob) -> Result<Option<RemoteBlob>, ClientError> {
        match self.read_blob(call).await {
            Err(ClientError::RpcRefused(refusal)) if is_of_parameter(&refusal) => Ok(None),
            read => read.map(Some),
        }
    }

    /// Returns `true` if a server does not ignore `offset`: nothing is behind the end of a blob.
    async fn knows_offset(&self, call: &ReadBlob, size: Option<u64>) -> Result<bool, ClientError> {
        let Some(size) = size else { return Ok(false) };
        let behind = self.part(&ReadBlob { offset: Some(size), ..call.clone() }).await?;
        Ok(behind.is_none_or(|behind| behind.bytes.is_empty()))
    }
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
