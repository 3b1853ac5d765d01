//! The standard output of a server that is a program, in which an answer that cannot be parsed is
//! replaced by an error.
//!
//! `rmcp` drops a line that is not JSON, such as one with half of a surrogate pair or with the number
//! `1e400`: its request would be waited for until the timeout. Every line is parsed once more for
//! this, as only the parser knows what it refuses.

use std::io;

use rmcp::model::ErrorCode as RpcCode;
use rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
use serde_json::{Deserializer, Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream,
};

/// The code of the error that replaces an answer. No server has a reason to send it.
pub(super) const UNREADABLE_ANSWER: RpcCode = RpcCode(i32::MIN);
/// The most bytes that are read before they are taken (64 KiB).
const BUFFER_BYTES: usize = 64 << 10;
/// The most bytes of a line that is parsed; `rmcp` drops longer ones.
const LINE_BYTES_MAX: u64 = DEFAULT_MAX_LINE_LENGTH as u64;
/// What a line may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Returns the output of a program with its unreadable answers replaced. It ends with the program's.
pub(super) fn readable(output: impl AsyncRead + Send + Unpin + 'static) -> DuplexStream {
    let (to, from) = tokio::io::duplex(BUFFER_BYTES);
    tokio::spawn(async move {
        // Whether nothing more is written or nothing more is read, the other side ends, too.
        drop(pass_on(output, to).await);
    });
    from
}

async fn pass_on(
    output: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut output).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        match replacement(&line) {
            Some(error) => to.write_all(format!("{error}\n").as_bytes()).await?,
            None => to.write_all(&line).await?,
        }
    }
}

/// Returns the error that replaces a line, if that is an answer which cannot be parsed.
fn replacement(line: &[u8]) -> Option<Value> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let cause = serde_json::from_slice::<Value>(line).err()?;
    let id = answered_id(line)?;
    let message = format!("its answer to request {id} cannot be parsed: {cause}");
    let error = json!({"code": UNREADABLE_ANSWER.0, "message": message});
    Some(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}

/// Returns the id of the request that a line answers, by its outermost keys alone. None if it is a
/// request or a notification.
fn answered_id(line: &[u8]) -> Option<Value> {
    let (mut at, mut depth, mut id, mut is_answer) = (0, 0_usize, None, false);
    while let Some(byte) = line.get(at) {
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                // The rest of a line that was cut off has no more keys.
                let Some(string) = string_at(line, at) else { break };
                at += string.len();
                let rest = line[at..].trim_ascii_start();
                if let (1, Some(value)) = (depth, rest.strip_prefix(b":")) {
                    match string {
                        br#""method""# => return None,
                        br#""result""# | br#""error""# => is_answer = true,
                        br#""id""# => id = first_value(value),
                        _ => {}
                    }
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    id.filter(|id| is_answer && (id.is_number() || id.is_string()))
}

/// Returns the string that begins here, with its quotes.
fn string_at(line: &[u8], start: usize) -> Option<&[u8]> {
    let mut end = start + 1;
    loop {
        match line.get(end)? {
            b'"' => return line.get(start..=end),
            b'\\' => end += 2,
            _ => end += 1,
        }
    }
}

fn first_value(json: &[u8]) -> Option<Value> {
    Deserializer::from_slice(json).into_iter().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(line: &str) -> Option<String> {
        Some(replacement(line.as_bytes())?["error"]["message"].as_str()?.to_owned())
    }

    #[test]
    fn an_answer_that_cannot_be_parsed_is_replaced() {
        for (line, expected) in [
            (
                r#"{"result": {"x": 1e400}, "id": 7}"#,
                "request 7 cannot be parsed: number out of range",
            ),
            (r#"{"id":"a\"b","result":"\ud800"}"#, r#"request "a\"b" cannot be parsed: "#),
            (r#"{"id":1,"error":{"id":2,"message":NaN}}"#, "request 1 cannot be parsed: expected"),
            (r#"{"id":3,"result":{"text":"cut"#, "request 3 cannot be parsed: EOF"),
        ] {
            let message = message(line).expect(line);
            assert!(message.contains(expected), "{message}");
        }
    }

    #[test]
    fn every_other_line_remains() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "\u{FEFF}{\"id\":1,\"result\":{}}\r\n",
            r#"{"id":1,"method":"ping","params":1e400,"result":1}"#,
            r#"{"params":{"id":1,"result":1},"x":1e400}"#,
            r#"{"id":null,"result":1e400}"#,
            r#"{"id":1e400,"result":1}"#,
            "starting {\"id\":1",
            "\n",
        ] {
            assert_eq!(message(line), None, "{line}");
        }
    }
}
