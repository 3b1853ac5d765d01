//! What whoever owns the machine does with the families on it: found them, add to them, let
//! somebody in.
//!
//! These calls hold up their thread until what they change is durable.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};

use super::failure::Failure;
use super::store::{
    Canvas, Child, Family, FamilyId, HeartbeatList, Reader, Skill, StoreExt, Token, User, Writer,
};
use super::{Caller, Server, id};
use dibber_skill::age_range::{AGE_MAX, AgeRange};
use dibber_skill::contract::{ErrorCode, Scope, TIME_ZONE_DEFAULT, ToolError};
use dibber_skill::names::{Case, List, Name};
use dibber_text::{ellipsize, escape_line, hex};

/// The family that a machine has from the start.
pub const HOME: &str = "home";

/// What whoever founds a family is called until they say otherwise.
const FOUNDER_NAME: &str = "Parent";

/// The most characters of the name of a family, a grown-up or a canvas.
const NAME_CHARACTERS_MAX: usize = 100;

/// The most characters of the sign of a canvas; some signs are several characters.
const SIGN_CHARACTERS_MAX: usize = 16;

/// How many heartbeats are looked at together.
const HEARTBEATS_TOGETHER: usize = 100;

/// A family with everybody and the canvases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Household {
    /// The family.
    pub family: Family,
    /// The grown-ups; the first one founded it.
    pub users: Vec<User>,
    /// The children.
    pub children: Vec<Child>,
    /// The canvases.
    pub canvases: Vec<Canvas>,
}

impl Server {
    /// The family named [`HOME`], which is founded when it is not there.
    pub fn home(&self) -> Result<Family, Failure> {
        self.found_or_open_family(HOME, TIME_ZONE_DEFAULT)
    }

    /// The family of that name. When it is not there, it is founded, with one grown-up; times
    /// are shown to it in that IANA time zone.
    pub fn found_or_open_family(&self, name: &str, time_zone: &str) -> Result<Family, Failure> {
        let name = label(name, "family")?;
        let wanted = name.clone();
        let known = self.store().read_blocking(move |store| named(store, &wanted))?;
        if let Some(family) = known {
            return Ok(family);
        }
        let zone = dibber_schedule::zone(time_zone).map_err(|unknown| {
            Failure::bad_input("INVALID_TIME_ZONE", unknown.to_string(), unknown.help())
        })?;
        let family = Family {
            id: FamilyId(id::new("fam")),
            name,
            time_zone: zone.iana_name().unwrap_or(time_zone).to_owned(),
            chat_id: id::new("chat"),
        };
        self.store().write_blocking(move |store| {
            // Somebody else may have founded it in the meantime.
            if let Some(family) = named(store, &family.name)? {
                return Ok(family);
            }
            store.add_family(&family)?;
            let founder = User { id: id::new("usr"), name: FOUNDER_NAME.to_owned() };
            store.add_user(&family.id, &founder)?;
            Ok(family)
        })
    }

    /// Every family, in the order of their making.
    pub fn families(&self) -> Result<Vec<Family>, Failure> {
        self.store().read_blocking(move |store| Ok(store.families()?))
    }

