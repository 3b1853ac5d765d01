//! The heartbeats of a manifest.

use super::keys::HEARTBEAT;
use super::located::Located;
use super::model::Heartbeat;
use super::read::{Reader, empty_or_type};
use crate::skill::{Entry, Node, NodeKind};
use dibber_text::{message, quote};

const CRON_HELP: &str = "write five fields, `0 16 * * 1-5`, or words, `weekdays at 4pm`";
const MISSED_FIRES_HELP: &str =
    "write `once` (the latest missed time runs), `skip` (none does) or `all` (those of a day do)";

impl Reader<'_> {
    pub(super) fn heartbeats(&mut self, value: &Node) -> Vec<Heartbeat> {
        let example = "- name: Every school day";
        let items = self.list(value, "heartbeats", example).unwrap_or_default();
        items.iter().filter_map(|item| self.heartbeat(item)).collect()
    }

    fn heartbeat(&mut self, item: &Node) -> Option<Heartbeat> {
        let NodeKind::Mapping(entries) = &item.kind else {
            let message = message!["a heartbeat is ", empty_or_type(item), ", not a mapping"];
            let help = "write `- name: Every school day`, and `cron: 0 16 * * 1-5` below `name`";
            self.problems.value(item, message, help);
            return None;
        };
        let (mut name, mut cron, mut time_zone) = (None, None, None);
        let (mut input, mut assignment_skill) = (Vec::new(), None);
        let (mut post_result_notify, mut missed_fires) = (None, None);
        for Entry { key, value } in entries {
            let key_name = key.as_str().unwrap_or_default();
            let what = message!["the `", quote(key_name), "` of a heartbeat"];
            match key_name {
                "name" => name = self.string(value, what, None),
                "cron" => cron = self.string(value, what, Some(CRON_HELP.into())),
                "tz" => time_zone = self.string(value, what, None),
                "input" => input = self.heartbeat_input(value),
                "assignmentSkill" => assignment_skill = self.string(value, what, None),
                "postResultNotify" => {
                    post_result_notify = self.boolean(value, "postResultNotify");
                }
                "missedFires" => {
                    let what = ("`missedFires`", "`missedFires` value");
                    missed_fires = self.word(value, what, MISSED_FIRES_HELP);
                }
                _ => self.problems.unknown_key(key, &HEARTBEAT, entries),
            }
        }
        self.problems.require(entries, item.span, "name", &HEARTBEAT, "Every school day");
        self.problems.require(entries, item.span, "cron", &HEARTBEAT, "0 16 * * 1-5");
        let (name, cron) = (name?, cron?);
        Some(Heartbeat {
            name,
            cron,
            time_zone,
            input,
            assignment_skill,
            post_result_notify,
            missed_fires,
        })
    }

    fn heartbeat_input(&mut self, value: &Node) -> Vec<(Located<String>, Node)> {
        let NodeKind::Mapping(entries) = &value.kind else {
            let message =
                message!["the `input` of a heartbeat is ", empty_or_type(value), ", not a mapping"];
            let help =
                "write the name of each input and its value below it: `today: \"{{fireDate}}\"`";
            self.problems.value(value, message, help);
            return Vec::new();
        };
        let named = entries.iter().filter_map(|Entry { key, value }| {
            let name = key.as_str().unwrap_or_default();
            let located = Located { value: name.to_owned(), span: key.span };
            self.check_input_name(key, name).then(|| (located, value.clone()))
        });
        named.collect()
    }
}
