//! Pictures of heartbeats, in the terminal and as SVG.

use dibber_schedule::{
    ClockFormat, DRAWN_MAX, NamedSchedule, PICTURE_WIDTH, Picture, PictureRole, Schedule,
};
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::schedule::fires::{cron_text, schedule, zone_name};

const NEW_YORK: &str = "America/New_York";
/// Names that try to break a picture.
const HOSTILE: [&str; 4] = [
    "</text><script>alert(1)</script> & \"co\"",
    "\u{1B}[31mred\u{1B}[0m\r\nnext\u{202E}drawkcab\u{0}",
    "   ",
    "averyveryveryverylongnamewithoutanyblankinitthatdoesnotfitintoanylineofanyterminalatallnotevenone",
];

fn named(heartbeats: &[(&'static str, &str, &str)]) -> Vec<(&'static str, Schedule)> {
    heartbeats.iter().map(|(name, cron, zone)| (*name, schedule(cron, zone))).collect()
}

fn draw(
    kind: fn(&[NamedSchedule<'_>], &TimeZone, Date, ClockFormat) -> Picture,
    heartbeats: &[(&'static str, Schedule)],
    day: Date,
    clock: ClockFormat,
) -> Picture {
    let heartbeats: Vec<_> =
        heartbeats.iter().map(|(name, schedule)| NamedSchedule { name, schedule }).collect();
    let zone = heartbeats.first().map_or(TimeZone::UTC, |first| first.schedule.zone.clone());
    kind(&heartbeats, &zone, day, clock)
}

fn family() -> Vec<(&'static str, Schedule)> {
    named(&[
        ("Morning check-in", "0 8 * * 1-5", NEW_YORK),
        ("Homework nudge", "30 16 * * 1-4", NEW_YORK),
        ("Reading time", "30 16,20 * * 3,6", NEW_YORK),
        ("Call grandma in London", "30 19 * * 0", "Europe/London"),
        ("Pocket money", "0 9 1 * *", NEW_YORK),
    ])
}

/// Fails for a line that does not fit, and for a character that a terminal acts on.
fn check_lines(picture: &Picture) {
    for line in picture.to_string().lines() {
        assert!(line.chars().count() <= PICTURE_WIDTH, "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
        assert!(!line.ends_with(' '), "{line:?}");
    }
}

/// Fails for what is not well-formed: elements that do not nest, text that is not escaped.
fn check_xml(xml: &str) {
    let mut open = Vec::new();
    for (index, part) in xml.split('<').enumerate().skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or_else(|| panic!("part {index}: {part}"));
        assert!(!text.contains('>'), "{part}");
        for escaped in text.split('&').skip(1).chain(tag.split('&').skip(1)) {
            let name = escaped.split(';').next().expect("one");
            assert!(["amp", "lt", "gt", "quot"].contains(&name), "{part}");
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        match tag.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "part {index}"),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().expect("a name")),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(xml.chars().all(|c| c == '\n' || !c.is_control()), "a control character");
}

#[test]
fn a_week_of_one_heartbeat() {
    let one = named(&[("Morning check-in", "0 8 * * 1-5", NEW_YORK)]);
    let often = named(&[("", "*/10 9-17 * * 1-5", NEW_YORK)]);
    let shown = [
        draw(Picture::week, &one, date(2026, 11, 21), ClockFormat::Twelve),
        draw(Picture::week, &often, date(2026, 12, 31), ClockFormat::TwentyFour),
        draw(
            Picture::week,
            &named(&[("All day", "* * * * *", NEW_YORK)]),
            date(2026, 11, 1),
            ClockFormat::Twelve,
        ),
        draw(Picture::week, &[], date(2026, 12, 31), ClockFormat::Twelve),
    ];
    shown.iter().for_each(check_lines);
    insta::assert_snapshot!("heartbeat-week-of-one", shown.map(|it| it.to_string()).join("\n"));
}

#[test]
fn a_week_of_a_family() {
    let shown = [date(2026, 11, 21), date(2026, 10, 29), date(2026, 3, 8)]
        .map(|day| draw(Picture::week, &family(), day, ClockFormat::Twelve));
    shown.iter().for_each(check_lines);
    insta::assert_snapshot!("heartbeat-week", shown.map(|it| it.to_string()).join("\n"));
}

/// A page of a calendar: the dates, and what happens on them.
#[test]
fn a_month() {
    let one = named(&[("Bedtime", "30 19 * * 1,4", NEW_YORK)]);
    let often = named(&[("Often", "* * * * *", "Europe/Berlin")]);
    let shown = [
        draw(Picture::month, &one, date(2026, 11, 21), ClockFormat::Twelve),
        draw(Picture::month, &often, date(2027, 3, 31), ClockFormat::TwentyFour),
        draw(Picture::month, &family(), date(2026, 8, 1), ClockFormat::Twelve),
    ];
    shown.iter().for_each(check_lines);
    for picture in &shown {
        check_xml(&picture.svg());
    }
    insta::assert_snapshot!("heartbeat-month", shown.map(|it| it.to_string()).join("\n"));
}

#[test]
fn a_year() {
    let one = named(&[("Thirteenths", "0 9 13 * 5", NEW_YORK)]);
    let often = named(&[("Often", "0 */2 * 6-8 *", "Australia/Lord_Howe")]);
    let shown = [
        draw(Picture::year, &one, date(2026, 11, 21), ClockFormat::Twelve),
        draw(Picture::year, &often, date(2027, 1, 31), ClockFormat::TwentyFour),
        draw(Picture::year, &family(), date(2026, 11, 21), ClockFormat::Twelve),
    ];
    shown.iter().for_each(check_lines);
    insta::assert_snapshot!("heartbeat-year", shown.map(|it| it.to_string()).join("\n"));
}

#[test]
fn hostile_names() {
    let heartbeats: Vec<_> = HOSTILE.map(|name| (name, schedule("0 8 * * *", NEW_YORK))).to_vec();
    let picture = draw(Picture::week, &heartbeats, date(2026, 11, 21), ClockFormat::Twelve);
    check_lines(&picture);
    check_xml(&picture.svg());
    assert!(!picture.svg().contains("<script"));
    insta::assert_snapshot!("heartbeat-week-of-hostile-names", picture.to_string());
}

#[test]
fn more_heartbeats_than_marks() {
    let many = vec![("One of many", schedule("0 8 * * *", NEW_YORK)); DRAWN_MAX + 3];
    let picture = draw(Picture::year, &many, date(2026, 11, 21), ClockFormat::Twelve);
    let text = picture.to_string();
    assert_eq!(text.matches("One of many: Every day at 8am").count(), DRAWN_MAX);
    check_lines(&picture);
    let week = draw(Picture::week, &many, date(2026, 11, 21), ClockFormat::Twelve);
    assert!(week.to_string().contains("\nZ  One of many: "), "{week}");
    assert!(text.contains("3 more heartbeats are not shown"), "{text}");
    check_xml(&picture.svg());
}

#[test]
fn pieces_have_roles() {
    let heartbeats = family();
    let picture = draw(Picture::week, &heartbeats, date(2026, 10, 29), ClockFormat::Twelve);
    let lines = picture.lines();
    let has = |role, text: &str| {
        lines.iter().flatten().any(|piece| piece.role == role && piece.text == text)
    };
    assert!(has(PictureRole::Title, "Mon 26 Oct to Sun 1 Nov 2026 (ET)"));
    assert!(
        has(PictureRole::Fire, "1")
            && has(PictureRole::Clash, "!")
            && has(PictureRole::Change, "~")
    );
    let whole: String = lines
        .iter()
        .map(|line| line.iter().map(|piece| piece.text.as_str()).collect::<String>() + "\n")
        .collect();
    assert_eq!(whole, picture.to_string());
}

#[test]
fn the_ends_of_the_calendar() {
    for day in [Date::MIN, Date::MAX, date(9999, 12, 20), date(-9999, 1, 5), date(0, 1, 1)] {
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"] {
            let heartbeats = named(&[("Old", "0 */6 * * *", zone)]);
            for kind in [Picture::week, Picture::year] {
                let picture = draw(kind, &heartbeats, day, ClockFormat::Twelve);
                check_lines(&picture);
                check_xml(&picture.svg());
            }
        }
    }
}

#[test]
fn pictures_as_svg() {
    let heartbeats = family();
    let week = draw(Picture::week, &heartbeats, date(2026, 10, 29), ClockFormat::Twelve).svg();
    check_xml(&week);
    insta::assert_snapshot!("heartbeat-week-svg", week);
    let year = draw(Picture::year, &heartbeats, date(2026, 10, 29), ClockFormat::Twelve).svg();
    check_xml(&year);
}

/// Counts what a picture of one heartbeat shows: numbers in cells, each after a space or a `~`.
fn counted(picture: &Picture) -> usize {
    let is_row = |line: &&str| {
        ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].iter().any(|day| line.starts_with(day))
    };
    let text = picture.to_string();
    let rows = text.lines().skip(2).filter(is_row).take(7);
    let cells =
        rows.flat_map(|row| row[6..].split([' ', '~']).map(str::to_owned).collect::<Vec<_>>());
    cells.filter_map(|cell| cell.parse::<usize>().ok()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_fire_of_a_week_is_in_its_picture(
        cron in cron_text(),
        zone in zone_name(),
        day in (0_i32..3000).prop_map(|days| date(2024, 1, 1) + jiff::Span::new().days(days)),
    ) {
        let heartbeats = vec![("One", schedule(&cron, zone))];
        let picture = draw(Picture::week, &heartbeats, day, ClockFormat::Twelve);
        check_lines(&picture);
        let monday = day - jiff::Span::new().days(day.weekday().to_monday_zero_offset());
        let one = &heartbeats[0].1;
        let before = (monday - jiff::Span::new().days(1)).to_zoned(one.zone.clone()).expect("a time");
        let fires = one
            .fires_after(before.timestamp())
            .map(|fire| one.zone.to_datetime(fire.at).date())
            .take_while(|date| *date <= monday + jiff::Span::new().days(7))
            .filter(|date| *date >= monday && *date < monday + jiff::Span::new().days(7))
            .count();
        // An hour that comes twice may hold more than fit in two digits.
        if !picture.to_string().contains('+') {
            prop_assert_eq!(counted(&picture), fires, "{}", picture);
        }
    }
}
