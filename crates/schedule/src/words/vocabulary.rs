//! The words that a schedule may be written with, and what they mean.
//!
//! Another language is another table: the grammar reads terms only.

/// The days from Monday to Friday, as bits from Sunday.
pub(super) const WORKING_DAYS: u64 = 0b011_1110;
/// Saturday and Sunday, as bits from Sunday.
pub(super) const WEEKEND: u64 = 0b100_0001;
/// The odd days of the month.
pub(super) const ODD_DATES: u64 = 0xAAAA_AAAA;
/// The even days of the month.
pub(super) const EVEN_DATES: u64 = 0x5555_5554;

/// The meaning of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Every,
    On,
    At,
    The,
    /// "a day", "per day".
    Per,
    And,
    Or,
    Also,
    To,
    From,
    Between,
    In,
    Of,
    Except,
    That,
    Fall,
    Past,
    Begin,
    Oclock,
    /// "three times a day".
    Times,
    Date,
    Leap,
    Other,
    /// "half" and "quarter" of an hour, in minutes.
    Fraction(u32),
    /// "19h30", "19 Uhr": an hour of a 24-hour clock.
    HourSign,
    /// "am" and "pm".
    Half(PartOfDay),
    /// "morning": "every morning", and "in the morning" after a time.
    Part(PartOfDay),
    Unit(Unit),
    /// "hourly", "daily".
    Adverb(Unit),
    /// A weekday, or several of them, as bits from Sunday.
    Weekdays(u64),
    /// A month, from 1.
    Month(u32),
    Number(u32),
    Ordinal(u32),
    /// The ending of an ordinal in digits: "1st".
    Ending,
    /// "twice".
    Count(u32),
    /// A time of day with a name, in minutes.
    Clock(u32),
    /// "odd", "even": the days of the month.
    Parity(u64),
    /// The last day, which five fields cannot express.
    Last,
}

/// A part of the day, which decides between the two halves of a 12-hour clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartOfDay {
    Am,
    Pm,
    Morning,
    Afternoon,
    Evening,
    Night,
}

impl PartOfDay {
    /// Returns `true` if an hour of a 24-hour clock can be in it. The parts overlap, because people
    /// differ about where one ends.
    pub(super) const fn has_hour(self, hour: u32) -> bool {
        match self {
            Self::Am | Self::Morning => hour < 12,
            Self::Pm => hour >= 12,
            Self::Afternoon => matches!(hour, 12..=18),
            Self::Evening => hour == 0 || hour >= 15,
            Self::Night => hour <= 6 || hour >= 17,
        }
    }

    /// Returns its name.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Am | Self::Morning => "morning",
            Self::Pm | Self::Afternoon => "afternoon",
            Self::Evening => "evening",
            Self::Night => "night",
        }
    }

    /// Returns a time in it.
    pub(super) const fn example(self) -> &'static str {
        match self {
            Self::Am | Self::Morning => "8am",
            Self::Pm | Self::Afternoon => "2pm",
            Self::Evening | Self::Night => "7:30pm",
        }
    }
}

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

