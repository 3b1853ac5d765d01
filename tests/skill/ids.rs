//! Ids: what a person may type, what a server may send, and how they are compared.

use dibber_skill::contract::{CanvasId, ChatId, HeartbeatId, SkillId};

const CANVAS: &str = "123e4567-e89b-12d3-a456-426614174000";

#[test]
fn a_typed_id_has_the_form_of_its_kind() {
    assert_eq!("sk_1".parse::<SkillId>(), Ok(SkillId::from("sk_1")));
    let error = "hb_1".parse::<SkillId>().expect_err("the id of a heartbeat");
    assert_eq!(error.to_string(), "not an id that begins with `sk_`");
    assert!("th_1".parse::<ChatId>().is_ok() && "chat_1".parse::<ChatId>().is_ok());
    let error = "sk_1".parse::<ChatId>().expect_err("the id of a skill");
    assert_eq!(error.to_string(), "not an id that begins with `th_` or `chat_`");
    assert!(CANVAS.parse::<CanvasId>().is_ok());
    for wrong in ["", "sk_1", "123e4567e89b12d3a456426614174000", &CANVAS.replace('e', "g")] {
        let error = wrong.parse::<CanvasId>().expect_err("not a UUID");
        assert_eq!(error.to_string(), "not a UUID");
    }
}

#[test]
fn an_id_of_another_server_has_any_form() {
    let id: HeartbeatId = serde_json::from_str("\"7\"").expect("an id");
    assert!(!id.is_well_formed());
    assert_eq!(serde_json::to_string(&id).expect("a string"), "\"7\"");
}

#[test]
fn a_canvas_is_the_same_in_either_case() {
    let (lower, upper) = (CanvasId::from(CANVAS), CanvasId::from(CANVAS.to_uppercase()));
    assert!(lower != upper && lower.is_same(&upper) && upper.is_well_formed());
    assert_eq!(upper.normalized(), lower);
}
