"""An agent and an editor written with the official Python SDK.

peer.py agent: echoes prompts, and announces a command `own` and one with the name of a skill.
peer.py client COMMAND...: starts an agent, and checks what its proxy adds.
"""

import asyncio
import sys

import acp
from acp.helpers import update_agent_message_text, update_available_commands
from acp.schema import AvailableCommand, InitializeResponse, NewSessionResponse, PromptResponse


class EchoAgent:
    def on_connect(self, connection):
        self.connection = connection

    async def initialize(self, protocol_version, **_):
        return InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd, **_):
        asyncio.get_running_loop().call_later(0.2, lambda: asyncio.ensure_future(self.announce()))
        return NewSessionResponse(session_id="s")

    async def announce(self):
        commands = [AvailableCommand(name=name, description="Of the agent.") for name in ("own", "taken")]
        await self.connection.session_update("s", update_available_commands(commands))

    async def prompt(self, session_id, prompt, **_):
        await self.connection.session_update(session_id, update_agent_message_text(prompt[0].text))
        return PromptResponse(stop_reason="end_turn")


class Editor:
    def __init__(self):
        self.names = asyncio.Queue()
        self.texts = asyncio.Queue()

    def on_connect(self, connection):
        pass

    async def session_update(self, session_id, update, **_):
        if update.session_update == "available_commands_update":
            self.names.put_nowait([command.name for command in update.available_commands])
        elif update.session_update == "agent_message_chunk":
            self.texts.put_nowait(update.content.text)


async def check(command):
    editor = Editor()
    async with acp.spawn_agent_process(editor, *command) as (agent, _):
        await agent.initialize(protocol_version=1)
        session = await agent.new_session(cwd="/", mcp_servers=[])
        lists = [await asyncio.wait_for(editor.names.get(), 20) for _ in range(2)]
        assert lists == [["notes", "taken"], ["own", "taken", "notes", "taken-skill"]], lists
        for prompt, expected in (("/notes a  b", "Write a  b."), ("/taken-skill c", "Take c."), ("/own", "/own")):
            await agent.prompt(session_id=session.session_id, prompt=[acp.text_block(prompt)])
            text = await asyncio.wait_for(editor.texts.get(), 20)
            assert text.endswith(expected), text


if sys.argv[1] == "agent":
    asyncio.run(acp.run_agent(EchoAgent()))
else:
    asyncio.run(check(sys.argv[2:]))
