"""Runs the scenarios for authorization servers of the conformance suite against `dibber serve`.

usage: authorization.py DIBBER URL DATA NODE SUITE
"""

import json
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request

from consent import Person

dibber, url, data, node, suite = sys.argv[1:]
base = url.removesuffix("/mcp")
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
registration = {
    "client_name": "Conformance suite",
    "redirect_uris": [f"http://127.0.0.1:{port}/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
}
request = urllib.request.Request(base + "/oauth/register", json.dumps(registration).encode())
client = json.load(urllib.request.urlopen(request))["client_id"]
person = Person(dibber, base, data)
# The second scenario needs what the first one has read.
command = [node, suite, "authorization", "--url", base, "--client-id", client]
command += ["--resource", url, "--port", str(port)]
running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
output = ""
for line in running.stdout:
    output += line
    asked = re.search(re.escape(base) + r"/oauth/authorize\S+", line)
    if asked:
        try:
            urllib.request.urlopen(person.allow(asked[0])).read()
        except urllib.error.HTTPError as error:
            output += f"{error}\n"
passed = re.findall(r"Passed: .*|Total: .*", output)
assert running.wait() == 0 and "authorization-code-grant" in output and passed, output
assert all(" 0 failed" in line for line in passed), output
print(*passed, sep="\n")
