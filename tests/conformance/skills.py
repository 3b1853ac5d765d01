"""The client of FastMCP, whose form of skills differs from the extension, downloads those of
`dibber serve --skills`.

skills.py URL TOKEN_FILE DIRECTORY
"""

import asyncio
import pathlib
import sys
import tempfile

from fastmcp import Client
from fastmcp.client.auth import BearerAuth
from fastmcp.utilities.skills import list_skills, sync_skills


def files(directory):
    """Every file below a directory, by its path."""
    found = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


async def main():
    url, token_file, directory = sys.argv[1:]
    directory = pathlib.Path(directory)
    token = pathlib.Path(token_file).read_text().strip()
    async with Client(url, auth=BearerAuth(token)) as client:
        skills = [skill for skill in await list_skills(client) if not skill.name.startswith("family/")]
        assert skills and all(skill.description for skill in skills), skills
        with tempfile.TemporaryDirectory() as target:
            await sync_skills(client, target)
            downloaded = files(pathlib.Path(target) / directory.name)
    expected = files(directory)
    assert downloaded == expected, sorted(downloaded.items() ^ expected.items())
    print(f"FastMCP: {len(skills)} skills with {len(downloaded)} files")


asyncio.run(main())
