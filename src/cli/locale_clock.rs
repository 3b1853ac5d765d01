//! Whether the user's locale has a clock of 12 or of 24 hours.

use dibber_schedule::ClockFormat;

/// The variables that name the locale of times, as POSIX orders them.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_TIME", "LANG"];
/// The territories in which 12 hours are preferred (CLDR, supplemental data, `timeData`).
const TWELVE_HOURS: [&str; 48] = [
    "AE", "AG", "AU", "BB", "BD", "BH", "BM", "BN", "BS", "CA", "CO", "DM", "DO", "EG", "FJ", "GD",
    "GH", "GM", "GU", "GY", "HK", "IN", "IQ", "JM", "JO", "KN", "KR", "KW", "LB", "LC", "LR", "MO",
    "MY", "NA", "NZ", "OM", "PA", "PG", "PH", "PK", "PR", "SA", "SG", "TT", "TW", "US", "VC", "ZM",
];
/// Locales whose language has another clock than most of their territory.
const EXCEPTIONS: [&str; 1] = ["fr_CA"];
/// The names of no locale at all, for which output is the same everywhere.
const NONE: [&str; 3] = ["", "C", "POSIX"];

/// Returns the clock of the user's locale.
pub(super) fn clock_of_locale() -> ClockFormat {
    clock_of(&locale().map(|(_, value)| value).unwrap_or_default())
}

/// Returns the variable that names the locale, if one does.
#[cfg(feature = "remote")]
pub(super) fn locale_variable() -> Option<&'static str> {
    locale().map(|(name, _)| name)
}

/// Returns the first variable that is not empty, and its value.
fn locale() -> Option<(&'static str, String)> {
    let values = VARIABLES.iter().filter_map(|name| Some((*name, std::env::var(name).ok()?)));
    values.into_iter().find(|(_, value)| !value.is_empty())
}

/// Returns the clock of a locale such as `en_US.UTF-8`.
fn clock_of(locale: &str) -> ClockFormat {
    let name = locale.split(['.', '@']).next().unwrap_or_default();
    let (language, territory) = name.split_once('_').unwrap_or((name, ""));
    let has_twelve = match territory {
        "" => NONE.contains(&name) || language == "en",
        territory => TWELVE_HOURS.contains(&territory) && !EXCEPTIONS.contains(&name),
    };
    if has_twelve { ClockFormat::Twelve } else { ClockFormat::TwentyFour }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_have_a_clock() {
        let twelve = ["", "C", "C.UTF-8", "POSIX", "en", "en_US.UTF-8", "en_CA", "en_AU", "en_PH"];
        let twenty_four = ["de_DE.UTF-8", "en_GB.UTF-8", "fr_CA", "fr_FR@euro", "de", "sv_SE"];
        for locale in twelve.into_iter().chain(["en_IN", "ko_KR.UTF-8", "es_CO"]) {
            assert_eq!(clock_of(locale), ClockFormat::Twelve, "{locale}");
        }
        for locale in twenty_four {
            assert_eq!(clock_of(locale), ClockFormat::TwentyFour, "{locale}");
        }
    }

    #[test]
    fn territories_are_in_order() {
        assert!(TWELVE_HOURS.is_sorted());
    }
}
