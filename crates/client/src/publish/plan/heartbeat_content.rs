//! The content of heartbeats: as it is wanted, as a server lists it, and as it is recorded.
//!
//! A server of dibber lists a hash of the whole content. Others list a name and a schedule, and
//! perhaps a time zone: what they do not list is compared with what is recorded.

use std::collections::BTreeMap;

use super::heartbeat_missed::{
    MISSED_FIRES, has_equal_missed_fires, listed_missed_fires, lists_missed_fires,
};
use super::heartbeat_part::HeartbeatPart;
use super::heartbeat_run::{
    RUN, changed_run, content_of, has_foreign_run, listed_run, other_run, part_of_run, sent_run,
};
use crate::journal::Unfinished;
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::heartbeat_journal::heartbeat_subject;
use crate::publish::published::{PublishedHeartbeat, to_recorded_fields};
use dibber_skill::content_hash::{field_hash, heartbeat_field_hashes};
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, OpenEnum,
    TIME_ZONE_DEFAULT,
};

/// What a server that does not list the time zone says of the schedule.
const WORDS: &str = "cadenceText";

/// Returns `true` if a heartbeat is as it was left from here: as it is recorded, or as an unfinished
/// write leaves it. `as_listed` is its content, as far as the server lists it, and otherwise that of
/// the heartbeat here.
pub(super) fn is_as_left(
    listed: &HeartbeatListItem,
    as_listed: Option<&HeartbeatCreate>,
    known: &PublishedHeartbeat,
    unfinished: &BTreeMap<String, Vec<Unfinished>>,
) -> bool {
    let unfinished = unfinished.get(&heartbeat_subject(&listed.heartbeat_id));
    let details = unfinished.into_iter().flatten().filter_map(|it| it.details.as_ref());
    let mut targets = details.filter_map(|write| write.target.as_ref());
    let content = listed.content_hash.clone().or_else(|| as_listed.map(content_of));
    let is_written = match &content {
        Some(content) => targets.any(|target| target == content),
        None => targets.next().is_some(),
    };
    is_written || is_listed_as_recorded(listed, content.as_ref(), known)
}

fn is_listed_as_recorded(
    listed: &HeartbeatListItem,
    content: Option<&String>,
    known: &PublishedHeartbeat,
) -> bool {
    if listed.content_hash.is_none() && !known.fields.is_empty() {
        let (fields, is_run_left) = (listed_fields(listed), changed_run(listed, known).is_empty());
        let left = |name: &str| known.stored.get(name).or_else(|| known.fields.get(name));
        return is_run_left && fields.iter().all(|(name, hash)| left(name) == Some(hash));
    }
    // Without a hash there is nothing to compare.
    content.is_none() || known.content_hash.as_ref() == content
}

/// Returns the hashes of what a server lists of a heartbeat.
fn listed_fields(listed: &HeartbeatListItem) -> BTreeMap<&'static str, String> {
    let mut fields = heartbeat_field_hashes(&as_listed(&HeartbeatCreate::default(), listed));
    fields.retain(|name, _| match *name {
        RUN => false,
        "tz" => listed.tz.is_some(),
        MISSED_FIRES => listed_missed_fires(listed).is_some(),
        _ => true,
    });
    fields
}

/// Returns a listed heartbeat with what it has in common with this one in the form of this one: a
/// server may write a name, a schedule or a time zone in another way. What was changed here since
/// it was recorded is not in common.
pub(super) fn in_form_of(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
) -> HeartbeatListItem {
    let mut formed = listed.clone();
    if listed.content_hash.is_some() {
        return formed;
    }
    let (wanted, there) = (heartbeat_field_hashes(create), listed_fields(listed));
    let is_common = |name: &str, has_same_meaning: bool| {
        let is_stored = |known: &PublishedHeartbeat| known.stored.get(name) == there.get(name);
        known.is_none_or(|known| known.fields.get(name) == wanted.get(name))
            && (has_same_meaning
                || known.is_some_and(|it| it.stored.contains_key(name) && is_stored(it)))
    };
    if is_common("name", is_same_name(&create.name, &listed.name)) {
        formed.name.clone_from(&create.name);
    }
    if is_common("cron", is_same_cron(&create.cron, &listed.cron)) {
        formed.cron.clone_from(&create.cron);
    }
    if let Some(tz) = &mut formed.tz
        && is_common("tz", tz.eq_ignore_ascii_case(time_zone(create)))
    {
        time_zone(create).clone_into(tz);
    }
    if formed.missed_fires.is_some() && is_common(MISSED_FIRES, false) {
        formed.missed_fires = Some(OpenEnum::Known(create.missed_fires.unwrap_or_default()));
    }
    formed
}

/// Returns what is recorded of a heartbeat with the content of these arguments that a server lists
/// in its own form.
pub(super) fn record_of(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
) -> PublishedHeartbeat {
    let mut published = PublishedHeartbeat::new(listed.heartbeat_id.clone(), create);
    published.stored = stored_form(&published.fields, listed);
    published
}

