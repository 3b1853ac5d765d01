// Clients written in TypeScript read the skills of `dibber serve --skills`, and find every file of the
// directory again, byte for byte.
//
// node skills.mjs URL TOKEN_FILE DIRECTORY: has to lie in a directory with the packages of the clients.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1Http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import * as v2 from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";

const [url, tokenFile, directory] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Returns the files below a directory, as paths from it. */
function filesBelow(directory, prefix = "") {
  return readdirSync(path.join(directory, prefix), { withFileTypes: true }).flatMap((entry) => {
    const below = path.posix.join(prefix, entry.name);
    return entry.isDirectory() ? filesBelow(directory, below) : entry.isFile() ? [below] : [];
  });
}

/** What makes two skills the same: every path with what is in the file. */
const contentOf = (files) => files.map(([name, bytes]) => `${name} ${digest(bytes)}`).sort().join("\n");

const onDisk = filesBelow(directory)
  .filter((file) => path.posix.basename(file) === "SKILL.md")
  // Without a name it is not a skill.
  .filter((file) => /^name:/m.test(readFileSync(path.join(directory, file), "utf8")))
  .map((file) => path.join(directory, path.dirname(file)))
  .map((skill) => contentOf(filesBelow(skill).map((name) => [name, readFileSync(path.join(skill, name))])));

/** Returns the path of a file in its skill. */
const pathOf = (skill, resource) =>
  decodeURIComponent(resource.uri.slice(skill.uri.length - "SKILL.md".length));

/** Compares skills with those on disk, and says what differs. */
function compare(client, skills) {
  const read = skills.map(contentOf);
  const missing = onDisk.filter((skill) => !read.includes(skill));
  const other = read.filter((skill) => !onDisk.includes(skill));
  const files = skills.reduce((count, skill) => count + skill.length, 0);
  console.log(`${client}: ${read.length} skills with ${files} files, ${missing.length} missing, ${other.length} different`);
  assert.deepEqual([missing, other], [[], []]);
}

/** The client of the newest revision verifies what it reads. */
async function modern() {
  const client = new v2.Client(
    { name: "conformance", version: "1" },
    { capabilities: {}, versionNegotiation: { mode: "auto" } },
  );
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const skills = new SkillsClient(client, { skipInvalid: true });
  assert(skills.supported);
  const listed = await skills.list();
  const read = [];
  const unread = [];
  for (const skill of listed.skills) {
    const files = [];
    try {
      for (const resource of skill.resources) {
        const file = await skills.read(skill, resource.uri);
        files.push([pathOf(skill, resource), file.bytes ?? Buffer.from(file.text ?? file.content)]);
      }
      read.push(files);
    } catch (error) {
      unread.push(`${skill.uri}: ${error.message}`);
    }
  }
  const refused = (listed.invalid ?? []).map((entry) => `${entry.uri}: ${entry.reason}`);
  await client.close();
  return { read, unread, refused };
}

/** The client of the revisions before it does not know the extension: it sends the requests as they are. */
async function legacy() {
  const client = new v1.Client({ name: "conformance", version: "1" }, { capabilities: {} });
  await client.connect(
    new v1Http.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  );
  const read = [];
  let cursor;
  do {
    const page = await client.request({ method: "skills/list", params: { cursor } }, ResultSchema);
    for (const skill of page.skills) {
      const files = [];
      for (const resource of skill.resources) {
        const [contents] = (await client.readResource({ uri: resource.uri })).contents;
        const bytes = Buffer.from(contents.text ?? contents.blob, contents.blob ? "base64" : "utf8");
        assert.equal(`sha256:${digest(bytes)}`, resource.digest, resource.uri);
        assert.equal(bytes.length, resource.size, resource.uri);
        files.push([pathOf(skill, resource), bytes]);
      }
      read.push(files);
    }
    cursor = page.nextCursor;
  } while (cursor);
  await client.close();
  return read;
}

compare("sdk", await legacy());
const { read, unread, refused } = await modern();
for (const line of [...refused, ...unread]) console.log(`client: ${line}`);
if (refused.length + unread.length === 0) compare("client", read);
else console.log(`client: ${read.length} read, ${refused.length} refused, ${unread.length} unread`);
