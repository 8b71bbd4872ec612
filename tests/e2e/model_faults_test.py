"""Goal: whatever a model server does, a turn over HTTP ends well-formed: a complete answer becomes a turn,
anything else an error with the documented code and an unchanged state; connections and descriptors are
given back, and a client that hangs up ends the request to the model within 3 s (F9).
Method: `arbiter serve` before tests/e2e/mock_upstream.py; every scenario in a campaign of its own, with
streamed and whole answers of the model, streamed and whole answers to the client.
Usage: model_faults_test.py PATH_OF_ARBITER
"""

import concurrent.futures
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import mock_upstream
from load import COUNTING, MockModel, line_of
from serving import Served, events_of, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
CANARY = "sk-canary-0123456789abcdef"
# The status of an answer that is not a stream (docs/http.md).
STATUS = {"ok": {200}, "reported": {200}, "model_key": {502}, "model_rate_limited": {429}, "model_overloaded": {503, 502},
          "model_too_long": {502, 413, 422}, "model_refused": {502}, "model_cut_off": {502},
          "model_timeout": {504}, "model_bad_answer": {502}, "model_unreachable": {502, 503}}
# Without a table there is no dice tool: the turn is withheld.
OUTCOMES = {"tool_calls": "reported"}
# Idle connections to a model are kept for the next request: some for each event loop.
KEPT_CONNECTIONS = 20
SHORT = {"connect": 2, "first_byte": 2, "idle": 3, "total": 8}


def descriptors(served):
    return len(os.listdir(f"/proc/{served.child.pid}/fd"))


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


GOAL = "Betray the lighthouse keeper before dawn"


@mock_upstream.scenario("model_refused")
async def prompt_echo(c):
    # As servers with a content filter answer. The goal is part of the prompt.
    found = "nothing" if GOAL not in c.body.decode() else GOAL
    body = mock_upstream.error("The prompt was rejected: " + found)
    await c.send(mock_upstream.head("400 Bad Request", f"Content-Length: {len(body)}") + body)


class ModelFaultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def serve(self, url, is_streamed=True, timeouts=None, store="memory:"):
        upstream = {"url": url, "model": "mock", "key_env": "MODEL_KEY", "stream": is_streamed,
                    **({"timeouts": timeouts} if timeouts else {})}
        write(self.folder, "upstream.yaml", json.dumps(upstream))
        served = Served(ARBITER, self.folder, "--upstream-file", "upstream.yaml", "--log", "json",
                        store=store, env={"MODEL_KEY": CANARY})
        self.addCleanup(served.stop)
        for _ in range(4):
            served.get("/healthz")  # on every event loop, which then has its descriptors
        return served

    def mock(self):
        mock = MockModel(COUNTING)
        self.addCleanup(mock.stop)
        return mock

    def begin(self, served, campaign):
        status, _, made = served.post("/api/v1/campaigns", {
            "id": campaign, "profile": "mvu", "state": {"n": 0}})
        self.assertEqual(status, 201, made)

    def play(self, served, campaign, said, is_streamed):
        """Returns "ok" or the code of the error, and checks the form of the answer."""
        connection = served.connect(timeout=60)
        try:
            connection.request("POST", f"/api/v1/campaigns/{campaign}/turns",
                               json.dumps({"said": said, "stream": is_streamed}),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            if is_streamed:
                self.assertEqual((answer.status, answer.getheader("Content-Type")), (200, "text/event-stream"))
                events = list(events_of(answer))
                self.assertIn(events[-1][0], ("done", "error"))
                self.assertEqual([each[0] for each in events if each[0] in ("done", "error")], [events[-1][0]])
                result, status = events[-1][2], None
            else:
                self.assertTrue(answer.getheader("Content-Type").startswith("application/json"))
                result, status = json.loads(answer.read()), answer.status
        finally:
            connection.close()
        if "error" in result:
            error = result["error"]
            self.assertTrue(error["message"] and error["message_zh"], error)
            self.assertNotIn(CANARY, json.dumps(result))
            code = error["code"]
        elif result["status"] == "committed":
            self.assertIn("好。", result["shown"])
            code = "ok"
        else:
            code = result["status"]
        if status is not None:
            self.assertIn(status, STATUS[code], code)
        return code

    def check(self, served, name, expected, is_streamed):
        campaign = name.replace("_", "-") + ("-s" if is_streamed else "-w")
        self.begin(served, campaign)
        before = served.get(f"/api/v1/campaigns/{campaign}/state")[2]["hash"]
        code = self.play(served, campaign, "mock:" + name, is_streamed)
        self.assertEqual(code, expected, name)
        state = served.get(f"/api/v1/campaigns/{campaign}/state")[2]
        self.assertEqual(state["hash"] == before, code != "ok", name)
        self.assertEqual(state["document"]["n"], 1 if code == "ok" else 0, name)
        self.assertEqual(len(line_of(served, campaign)), state["document"]["n"], name)

    def check_all(self, model_streams):
        mock = self.mock()
        served = self.serve(mock.url, model_streams, SHORT)
        baseline = descriptors(served)
        problems = []

        def one(item):
            name, scenario, is_streamed = item
            try:
                usual = scenario.stream if model_streams else scenario.whole
                self.check(served, name, OUTCOMES.get(name, usual), is_streamed)
            except Exception as error:  # pylint: disable=broad-except
                problems.append(f"{name}, client {'streamed' if is_streamed else 'whole'}: {error!r}")

        # Scenarios that refuse every second request see theirs one after another.
        items = [(name, each, is_streamed) for name, each in mock_upstream.SCENARIOS.items()
                 for is_streamed in (True, False)]
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(one, [each for each in items if not each[0].startswith("retried")]))
        for each in items:
            if each[0].startswith("retried"):
                one(each)
        self.assertEqual(problems, [])
        self.assertTrue(wait_until(lambda: descriptors(served) <= baseline + KEPT_CONNECTIONS, 5),
                        (baseline, descriptors(served)))
        self.assertTrue(wait_until(lambda: mock.server.open <= KEPT_CONNECTIONS, 5), mock.server.open)
        self.assertEqual(served.stop(), 0)
        self.assertNotIn(CANARY, "".join(served.log))
        self.assertTrue(wait_until(lambda: mock.server.open == 0, 3))

    def test_every_scenario_with_a_model_that_streams(self):
        self.check_all(True)

    def test_every_scenario_with_a_model_that_answers_as_a_whole(self):
        self.check_all(False)

    def not_tls(self):
        """The port of a server that does not speak TLS."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def answer():
            try:
                while True:
                    made = listener.accept()[0]
                    made.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                    made.close()
            except OSError:
                pass  # the test is over

        threading.Thread(target=answer, daemon=True).start()
        return listener.getsockname()[1]

    def test_a_model_that_cannot_be_reached(self):
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            port = closed.getsockname()[1]
        for url in (f"http://127.0.0.1:{port}/v1", "http://model.invalid/v1",
                    f"https://127.0.0.1:{self.not_tls()}/v1"):
            served = self.serve(url, timeouts=SHORT)
            for is_streamed in (True, False):
                self.check(served, "plain", "model_unreachable", is_streamed)
            self.assertEqual(served.stop(), 0)

    def test_a_client_that_hangs_up_ends_the_request_to_the_model(self):
        mock = self.mock()
        served = self.serve(mock.url)
        baseline = descriptors(served)
        for name in ("stall_before_head", "stall_in_head", "stall_before_body", "stall_mid_body", "trickle",
                     "half_close"):
            for is_streamed in (True, False):
                campaign = name.replace("_", "-") + ("-s" if is_streamed else "-w")
                self.begin(served, campaign)
                asked = mock.server.requests[name]
                client = served.connect()
                client.request("POST", f"/api/v1/campaigns/{campaign}/turns",
                               json.dumps({"said": "mock:" + name, "stream": is_streamed}),
                               {"Content-Type": "application/json"})
                self.assertTrue(wait_until(lambda: mock.server.requests[name] > asked, 10), name)
                client.close()
                self.assertTrue(wait_until(lambda: mock.server.open == 0, 3),
                                f"{name}: the model is still being asked")
                # The campaign is free for the next turn.
                self.assertEqual(self.play(served, campaign, "mock:until_close", is_streamed), "ok")
                self.assertEqual(len(line_of(served, campaign)), 1)
        self.assertTrue(wait_until(lambda: descriptors(served) <= baseline + 2, 5))

    def token(self, scope):
        made = subprocess.run([ARBITER, "token", "new", scope, "--scope", scope, "--store", "sqlite:x.db"],
                              cwd=self.folder, capture_output=True, text=True, check=True)
        return re.search(r"arb_\w+", made.stdout).group()

    def test_errors_of_the_model_tell_no_hidden_goal(self):
        """S9, S12: neither players nor the log nor the metrics learn what the prompt holds."""
        mock = self.mock()
        tokens = {each: {"Authorization": "Bearer " + self.token(each)} for each in ("admin", "play")}
        served = self.serve(mock.url, store="sqlite:x.db")
        status, _, made = served.post("/api/v1/campaigns", {"id": "g", "state": {"n": 0}, "table": {
            "title": "Harbour", "map": {"id": "m", "areas": {"gate": {"name": "Gate"}}, "paths": {}},
            "characters": {"hero": {"name": "Ann", "hp": {"current": 9, "max": 9}, "area_id": "gate"}}, "party": ["hero"],
            "active_actor": "hero"}}, headers=tokens["admin"])
        self.assertEqual(status, 201, made)
        status, _, made = served.post("/api/v1/campaigns/g/goal", {"text": GOAL, "hidden": True},
                                      headers=tokens["admin"])
        self.assertLess(status, 300, made)
        told = []
        for is_streamed in (True, False):
            _, _, answer = served.post("/api/v1/campaigns/g/turns", {
                "said": "SAID-CANARY mock:prompt_echo", "stream": is_streamed}, headers=tokens["play"])
            told.append(answer.decode() if is_streamed else json.dumps(answer, ensure_ascii=False))
            self.assertIn("The prompt was rejected", told[-1])
        self.assertIn(GOAL, json.dumps(mock.server.last))
        told.append(served.get("/metrics", headers=tokens["play"])[2].decode())
        served.stop()
        log = "".join(served.log)
        self.assertNotIn("SAID-CANARY", log)
        for text in (*told, log):
            self.assertNotIn("lighthouse", text)
            for each in tokens.values():
                self.assertNotIn(each["Authorization"][7:], text)


if __name__ == "__main__":
    unittest.main()
