"""Goal: the built binary does what README and --help say, as a user types it.
Method: runs it as a process: files, pipes, exit codes, no colours in a pipe, completion in bash.
Usage: cli_test.py PATH_OF_ARBITER
"""

import base64
import contextlib
import json
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(*words, stdin="", env=None, cwd=None):
    return subprocess.run([ARBITER, *words], input=stdin.encode(), capture_output=True,
                          env={"PATH": os.environ["PATH"], **(env or {})}, cwd=cwd, check=False)


class CliTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.old = self.write("old.json", {"角色": {"气血": 100, "名": "甲"}, "物品": ["剑", "盾"]})
        self.new = self.write("new.json", {"角色": {"气血": 90, "名": "甲"}, "物品": ["剑"], "时间": "夜"})

    def write(self, name, value):
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")
        return name

    def arbiter(self, *words, **more):
        return run(*words, cwd=self.folder, **more)

    def test_version_and_help(self):
        self.assertRegex(self.arbiter("--version").stdout.decode(), r"^arbiter \d+\.\d+\.\d+\n$")
        self.assertEqual(self.arbiter("--help").returncode, 0)
        self.assertEqual(self.arbiter().returncode, 0)

    HOUSE_TOOL = """name: bless
agent_text: {en: Blesses a character., zh: 祝福一名角色。}
human_text: {en: Gives the flag blessed., zh: 添加祝福标记。}
args:
  who: {type: character, about: {en: who, zh: 谁}}
reasons:
  asleep: {en: "{0} is asleep.", zh: "{0} 睡着了。"}
conditions:
  - holds: (campaign.characters.$who.status.alive_state ?? "alive") != "unconscious"
    reason: asleep
    details: [$who]
    about: {en: awake, zh: 醒着}
effect:
  - push: campaign.characters.$who.status.flags
    value: "'祝福'"
    unique: true
check:
  - "'祝福' in campaign.characters.$who.status.flags"
"""

    # proves: D3, D4, D10, D12, D14
    def test_a_store_is_opened_with_care(self):
        self.arbiter("campaign", "new", "灰原", "--id", "c", "--store", "sqlite:a.db")
        self.arbiter("turn", "--store", "sqlite:a.db", stdin="一。")
        self.assertEqual(os.stat(os.path.join(self.folder, "a.db")).st_mode & 0o777, 0o600)
        before = pathlib.Path(self.folder, "a.db").read_bytes()
        for words in (["show"], ["history"], ["verify"], ["campaign", "list"], ["export", "-"], ["prompt"], ["branch"]):
            self.assertEqual(self.arbiter(*words, "--store", "sqlite:a.db").returncode, 0, words)
        self.assertEqual(pathlib.Path(self.folder, "a.db").read_bytes(), before)
        # Nothing is created by looking, and what is no store stays as it is.
        self.write("junk.db", "hello")
        for store, said in (("none.db", "There is no store none.db."), ("junk.db", "is not a store of Arbiter"),
                            (":memory:", "Write memory:"), ("no/a.db", "There is no store no/a.db")):
            for words in (["show"], ["verify"], ["turn"], ["campaign", "list"], ["play"], ["rollback", "0"]):
                done = self.arbiter(*words, "--store", "sqlite:" + store)
                self.assertEqual(done.returncode, 2)
                self.assertIn(said, done.stderr.decode())
        self.assertIn("There is no folder", self.arbiter("campaign", "new", "x", "--store",
                                                         "sqlite:no/a.db").stderr.decode())
        self.assertEqual(sorted(each for each in os.listdir(self.folder) if each.endswith(".db")),
                         ["a.db", "junk.db"])
        self.assertEqual(pathlib.Path(self.folder, "junk.db").read_text(), "hello")
        chinese = self.arbiter("show", "--store", "sqlite:none.db", env={"LANG": "zh_CN.UTF-8"}).stderr.decode()
        self.assertIn("没有存储 none.db", chinese)
        # Names.
        for id in ("", "X", "a b", "x/../y", "library", "x" * 65):
            refused = self.arbiter("campaign", "new", "n", "--id", id, "--store", "sqlite:a.db")
            self.assertEqual(refused.returncode, 2, id)
        for label in ("head", "head~1", "3", "a\nb", "x" * 5000):
            self.assertEqual(self.arbiter("checkpoint", label, "--store", "sqlite:a.db").returncode, 2)
        self.assertEqual(self.arbiter("checkpoint", "第一章", "--store", "sqlite:a.db").returncode, 0)

    # proves: D14
    def test_a_failed_copy_leaves_nothing(self):
        self.arbiter("campaign", "new", "a", "--id", "a", "--store", "sqlite:s.db")
        for _ in range(3):
            self.arbiter("turn", "--store", "sqlite:s.db", stdin="说。")
        with contextlib.closing(sqlite3.connect(os.path.join(self.folder, "s.db"))) as db:
            db.execute("UPDATE turns SET bytes = zeroblob(length(bytes)) WHERE number = 2")
            db.commit()
        self.assertEqual(self.arbiter("migrate", "sqlite:t.db", "--store", "sqlite:s.db").returncode, 2)
        self.assertEqual(self.arbiter("campaign", "list", "--store", "sqlite:t.db").stdout, b"")

    # proves: D3, D12
    def test_campaigns_are_backed_up_renamed_and_deleted(self):
        for name in ("a", "b"):
            self.arbiter("campaign", "new", name, "--id", name, "--store", "sqlite:s.db")
        self.assertEqual(self.arbiter("backup", "copy.db", "--store", "sqlite:s.db").returncode, 0)
        self.assertEqual(self.arbiter("backup", "copy.db", "--store", "sqlite:s.db").returncode, 2)
        self.assertIn("pg_dump", self.arbiter("backup", "x", "--store", "memory:").stderr.decode())
        self.assertEqual(self.arbiter("campaign", "rename", "新名", "--campaign", "a", "--store",
                                      "sqlite:s.db").returncode, 0)
        self.assertIn("新名", self.arbiter("campaign", "list", "--store", "sqlite:s.db").stdout.decode())
        unsure = self.arbiter("campaign", "delete", "a", "--store", "sqlite:s.db")
        self.assertEqual(unsure.returncode, 2)
        self.assertIn("--yes", unsure.stderr.decode())
        self.assertEqual(self.arbiter("campaign", "delete", "a", "--yes", "--store", "sqlite:s.db").returncode, 0)
        self.assertIn("There is no campaign a", self.arbiter("campaign", "delete", "a", "--yes", "--store",
                                                             "sqlite:s.db").stderr.decode())
        listed = self.arbiter("campaign", "list", "--store", "sqlite:s.db").stdout.decode()
        self.assertEqual([line.split()[0] for line in listed.splitlines()], ["b"])
        kept = self.arbiter("campaign", "list", "--store", "sqlite:copy.db").stdout.decode()
        self.assertEqual([line.split()[0] for line in kept.splitlines()], ["a", "b"])
        self.assertEqual(self.arbiter("verify", "--campaign", "b", "--store", "sqlite:s.db").returncode, 0)

    # proves: S1-77, S1-78, S1-80, X-20
    def test_a_tool_of_data_is_kept_with_its_campaign(self):
        tool = self.write("bless.yaml", self.HOUSE_TOOL)
        self.write("t.yaml", "id: t\ncharacters: {hero: {name: 阿青, hp: {max: 5}}}\ntools: [heal]\n")
        store = ["--store", "sqlite:t.db"]
        made = self.arbiter("campaign", "new", "t", "--id", "t", "--table", "t.yaml", "--tools", tool, *store)
        self.assertEqual(made.returncode, 0, made.stderr.decode())
        os.remove(os.path.join(self.folder, tool))
        bless = '<tool_call>{"id":"a","tool":"bless","args":{"who":"hero"}}</tool_call>'
        heal = ('<tool_call>{"id":"b","tool":"heal","args":'
                '{"target_character_id":"hero","amount":1,"cause":"x"}}</tool_call>')
        played = self.arbiter("turn", *store, stdin=bless + heal, env={"LANG": "zh_CN.UTF-8"}).stdout.decode()
        self.assertIn("applied bless", played)
        self.assertIn("rejected heal X already_full", played)
        self.assertIn("生命值已满", played)
        listed = self.arbiter("tools", "list", *store).stdout.decode()
        self.assertIn("bless", listed)
        self.assertIn("allowed", listed)
        self.assertIn("0 findings", self.arbiter("rebuild", *store).stdout.decode())
        # Another profile does not lose it.
        again = self.arbiter("turn", "--profile", "auto-strict", *store, stdin=bless)
        self.assertIn("applied bless", again.stdout.decode())
        self.assertIn("0 findings", self.arbiter("rebuild", *store).stdout.decode())
        audit = self.arbiter("audit", *store).stdout.decode()
        self.assertIn("X already_full", audit)
        archive = self.arbiter("export", "t.archive", *store)
        self.assertEqual(archive.returncode, 0)
        self.assertEqual(self.arbiter("import", "t.archive", "--store", "sqlite:u.db").returncode, 0)
        self.assertIn("bless", self.arbiter("tools", "show", "bless", "--store", "sqlite:u.db").stdout.decode())

    def test_tools_are_listed_shown_and_checked(self):
        listed = self.arbiter("tools").stdout.decode()
        for name in ("move", "hp_delta", "heal", "set_condition", "roll"):
            self.assertIn(name, listed)
        shown = self.arbiter("tools", "show", "heal", env={"LANG": "zh_CN.UTF-8"}).stdout.decode()
        for word in ("死者", "target_character_id", "target_dead", "条件"):
            self.assertIn(word, shown)
        self.assertIn("# The tools", self.arbiter("tools", "show").stdout.decode())
        source = self.arbiter("tools", "show", "heal", "--source").stdout.decode()
        self.assertEqual(self.arbiter("tools", "lint", self.write("mine.yaml", source)).returncode, 0)
        unknown = self.arbiter("tools", "show", "heel")
        self.assertEqual(unknown.returncode, 2)
        self.assertIn("heal", unknown.stderr.decode())
        broken = self.HOUSE_TOOL.replace("check:", "chek:").replace("reason: asleep", "reason: aslep")
        linted = self.arbiter("tools", "lint", self.write("broken.yaml", broken))
        self.assertEqual(linted.returncode, 1)
        lines = [line for line in linted.stderr.decode().splitlines() if line.startswith("broken.yaml:")]
        self.assertEqual([line.split(":")[1] for line in lines], ["10", "17"], lines)
        self.assertIn("Did you mean asleep?", lines[0])
        refused = self.arbiter("campaign", "new", "x", "--tools", "mine.yaml", "--store", "memory:")
        self.assertIn("--table", refused.stderr.decode())

    def test_language_follows_the_environment(self):
        self.assertIn("命令", self.arbiter("--help", env={"LANG": "zh_CN.UTF-8"}).stdout.decode())
        self.assertIn("Playing", self.arbiter("--help", env={"LANG": "de_DE.UTF-8"}).stdout.decode())
        self.assertIn("Playing", self.arbiter("--help", env={"LC_ALL": "C", "LANG": "zh_CN"}).stdout.decode())

    def test_inspect_answers_the_host(self):
        # proves: S0-74
        reply = json.dumps({"tavern_inspect": [{"key": "character.saveData.气血"}, {"key": "character.saveData.无"}]})
        case = {"id": "i", "profile": "tavern", "state": {"character": {"saveData": {"气血": 7}}}, "messages": [reply]}
        answer = json.loads(self.arbiter("apply", "--lines", stdin=json.dumps(case) + "\n").stdout)
        events = [(e["event"], e["key"], e["found"], e.get("value")) for e in answer["turns"][0]["events"]]
        self.assertEqual(events, [("inspect", "character.saveData.气血", True, 7),
                                  ("inspect", "character.saveData.无", False, None)])

    # proves: S2-5
    def test_a_card_with_the_blueprint_of_a_rulebook(self):
        self.write("house.yaml", "rulebook: house\nderived:\n  - {place: stat_data.理.关系, formula: "
                   "stat_data.理.好感度 / 10}\n  - {place: 城.税, formula: 城.人 * 2}\nblueprint: "
                   "{stat_data: {体力: 5}, 城: {人: 3}}\n")
        self.write("own.yaml", "extends: mvu-card\nrulebooks: [house.yaml]\n")
        card = {"spec": "chara_card_v2", "data": {"name": "理", "first_mes": "你好。", "character_book": {
            "entries": [{"comment": "[initvar]", "keys": [], "content": "理:\n  好感度: [20, 好感]"}]}}}
        self.write("card.json", card)
        words = ["campaign", "new", "恋", "--card", "card.json", "--profile", "own.yaml", "--id", "l"]
        plain = self.arbiter(*words, "--store", "sqlite:a.db")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertIn("城.税", plain.stderr.decode())  # nothing to compute it from: said
        begun = self.arbiter(*words, "--init", "--store", "sqlite:b.db")
        self.assertEqual(begun.returncode, 0, begun.stderr)
        self.assertNotIn("城.税", begun.stderr.decode())
        state = json.loads(self.arbiter("show", "head", "--state", "--store", "sqlite:b.db").stdout)
        self.assertEqual(state["城"], {"人": 3, "税": 6})
        self.assertEqual(state["stat_data"]["体力"], 5)
        self.assertEqual(state["stat_data"]["理"], {"好感度": [20, "好感"], "关系": 2})

    def test_a_calendar_of_ones_own(self):
        mist = ("name: mist\ntitle: {en: Mist, zh: 雾历}\neras: [{name: 雾历}]\nwithout_era: numbers\n"
                "months: [{days: 40}, {days: 40}, {days: 20}]\n")
        self.write("mist.yaml", mist)
        self.write("book.yaml", "rulebook: x\ncalendars:\n  - " + mist.replace("\n", "\n    ").rstrip() + "\n")
        for file in ("mist.yaml", "book.yaml"):
            moved = self.arbiter("calendar", "雾历3年2月40日", "--calendar", file, "--plus", "1")
            self.assertEqual(moved.stdout.decode(), "雾历3年3月1日\n", moved.stderr.decode())
        self.write("bad.yaml", mist.replace("days: 20", "days: -2"))
        self.assertIn("bad.yaml:5:", self.arbiter("calendar", "1月1日", "--calendar", "bad.yaml").stderr.decode())
        # A profile's calendars serve its rulebooks, and are kept with the campaign.
        self.write("house.yaml", "rulebook: house\ntime: {date: d}\ndaily: [{each: n, to: $it + $days}]\n")
        self.write("own.yaml", "extends: auto\nrulebooks: [house.yaml]\ncalendars:\n  - "
                   + mist.replace("\n", "\n    ").rstrip() + "\n")
        self.assertEqual(self.arbiter("profiles", "lint", "own.yaml").returncode, 0)
        self.write("save.json", {"d": "1月39日", "n": 0})
        self.arbiter("campaign", "new", "雾", "--profile", "own.yaml", "--state", "save.json", "--id", "m",
                     "--store", "sqlite:m.db")
        pathlib.Path(self.folder, "own.yaml").unlink()
        pathlib.Path(self.folder, "house.yaml").unlink()
        self.arbiter("turn", "--store", "sqlite:m.db", stdin="_.set('d', '2月2日');")
        state = json.loads(self.arbiter("show", "head", "--state", "--store", "sqlite:m.db").stdout)
        self.assertEqual(state["n"], 3)

    def test_lint_finds_rulebooks_that_are_missing(self):
        self.write("own.yaml", "extends: memory\nrulebooks: [infinite-flow, nofile.yaml, infinite-flo]\n")
        found = self.arbiter("profiles", "lint", "own.yaml")
        self.assertEqual(found.returncode, 1)
        self.assertIn("own.yaml:2:28", found.stderr.decode())
        self.assertIn("own.yaml:2:41", found.stderr.decode())

    # proves: S1-26, S1-29, S1-30, S1-34, A1-1: settings outside play, several in one change.
    def test_settings_of_a_campaign(self):
        listed = json.loads(self.arbiter("settings", "list", "--json").stdout)
        for row in listed:
            self.assertEqual(set(row), {"key", "type", "default", "scope", "validation", "ui_hint",
                                        "effect_tags", "value"})
        for words in (["--table", "demo"], ["plain"]):
            store = "sqlite:" + words[-1] + ".db"
            made = self.arbiter("campaign", "new", *words, "--id", "c", "--store", store)
            self.assertEqual(made.returncode, 0, made.stderr)
            both = self.arbiter("settings", "set", "context.compress_enabled", "true", "--store", store)
            self.assertEqual(both.stdout.decode(),
                             "context.compress_enabled = true\ncontext.full_context_enabled = false\n")
            self.arbiter("settings", "set", "turn.max_retries=1", "milestone.policy=off", "--store", store)
            self.assertIn("turn.max_retries = 1\n",
                          self.arbiter("settings", "get", "turn.max_retries", "--store", store).stdout.decode())
            wrong = self.arbiter("settings", "set", "turn.max_retries", "1", "turn.max_retrys", "2", "--store", store)
            self.assertEqual(wrong.returncode, 2)
            self.assertIn("turn.max_retries", wrong.stderr.decode())
            shown = json.loads(self.arbiter("campaign", "show", "--store", store).stdout.decode().split("\n", 1)[1])
            self.assertEqual(shown["campaign"]["campaign_id"], "c")
            self.assertEqual(shown["campaign"]["settings_snapshot"]["turn.max_retries"], 1)
            self.assertEqual(set(shown["summary_state"]), {"summary_text", "facts_json", "pins"})
            # Changes of settings are no turns of the story.
            self.assertRegex(self.arbiter("history", "--store", store).stdout.decode(), r"◉ 0 ")
            self.assertEqual(self.arbiter("rebuild", "--store", store).returncode, 0)
        self.arbiter("settings", "set", "turn.max_retries", "3", "--global", "--store", "sqlite:plain.db")
        self.arbiter("settings", "set", "turn.max_retries", "default", "--store", "sqlite:plain.db")
        self.assertIn("turn.max_retries = 3\n", self.arbiter("settings", "get", "turn.max_retries", "--store",
                                                             "sqlite:plain.db", "--campaign", "c").stdout.decode())

    # proves: S0-93: one turn or one command is taken back, the later ones stay.
    def test_a_turn_is_taken_back(self):
        self.write("save.json", {"a": 1, "b": 1})
        self.arbiter("campaign", "new", "x", "--id", "x", "--profile", "json", "--state", "save.json")
        for reply in ('[{"op":"assign","path":["a"],"value":2},{"op":"assign","path":["b"],"value":2}]',
                      '{"op":"assign","path":["b"],"value":3}', '{"op":"assign","path":["c"],"value":1}'):
            self.assertEqual(self.arbiter("turn", stdin=reply).returncode, 0)
        refused = self.arbiter("revert", "1")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("b was changed again later", refused.stderr.decode())
        first = json.loads(self.arbiter("audit", "--turn", "1", "--json").stdout.decode().splitlines()[0])
        for words in (["1", first["opId"]], ["2"]):
            self.assertEqual(self.arbiter("revert", *words).returncode, 0, words)
        state = json.loads(self.arbiter("show", "--state").stdout)
        self.assertEqual(state, {"a": 1, "b": 2, "c": 1})
        self.assertEqual(self.arbiter("revert", "2").returncode, 1)
        self.assertIn("nothing has changed nothing", self.arbiter("revert", "3", "nothing").stderr.decode())
        self.assertEqual(self.arbiter("revert", "9").returncode, 2)
        self.assertEqual(self.arbiter("verify").returncode, 0)
        self.assertEqual(self.arbiter("rebuild", "--repair").returncode, 0)
        self.assertIn("nothing to repair", self.arbiter("rebuild", "--repair").stdout.decode())

    # proves: S1-8, S1-66, S1-72, A1-13: who acts, the tools, the goal and the end, outside play.
    def test_the_table_is_changed_outside_play(self):
        template = self.write("t.yaml", """
id: salt
title: 盐井
characters:
  mo: {name: 阿墨, hp: {max: 5}}
  lan: {name: 阿岚, hp: {max: 5}}
  yu: {name: 小鱼, hp: {max: 5}}
party: [mo, lan]
""")
        script = self.write("s.yaml", "answers:\n  - say: 让盐神永远沉睡在井底\n")
        self.assertIn("salt", self.arbiter("campaign", "new", "--table", template).stdout.decode())
        for words, expected in ((["actor", "lan"], "lan acts now."), (["join", "yu"], "mo, lan, yu"),
                                (["leave", "mo"], "lan, yu"), (["type", "action"], "action"),
                                (["route", '{"dialog_type":"rules","guards":["calm"]}'], "stays"), (["goal"], "No goal"),
                                (["allow", "roll"], "move, hp_delta, roll"), (["deny", "move"], "hp_delta, roll"),
                                (["disable", "roll", "3"], "until turn_0003"), (["enable", "roll"], "roll"),
                                (["goal", "generate", "--hidden", "--script", script], "The goal is set.")):
            done = self.arbiter("campaign", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(expected, done.stdout.decode())
        self.assertEqual(self.arbiter("campaign", "actor", "nobody").returncode, 2)
        self.assertEqual(self.arbiter("campaign", "fly").returncode, 2)
        self.assertNotIn("盐神永远沉睡", self.arbiter("campaign", "show").stdout.decode())
        self.assertIn("盐神永远沉睡", self.arbiter("campaign", "show", "--reveal").stdout.decode())
        self.arbiter("turn", "--said", "看", stdin="风很大。")
        self.arbiter("checkpoint", "一")
        log = json.loads(self.arbiter("show", "--json").stdout)
        self.assertEqual((log["turn_id"], log["actor_id"], log["user_input"]), ("turn_0001", "lan", "看"))
        self.arbiter("turn", stdin="雨很大。")
        self.assertEqual(self.arbiter("rollback", "一").returncode, 0)
        shown = json.loads(self.arbiter("campaign", "show").stdout.decode().split("\n", 1)[1])["campaign"]
        self.assertEqual(shown["checkpoints"][0]["label"], "一")
        self.assertEqual(shown["rollback_pending"], {"is_pending": True, "from_turn_id": "turn_0002",
                                                     "to_turn_id": "turn_0001", "can_undo": True})
        self.arbiter("settings", "set", "rollback.max_checkpoints", "0")
        self.assertEqual(self.arbiter("undo").returncode, 0)
        self.arbiter("settings", "set", "rollback.max_checkpoints", "0")
        self.assertIn("rollback.max_checkpoints", self.arbiter("rollback", "1").stderr.decode())
        self.assertIn("the party has given up", self.arbiter("campaign", "end").stdout.decode())
        self.assertEqual(self.arbiter("rebuild").returncode, 0)

    # proves: S0-35: what was deleted in a campaign comes back by a turn of its own.
    def test_restore_in_a_campaign(self):
        save = self.write("save.json", {"character": {"saveData": {"背包": {"剑": 1}}}})
        self.arbiter("campaign", "new", "x", "--state", save, "--profile", "tavern")
        self.arbiter("turn", stdin=json.dumps({"tavern_commands": [
            {"action": "delete", "key": "character.saveData.背包.剑", "options": {"softDelete": True}}]}))
        self.assertIn("背包.剑", self.arbiter("restore", "--store", "sqlite:arbiter.db").stdout.decode())
        done = self.arbiter("restore", "character.saveData.背包.剑", "--store", "sqlite:arbiter.db")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn('"剑": 1', self.arbiter("show", "--state").stdout.decode())
        self.assertEqual(self.arbiter("rebuild").returncode, 0)

    def test_what_was_deleted_comes_back(self):
        save = self.write("save.json", {"character": {"saveData": {"背包": {"剑": 1}}}})
        reply = json.dumps({"tavern_commands": [{"action": "delete", "key": "character.saveData.背包.剑",
                                                 "options": {"softDelete": True, "reason": "丢弃"}}]})
        self.assertEqual(self.arbiter("apply", "--state", save, "--out", save, stdin=reply).returncode, 0)
        listed = self.arbiter("restore", "--state", save)
        self.assertEqual(listed.returncode, 0)
        self.assertEqual(listed.stdout.decode(),
                         "op-0\tcharacter.saveData.背包.剑\t2026-01-01T00:00:00.000Z\t1\t丢弃\n")
        done = self.arbiter("restore", "--state", save, "character.saveData.背包.剑", "--out", save)
        self.assertEqual(done.stdout.decode(), "applied restore character.saveData.背包.剑: - → 1\n")
        self.assertEqual(self.arbiter("restore", "--state", save).stdout.decode(), "The bin is empty.\n")
        again = self.arbiter("restore", "--state", save, "op-0")
        self.assertEqual(again.returncode, 1)
        self.assertIn("op-0", again.stderr.decode())
        self.assertEqual(self.arbiter("restore").returncode, 2)

    def test_convert_for_consumers_of_1_0(self):
        save = self.write("save.json", {"character": {"saveData": {"人": {"好感": 1, "名": "李四"}, "时": "晨"}}})
        reply = json.dumps({"tavern_commands": [
            {"action": "update", "key": "character.saveData.人", "value": {"好感": 5}, "options": {"reason": "r"}},
            {"action": "ensure", "key": "character.saveData.时", "value": "夜"},
            {"action": "delete", "key": "character.saveData.无", "options": {"reason": "r"}}]})
        done = self.arbiter("convert", "--to", "tavern1", "--state", save, stdin=reply)
        self.assertEqual(done.returncode, 1)
        self.assertIn("character.saveData.无", done.stderr.decode())
        block = done.stdout.decode()
        self.assertEqual(json.loads(block.replace("```json", "").replace("```", "")),
                         [{"action": "set", "key": "character.saveData.人", "value": {"好感": 5, "名": "李四"}}])
        # proves: D-26: without the document the same commands would say something else.
        blind = self.arbiter("convert", "--to", "tavern1", stdin=reply)
        self.assertEqual((blind.returncode, blind.stdout), (1, b""))
        self.assertEqual(blind.stderr.decode().count("--state FILE"), 3)
        plain = json.dumps({"tavern_commands": [{"action": "set", "key": "character.saveData.时", "value": "夜"}]})
        self.assertEqual(self.arbiter("convert", "--to", "tavern1", stdin=plain).returncode, 0)

    REPLY = ("<think>she pays 30</think>\n商人接过银子。“下次 _.set('hp', 0); 可不行。”\n<UpdateVariable>\n"
             "_.add('金币', -30);//买药\n_.set('角色.心情' , “平静”）\n_.fly('角色', 1);\n"
             "</UpdateVariable>\n他转身离开。\n")

    def test_parse_is_what_the_readme_shows(self):
        for language, readme in (("en", "README.md"), ("zh", "README.zh.md")):
            self.write("reply.txt", self.REPLY)
            done = self.arbiter("parse", "reply.txt", "--lang", language)
            self.assertEqual(done.returncode, 1)
            shown = (ROOT / readme).read_text(encoding="utf-8")
            self.assertIn(self.REPLY, shown)
            self.assertIn(done.stdout.decode(), shown)

    def test_parse_is_the_same_in_pieces(self):
        whole = self.arbiter("parse", "--json", stdin=self.REPLY).stdout
        for size in ("1", "2", "7"):
            self.assertEqual(self.arbiter("parse", "--json", "--chunk", size, stdin=self.REPLY).stdout, whole)
        lines = [json.loads(line) for line in whole.splitlines()]
        self.assertEqual(lines[0]["proposal"]["op"], "increment")
        self.assertTrue(lines[-1]["text"].endswith("他转身离开。\n"))
        self.assertEqual(self.arbiter("parse", "--chunk", "0", stdin="x").returncode, 2)

    def test_parse_profiles(self):
        reply = "他笑了。\n```json\n{\"op\":\"pop\",\"path\":[\"a\"]}\n```\n"
        self.assertEqual(self.arbiter("parse", stdin=reply).stdout.decode(), "json\tpop a\n--\n他笑了。\n")
        self.assertEqual(self.arbiter("parse", "--profile", "memory", stdin=reply).stdout.decode(), reply)
        self.assertEqual(self.arbiter("parse", "--profile", "nosuch", stdin=reply).returncode, 2)

    def test_profiles(self):
        listed = self.arbiter("profiles", "--lang", "en").stdout.decode()
        names = [line.split()[0] for line in listed.splitlines()]
        self.assertTrue({"tavern", "memory", "json", "filament", "mvu", "auto", "tavern-strict"} <= set(names))
        for name in names:
            shown = self.arbiter("profiles", "show", name)
            self.assertEqual(shown.returncode, 0)
            checked = self.arbiter("profiles", "lint", "-", "--lang", "en", stdin=shown.stdout.decode())
            self.assertEqual((checked.returncode, checked.stdout.decode()), (0, "1 file checked, no mistakes\n"))
        self.assertIn("policy.old_check", self.arbiter("profiles", "keys").stdout.decode())
        house = pathlib.Path(self.folder, "house.yaml")
        house.write_text("extends: json\npolicy:\n  old_chek: strict\n", encoding="utf-8")
        wrong = self.arbiter("profiles", "lint", "house.yaml", "--lang", "en")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("house.yaml:3:3: error: There is no key old_chek here. Did you mean old_check?",
                      wrong.stderr.decode())
        self.assertEqual(self.arbiter("apply", "--profile", "house.yaml", stdin="x").returncode, 2)
        house.write_text("extends: json\npolicy:\n  coercion: refuse\n", encoding="utf-8")
        reply = "[{\"op\":\"assign\",\"path\":[\"角色\",\"属性\",\"气血\"],\"value\":\"5\"}]"
        save = pathlib.Path(self.folder, "numbers.json")
        save.write_text("{\"角色\":{\"属性\":{\"气血\":1}}}", encoding="utf-8")
        for profile, code in (("json", 0), ("house.yaml", 1), ("json-strict", 1)):
            done = self.arbiter("apply", "--profile", profile, "--state", "numbers.json", stdin=reply)
            self.assertEqual(done.returncode, code, profile)
        for words in (["profiles", "show"], ["profiles", "dance"], ["profiles", "show", "nosuch"],
                      ["profiles", "list", "x"], ["profiles", "lint", "nosuch.yaml"]):
            self.assertEqual(self.arbiter(*words).returncode, 2, words)

    def test_downgraded(self):
        reply = "[{\"action\":\"update\",\"key\":\"character.saveData.a\",\"value\":{\"x\":1}}]"
        done = self.arbiter("apply", "--profile", "tavern-legacy", "--lang", "en", stdin=reply)
        self.assertEqual(done.returncode, 0)
        self.assertIn("! downgraded\n\tupdate is switched off here", done.stdout.decode())
        case = {"profile": "tavern", "state": {}, "messages": [reply], "options": {"features": {"update": False}}}
        answer = json.loads(self.arbiter("apply", "--lines", stdin=json.dumps(case)).stdout)
        self.assertEqual(answer["turns"][0]["results"][0]["warnings"], ["downgraded"])

    def test_convert(self):
        done = self.arbiter("convert", "--to", "patch", stdin="_.set('a.b', 1, 2);")
        self.assertEqual(done.returncode, 0)  # MVU ignores the old value, so nothing is lost
        self.assertIn('{"op":"replace","path":"/a/b","value":2}', done.stdout.decode())
        done = self.arbiter("convert", "--to", "json", stdin="_.set('a.b', 1, 2);//why\n_.get('c');")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(json.loads(done.stdout.decode().strip("`json\n")),
                         [{"op": "assign", "path": ["a", "b"], "value": 2, "old": 1, "reason": "why"},
                          {"op": "get", "path": ["c"]}])
        self.assertEqual(self.arbiter("convert", stdin="x").returncode, 2)
        self.assertEqual(self.arbiter("convert", "--to", "klingon", stdin="x").returncode, 2)

    # Every execution is in the log, also a failed one. proves: S3-43, S3-45
    def test_every_execution_is_logged(self):
        self.write("state.json", {"player": {"hp": 100}})
        self.arbiter("campaign", "new", "log", "--id", "log", "--profile", "json", "--state", "state.json")
        reply = json.dumps([{"op": "assign", "path": ["player", "hp"], "value": 80, "reason": "受伤"},
                            {"op": "pop", "path": ["player", "hp"]},
                            {"op": "callback", "path": ["显示"], "value": []},
                            {"op": "callback", "path": ["showMessage"], "value": ["好"]}])
        done = self.arbiter("turn", stdin=reply)
        self.assertNotIn(done.returncode, (2, 134, 139))
        records = [json.loads(line) for line in self.arbiter("audit", "--json").stdout.splitlines()]
        self.assertEqual([(r["status"], r.get("code")) for r in records if r["actor"] == "AI"],
                         [("applied", None), ("failed", "type_mismatch"), ("rejected", "bad_value"),
                          ("applied", None)])

    # All problems, and after a parse error an example, wherever a reply is read. proves: S3-33, S3-53
    def test_problems_are_told_by_every_command(self):
        reply = ('开场。\n```json\n[{"op":"assign","path":"a.b"}]\n```\n```json\n'
                 '{"op":"assign","path":["a"],"value": ::: @@@}\n```\n')
        self.write("state.json", {"a": 1})
        self.arbiter("campaign", "new", "x", "--id", "x", "--profile", "json", "--state", "state.json")
        for words in (["parse", "--profile", "json"], ["apply", "--profile", "json"], ["turn"]):
            for language, texts in (
                    ("en", ["Invalid path: must be non-empty array", "Missing required field: value",
                            "Failed to parse JSON instructions", "Use correct JSON, for example:"]),
                    ("zh", ["缺少必填字段 value", "JSON格式错误", "请使用正确的JSON格式，例如："])):
                done = self.arbiter(*words, "--lang", language, stdin=reply).stdout.decode()
                for text in texts + ['{"op":"assign","path":["player","hp"],"value":80}']:
                    self.assertIn(text, done, (words, language))

    def test_apply(self):
        self.write("save.json", {"角色": {"属性": {"声望": 5, "气血": 100}}, "金币": 40})
        self.write("hit.txt", "他咬牙挺住。\n<variable_update>\n[[SUB, 角色.属性.气血, 18], [POP, 角色.声望]]\n</variable_update>\n")
        done = self.arbiter("apply", "--state", "save.json", "hit.txt", "--out", "save.json", "--lang", "en")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.decode(),
                         "他咬牙挺住。\n--\napplied increment 角色.属性.气血: 100 → 82\n"
                         "failed pop 角色.声望 X not_found\n"
                         "\tThere is nothing at 角色.声望. Did you mean 角色.属性.声望?\n")
        saved = json.loads(pathlib.Path(self.folder, "save.json").read_text(encoding="utf-8"))
        self.assertEqual(saved["角色"]["属性"]["气血"], 82)
        self.arbiter("apply", "--state", "save.json", "hit.txt", "--out", "save.json", "--dry-run")
        self.assertEqual(json.loads(pathlib.Path(self.folder, "save.json").read_text(encoding="utf-8")), saved)
        self.assertEqual(self.arbiter("apply", "--state", "nosuch.json", "hit.txt").returncode, 2)
        self.assertEqual(self.arbiter("apply", "--state", "save.json", "hit.txt", "--out", "no/such/dir.json").returncode, 2)

    def test_apply_tells_what_parse_tells(self):       # D-20, D-21, S3-53
        told = self.arbiter("apply", "--profile", "auto", stdin="“_.set('a', 1);”\n<think>x\n").stdout.decode()
        self.assertIn("!\tignored quoted", told)
        self.assertIn("!\tunclosed think", told)
        reply = '{"tavern_commands":[],"tavern_inspect":{"key":"角色.气血"},"mid_term_memory":"m"}'
        told = self.arbiter("apply", "--state", self.old, "--profile", "tavern", stdin=reply).stdout.decode()
        self.assertIn("!\tinspect 角色.气血 = 100", told)
        self.assertIn("!\tignored member mid_term_memory", told)
        broken = "一。\n_.set('角色.名', '坏;\n"
        told = self.arbiter("apply", "--state", self.old, "--profile", "mvu", stdin=broken,
                            env={"LANG": "zh_CN.UTF-8"}).stdout.decode()
        self.assertIn("第 2 行第 15 列：引号没有闭合：_.set('角色.名', '坏", told)

    def test_a_component_is_part_of_the_history(self):       # S4-53, D-20
        self.arbiter("campaign", "new", "q", "--store", "sqlite:q.db", "--id", "q", "--profile", "filament")
        done = self.arbiter("turn", "--store", "sqlite:q.db", "--said", "进入直播模式！",
                            stdin="<live><dialogue>她把琴弦拧断了。</dialogue></live>")
        self.assertIn("她把琴弦拧断了。\n", done.stdout.decode())
        shown = self.arbiter("show", "--store", "sqlite:q.db").stdout.decode()
        self.assertIn("她把琴弦拧断了。\n", shown)
        prompt = self.arbiter("prompt", "--store", "sqlite:q.db", "--said", "继续").stdout.decode()
        self.assertIn("<live><dialogue>她把琴弦拧断了。</dialogue></live>", prompt)

    def test_thinking_is_not_kept(self):       # D-20
        self.arbiter("campaign", "new", "l", "--store", "sqlite:l.db", "--id", "l", "--profile", "json")
        self.arbiter("turn", "--store", "sqlite:l.db", "--said", "练功", stdin="该给火球术。\n</think>\n你升级了！\n")
        prompt = self.arbiter("prompt", "--store", "sqlite:l.db", "--said", "继续").stdout.decode()
        self.assertIn("你升级了！", prompt)
        self.assertNotIn("火球术", prompt)

    def test_apply_lines(self):
        case = {"id": "a", "profile": "json", "state": {"hp": 9},
                "messages": ["{\"op\":\"assign\",\"path\":[\"hp\"],\"value\":7}", "她走了。"]}
        lines = json.dumps(case) + "\n\nnot json\n[]\n"
        whole = self.arbiter("apply", "--lines", stdin=lines)
        self.assertEqual(whole.returncode, 0)
        answers = [json.loads(line) for line in whole.stdout.splitlines()]
        self.assertEqual(answers[0], {"id": "a", "state": {"hp": 7}, "turns": [
            {"text": "", "results": [{"op": "set", "path": ["hp"], "status": "applied"}], "events": []},
            {"text": "她走了。", "results": [], "events": []}]})
        self.assertEqual(["error" in answer for answer in answers], [False, True, True])
        self.assertEqual(self.arbiter("apply", "--lines", "--chunk", "1", stdin=lines).stdout, whole.stdout)

    def test_teach(self):
        for dialect in ("tavern", "json", "mvu", "patch", "memory", "filament", "filament3"):
            english = self.arbiter("teach", dialect, "--lang", "en")
            chinese = self.arbiter("teach", dialect, "--lang", "zh")
            self.assertEqual((english.returncode, chinese.returncode), (0, 0))
            self.assertNotEqual(english.stdout, chinese.stdout)
        self.assertEqual(self.arbiter("teach", "klingon").returncode, 2)

    def test_no_colour_in_a_pipe(self):
        for words in (["tour"], ["--help"], ["diff", self.old, self.new], ["json", "missing"]):
            done = self.arbiter(*words)
            self.assertNotIn(b"\x1b", done.stdout + done.stderr)

    def test_diff(self):
        done = self.arbiter("diff", self.old, self.new)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.decode(),
                         '+ 时间: "夜"\n~ 角色.气血: 100 → 90\n- 物品[1]: "盾"\n')
        patch = json.loads(self.arbiter("diff", self.old, self.new, "--patch").stdout)
        self.assertEqual([(op["op"], op["path"]) for op in patch],
                         [("add", "/时间"), ("replace", "/角色/气血"), ("remove", "/物品/1")])
        own = json.loads(self.arbiter("diff", self.old, self.new, "--json").stdout)
        self.assertEqual(own[0], {"kind": "add", "path": ["时间"], "position": 2, "after": "夜"})
        self.assertEqual(self.arbiter("diff", self.old, self.old).returncode, 0)
        self.assertEqual(self.arbiter("diff", self.old, "missing.json").returncode, 2)

    def test_broken_file_is_explained(self):
        broken = self.write("broken.json", '{\n  "a": 1,\n  "b": [1, 2,]\n}\n')
        done = self.arbiter("json", broken)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.decode().startswith("broken.json:3:13: error: "), done.stderr)

    def test_hostile_files(self):
        deep = self.write("deep.json", "[" * 200_000)
        done = self.arbiter("json", deep)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"512", done.stderr)
        huge = pathlib.Path(self.folder, "huge.json")
        with huge.open("wb") as file:
            file.truncate(100 << 20)
        done = self.arbiter("json", "huge.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn(str(32 << 20).encode(), done.stderr)
        pathlib.Path(self.folder, "bytes.json").write_bytes(bytes(range(256)))
        self.assertEqual(self.arbiter("json", "bytes.json").returncode, 1)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([ARBITER, "json", self.old], stdout=full, stderr=subprocess.PIPE,
                                  cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"Cannot write standard output", done.stderr)
        # Larger than any buffer, and with another exit code of its own.
        self.write("big.json", [123456] * 100_000)
        for words in (["json", "big.json"], ["diff", self.old, self.new]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([ARBITER, *words], stdout=full, stderr=subprocess.PIPE,
                                      cwd=self.folder, check=False)
            self.assertEqual(done.returncode, 2, words)

    def test_an_option_before_the_command_is_answered_with_its_place(self):
        done = self.arbiter("--store", "sqlite:x.db", "--lang", "en")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr.decode(), r"Options come behind a command: arbiter \w+ --store …\n$")
        self.assertIn("Did you mean --version?", self.arbiter("--verson", "--lang", "en").stderr.decode())

    def test_bash_completion_works(self):
        script = self.arbiter("completion", "bash").stdout.decode()
        asked = script + '\nCOMP_WORDS=(arbiter di); COMP_CWORD=1; _arbiter; echo "${COMPREPLY[@]}"'
        asked += '\nCOMP_WORDS=(arbiter diff --pa); COMP_CWORD=2; _arbiter; echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), ["diff", "--patch"])
        pathlib.Path(self.folder, "my save.json").write_text("{}")
        asked = script + '\nCOMP_WORDS=(arbiter json my); COMP_CWORD=2; _arbiter; echo "${COMPREPLY[0]}"'
        asked += '\nCOMP_WORDS=(arbiter --lang z); COMP_CWORD=2; _arbiter; echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True,
                              cwd=self.folder)
        self.assertEqual(done.stdout.splitlines(), ["my save.json", "zh"])

    def test_completion_knows_the_actions_of_every_command(self):
        script = self.arbiter("completion", "bash").stdout.decode()
        names = re.findall(r"^  ([a-z]+) ", self.arbiter("--help", "--lang", "en").stdout.decode(), re.M)
        found = 0
        for name in names:
            usage = self.arbiter(name, "--help", "--lang", "en").stdout.decode().splitlines()[0]
            if not re.search(r"\b(ACTION|KIND|SHELL|DIALECT)\b", usage):
                continue
            asked = script + f'\nCOMP_WORDS=(arbiter {name} ""); COMP_CWORD=2; _arbiter; echo "${{COMPREPLY[@]}}"'
            words = subprocess.run(["bash", "-c", asked], capture_output=True, text=True, check=True,
                                   cwd=self.folder).stdout.split()
            self.assertTrue(words, name)
            # A word that the command does not take is refused with the list of those that it takes.
            for word in words:
                refused = self.arbiter(name, word + "x", "--lang", "en", stdin="").stderr.decode()
                self.assertIn(word, refused, name)
            found += 1
        self.assertGreater(found, 12)

    def test_transcripts(self):
        page = (ROOT / "docs/transcripts.md").read_text(encoding="utf-8")
        example = page.split("```turn\n")[1].split("```\n")[0]
        self.write("my-card.turn", example)
        done = self.arbiter("test", "my-card.turn")
        self.assertEqual((done.returncode, done.stdout.decode()), (0, "ok    my-card.turn (1)\n1 turn, 0 failed\n"))
        # Differences are printed, and can be written into the file.
        self.write("my-card.turn", example.replace("50 → 20", "50 → 30"))
        done = self.arbiter("test", "my-card.turn")
        self.assertEqual(done.returncode, 1)
        self.assertIn("  - applied increment 金币: 50 → 30\n  + applied increment 金币: 50 → 20\n", done.stdout.decode())
        done = self.arbiter("test", ".", "--update", "--lang", "zh")
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 个已更新", done.stdout.decode())
        self.assertEqual(pathlib.Path(self.folder, "my-card.turn").read_text(encoding="utf-8"), example + "\n")
        # A new turn is filled in; the line ends of Windows stay.
        pathlib.Path(self.folder, "new.turn").write_bytes(b"== new\r\n-- reply\r\n_.set('a', 1);\r\n")
        self.assertEqual(self.arbiter("test", "new.turn").returncode, 1)
        self.assertEqual(self.arbiter("test", "new.turn", "--update").returncode, 0)
        self.assertEqual(self.arbiter("test", "new.turn", "my-card.turn").returncode, 0)
        written = pathlib.Path(self.folder, "new.turn").read_bytes()
        self.assertIn(b"-- verdicts\r\nfailed set a X not_found\r\n", written)
        self.assertEqual(written.count(b"\n"), written.count(b"\r\n"))

    def test_broken_transcripts(self):
        self.write("bad.turn", "== a\n-- state\n{\"气血\": 090}\n-- reply\nx\n==\n")
        done = self.arbiter("test", "bad.turn")
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.turn:3:8: error: 090 is not a JSON number.", done.stderr.decode())
        self.assertIn('  3 | {"气血": 090}\n', done.stderr.decode())
        self.write("bad.turn", "== a\nprofil: mvu\n-- reply\nx\n")
        done = self.arbiter("test", "bad.turn", "--lang", "zh")
        self.assertIn("bad.turn:2:1: 错误: 没有设置 profil。可用：profile, ", done.stderr.decode())
        self.assertIn("是不是想写 profile？", done.stderr.decode())
        wrong = self.arbiter("rules", "lnit", "x.yaml", "--lang", "en").stderr.decode()
        self.assertTrue(wrong.endswith("It takes list, show, lint, explain, init. Did you mean lint?\n"), wrong)
        self.assertEqual(self.arbiter("test").returncode, 2)
        self.assertEqual(self.arbiter("test", "no/such.turn").returncode, 2)
        pathlib.Path(self.folder, "empty").mkdir()
        self.assertEqual(self.arbiter("test", "empty").returncode, 2)

    def test_a_campaign_is_kept(self):
        self.write("reply.txt", "她举起了石狮。\nset_attribute('属性段.生理属性.力量.基础', 10);")
        said = lambda *words: self.arbiter(*words).stdout.decode()
        self.assertIn("huiyuan: turn 0", said("campaign", "new", "灰原", "--profile", "memory", "--init", "--id", "huiyuan"))
        self.assertIn("传奇 play_character_data.属性段.生理属性.力量.传奇", said("turn", "reply.txt", "--said", "我举起石狮"))
        self.assertIn("huiyuan: turn 2", said("turn", "reply.txt"))
        self.assertIn("huiyuan: turn 1", said("rollback", "1"))
        self.assertIn("huiyuan: turn 2", said("undo"))
        self.assertEqual(self.arbiter("undo").returncode, 1)
        self.assertIn("turn 0", said("rollback", "head~2"))
        self.assertIn("turn 1", said("turn", "reply.txt"))
        self.assertEqual(said("history").count("○"), 3)
        self.assertEqual(said("branch").count("\n"), 2)
        self.assertIn("→ [2,", said("blame", "play_character_data.属性段.生理属性.力量.传奇"))
        self.assertIn("system  applied set", said("audit", "--actor", "system"))
        self.assertIn("0 findings", said("verify"))
        self.assertIn("2 turns, 1 commands, 0 findings", said("rebuild"))
        self.assertEqual(self.arbiter("export", "all.json").returncode, 0)
        self.assertEqual(said("import", "all.json", "--store", "sqlite:other.db"), "huiyuan\n")
        self.assertEqual(said("history", "--store", "sqlite:other.db"), said("history"))
        self.assertEqual(self.arbiter("import", "all.json").returncode, 2)
        self.write("leave.txt", "memory('world_set.npc', '猎户', '健谈');")
        said("turn", "leave.txt")
        self.write("leave.txt", "delete('world_set.npc', 'all');")
        said("turn", "leave.txt")
        self.assertIn("猎户", said("world"))
        self.assertIn("turn 3", said("world", "无"))
        self.assertIn("猎户", said("campaign", "show"))
        self.assertIn("0 findings", said("rebuild"))
        self.assertEqual(self.arbiter("world", "仙界").returncode, 1)
        self.assertEqual(self.arbiter("turn", "--campaign", "nobody", "reply.txt").returncode, 2)
        # Between any two turns; into another store; fewer kept states; the replies read once more.
        self.assertIn("力量.基础[0]: 2 → 10", said("diff", "0", "head"))
        self.assertEqual(self.arbiter("diff", "head", "head", "--campaign", "huiyuan").returncode, 0)
        self.assertRegex(said("migrate"), r"version \d+\n")
        self.assertEqual(said("migrate", "sqlite:third.db"), "huiyuan  copied\n")
        self.assertEqual(said("migrate", "sqlite:third.db"), "huiyuan  is there already\n")
        self.assertEqual(said("history", "--store", "sqlite:third.db"), said("history"))
        self.assertIn("0 findings", said("verify", "--store", "sqlite:third.db"))
        self.assertIn("0 kept states", said("thin"))
        self.assertIn("0 findings", said("rebuild", "--from-text"))
        self.assertIn("applied", said("audit", "--from", "2020-01-01T00:00:00Z"))
        self.assertEqual(self.arbiter("audit", "--to", "2020-01-01T00:00:00Z").returncode, 1)
        self.assertEqual(self.arbiter("campaign", "new", "x", "--id", "library").returncode, 2)
        for label in ("甲", "乙", "丙"):
            said("checkpoint", label, "--most", "2")
        self.assertEqual(said("checkpoint").count("\n"), 2)

    CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {
        "name": "梅", "description": "山里的药师\x1b[31m", "first_mes": "{{char}}抬头看{{user}}。",
        "alternate_greetings": ["夜里，雨停了。\n<UpdateVariable>\n_.set('主角.气血', 100, 90);//淋雨\n</UpdateVariable>"],
        "own_field": 7, "extensions": {"regex_scripts": [{"scriptName": "hide"}]},
        "character_book": {"entries": [
            {"keys": [], "comment": "[InitVar]变量", "enabled": False,
             "content": "主角:\n  气血: [100, 受伤时更新]\n  名: '{{user}}'\n"}]}}}

    def picture(self, name, card, damaged=False):
        def chunk(kind, content):
            return (struct.pack(">I", len(content)) + kind + content +
                    struct.pack(">I", zlib.crc32(kind + content) ^ damaged))
        text = base64.b64encode(json.dumps(card, ensure_ascii=False).encode())
        pathlib.Path(self.folder, name).write_bytes(
            b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) +
            chunk(b"tEXt", b"chara\0" + text) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b""))
        return name

    # Nothing of a card is lost silently.
    def test_a_card_is_reported_on(self):
        card = self.write("wild.json", {"spec": "chara_card_v3", "data": {
            "name": "灯", "first_mes": "你好。", "group_only_greetings": ["大家好。"],
            "extensions": {"fav": True, "risu_bundle": {"a": 1}, "empty": {}, "world": "雾港",
                           "tavern_helper": {"scripts": [{"name": "面板", "content": "alert(1)"},
                                                         {"name": "时钟", "content": "tick()"}]}}}})
        done = self.arbiter("campaign", "new", "x", "--card", card, "--id", "wild")
        said = done.stdout.decode()
        self.assertIn("profile auto\n", said)
        # One line for one reason, and no remark about rulebooks that nobody asked for.
        self.assertIn("not taken over  script 面板, 时钟: JavaScript of the tavern helper is never run\n", said)
        self.assertEqual(done.stderr, b"")
        chinese = self.arbiter("card", "report", "--lang", "zh").stdout.decode()
        self.assertIn("未采用  script 面板、时钟：酒馆助手的 JavaScript 脚本从不运行\n", chinese)
        rows = json.loads(self.arbiter("card", "report", card, "--json").stdout)
        self.assertEqual([(row["fate"], row["code"], row["name"]) for row in rows],
                         [("ignored", "script", "面板"), ("ignored", "script", "时钟"),
                          ("ignored", "extension", "extensions.risu_bundle"), ("ignored", "linked_world", "雾港"),
                          ("ignored", "field", "group_only_greetings")])
        self.assertTrue(all(row["reason"]["en"] and row["reason"]["zh"] for row in rows))
        begun = json.loads(self.arbiter("campaign", "new", "y", "--card", card, "--json").stdout)
        self.assertEqual((begun["report"], begun["profile"], begun["greeting"]), (rows, "auto", "你好。"))

    # A schema becomes limits without being run; what is not read is named with its line.
    def test_the_schema_of_a_card(self):
        script = ("const S = z.object({\n  hp: z.coerce.number().min(0).max(100),\n"
                  "  mood: z.enum(['calm', 'angry']).prefault('calm'),\n"
                  "  bag: z.record(z.string(), z.number()).refine(b => ok(b)),\n});\nregisterMvuSchema(S);")
        card = self.write("zod.json", {"spec": "chara_card_v3", "data": {
            "name": "Wren", "first_mes": "Hello.", "extensions": {"tavern_helper": {"scripts": [
                {"name": "vars", "content": script}]}},
            "character_book": {"entries": [{"keys": [], "comment": "[initvar]", "content": "hp: 80\nbag: {rope: 1}\n"}]}}})
        said = self.arbiter("campaign", "new", "x", "--card", card, "--id", "zod").stdout.decode()
        self.assertIn("profile mvu-lenient\napplied  schema vars: its schema was read: 5 limits hold", said)
        self.assertIn("not taken over  schema vars:4 bag .refine(…): only a program could work it out\n", said)
        self.write("reply.txt", "_.set('hp', 120);_.set('mood', 'sad');_.set('hp', '7');_.set('wings', 2);")
        said = self.arbiter("turn", "reply.txt").stdout.decode()
        self.assertIn("stat_data.hp is outside its limit: 0 – 100 (max 100); 120 was asked for.", said)
        self.assertIn('stat_data.mood is outside its limit: "calm" | "angry"; "sad" was asked for.', said)
        self.assertIn("applied set stat_data.hp: 80 → 7 ! number_coerced", said)
        self.assertIn("stat_data.wings is outside its limit: hp | mood | bag.", said)
        self.assertIn("0 findings", self.arbiter("rebuild").stdout.decode())

    # Templates are rendered on the state, or left out with line and reason; never sent as program text.
    def test_templates_of_a_card(self):
        def entry(number, title, content):
            return {"id": number, "keys": [], "comment": title, "content": content, "enabled": True, "constant": True}
        card = self.write("stages.json", {"spec": "chara_card_v3", "data": {
            "name": "络", "first_mes": "<%= getvar('stat_data.好感') > 50 ? '进来吧' : '谁？' %>，{{user}}。",
            "character_book": {"entries": [
                entry(0, "[initvar]", "好感: 60"),
                entry(1, "阶段", "<%_ if (getvar('stat_data.好感') > 50) { _%>\n信任\n<%_ } else { _%>\n戒备\n<%_ } _%>"),
                entry(2, "写入", "一\n<% setvar('stat_data.好感', 100) %>"),
                entry(3, "面板", "@@render_after\n<%= stat_data.好感 %>")]}}})
        begun = json.loads(self.arbiter("campaign", "new", "x", "--card", card, "--user", "阿青", "--json").stdout)
        self.assertEqual(begun["greeting"], "进来吧，阿青。")
        self.assertEqual([(row["fate"], row["name"]) for row in begun["report"]],
                         [("applied", "greeting 0"), ("applied", "阶段"), ("changed", "写入"), ("ignored", "面板")])
        sent = self.arbiter("prompt", "--said", "你好").stdout.decode()
        self.assertIn("信任", sent)
        for word in ("<%", "%>", "getvar", "setvar", "戒备"):
            self.assertNotIn(word, sent)
        told = self.arbiter("prompt", "--said", "你好", "--explain").stdout.decode()
        self.assertIn("lore:card/2 — line 2 of its template: setvar would change the state", told)
        told = self.arbiter("prompt", "--said", "你好", "--explain", "--lang", "zh").stdout.decode()
        self.assertIn("lore:card/2 — 模板第 2 行：setvar 会改变状态，而模板只能读取状态", told)
        self.assertIn("lore:card/3 — @@render_after 用于酒馆页面，不发给模型", told)

    PLACES = {"spec": "chara_card_v3", "data": {
        "name": "Wren", "first_mes": "{{char}} waves at {{user}}.", "description": "{{user}} knows her. {{personality}}",
        "personality": "calm",
        "alternate_greetings": ["<initvar>\ngold: 3\n</initvar>\nIt rains on {{user}}.\n_.set('gold', 9);//found",
                                "{{user}} wakes.", "Night."],
        "extensions": {"depth_prompt": {"prompt": "Keep {{char}} calm.", "depth": 1}},
        "character_book": {"entries": [
            {"keys": ["{{user}}"], "comment": "about", "enabled": True, "content": "{{user}} is brave."},
            {"keys": [], "comment": "[InitVar]", "enabled": False, "content": "gold: 100\nname: '{{user}}'\n"}]}}}

    # The name that is given once holds in greetings, keys, contents and prompts.
    def test_the_name_of_the_user(self):
        card = self.write("wren.json", self.PLACES)
        said = lambda *words: self.arbiter(*words).stdout.decode()
        self.assertIn("Wren waves at Rook.", said("campaign", "new", "x", "--card", card, "--user", "Rook"))
        prompt = said("prompt", "--said", "I am Rook.")
        self.assertIn("Rook is brave.", prompt)
        self.assertIn("Rook knows her. calm", prompt)
        self.assertIn("Keep Wren calm.", prompt)
        self.assertIn("name: Rook", prompt)
        # Another name from now on; the greeting stays as it was told.
        self.assertEqual(said("settings", "set", "user.name", "Ann"), 'user.name = "Ann"\n')
        prompt = said("prompt", "--said", "I am Ann.")
        self.assertIn("Ann is brave.", prompt)
        self.assertIn("waves at Rook.", prompt)
        self.assertIn("0 findings", said("rebuild"))
        said("campaign", "greeting", "3")
        for other in ("Rook", "User", "nobody"):
            self.assertNotIn("is brave", said("prompt", "--said", "I am " + other))
        # For all campaigns of a store; a campaign's own name wins.
        said("settings", "set", "user.name", "Kit", "--global")
        self.assertIn("Wren waves at Kit.", said("campaign", "new", "y", "--card", card, "--id", "y"))
        self.assertIn("Kit is brave.", said("prompt", "--said", "Kit!", "--campaign", "y"))
        self.assertIn("waves at Sol.", said("campaign", "new", "z", "--card", card, "--user", "Sol"))
        self.assertEqual(self.arbiter("settings", "set", "user.name", "{{char}}", "--campaign", "y").returncode, 2)

    # Each greeting has its own variables and commands.
    def test_greetings_are_switched_before_the_first_turn(self):
        card = self.write("wren.json", self.PLACES)
        self.write("more.yaml", "level: 1\n")
        said = lambda *words: self.arbiter(*words).stdout.decode()
        state = lambda: json.loads(said("show", "--state"))["stat_data"]
        said("campaign", "new", "x", "--card", card, "--user", "Rook", "--initvar", "more.yaml", "--id", "x")
        self.assertEqual(state(), {"gold": 100, "name": "Rook", "level": 1})
        self.assertEqual(said("campaign", "greeting").splitlines(),
                         ["* 0  {{char}} waves at {{user}}.",
                          "  1  It rains on {{user}}. _.set('gold', 9);//found", "  2  {{user}} wakes.",
                          "  3  Night."])
        # The name that was set in between is kept.
        said("settings", "set", "user.name", "Ann")
        self.assertIn("It rains on Ann.\n", said("campaign", "greeting", "1"))
        self.assertEqual(state(), {"gold": 9, "level": 1})
        self.assertIn("* 1", said("campaign", "greeting"))
        self.assertNotIn("waves", said("prompt"))
        self.assertIn("Ann wakes.", said("campaign", "greeting", "2", "--lang", "zh"))
        self.assertEqual(state(), {"gold": 100, "name": "Ann", "level": 1})
        unknown = self.arbiter("campaign", "greeting", "4")
        self.assertIn("no greeting 4", unknown.stderr.decode())
        self.write("reply.txt", "She nods.")
        said("turn", "reply.txt", "--said", "Hello")
        late = self.arbiter("campaign", "greeting", "0")
        self.assertEqual((late.returncode, late.stdout), (2, b""))
        self.assertIn("The story is at turn 2", late.stderr.decode())
        self.assertIn("0 findings", said("rebuild"))
        self.assertIn("0 findings", said("verify"))
        # Back at the greeting it can be switched again.
        said("rollback", "1")
        self.assertIn("Wren waves at Ann.", said("campaign", "greeting", "0"))
        self.assertIn("0 findings", said("rebuild"))
        said("campaign", "new", "y", "--id", "y")
        self.assertIn("did not begin with a card",
                      self.arbiter("campaign", "greeting", "--campaign", "y").stderr.decode())

    def test_a_campaign_begins_with_a_card(self):
        card = self.picture("mei.png", self.CARD)
        said = lambda *words: self.arbiter(*words).stdout.decode()
        shown = said("card", "show", card)
        self.assertIn("V2 PNG", shown)
        self.assertIn("mvu-card", shown)
        self.assertIn("regex hide", shown)
        self.assertNotIn("\x1b", shown)
        self.assertIn("开场白 1", said("card", "show", card, "--lang", "zh"))
        whole = json.loads(said("card", "show", card, "--json", "--user", "阿青"))
        self.assertEqual(whole["card"], self.CARD)
        self.assertEqual(whole["initial_state"], {"stat_data": {"主角": {"气血": [100, "受伤时更新"], "名": "阿青"}}})
        # Its greeting is the first turn, its variables are there before.
        begun = said("campaign", "new", "山中", "--card", card, "--id", "mei", "--user", "阿青")
        self.assertIn("梅抬头看阿青。", begun)
        self.assertIn("mei: turn 1", begun)
        first = said("show", "0", "--state")
        self.assertEqual(json.loads(first[first.index("{"):]), whole["initial_state"])
        self.write("reply.txt", "她受伤了。\n_.set('主角.气血', 100, 80);//刀伤\n_.insert('主角', '新', 1);")
        done = self.arbiter("turn", "reply.txt")
        self.assertIn('applied set stat_data.主角.气血: [100,"受伤时更新"] → [80,"受伤时更新"]', done.stdout.decode())
        # The card's own rules hold: nothing new comes into a closed object.
        self.assertEqual(done.returncode, 1)
        self.assertIn("schema_locked", done.stdout.decode())
        self.assertIn("0 findings", said("rebuild"))
        self.assertIn("0 findings", said("rebuild", "--from-text"))
        self.assertIn("0 findings", said("verify"))
        self.assertEqual(json.loads(said("card", "show", "--json"))["card"], self.CARD)
        # It goes where the campaign goes.
        self.assertEqual(self.arbiter("export", "all.json").returncode, 0)
        self.assertIn("own_field", pathlib.Path(self.folder, "all.json").read_text(encoding="utf-8"))
        self.assertEqual(said("import", "all.json", "--store", "sqlite:other.db"), "mei\n")
        self.assertEqual(json.loads(said("card", "show", "--json", "--store", "sqlite:other.db"))["card"], self.CARD)
        # Another greeting, with commands in it.
        begun = said("campaign", "new", "雨夜", "--card", card, "--id", "rain", "--greeting", "1")
        self.assertIn('applied set stat_data.主角.气血: [100,"受伤时更新"] → [90,"受伤时更新"]', begun)
        self.assertNotIn("_.set", begun.split("--")[0])
        self.assertIn("0 findings", said("rebuild", "--campaign", "rain"))
        # Variables beside it; a card without any.
        self.write("more.yaml", "主角:\n  气血: [5, x]\n")
        said("campaign", "new", "x", "--card", card, "--initvar", "more.yaml", "--id", "more")
        self.assertIn('"气血": [', said("campaign", "show", "--campaign", "more"))
        self.write("plain.json", {"name": "甲", "first_mes": "你好。"})
        self.assertIn("plain: turn 1", said("campaign", "new", "x", "--card", "plain.json", "--id", "plain"))
        self.write("silent.json", {"name": "甲"})
        self.assertIn("silent: turn 0", said("campaign", "new", "x", "--card", "silent.json", "--id", "silent"))

    def test_a_card_that_is_none_is_refused(self):
        broken = self.picture("broken.png", self.CARD, damaged=True)
        for language, words in (("en", "checksum"), ("zh", "校验和")):
            done = self.arbiter("card", "show", broken, "--lang", language)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr.decode())
        self.assertEqual(self.arbiter("campaign", "new", "x", "--card", broken).returncode, 2)
        card = self.picture("mei.png", self.CARD)
        self.assertIn("from 0 to 1", self.arbiter("campaign", "new", "x", "--card", card, "--greeting", "2",
                                                  "--lang", "en").stderr.decode())
        self.assertEqual(self.arbiter("card", "show", card, "--greeting", "x").returncode, 2)
        self.assertEqual(self.arbiter("card", "dance", card).returncode, 2)
        self.write("more.yaml", "a: [1\n")
        done = self.arbiter("card", "show", card, "--initvar", "more.yaml", "--lang", "en")
        self.assertEqual(done.returncode, 2)
        self.assertIn("more.yaml:", done.stderr.decode())
        # Nothing was begun.
        self.assertFalse(pathlib.Path(self.folder, "arbiter.db").exists())
        self.assertEqual(self.arbiter("card", "show").returncode, 2)
        self.arbiter("campaign", "new", "x", "--id", "x")
        self.assertIn("FILE", self.arbiter("card", "show").stderr.decode())

    def test_the_demo_is_played(self):
        words = "去灯塔\n下地窖\n/rollback 1\n/undo\n/why\n/state campaign.goal\n/settings turn.max_retries 9\n掷骰\n/history\n/quit\n"
        done = self.arbiter("play", "--lang", "zh", stdin=words)
        out = done.stdout.decode()
        self.assertEqual(done.returncode, 0)
        self.assertIn("@ 灯塔", out)
        self.assertIn("地板上有一把锁", out)          # asked again after the refused call
        self.assertNotIn("你掀开地板", out.split("/why")[0].split("trace")[0])
        self.assertNotIn("并让灯塔的灯熄灭", out)     # the goal is hidden
        self.assertIn("turn.max_retries", out)         # refused, with what it takes
        self.assertIn("roll", out)
        english = self.arbiter("play", stdin="go to the lighthouse\n/quit\n").stdout.decode()
        self.assertIn("@ Lighthouse", english)
        # Kept, and played again.
        self.arbiter("play", "--demo", "--store", "sqlite:demo.db", stdin="go to the warehouse\n/quit\n")
        self.assertIn("0 findings", self.arbiter("rebuild", "--store", "sqlite:demo.db", "--from-text").stdout.decode())
        told = self.arbiter("prompt", "--store", "sqlite:demo.db", "--explain").stdout.decode()
        self.assertIn("table.tools", told)

    def test_play_takes_the_only_campaign_and_needs_a_narrator(self):
        self.arbiter("campaign", "new", "mine", "--id", "mine", "--profile", "memory", "--init")
        out = self.arbiter("play", stdin="go to the lighthouse\n/quit\n").stdout.decode()
        self.assertIn("--script", out)
        self.assertNotIn("Zhou", out)
        self.assertIn("0 commands", self.arbiter("verify").stdout.decode())
        self.assertEqual(self.only_campaign(), "mine")     # no demo was put into the store
        self.arbiter("campaign", "new", "other", "--id", "other", "--profile", "memory", "--init")
        done = self.arbiter("play")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mine, other", done.stderr.decode())

    # proves: S1-60, S1-63: a withheld reply is explained, and the player decides about it.
    def test_a_withheld_reply_waits_for_the_player(self):
        table = ("id: t\nseed: 1\nworld: {id: w, name: W, background: b}\n"
                 "map: {id: m, areas: {inn: {name: 渡口客栈}}, paths: {}}\n"
                 "characters: {mara: {name: 玛拉, hp: {current: 14, max: 20}, area_id: inn}}\n"
                 "party: [mara]\nactive_actor: mara\nsettings: {conflict.max_retries: 0, conflict.fallback: report}\n")
        self.write("t.yaml", table)
        self.write("s.yaml", "answers:\n" + "  - 楼梯很滑。玛拉掉了6点血。灯灭了。\n" * 3)
        store = ["--store", "sqlite:r.db"]
        self.arbiter("campaign", "new", "T", "--table", "t.yaml", "--id", "t", *store)
        words = "下楼\n/keep\n下楼\n/accept\n/accept\n下楼\n/edit 玛拉扶着墙走下楼。\n/quit\n"
        out = self.arbiter("play", "--script", "s.yaml", "--lang", "zh", *store, stdin=words).stdout.decode()
        self.assertIn("叙述称「掉了6点血」，但没有结算过这样的生命变化：玛拉 现为 14/20。", out)
        self.assertIn("/accept 让叙述成真", out)
        self.assertIn("楼梯很滑。灯灭了。", out)                    # /keep
        self.assertIn("HP 8/20", out)                              # /accept
        self.assertIn("现在没有待处理的回复。", out)                # the second /accept
        self.assertIn("玛拉扶着墙走下楼。", out)                    # /edit
        self.assertIn('"accepted narration"', self.arbiter("audit", *store).stdout.decode() +
                      self.arbiter("history", "--json", *store).stdout.decode())

    def test_commands_in_the_words_of_the_player(self):       # S2-36, D-16
        self.arbiter("campaign", "new", "mine", "--id", "mine", "--profile", "memory", "--init")
        self.arbiter("turn", "--said", "memory('world_set.npc','Mei','the ferrywoman');", stdin="Dawn.")
        self.assertIn("user  applied memory assa_data.world_set.npc.Mei", self.arbiter("audit").stdout.decode())
        self.assertIn("1 commands, 0 findings", self.arbiter("rebuild").stdout.decode())
        self.assertIn("the ferrywoman", self.arbiter("prompt", "--said", "on").stdout.decode())
        # The prompt of a turn shows the world after the commands that the player gives with it.
        told = self.arbiter("prompt", "--said", "memory('world_set.npc','Lu','the clerk');").stdout.decode()
        self.assertIn("Lu: the clerk", told)

    def test_tools_say_what_they_did_or_why_not(self):
        self.write("r.txt", 'On. <tool_call>{"tool":"roll","args":{"dice":"2d6","purpose":"luck"},"id":"a"}</tool_call>'
                            '<tool_call>{"tool":"hp_delta","args":{"delta":-3},"id":"b"}</tool_call>'
                            '<tool_call>{"tool":"fly","args":{},"id":"c"}</tool_call>')
        self.arbiter("campaign", "new", "t", "--table", "demo")
        done = self.arbiter("turn", "r.txt")
        out = done.stdout.decode()
        self.assertEqual(done.returncode, 1)
        self.assertIn('applied roll = {"character_id"', out)
        self.assertIn("\t+ campaign.rolls", out)
        self.assertIn("rejected hp_delta X missing_arg\n\tThe argument", out)
        self.assertIn("rejected fly X tool_not_allowed\n\tfly is not on the list", out)

    def test_a_prompt_keeps_to_the_window(self):
        people = {f"人{i}": {"位置": "城东", "好感": i} for i in range(3000)}
        self.write("s.json", {"人物": people, "时间": "夜"})
        self.arbiter("campaign", "new", "t", "--state", "s.json")
        told = self.arbiter("prompt", "--tokens", "2500", "--said", "继续").stdout.decode()
        self.assertIn("时间: 夜", told)
        self.assertIn("# … 29", told)
        self.assertIn("人2999:\n    位置: 城东\n    好感: 2999", told)
        self.assertLess(len(told.encode()), 7500)
        self.assertIn("as much as it has room for", self.arbiter("prompt", "--explain").stdout.decode())
        self.assertGreater(len(self.arbiter("prompt", "--tokens", "0").stdout), 100_000)
        wrong = self.arbiter("prompt", "--tokens", "many")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("such as 20", wrong.stderr.decode())

    # proves: S0-17, S0-34
    def test_the_audit_is_searched_by_reason_and_tag(self):
        save = "character.saveData."
        self.write("s.json", {"character": {"saveData": {"气血": 9, "银两": 5}}})
        self.write("r.txt", json.dumps({"tavern_commands": [
            {"action": "set", "key": save + "气血", "value": 7, "options": {"reason": "跌了一跤", "tags": ["伤", "路上"]}},
            {"action": "set", "key": save + "银两", "value": 3, "options": {"reason": "买了酒", "tags": ["买卖"]}}]}))
        self.arbiter("campaign", "new", "t", "--profile", "tavern", "--state", "s.json")
        self.arbiter("turn", "r.txt")
        for asked, key in (("--tag=路上", "气血"), ("--tag=买卖", "银两"), ("--reason=一跤", "气血"), ("--reason=酒", "银两")):
            lines = self.arbiter("audit", *asked.split("=")).stdout.decode().splitlines()
            self.assertEqual(len(lines), 1, asked)
            self.assertIn(save + key, lines[0])
        self.assertEqual(self.arbiter("audit", "--tag", "无").stdout.decode(), "")

    def test_what_is_wrong_with_a_book_is_told(self):
        self.write("b.json", {"entries": {"0": {"key": ["灯塔"], "content": "灯塔很高。", "vectorized": True},
                                          "1": {"key": ["/(/"], "content": "x"}}})
        self.arbiter("campaign", "new", "t")
        done = self.arbiter("prompt", "--lore", "b.json", "--said", "去灯塔")
        self.assertEqual(done.returncode, 0)
        self.assertIn("灯塔很高。", done.stdout.decode())
        told = done.stderr.decode()
        self.assertIn("b.json: 0.vectorized: warning: ", told)
        self.assertIn('b.json: 1.keys: warning: "/(/" is not a valid pattern', told)
        # A card's own book: when the campaign begins, and where the prompt is explained.
        entries = [{"keys": ["灯塔"], "comment": "塔", "content": "灯塔很高。", "enabled": True,
                    "extensions": {"vectorized": True}},
                   {"keys": ["/a(?!b)/"], "content": "x", "enabled": True}]
        card = self.write("c.json", {"spec": "chara_card_v2", "data": {
            "name": "灯", "first_mes": "来。", "character_book": {"entries": entries}}})
        for told in (self.arbiter("campaign", "new", "u", "--id", "u", "--card", card).stdout.decode(),
                     self.arbiter("prompt", "--campaign", "u", "--explain").stdout.decode()):
            self.assertIn("塔: vectorized: vectorized has no effect here", told)
            self.assertIn("1: keys: (?! is not supported", told)

    # Timers follow from the branch: a turn that is taken back starts none, and a book that joins
    # later has its own.
    def test_lore_that_stays_and_rests(self):
        entries = {"0": {"key": ["fog"], "content": "A FOG FALLS", "scanDepth": 1, "sticky": 5},
                   "1": {"key": ["bell"], "content": "A BELL RINGS", "scanDepth": 1, "cooldown": 5}}
        book = self.write("b.json", {"entries": entries})
        self.arbiter("campaign", "new", "t")

        def prompt(said):
            told = self.arbiter("prompt", "--lore", book, "--said", said).stdout.decode()
            return [word for word in ("FOG FALLS", "BELL RINGS") if word in told]

        def turn(said):
            self.assertEqual(self.arbiter("turn", "--said", said, stdin="Yes.").returncode, 0)

        self.assertEqual(prompt("fog bell"), ["FOG FALLS", "BELL RINGS"])
        turn("fog bell")
        self.assertEqual(prompt("bell"), ["FOG FALLS"])
        self.assertEqual(prompt("bell"), ["FOG FALLS"])
        turn("nothing")
        self.assertIn("lore_sticky", self.arbiter("prompt", "--lore", book, "--said", "x", "--explain",
                                                  "--json").stdout.decode())
        turn("nothing")
        self.assertEqual(prompt("bell"), ["BELL RINGS"])
        self.arbiter("rollback", "head~3")
        turn("nothing")
        self.assertEqual(prompt("bell"), ["BELL RINGS"])
        self.assertEqual(prompt("nothing"), [])

    # MVU finds keys inside words and gives lore the whole window.
    def test_lore_of_a_card_for_mvu(self):
        entries = [{"id": i, "keys": ["dragon"], "content": f"LORE {i} " + "word " * 300, "enabled": True}
                   for i in range(3)]
        first = {"id": 9, "keys": [], "comment": "[initvar]", "content": "hp: 3", "enabled": False}
        helper = {"tavern_helper": {"scripts": [
            {"name": "mvu", "content": "import 'https://x.example/MagVarUpdate/bundle.js'"}]}}
        cards = {"plain": (entries, {}), "first": ([*entries, first], {}), "helper": (entries, helper)}
        for name, (book, extensions) in cards.items():
            card = self.write(name + ".json", {"spec": "chara_card_v2", "data": {
                "name": "Wren", "first_mes": "Hi.", "extensions": extensions,
                "character_book": {"entries": book}}})
            self.arbiter("campaign", "new", name, "--id", name, "--card", card, "--profile", "auto")
            told = self.arbiter("prompt", "--campaign", name, "--tokens", "3000", "--said", "dragons")
            self.assertEqual(told.stdout.decode().count("LORE "), 0 if name == "plain" else 3, name)

    def test_protocols_hold_in_campaigns(self):
        self.write("r.txt", "她点点头。\n<variable_update>\n[[SET, 灯.好感度, 10]]\n</variable_update>")
        self.write("s.txt", "谢谢。\n<variable_update>\n[[ADD, 灯.好感度, 9]]\n</variable_update>")
        self.arbiter("campaign", "new", "甲", "--profile", "filament", "--protocol", "love_system_simple")
        self.arbiter("turn", "r.txt")
        self.assertIn("5 → 10", self.arbiter("turn", "s.txt").stdout.decode())    # created from 0 within the limit
        self.assertIn("0 findings", self.arbiter("rebuild").stdout.decode())
        self.assertIn("love_system_simple", self.arbiter("prompt", "--explain").stdout.decode())
        self.assertEqual(self.arbiter("prompt").stdout, self.arbiter("prompt").stdout)

    # proves: S4-1, S4-25, S4-28
    def test_a_campaign_keeps_its_protocols(self):
        os.mkdir(os.path.join(self.folder, "prot"))
        limit = "meta: {id: qy_love, version: 1.0}\ninstruction: 好感慢慢涨\nconstraints:\n  - {place: $who.好感, change: %s}\n"
        self.write("prot/love.yaml", limit % "[1, 5]")
        self.write("prot/lamp.yaml", "meta: {id: lamp}\ninstruction: 灯亮着\nactivation: {keywords: [点灯]}\n")
        self.write("state.json", {"理": {"好感": 10}})
        self.write("r.txt", '{"op":"assign","path":["理","好感"],"value":90}')
        made = self.arbiter("campaign", "new", "恋", "--profile", "json", "--state", "state.json",
                            "--protocols", "prot", "--protocol", "qy_love")
        self.assertEqual(made.returncode, 0, made.stderr.decode())
        self.assertIn("10 → 15", self.arbiter("turn", "r.txt").stdout.decode())
        for name in ("love.yaml", "lamp.yaml"):
            os.remove(os.path.join(self.folder, "prot", name))
        self.assertIn("15 → 20", self.arbiter("turn", "r.txt").stdout.decode())
        self.assertIn("qy_love", self.arbiter("prompt", "--explain").stdout.decode())
        # A protocol of the folder that was not active then is there as well.
        self.assertIn("灯亮着", self.arbiter("prompt", "--said", "点灯").stdout.decode())
        explained = self.arbiter("prompt", "--said", "点灯", "--explain").stdout.decode()
        self.assertIn("! The protocol lamp is active now", explained)
        # So it is for a copy in another store.
        archive = self.arbiter("export").stdout.decode()
        self.assertEqual(self.arbiter("import", "-", "--store", "sqlite:b.db", stdin=archive).returncode, 0)
        self.assertIn("20 → 25", self.arbiter("turn", "r.txt", "--store", "sqlite:b.db").stdout.decode())
        # A folder that is given changes the text, from this turn on.
        self.write("prot/love.yaml", limit % "[1, 2]")
        self.assertIn("20 → 22", self.arbiter("turn", "r.txt", "--protocols", "prot").stdout.decode())
        self.assertIn("22 → 24", self.arbiter("turn", "r.txt").stdout.decode())
        self.assertIn("0 findings", self.arbiter("rebuild").stdout.decode())

    def test_what_gives_way_is_told(self):
        card = {"spec": "chara_card_v2", "data": {"name": "灯", "description": "x", "first_mes": "你好。",
                "configuration": {"protocols": ["live_stream_mode", {"id": "text_adventure", "version": "1.0.0"},
                                                {"id": "choice", "version": "9.0.0"}]}}}
        self.write("card.json", card)
        made = self.arbiter("campaign", "new", "灯", "--card", "card.json")
        self.assertEqual(made.returncode, 0)
        self.assertIn("text_adventure@1.0.0 stays, live_stream_mode@1.0.0 gives way", made.stderr.decode())
        self.assertIn("There is no protocol choice@9.0.0", made.stderr.decode())
        self.assertIn("live_stream_mode@1.0.0 gives way", self.arbiter("prompt", "--explain").stdout.decode())
        wrong = self.arbiter("campaign", "new", "乙", "--protocol", "text_advnture", "--id", "b")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("There is no protocol text_advnture. Available: text_adventure.", wrong.stderr.decode())

    def test_a_hidden_goal_is_shown_to_the_operator_only(self):
        goal = "Light the old lighthouse before the fleet arrives"
        self.write("table.json", {
            "id": "c", "goal": {"ultimate_goal_text": goal, "is_hidden": True},
            "characters": {"ali": {"name": "Ali", "hp": {"current": 5, "max": 5}, "area_id": "gate"}},
            "map": {"id": "m", "areas": {"gate": {"name": "Gate"}}}, "party": ["ali"], "active_actor": "ali"})
        self.assertEqual(self.arbiter("campaign", "new", "x", "--table", "table.json").returncode, 0)
        reply = (f'He says: "{goal}".\n<tool_call>{{"tool":"hp_delta","args":{{"target_character_id":"ali",'
                 f'"delta":-1,"cause":"{goal}"}},"id":"a"}}</tool_call>\n'
                 f'<instruction>{{"op":"assign","path":["note"],"value":"{goal}"}}</instruction>')
        shown = self.arbiter("turn", "--said", goal, stdin=reply).stdout.decode()
        self.assertIn("He says", shown)
        self.assertNotIn("lighthouse", shown)
        for words in (["history"], ["show"], ["show", "--state"], ["audit"], ["audit", "--json"],
                      ["blame", "note"], ["campaign", "show"], ["export", "--player"]):
            hidden = self.arbiter(*words).stdout.decode()
            self.assertTrue(hidden, words)
            self.assertNotIn("lighthouse", hidden, words)
        for words in (["show"], ["show", "--state"], ["audit"], ["blame", "note"], ["campaign", "show"]):
            self.assertIn("lighthouse", self.arbiter(*words, "--reveal").stdout.decode(), words)
        play = self.arbiter("play", "--campaign", self.only_campaign(),
                            stdin="/why\n/state\n/diff\n/history\n/why note\n/prompt\n/quit\n").stdout.decode()
        self.assertIn("He says", play)
        self.assertNotIn("lighthouse", play)

    def test_hidden_nodes_stay_hidden_in_every_view(self):
        """proves: X-12, A2-15"""
        node = {"_filter": True, "_showInEJS": False, "k": "SECRET1"}
        self.write("h.json", {"assa_data": {"world_set": {"npc": {"w": node}}}})
        self.assertEqual(self.arbiter("campaign", "new", "h", "--id", "h", "--profile", "json",
                                      "--state", "h.json").returncode, 0)
        at = ["assa_data", "world_set", "npc", "w", "k"]
        views = (["show"], ["show", "--json"], ["audit"], ["audit", "--json"], ["blame", ".".join(at)],
                 ["blame", "assa_data"], ["campaign", "show"], ["export", "--player"], ["diff", "0", "head"])
        # Read through a parent, written by the model, gone with a parent by the player's hand.
        for reply, more in ((json.dumps({"op": "get", "path": at[:2]}), []),
                            (json.dumps({"op": "assign", "path": at, "value": "SECRET2"}), []),
                            ("delete('world_set','npc');", ["--player", "--profile", "memory"])):
            shown = self.arbiter("turn", *more, stdin=reply)
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("applied", shown.stdout.decode())
            self.assertNotIn("SECRET", shown.stdout.decode())
            for words in views:
                self.assertNotIn("SECRET", self.arbiter(*words).stdout.decode(), (reply, words))
        self.assertNotIn("SECRET", self.arbiter("show", "2").stdout.decode())
        self.assertIn("SECRET2", self.arbiter("show", "2", "--reveal").stdout.decode())
        play = self.arbiter("play", "--campaign", "h", stdin=f"/why\n/why {'.'.join(at)}\n/diff\n/quit\n")
        self.assertNotIn("SECRET", play.stdout.decode())

    def only_campaign(self):
        return self.arbiter("campaign", "list").stdout.decode().split()[0]

    def test_our_own_transcripts(self):
        self.assertEqual(self.arbiter("test", str(ROOT / "tests/turns")).returncode, 0)

    def test_tour(self):
        self.assertIn("undone", self.arbiter("tour").stdout.decode())


