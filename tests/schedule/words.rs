//! Schedules as people write them: what is understood, what is refused and why, and that every
//! sentence about a schedule is understood as that schedule.

use dibber_schedule::{
    ClockFormat, Cron, ScheduleText, ScheduleTextError, cadence_text, words_like,
};
use dibber_text::escape_line;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::schedule::cadence::TABLE;
use crate::schedule::cadence_reader::Meaning;
use crate::schedule::fires::cron_text;

const NEW_YORK: &str = "America/New_York";

/// Schedules as parents type them.
pub(crate) const PARENTS: [&str; 81] = [
    "every day at half past seven",
    "half past seven in the evening",
    "quarter to eight am",
    "quarter past 7pm",
    "ten to eight in the evening",
    "Sundays at twenty-five past seven am",
    "every day at five to eight",
    "every 30 minutes from five to eight pm",
    "Sundays at 6pm for Zoe and Max",
    "every day at 19.30",
    "7.30pm",
    "every day at 19h30",
    "20 Uhr",
    "every day at 1930",
    "at 0730",
    "seven thirty pm",
    "8 oclock at night",
    "every day @ 8am",
    "everyday at 8am",
    "every other day at 8am",
    "every 2 weeks on Friday at 5pm",
    "fortnightly",
    "biweekly on Friday",
    "school days at 7am",
    "on schooldays at 7:15",
    "after school",
    "at bedtime",
    "at breakfast",
    "before dinner",
    "noon",
    "midnight",
    "mornings",
    "mornings at 7",
    "every morning",
    "nightly at 8pm",
    "tonight at 8",
    "tomorrow at 8am",
    "now",
    "once a week",
    "twice a week",
    "twice a week at 5pm",
    "twice a week on Mondays at 5pm",
    "twice a day",
    "three times a day",
    "once a month",
    "every week",
    "every month at 8am",
    "mon wed fri at 4pm",
    "Mon/Wed/Fri 4pm",
    "MWF at 4pm",
    "M-F 8am",
    "every Wendesday at 4pm",
    "evry day at 8am",
    "weakdays at 8am",
    "sundays, wensdays at 6pm",
    "daily at 8",
    "saturdays at 10",
    "at 8 and 9pm",
    "8am PST",
    "8am Pacific time",
    "8am eastern",
    "8am Berlin",
    "8pm in London",
    "8am in Europe/Berlin",
    "8am GMT+2",
    "8am Mars",
    "8am ET PT",
    "every half hour",
    "every 90 minutes",
    "every few days",
    "every second",
    "last day of the month",
    "end of the month",
    "first Monday of the month at 5pm",
    "24.12. at 18:00",
    "3/4 at 6pm",
    "in summer at 8am",
    "on holidays at 9am",
    "about 8pm",
    "weekdays only at 8am",
    "between 8am and 9am",
];

/// Schedules that are understood.
pub(crate) const UNDERSTOOD: [&str; 47] = [
    "every day at 7:30pm",
    "weekdays 8:00",
    "Sundays and Wednesdays at 18:30",
    "twice a day at 8 and 20",
    "first of the month at midnight",
    "20:00",
    "8am",
    "every 2 hours",
    "hourly",
    "@daily",
    "@Hourly",
    "0 8 * * 1-5",
    "daily at 8 p.m.",
    "Every evening at 7.30",
    "every morning at seven",
    "8 in the morning and 8 in the evening",
    "9 at night on weekends",
    "7 o'clock in the evening",
    "Every Saturday at 9 in the morning",
    "On the first day of each month, at 9 in the morning",
    "Mon-Fri 07:15",
    "Monday to Friday at noon",
    "from Friday to Monday at noon",
    "mon, wed & fri at 16:00",
    "Friday evenings at 6",
    "weekdays except Wednesday at 3pm",
    "every day except Saturdays and Sundays at 3pm",
    "midnight on the 1st and 15th",
    "the 1st of January at noon",
    "24 and 31 December at 6pm",
    "December 24th 18:00",
    "monthly on the 15th at 8am",
    "weekly on Mondays at 8am",
    "three times a week on Monday, Wednesday and Friday at 4pm",
    "every second hour",
    "every hour from 9 to 17 on weekdays",
    "every hour between 9am and 5pm, Monday through Friday",
    "every 15 minutes from 9am to 4:45pm",
    "every 30 minutes",
    "at 8:30, 9:30 and 23:30",
    "in July and August, every day at 10am",
    "on the 13th and on Fridays at 9am",
    "on Fridays that fall on the 1st to 7th at 9am",
    "every day at 8am Europe/Berlin",
    "8am Berlin time on weekdays",
    "at noon (PT)",
    "weekdays at 8am utc",
];

