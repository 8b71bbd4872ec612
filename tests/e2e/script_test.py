"""Goal: scripts can rely on `arbiter`: turns are stored at most once, exit codes and JSON say what
happened, nothing that a stranger wrote acts on a terminal, and files name no files elsewhere.
Method: runs the binary as a process, in pipes and on a pseudo-terminal.
Usage: script_test.py PATH_OF_ARBITER
"""

import contextlib
import json
import os
import pathlib
import pty
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
STORE = ("--store", "sqlite:x.db")
# Window title, clear screen, C1, right-to-left override, isolate, backspace, DEL.
ATTACK = "\x1b]0;pwn\x07\x1b[2J\u009b31m\u202eevil\u2066\x08\x7f"
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = pathlib.Path(self.folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if isinstance(text, str) else json.dumps(text, ensure_ascii=False))
        return name

    def run_in(self, *words, stdin="", **more):
        return subprocess.run([ARBITER, *words], input=stdin.encode(), cwd=self.folder, check=False,
                              env={"PATH": os.environ["PATH"], **more.pop("env", {})},
                              **({"capture_output": True} | more))

    def on_terminal(self, *words, stdin=b""):
        """The exit code and all output of a command whose streams are a terminal."""
        main, other = pty.openpty()
        source = subprocess.PIPE if stdin else subprocess.DEVNULL
        child = subprocess.Popen([ARBITER, *words], stdin=source, stdout=other, stderr=other,
                                 cwd=self.folder, env={"PATH": os.environ["PATH"]})
        os.close(other)
        output = b""

        def read():
            nonlocal output
            while True:
                try:
                    piece = os.read(main, 65536)
                except OSError:
                    return
                if not piece:
                    return
                output += piece

        reader = threading.Thread(target=read)
        reader.start()
        if stdin:
            child.stdin.write(stdin)
            child.stdin.close()
        code = child.wait(timeout=60)
        reader.join(timeout=60)
        os.close(main)
        return code, output.decode("utf-8")

    def poke(self, sql, *values):
        """Changes the store: earlier versions accepted names that are refused now."""
        with contextlib.closing(sqlite3.connect(pathlib.Path(self.folder, "x.db"))) as store:
            store.execute(sql, values)
            store.commit()

    def begin(self, stored_name=None):
        self.write("s.json", {"n": 0, "note": "x"})
        made = self.run_in("campaign", "new", "T", "--profile", "mvu", "--state", "s.json", "--id",
                           "c", *STORE)
        self.assertEqual(made.returncode, 0, made.stderr)
        if stored_name is not None:
            self.poke("UPDATE campaigns SET name = ?", stored_name)
        self.write("r.txt", "她捡起金币。\n<UpdateVariable>\n_.add('n', 1);\n</UpdateVariable>\n")

    def turns(self):
        return json.loads(self.run_in("history", "--json", *STORE).stdout)["turns"]

    # proves: D6, G4
    def test_a_key_stores_a_turn_once(self):
        self.begin()
        first = self.run_in("turn", "r.txt", "--key", "k1", "--said", "捡", *STORE)
        self.assertEqual((first.returncode, first.stderr), (0, b""))
        self.run_in("turn", "r.txt", "--key", "k2", *STORE)
        again = self.run_in("turn", "r.txt", "--key", "k1", "--said", "捡", *STORE)
        self.assertEqual((again.returncode, again.stdout), (0, first.stdout))
        self.assertIn(b"already stored", again.stderr)
        chinese = self.run_in("turn", "r.txt", "--key", "k1", "--said", "捡", "--lang", "zh", *STORE)
        self.assertIn("没有重复保存", chinese.stderr.decode())
        self.assertEqual(len(self.turns()), 3)
        self.write("other.txt", "别的。")
        other = self.run_in("turn", "other.txt", "--key", "k1", "--said", "捡", *STORE)
        self.assertEqual((other.returncode, other.stdout), (5, b""))
        self.assertIn(b"stored as turn 1", other.stderr)
        self.assertEqual(self.run_in("turn", "r.txt", "--key", "", *STORE).returncode, 2)
        # After a rollback, and in a copy of the campaign.
        self.assertEqual(self.run_in("rollback", "0", *STORE).returncode, 0)
        self.assertEqual(self.run_in("turn", "r.txt", "--key", "k1", "--said", "捡", *STORE).stdout,
                         first.stdout)
        self.run_in("export", "a.jsonl", *STORE)
        self.run_in("import", "a.jsonl", "--store", "sqlite:y.db")
        copied = self.run_in("turn", "r.txt", "--key", "k1", "--said", "捡", "--store", "sqlite:y.db")
        self.assertEqual(copied.stdout, first.stdout)
        self.assertEqual(len(self.turns()), 3)

    # A store of the first release has no keys; it gets them when it is written to.
    def test_a_store_of_the_first_version_takes_keys(self):
        self.begin()
        self.run_in("turn", "r.txt", *STORE)
        self.poke("DROP TABLE named_texts")
        self.poke("DROP TABLE turn_keys")
        self.poke("PRAGMA user_version = 1")
        self.assertEqual(len(self.turns()), 2)
        first = self.run_in("turn", "r.txt", "--key", "k", *STORE)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertEqual(self.run_in("turn", "r.txt", "--key", "k", *STORE).stdout, first.stdout)
        self.assertEqual(len(self.turns()), 3)

    # A token is shown once; the store, its files and all further output hold only its digest.
    def test_tokens(self):
        self.begin()
        made = self.run_in("token", "new", "phone", "--scope", "read", "--campaign", "c",
                           "--expires", "30d", "--now", "2030-01-01T00:00:00Z", *STORE)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertRegex(made.stdout.decode(), r"^arb_[0-9a-f]{64}\n$")
        self.assertIn(b"cannot be shown again", made.stderr)
        second = json.loads(self.run_in("token", "new", "tool", "--json", *STORE).stdout)
        self.assertEqual((second["scope"], second["campaigns"], second["expires"]),
                         ("play", None, None))
        self.assertRegex(second["token"], r"^arb_[0-9a-f]{64}$")
        for secret in (made.stdout.decode().strip(), second["token"]):
            for file in pathlib.Path(self.folder).iterdir():
                self.assertNotIn(secret[4:].encode(), file.read_bytes(), file)
        listed = json.loads(self.run_in("token", "list", "--json", "--now", "2030-01-30T00:00:00Z",
                                        *STORE).stdout)["tokens"]
        self.assertEqual([each["name"] for each in listed], ["phone", "tool"])
        self.assertEqual(listed[0], {
            "name": "phone", "scope": "read", "campaigns": ["c"], "valid": True, "revoked": None,
            "created": "2030-01-01T00:00:00.000Z", "expires": "2030-01-31T00:00:00.000Z"})
        later = self.run_in("token", "list", "--now", "2030-02-01T00:00:00Z", "--lang", "zh", *STORE)
        self.assertIn("已过期", later.stdout.decode())
        taken = self.run_in("token", "new", "tool", *STORE)
        self.assertEqual((taken.returncode, taken.stdout), (2, b""))
        self.assertIn(b"There is a token tool already", taken.stderr)
        self.assertEqual(self.run_in("token", "revoke", "tool", *STORE).stdout, b"tool was revoked\n")
        self.assertIn(b"revoked", self.run_in("token", "list", *STORE).stdout)
        self.assertEqual(self.run_in("token", "new", "tool", *STORE).returncode, 0)
        unknown = self.run_in("token", "revoke", "nothing", *STORE)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn(b"Known tokens: phone, tool", unknown.stderr)
        for words, wanted in ((("new", "x", "--scope", "root"), b"read|play|admin"),
                              (("new", "x", "--expires", "soon"), b"30d, 12h"),
                              (("new", "x", "--campaign", "nowhere"), b"nowhere"),
                              (("new", "A B"), b"[a-z0-9_-]"), (("new",), b"NAME"),
                              (("forget", "x"), b"new, list, revoke")):
            failed = self.run_in("token", *words, *STORE)
            self.assertEqual((failed.returncode, failed.stdout), (2, b""), words)
            self.assertIn(wanted, failed.stderr)
        # Copies of the store have them; archives of a campaign do not.
        for copy in (("migrate", "sqlite:m.db"), ("salvage", "sqlite:s.db"), ("backup", "b.db")):
            self.assertEqual(self.run_in(*copy, *STORE).returncode, 0, copy)
            store = copy[1] if ":" in copy[1] else "sqlite:" + copy[1]
            names = json.loads(self.run_in("token", "list", "--json", "--store", store).stdout)
            self.assertEqual([each["name"] for each in names["tokens"]], ["phone", "tool"], copy)
        self.assertNotIn(b"phone", self.run_in("export", *STORE).stdout)

    # proves: D6
    def test_after_refuses_another_head(self):
        self.begin()
        self.assertEqual(self.run_in("turn", "r.txt", "--after", "0", *STORE).returncode, 0)
        late = self.run_in("turn", "r.txt", "--after", "0", *STORE)
        self.assertEqual((late.returncode, late.stdout), (3, b""))
        told = json.loads(self.run_in("turn", "r.txt", "--after", "0", "--json", *STORE).stdout)
        self.assertEqual(told["error"], "head_elsewhere")
        self.assertIn("is at turn", told["message"])
        self.assertEqual(len(self.turns()), 2)
        self.assertEqual(self.run_in("turn", "r.txt", "--after", "head", *STORE).returncode, 0)
        self.assertEqual(self.run_in("turn", "r.txt", "--after", "99", *STORE).returncode, 2)

    # proves: D6: the turn is stored, but the caller cannot know.
    def test_an_answer_that_cannot_be_written(self):
        self.begin()
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = self.run_in("turn", "r.txt", "--key", "k", *STORE, capture_output=False,
                               stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 4)
        self.assertIn(b"It may have been stored", done.stderr)
        self.assertIn(b"--key", done.stderr)
        for closing in (">&-", "| true"):
            done = subprocess.run(["bash", "-c", f'set -o pipefail; sleep 0.1; "$0" turn r.txt --key k{len(closing)} '
                                   f'--lang zh --store sqlite:x.db {closing}', ARBITER], cwd=self.folder,
                                  capture_output=True, check=False)
            self.assertIn(done.returncode, (0, 4), closing)
            if done.returncode == 4:
                self.assertIn("可能已经保存", done.stderr.decode())
        again = self.run_in("turn", "r.txt", "--key", "k", *STORE)
        self.assertIn(b"already stored", again.stderr)
        self.assertEqual(len(self.turns()), 4)

    # proves: "Friction for scripts"
    def test_answers_as_json(self):
        self.begin(stored_name="灯\n塔")
        turn = json.loads(self.run_in("turn", "r.txt", "--key", "k", "--json", *STORE).stdout)
        self.assertEqual((turn["campaign"], turn["turn"], turn["already_stored"], turn["refused"],
                          turn["key"], turn["actor"]), ("c", 1, False, False, "k", "AI"))
        self.assertEqual(turn["audit"][0]["status"], "applied")
        shown = json.loads(self.run_in("show", "--json", *STORE).stdout)
        self.assertEqual(shown, {key: turn[key] for key in shown})
        self.assertRegex(shown["state_hash"], "^[0-9a-f]{32}$")
        self.assertTrue(json.loads(self.run_in("turn", "r.txt", "--key", "k", "--json",
                                               *STORE).stdout)["already_stored"])
        for i in range(4):
            self.run_in("turn", "r.txt", *STORE)
        history = json.loads(self.run_in("history", "--json", "--limit", "2", *STORE).stdout)
        self.assertEqual([each["turn"] for each in history["turns"]], [4, 5])
        self.assertEqual(history["turns"][1]["id"], history["id"])
        self.assertTrue(history["turns"][1]["is_head"])
        self.assertEqual(history["turns"][1]["beginning"], "她捡起金币。")
        early = json.loads(self.run_in("history", "--json", "--limit", "2", "--to", "2", "--reverse",
                                       *STORE).stdout)
        self.assertEqual([each["turn"] for each in early["turns"]], [2, 1])
        self.assertEqual(len(self.run_in("history", "--limit", "3", *STORE).stdout.splitlines()), 3)
        self.assertEqual(self.run_in("history", "--limit", "x", *STORE).returncode, 2)
        named = json.loads(self.run_in("checkpoint", "营地", "--json", *STORE).stdout)
        self.assertEqual((named["label"], named["turn"]), ("营地", 5))
        listed = json.loads(self.run_in("checkpoint", "--json", *STORE).stdout)
        self.assertEqual(listed["checkpoints"][0]["id"], named["id"])
        moved = json.loads(self.run_in("branch", "2", "--json", *STORE).stdout)
        self.assertEqual(moved["turn"], 2)
        self.run_in("turn", "r.txt", *STORE)
        branches = json.loads(self.run_in("branch", "--json", *STORE).stdout)["branches"]
        self.assertEqual(sorted(each["turn"] for each in branches), [3, 5])
        campaigns = json.loads(self.run_in("campaign", "list", "--json", *STORE).stdout)["campaigns"]
        self.assertEqual([(each["id"], each["name"]) for each in campaigns], [("c", "灯\n塔")])
        self.assertEqual(len(self.run_in("campaign", "list", *STORE).stdout.splitlines()), 1)

    # proves: S9: JSON is redacted like text.
    def test_json_hides_what_is_hidden(self):
        self.write("t.yaml", "id: c\ntitle: T\n")
        for words in (("new", "T", "--table", "t.yaml"), ("goal", "find the opal crown", "--hidden")):
            done = self.run_in("campaign", *words, *STORE)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.write("r.txt", "They look for it: find the opal crown.\n")
        for words in (("turn", "r.txt", "--json"), ("show", "--json"), ("history", "--json")):
            done = self.run_in(*words, *STORE)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn(b"opal crown", done.stdout, words)
        self.assertIn(b"opal crown", self.run_in("show", "--json", "--reveal", *STORE).stdout)

    # proves: D13
    def test_play_goes_on_after_another_writer(self):
        self.begin()
        self.write("script.yaml", "default: 她继续走。\n")
        play = subprocess.Popen([ARBITER, "play", "--script", "script.yaml", *STORE], cwd=self.folder,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                env={"PATH": os.environ["PATH"]})
        play.stdin.write("走\n".encode())
        play.stdin.flush()
        seen = b""
        while "[1]".encode() not in seen:
            seen += os.read(play.stdout.fileno(), 65536)
        self.write("other.txt", "远处传来钟声。")
        self.assertEqual(self.run_in("turn", "other.txt", "--said", "听", *STORE).returncode, 0)
        output = play.communicate("再走\n/history\n".encode())[0].decode()
        self.assertEqual(play.returncode, 0)
        self.assertIn("changed by another process and is at turn 2", output)
        self.assertIn("远处传来钟声。", output)
        self.assertIn("[3]", output)
        self.assertEqual([each["turn"] for each in self.turns()], [0, 1, 2, 3])

    # proves: "Friction for scripts"
    def test_play_tells_when_nothing_was_told(self):
        self.begin()
        self.assertEqual(self.run_in("play", *STORE, stdin="走\n再走\n").returncode, 1)
        self.assertEqual(self.run_in("play", *STORE, stdin="/history\n").returncode, 0)
        self.write("script.yaml", "answers: [一。]\n")
        self.assertEqual(self.run_in("play", "--script", "script.yaml", *STORE,
                                     stdin="走\n再走\n").returncode, 0)

    # proves: D10 (terminal), D14
    def test_no_text_acts_on_a_terminal(self):
        self.begin(stored_name=f"名{ATTACK}字")
        self.write("bad.txt", f"夜{ATTACK}色👩‍👧\n<UpdateVariable>\n_.set('note', '{ATTACK}');\n"
                   f"_.set('{ATTACK}', 1);\n</UpdateVariable>\n")
        self.write("card.json", {"spec": "chara_card_v2", "data": {
            "name": f"梅{ATTACK}", "first_mes": f"你好{ATTACK}", "description": ATTACK}})
        self.write("script.yaml", json.dumps({"default": f"答{ATTACK}"}))
        self.write("note.json", {"a": ATTACK, f"k{ATTACK}": 1})
        self.write("other.json", {"a": "x", f"k{ATTACK}": 2})
        self.write("lore.json", {"entries": {"0": {"uid": 0, "key": ["hi"], "content": ATTACK}}})
        self.write(f"f{ATTACK}.yaml".replace("/", ""), "meta: 1\n")
        self.write("t.turn", f"== t{ATTACK}\nprofile: {ATTACK}\n-- reply\n{ATTACK}\n== u\n-- reply\n{ATTACK}\n-- shown\nx\n")
        commands = [
            ("turn", "bad.txt", "--said", f"说{ATTACK}", *STORE), ("turn", "bad.txt", "--json", *STORE),
            ("turn", ATTACK, *STORE), ("turn", "bad.txt", "--key", ATTACK, *STORE),
            ("turn", "r.txt", "--key", ATTACK, *STORE), ("checkpoint", f"点{ATTACK}", *STORE),
            ("checkpoint", *STORE), ("checkpoint", "--json", *STORE), ("campaign", "list", *STORE),
            ("campaign", "list", "--json", *STORE), ("campaign", "show", *STORE),
            ("campaign", ATTACK, *STORE), ("show", *STORE), ("show", "1", *STORE),
            ("show", "--json", *STORE), ("show", "--state", *STORE), ("show", ATTACK, *STORE),
            ("history", *STORE), ("history", "--json", *STORE), ("history", "--limit", "1", *STORE),
            ("audit", *STORE), ("audit", "--json", *STORE), ("blame", "note", *STORE),
            ("blame", ATTACK, *STORE), ("branch", *STORE), ("branch", ATTACK, *STORE),
            ("diff", "0", "head", *STORE), ("prompt", "--said", f"hi{ATTACK}", "--lore", "lore.json", *STORE),
            ("prompt", "--said", ATTACK, "--json", *STORE), ("prompt", "--said", ATTACK, "--explain", *STORE),
            ("verify", *STORE), ("rebuild", *STORE), ("export", *STORE), ("export", "--player", *STORE),
            ("settings", "set", ATTACK, "1", *STORE), ("settings", "list", *STORE), ("world", ATTACK, *STORE),
            ("parse", "bad.txt"), ("parse", "bad.txt", "--json"), ("apply", "bad.txt", "--state", "s.json"),
            ("convert", "bad.txt", "--to", "json"), ("card", "show", "card.json"),
            ("card", "report", "card.json"), ("get", "note.json", "a", "--raw"), ("get", "note.json", "a"),
            ("get", "note.json", ATTACK), ("json", "note.json"), ("json", ATTACK), ("diff", "note.json", "other.json"),
            ("calendar", ATTACK), ("rules", "explain", ATTACK), ("rules", "show", ATTACK),
            ("protocol", "show", ATTACK), ("protocol", "lint", "."), ("tools", "show", ATTACK),
            ("profiles", "show", ATTACK), ("test", "t.turn"), ("restore", "--state", "note.json"),
            ("teach", ATTACK), ("campaign", "new", f"N{ATTACK}", "--id", "d", "--card", "card.json", *STORE),
            (ATTACK,), ("show", f"--{ATTACK}"), ("help", ATTACK), ("import", ATTACK, *STORE),
            ("show", "--store", f"sqlite:{ATTACK}"), ("show", "--store", ATTACK), ("show", "--campaign", ATTACK, *STORE),
        ]
        self.run_in("checkpoint", "营地", *STORE)
        self.poke("UPDATE checkpoints SET label = ?", f"点{ATTACK}")
        own = re.compile("\x1b\\[[0-9]*m|\r")  # our colours; the terminal adds \r to \n
        for words in commands:
            _, seen = self.on_terminal(*words)
            self.assertNotRegex(own.sub("", seen), HARMFUL, words)
            self.assertNotIn("\x1b[31m\x1b", seen)
            if words[0] in ("export", "convert", "prompt", "get"):
                continue  # exact in a pipe
            piped = self.run_in(*words)
            self.assertNotRegex((piped.stdout + piped.stderr).decode(), HARMFUL, words)
        code, seen = self.on_terminal("play", "--script", "script.yaml", "--campaign", "c", *STORE,
                                      stdin=f"走{ATTACK}\n/history\n/why\n/state\n/{ATTACK}\n/branch {ATTACK}\n/prompt\n".encode())
        self.assertEqual(code, 0)
        self.assertNotRegex(own.sub("", seen), HARMFUL)
        # Shown, not removed; ordinary text stays.
        story = self.run_in("show", "1", "--campaign", "c", *STORE).stdout.decode()
        self.assertIn("夜␛]0;pwn␇␛[2J\\u009b31m\\u202eevil", story)
        self.assertIn("👩‍👧", story)
        self.assertEqual(json.loads(self.run_in("json", "note.json").stdout)["a"], ATTACK)
        self.assertEqual(self.run_in("get", "note.json", "a", "--raw").stdout.decode(), ATTACK + "\n")

    def test_colours_of_strangers_stay_outside(self):
        self.write("r.txt", "\x1b[31mred\x1b[0m\n")
        _, seen = self.on_terminal("apply", "r.txt")
        self.assertIn("␛[31mred␛[0m", seen)
        self.assertIn("\x1b[", self.on_terminal("--help")[1])

    # proves: D17
    def test_files_name_files_of_their_folder_only(self):
        self.write("secret.yaml", "password hunter2\n")
        self.write("in/base.yaml", "extends: json\n")
        self.write("in/book.yaml", "rulebook: b\n")
        os.symlink(pathlib.Path(self.folder, "secret.yaml"), pathlib.Path(self.folder, "in/link.yaml"))
        os.symlink(pathlib.Path(self.folder, "in/base.yaml"), pathlib.Path(self.folder, "in/near.yaml"))
        absolute = str(pathlib.Path(self.folder, "secret.yaml"))
        for name in ("../secret.yaml", absolute, "link.yaml", "x/../../secret.yaml", "./../secret.yaml"):
            for text in (f"extends: {name}\n", f"extends: json\nrulebooks: [{name}]\n"):
                self.write("in/p.yaml", text)
                for words in (("apply", "--profile", "in/p.yaml"), ("profiles", "lint", "in/p.yaml"),
                              ("apply", "--profile", str(pathlib.Path(self.folder, "in/p.yaml")))):
                    done = self.run_in(*words)
                    self.assertNotEqual(done.returncode, 0, (name, text))
                    self.assertIn(b"leads out of the folder", done.stderr)
                    self.assertNotIn(b"hunter2", done.stderr + done.stdout)
            self.write("in/t.yaml", f"title: T\ntools: [{name}]\n")
            done = self.run_in("campaign", "new", "--table", "in/t.yaml", *STORE)
            self.assertIn(b"leads out of the folder", done.stderr)
            self.write("in/t.turn", f"== t\nprofile: {name}\n-- reply\nx\n")
            done = self.run_in("test", "in/t.turn")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(b"leads out of the folder", done.stdout + done.stderr)
            self.assertNotIn(b"hunter2", done.stderr + done.stdout)
        for text in ("extends: base.yaml\n", "extends: near.yaml\nrulebooks: [book.yaml]\n"):
            self.write("in/p.yaml", text)
            done = self.run_in("apply", "--profile", "in/p.yaml")
            self.assertEqual((done.returncode, done.stderr), (0, b""), text)


if __name__ == "__main__":
    unittest.main()
