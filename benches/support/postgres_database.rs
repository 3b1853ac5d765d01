//! A database of PostgreSQL to measure, for as long as it is measured.

use dibber_server::store::DatabaseAddress;
use postgres::{Client, NoTls};

/// The variable with the URL of a server on which a database may be created.
const URL_VARIABLE: &str = "DIBBER_TEST_POSTGRES";

/// Measures a new database, if there is a server for it.
pub(crate) fn with_postgres_database(measure: impl FnOnce(&DatabaseAddress)) {
    let Ok(url) = std::env::var(URL_VARIABLE) else {
        println!("PostgreSQL: not measured, since {URL_VARIABLE} is not set");
        return;
    };
    let name = format!("dibber_bench_{}", std::process::id());
    let mut client = Client::connect(&url, NoTls).expect("a connection");
    client
        .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8'"))
        .expect("a database");
    let (base, query) = url.split_once('?').unwrap_or((&url, ""));
    let (server, _) = base.rsplit_once('/').expect("a database in the URL");
    measure(&DatabaseAddress::parse(&format!("{server}/{name}?{query}")).expect("a URL"));
    client.batch_execute(&format!("DROP DATABASE {name} WITH (FORCE)")).expect("its end");
}