/// Returns each schedule with its fields, its zone and its words.
fn understood(texts: &[&str]) -> String {
    let line = |text: &&str| {
        let parsed = ScheduleText::parse(text).unwrap_or_else(|error| {
            panic!("{text:?}: {error}: {}", error.help().expect("help").shown(&()))
        });
        let zone = parsed.zone.as_deref().unwrap_or(NEW_YORK);
        let words = cadence_text(&parsed.cron, zone, ClockFormat::Twelve);
        format!("{:48} {:24} {words}\n", escape_line(text), parsed.expression)
    };
    texts.iter().map(line).collect()
}

/// Returns each schedule with a mark below its error.
fn refused(texts: &[&str]) -> String {
    let page = |text: &&str| match ScheduleText::parse(text) {
        Ok(parsed) => panic!("{text:?} is {}", parsed.expression),
        Err(error) => shown(text, &error),
    };
    texts.iter().map(page).collect()
}

fn shown(text: &str, error: &ScheduleTextError) -> String {
    let before = escape_line(&text[..error.span.start]).chars().count();
    let inside = escape_line(&text[error.span.range()]).chars().count().max(1);
    let marks = " ".repeat(before) + &"^".repeat(inside);
    let help = error.help().expect("help").shown(&()).to_string();
    let readings: String = error
        .readings()
        .iter()
        .map(|reading| format!("or: {}\n", error.resolved(text, reading)))
        .collect();
    format!("{}\n{marks}\n{error}\nhelp: {help}\n{readings}\n", escape_line(text))
}

#[test]
fn schedules_that_people_write() {
    insta::assert_snapshot!(understood(&UNDERSTOOD));
}

#[test]
fn times_and_days_with_two_meanings() {
    insta::assert_snapshot!(refused(&[
        "every day at 7",
        "7:30",
        "7",
        "weekdays at 12am",
        "12pm",
        "every evening at 12",
        "at 8 and 9pm",
        "at 11, 12 and 1pm",
        "every hour from 9 to 5",
        "every other day at 8am",
        "every 2 days",
    ]));
}

#[test]
fn schedules_that_five_fields_cannot_express() {
    insta::assert_snapshot!(refused(&[
        "every 3 days at 8am",
        "every other Monday at 8am",
        "every 2 weeks",
        "every 3 months",
        "last day of the month at 8am",
        "second Tuesday of the month",
        "Friday that falls on the 13th",
        "every 5 hours",
        "every 7 minutes",
        "every 0 minutes",
        "every 99999999999 hours",
        "at 8am and 9:30pm",
        "every 15 minutes from 9am to 5pm",
        "every hour from 10pm to 2am",
        "weekdays at 8am and weekends at 9am",
        "on the 1st of January and every Monday at 8am",
        "Friday the 13th at 8am",
        "8am on Mondays at 9am",
        "in January in March",
    ]));
}

#[test]
fn schedules_that_are_not_understood() {
    insta::assert_snapshot!(refused(&[
        "",
        "   ",
        "weakdays at 8am",
        "every Teusday at 8am",
        "whenever it rains",
        "every",
        "every blue moon",
        "every day at",
        "tuesdays",
        "every day",
        "weekdays Berlin time",
        "daily",
        "in July",
        "every day at breakfast",
        "every day at 8am and",
        "every day at 25:00",
        "every day at 13pm",
        "every day at 8:5pm",
        "every day at 8:75",
        "every day at 7:75",
        "every evening",
        "Friday evenings",
        "every morning at 8pm",
        "Friday evenings at 8am",
        "every tuesday morning at 8pm",
        "every night at noon",
        "every afternoon at 9",
        "every evening every 2 hours",
        "every leap day (Feb 30) at 8am",
        "every year every month on Jan 1 at 8am",
        "monthly on Mondays at 8am",
        "weekend to Monday at 8am",
        "every 5 minutes from 50 to 10 past every hour",
        "on the 32nd at 8am",
        "on the 0th",
        "Feb 31st to 3rd",
        "twice a day",
        "twice a day at 8am",
        "twice a week on Mondays at 8am",
        "twice",
        "weekly",
        "monthly at 8am",
        "every year at 8am",
        "every hour from 9am",
        "at 70 minutes past every hour",
        "at 5 minutes past 8:30am",
        "every day except",
        "every day at 8am Mars/Olympus",
        "every day at 8am ET PT",
        "每天 8 点",
        "täglich um 8",
        "\"every day at 8am\"",
        "0 8 * *",
        "0 8 * * MOM",
        "0 25 * * *",
        "30 19",
        "@reboot",
        "@every 5m",
        "TZ=UTC 0 8 * * *",
    ]));
}

