//! Databases of PostgreSQL to test on.
//!
//! They are created on the server of `DIBBER_TEST_POSTGRES`, the URL of a user who may create
//! databases, or on one that is started from the programs of the system. Without either, tests that
//! need one are skipped, except in CI on Linux.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use dibber_server::store::DatabaseAddress;
use dibber_server::store::postgres::{PostgresAddress, PostgresStore};
use postgres::{Client, NoTls};

/// The variable with the URL of a server.
const URL_VARIABLE: &str = "DIBBER_TEST_POSTGRES";

/// Starts a server in a new directory, prints `ready`, and stops it when its standard input ends:
/// that is when this process ends, in whatever way.
const SCRIPT: &str = r#"
bin=$1 port=$2
unset LC_ALL LC_MESSAGES
umask 077
cd / && directory=$(mktemp -d "${TMPDIR:-/tmp}/dibber-postgres.XXXXXX") || exit 1
stop() {
  trap - EXIT
  "$bin/pg_ctl" stop -D "$directory/data" -m immediate >/dev/null 2>&1
  rm -rf "$directory"
}
trap stop EXIT
trap 'exit 1' HUP INT TERM
printf '%s' 'te@st' >"$directory/password"
"$bin/initdb" -D "$directory/data" -U dibber --pwfile="$directory/password" \
  --auth=scram-sha-256 -E UTF8 --locale=C --no-sync >"$directory/log" 2>&1 || {
  cat "$directory/log"; exit 1
}
certificate=$directory/certificate.pem key=$directory/key.pem
options="-p $port -k '$directory' -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=300"
if openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE -days 36500 \
  -keyout "$key" -out "$certificate" >/dev/null 2>&1
then
  options="$options -c ssl=on -c ssl_cert_file='$certificate' -c ssl_key_file='$key'"
fi
"$bin/pg_ctl" start -w -D "$directory/data" -l "$directory/log" -o "$options" >/dev/null 2>&1 || {
  cat "$directory/log"; exit 1
}
echo "ready $certificate"
read -r _
"#;

/// The attempts to start a server: another process may take the port.
const START_ATTEMPTS: u32 = 5;

/// A server on which databases can be created.
struct TestServer {
    /// The URL of its database `postgres`.
    url: String,
    /// Its certificate, if it encrypts.
    certificate: Option<PathBuf>,
    /// Keeps its standard input open until this process ends.
    _script: Option<Child>,
}

/// A database, which is dropped at the end of the test.
pub(crate) struct TestDatabase {
    server: &'static TestServer,
    name: String,
}

impl TestDatabase {
    /// Creates a database. There is none if there is no server, which is said.
    pub(crate) fn create() -> Option<Self> {
        Self::create_with("UTF8")
    }

    /// Creates a database with an encoding.
    pub(crate) fn create_with(encoding: &str) -> Option<Self> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let server = server()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("dibber_test_{}_{count}", std::process::id());
        server.execute(&format!("CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0"));
        Some(Self { server, name })
    }

    /// Returns the URL.
    pub(crate) fn url(&self) -> String {
        let url = &self.server.url;
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        let (server, _) = base.rsplit_once('/').expect("a database in the URL");
        format!("{server}/{}?{query}", self.name)
    }

    /// Returns the certificate of the server, if it encrypts.
    pub(crate) fn certificate(&self) -> Option<&Path> {
        self.server.certificate.as_deref()
    }

    pub(crate) fn address(&self) -> PostgresAddress {
        address(&self.url())
    }

    /// Opens the store in it.
    pub(crate) fn open(&self) -> PostgresStore {
        PostgresStore::open(&self.address()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Connects to it as another program does.
    pub(crate) fn connect(&self) -> Client {
        Client::connect(&self.url(), NoTls).expect("a connection")
    }

    /// Executes statements on its tables.
    pub(crate) fn execute(&self, statements: &str) {
        let mut client = self.connect();
        client.batch_execute("SET search_path TO dibber").expect("a setting");
        client.batch_execute(statements).expect("a statement");
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        self.server.execute(&format!("DROP DATABASE {} WITH (FORCE)", self.name));
    }
}

/// Parses the URL of a database of PostgreSQL.
pub(crate) fn address(url: &str) -> PostgresAddress {
    match DatabaseAddress::parse(url) {
        Ok(DatabaseAddress::Postgres(address)) => address,
        other => panic!("{other:?}"),
    }
}

impl TestServer {
    fn execute(&self, statement: &str) {
        let mut client = Client::connect(&self.url, NoTls).expect("a connection");
        client.batch_execute(statement).expect("a statement");
    }
}

/// Returns the server of this process, which is started when it is needed first.
fn server() -> Option<&'static TestServer> {
    static SERVER: OnceLock<Option<TestServer>> = OnceLock::new();
    let server = SERVER.get_or_init(|| {
        if let Ok(url) = std::env::var(URL_VARIABLE) {
            return Some(TestServer { url, certificate: None, _script: None });
        }
        programs().map(|programs| start(&programs))
    });
    let is_required = cfg!(target_os = "linux") && std::env::var_os("CI").is_some();
    assert!(server.is_some() || !is_required, "CI needs PostgreSQL, or {URL_VARIABLE}");
    if server.is_none() {
        say_skipped();
    }
    server.as_ref()
}

#[expect(clippy::print_stderr, reason = "a test that is skipped looks like one that passes")]
fn say_skipped() {
    eprintln!("skipped: PostgreSQL is not installed, and {URL_VARIABLE} is not set");
}

/// Returns the directory of the programs of a server.
fn programs() -> Option<PathBuf> {
    let packages = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let packages = packages.map(|entry| entry.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut directories: Vec<PathBuf> = packages.chain(std::env::split_paths(&path)).collect();
    directories.retain(|directory| directory.join("initdb").is_file());
    directories.into_iter().next()
}

fn start(programs: &Path) -> TestServer {
    let mut output = String::new();
    for _ in 0..START_ATTEMPTS {
        let port = free_port();
        let mut script = shell()
            .args(["-c", SCRIPT, "sh"])
            .arg(programs)
            .arg(port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut lines = BufReader::new(script.stdout.take().expect("its output")).lines();
        output.clear();
        while let Some(Ok(line)) = lines.next() {
            if let Some(certificate) = line.strip_prefix("ready ").map(PathBuf::from) {
                let url = format!("postgres://dibber:te%40st@localhost:{port}/postgres");
                let certificate = certificate.exists().then_some(certificate);
                return TestServer { url, certificate, _script: Some(script) };
            }
            output += &format!("{line}\n");
        }
        drop(script.wait());
    }
    panic!("PostgreSQL does not start:\n{output}");
}

/// Returns a shell of a user who may start a server, which root may not.
fn shell() -> Command {
    let id = Command::new("id").arg("-u").output().expect("a user").stdout;
    if id != b"0\n" {
        return Command::new("sh");
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "sh"]);
    command
}

fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}