/// The words, in lowercase and in the singular.
const WORDS: &[(&str, Term)] = &[
    ("every", Term::Every),
    ("each", Term::Every),
    ("all", Term::Every),
    ("on", Term::On),
    ("at", Term::At),
    ("the", Term::The),
    ("a", Term::Per),
    ("an", Term::Per),
    ("per", Term::Per),
    ("and", Term::And),
    ("or", Term::Or),
    ("also", Term::Also),
    ("to", Term::To),
    ("through", Term::To),
    ("thru", Term::To),
    ("until", Term::To),
    ("till", Term::To),
    ("from", Term::From),
    ("between", Term::Between),
    ("in", Term::In),
    ("of", Term::Of),
    ("except", Term::Except),
    ("but", Term::Except),
    ("that", Term::That),
    ("fall", Term::Fall),
    ("past", Term::Past),
    ("begin", Term::Begin),
    ("o'clock", Term::Oclock),
    ("oclock", Term::Oclock),
    ("half", Term::Fraction(30)),
    ("quarter", Term::Fraction(15)),
    ("h", Term::HourSign),
    ("uhr", Term::HourSign),
    ("time", Term::Times),
    ("date", Term::Date),
    ("leap", Term::Leap),
    ("other", Term::Other),
    ("last", Term::Last),
    ("am", Term::Half(PartOfDay::Am)),
    ("pm", Term::Half(PartOfDay::Pm)),
    ("morning", Term::Part(PartOfDay::Morning)),
    ("afternoon", Term::Part(PartOfDay::Afternoon)),
    ("evening", Term::Part(PartOfDay::Evening)),
    ("night", Term::Part(PartOfDay::Night)),
    ("nightly", Term::Part(PartOfDay::Night)),
    ("minute", Term::Unit(Unit::Minute)),
    ("min", Term::Unit(Unit::Minute)),
    ("hour", Term::Unit(Unit::Hour)),
    ("hr", Term::Unit(Unit::Hour)),
    ("day", Term::Unit(Unit::Day)),
    ("week", Term::Unit(Unit::Week)),
    ("month", Term::Unit(Unit::Month)),
    ("year", Term::Unit(Unit::Year)),
    ("hourly", Term::Adverb(Unit::Hour)),
    ("daily", Term::Adverb(Unit::Day)),
    ("everyday", Term::Adverb(Unit::Day)),
    ("weekly", Term::Adverb(Unit::Week)),
    ("monthly", Term::Adverb(Unit::Month)),
    ("yearly", Term::Adverb(Unit::Year)),
    ("annually", Term::Adverb(Unit::Year)),
    ("weekday", Term::Weekdays(WORKING_DAYS)),
    ("workday", Term::Weekdays(WORKING_DAYS)),
    ("weekend", Term::Weekdays(WEEKEND)),
    ("sunday", Term::Weekdays(1)),
    ("monday", Term::Weekdays(1 << 1)),
    ("tuesday", Term::Weekdays(1 << 2)),
    ("wednesday", Term::Weekdays(1 << 3)),
    ("thursday", Term::Weekdays(1 << 4)),
    ("friday", Term::Weekdays(1 << 5)),
    ("saturday", Term::Weekdays(1 << 6)),
    ("sun", Term::Weekdays(1)),
    ("mon", Term::Weekdays(1 << 1)),
    ("tue", Term::Weekdays(1 << 2)),
    ("tues", Term::Weekdays(1 << 2)),
    ("wed", Term::Weekdays(1 << 3)),
    ("thu", Term::Weekdays(1 << 4)),
    ("thur", Term::Weekdays(1 << 4)),
    ("fri", Term::Weekdays(1 << 5)),
    ("sat", Term::Weekdays(1 << 6)),
    ("january", Term::Month(1)),
    ("february", Term::Month(2)),
    ("march", Term::Month(3)),
    ("april", Term::Month(4)),
    ("may", Term::Month(5)),
    ("june", Term::Month(6)),
    ("july", Term::Month(7)),
    ("august", Term::Month(8)),
    ("september", Term::Month(9)),
    ("october", Term::Month(10)),
    ("november", Term::Month(11)),
    ("december", Term::Month(12)),
    ("jan", Term::Month(1)),
    ("feb", Term::Month(2)),
    ("mar", Term::Month(3)),
    ("apr", Term::Month(4)),
    ("jun", Term::Month(6)),
    ("jul", Term::Month(7)),
    ("aug", Term::Month(8)),
    ("sep", Term::Month(9)),
    ("sept", Term::Month(9)),
    ("oct", Term::Month(10)),
    ("nov", Term::Month(11)),
    ("dec", Term::Month(12)),
    ("one", Term::Number(1)),
    ("two", Term::Number(2)),
    ("three", Term::Number(3)),
    ("four", Term::Number(4)),
    ("five", Term::Number(5)),
    ("six", Term::Number(6)),
    ("seven", Term::Number(7)),
    ("eight", Term::Number(8)),
    ("nine", Term::Number(9)),
    ("ten", Term::Number(10)),
    ("eleven", Term::Number(11)),
    ("twelve", Term::Number(12)),
    ("fifteen", Term::Number(15)),
    ("twenty", Term::Number(20)),
    ("thirty", Term::Number(30)),
    ("forty", Term::Number(40)),
    ("fifty", Term::Number(50)),
    ("first", Term::Ordinal(1)),
    ("second", Term::Ordinal(2)),
    ("third", Term::Ordinal(3)),
    ("fourth", Term::Ordinal(4)),
    ("fifth", Term::Ordinal(5)),
    ("sixth", Term::Ordinal(6)),
    ("seventh", Term::Ordinal(7)),
    ("eighth", Term::Ordinal(8)),
    ("ninth", Term::Ordinal(9)),
    ("tenth", Term::Ordinal(10)),
    ("st", Term::Ending),
    ("nd", Term::Ending),
    ("rd", Term::Ending),
    ("th", Term::Ending),
    ("once", Term::Count(1)),
    ("twice", Term::Count(2)),
    ("noon", Term::Clock(12 * 60)),
    ("midday", Term::Clock(12 * 60)),
    ("midnight", Term::Clock(0)),
    ("odd", Term::Parity(ODD_DATES)),
    ("even", Term::Parity(EVEN_DATES)),
];

/// Returns the meaning of a word in lowercase, also in the plural.
pub(super) fn term(word: &str) -> Option<Term> {
    let known = |word: &str| WORDS.iter().find(|(known, _)| *known == word).map(|(_, term)| *term);
    let has_plural = |term: &Term| !matches!(term, Term::Ending | Term::Month(_));
    known(word).or_else(|| known(word.strip_suffix('s')?).filter(has_plural))
}

/// Returns the words that may be suggested for one that is unknown.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    WORDS.iter().map(|(word, _)| *word).filter(|word| word.len() > 2)
}

/// Returns `true` if a word occurs in words only, and not in the fields of a cron expression.
pub(super) fn is_of_words_only(word: &str) -> bool {
    let is_value = |term: Term| matches!(term, Term::Weekdays(_) | Term::Month(_));
    term(word).is_some_and(|term| !is_value(term))
}
