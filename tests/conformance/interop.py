"""The client of the Python package `mcp` against `dibber serve`, over HTTP and over pipes.

interop.py DIBBER URL TOKEN_FILE DATA
"""

import asyncio
import sys

import httpx2
from mcp import Client, ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SKILL = {
    "name": "Packing list",
    "description": "Writes a list of what to pack for a trip.",
    "prompt": "Write a packing list for {{input.place}}.",
    "inputVariables": [{"name": "place"}],
}


async def use(client, call, read):
    """Lists, reads, writes, invokes: what every client of an agent does."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"skill_write", "skill_invoke", "mcp_whoami"} <= tools, tools
    resources = (await client.list_resources()).resources
    uris = {str(resource.uri) for resource in resources}
    assert "sprout://skill/authoring-guide" in uris, uris
    guide = await read("sprout://skill/authoring-guide")
    assert len(guide.contents[0].text) > 1000
    written = await call("skill_write", SKILL)
    assert not written.is_error, written
    skill = written.structured_content["skillId"]
    invoked = await call("skill_invoke", {"skillId": skill, "input": {"place": "Rügen"}})
    assert "Rügen" in invoked.structured_content["renderedPrompt"], invoked
    refused = await call("skill_get", {"skillId": "sk_missing"})
    assert refused.is_error, refused
    assert refused.structured_content["error"]["code"] == "DOMAIN_NOT_FOUND", refused


async def legacy(streams, transport):
    """The revisions that begin with a handshake."""
    async with streams as pair, ClientSession(pair[0], pair[1]) as session:
        opened = await session.initialize()
        await use(session, session.call_tool, session.read_resource)
        print(f"{transport}: {opened.protocol_version}")


async def modern(transport, name):
    """Whatever the client chooses by itself."""
    async with Client(transport) as client:
        await use(client, client.call_tool, client.read_resource)
        print(f"{name}: {client.protocol_version}")


async def main():
    dibber, url, token_file, data = sys.argv[1:]
    token = open(token_file).read().strip()
    pipes = StdioServerParameters(command=dibber, args=["serve", "--stdio", "--data", data])
    with_token = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=with_token) as http:
        await legacy(streamable_http_client(url, http_client=http), "HTTP")
        await modern(streamable_http_client(url, http_client=http), "HTTP")
    await legacy(stdio_client(pipes), "pipes")
    await modern(stdio_client(pipes), "pipes")
    async with httpx2.AsyncClient() as http:
        try:
            await legacy(streamable_http_client(url, http_client=http), "HTTP without a token")
        except BaseException as refused:
            print(f"without a token: {type(refused).__name__}")
        else:
            raise AssertionError("let in without a token")


asyncio.run(main())