/// Returns what is recorded of a heartbeat that was created and could not be listed since: it is
/// expected to be listed as it was sent.
pub(in crate::publish) fn published_as_sent(
    heartbeat_id: HeartbeatId,
    create: &HeartbeatCreate,
) -> PublishedHeartbeat {
    let mut published = PublishedHeartbeat::new(heartbeat_id, create);
    published.stored = to_recorded_fields(sent_run(create));
    published.is_unlisted = true;
    published
}

/// Returns the hashes of what a server lists in another form than it was sent, and of what it lists of
/// what the heartbeat runs.
fn stored_form(
    sent: &BTreeMap<String, String>,
    listed: &HeartbeatListItem,
) -> BTreeMap<String, String> {
    if listed.content_hash.is_some() {
        return BTreeMap::new();
    }
    let mut stored = to_recorded_fields(listed_fields(listed));
    stored.retain(|name, hash| sent.get(name) != Some(hash));
    stored.extend(to_recorded_fields(listed_run(listed)));
    if listed.tz.is_none() {
        stored.insert(WORDS.to_owned(), field_hash(&listed.cadence_text));
    }
    stored
}

/// Returns `true` if these are the words that a server has listed for the recorded schedule.
pub(super) fn is_recorded_words(words: &str, known: &PublishedHeartbeat) -> bool {
    known.stored.get(WORDS) == Some(&field_hash(&words))
}

/// Returns what is recorded after a change, by what the server lists then, and the names of what it
/// did not store.
pub(in crate::publish) fn read_back(
    updates: &[(HeartbeatUpdate, PublishedHeartbeat)],
    listed: &HeartbeatListItem,
) -> Option<(PublishedHeartbeat, Vec<&'static str>)> {
    let (_, last) = updates.last()?;
    let ignored: Vec<_> =
        updates.iter().flat_map(|(update, _)| ignored_by(&update.change, listed)).collect();
    Some((record_after(last.clone(), &ignored, listed), ignored))
}

/// Returns what is recorded of a heartbeat that was created, by what the server lists then, and the
/// names of what it did not store. What cannot be changed later is recorded as it was sent, or every
/// push would make the heartbeat again.
pub(in crate::publish) fn read_created(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
) -> (PublishedHeartbeat, Vec<&'static str>) {
    let mut ignored = Vec::new();
    if !is_same_name(&create.name, &listed.name) {
        ignored.push("name");
    }
    ignored.extend(other_schedule(&create.cron, Some(time_zone(create)), listed));
    let published = PublishedHeartbeat::new(listed.heartbeat_id.clone(), create);
    let published = record_after(published, &ignored, listed);
    ignored.extend(other_run(create, listed));
    if !lists_missed_fires(create.missed_fires.unwrap_or_default(), listed) {
        ignored.push(MISSED_FIRES);
    }
    (published, ignored)
}

/// Returns the names of the parts of a schedule that the server lists otherwise.
fn other_schedule(cron: &str, tz: Option<&str>, listed: &HeartbeatListItem) -> Vec<&'static str> {
    let mut other = Vec::new();
    if !is_same_cron(cron, &listed.cron) {
        other.push("cron");
    }
    let zones = tz.zip(listed.tz.as_deref());
    if zones.is_some_and(|(sent, there)| !sent.eq_ignore_ascii_case(there)) {
        other.push("tz");
    }
    other
}

/// Returns what is recorded of a heartbeat of which the server has ignored these parts: they are
/// still to be changed.
fn record_after(
    mut published: PublishedHeartbeat,
    ignored: &[&str],
    listed: &HeartbeatListItem,
) -> PublishedHeartbeat {
    let there = listed_fields(listed);
    for name in ignored {
        published.fields.extend(there.get(name).map(|hash| ((*name).to_owned(), hash.clone())));
    }
    published.stored = stored_form(&published.fields, listed);
    published
}

/// Returns the parts of a heartbeat that the server lists otherwise than they were left; if it is not
/// known which, the inputs. Empty if it is not known what was left.
pub(super) fn listed_changes(
    listed: &HeartbeatListItem,
    known: &PublishedHeartbeat,
) -> Vec<HeartbeatPart> {
    if known.fields.is_empty() {
        return Vec::new();
    }
    let there = listed_fields(listed);
    let is_changed = |name: &str| {
        let left = [known.fields.get(name), known.stored.get(name)];
        there.contains_key(name) && !left.contains(&there.get(name))
    };
    let mut parts = Vec::new();
    if is_changed("name") {
        parts.push(HeartbeatPart::Name);
    }
    if is_changed("cron") || is_changed("tz") {
        parts.push(HeartbeatPart::Schedule);
    }
    if is_changed(MISSED_FIRES) {
        parts.push(HeartbeatPart::MissedFires);
    }
    parts.extend(changed_run(listed, known).into_iter().map(part_of_run));
    if parts.is_empty() { vec![HeartbeatPart::Inputs] } else { parts }
}

