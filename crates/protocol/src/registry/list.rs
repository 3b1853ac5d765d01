//! `list_skills`.

use dibber_skill::contract::Issue;
use dibber_skill::contract::skills_protocol::{
    LIST_ITEMS_DEFAULT, LIST_ITEMS_MAX, ListDetail, ListSkills, RpcError, RpcReason, SkillListItem,
    SkillsPage,
};
use dibber_text::message;

use super::cursor::Filter;
use super::index::Index;
use crate::refusal::refused;
use crate::skill::ProtocolSkill;

impl Index {
    /// Lists the latest version of each skill, in the order of the bytes of the names.
    pub fn list(&self, call: &ListSkills) -> Result<SkillsPage, RpcError> {
        let limit = limit(call)?;
        let filter = Filter {
            namespace: call.namespace.as_deref().filter(|namespace| !namespace.is_empty()),
            detail: call.detail.unwrap_or_default(),
        };
        let first = match &call.cursor {
            Some(cursor) => {
                let last = filter.decode(cursor)?;
                self.names.partition_point(|named| *named.name <= *last)
            }
            None => 0,
        };
        let is_listed = |skill: &&ProtocolSkill| {
            filter.namespace.is_none_or(|namespace| skill.is_in(namespace))
        };
        let latest = self.names[first..].iter().map(|named| &**named.latest());
        let mut skills = latest.filter(is_listed).peekable();
        let page: Vec<_> =
            skills.by_ref().take(limit).map(|skill| item(skill, filter.detail)).collect();
        let last = page.last().filter(|_| skills.peek().is_some());
        let next_cursor = last.map(|item| filter.encode(&item.name));
        Ok(SkillsPage { skills: page, next_cursor, warnings: Vec::new() })
    }
}

fn limit(call: &ListSkills) -> Result<usize, RpcError> {
    let limit = call.limit.unwrap_or(LIST_ITEMS_DEFAULT);
    if (1..=LIST_ITEMS_MAX).contains(&limit) {
        return Ok(limit as usize);
    }
    let message = message!["`limit` is ", limit, ", which is not from 1 to ", LIST_ITEMS_MAX];
    let help = message!["write a number from 1 to ", LIST_ITEMS_MAX, ", and follow `next_cursor`"];
    let mut error = refused(RpcReason::InvalidParams, message, help);
    if let Some(data) = &mut error.data {
        data.issues.push(Issue {
            path: "/limit".to_owned(),
            reason: "OUT_OF_RANGE".to_owned(),
            message: error.message.clone(),
            fix: data.help.clone(),
        });
    }
    Err(error)
}

fn item(skill: &ProtocolSkill, detail: ListDetail) -> SkillListItem {
    let is_summary = detail == ListDetail::Summary;
    SkillListItem {
        name: skill.name.clone(),
        version: Some(skill.version.to_string()),
        description: is_summary.then(|| skill.description.clone()),
        namespace: is_summary.then(|| skill.namespace.clone()),
        kind: is_summary.then(|| skill.kind.name().to_owned()),
    }
}
