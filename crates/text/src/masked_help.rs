//! Help that would show a mask as a thing to type.

use std::borrow::Cow;

use super::message::Message;
use super::untrusted::Mask;

/// What is said instead.
const WITHOUT: &str = "the correction is not shown, because it contains a child's name or a secret; \
                       write it without that";

impl Message {
    /// Returns the help as it may be shown: its words, or what to do if the code that it names to
    /// write would be nothing but a mask.
    pub fn shown_as_help(&self, mask: &dyn Mask) -> Cow<'_, Self> {
        let masked_codes = |mask: &dyn Mask| count_masked_codes(&self.shown(mask).to_string());
        if self.is_masked_by(mask) && masked_codes(mask) > masked_codes(&()) {
            Cow::Owned(WITHOUT.into())
        } else {
            Cow::Borrowed(self)
        }
    }
}

/// Returns the number of parts between backquotes that are nothing but asterisks.
fn count_masked_codes(text: &str) -> usize {
    let codes = text.split('`').skip(1).step_by(2);
    codes.filter(|code| !code.is_empty() && code.bytes().all(|byte| byte == b'*')).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{message, quote};

    struct MaskEmma;

    impl Mask for MaskEmma {
        fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
            if text.contains("Emma") { text.replace("Emma", "****").into() } else { text.into() }
        }
    }

    #[test]
    fn a_mask_is_nothing_to_type() {
        let shown = |help: Message| help.shown_as_help(&MaskEmma).shown(&MaskEmma).to_string();
        assert_eq!(shown(message!["write `", quote("Emma"), "`"]), WITHOUT);
        assert_eq!(shown(message!["write `", quote("emma").derived_from("Emma"), "`"]), WITHOUT);
        assert_eq!(shown(message!["write `***` for ", quote("Emma")]), "write `***` for ****");
        assert_eq!(shown(message!["run `push ", quote("Emma"), "`"]), "run `push ****`");
    }
}
