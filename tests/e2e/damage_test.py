"""Goal: damage of a store or an archive is harmless, named or refused, and never changes an answer
silently (acceptance ledger D1, D2, D8, D9, F6).
Method: bytes of a database are flipped, columns are changed by SQL, archives are cut and forged; the
answers of the binary are compared with those before. ARBITER_FULL=1 flips 2,400 bytes.
Usage: damage_test.py PATH_OF_ARBITER
"""

import contextlib
import hashlib
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
FULL = os.environ.get("ARBITER_FULL") == "1"
SEED = int(os.environ.get("ARBITER_SEED", "18"))
STORE = ("--store", "sqlite:x.db")
ANSWERS = (("show", "--state"), ("show", "3", "--state"), ("history",), ("audit",),
           ("blame", "stat_data.gold"), ("checkpoint",), ("export",))


class DamageTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "x.db"

    def run_in(self, *words, stdin=b""):
        done = subprocess.run([ARBITER, *words], input=stdin, cwd=self.folder, check=False,
                              capture_output=True, timeout=120, env={"PATH": os.environ["PATH"]})
        self.assertIn(done.returncode, range(0, 10), (words, done.stderr))  # no signal
        return done

    def begin(self, turns=12):
        (self.folder / "s.json").write_text(json.dumps({"stat_data": {"gold": 0, "log": []}}))
        self.assertEqual(self.run_in("campaign", "new", "T", "--profile", "mvu", "--state", "s.json",
                                     "--id", "c", *STORE).returncode, 0)
        for i in range(turns):
            reply = f"The wind turns, {i}.\n_.set('gold', {i + 1});//found"
            self.assertEqual(self.run_in("turn", "--said", f"go {i}", "--now",
                                         f"2026-01-01T00:00:{i:02}Z", *STORE,
                                         stdin=reply.encode()).returncode, 0)
            if i == 5:
                self.run_in("checkpoint", "camp", *STORE)
        self.assertEqual(self.run_in("rollback", "head~1", *STORE).returncode, 0)
        # Everything into the one file.
        with contextlib.closing(sqlite3.connect(self.file)) as database:
            database.execute("pragma wal_checkpoint(truncate)")
        for name in ("x.db-wal", "x.db-shm"):
            (self.folder / name).unlink(missing_ok=True)
        self.good = self.file.read_bytes()
        self.answers = {words: self.run_in(*words, *STORE).stdout for words in ANSWERS}

    def put(self, content):
        for name in ("x.db-wal", "x.db-shm", "x.db-journal"):
            (self.folder / name).unlink(missing_ok=True)
        self.file.write_bytes(content)

    def expect_not_silent(self, what):
        """Whatever is answered with success is what was answered before, or verify names it."""
        verified = self.run_in("verify", "--all", *STORE)
        if verified.returncode != 0:
            return "named"
        for words, answer in self.answers.items():
            done = self.run_in(*words, *STORE)
            if done.returncode == 0:
                self.assertEqual(done.stdout, answer, (what, words))
            else:
                self.fail(f"{what}: {words} fails, but verify finds nothing: {done.stderr}")
        return "harmless"

    def test_flipped_bytes(self):
        self.begin()
        rng = random.Random(SEED)
        counts = {"named": 0, "harmless": 0}
        for _ in range(2400 if FULL else 40):
            place = rng.randrange(len(self.good))
            damaged = bytearray(self.good)
            damaged[place] ^= 1 << rng.randrange(8)
            self.put(damaged)
            counts[self.expect_not_silent(f"byte {place}")] += 1
        self.assertGreater(counts["named"], 0)
        if FULL:
            print(counts)

    def test_changed_columns(self):
        self.begin()
        nowhere = "x'" + "ab" * 32 + "'"
        changes = (
            ["update turns set parent=null where number=4", "update turns set number=40 where number=4",
             "update turns set time=time+1 where number=4", "delete from turns where number=3",
             "delete from blobs", "update blobs set bytes=substr(bytes,1,20)",
             f"update campaigns set head={nowhere}", f"update campaigns set undo={nowhere}",
             f"update checkpoints set turn={nowhere}", "delete from keyframes",
             "update keyframes set bytes=substr(bytes,1,9)",
             "update turns set bytes=substr(bytes,1,length(bytes)-1) where number=6"])
        applied = 0
        for change in changes:
            self.put(self.good)
            with contextlib.closing(sqlite3.connect(self.file)) as database:
                applied += database.execute(change).rowcount > 0
                database.commit()
            self.expect_not_silent(change)
            saved = self.run_in("salvage", "sqlite:saved.db", *STORE)
            self.assertIn(saved.returncode, (0, 1), (change, saved.stderr))
            check = self.run_in("verify", "--all", "--store", "sqlite:saved.db")
            self.assertEqual(check.returncode, 0, (change, check.stdout))
            for name in ("saved.db", "saved.db-wal", "saved.db-shm"):
                (self.folder / name).unlink(missing_ok=True)
        self.assertEqual(applied, len(changes))

    def test_damaged_archives(self):
        self.begin()
        archive = self.answers[("export",)]
        rng = random.Random(SEED + 1)
        for i in range(300 if FULL else 12):
            damaged = bytearray(archive)
            if i % 3 == 0:
                damaged = damaged[:rng.randrange(len(damaged))]
            else:
                damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
            self.assertNotEqual(self.run_in("import", "-", "--store", "sqlite:y.db",
                                            stdin=bytes(damaged)).returncode, 0, i)
        lines = archive.split(b"\n")[:-2]

        def sealed(kept):
            text = b"".join(line + b"\n" for line in kept)
            return text + json.dumps({"digest": hashlib.sha256(text).hexdigest()}).encode() + b"\n"

        def forged(kept):
            return self.run_in("import", "-", "--store", "sqlite:y.db", stdin=sealed(kept)).returncode

        nowhere = "ab" * 32
        header = json.loads(lines[0])
        self.assertNotEqual(forged([line for line in lines if not line.startswith(b'{"text"')]), 0)
        self.assertNotEqual(forged([b'{"text":"x"}' if line.startswith(b'{"text"') else line
                                    for line in lines]), 0)
        self.assertNotEqual(forged([json.dumps(header | {"undo": nowhere}).encode(), *lines[1:]]), 0)
        self.assertNotEqual(forged([json.dumps(header | {"head": nowhere}).encode(), *lines[1:]]), 0)
        ghost = {"checkpoint": "x", "of": nowhere, "time": 1}
        self.assertNotEqual(forged([*lines, json.dumps(ghost).encode()]), 0)
        for i in range(1, len(lines)):
            if lines[i].startswith(b'{"turn"'):
                self.assertNotEqual(forged(lines[:i] + lines[i + 1:]), 0, i)
        self.assertEqual(forged(lines), 0)
        self.assertEqual(self.run_in("export", "--store", "sqlite:y.db").stdout, archive)

    def test_bytes_that_are_not_utf8(self):
        self.begin(3)
        for i, reply in enumerate((b"cut \xe9\x9b\n", "你好".encode("gbk"), b"\xff\xfe\x00a",
                                   b"_.set('gold', 'a\xffb');", b"\xed\xa0\x80")):
            done = self.run_in("turn", "--said", os.fsdecode(b"a\xff%d" % i), *STORE, stdin=reply)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            self.assertEqual(self.run_in("show", *STORE).returncode, 0)
        self.run_in("checkpoint", os.fsdecode(b"l\xff"), *STORE)
        for words in (("verify",), ("rebuild",), ("export", "e.json")):
            self.assertEqual(self.run_in(*words, *STORE).returncode, 0, words)
        self.assertEqual(self.run_in("import", "e.json", "--store", "sqlite:y.db").returncode, 0)

    def test_sizes(self):
        self.begin(1)
        for size, byte in ((34603008, b"x"), (6291456, b"\x01"), (6291456, b"\xff")):
            done = self.run_in("turn", *STORE, stdin=byte * size)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertRegex(done.stderr.decode(), "limit|at most|may have")
        for command in ("parse", "apply"):
            self.assertEqual(self.run_in(command, stdin=b"x" * 34603008).returncode, 2)
        self.assertEqual(self.run_in("verify", *STORE).returncode, 0)

    def test_files_without_an_end(self):
        os.mkfifo(self.folder / "fifo")
        for name in ("fifo", "/dev/zero"):
            for command in ("import", "parse", "test", "turn"):
                done = self.run_in(command, name, *(STORE if command in ("import", "turn") else ()))
                self.assertNotEqual(done.returncode, 0, (command, name))
        with open("/dev/zero", "rb") as zeros:
            done = subprocess.run([ARBITER, "import", "-", *STORE], stdin=zeros, cwd=self.folder,
                                  check=False, capture_output=True, timeout=120)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()
