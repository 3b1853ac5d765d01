//! Cities and countries without a name in the time zone database, and their zones.

/// The places of each zone: in lowercase and ASCII, with `_` between words.
const PLACES: &[(&str, &[&str])] = &[
    (
        "America/New_York",
        &[
            "albany",
            "atlanta",
            "baltimore",
            "boston",
            "brooklyn",
            "buffalo",
            "charlotte",
            "cincinnati",
            "cleveland",
            "columbus",
            "harlem",
            "hartford",
            "jacksonville",
            "manhattan",
            "miami",
            "newark",
            "orlando",
            "philadelphia",
            "pittsburgh",
            "providence",
            "queens",
            "raleigh",
            "richmond",
            "tampa",
            "washington",
            "washington_dc",
        ],
    ),
    (
        "America/Chicago",
        &[
            "austin",
            "dallas",
            "des_moines",
            "fort_worth",
            "houston",
            "kansas_city",
            "madison",
            "memphis",
            "milwaukee",
            "minneapolis",
            "nashville",
            "new_orleans",
            "oklahoma_city",
            "omaha",
            "saint_louis",
            "san_antonio",
            "st_louis",
            "texas",
            "tulsa",
        ],
    ),
    (
        "America/Denver",
        &["albuquerque", "colorado_springs", "el_paso", "salt_lake_city", "santa_fe"],
    ),
    ("America/Phoenix", &["arizona", "scottsdale", "tucson"]),
    (
        "America/Los_Angeles",
        &[
            "california",
            "fresno",
            "hollywood",
            "las_vegas",
            "long_beach",
            "oakland",
            "palo_alto",
            "portland",
            "reno",
            "sacramento",
            "san_diego",
            "san_francisco",
            "san_jose",
            "seattle",
            "silicon_valley",
            "spokane",
        ],
    ),
    ("America/Anchorage", &["alaska", "fairbanks"]),
    ("Pacific/Honolulu", &["hawaii"]),
    ("America/Toronto", &["mississauga", "ottawa", "quebec", "quebec_city"]),
    ("America/Edmonton", &["calgary"]),
    ("America/Mexico_City", &["guadalajara", "puebla"]),
    ("America/Bogota", &["cali", "medellin"]),
    (
        "America/Sao_Paulo",
        &[
            "belo_horizonte",
            "brasilia",
            "campinas",
            "curitiba",
            "florianopolis",
            "porto_alegre",
            "rio_de_janeiro",
        ],
    ),
    ("America/Bahia", &["salvador"]),
    ("America/Guayaquil", &["quito"]),
    (
        "Europe/London",
        &[
            "birmingham",
            "bristol",
            "cambridge",
            "cardiff",
            "edinburgh",
            "england",
            "glasgow",
            "leeds",
            "leicester",
            "liverpool",
            "manchester",
            "newcastle",
            "nottingham",
            "oxford",
            "scotland",
            "sheffield",
            "southampton",
            "uk",
            "wales",
        ],
    ),
    ("Europe/Dublin", &["cork", "galway"]),
    (
        "Europe/Berlin",
        &[
            "aachen",
            "augsburg",
            "bielefeld",
            "bochum",
            "bonn",
            "braunschweig",
            "bremen",
            "chemnitz",
            "cologne",
            "dortmund",
            "dresden",
            "duesseldorf",
            "duisburg",
            "dusseldorf",
            "erfurt",
            "essen",
            "frankfurt",
            "freiburg",
            "germany",
            "hamburg",
            "hannover",
            "hanover",
            "heidelberg",
            "karlsruhe",
            "kassel",
            "kiel",
            "koeln",
            "koln",
            "leipzig",
            "lubeck",
            "luebeck",
            "magdeburg",
            "mainz",
            "mannheim",
            "muenchen",
            "muenster",
            "munchen",
            "munich",
            "munster",
            "nuernberg",
            "nuremberg",
            "nurnberg",
            "potsdam",
            "rostock",
            "saarbrucken",
            "stuttgart",
            "wiesbaden",
            "wuppertal",
            "wurzburg",
        ],
    ),
    ("Europe/Vienna", &["austria", "graz", "innsbruck", "linz", "salzburg", "wien"]),
    (
        "Europe/Zurich",
        &["basel", "bern", "geneva", "lausanne", "lucerne", "switzerland", "zuerich"],
    ),
    (
        "Europe/Paris",
        &[
            "bordeaux",
            "france",
            "grenoble",
            "lille",
            "lyon",
            "marseille",
            "montpellier",
            "nantes",
            "nice",
            "rennes",
            "strasbourg",
            "toulouse",
        ],
    ),
    (
        "Europe/Madrid",
        &["barcelona", "bilbao", "malaga", "sevilla", "seville", "valencia", "zaragoza"],
    ),
    ("Europe/Lisbon", &["lisboa", "porto"]),
    (
        "Europe/Rome",
        &[
            "bologna", "florence", "genoa", "milan", "milano", "naples", "palermo", "roma",
            "turin", "venice", "verona",
        ],
    ),
    ("Europe/Brussels", &["antwerp", "bruges", "ghent", "liege"]),
    ("Europe/Amsterdam", &["eindhoven", "groningen", "rotterdam", "the_hague", "utrecht"]),
    ("Europe/Copenhagen", &["aarhus", "odense"]),
    ("Europe/Stockholm", &["goteborg", "gothenburg", "malmo", "uppsala"]),
    ("Europe/Oslo", &["bergen", "trondheim"]),
    ("Europe/Helsinki", &["espoo", "tampere", "turku"]),
    ("Europe/Warsaw", &["gdansk", "krakow", "lodz", "poznan", "warszawa", "wroclaw"]),
    ("Europe/Prague", &["brno", "praha"]),
    ("Europe/Bucharest", &["cluj", "timisoara"]),
    ("Europe/Athens", &["thessaloniki"]),
    ("Europe/Istanbul", &["ankara", "antalya", "izmir"]),
    ("Europe/Moscow", &["saint_petersburg", "st_petersburg"]),
    ("Europe/Kyiv", &["kharkiv", "lviv", "odesa"]),
    ("Asia/Jerusalem", &["haifa"]),
    ("Asia/Riyadh", &["jeddah", "mecca"]),
    ("Asia/Dubai", &["abu_dhabi"]),
    ("Asia/Karachi", &["islamabad", "lahore", "rawalpindi"]),
    (
        "Asia/Kolkata",
        &[
            "ahmedabad",
            "bangalore",
            "bengaluru",
            "bombay",
            "chennai",
            "delhi",
            "goa",
            "hyderabad",
            "india",
            "jaipur",
            "kochi",
            "lucknow",
            "mumbai",
            "nagpur",
            "new_delhi",
            "pune",
            "surat",
        ],
    ),
    ("Asia/Ho_Chi_Minh", &["da_nang", "hanoi"]),
    ("Asia/Jakarta", &["bandung", "surabaya"]),
    ("Asia/Makassar", &["bali", "denpasar"]),
    ("Asia/Kuala_Lumpur", &["penang"]),
    ("Asia/Manila", &["cebu", "quezon_city"]),
    (
        "Asia/Shanghai",
        &[
            "beijing",
            "chengdu",
            "guangzhou",
            "hangzhou",
            "nanjing",
            "shenzhen",
            "suzhou",
            "tianjin",
            "wuhan",
            "xian",
        ],
    ),
    ("Asia/Taipei", &["kaohsiung"]),
    ("Asia/Seoul", &["busan", "incheon"]),
    (
        "Asia/Tokyo",
        &["fukuoka", "hiroshima", "kobe", "kyoto", "nagoya", "osaka", "sapporo", "yokohama"],
    ),
    ("Australia/Sydney", &["wollongong"]),
    ("Australia/Melbourne", &["geelong"]),
    ("Australia/Brisbane", &["cairns", "gold_coast"]),
    ("Pacific/Auckland", &["christchurch", "wellington"]),
    ("Africa/Cairo", &["alexandria", "giza"]),
    ("Africa/Casablanca", &["fes", "marrakesh", "rabat", "tangier"]),
    ("Africa/Johannesburg", &["cape_town", "durban", "pretoria"]),
    ("Africa/Lagos", &["abuja", "ibadan", "kano"]),
    ("Africa/Nairobi", &["mombasa"]),
];

