//! Whether what a server has sent is the blob, or the part of it, that was asked for: nothing else is
//! saved under its name.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use dibber_client::skills_protocol::RemoteBlob;
use dibber_text::{Message, message, quote_in_full};

/// The most bytes that a part of a UTF-8 blob may be shorter: it ends between two characters.
const CHARACTER_BYTES_MAX: u64 = 3;

/// Returns an error unless it is certain that a blob is whole.
pub(super) fn check_whole(blob: &RemoteBlob) -> Result<(), CommandError> {
    let sent = blob.bytes.len();
    let message = match blob.size_bytes {
        Some(size) if blob.is_truncated && size == sent as u64 => {
            message![
                "the server says that there is more of a blob of ",
                size,
                " bytes, all of which it sent"
            ]
        }
        _ if blob.is_truncated => return Err(incomplete(blob)),
        Some(size) if size != sent as u64 => {
            message!["the server sends ", sent, " bytes of a blob of ", size, " bytes"]
        }
        None if blob.is_preview => {
            "the server sends a preview of the blob, and does not say whether it is all of it"
                .into()
        }
        _ => return Ok(()),
    };
    let help = if blob.is_preview {
        "it sends only a preview, in which bytes that are not text may be replaced; `--head BYTES` \
         prints it"
    } else {
        "`--head BYTES` prints what it sends"
    };
    Err(CommandError::new(message).help(help).exit(Exit::Failed))
}

/// Returns an error unless a blob is its beginning or end of so many bytes, or all of it if it has
/// fewer.
pub(super) fn check_part(blob: &RemoteBlob, requested: u64) -> Result<(), CommandError> {
    let sent = blob.bytes.len() as u64;
    let is_text = std::str::from_utf8(&blob.bytes).is_ok();
    let expected = match blob.size_bytes {
        Some(size) => size.min(requested),
        None if blob.is_truncated => requested,
        None => sent.min(requested),
    };
    let spare = if is_text && expected == requested { CHARACTER_BYTES_MAX } else { 0 };
    let is_whole = blob.size_bytes == Some(sent);
    let has_replaced = blob.is_preview && String::from_utf8_lossy(&blob.bytes).contains('\u{FFFD}');
    let message = if sent > expected || sent + spare < expected || (sent == 0 && expected > 0) {
        let mut message = message![
            "the server sends ",
            sent,
            " bytes of the blob, and ",
            expected,
            " were asked for"
        ];
        push_problem(&mut message, blob);
        message
    } else if has_replaced && !is_whole {
        "the server sends a preview of the blob, in which bytes that are not text are replaced"
            .into()
    } else {
        return Ok(());
    };
    let help = "nothing is saved; without `--output`, what it sends is printed";
    Err(CommandError::new(message).help(help).exit(Exit::Failed))
}

/// Returns what is wrong if the server has sent another blob.
pub(super) fn other_blob(blob: &RemoteBlob, requested: &str) -> Option<Message> {
    let is_other = !blob.is_of(requested);
    is_other
        .then(|| message!["the server has sent another blob, `", quote_in_full(&blob.blob_id), "`"])
}

/// Returns the error of a blob of which a server does not send all.
fn incomplete(blob: &RemoteBlob) -> CommandError {
    let sent = blob.bytes.len();
    let mut message = match blob.size_bytes {
        Some(size) => {
            message!["the server sends only ", sent, " of the ", size, " bytes of the blob"]
        }
        None => message!["the server sends only ", sent, " bytes of the blob"],
    };
    push_problem(&mut message, blob);
    CommandError::new(message)
        .help("`--head BYTES` and `--tail BYTES` read a part of it")
        .exit(Exit::Failed)
}

fn push_problem(message: &mut Message, blob: &RemoteBlob) {
    if let Some(problem) = &blob.problem {
        message.push(message![": ", quote_in_full(problem)]);
    }
}
