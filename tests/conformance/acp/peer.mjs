// An agent and an editor written with the official TypeScript SDK.
//
// peer.mjs agent VERSION: echoes prompts, and announces a command `own` and one with the name of a skill.
// peer.mjs client VERSION COMMAND...: starts an agent, and checks what its proxy adds.
import assert from "node:assert";
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import * as v1 from "@agentclientprotocol/sdk";
import * as v2 from "@agentclientprotocol/sdk/experimental/v2";

const [role, version, ...command] = process.argv.slice(2);
const isFirst = version === "1";
const acp = isFirst ? v1 : v2;
const info = { name: "peer", version: "1" };

function update(update) {
  return { sessionId: "s", update };
}

function runAgent() {
  const type = isFirst ? {} : { type: "command" };
  const own = ["own", "taken"].map((name) => ({ ...type, name, description: "Of the agent." }));
  const initialized = isFirst
    ? { protocolVersion: 1 }
    : { protocolVersion: 2, info, capabilities: { session: {} } };
  acp
    .agent({ name: "peer" })
    .onRequest(acp.methods.agent.initialize, () => initialized)
    .onRequest(acp.methods.agent.session.new, ({ client }) => {
      const list = { sessionUpdate: "available_commands_update", availableCommands: own };
      setTimeout(() => client.notify(acp.methods.client.session.update, update(list)), 200);
      return { sessionId: "s" };
    })
    .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
      const echo = { sessionUpdate: "agent_message_chunk", content: params.prompt[0] };
      if (!isFirst) echo.messageId = "m";
      await client.notify(acp.methods.client.session.update, update(echo));
      return isFirst ? { stopReason: "end_turn" } : { promptId: "p", messageId: "u" };
    })
    .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
}

function queue() {
  const items = [];
  const waiting = [];
  return {
    put: (item) => (waiting.length ? waiting.shift()(item) : items.push(item)),
    get: () => (items.length ? items.shift() : new Promise((resolve) => waiting.push(resolve))),
  };
}

async function runClient() {
  const agent = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const [names, texts] = [queue(), queue()];
  const stream = acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  const limit = setTimeout(() => process.exit(1), 30_000);
  await acp
    .client({ name: "peer" })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      const { sessionUpdate, availableCommands, content } = params.update;
      if (sessionUpdate === "available_commands_update") {
        assert(isFirst || availableCommands.every((command) => command.type === "command"));
        names.put(availableCommands.map((command) => command.name));
      } else if (sessionUpdate === "agent_message_chunk") texts.put(content.text);
    })
    .connectWith(stream, async (ctx) => {
      const initialize = isFirst ? { protocolVersion: 1 } : { protocolVersion: 2, info };
      await ctx.request(acp.methods.agent.initialize, initialize);
      await ctx.request(acp.methods.agent.session.new, { cwd: "/", mcpServers: [] });
      assert.deepEqual(await names.get(), ["notes", "taken"]);
      assert.deepEqual(await names.get(), ["own", "taken", "notes", "taken-skill"]);
      for (const [prompt, expected] of [
        ["/notes a  b", "Write a  b."],
        ["/taken-skill c", "Take c."],
        ["/own", "/own"],
      ]) {
        const blocks = [{ type: "text", text: prompt }];
        await ctx.request(acp.methods.agent.session.prompt, { sessionId: "s", prompt: blocks });
        const text = await texts.get();
        assert(text.endsWith(expected), text);
      }
    });
  clearTimeout(limit);
  agent.kill();
}

await (role === "agent" ? runAgent() : runClient());
