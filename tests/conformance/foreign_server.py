"""A server of the Python package `mcp`, for `dibber` as its client.

foreign_server.py PORT
"""

import sys

from mcp.server import MCPServer

server = MCPServer("foreign")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("it does that")


server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
