//! The days and months of a schedule in words: "Every weekday in January", "On the 1st and 15th".

use super::lists::{listed, run_words, runs, values};
use crate::calendar::MONTH_LENGTHS;
use crate::cron::Cron;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// The order in which weekdays are named: the week begins on Monday, and ends with the weekend.
const WEEK: [u32; 7] = [1, 2, 3, 4, 5, 6, 0];

const EVERY_MONTH: u64 = 0b1_1111_1111_1110;
const FEBRUARY: u64 = 1 << 2;
const LEAP_DAY: u64 = 1 << 29;
const EVERY_WEEKDAY: u64 = 0x7F;
const ODD_DATES: u64 = 0xAAAA_AAAA;
const EVEN_DATES: u64 = 0x5555_5554;
const WORKING_DAYS: u64 = 0b011_1110;
const WEEKEND: u64 = 0b100_0001;

/// The phrase for the days of a schedule.
pub(super) struct DayPhrase {
    /// It begins in lowercase unless it begins with a name.
    pub(super) text: String,
    /// Whether it is "every day", in every month.
    pub(super) is_every_day: bool,
    /// Whether it has a comma inside, and so needs one after it.
    pub(super) has_comma: bool,
}

pub(super) fn days(cron: &Cron) -> DayPhrase {
    let set = DayFields::new(cron);
    let (every_date, every_weekday) = (set.dates == set.length, set.weekdays == EVERY_WEEKDAY);
    let joined = cron.requires_both_day_fields();
    let text = match (joined, every_date, every_weekday) {
        (_, true, true) | (false, true, _) | (false, _, true) => {
            format!("every day{}", set.in_months())
        }
        (true, true, false) => format!("{}{}", every(set.weekdays), set.in_months()),
        (true, false, true) => set.on_dates(),
        (true, false, false) => set.weekdays_on_dates(),
        (false, false, false) if set.dates == 0 => {
            format!("{}{}", every(set.weekdays), set.in_months())
        }
        (false, false, false) => set.dates_and_weekdays(),
    };
    DayPhrase {
        is_every_day: text == "every day",
        has_comma: !joined && set.months != EVERY_MONTH && text.contains("and also"),
        text,
    }
}

/// The sets of an expression that select days.
struct DayFields {
    /// The dates that are written, as far as the longest of the months has them.
    dates: u64,
    /// All the dates that the longest of the months has.
    length: u64,
    months: u64,
    weekdays: u64,
}

impl DayFields {
    fn new(cron: &Cron) -> Self {
        let months = cron.month.values & EVERY_MONTH;
        let lengths = values(months).into_iter().map(|month| MONTH_LENGTHS[month as usize - 1]);
        let length = (2 << lengths.max().unwrap_or(31)) - 2;
        let written = cron.day_of_month.values;
        let dates = match written & length {
            // It never fires, and its words are those of what is written.
            0 if cron.requires_both_day_fields() => written,
            dates => dates,
        };
        Self { dates, length, months, weekdays: cron.day_of_week.values & EVERY_WEEKDAY }
    }

    /// "on odd dates", "on the 1st and 15th"; "every Jan 1" when there is only one month.
    fn on_dates(&self) -> String {
        if self.dates == LEAP_DAY && self.months == FEBRUARY {
            return "every leap day (Feb 29)".to_owned();
        }
        if let Some(parity) = self.parity() {
            return format!("on {parity} dates{}", self.in_months());
        }
        if self.months.is_power_of_two() {
            let month = &MONTHS[self.months.trailing_zeros() as usize - 1][..3];
            let dates = run_words(&runs(self.dates), |date| date.to_string());
            return format!("every {month} {}", listed(&dates, "and"));
        }
        format!("on the {}{}", self.ordinals("and"), self.of_months())
    }

    /// "on Mondays that fall on an odd date".
    fn weekdays_on_dates(&self) -> String {
        let weekdays = match self.weekdays {
            WORKING_DAYS => "weekdays".to_owned(),
            WEEKEND => "weekend days".to_owned(),
            _ => {
                let names = weekday_names(self.weekdays).map(|name| format!("{name}s"));
                listed(&names.collect::<Vec<_>>(), "and")
            }
        };
        match self.parity() {
            Some(parity) => {
                format!("on {weekdays} that fall on an {parity} date{}", self.in_months())
            }
            None => format!(
                "on {weekdays} that fall on the {}{}",
                self.ordinals("or"),
                self.of_months()
            ),
        }
    }

    /// "on the 13th and also every Friday"; a month before it applies to both.
    fn dates_and_weekdays(&self) -> String {
        let dates = match self.parity() {
            Some(parity) => format!("on {parity} dates"),
            None => format!("on the {}", self.ordinals("and")),
        };
        let days = format!("{dates} and also {}", every(self.weekdays));
        match self.in_months().trim_start() {
            "" => days,
            months => format!("{months}, {days}"),
        }
    }

    fn parity(&self) -> Option<&'static str> {
        match self.dates {
            dates if dates == ODD_DATES & self.length => Some("odd"),
            dates if dates == EVEN_DATES & self.length => Some("even"),
            _ => None,
        }
    }

    /// "1st, 5th to 9th and 15th".
    fn ordinals(&self, word: &str) -> String {
        listed(&run_words(&runs(self.dates), ordinal), word)
    }

    /// " in January and March", " from June to August"; nothing for every month.
    fn in_months(&self) -> String {
        let is_pair = |first: u32, last: u32| last == first || last == first % 12 + 1;
        if self.months == EVERY_MONTH {
            return String::new();
        }
        match runs(self.months)[..] {
            // A winter across the end of the year is one run.
            [(1, last), (first, 12)] | [(first, last)] if !is_pair(first, last) => {
                format!(" from {} to {}", month_name(first), month_name(last))
            }
            _ => {
                let names: Vec<_> = values(self.months).into_iter().map(month_name).collect();
                format!(" in {}", listed(&names, "and"))
            }
        }
    }

    /// " of January and March", " of each month from June to August"; nothing for every month.
    fn of_months(&self) -> String {
        let months = self.in_months();
        match months.strip_prefix(" in ") {
            Some(names) => format!(" of {names}"),
            None if months.is_empty() => months,
            None => format!(" of each month{months}"),
        }
    }
}

/// "every weekday", "every Monday", "every Mon, Wed and Fri", "every day except Sunday".
fn every(weekdays: u64) -> String {
    match weekdays {
        WORKING_DAYS => return "every weekday".to_owned(),
        WEEKEND => return "every weekend day".to_owned(),
        _ => {}
    }
    let names: Vec<_> = weekday_names(weekdays).collect();
    match names.len() {
        6 => {
            let missing: String = weekday_names(EVERY_WEEKDAY & !weekdays).collect();
            format!("every day except {missing}")
        }
        3.. => {
            let short: Vec<_> = names.iter().map(|name| name[..3].to_owned()).collect();
            format!("every {}", listed(&short, "and"))
        }
        _ => format!("every {}", names.join(" and ")),
    }
}

fn weekday_names(weekdays: u64) -> impl Iterator<Item = &'static str> {
    let has = move |day: &&u32| weekdays >> **day & 1 == 1;
    WEEK.iter().filter(has).map(|day| WEEKDAYS[*day as usize])
}

fn month_name(month: u32) -> String {
    MONTHS[month as usize - 1].to_owned()
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}
