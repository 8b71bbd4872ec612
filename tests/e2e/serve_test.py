"""Goal: outside programs can rely on `arbiter serve`: campaigns, turns, re-rolls, history and events
over HTTP behave as documented, also when clients vanish and the server is stopped or killed.
Method: starts the binary on a free port with a scripted narrator and speaks HTTP to it.
Usage: serve_test.py PATH_OF_ARBITER
"""

import json
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from serving import Served, events_of, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
SCRIPT = """
answers:
  - when: {contains: 金币}
    say: "你找到了金币。<UpdateVariable>_.set('金币', 5, 8);//找到</UpdateVariable>"
    pieces: [6, 12, 30]
  - when: {contains: 掷}
    say: "第一次。"
    then:
      - {say: "第二次。"}
  - when: {contains: 失败}
    fail: rate_limited
default: {say: "风声。"}
"""


class ServeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write(self.folder, "script.yaml", SCRIPT)

    def serve(self, *words, **more):
        served = Served(ARBITER, self.folder, *(words or ("--script", "script.yaml")), **more)
        self.addCleanup(served.stop)
        return served

    def new(self, served, **fields):
        status, _, made = served.post("/api/v1/campaigns", {
            "id": "a", "profile": "mvu", "state": {"金币": 5}, **fields})
        self.assertEqual(status, 201, made)
        return made

    def test_a_turn_changes_the_state_and_is_in_the_history(self):
        served = self.serve()
        made = self.new(served, name="雾港")
        self.assertEqual((made["id"], made["name"]), ("a", "雾港"))
        status, _, turn = served.post("/api/v1/campaigns/a/turns", {"said": "找金币"})
        self.assertEqual((status, turn["status"], turn["shown"]), (200, "committed", "你找到了金币。"))
        self.assertEqual([each["status"] for each in turn["results"]], ["applied"])
        self.assertEqual(turn["usage"]["calls"], 1)
        status, headers, state = served.get("/api/v1/campaigns/a/state")
        self.assertEqual((status, state["document"], state["turn"]), (200, {"金币": 8}, turn["turn"]))
        self.assertIn(state["hash"], headers["etag"])
        _, _, history = served.get("/api/v1/campaigns/a/history")
        self.assertEqual(history["head"], turn["turn"])
        self.assertEqual(history["turns"][-1]["said"], "找金币")
        self.assertEqual(served.get("/api/v1/campaigns")[2]["campaigns"][0]["id"], "a")

    def test_a_streamed_turn_ends_with_done(self):
        served = self.serve()
        self.new(served)
        connection = served.connect()
        self.addCleanup(connection.close)
        connection.request("POST", "/api/v1/campaigns/a/turns",
                           json.dumps({"said": "找金币", "stream": True}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.assertEqual(answer.getheader("Content-Type"), "text/event-stream")
        events = list(events_of(answer))
        self.assertEqual([each[0] for each in events][-2:], ["shown", "done"])
        self.assertEqual(events[-2][2]["text"], "你找到了金币。")
        self.assertEqual(events[-1][2]["status"], "committed")
        self.assertNotIn("UpdateVariable", json.dumps(events[:-1], ensure_ascii=False))

    def test_a_reroll_is_a_sibling(self):
        served = self.serve()
        self.new(served)
        first = served.post("/api/v1/campaigns/a/turns", {"said": "掷骰"})[2]
        status, _, second = served.post("/api/v1/campaigns/a/reroll")
        self.assertEqual((status, first["shown"], second["shown"]), (200, "第一次。", "第二次。"))
        self.assertEqual(served.get("/api/v1/campaigns/a/history")[2]["head"], second["turn"])
        one, two = (served.get("/api/v1/campaigns/a/turns/" + each["turn"])[2]
                    for each in (first, second))
        self.assertEqual(one["parent"], two["parent"])
        status, _, again = served.post("/api/v1/campaigns/a/reroll", {"turn": first["turn"]})
        self.assertEqual(status, 200)
        self.assertEqual(served.get("/api/v1/campaigns/a/turns/" + again["turn"])[2]["parent"], one["parent"])

    def test_an_idempotency_key_is_stored_once(self):
        served = self.serve()
        self.new(served)
        order = {"said": "找金币", "idempotency_key": "k1"}
        first = served.post("/api/v1/campaigns/a/turns", order)[2]
        again = served.post("/api/v1/campaigns/a/turns", order)[2]
        self.assertEqual((first["turn"], first["shown"]), (again["turn"], again["shown"]))
        status, _, error = served.post("/api/v1/campaigns/a/turns", {**order, "said": "别的"})
        self.assertEqual((status, error["error"]["code"]), (409, "key_reused"))
        self.assertEqual(len(served.get("/api/v1/campaigns/a/history")[2]["turns"]), 2)

    def test_without_a_model_everything_else_works(self):
        served = Served(ARBITER, self.folder)
        self.addCleanup(served.stop)
        self.new(served)
        status, _, error = served.post("/api/v1/campaigns/a/turns", {"said": "走"})
        self.assertEqual((status, error["error"]["code"]), (503, "no_model"))
        self.assertIn("message_zh", error["error"])
        self.assertEqual(served.get("/api/v1/campaigns/a/state")[0], 200)

    def test_a_failure_of_the_model_changes_nothing(self):
        served = self.serve()
        self.new(served)
        before = served.get("/api/v1/campaigns/a/state")[2]
        status, _, error = served.post("/api/v1/campaigns/a/turns", {"said": "失败"})
        self.assertEqual((status, error["error"]["code"]), (429, "model_rate_limited"))
        self.assertEqual(served.get("/api/v1/campaigns/a/state")[2], before)

    def test_viewers_get_events_and_can_resume(self):
        served = self.serve()
        self.new(served)
        first = served.connect()
        first.request("GET", "/api/v1/campaigns/a/events")
        stream = first.getresponse()
        self.addCleanup(stream.close)
        events = events_of(stream)
        self.assertEqual(next(events)[0], "head")
        turn = served.post("/api/v1/campaigns/a/turns", {"said": "听"})[2]
        seen = []
        for event in events:
            seen.append(event)
            if event[0] == "turn":
                break
        self.assertEqual(seen[-1][1], turn["turn"])
        self.assertEqual(seen[-1][2]["shown"], "风声。")
        first.close()
        later = served.post("/api/v1/campaigns/a/turns", {"said": "找金币"})[2]
        second = served.connect()
        second.request("GET", "/api/v1/campaigns/a/events", headers={"Last-Event-ID": turn["turn"]})
        stream = second.getresponse()
        self.addCleanup(stream.close)
        missed = next(events_of(stream))
        self.assertEqual(missed[:2], ("turn", later["turn"]))
        second.close()

    def test_turns_of_one_campaign_are_serialised(self):
        served = self.serve()
        self.new(served)
        answers = []

        def play(number):
            answers.append(served.post("/api/v1/campaigns/a/turns", {"said": f"第{number}次听"})[2])

        threads = [threading.Thread(target=play, args=(i,)) for i in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        self.assertEqual({each["status"] for each in answers}, {"committed"})
        turns = served.get("/api/v1/campaigns/a/history?limit=100")[2]["turns"]
        self.assertEqual(len([each for each in turns if each["said"]]), 8)

    def upstream(self):
        child = subprocess.Popen(
            [sys.executable, str(pathlib.Path(__file__).with_name("mock_upstream.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(child.stdout.close)
        self.addCleanup(child.stdin.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child.stdout.readline().strip().removeprefix("listening on ")

    def test_an_operator_connects_a_model_while_it_runs(self):
        served = Served(ARBITER, self.folder)
        self.addCleanup(served.stop)
        self.new(served)
        self.assertEqual(served.get("/api/v1/upstream")[2], {"connected": False})
        closed = socket.create_server(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        closed.close()
        status, _, report = served.send("PUT", "/api/v1/upstream",
                                        {"url": f"http://127.0.0.1:{port}/v1", "model": "m"})
        self.assertEqual((status, report["usable"], report["connected"]), (200, False, False))
        self.assertEqual(report["steps"][-1]["outcome"], "failed")
        url = self.upstream() + "/plain/v1"
        order = {"url": url, "model": "mock", "key": "sk-canary-1234567890"}
        self.assertTrue(served.post("/api/v1/upstream/check", order)[2]["usable"])
        self.assertEqual(served.post("/api/v1/campaigns/a/turns", {"said": "走"})[0], 503)
        self.assertTrue(served.send("PUT", "/api/v1/upstream", order)[2]["connected"])
        status, _, turn = served.post("/api/v1/campaigns/a/turns", {"said": "走"})
        self.assertEqual((status, turn["status"]), (200, "committed"), turn)
        status, _, shown = served.get("/api/v1/upstream")
        self.assertEqual((shown["url"], shown["has_key"]), (url, True))
        served.stop()
        self.assertNotIn("canary", "".join(served.log) + json.dumps([shown, report]))
        # It is kept, in a file of the user alone.
        again = Served(ARBITER, self.folder)
        self.addCleanup(again.stop)
        self.assertTrue(again.get("/api/v1/upstream")[2]["connected"])
        kept = pathlib.Path(self.folder, ".config/arbiter/upstream.yaml")
        self.assertEqual(kept.stat().st_mode & 0o777, 0o600)

    def test_it_drains_on_sigterm(self):
        served = self.serve()
        self.new(served)
        viewer = served.connect()
        self.addCleanup(viewer.close)
        viewer.request("GET", "/api/v1/campaigns/a/events")
        stream = viewer.getresponse()
        self.addCleanup(stream.close)
        next(events_of(stream))
        started = time.monotonic()
        self.assertEqual(served.stop(), 0)
        self.assertLess(time.monotonic() - started, 15)

    def test_acknowledged_turns_survive_a_kill(self):
        kept = []
        for _ in range(3):
            served = self.serve()
            if not kept:
                self.new(served)
            for i in range(5):
                turn = served.post("/api/v1/campaigns/a/turns",
                                   {"said": "听", "idempotency_key": f"k{len(kept)}"})[2]
                kept.append(turn["turn"])
            served.stop(signal.SIGKILL)
        served = self.serve()
        turns = served.get("/api/v1/campaigns/a/history?limit=100")[2]["turns"]
        self.assertEqual([each["id"] for each in turns if each["said"]], kept)

    def test_a_client_that_vanishes_leaves_nothing_behind(self):
        served = self.serve()
        self.new(served)
        for _ in range(20):
            raw = socket.create_connection(("127.0.0.1", served.port))
            body = json.dumps({"said": "听", "stream": True}).encode()
            raw.sendall(b"POST /api/v1/campaigns/a/turns HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            raw.close()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if "arbiter_streams 0" in served.get("/metrics")[2].decode():
                break
            time.sleep(0.05)
        else:
            self.fail("streams are left")
        status, _, turn = served.post("/api/v1/campaigns/a/turns", {"said": "找金币"})
        self.assertEqual((status, turn["status"]), (200, "committed"))


if __name__ == "__main__":
    unittest.main()
