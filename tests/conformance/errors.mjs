// Clients written in TypeScript against `dibber serve`, over HTTP and over pipes. They validate
// every result against the output schema of its tool, those of failed calls too, so a schema that
// has no place for the error costs their users the error.
//
// node errors.mjs DIBBER: has to lie in a directory with the packages of the clients.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import readline from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1Http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as v1Pipes from "@modelcontextprotocol/sdk/client/stdio.js";
import * as v2 from "@modelcontextprotocol/client";
import * as v2Pipes from "@modelcontextprotocol/client/stdio";

const dibber = path.resolve(process.argv[2]);

/** Returns the directory of an installed package and its package.json. */
function installed(name) {
  const directory = path.join(import.meta.dirname, "node_modules", name);
  const manifest = JSON.parse(readFileSync(path.join(directory, "package.json"), "utf8"));
  return { directory, manifest };
}

/** Starts a server on a free port; returns its URL, its token and how to end it. */
async function listen(data) {
  const server = spawn(dibber, ["serve", "--listen", "127.0.0.1:0", "--data", data], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const lines = readline.createInterface({ input: server.stderr });
  const url = await new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      const [found] = /http:\/\/\S+/.exec(line) ?? [];
      if (found) resolve(found);
    });
    lines.on("close", () => reject(new Error("the server ended without listening")));
  });
  const token = readFileSync(path.join(data, "token"), "utf8").trim();
  const close = async () => {
    server.kill();
    await ended;
  };
  return { url, token, close };
}

/** A client of a TypeScript package: one connection for all calls. */
function sdk({ Client }, { StreamableHTTPClientTransport }, { StdioClientTransport }) {
  return async (server, data) => {
    const headers = { Authorization: `Bearer ${server?.token}` };
    const transport = server
      ? new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } })
      : new StdioClientTransport({
          command: dibber,
          args: ["serve", "--stdio", "--data", data],
          stderr: "ignore",
        });
    const client = new Client({ name: "conformance", version: "1" }, { capabilities: {} });
    await client.connect(transport);
    // The client knows the output schemas from here on.
    await client.listTools();
    return {
      call: (name, args) => client.callTool({ name, arguments: args }),
      close: () => client.close(),
    };
  };
}

/** The command line of the Inspector: a connection for each call. */
async function inspector(server, data) {
  const { directory, manifest } = installed("@modelcontextprotocol/inspector");
  const script = path.join(directory, manifest.bin["mcp-inspector"]);
  // It keeps files in the home directory.
  const env = { ...process.env, HOME: data };
  const target = server ? [server.url] : [dibber, "serve", "--stdio", "--data", data];
  const headers = server ? ["--header", `Authorization: Bearer ${server.token}`] : [];
  const run = promisify(execFile);
  return {
    call: async (name, args) => {
      const pairs = Object.entries(args).flatMap(([key, value]) => [
        "--tool-arg",
        `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
      ]);
      const method = ["--method", "tools/call", "--tool-name", name, ...pairs, ...headers];
      const command = [script, "--cli", ...target, ...method];
      // A tool that failed has an exit code of its own and is printed all the same.
      const { stdout, stderr } = await run(process.execPath, command, { env }).catch(
        (error) => error,
      );
      assert.notEqual(stdout, "", `${name}: ${stderr}`);
      return JSON.parse(stdout);
    },
    close: async () => {},
  };
}

/** Calls tools that work and tools that fail, one for each code of an error. */
async function use({ call }, data) {
  const skill = {
    name: "Packing list",
    description: "Writes a list of what to pack for a trip.",
    prompt: "Write a packing list for {{input.place}}.",
    inputVariables: [{ name: "place" }],
  };
  const ok = async (name, args) => {
    const result = await call(name, args);
    assert.ok(!result.isError, `${name}: ${JSON.stringify(result)}`);
    return result.structuredContent;
  };
  const fails = async (code, name, args) => {
    const result = await call(name, args);
    assert.equal(result.isError, true, name);
    const { error } = result.structuredContent;
    assert.equal(error.code, code, name);
    assert.ok(error.message && error.fix, `${name}: ${JSON.stringify(error)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), { error });
  };
  const { specHash } = await ok("skill_write", { ...skill, dryRun: true });
  const { skillId } = await ok("skill_write", { ...skill, specHash });
  const { renderedPrompt } = await ok("skill_invoke", { skillId, input: { place: "Rügen" } });
  assert.match(renderedPrompt, /Rügen/);
  await ok("skill_list", { limit: 1 });
  await ok("mcp_whoami", {});
  await fails("BAD_INPUT", "skill_write", { name: "Packing list" });
  await fails("BAD_INPUT", "skill_invoke", { skillId });
  const often = { name: "Often", cron: "* * * * *", runSkillId: skillId };
  await fails("BAD_INPUT", "heartbeat_create", often);
  await fails("DOMAIN_NOT_FOUND", "skill_get", { skillId: "sk_missing" });
  const homeAgent = await ok("skill_write", { ...skill, category: "home_agent" });
  await fails("PERMISSION_DENIED", "skill_invoke", { skillId: homeAgent.skillId });
  const database = new DatabaseSync(path.join(data, "dibber.db"));
  database.exec("ALTER TABLE skills RENAME TO lost");
  database.close();
  await fails("INTERNAL_ERROR", "skill_get", { skillId });
}

const clients = [
  ["@modelcontextprotocol/sdk", sdk(v1, v1Http, v1Pipes)],
  ["@modelcontextprotocol/client", sdk(v2, v2, v2Pipes)],
  ["@modelcontextprotocol/inspector", inspector],
];
let failed = false;
for (const [name, connect] of clients) {
  for (const transport of ["HTTP", "pipes"]) {
    const tried = `${name} ${installed(name).manifest.version}, ${transport}`;
    const data = mkdtempSync(path.join(tmpdir(), "dibber-errors-"));
    const server = transport === "HTTP" ? await listen(data) : undefined;
    const client = await connect(server, data);
    try {
      await use(client, data);
      console.log(`${tried}: every code arrives`);
    } catch (error) {
      console.error(`${tried}: ${error.message}`);
      failed = true;
    } finally {
      await client.close();
      await server?.close();
      rmSync(data, { recursive: true, force: true });
    }
  }
}
process.exitCode = failed ? 1 : 0;
