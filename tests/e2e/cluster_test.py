"""Goal: several servers on one PostgreSQL are one service, and neither a dead server nor a dead database
primary loses or doubles an acknowledged turn (F8; G1, G4).
Method: starts PostgreSQL (for failover: a primary and a synchronous standby) and two `arbiter serve` on
it; players send turns through both while one is killed, and repeat their requests. Counts:
ARBITER_FAILOVERS, ARBITER_KILLS; ARBITER_FULL=1 raises both.
Usage: cluster_test.py PATH_OF_ARBITER
"""

import concurrent.futures
import http.client
import os
import pathlib
import random
import signal
import socket
import sys
import tempfile
import threading
import time
import types
import unittest

from load import COUNTING_SCRIPT, Players, begin, line_of, verify
from postgres import Postgres, url_of
from serving import Served, events_of, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
IS_FULL = "ARBITER_FULL" in os.environ
KILLS = int(os.environ.get("ARBITER_KILLS", 50 if IS_FULL else 3))
FAILOVERS = int(os.environ.get("ARBITER_FAILOVERS", 50 if IS_FULL else 2))
RESUMES_WITHIN = 5.0  # seconds after the death of the primary: F8


def setUpModule():
    global database
    database = Postgres()
    unittest.addModuleCleanup(database.remove)


class ClusterTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write(self.folder, "script.yaml", COUNTING_SCRIPT)
        self.random = random.Random(20)

    def serve(self, store):
        served = Served(ARBITER, self.folder, "--script", "script.yaml", store=store)
        self.addCleanup(served.stop)
        return served

    def fresh_store(self):
        """A schema of its own."""
        name = self.id().rsplit(".", 1)[1][:60].lower()
        database.sql(f"CREATE SCHEMA {name}")
        return url_of(database) + "&options=-csearch_path%3D" + name

    def watch(self, served, campaign, into, **headers):
        connection = served.connect(timeout=120)
        connection.request("GET", f"/api/v1/campaigns/{campaign}/events", headers=headers)
        answer = connection.getresponse()
        self.addCleanup(connection.close)

        def read():
            try:
                for event in events_of(answer):
                    into.append(event)
            except (OSError, ValueError, AttributeError, http.client.HTTPException):
                pass  # the connection was closed

        threading.Thread(target=read, daemon=True).start()

    def wait(self, condition, words, seconds=30):
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, words)
            time.sleep(0.01)

    def test_turns_through_both_servers_are_one_line_and_all_viewers_are_told(self):
        store = self.fresh_store()
        both = [self.serve(store), self.serve(store)]
        begin(both[0], ["a"])
        told = [[], []]
        for served, into in zip(both, told):
            self.watch(served, "a", into)
            self.wait(lambda: into, "no first event")
        players = Players(lambda: self.random.choice(both), ["a"], threads=4, turns=12)
        players.finish()
        players.check(self, both[0])
        players.check(self, both[1])
        line = [each["id"] for each in line_of(both[0], "a")]
        self.assertEqual(len(line), 48)
        for into in told:
            self.wait(lambda: any(each[1] == line[-1] for each in into), "the last turn was not told")
            self.assertEqual([each[1] for each in into if each[0] == "turn"], line)
        # Each line is one: parents lead from turn to turn.
        turns = line_of(both[1], "a")
        self.assertEqual([each["parent"] for each in turns[1:]], line[:-1])
        verify(self, ARBITER, self.folder, store)

    def test_a_viewer_may_go_on_at_the_other_server(self):
        store = self.fresh_store()
        both = [self.serve(store), self.serve(store)]
        begin(both[0], ["a"])
        told, is_over, last = [], threading.Event(), [None]

        def travel():
            number = 0
            while not is_over.is_set():
                number += 1
                connection = both[number % 2].connect(timeout=2)
                try:
                    connection.request("GET", "/api/v1/campaigns/a/events",
                                       headers={"Last-Event-ID": last[0]} if last[0] else {})
                    left = self.random.randrange(1, 8)
                    for event in events_of(connection.getresponse()):
                        last[0] = event[1] or last[0]
                        if event[0] == "turn":
                            told.append(event[1])
                        left -= 1
                        if left == 0:
                            break
                except (OSError, http.client.HTTPException):
                    pass
                finally:
                    connection.close()

        traveller = threading.Thread(target=travel, daemon=True)
        players = Players(lambda: self.random.choice(both), ["a"], threads=2, turns=30)
        players.wait_for(2)
        traveller.start()
        players.finish()
        players.check(self, both[1])
        line = [each["id"] for each in line_of(both[1], "a")]
        self.wait(lambda: told[-1:] == line[-1:], "the last turn was not told")
        is_over.set()
        traveller.join(10)
        self.assertEqual(told, line[line.index(told[0]):])

    def test_one_request_sent_to_both_servers_at_once_is_played_once(self):
        store = self.fresh_store()
        both = [self.serve(store), self.serve(store)]
        begin(both[0], ["a"])
        kept = []
        for number in range(15):
            order = {"said": str(number), "idempotency_key": f"key {number}", "stream": False}
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                answers = list(pool.map(lambda i: both[i % 2].post("/api/v1/campaigns/a/turns", order), range(4)))
            self.assertEqual({each[0] for each in answers}, {200}, answers)
            self.assertEqual(len({each[2]["turn"] for each in answers}), 1, answers)
            kept.append(answers[0][2]["turn"])
        self.assertEqual([each["id"] for each in line_of(self.serve(store), "a")], kept)

    def test_a_server_is_killed_and_clients_go_on_at_the_other(self):
        store = self.fresh_store()
        both = [self.serve(store), self.serve(store)]
        campaigns = ["a", "b", "c"]
        begin(both[0], campaigns)
        players = Players(lambda: self.random.choice([each for each in both if each]), campaigns, threads=6)
        for kill in range(KILLS):
            players.wait_for(players.acknowledged() + self.random.randrange(5, 30))
            victim, both[kill % 2] = both[kill % 2], None
            victim.stop(signal.SIGKILL)
            players.wait_for(players.acknowledged() + 6)
            both[kill % 2] = self.serve(store)
        players.finish()
        players.check(self, both[0])
        players.check(self, both[1])
        self.assertGreater(players.tries, players.acknowledged())
        verify(self, ARBITER, self.folder, store)
        print(f"{KILLS} kills, {players.acknowledged()} turns, "
              f"{players.tries - players.acknowledged()} repeated tries", file=sys.stderr)

    def test_the_database_is_killed_and_comes_back(self):
        alone = Postgres()
        self.addCleanup(alone.remove)
        store = url_of(alone)
        both = [self.serve(store), self.serve(store)]
        campaigns = ["a", "b"]
        begin(both[0], campaigns)
        players = Players(lambda: self.random.choice(both), campaigns, threads=6)
        for _ in range(2):
            players.wait_for(players.acknowledged() + self.random.randrange(5, 30))
            alone.kill()
            time.sleep(self.random.random())
            self.assertEqual([each.get("/healthz")[0] for each in both], [200, 200])
            alone.start()
        players.finish()
        players.check(self, both[0])
        players.check(self, both[1])
        verify(self, ARBITER, self.folder, store)

    def test_a_silent_host_does_not_keep_the_store_from_the_other(self):
        # As a machine without power: nothing refuses the connection, nothing answers.
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)
        silent = types.SimpleNamespace(port=listener.getsockname()[1])
        database.sql("CREATE SCHEMA silent")
        for hosts in ((silent, database), (database, silent)):
            served = self.serve(url_of(*hosts) + "&options=-csearch_path%3Dsilent")
            self.assertEqual(served.get("/api/v1/campaigns")[0], 200)
            self.assertEqual(served.stop(), 0)

    def test_the_standby_takes_over_and_acknowledged_turns_survive(self):
        primary = Postgres()
        self.addCleanup(primary.remove)
        standby = Postgres(of=primary)
        self.addCleanup(standby.remove)
        primary.require_standby()
        store = url_of(primary, standby)
        both = [self.serve(store), self.serve(store)]
        campaigns = ["a", "b", "c"]
        begin(both[0], campaigns)
        told = []
        self.watch(both[1], "a", told)
        players = Players(lambda: self.random.choice(both), campaigns, threads=6)
        pauses = []
        for failover in range(FAILOVERS):
            players.wait_for(players.acknowledged() + self.random.randrange(5, 40))
            began = time.monotonic()
            primary.kill()
            standby.promote()
            # Each player may have had one answer under way before.
            players.wait_for(players.acknowledged() + len(players.threads) + 1, 30)
            pauses.append(time.monotonic() - began)
            # The lost server comes back as the standby of the new one.
            primary, standby = standby, primary
            if failover + 1 < FAILOVERS:
                standby.follow(primary)
                primary.require_standby()
        players.finish()
        self.assertEqual(players.problems, [])
        players.check(self, both[0])
        players.check(self, both[1])
        line = [each["id"] for each in line_of(both[0], "a")]
        self.wait(lambda: any(each[1] == line[-1] for each in told), "the last turn was not told")
        self.assertLess(max(pauses), RESUMES_WITHIN, pauses)
        verify(self, ARBITER, self.folder, store)
        print(f"{FAILOVERS} failovers, {players.acknowledged()} turns, longest pause "
              f"{max(pauses):.2f} s", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