/// What parents type, with what comes of it: a schedule, or what to write instead.
#[test]
fn what_parents_type() {
    let line = |text: &&str| {
        let written = escape_line(text);
        match ScheduleText::parse(text) {
            Ok(parsed) => {
                let zone = parsed.zone.as_deref().unwrap_or(NEW_YORK);
                format!(
                    "{written}\n  = {}\n",
                    cadence_text(&parsed.cron, zone, ClockFormat::Twelve)
                )
            }
            Err(error) => {
                let help = error.help().expect("help").shown(&()).to_string();
                check_examples(text, &error, &help);
                format!("{written}\n  error: {error}\n  help: {help}\n")
            }
        }
    };
    insta::assert_snapshot!(PARENTS.iter().map(line).collect::<String>());
}

/// Letters that change places are the commonest slip, and of words that are as close the likeliest.
#[test]
fn misspelled_words_are_corrected() {
    for (typed, meant) in [
        ("every nigth at 8pm", "every night at 8pm"),
        ("every firday at 8pm", "every friday at 8pm"),
        ("evrey day at 8pm", "every day at 8pm"),
        ("every dya at 8pm", "every day at 8pm"),
        ("every mornign at 8am", "every morning at 8am"),
        ("weekdasy at 8am", "weekday at 8am"),
        ("every saturady at 8am", "every saturday at 8am"),
        ("every thrusday at 8am", "every thursday at 8am"),
        ("every nint at 8pm", "every ninth at 8pm"),
        ("every munday at 8am", "every monday at 8am"),
        // Without a time, one that fits is offered with it.
        ("every nigth", "every night at 7:30pm"),
        ("every mornign", "every morning at 8am"),
    ] {
        let error = ScheduleText::parse(typed).expect_err(typed);
        let help = error.help().map(|help| help.shown(&()).to_string());
        assert_eq!(help, Some(format!("did you mean `{meant}`?")), "{typed}");
    }
}

/// Checks that the help of an error has two schedules that work, or the corrected one.
fn check_examples(text: &str, error: &ScheduleTextError, help: &str) {
    for forbidden in ["five fields", "expected"] {
        assert!(!error.to_string().contains(forbidden), "{text:?}: {error}");
        assert!(!help.contains(forbidden), "{text:?}: {help}");
    }
    let is_corrected = help.starts_with("did you mean");
    let resolved = error.readings().iter().map(|reading| error.resolved(text, reading));
    let quoted = help.split('`').skip(1).step_by(2).map(str::to_owned);
    let works = |text: &String| ScheduleText::parse(text).is_ok();
    let count = quoted.chain(resolved).filter(works).count();
    assert!(count >= 2 || is_corrected && count == 1, "{text:?}: {help}");
}

/// Checks that the words of a schedule have its days and times, and that the same words are written
/// for what they mean.
fn check_round_trip(cron: &str, clock: ClockFormat) -> Result<(), String> {
    let schedule = Cron::parse(cron).expect("a schedule");
    let sentence = cadence_text(&schedule, NEW_YORK, clock);
    let parsed = ScheduleText::parse(&sentence)
        .map_err(|error| format!("{cron}\n{}", shown(&sentence, &error)))?;
    let expression = &parsed.expression;
    let again = cadence_text(&parsed.cron, NEW_YORK, clock);
    if again != sentence {
        return Err(format!("{cron}\n{sentence}\n{expression}\n{again}"));
    }
    if Cron::parse(expression) != Ok(parsed.cron) {
        return Err(format!("{cron}\n{sentence}\n{expression} is not what was parsed"));
    }
    if Meaning::of(cron) != Meaning::of(expression) {
        return Err(format!("{cron}\n{sentence}\n{expression} has other fires"));
    }
    if sentence.ends_with("ET") && parsed.zone.as_deref() != Some(NEW_YORK) {
        return Err(format!("{cron}\n{sentence}\n{:?}", parsed.zone));
    }
    Ok(())
}

