//! A real `dibber serve --skills`, and raw calls of the Skills Protocol.

use std::io::{BufReader, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::support::Tree;
use crate::support::command::Dibber;
use crate::support::sandbox::skip;
use crate::support::server_process::{Answer, Serving, answer, serve};

/// A server with skills, which lives as long as the test.
pub(crate) struct SkillServer {
    pub(crate) serving: Serving,
    /// The folders of the skills are in `skills`, the data in `data`.
    pub(crate) tree: Tree,
}

/// Writes a skill with code. `more` is added to its manifest.
pub(crate) fn write_skill(tree: &Tree, name: &str, more: &str, code: &str) {
    let manifest = format!(
        "name = \"{name}\"\nversion = \"1.0.0\"\ndescription = \"Does {name}.\"\nkind = \"action\"\n\n\
         [runtime]\nlanguage = \"python\"\nentrypoint = \"code/main.py\"\nexport = \"main\"\n{more}"
    );
    tree.write(&format!("skills/{name}/skill.toml"), manifest.as_bytes());
    let text = format!("---\nname: {name}\nshort_description: Does it.\n---\n# Use\n\nCall it.\n");
    tree.write(&format!("skills/{name}/SKILL.md"), text.as_bytes());
    tree.write(&format!("skills/{name}/code/main.py"), code.as_bytes());
}

/// Writes the skills that most tests call.
pub(crate) fn write_skills(tree: &Tree) {
    let schema = "\n[input_schema]\ntype = \"object\"\nrequired = [\"a\", \"b\"]\n\n\
                  [input_schema.properties.a]\ntype = \"integer\"\n\n\
                  [input_schema.properties.b]\ntype = \"integer\"\n";
    let add =
        "def main(args):\n    print(\"adding\")\n    return {\"sum\": args[\"a\"] + args[\"b\"]}\n";
    write_skill(tree, "math.add", schema, add);
    let fail = "def main(args):\n    raise KeyError(\"no such day\")\n";
    write_skill(tree, "family.dates.fail", "", fail);
    let none = "def main(args):\n    return None\n";
    write_skill(tree, "needs.network", "\n[permissions]\nnetwork = [\"example.org\"]\n", none);
    write_skill(tree, "needs.secret", "\n[permissions]\nsecrets = [\"KEY\"]\n", none);
    write_skill(tree, "needs.packages", "", none);
    tree.write("skills/needs.packages/code/requirements.txt", b"requests\n");
    tree.write("skills/math.add/large.bin", &vec![0; (1 << 20) + 1]);
    tree.write(
        "skills/plain/SKILL.md",
        b"---\nname: plain\ndescription: Reads only.\n---\nRead.\n",
    );
}

impl SkillServer {
    /// Starts a server with the skills of [`write_skills`].
    pub(crate) fn start(options: &[&str]) -> Self {
        let tree = Tree::new();
        write_skills(&tree);
        Self::over(tree, options)
    }

    /// Starts a server over the skills of a tree.
    pub(crate) fn over(tree: Tree, options: &[&str]) -> Self {
        let skills = tree.path().join("skills");
        let skills = skills.to_str().expect("a path").to_owned();
        let options = [&["--listen", "127.0.0.1:0", "--skills", &skills], options].concat();
        let data = tree.path().join("data");
        Self { serving: Serving::of(serve(&data, &options), &data), tree }
    }

    /// A new token of a new family, which may do everything with skills.
    pub(crate) fn token_of(&self, family: &str) -> String {
        let data = self.serving.data.to_str().expect("a path");
        let added = ["family", "--family", family, "add-member", "Bo", "--data", data];
        assert_eq!(Dibber::new(added).run().code, 0, "{family}");
        let issued = Dibber::new(["family", "--family", family, "token", "--data", data])
            .arguments(&["--scope", "skill:read", "--scope", "skill:write", "--output", "-"])
            .run();
        assert_eq!(issued.code, 0, "{}", issued.show());
        issued.stdout.trim().to_owned()
    }

    /// The head of a request with a token, without the line of the length.
    pub(crate) fn head(&self, token: &str) -> String {
        format!(
            "POST /rpc HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: application/json\r\n",
            self.serving.address
        )
    }

    /// Sends a message as it is, and keeps the connection.
    pub(crate) fn send(&self, token: &str, body: &[u8]) -> TcpStream {
        let mut stream = self.serving.connect();
        let head = format!("{}Content-Length: {}\r\n\r\n", self.head(token), body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).expect("it reads");
        stream
    }

    /// Sends a message as it is, and reads the answer.
    pub(crate) fn post_as(&self, token: &str, body: &[u8]) -> Answer {
        answer(&mut BufReader::new(self.send(token, body)))
    }

    /// Sends a message as it is with the token of the owner.
    pub(crate) fn post(&self, body: impl AsRef<[u8]>) -> Answer {
        self.post_as(&self.serving.token(), body.as_ref())
    }

    /// Calls a method; returns the whole answer.
    pub(crate) fn call(&self, method: &str, params: &Value) -> Value {
        self.call_as(&self.serving.token(), method, params)
    }

    /// Calls a method with a token; returns the whole answer.
    pub(crate) fn call_as(&self, token: &str, method: &str, params: &Value) -> Value {
        let answer = self.post_as(token, request(method, params).as_bytes());
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.header("content-type"), Some("application/json"));
        answer.json()
    }

    /// Calls a method that succeeds; returns its result.
    pub(crate) fn result(&self, method: &str, params: &Value) -> Value {
        let answer = self.call(method, params);
        assert!(answer.get("error").is_none(), "{method} {params}: {answer}");
        answer["result"].clone()
    }

    /// Runs code or a skill; none if this machine cannot isolate it, which is printed.
    pub(crate) fn run(&self, method: &str, params: &Value) -> Option<Value> {
        let answer = self.call(method, params);
        if answer["error"]["data"]["reason"] == "SANDBOX_UNAVAILABLE" {
            skip(&answer["error"]["message"].to_string());
            return None;
        }
        assert!(answer.get("error").is_none(), "{method} {params}: {answer}");
        Some(answer["result"].clone())
    }
}

/// A call as a message.
pub(crate) fn request(method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string()
}

/// The code and the reason of an error.
pub(crate) fn refusal(answer: &Value) -> String {
    let error = &answer["error"];
    let help = error["data"]["help"].as_str().unwrap_or_default();
    assert!(!help.is_empty(), "no help: {answer}");
    format!("{} {}", error["code"], error["data"]["reason"].as_str().unwrap_or_default())
}