class ChineseTest(CliTest):
    """The same commands in Chinese: no sentence mixes the languages. proves: X-17

    What the commands do is checked above; here only their language is. English words stand in a
    Chinese sentence as identifiers, one by one; three in a row, or a whole English sentence, are a
    text that was not translated.
    """

    MIXED = re.compile(r"(?:\b[a-z]+ ){2}[a-z]+\b")
    ENGLISH = re.compile(r"^(?:\S+: )?[A-Z][a-z]+(?: [a-z]+){3,}[^\"{}]*\.$")
    SENTENCE = re.compile("[。，；]|错误:|警告:")
    # Replies and examples, which are quoted as they came.
    QUOTED = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”|\{[^}]*\}')

    def arbiter(self, *words, **more):
        if "--lang" not in words:
            words = (words[0], "--lang", "zh", *words[1:]) if words else ("--lang", "zh")
        done = super().arbiter(*words, **more)
        if "en" in words or more.get("env") or "--json" in words or "--source" in words or "--lines" in words or words[0] in self.RAW:
            return done
        given = more.get("stdin", "") + " ".join(map(str, words))
        for line in (done.stdout + done.stderr).decode(errors="replace").splitlines():
            text = self.QUOTED.sub("", line)
            mixed = self.SENTENCE.search(text) and self.MIXED.search(text)
            if (mixed or self.ENGLISH.match(text)) and line.strip() not in given:
                self.untranslated.append(line)
        return done

    # Commands that print what they were given.
    RAW = {"show", "prompt", "export", "completion", "test", "json", "get", "diff"}

    def setUp(self):
        super().setUp()
        self.untranslated = []

    def tearDown(self):
        if self.untranslated:
            unittest.TestCase.fail(self, "\n".join(self.untranslated))

    def ignore(self, *_, **__):
        pass

    assertEqual = assertNotEqual = assertIn = assertNotIn = assertTrue = assertFalse = ignore
    assertRegex = assertNotRegex = assertGreater = assertLess = ignore


if __name__ == "__main__":
    unittest.main(verbosity=0)
