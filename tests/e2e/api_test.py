"""Goal: the examples of docs/http.md work as they stand, real answers over HTTP are what the OpenAPI
document says, and no token below admin ever reads a secret, also not from turns and events.
Method: starts the binary on a free port. Runs the lines of the page itself with bash and curl; plants
a hidden goal, a hidden node and a secret in the narrator's raw reply, and searches all answers.
Usage: api_test.py PATH_OF_ARBITER
"""

import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from serving import Served, events_of, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "http.md"

GOAL = "Betray the lighthouse keeper before dawn"
NODE = "vault-code-7719"
RAW = "whisper-raw-5521"
SCRIPT = f"""
default:
  say: |
    <thinking>{RAW}</thinking>
    You remember: {GOAL}. The door creaks.
    ```json
    [{{"op": "assign", "path": ["coins"], "value": 4}}, {{"op": "assign", "path": ["vault", "code"], "value": "{NODE}-b"}}]
    ```
"""


TABLE = {
    "title": "Harbour", "seed": 7,
    "map": {"id": "m", "areas": {"gate": {"name": "Gate"}}, "paths": {}},
    "characters": {"hero": {"name": "Ann", "hp": {"current": 10, "max": 12}, "area_id": "gate"}},
    "party": ["hero"], "active_actor": "hero", "tools": ["roll"]}


def blocks(text):
    """The shell examples of the page: (text, whether they are to be refused)."""
    for info, body in re.findall(r"^```sh( refused)?\n(.*?)^```$", text, re.M | re.S):
        yield body, bool(info)


def mistake(value, schema, named, path="$"):
    """Where a value is not what a schema says; None if it is. The same subset of JSON Schema as
    server/schema.h, written a second time."""
    if "$ref" in schema:
        return mistake(value, named[schema["$ref"].rsplit("/", 1)[1]], named, path)
    if "anyOf" in schema:
        tried = [mistake(value, each, named, path) for each in schema["anyOf"]]
        if None not in tried:
            return tried[-1]
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    types = schema.get("type", [])
    types = types if isinstance(types, list) else [types]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if types and not any(
            isinstance(value, kinds[each]) if each in kinds
            else is_number and (each == "number" or isinstance(value, int)) for each in types):
        return f"{path} is not {types}: {value!r}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{path} is none of {schema['enum']}: {value!r}"
    if isinstance(value, str) and not (
            schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 1 << 60)):
        return f"{path} has the length {len(value)}"
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                return f"{path} has no {key}: {sorted(value)}"
        for key, each in value.items():
            known = schema.get("properties", {}).get(key, schema.get("additionalProperties", {}))
            if known is False:
                return f"{path} has an unknown {key}"
            found = mistake(each, known if isinstance(known, dict) else {}, named, f"{path}.{key}")
            if found:
                return found
    if isinstance(value, list):
        for i, each in enumerate(value):
            found = mistake(each, schema.get("items", {}), named, f"{path}.{i}")
            if found:
                return found
    return None


class ApiTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write(self.folder, "script.yaml", SCRIPT)

    def serve(self, *words):
        served = Served(ARBITER, self.folder, *words)
        self.addCleanup(served.stop)
        return served

    def token(self, name, scope):
        made = subprocess.run(
            [ARBITER, "token", "new", name, "--scope", scope, "--store", "sqlite:x.db"],
            cwd=self.folder, capture_output=True, text=True, check=True)
        return re.search(r"arb_[0-9a-f]+", made.stdout).group()

    def test_the_examples_of_the_page_work(self):
        served = self.serve("--demo", "--backups", "backups")
        found = list(blocks(PAGE.read_text()))
        self.assertGreater(len(found), 8)
        for text, is_refused in found:
            self.assertIn("curl ", text)
            for part in ([text] if not is_refused else text.splitlines()):
                script = ("set -e\ncurl() { command curl -sS --fail-with-body --max-time 60 \"$@\"; }\n" +
                          part.replace("127.0.0.1:7777", f"127.0.0.1:{served.port}"))
                ran = subprocess.run(["bash", "-c", script], cwd=self.folder, text=True,
                                     capture_output=True, timeout=300)
                told = f"{part}\n{ran.stdout[-2000:]}\n{ran.stderr}"
                if is_refused:
                    self.assertEqual(ran.returncode, 22, told)
                    self.assertEqual(set(json.loads(ran.stdout)), {"error"}, told)
                else:
                    self.assertEqual(ran.returncode, 0, told)
        self.assertTrue(pathlib.Path(self.folder, "backups", "before-the-storm.db").exists())
        archive = pathlib.Path(self.folder, "harbour.jsonl").read_text()
        self.assertGreater(len(archive.splitlines()), 3)

    def test_the_page_names_every_route(self):
        served = self.serve()
        page = PAGE.read_text()
        _, _, document = served.get("/api/v1/openapi.json")
        for path in document["paths"]:
            last = path.replace("/api/v1", "").split("/")[-1]
            if path.startswith("/api/") and not last.startswith("{"):
                self.assertIn("/" + last, page, path)

    def story(self, served, headers):
        """A campaign with secrets; its first turn is played."""
        def send(method, path, body=None):
            status, _, answer = served.send(method, path, body, headers)
            self.assertLess(status, 300, answer)
            return answer

        send("POST", "/api/v1/campaigns", {
            "id": "s", "state": {"coins": 3, "vault": {
                "_filter": True, "_showInEJS": False, "code": NODE}}, "table": TABLE})
        send("POST", "/api/v1/campaigns/s/goal", {"text": GOAL, "hidden": True})
        send("POST", "/api/v1/campaigns/s/turns", {"said": "I listen."})
        send("POST", "/api/v1/campaigns/s/checkpoints", {"label": "first"})

    def test_turns_and_events_tell_no_secrets(self):
        tokens = {scope: {"Authorization": "Bearer " + self.token(scope, scope)}
                  for scope in ("admin", "play", "read")}
        served = self.serve("--script", "script.yaml")
        self.story(served, tokens["admin"])
        base = "/api/v1/campaigns/s"
        told = []

        def events():
            made = served.connect()
            made.request("GET", base + "/events", headers={
                **tokens["read"], "Last-Event-ID": root})
            stream = made.getresponse()
            self.assertEqual(stream.status, 200)
            return made, stream

        _, _, history = served.get(base + "/history", headers=tokens["read"])
        root = history["turns"][0]["id"]
        made, stream = events()
        for body in ({"said": "And now?"}, {"said": "Go on.", "stream": True, "drafts": True}):
            status, _, answer = served.send("POST", base + "/turns", body, tokens["play"])
            self.assertEqual(status, 200, answer)
            told.append(answer)
        status, _, answer = served.send("POST", base + "/reroll", {}, tokens["play"])
        self.assertEqual(status, 200, answer)
        told.append(answer)
        seen = 0
        for event in events_of(stream, lambda event: event[0] in ("turn", "head")):
            told.append(event)
            seen += 1
        self.assertGreater(seen, 0)
        made.close()
        for method, path in self.readable(served):
            for scope in ("read", "play"):
                _, headers, answer = served.send(method, path, headers=tokens[scope])
                told.append((path, scope, headers, answer))
        for each in told:
            text = each if isinstance(each, str) else (
                each.decode() if isinstance(each, bytes) else json.dumps(each, default=str))
            for secret in (GOAL, "lighthouse keeper", NODE, RAW):
                self.assertNotIn(secret, text)
        _, _, raw = served.get(base + "/turns/1", headers=tokens["admin"])
        self.assertIn(RAW, raw["raw"])

    @staticmethod
    def readable(served):
        """All GET routes of the document, on the campaign."""
        connection = http.client.HTTPConnection("127.0.0.1", served.port)
        connection.request("GET", "/api/v1/openapi.json")
        document = json.loads(connection.getresponse().read())
        connection.close()
        for path, methods in document["paths"].items():
            if "get" in methods and not path.endswith("/events"):
                path = path.replace("{id}", "s").replace("{turn}", "1")
                path = path.replace("{character}", "hero").replace("{protocol}", "core")
                yield "GET", path + ("?path=/vault" if path.endswith("/blame") else "")

    def test_answers_are_what_the_document_says(self):
        served = self.serve("--script", "script.yaml")
        self.story(served, {})
        _, _, document = served.get("/api/v1/openapi.json")
        named = document["components"]["schemas"]

        def check(method, path, pattern, body=None):
            status, headers, answer = served.send(method, path, body)
            operation = document["paths"][pattern][method.lower()]
            response = operation["responses"].get(str(status), operation["responses"]["default"])
            content = response.get("content", {})
            kind = headers.get("content-type", "").split(";")[0]
            if kind == "application/json":
                schema = content["application/json"]["schema"]
                self.assertIsNone(mistake(answer, schema, named), (method, path, answer))
            return status

        base = "/api/v1/campaigns/{id}"
        for pattern, body in ((base + "/turns", {"said": "Well."}), (base + "/reroll", {}),
                              (base + "/propose", {"text": "Done."}), (base + "/undo", {})):
            status = check("POST", pattern.replace("{id}", "s"), pattern, body)
            self.assertEqual(status, 409 if pattern.endswith("undo") else 200, pattern)
        for pattern, methods in document["paths"].items():
            if "get" in methods and not pattern.endswith("/events"):
                path = pattern.replace("{id}", "s").replace("{turn}", "1")
                path = path.replace("{character}", "hero").replace("{protocol}", "love_system_simple")
                check("GET", path + ("?path=/coins" if path.endswith("/blame") else ""), pattern)

    def test_bodies_are_limited_and_typed(self):
        served = self.serve()
        for headers, body, status, code in (
                ({"Content-Type": "text/plain"}, "{}", 415, "media_type_refused"),
                ({"Content-Type": "application/json"}, "[]", 400, "field_type"),
                ({"Content-Type": "application/json"}, '{"x": 1}', 400, "unknown_field"),
                ({"Content-Type": "application/json"}, '{"state": {', 400, "json_unclosed")):
            found, _, answer = served.send("POST", "/api/v1/campaigns", body, headers)
            self.assertEqual((found, answer["error"]["code"]), (status, code), answer)


if __name__ == "__main__":
    unittest.main()