#[test]
fn every_sentence_of_the_table_is_understood() {
    let wrong: Vec<String> = TABLE
        .lines()
        .flat_map(|cron| {
            [ClockFormat::Twelve, ClockFormat::TwentyFour]
                .map(|clock| check_round_trip(cron, clock))
        })
        .filter_map(Result::err)
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_zone_in_words_is_understood() {
    let cron = Cron::parse("0 8 * * *").expect("a schedule");
    let names = jiff::tz::db().available();
    for name in names.filter(|name| !["Etc/Unknown", "Factory"].contains(&name.as_str())) {
        let sentence = cadence_text(&cron, name.as_str(), ClockFormat::Twelve);
        let parsed = ScheduleText::parse(&sentence).unwrap_or_else(|error| {
            panic!("{name}: {}", shown(&sentence, &error));
        });
        let zone = parsed.zone.expect("a zone");
        let again = cadence_text(&cron, &zone, ClockFormat::Twelve);
        assert_eq!(again, sentence, "{name} is read as {zone}");
    }
}

#[test]
fn a_zone_in_words_has_the_time_of_the_first_one() {
    for (words, name) in [
        ("ET", NEW_YORK),
        ("Berlin time", "Europe/Berlin"),
        ("Buenos Aires time", "America/Argentina/Buenos_Aires"),
        ("UTC-5", "Etc/GMT+5"),
        ("europe/berlin", "Europe/Berlin"),
    ] {
        let parsed = ScheduleText::parse(&format!("8am {words}")).expect("a schedule");
        let get = |name: &str| TimeZone::get(name).expect("a zone");
        let zone = get(&parsed.zone.expect("a zone"));
        let from: jiff::Timestamp = "2026-01-01T00:00:00Z".parse().expect("an instant");
        for days in 0..800 {
            let at = from + jiff::SignedDuration::from_hours(days * 24);
            assert_eq!(zone.to_offset(at), get(name).to_offset(at), "{words}");
        }
    }
}

#[test]
fn a_word_or_a_first_name_is_no_zone() {
    let words = "wake Wake center nice Nice midway queens Queens troll lima resolute reunion palmer \
                 Casey casey Sydney Charlotte Victoria Florence Davis Dawson Madison Austin Regina \
                 Stanley Phoenix wet met turkey Turkey Israel cork providence berlin Knox Jersey";
    for word in words.split_whitespace() {
        for text in [format!("every day at 7am {word}"), format!("mondays at 8am {word}")] {
            let Err(error) = ScheduleText::parse(&text) else { panic!("{text} has a zone") };
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
    }
    for text in ["8am wake time", "8pm nice time", "every day at 8am in center"] {
        assert!(ScheduleText::parse(text).is_err(), "{text} has a zone");
    }
    let error = ScheduleText::parse("every day at 8am Casey").expect_err("a name");
    insta::assert_snapshot!(shown("every day at 8am Casey", &error));
    let error = ScheduleText::parse("every day at 7am wake").expect_err("a word");
    insta::assert_snapshot!(shown("every day at 7am wake", &error));
}

#[test]
fn a_city_names_its_zone() {
    for (typed, zone) in [
        ("8am Munich", "Europe/Berlin"),
        ("8am in m\u{FC}nchen", "Europe/Berlin"),
        ("8am San Francisco on weekdays", "America/Los_Angeles"),
        ("weekdays at 8am St. Louis time", "America/Chicago"),
        ("8am (Mumbai)", "Asia/Kolkata"),
        ("8am Washington, D.C.", "America/New_York"),
        ("8am S\u{E3}o Paulo", "America/Sao_Paulo"),
        ("8am in Sydney", "Australia/Sydney"),
        ("8am New York", "America/New_York"),
        ("8am Tokyo on weekdays", "Asia/Tokyo"),
        ("8am in Nice", "Europe/Paris"),
        ("8am Casey time", "Antarctica/Casey"),
        ("8am est", "EST"),
        ("8am WET", "WET"),
        ("8am Japan", "Japan"),
    ] {
        let parsed = ScheduleText::parse(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(parsed.zone.as_deref(), Some(zone), "{typed}");
    }
    for (typed, help) in [
        ("8am Munch", "did you mean `8am Europe/Berlin`?"),
        ("8am San Fransisco", "did you mean `8am America/Los_Angeles`?"),
        ("8am CST", "did you mean `8am America/Chicago`?"),
        ("8am Christmas", "write the dates, `every Dec 25 at 9am`, or `weekends at 9am`"),
    ] {
        let error = ScheduleText::parse(typed).expect_err(typed);
        assert_eq!(error.help().map(|help| help.shown(&()).to_string()).as_deref(), Some(help));
    }
}

/// Words of schedules in any order.
fn any_words() -> impl Strategy<Value = String> {
    let words = "every|each|on|at|the|a|per|and|or|also|to|from|between|in|of|except|that|fall|past|\
                 begin|o'clock|times|dates|leap|other|last|am|pm|morning|night|minutes|hours|days|\
                 weeks|months|years|hourly|daily|weekly|weekdays|weekend|mondays|fri|january|dec|two|\
                 first|2nd|31st|st|once|twice|noon|midnight|odd|even|7|08|12|13|60|99999|4294967295|\
                 7:30|8:5|20.00|24:00|,|-|:|.|(|)|/|&|ET|Berlin time|Europe/Berlin|UTC-5|weakdays|é|\u{1F600}";
    let words: Vec<&str> = words.split('|').collect();
    let gap = prop::sample::select(vec![" ", " ", " ", "", "\t"]);
    proptest::collection::vec((prop::sample::select(words), gap), 0..14)
        .prop_map(|words| words.into_iter().map(|(word, gap)| format!("{word}{gap}")).collect())
}

/// Checks an error: it is inside the schedule, has help, and its readings can be put in its place.
fn check_parse(text: &str) -> Result<(), TestCaseError> {
    match ScheduleText::parse(text) {
        Ok(parsed) => {
            prop_assert_eq!(Cron::parse(&parsed.expression), Ok(parsed.cron), "{}", text);
        }
        Err(error) => {
            prop_assert!(text.get(error.span.range()).is_some(), "{}: {:?}", text, error);
            prop_assert!(error.help().is_some(), "{}", text);
            for reading in error.readings() {
                let resolved = error.resolved(text, reading);
                let next = ScheduleText::parse(&resolved).err();
                prop_assert_ne!(next.map(|next| next.span), Some(error.span), "{}", resolved);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_sentence_is_understood(cron in cron_text()) {
        for clock in [ClockFormat::Twelve, ClockFormat::TwentyFour] {
            let checked = check_round_trip(&cron, clock);
            prop_assert!(checked.is_ok(), "{}", checked.unwrap_err());
        }
    }

    #[test]
    fn words_in_the_manner_of_others_mean_the_schedule(cron in cron_text()) {
        let schedule = Cron::parse(&cron).expect("a schedule");
        for (written, zone) in [
            ("every day at 9am", None),
            ("Every day at 09:30", None),
            ("every monday at 9am ET", Some(NEW_YORK)),
        ] {
            let Some(words) = words_like(written, &schedule, NEW_YORK) else { continue };
            let parsed = ScheduleText::parse(&words).expect("words");
            prop_assert_eq!(&parsed.cron, &schedule, "{}", words);
            prop_assert_eq!(parsed.zone.as_deref(), zone, "{}", words);
        }
    }

    #[test]
    fn any_words_are_parsed_or_refused(text in any_words()) {
        check_parse(&text)?;
    }

    #[test]
    fn any_characters_are_parsed_or_refused(text in ".{0,60}") {
        check_parse(&text)?;
    }
}

#[test]
fn a_long_schedule_is_refused_at_once() {
    for word in ["every ", "7,", "from 9 to ", "1st and ", "(", "Berlin ", "at 8am and "] {
        let text = word.repeat(100_000);
        let error = ScheduleText::parse(&text).expect_err("too long");
        assert_eq!(error.to_string(), "a schedule has at most 1000 bytes");
    }
    let longest = "at 8am and ".repeat(90);
    assert!(ScheduleText::parse(&longest).is_err());
}

#[test]
fn words_have_the_manner_of_others() {
    let cases = [
        ("every day at 9am", "30 16 * * 1-5", "every weekday at 4:30pm"),
        ("Daily at 9:00am", "30 16 * * 1-5", "Every weekday at 4:30pm"),
        ("every day at 09:15", "30 16 * * 1-5", "every weekday at 16:30"),
        ("Every day at 9am ET", "0 7 * * *", "Every day at 7am ET"),
    ];
    for (written, cron, words) in cases {
        let schedule = Cron::parse(cron).expect("a schedule");
        assert_eq!(words_like(written, &schedule, NEW_YORK).as_deref(), Some(words));
    }
    let schedule = Cron::parse("30 16 * * 1-5").expect("a schedule");
    for written in ["0 9 * * *", "@daily", "at some time"] {
        assert_eq!(words_like(written, &schedule, NEW_YORK), None);
    }
    // The words of a list of times do not tell that the expression follows the clock.
    let schedule = Cron::parse("0 */6 * * *").expect("a schedule");
    assert_eq!(words_like("every day at 9am", &schedule, NEW_YORK), None);
}
