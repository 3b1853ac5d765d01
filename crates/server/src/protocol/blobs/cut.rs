//! Cutting UTF-8 between characters.

/// Returns where the longest beginning of a string ends that has at most so many bytes. Of the text,
/// at least one byte more has to be given, if it has more.
pub(super) fn head_end(text: &[u8], bytes_max: usize) -> usize {
    let mut end = bytes_max.min(text.len());
    while text.get(end).is_some_and(|byte| is_continuation(*byte)) && end > 0 {
        end -= 1;
    }
    end
}

/// Returns where the first character begins in the last bytes of a string.
pub(super) fn tail_start(end_of_text: &[u8]) -> usize {
    end_of_text.iter().take_while(|byte| is_continuation(**byte)).count()
}

/// Returns `true` if a byte continues a character.
const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use std::str::from_utf8;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cut_breaks_no_character(text in "[a-zé€🌱]{0,40}", bytes_max in 0_usize..170) {
            let bytes = text.as_bytes();
            let (head, rest) = text.split_at(head_end(bytes, bytes_max));
            prop_assert_eq!(format!("{head}{rest}"), text.clone());
            prop_assert!(head.len() <= bytes_max);
            // The next character does not fit.
            let next = rest.chars().next().map_or(usize::MAX, char::len_utf8);
            prop_assert!(head.len().saturating_add(next) > bytes_max);
            let begin = bytes.len().saturating_sub(bytes_max);
            let (rest, tail) = text.split_at(begin + tail_start(&bytes[begin..]));
            prop_assert!(tail.len() <= bytes_max);
            let next = rest.chars().next_back().map_or(usize::MAX, char::len_utf8);
            prop_assert!(tail.len().saturating_add(next) > bytes_max);
        }
    }

    #[test]
    fn beginning_and_rest_are_the_whole() {
        for text in ["", "a", "é", "aé€🌱", "🌱🌱", "\u{301}\u{301}a"] {
            let bytes = text.as_bytes();
            for max in 0..=bytes.len() + 2 {
                let end = head_end(&bytes[..(max + 1).min(bytes.len())], max);
                let (head, rest) = bytes.split_at(end);
                assert!(from_utf8(head).is_ok() && from_utf8(rest).is_ok(), "{text} {max}");
                assert!(end <= max && max.min(bytes.len()) - end < 4, "{text} {max}");
                let last = &bytes[bytes.len().saturating_sub(max)..];
                let start = tail_start(last);
                let tail = &last[start..];
                assert!(from_utf8(tail).is_ok() && start < 4, "{text} {max}");
                assert!(from_utf8(&bytes[..bytes.len() - tail.len()]).is_ok(), "{text} {max}");
            }
        }
    }
}