/// Returns the names of what the server did not store of a change, by what it lists then.
pub(in crate::publish) fn ignored_by(
    change: &HeartbeatChange,
    listed: &HeartbeatListItem,
) -> Vec<&'static str> {
    match change {
        HeartbeatChange::EditName { name } if !is_same_name(name, &listed.name) => vec!["name"],
        HeartbeatChange::EditSchedule { cron, tz } => {
            let cron = cron.as_ref().unwrap_or(&listed.cron);
            other_schedule(cron, tz.as_deref(), listed)
        }
        HeartbeatChange::EditMissedFires { missed_fires }
            if !lists_missed_fires(*missed_fires, listed) =>
        {
            vec![MISSED_FIRES]
        }
        HeartbeatChange::Pause if listed.enabled => vec!["enabled"],
        HeartbeatChange::Resume if !listed.enabled => vec!["enabled"],
        _ => Vec::new(),
    }
}

/// Returns a heartbeat whose schedule has the form in which a server with content hashes has it, if
/// it means the same. Another server is taken at its own form: see [`in_form_of`].
pub(super) fn with_listed_cron(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
) -> HeartbeatCreate {
    let mut create = create.clone();
    if listed.content_hash.is_some() && is_same_cron(&create.cron, &listed.cron) {
        create.cron.clone_from(&listed.cron);
    }
    create
}

/// Returns `true` if a listed heartbeat has the content of this one: as far as the server lists it,
/// and for the rest if this one has what is recorded.
pub(super) fn has_equal_content(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
) -> bool {
    if let Some(hash) = &listed.content_hash {
        return *hash == content_of(&with_listed_cron(create, listed));
    }
    let (wanted, fields) = (heartbeat_field_hashes(create), listed_fields(listed));
    let is_equal = wanted.into_iter().all(|(name, hash)| {
        let there = fields.get(name).or_else(|| known?.fields.get(name));
        there.is_none_or(|there| *there == hash)
    });
    let has_other_run = match known {
        Some(known) => has_foreign_run(create, listed, known),
        None => !other_run(create, listed).is_empty(),
    };
    is_equal && !has_other_run
}

/// Returns the changes that give a heartbeat its schedule, its name and what runs of missed times,
/// each with what is recorded after it. `after` is the heartbeat as it is listed.
pub(super) fn updates(
    create: &HeartbeatCreate,
    mut after: HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
) -> Vec<(HeartbeatUpdate, PublishedHeartbeat)> {
    let mut updates = Vec::new();
    let published =
        |after: &HeartbeatCreate| PublishedHeartbeat::new(listed.heartbeat_id.clone(), after);
    let has_same_schedule = create.cron == listed.cron
        && listed.tz.as_ref().is_some_and(|tz| tz.eq_ignore_ascii_case(time_zone(create)));
    if !has_same_schedule {
        after.cron.clone_from(&create.cron);
        after.tz.clone_from(&create.tz);
        updates.push((schedule(create, listed), published(&after)));
    }
    if create.name != listed.name {
        after.name.clone_from(&create.name);
        let change = HeartbeatChange::EditName { name: create.name.clone() };
        let heartbeat_id = listed.heartbeat_id.clone();
        updates.push((HeartbeatUpdate { heartbeat_id, change }, published(&after)));
    }
    if !has_equal_missed_fires(create, listed, known) {
        after.missed_fires = create.missed_fires;
        let missed_fires = create.missed_fires.unwrap_or_default();
        let change = HeartbeatChange::EditMissedFires { missed_fires };
        let heartbeat_id = listed.heartbeat_id.clone();
        updates.push((HeartbeatUpdate { heartbeat_id, change }, published(&after)));
    }
    updates
}

/// Returns the change that gives a heartbeat its schedule.
pub(super) fn schedule(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> HeartbeatUpdate {
    let change = HeartbeatChange::EditSchedule {
        cron: Some(create.cron.clone()),
        tz: Some(time_zone(create).to_owned()),
    };
    HeartbeatUpdate { heartbeat_id: listed.heartbeat_id.clone(), change }
}

pub(super) fn time_zone(create: &HeartbeatCreate) -> &str {
    create.tz.as_deref().unwrap_or(TIME_ZONE_DEFAULT)
}

/// Returns a heartbeat under another name.
pub(super) fn with_name(create: &HeartbeatCreate, name: &str) -> HeartbeatCreate {
    HeartbeatCreate { name: name.to_owned(), ..create.clone() }
}

/// Returns a heartbeat with everything that is listed and that an update can change.
pub(super) fn as_listed(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> HeartbeatCreate {
    HeartbeatCreate {
        name: listed.name.clone(),
        cron: listed.cron.clone(),
        tz: listed.tz.clone().or_else(|| create.tz.clone()),
        missed_fires: listed_missed_fires(listed).or(create.missed_fires),
        ..create.clone()
    }
}

/// Returns the arguments that make a listed heartbeat again, which these were to replace. `None` if
/// the server does not list its inputs; the rest that is not listed is that of these.
pub(in crate::publish) fn as_it_was(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
) -> Option<HeartbeatCreate> {
    Some(HeartbeatCreate {
        skill_input: Some(listed.skill_input.clone()?),
        run_skill_id: listed.run_skill_id.as_ref().unwrap_or(&create.run_skill_id).clone(),
        child_id: listed.child_id.clone(),
        post_result_notify: listed.post_result_notify.or(create.post_result_notify),
        ..as_listed(create, listed)
    })
}
