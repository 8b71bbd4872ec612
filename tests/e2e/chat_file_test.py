"""Goal: chats of SillyTavern become campaigns and come back: swipes, variables of MVU, and every member that
Arbiter does not know; a chat that was imported goes on in the client; books of lore are kept with a campaign.
Method: writes files as SillyTavern and 酒馆助手 write them, calls the built command, and asks a server on the
same store with a scripted model.
Usage: chat_file_test.py PATH_OF_ARBITER
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from chat_pages import CARD, CHAT, HEADER, block, reply, said, stat
from serving import Served, write

ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())
NOW = "2026-01-01T00:00:00Z"


class ChatFileTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        write(self.folder, "mira.json", CARD)
        self.write_chat("chat.jsonl", CHAT)
        self.run_arbiter("campaign", "new", "Mira", "--id", "mira", "--card", "mira.json", "--user", "Rook")

    def write_chat(self, name, messages, header=HEADER):
        lines = [header, *messages] if header else messages
        write(self.folder, name, "\n".join(json.dumps(each, ensure_ascii=False) for each in lines) + "\n")

    def run_arbiter(self, *words, code=0):
        done = subprocess.run([ARBITER, *words, "--store", "sqlite:x.db", "--lang", "en"], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={"PATH": os.environ["PATH"], "HOME": self.folder}, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def imported(self, name="chat.jsonl"):
        return json.loads(self.run_arbiter("chat", "import", name, "--json", "--now", NOW))

    def exported(self):
        self.run_arbiter("chat", "export", "out.jsonl")
        lines = pathlib.Path(self.folder, "out.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def hp(self, turn="head"):
        return json.loads(self.run_arbiter("show", turn, "--state"))["stat_data"]["hp"]

    def test_a_chat_comes_back_as_it_was(self):
        made = self.imported()
        # The greeting is the campaign's own.
        self.assertEqual((made["replies"], made["swipes"], made["known"], made["states"]), (3, 2, 1, 1))
        self.assertEqual(self.hp(), 8)
        self.assertEqual(self.exported(), [HEADER, *CHAT])
        turns = json.loads(self.run_arbiter("history", "--json"))["turns"]
        again = self.imported()
        self.assertEqual((again["known"], again["states"]), (5, 0))
        self.assertEqual(json.loads(self.run_arbiter("history", "--json"))["turns"], turns)
        self.assertEqual(self.exported(), [HEADER, *CHAT])
        self.run_arbiter("verify")
        self.run_arbiter("rebuild")

    def test_swipes_are_branches(self):
        self.imported()
        branches = json.loads(self.run_arbiter("branch", "--json"))["branches"]
        states = sorted(self.hp(each["id"]) for each in branches)
        self.assertEqual(states, [8, 9, 10])

    def test_an_archive_keeps_the_lines(self):
        self.imported()
        self.run_arbiter("export", "mira.arc")
        self.run_arbiter("campaign", "delete", "mira", "--yes")
        self.run_arbiter("import", "mira.arc")
        self.assertEqual(self.exported(), [HEADER, *CHAT])

    def test_the_chat_goes_on_in_a_client(self):
        self.imported()
        write(self.folder, "script.yaml", "answers:\n" + "".join(
            f"  - \"Reply {n}. {block(n)}\"\n" for n in (3, 4)))
        with Served(ARBITER, self.folder, "--script", "script.yaml") as served:
            messages = [{"role": "user" if each["is_user"] else "assistant", "content": each["mes"]}
                        for each in CHAT if not each["is_system"]]
            for hp in (3, 4):  # a reply, and a swipe of it
                status, headers, answer = served.post("/c/mira/v1/chat/completions", {"messages": messages})
                self.assertEqual(status, 200, answer)
                self.assertEqual(answer["choices"][0]["message"]["content"].strip(), f"Reply {hp}.")
                state = served.get("/api/v1/campaigns/mira/state")[2]["document"]["stat_data"]
                self.assertEqual(state["hp"], hp)
        lines = self.exported()
        self.assertEqual(lines[:-1], [HEADER, *CHAT])
        self.assertEqual((lines[-1]["mes"], lines[-1]["swipe_id"], len(lines[-1]["swipes"])),
                         (f"Reply 4. {block(4)}", 1, 2))
        self.assertEqual([each["stat_data"]["hp"] for each in lines[-1]["variables"]], [3, 4])

    def test_a_new_swipe_joins_those_of_the_file(self):
        self.imported()
        turns = json.loads(self.run_arbiter("history", "--json"))["turns"]
        before = next(each["parent"] for each in turns if each.get("beginning", "").startswith("You sleep"))
        self.run_arbiter("branch", before)
        write(self.folder, "reply.txt", f"You dream. {block(5)}")
        self.run_arbiter("turn", "reply.txt", "--said", "I rest.")
        last = self.exported()[-1]
        self.assertEqual(last["swipes"], ["You sleep.", f"You dream. {block(5)}"])
        self.assertEqual((last["swipe_id"], last["mes"]), (1, f"You dream. {block(5)}"))
        self.assertEqual([each["stat_data"]["hp"] for each in last["variables"]], [8, 5])
        self.assertEqual(last["extra"], CHAT[5]["extra"])

    def test_what_is_not_a_chat_is_refused(self):
        for text, words in (("", "mes"), ("{\"a\": 1}\n", "mes"), ("{\"mes\": \"a\"}\n{", "bad.jsonl:2")):
            write(self.folder, "bad.jsonl", text)
            self.assertIn(words, self.run_arbiter("chat", "import", "bad.jsonl", code=2))
        self.assertIn("none.jsonl", self.run_arbiter("chat", "import", "none.jsonl", code=2))
        self.assertIn("import, export", self.run_arbiter("chat", "move", code=2))
        self.assertEqual(self.hp(), 9)

    def test_hidden_goals_stay_hidden(self):
        goal = "The lighthouse keeper is the thief of the amulet"
        write(self.folder, "table.json", {
            "id": "t", "goal": {"ultimate_goal_text": goal, "is_hidden": True},
            "characters": {"ali": {"name": "Ali", "hp": {"current": 5, "max": 5}, "area_id": "gate"}},
            "map": {"id": "m", "areas": {"gate": {"name": "Gate"}}}, "party": ["ali"], "active_actor": "ali"})
        self.run_arbiter("campaign", "new", "Table", "--id", "t", "--table", "table.json")
        write(self.folder, "reply.txt", f"{goal}, she says.")
        self.run_arbiter("turn", "reply.txt", "--said", "Who?", "--campaign", "t")
        self.assertNotIn("thief", self.run_arbiter("chat", "export", "--campaign", "t"))
        self.assertIn("thief", self.run_arbiter("chat", "export", "--campaign", "t", "--reveal"))

    def test_books_are_kept_with_the_campaign(self):
        book = {"entries": {"0": {"uid": 0, "key": ["harbour"], "keysecondary": [], "comment": "Harbour",
                                  "content": "The harbour smells of tar.", "own": {"x": 1}, "order": 100,
                                  "position": 0, "disable": False}}, "name": "World", "own": [1, {"y": None}]}
        write(self.folder, "harbour.json", book)
        self.assertIn("harbour: 1", self.run_arbiter("lore", "import", "harbour.json"))
        prompt = ("prompt", "--said", "To the harbour!", "--now", NOW)
        self.assertIn("smells of tar", self.run_arbiter(*prompt))
        self.assertNotIn("smells of tar", self.run_arbiter("prompt", "--said", "Home.", "--now", NOW))
        self.assertEqual(json.loads(self.run_arbiter("lore", "export", "harbour")), book)
        self.assertEqual(json.loads(self.run_arbiter("lore", "list", "--json"))["books"],
                         [{"name": "harbour", "entries": 1}])
        self.run_arbiter("lore", "remove", "harbour")
        self.assertNotIn("smells of tar", self.run_arbiter(*prompt))
        self.assertIn("harbour", self.run_arbiter("lore", "remove", "harbour", code=2))
        write(self.folder, "no.json", {"a": 1})
        self.assertIn("no entries", self.run_arbiter("lore", "import", "no.json", code=2))

    def test_the_prompt_of_a_client_is_explained(self):
        write(self.folder, "body.json", {"messages": [
            {"role": "system", "content": "You narrate."}, {"role": "user", "content": "one"},
            {"role": "assistant", "content": "Welcome, Rook."}, {"role": "user", "content": "And now?"}]})

        def blocks(*words):
            made = json.loads(self.run_arbiter("prompt", "--chat", "body.json", "--explain", "--json", *words))
            return made, [each["id"] for each in made["blocks"]], [each["id"] for each in made["omitted"]
                                                                  if each["why"]["code"] == "not_injected"]
        made, full, omitted = blocks()
        self.assertEqual((full[0], full[-1], omitted), ("client:1", "client:4", []))
        self.assertEqual(made["messages"][-1]["content"], "And now?")
        self.assertIn("hp", made["messages"][-2]["content"])
        self.assertGreater(len(full), 5)
        self.run_arbiter("settings", "set", "chat.inject", "state")
        made, state, omitted = blocks()
        self.assertEqual([each["role"] for each in made["messages"]], ["system", "user", "assistant", "system", "user"])
        self.assertEqual(sorted(state + omitted), sorted(full))
        self.run_arbiter("settings", "set", "chat.inject", "off")
        made, off, omitted = blocks()
        self.assertEqual(off, ["client:1", "client:2", "client:3", "client:4"])
        self.assertEqual(sorted(off + omitted), sorted(full))
        self.assertIn("chat.inject is off", self.run_arbiter("prompt", "--chat", "body.json", "--explain"))


if __name__ == "__main__":
    unittest.main()
