//! The standard output of a server that is a program, in which an answer that cannot be parsed is
//! replaced by an error.
//!
//! `rmcp` drops a line that is not JSON, such as one with half of a surrogate pair or with the number
//! `1e400`, one that is not as in JSON-RPC, and one that is too long: its request would be waited for
//! until the timeout. Every line is parsed once more for this, as only the parser knows what it refuses.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use rmcp::model::{ErrorCode as RpcCode, ServerJsonRpcMessage};
use rmcp::transport::async_rw::DEFAULT_MAX_LINE_LENGTH;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
    DuplexStream, ReadBuf,
};
use tokio::task::AbortHandle;

use super::outermost::Outermost;

/// The code of the error that replaces an answer. No server has a reason to send it.
pub(super) const UNREADABLE_ANSWER: RpcCode = RpcCode(i32::MIN);
/// The most bytes that are read before they are taken (64 KiB).
const BUFFER_BYTES: usize = 64 << 10;
/// The most bytes of a line that is parsed; `rmcp` drops longer ones.
const LINE_BYTES_MAX: usize = DEFAULT_MAX_LINE_LENGTH;
/// What is said of an answer that has more than [`LINE_BYTES_MAX`].
const LONGER: &str = "is longer than 16 MiB";
/// What a line may begin with.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The output of a program with its unreadable answers replaced. It ends with the program's.
pub(super) struct ReadableOutput {
    from: DuplexStream,
    task: AbortHandle,
}

impl ReadableOutput {
    pub(super) fn new(output: impl AsyncRead + Send + Unpin + 'static) -> Self {
        let (to, from) = tokio::io::duplex(BUFFER_BYTES);
        let task = tokio::spawn(async move {
            // An error ends it as the end of the output does.
            drop(pass_on(output, to).await);
        });
        Self { from, task: task.abort_handle() }
    }
}

/// An idle program, or one that it has started and left behind, writes nothing that would show that
/// nothing is read.
impl Drop for ReadableOutput {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl AsyncRead for ReadableOutput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.from).poll_read(context, buffer)
    }
}

async fn pass_on(
    output: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        if read_part(&mut output, &mut line).await? == 0 {
            return Ok(());
        }
        let error = if is_cut_off(&line) {
            let mut outermost = Outermost::default();
            while is_cut_off(&line) {
                outermost.read(&line);
                line.clear();
                read_part(&mut output, &mut line).await?;
            }
            outermost.read(&line);
            // `rmcp` would drop it.
            line.clear();
            outermost.answered_id().map(|id| error(&id, LONGER))
        } else {
            replacement(&line)
        };
        match error {
            Some(error) => to.write_all(format!("{error}\n").as_bytes()).await?,
            None => to.write_all(&line).await?,
        }
    }
}

/// Appends a line, or as much of it as is parsed, and returns the number of bytes.
async fn read_part(
    output: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
) -> io::Result<usize> {
    output.take(LINE_BYTES_MAX as u64).read_until(b'\n', line).await
}

/// Returns `true` if the line is longer than what was read of it.
fn is_cut_off(line: &[u8]) -> bool {
    line.len() >= LINE_BYTES_MAX && !line.ends_with(b"\n")
}

/// Returns the error that replaces a line, if that is an answer which cannot be parsed.
fn replacement(line: &[u8]) -> Option<Value> {
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let cause = serde_json::from_slice::<ServerJsonRpcMessage>(line).err()?;
    let mut outermost = Outermost::default();
    outermost.read(line);
    let id = outermost.answered_id()?;
    // What the parser says of a message of another shape names its own types.
    let problem = match serde_json::from_slice::<IgnoredAny>(line) {
        Ok(_) if cause.is_data() => "is not as in JSON-RPC 2.0".to_owned(),
        _ => format!("cannot be parsed: {cause}"),
    };
    Some(error(&id, &problem))
}

/// Returns the error that replaces the answer to a request.
fn error(id: &Value, problem: &str) -> Value {
    let message = format!("its answer to request {id} {problem}");
    let error = json!({"code": UNREADABLE_ANSWER.0, "message": message});
    json!({"jsonrpc": "2.0", "id": id, "error": error})
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

    /// Returns what is read of an output.
    async fn read(output: Vec<u8>) -> String {
        let mut text = String::new();
        ReadableOutput::new(io::Cursor::new(output))
            .read_to_string(&mut text)
            .await
            .expect("UTF-8");
        text
    }

    #[tokio::test]
    async fn an_answer_that_is_too_long_is_replaced_wherever_its_id_is() {
        let long = "x".repeat(DEFAULT_MAX_LINE_LENGTH);
        let last = r#"{"jsonrpc":"2.0","id":8,"result":{}}"#;
        let expected = "its answer to request 7 is longer than 16 MiB";
        for line in [
            format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"id":6,"text":"{long}"}}}}"#),
            format!(r#"{{"jsonrpc":"2.0","result":{{"text":"{long}","id":6}},"id":7}}"#),
            format!(r#"{{"error":{{"code":1,"message":"\"]"}},"x":"{long}\"","id":7}}"#),
        ] {
            let text = read(format!("{line}\n{last}\n").into_bytes()).await;
            let lines: Vec<_> = text.lines().collect();
            assert!(lines.len() == 2 && lines[0].contains(expected), "{:.300}", lines[0]);
            assert_eq!(lines[1], last);
        }
        for other in [format!(r#"{{"id":7,"method":"x","params":"{long}"}}"#), long] {
            assert_eq!(read(format!("{other}\n{last}\n").into_bytes()).await, format!("{last}\n"));
        }
    }

    #[tokio::test]
    async fn an_idle_program_is_not_read_after_its_reader_is_gone() {
        let (output, mut program) = tokio::io::duplex(1);
        drop(ReadableOutput::new(output));
        assert_eq!(program.read(&mut [0]).await.expect("a pipe"), 0);
    }

    #[test]
    fn an_answer_of_another_shape_is_replaced() {
        for line in [
            r#"{"jsonrpc":"2.0","id":7,"error":{"message":"x"}}"#,
            r#"{"jsonrpc":"2.0","id":7,"error":"x"}"#,
            r#"{"id":7,"result":{}}"#,
        ] {
            let message = message(line).expect(line);
            assert!(message.contains("its answer to request 7 is not as in JSON-RPC"), "{message}");
        }
    }

    #[test]
    fn every_other_line_remains() {
        for line in [
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n",
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
