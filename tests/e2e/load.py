"""Players that send turns to a server until each is acknowledged, whatever happens to the server, and
the check that every turn was played exactly once. A mock model in the test's own process."""

import asyncio
import http.client
import json
import subprocess
import threading
import time

import mock_upstream
from serving import events_of

# The reply of every turn: the counter tells how many turns were played.
COUNTING = "好。<UpdateVariable>_.add('n', 1);//又一回合</UpdateVariable>"
COUNTING_SCRIPT = json.dumps({"default": {"say": COUNTING, "pieces": 3}}, ensure_ascii=False)


def begin(served, campaigns):
    for each in campaigns:
        status, _, made = served.post("/api/v1/campaigns",
                                      {"id": each, "profile": "mvu", "state": {"n": 0}})
        assert status == 201, made


def line_of(served, campaign):
    """The turns of the line that ends at the head, oldest first."""
    turns, before = [], ""
    while True:
        status, _, page = served.get(f"/api/v1/campaigns/{campaign}/history?limit=1000{before}")
        assert status == 200, page
        turns = [each for each in page["turns"] if each["parent"]] + turns
        if len(page["turns"]) < 1000:
            return turns
        before = "&before=" + page["turns"][0]["id"]


class Players:
    """Threads that play turns: whole answers, streams, and proposals. Each has words and a key of its own,
    and is sent again until it is acknowledged. `choose()` gives the server for the next try, or None:
    wait."""

    def __init__(self, choose, campaigns, threads, turns=None):
        self.choose, self.campaigns, self.turns = choose, campaigns, turns
        self.kept = {each: {} for each in campaigns}  # by the words of the turn: its id
        self.tries = 0
        self.problems = []
        self.lock = threading.Lock()
        self.is_over = False
        self.threads = [threading.Thread(target=self._play, args=(i,), daemon=True) for i in range(threads)]
        for each in self.threads:
            each.start()

    def finish(self, wait=60):
        """Without a number of turns: no new ones. Those that were begun are played to their end."""
        self.is_over = self.turns is None
        for each in self.threads:
            each.join(wait)
            if each.is_alive():
                self.problems.append("a player never got its answer")

    def acknowledged(self):
        with self.lock:
            return sum(len(each) for each in self.kept.values())

    def wait_for(self, count, seconds=30):
        """Until there are so many acknowledged turns."""
        deadline = time.monotonic() + seconds
        while self.acknowledged() < count and not self.problems:
            if time.monotonic() > deadline:
                self.problems.append(f"only {self.acknowledged()} of {count} turns in {seconds} s")
                return
            time.sleep(0.002)

    def _play(self, player):
        number = 0
        while not self.is_over and (self.turns is None or number < self.turns):
            campaign = self.campaigns[(player + number) % len(self.campaigns)]
            said = f"{player}-{number}"
            while not self._try(campaign, said, ("whole", "stream", "proposal")[number % 3]):
                time.sleep(0.01)
            number += 1

    # True: acknowledged, or given up.
    def _try(self, campaign, said, kind):
        served = self.choose()
        if served is None:
            return False
        with self.lock:
            self.tries += 1
        is_streamed = kind == "stream"
        body = {"said": said, "stream": is_streamed}
        if kind == "proposal":
            body = {"text": said + COUNTING, "actor": "ai"}
        body["idempotency_key"] = "key " + said
        connection = served.connect(timeout=30)
        try:
            connection.request(
                "POST", f"/api/v1/campaigns/{campaign}/{'propose' if kind == 'proposal' else 'turns'}",
                json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            if answer.status == 503:
                return False
            if answer.status != 200:
                words = answer.read()
                # A proposal is for the state that its sender knew: another server may have moved it.
                if kind == "proposal" and answer.status == 409 and b'"head_moved"' in words:
                    return False
                return self._problem(f"{said}: {answer.status} {words!r}")
            if is_streamed:
                last = None
                for last in events_of(answer):
                    pass
                if last is None or last[0] not in ("done", "error"):
                    return False
                if last[0] == "error":
                    return self._refused(said, last[2])
                result = last[2]
            else:
                result = json.loads(answer.read())
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            return False
        finally:
            connection.close()
        if not result.get("turn") or result.get("status", "committed") != "committed":
            return self._problem(f"{said}: {result}")
        with self.lock:
            self.kept[campaign][said] = result["turn"]
        return True

    def _refused(self, said, error):
        if error["error"]["code"] in ("overloaded", "server_stopping"):
            return False
        return self._problem(f"{said}: {error}")

    def _problem(self, words):
        with self.lock:
            self.problems.append(words)
        return True

    def check(self, test, served):
        """Every acknowledged turn is on its line exactly once, with its id, and nothing else is."""
        test.assertEqual(self.problems, [])
        # Of several servers, this one may have yet to follow the others.
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and sum(
                len(line_of(served, each)) for each in self.kept) < self.acknowledged():
            time.sleep(0.05)
        for campaign, kept in self.kept.items():
            line = line_of(served, campaign)
            test.assertEqual(sorted(each["id"] for each in line), sorted(kept.values()), campaign)
            test.assertEqual([each["said"] for each in line if each["said"] and
                              kept.get(each["said"]) != each["id"]], [], campaign)
            document = served.get(f"/api/v1/campaigns/{campaign}/state")[2]["document"]
            test.assertEqual(document["n"], len(kept), campaign)


def verify(test, arbiter, folder, store):
    """The store needs no repair."""
    done = subprocess.run([arbiter, "verify", "--all", "--store", store], cwd=folder,
                          capture_output=True, check=False, timeout=300)
    test.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class MockModel:
    """mock_upstream on a thread of its own."""

    def __init__(self, text=COUNTING):
        self.server = mock_upstream.Server(text)
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self.server.start(), self.loop).result(10)
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def stop(self):
        async def end():
            self.server.server.close()
            tasks = [each for each in asyncio.all_tasks() if each is not asyncio.current_task()]
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        asyncio.run_coroutine_threadsafe(end(), self.loop).result(10)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()
