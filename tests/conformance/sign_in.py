"""Signs in to `dibber serve` with the Python client of MCP: discovery, registration, consent in a browser
without scripts, tokens, a call.

usage: sign_in.py DIBBER URL DATA
"""

import asyncio
import sys
import urllib.parse

import httpx2
from consent import Person
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

dibber, url, data = sys.argv[1:]
base = url.removesuffix("/mcp")


class Storage:
    """Keeps what the client gets."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


person = Person(dibber, base, data)
answers = []


async def show(address):
    answers.append(person.allow(address))


async def answer():
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(answers[-1]).query)
    code, state, iss = (query[name][0] for name in ("code", "state", "iss"))
    return AuthorizationCodeResult(code=code, state=state, iss=iss)


async def main():
    storage = Storage()
    metadata = OAuthClientMetadata(
        client_name="Python",
        redirect_uris=["http://127.0.0.1:8765/callback"],
        grant_types=["authorization_code", "refresh_token"],
        scope="skill:read family:read",
    )
    provider = OAuthClientProvider(url, metadata, storage, show, answer)
    async with httpx2.AsyncClient(auth=provider) as web:
        async with Client(streamable_http_client(url, http_client=web)) as client:
            result = await client.call_tool("mcp_whoami", {})
            assert not result.is_error, result
            assert len(answers) == 1, answers
            print("signed in:", storage.tokens.scope)
        # A token that has ended is renewed without a person.
        first = storage.tokens.access_token
        provider.context.token_expiry_time = 1
        async with Client(streamable_http_client(url, http_client=web)) as client:
            result = await client.call_tool("skill_list", {})
            assert not result.is_error, result
        assert storage.tokens.access_token != first and len(answers) == 1
        print("renewed")


asyncio.run(main())
