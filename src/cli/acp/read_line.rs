//! Reading lines that may be of any length.

use std::io::{self, BufRead, Write};

/// How a line was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// All of it is in the buffer, with its end if it has one.
    Whole,
    /// The buffer is full, and the line goes on.
    Long,
    /// There was nothing more.
    End,
}

/// Reads a line of at most `max` bytes into an empty buffer, or the first ones of a longer line.
pub(super) fn read_line(
    reader: &mut impl BufRead,
    buffer: &mut Vec<u8>,
    max: usize,
) -> io::Result<LineEnd> {
    buffer.clear();
    loop {
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok(if buffer.is_empty() { LineEnd::End } else { LineEnd::Whole });
        }
        let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let wanted = end.unwrap_or(available.len());
        if buffer.len() + wanted > max {
            let taken = max - buffer.len();
            buffer.extend_from_slice(&available[..taken]);
            reader.consume(taken);
            return Ok(LineEnd::Long);
        }
        buffer.extend_from_slice(&available[..wanted]);
        reader.consume(wanted);
        if end.is_some() {
            return Ok(LineEnd::Whole);
        }
    }
}

/// Copies the rest of a line, with its end.
pub(super) fn copy_line(reader: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
    loop {
        let available = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            return Ok(());
        }
        let end = available.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let wanted = end.unwrap_or(available.len());
        out.write_all(&available[..wanted])?;
        reader.consume(wanted);
        if end.is_some() {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_comes_in_two_parts() {
        let mut input = io::BufReader::with_capacity(3, &b"ab\nabcdefgh\n\nx"[..]);
        let (mut buffer, mut rest) = (Vec::new(), Vec::new());
        let mut read = |rest: &mut Vec<u8>| {
            let end = read_line(&mut input, &mut buffer, 4).expect("bytes");
            if end == LineEnd::Long {
                copy_line(&mut input, rest).expect("bytes");
            }
            (end, String::from_utf8(buffer.clone()).expect("UTF-8"))
        };
        assert_eq!(read(&mut rest), (LineEnd::Whole, "ab\n".to_owned()));
        assert_eq!(read(&mut rest), (LineEnd::Long, "abcd".to_owned()));
        assert_eq!(rest, b"efgh\n");
        assert_eq!(read(&mut rest), (LineEnd::Whole, "\n".to_owned()));
        assert_eq!(read(&mut rest), (LineEnd::Whole, "x".to_owned()));
        assert_eq!(read(&mut rest), (LineEnd::End, String::new()));
    }
}
