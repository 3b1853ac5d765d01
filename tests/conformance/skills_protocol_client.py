"""A client of the Skills Protocol, written from its page "Tool Schemas" alone: eight tools by name over
JSON-RPC 2.0 at one endpoint, with the parameters and the defaults that the page has.

It reads the endpoint and the token from the environment, does what an agent would do, and prints one
line for each step. It needs nothing but Python.
"""

import json
import os
import urllib.request

ENDPOINT = os.environ["SKILLS_ENDPOINT"]
TOKEN = os.environ["SKILLS_TOKEN"]


class Refused(Exception):
    pass


class Client:
    def __init__(self):
        self.calls = 0

    def __getattr__(self, method):
        def call(**parameters):
            self.calls += 1
            body = {"jsonrpc": "2.0", "id": self.calls, "method": method, "params": parameters}
            answer = self.post(body)
            assert answer["jsonrpc"] == "2.0" and answer["id"] == self.calls, answer
            if "error" in answer:
                raise Refused(answer["error"]["code"], answer["error"]["message"])
            return answer["result"]

        return call

    def post(self, body):
        request = urllib.request.Request(
            ENDPOINT,
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {TOKEN}"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


def every_page(client, **parameters):
    cursor = None
    while True:
        if cursor:
            parameters["cursor"] = cursor
        page = client.list_skills(**parameters)
        yield from page["skills"]
        cursor = page.get("next_cursor")
        if not cursor:
            return


def main():
    client = Client()
    guide = client.load_skills_protocol_guide()
    print("guide:", "list_skills" in guide["content"])

    names = [skill["name"] for skill in every_page(client, limit=2)]
    print("sorted:", names == sorted(names), "unique:", len(names) == len(set(names)))
    print("namespace:", [skill["name"] for skill in every_page(client, namespace="math")])
    (found,) = client.list_skills(namespace="math", detail="summary")["skills"]
    print("summary:", found["description"], found["kind"])

    described = client.describe_skill(name="math.add", detail="manifest")
    print("manifest:", described["skill"]["manifest"]["runtime"]["entrypoint"])
    read = client.read_skill_file(name="math.add", path="SKILL.md")
    print("file:", read["content"].startswith("---"))

    blob = client.create_blob(content="héllo " * 1000, kind="text/plain")
    preview = client.read_blob(blob_id=blob["blob_id"])
    print("head:", len(preview["content"].encode()) <= 2000, preview["truncated"])
    tail = client.read_blob(blob_id=blob["blob_id"], mode="sample_tail", max_bytes=7)
    print("tail:", tail["content"])

    try:
        client.describe_skill(name="math.subtract")
    except Refused as refused:
        print("refused:", refused.args[0])

    try:
        ran = client.execute_skill(name="math.add", args={"a": 40, "b": 2}, timeout_ms=30000)
    except Refused as refused:
        print("skipped:", refused.args[1])
        return
    print("executed:", ran["status"], ran["output"], ran["run_id"].startswith("run_"))
    failed = client.execute_skill(name="family.dates.fail")
    print("failed:", failed["status"], failed["error"]["type"])
    code = """
from skills.math import add
from runtime import blobs

def count(args):
    text = blobs.read_text(args["blob"])
    return {"words": len(text.split()), "sum": add.main({"a": 1, "b": 2})["sum"]}
"""
    ran = client.run_code(
        language="python",
        code=code,
        entrypoint="count",
        args={"blob": blob["blob_id"]},
        mount_skills=["math.add"],
        input_blobs=[blob["blob_id"]],
        limits={"timeout_ms": 30000},
    )
    print("code:", ran["status"], ran["output"])


main()
