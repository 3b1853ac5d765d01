//! The codes that people type.

use dibber_authorization::UserCode;
use proptest::prelude::*;

#[test]
fn a_code_is_read_as_people_type_it() {
    let code = UserCode::from_random(&[8; UserCode::RANDOM_BYTES]).expect("a code");
    assert_eq!(code.to_string(), "LLLL-LLLL");
    for text in ["LLLL-LLLL", "llllllll", " llll llll ", "LLLL\u{2013}LLLL"] {
        assert_eq!(UserCode::parse(text).as_ref(), Some(&code), "{text}");
    }
    for text in ["", "LLLL-LLL", "LLLL-LLLLL", "AAAA-AAAA", "LLLL_LLLL"] {
        assert_eq!(UserCode::parse(text), None, "{text}");
    }
    assert_eq!(UserCode::from_random(&[255; UserCode::RANDOM_BYTES]), None);
}

proptest! {
    #[test]
    fn a_shown_code_is_read_back(bytes: [u8; UserCode::RANDOM_BYTES]) {
        if let Some(code) = UserCode::from_random(&bytes) {
            prop_assert_eq!(UserCode::parse(&code.to_string()), Some(code));
        }
    }
}
