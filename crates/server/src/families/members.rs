//! Adding grown-ups, children and canvases.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Map;

use super::lookup::require_family;
use super::names::{parse_age_range, parse_child_name, parse_emoji, parse_label};
use crate::activity;
use crate::failure::Failure;
use crate::id;
use crate::server::Server;
use crate::store::{Canvas, Child, Event, FamilyId, StoreExt, User};
use dibber_skill::age_range::AGE_MAX;
use dibber_skill::contract::{ActivityRefs, ActivityType};

impl Server {
    /// Adds a grown-up.
    pub fn add_user(&self, family: &FamilyId, name: &str) -> Result<User, Failure> {
        let user = User { id: id::new(), name: parse_label(name, "grown-up")? };
        let at = (self.clock)().as_millisecond();
        let family = family.clone();
        self.store().write_blocking(move |store| {
            require_family(store, &family)?;
            store.add_user(&family, &user)?;
            let refs = ActivityRefs { user_id: Some(user.id.clone()), ..ActivityRefs::default() };
            let kind = ActivityType::MemberAdded;
            let event = Event { kind, actor: None, refs, payload: Map::new(), at };
            activity::record(store, &family, &event)?;
            Ok(user)
        })
    }

    /// Adds a child. From then on, no skill may contain the child's name.
    pub fn add_child(
        &self,
        family: &FamilyId,
        name: &str,
        birth_date: Date,
    ) -> Result<Child, Failure> {
        let child = Child { id: id::new(), name: parse_child_name(name)?, birth_date };
        let now = (self.clock)();
        let family = family.clone();
        self.store().write_blocking(move |store| {
            let zone = dibber_schedule::zone(&require_family(store, &family)?.time_zone);
            let today = now.to_zoned(zone.unwrap_or(TimeZone::UTC)).date();
            check_birth_date(child.birth_date, today)?;
            let names = store.child_names(&family)?.complete()?;
            if names.iter().any(|other| other.normal_form() == child.name) {
                let message = "the family already has a child with this name";
                let fix = "if there are two, add a second name to tell them apart";
                return Err(Failure::bad_input("CHILD_EXISTS", message, fix));
            }
            store.add_child(&family, &child)?;
            Ok(child)
        })
    }

    /// Adds a canvas; `ages` are written `5-7`.
    pub fn add_canvas(
        &self,
        family: &FamilyId,
        name: &str,
        emoji: Option<&str>,
        ages: Option<&str>,
    ) -> Result<Canvas, Failure> {
        let canvas = Canvas {
            id: id::new(),
            name: parse_label(name, "canvas")?,
            emoji: emoji.map(parse_emoji).transpose()?,
            age_range: ages.map(parse_age_range).transpose()?,
        };
        let family = family.clone();
        self.store().write_blocking(move |store| {
            require_family(store, &family)?;
            store.add_canvas(&family, &canvas)?;
            Ok(canvas)
        })
    }
}

fn check_birth_date(birth_date: Date, today: Date) -> Result<(), Failure> {
    let message = if birth_date > today {
        "the date of birth is in the future".to_owned()
    } else if age(birth_date, today) > i16::from(AGE_MAX) {
        format!("a child is at most {AGE_MAX} years old")
    } else {
        return Ok(());
    };
    let fix = "write the date of birth as year-month-day, as in 2019-04-30";
    Err(Failure::bad_input("INVALID_BIRTH_DATE", message, fix))
}

/// Returns an age in whole years; a child born on 29 February is a year older on 1 March.
pub(crate) fn age(birth_date: Date, today: Date) -> i16 {
    let had_birthday = (today.month(), today.day()) >= (birth_date.month(), birth_date.day());
    today.year() - birth_date.year() - i16::from(!had_birthday)
}
