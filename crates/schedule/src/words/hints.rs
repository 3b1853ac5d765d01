//! Words that people write about a schedule, and that it cannot have: what to write instead.

/// What is wrong with a word, and two schedules that can be written instead.
type Hint = (&'static str, &'static str);

const NOT_A_CLOCK_TIME: Hint =
    ("is not a time", "write the time: `weekdays at 7:30am` or `every day at 6pm`");
const SCHOOL: Hint = (
    "is not a time: a schedule does not know when there is school",
    "write `weekdays at 7:15am` or `Mon to Fri at 4pm`",
);
const HOLIDAY: Hint = (
    "is not a day of the calendar",
    "write the dates, `every Dec 25 at 9am`, or `weekends at 9am`",
);
const SEASON: Hint = (
    "is not a month",
    "write the months: `in June to August, every day at 8am` or `in December at 8am`",
);
const ONCE_ONLY: Hint =
    ("names one date; a schedule repeats", "write `every day at 8pm` or `every Monday at 8am`");
const INEXACT: Hint =
    ("is not supported: a schedule has exact times", "write `every day at 8pm` or `8am and 8pm`");
const VAGUE: Hint =
    ("does not say when", "write `every day at 8am` or `on Mondays and Thursdays at 5pm`");
const WEEKS: Hint = (
    "counts weeks, which a schedule cannot do",
    "write `every Friday at 5pm` and let the skill check the week, or `on the 1st and 15th at 5pm`",
);
const PART_OF_MONTH: Hint = ("is not a date", "write `on the 1st at 8am` or `on the 28th at 8am`");
const LIMITED: Hint =
    ("is not supported: a schedule does not end", "write `every day at 8am` or `weekdays at 8am`");
const WHOM: Hint = (
    "is not supported: a schedule has neither an end nor names",
    "write only when: `every day at 8am` or `Sundays at 6pm`",
);
const LETTERS: Hint =
    ("is not the name of a day", "write `Mon to Fri at 8am` or `Mon, Wed and Fri at 4pm`");
const ONLY: Hint = ("is not supported", "write `every day at 8pm` or `8am and 8pm`");
const NOT: Hint =
    ("is not supported", "write `every day except Sunday at 8am` or `weekdays at 8am`");
const SECONDS: Hint = (
    "is too short for a schedule, which has minutes",
    "write `every day at 8am` or `every 6 hours`",
);

/// The words, in lowercase.
const HINTS: &[(&str, Hint)] = &[
    ("school", SCHOOL),
    ("schoolday", SCHOOL),
    ("schooldays", SCHOOL),
    ("bedtime", NOT_A_CLOCK_TIME),
    ("bed", NOT_A_CLOCK_TIME),
    ("breakfast", NOT_A_CLOCK_TIME),
    ("lunch", NOT_A_CLOCK_TIME),
    ("lunchtime", NOT_A_CLOCK_TIME),
    ("dinner", NOT_A_CLOCK_TIME),
    ("dinnertime", NOT_A_CLOCK_TIME),
    ("supper", NOT_A_CLOCK_TIME),
    ("sunrise", NOT_A_CLOCK_TIME),
    ("sunset", NOT_A_CLOCK_TIME),
    ("after", NOT_A_CLOCK_TIME),
    ("before", NOT_A_CLOCK_TIME),
    ("early", NOT_A_CLOCK_TIME),
    ("late", NOT_A_CLOCK_TIME),
    ("holiday", HOLIDAY),
    ("holidays", HOLIDAY),
    ("vacation", HOLIDAY),
    ("birthday", HOLIDAY),
    ("birthdays", HOLIDAY),
    ("christmas", HOLIDAY),
    ("easter", HOLIDAY),
    ("spring", SEASON),
    ("summer", SEASON),
    ("autumn", SEASON),
    ("winter", SEASON),
    ("today", ONCE_ONLY),
    ("tonight", ONCE_ONLY),
    ("tomorrow", ONCE_ONLY),
    ("now", ONCE_ONLY),
    ("next", ONCE_ONLY),
    ("about", INEXACT),
    ("around", INEXACT),
    ("approximately", INEXACT),
    ("by", INEXACT),
    ("exactly", INEXACT),
    ("sharp", INEXACT),
    ("only", ONLY),
    ("always", VAGUE),
    ("never", VAGUE),
    ("often", VAGUE),
    ("randomly", VAGUE),
    ("sometimes", VAGUE),
    ("regularly", VAGUE),
    ("whenever", VAGUE),
    ("when", VAGUE),
    ("few", VAGUE),
    ("couple", VAGUE),
    ("several", VAGUE),
    ("biweekly", WEEKS),
    ("fortnight", WEEKS),
    ("fortnightly", WEEKS),
    ("fortnights", WEEKS),
    ("end", PART_OF_MONTH),
    ("beginning", PART_OF_MONTH),
    ("start", PART_OF_MONTH),
    ("middle", PART_OF_MONTH),
    ("starting", LIMITED),
    ("for", WHOM),
    ("m", LETTERS),
    ("mwf", LETTERS),
    ("tth", LETTERS),
    ("tu", LETTERS),
    ("not", NOT),
    ("without", NOT),
    ("sec", SECONDS),
    ("secs", SECONDS),
    ("seconds", SECONDS),
];

/// Returns what is wrong with a word in lowercase, and what to write instead.
pub(super) fn hint(word: &str) -> Option<Hint> {
    HINTS.iter().find(|(known, _)| *known == word).map(|(_, hint)| *hint)
}