    /// A family with everybody and the canvases.
    pub fn household(&self, family: &FamilyId) -> Result<Household, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            Ok(Household {
                family: existing(store, &family)?,
                users: store.users(&family)?,
                children: store.children(&family)?,
                canvases: store.canvases(&family)?,
            })
        })
    }

    /// Adds a grown-up.
    pub fn add_user(&self, family: &FamilyId, name: &str) -> Result<User, Failure> {
        let user = User { id: id::new("usr"), name: label(name, "grown-up")? };
        let family = family.clone();
        self.store().write_blocking(move |store| {
            existing(store, &family)?;
            store.add_user(&family, &user)?;
            Ok(user)
        })
    }

    /// Adds a child. From then on its name may not stand in a skill.
    pub fn add_child(
        &self,
        family: &FamilyId,
        name: &str,
        birth_date: Date,
    ) -> Result<Child, Failure> {
        let child = Child { id: id::new("kid"), name: child_name(name)?, birth_date };
        let now = (self.clock)();
        let family = family.clone();
        self.store().write_blocking(move |store| {
            let zone = dibber_schedule::zone(&existing(store, &family)?.time_zone);
            let today = now.to_zoned(zone.unwrap_or(TimeZone::UTC)).date();
            check_birth_date(child.birth_date, today)?;
            if store.children(&family)?.iter().any(|other| other.name == child.name) {
                let message = "the family has a child of that name already";
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
            id: id::uuid(),
            name: label(name, "canvas")?,
            emoji: emoji.map(sign).transpose()?,
            age_range: ages.map(age_range).transpose()?,
        };
        let family = family.clone();
        self.store().write_blocking(move |store| {
            existing(store, &family)?;
            store.add_canvas(&family, &canvas)?;
            Ok(canvas)
        })
    }

    /// Archives a skill, unless a heartbeat still runs it.
    pub fn archive_skill(&self, family: &FamilyId, skill: &str) -> Result<Skill, Failure> {
        let (family, skill) = (family.clone(), skill.to_owned());
        self.store().write_blocking(move |store| {
            let mut skill = store
                .skill(&family, &skill)?
                .ok_or_else(|| missing("skill", "list the skills of the family"))?;
            if skill.is_archived {
                return Ok(skill);
            }
            refuse_if_run(store, &family, &skill)?;
            skill.is_archived = true;
            store.put_skill(&family, &skill)?;
            Ok(skill)
        })
    }

    /// Makes a token with which somebody calls in the name of a grown-up. It is returned once;
    /// what is kept is its digest.
    pub fn issue_token(
        &self,
        family: &FamilyId,
        user_id: &str,
        scopes: &[Scope],
    ) -> Result<String, Failure> {
        let token = id::token();
        let kept = Token {
            digest: digest(&token),
            family: family.clone(),
            user_id: user_id.to_owned(),
            scopes: scopes.to_vec(),
        };
        self.store().write_blocking(move |store| -> Result<_, Failure> {
            existing_user(store, &kept.family, &kept.user_id)?;
            Ok(store.put_token(&kept)?)
        })?;
        Ok(token)
    }

    /// Takes every token of a grown-up away, so that nobody calls with one of them any more;
    /// tells how many there were.
    pub fn revoke_tokens(&self, family: &FamilyId, user_id: &str) -> Result<usize, Failure> {
        let (family, user_id) = (family.clone(), user_id.to_owned());
        self.store().write_blocking(move |store| {
            existing_user(store, &family, &user_id)?;
            Ok(store.remove_tokens(&family, &user_id)?)
        })
    }

    /// Returns who calls with a token, if the token is known.
    pub fn caller_of_token(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read_blocking(move |store| store.token(&digest))?;
        Ok(token.map(Caller::from))
    }

    /// Does the same as [`caller_of_token`](Self::caller_of_token), for an asynchronous task.
    pub(super) async fn authenticate(&self, token: &str) -> Result<Option<Caller>, Failure> {
        let digest = digest(token);
        let token = self.store().read(move |store| store.token(&digest)).await?;
        Ok(token.map(Caller::from))
    }

    /// Returns the user who founded a family, who may do everything there.
    pub fn owner_of(&self, family: &FamilyId) -> Result<Caller, Failure> {
        let family = family.clone();
        self.store().read_blocking(move |store| {
            let users = store.users(&family)?;
            let founder =
                users.into_iter().next().ok_or_else(|| missing("family", LIST_FAMILIES))?;
            Ok(Caller { family, user_id: founder.id, scopes: Scope::ALL.to_vec() })
        })
    }
}

impl From<Token> for Caller {
    fn from(token: Token) -> Self {
        let Token { family, user_id, scopes, .. } = token;
        Self { family, user_id, scopes }
    }
}

/// The way out when there is no such family.
const LIST_FAMILIES: &str = "list the families of this machine";

fn named(store: &(impl Reader + ?Sized), name: &str) -> Result<Option<Family>, Failure> {
    Ok(store.families()?.into_iter().find(|family| family.name == name))
}

fn existing(store: &(impl Reader + ?Sized), family: &FamilyId) -> Result<Family, Failure> {
    store.family(family)?.ok_or_else(|| missing("family", LIST_FAMILIES))
}

fn existing_user(store: &dyn Writer, family: &FamilyId, user_id: &str) -> Result<(), Failure> {
    let is_there = store.users(family)?.iter().any(|user| user.id == user_id);
    if is_there { Ok(()) } else { Err(missing("grown-up", "list the family")) }
}

fn missing(what: &str, fix: &str) -> Failure {
    ToolError::new(ErrorCode::DomainNotFound, format!("there is no such {what}"), fix).into()
}

/// Refuses to archive a skill that a heartbeat runs.
fn refuse_if_run(store: &dyn Writer, family: &FamilyId, skill: &Skill) -> Result<(), Failure> {
    let mut list = HeartbeatList { after: None, limit: HEARTBEATS_TOGETHER };
    loop {
        let page = store.heartbeats(family, &list)?;
        let Some(end) = page.last() else { return Ok(()) };
        list.after = Some(end.id.clone());
        if let Some(heartbeat) = page.iter().find(|other| other.run_skill_id == skill.id) {
            let name = ellipsize(&heartbeat.name);
            let message = format!("the heartbeat `{}` still runs the skill", escape_line(&name));
            let fix = format!("cancel the heartbeat `{}` first", heartbeat.id);
            return Err(Failure::bad_input("SKILL_IN_USE", message, fix));
        }
    }
}

/// A name for people, trimmed.
fn label(text: &str, whose: &str) -> Result<String, Failure> {
    let name = text.trim();
    let fault = if name.is_empty() {
        "is empty".to_owned()
    } else if name.chars().nth(NAME_CHARACTERS_MAX).is_some() {
        format!("has more than {NAME_CHARACTERS_MAX} characters")
    } else if escape_line(name) != name {
        "has characters that cannot be shown".to_owned()
    } else {
        return Ok(name.to_owned());
    };
    let message = format!("the name of the {whose} {fault}");
    Err(Failure::bad_input("INVALID_NAME", message, "give it a short name of letters"))
}

/// The name of a child, in normal form. What is wrong is said without quoting it.
fn child_name(text: &str) -> Result<String, Failure> {
    let invalid = |message: String| {
        let fix = "write the name as you would in a letter";
        Failure::bad_input("INVALID_NAME", message, fix)
    };
    let name = Name::parse(text)
        .map_err(|fault| invalid(format!("this cannot be the name of a child: {fault}")))?;
    if name.case() == Case::Any {
        return Err(invalid("the name of a child does not begin with `~`".to_owned()));
    }
    let mut list = List::default();
    list.add(&name);
    Ok(list.render().trim_end().to_owned())
}

fn check_birth_date(birth_date: Date, today: Date) -> Result<(), Failure> {
    let message = if birth_date > today {
        "the day of the birth is in the future".to_owned()
    } else if age(birth_date, today) > i16::from(AGE_MAX) {
        format!("a child is at most {AGE_MAX} years old")
    } else {
        return Ok(());
    };
    let fix = "write the day of the birth as year-month-day, as in 2019-04-30";
    Err(Failure::bad_input("INVALID_BIRTH_DATE", message, fix))
}

/// The age in whole years; who is born on 29 February is a year older on 1 March.
pub(super) fn age(birth_date: Date, today: Date) -> i16 {
    let had_birthday = (today.month(), today.day()) >= (birth_date.month(), birth_date.day());
    today.year() - birth_date.year() - i16::from(!had_birthday)
}

/// The sign of a canvas.
fn sign(text: &str) -> Result<String, Failure> {
    let sign = text.trim();
    let is_short = sign.chars().nth(SIGN_CHARACTERS_MAX).is_none();
    if is_short && !sign.is_empty() && !sign.chars().any(char::is_control) {
        return Ok(sign.to_owned());
    }
    let message = format!("the sign of the canvas is not 1 to {SIGN_CHARACTERS_MAX} characters");
    Err(Failure::bad_input("INVALID_EMOJI", message, "choose one emoji"))
}

/// Ages as they are written: `5-7`.
fn age_range(text: &str) -> Result<String, Failure> {
    let range: Result<AgeRange, _> = text.trim().parse();
    range.map(|range| range.to_string()).map_err(|problem| {
        let message = escape_line(&problem.message).into_owned();
        Failure::bad_input("INVALID_AGE_RANGE", message, problem.help.unwrap_or_default())
    })
}

/// The digest of a token: SHA-256, hexadecimal.
fn digest(token: &str) -> String {
    hex(Sha256::digest(token))
}