/// Large cities with a name in the time zone database that is nothing else than a city.
const LARGE_CITIES: &str = "
    amsterdam athens auckland baghdad bangkok belgrade berlin bogota bratislava brisbane brussels
    bucharest budapest buenos_aires cairo caracas casablanca chicago copenhagen detroit dhaka dubai
    dublin edmonton helsinki ho_chi_minh hong_kong honolulu indianapolis istanbul jakarta jerusalem
    johannesburg karachi kathmandu kolkata kuala_lumpur kyiv lagos lisbon ljubljana london
    los_angeles madrid manila melbourne mexico_city minsk montevideo montreal moscow nairobi new_york
    oslo paris perth prague reykjavik riga riyadh rome saigon sao_paulo sarajevo seoul shanghai
    singapore stockholm taipei tallinn tehran tel_aviv tokyo toronto vancouver vienna vilnius warsaw
    winnipeg zagreb zurich";

/// Names of zones, cities and countries that are words or first names as well.
const AMBIGUOUS: &str = "
    acre act alexandria anchorage austin bergen beulah bristol brooklyn buffalo cairns canary
    casey center charlotte christmas cleveland cocos cologne columbus cork creston currie
    dallas darwin davis dawson denver easter essen florence geneva halifax houston india israel
    jersey knox kobe lima madison mecca memphis met midway milan munster muscat nice
    nome oral orlando palmer phoenix porto providence queens recife regina resolute reunion roma
    salta salvador samara santiago sofia stanley sydney troll turin turkey universal valencia verona
    victoria virgin wake wellington wet yap";

/// Returns `true` for a name that is a word or a first name as well; `name` has the form of those
/// of [`places`].
pub(super) fn is_ambiguous(name: &str) -> bool {
    AMBIGUOUS.split_ascii_whitespace().any(|ambiguous| ambiguous == name)
}

/// Returns `true` for the name of a large city or a country that is nothing else; `name` has the
/// form of those of [`places`].
pub(super) fn is_unambiguous(name: &str) -> bool {
    let is_large = || LARGE_CITIES.split_ascii_whitespace().any(|city| city == name);
    !is_ambiguous(name) && (is_large() || places().any(|(place, _)| place == name))
}

/// Returns each place with its zone.
pub(super) fn places() -> impl Iterator<Item = (&'static str, &'static str)> {
    PLACES.iter().flat_map(|(zone, places)| places.iter().map(|place| (*place, *zone)))
}
