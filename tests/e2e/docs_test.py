"""Goal: the documentation is true. Command blocks print what the pages show, links lead somewhere, and
pages for players and authors exist in both languages, with the same commands.
Method: runs every `console` block of every page and of the README of a new project, from the files
themselves, in a folder of their own. In an expected output "…" stands for anything; lines with "> " are
typed into `play`. A `yaml` block that begins with "# NAME.yaml" is a file. In lists of commands outside of
"Do this", a command without output may print anything. Replaced are: `./dev` (`run` starts the tested binary,
other commands must be known to the real script, whose help is tested here too), the ports of `serve`, the
model server and the database. A block that cannot run here says why (NEEDS, docs/testing.md). The `sh`
blocks of docs/http.md are run by api_test.py, docs/embedding.md by package_test.py.
Usage: docs_test.py PATH_OF_ARBITER
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

from chat_pages import BODY, CARD, CHAT, HEADER
from pages import FENCE, as_pattern, command_of, fenced, steps
from postgres import Postgres
from serving import Served

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARBITER = str(pathlib.Path(sys.argv.pop(1)).resolve())

# Pages for players and authors: in docs/ and in docs/zh/.
PAGES = ["calendars", "campaign", "cards", "command", "conflicts", "dialects", "glossary", "models", "mvu",
         "page", "profiles", "prompt", "protocols", "rules", "scripted-model", "server", "sillytavern",
         "table", "templates", "tools", "transcripts"]
# Pages that open with commands from an empty folder to a result.
STARTS = ["campaign", "cards", "profiles", "protocols", "rules", "scripted-model", "table", "templates", "tools",
          "transcripts"]
# Pages whose blocks other tests run.
ELSEWHERE = {"embedding": "console", "http": "sh"}
# Reasons why a block cannot run here, written behind its language: ```console needs=systemd
NEEDS = ["citus", "systemd"]
# Files and campaigns that a reader of the page has.
PREPARED = {
    "sillytavern": ({"mira.png": json.dumps(CARD), "body.json": json.dumps(BODY),
                     "Mira.jsonl": "".join(json.dumps(line) + "\n" for line in [HEADER, *CHAT])},
                    ["arbiter campaign new Mira --id mira --card mira.png"]),
}
MODEL_SERVERS = ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8000/v1"]
DATABASE = "postgres://arbiter@db.example/arbiter"
DO_THIS = {"en": "Do this", "zh": "先动手"}
LOCALE = {"en": "C.UTF-8", "zh": "zh_CN.UTF-8"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def section(text, heading):
    """The text below a heading of the second level, up to the next one."""
    found = re.search(rf"^## {re.escape(heading)}$\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return found.group(1) if found else None


def anchors(text):
    """Heading anchors as GitHub makes them."""
    plain = FENCE.sub("", text)
    made = set()
    for heading in re.findall(r"^#+ (.+)$", plain, re.M):
        heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        made.add(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-"))
    return made


class Neighbours:
    """The model server and the database of the pages, started when a page first names them."""

    def __init__(self):
        self.model = None
        self.database = None

    def replaced(self, command):
        if any(each in command for each in MODEL_SERVERS):
            if self.model is None:
                self.model = subprocess.Popen([sys.executable, ROOT / "tests/e2e/mock_upstream.py"],
                                              stdout=subprocess.PIPE, text=True)
                self.model_url = self.model.stdout.readline().split()[-1] + "/v1"
            for each in MODEL_SERVERS:
                command = command.replace(each, self.model_url)
            # The server of the tests has one model.
            command = re.sub(r"--model \S+", "--model mock", command)
        if DATABASE in command:
            if self.database is None:
                self.database = Postgres()
            command = command.replace(DATABASE, f"postgres://arbiter@127.0.0.1:{self.database.port}/postgres")
        return command

    def stop(self):
        if self.model is not None:
            self.model.terminate()
            self.model.wait()
            self.model.stdout.close()
        if self.database is not None:
            self.database.remove()


class DocsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.neighbours = Neighbours()
        self.addCleanup(self.neighbours.stop)

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def clone(self, name):
        """A folder that looks like the repository after a build, with a ./dev that builds nothing."""
        place = self.folder / name
        (place / "build/release").mkdir(parents=True)
        (place / "build/release/arbiter").symlink_to(ARBITER)
        shutil.copytree(ROOT / "examples", place / "examples")
        self.script(place / "dev", f"""#!/bin/sh
if [ "$1" = run ] && [ $# -gt 1 ]; then shift; exec {ARBITER} "$@"; fi
exec {ROOT}/dev "$1" --help
""")
        return place

    def run_block(self, body, place, language, is_list=False):
        """Runs the commands of a block in one shell each; variables that are exported stay."""
        env = {"HOME": str(place), "LANG": LOCALE[language]}
        for text, shown in steps(body):
            command = self.neighbours.replaced(command_of(text))
            typed = [line[2:] for line in shown if line.startswith("> ")] if " play" in command else []
            told = f"$ {text}"
            if command == "./dev run":
                self.served(place, shown, told)
                continue
            if command.startswith("arbiter serve"):
                self.serving(command, place, env, shown, told)
                continue
            kept = self.folder / "path"
            done = subprocess.run(["bash", "-c", f'{command}\ncode=$?\necho "$PATH" >"{kept}"\nexit $code'],
                                  cwd=place, env={**env, "PATH": self.path}, text=True, capture_output=True,
                                  input="".join(line + "\n" for line in typed), timeout=120)
            self.path = kept.read_text().strip()
            output = done.stdout + done.stderr
            if command.startswith("./dev ") and not typed:
                self.assertEqual(done.returncode, 0, f"{told}\n{output}")
            if typed:
                # A prompt in a pipe is followed by the answer: what was typed is not echoed.
                joined = re.sub(r"^> .*\n", "> ", "\n".join(shown) + "\n", flags=re.M)
                shown = joined.splitlines()
            self.assertLess(done.returncode, 2, f"{told}\n{output}")
            if shown or not (is_list or command.startswith("./dev ")):
                self.assertRegex(output.rstrip("\n") + "\n" if output else "",
                                 re.compile(rf"\A{as_pattern(shown)}\Z"), f"{told} prints something else")

    def served(self, place, shown, told):
        """`./dev run` without arguments: the server with the demo, on a free port."""
        with Served(ARBITER, place, "--demo") as served:
            self.assertEqual(shown, ["listening on http://127.0.0.1:7777"], told)
            self.assertEqual(served.send("GET", "/")[0], 200)
            campaigns = served.send("GET", "/api/v1/campaigns")
            self.assertEqual(campaigns[0], 200)
            self.assertIn("demo", str(campaigns[2]))

    def serving(self, command, place, env, shown, told):
        """`arbiter serve …` up to its first line, on a free port; then it is stopped as a service is."""
        child = subprocess.Popen([*shlex.split(command), "--listen", "127.0.0.1:0"], cwd=place, text=True,
                                 env={**env, "PATH": self.path}, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        line = child.stdout.readline()
        child.send_signal(signal.SIGTERM)
        _, log = child.communicate(timeout=60)
        self.assertEqual(child.returncode, 0, f"{told}\n{line}{log}")
        self.assertEqual([re.sub(r"//[\w.]+:\d+$", "", each) for each in shown],
                         [re.sub(r"//[\w.]+:\d+$", "", line.rstrip("\n"))], told)

    def test_every_block_of_both_readmes_runs(self):
        for language, name in (("en", "README.md"), ("zh", "README.zh.md")):
            place = self.clone(language)
            self.path = os.environ["PATH"]
            blocks = [body for info, body in fenced(read(name)) if info == "console"]
            self.assertGreater(len(blocks), 4)
            for body in blocks:
                with self.subTest(page=name, block=body.splitlines()[0]):
                    self.run_block(body, place, language)

    def test_every_block_of_every_page_runs(self):
        for page in sorted((ROOT / "docs").rglob("*.md")):
            language = "zh" if page.parent.name == "zh" else "en"
            name = page.stem
            if ELSEWHERE.get(name) == "console":
                continue
            with self.subTest(page=str(page.relative_to(ROOT))):
                text = page.read_text(encoding="utf-8")
                begun = section(text, DO_THIS[language])
                if name in STARTS:
                    self.assertIsNotNone(begun, f"there is no section {DO_THIS[language]}")
                    # It comes first.
                    self.assertEqual(re.search(r"^## (.+)$", FENCE.sub("", text), re.M).group(1), DO_THIS[language])
                    self.assertTrue([body for info, body in fenced(begun) if info == "console"])
                self.run_page(name, language, text, begun or "")

    def run_page(self, name, language, text, begun):
        """Runs the console blocks of a page in order, in a folder of their own."""
        blocks = fenced(text)
        if not any(info == "console" for info, _ in blocks):
            return
        place = self.clone(f"{language}-{name}")
        self.path = os.path.dirname(ARBITER) + ":" + os.environ["PATH"]
        files, commands = PREPARED.get(name, ({}, []))
        for file, content in files.items():
            (place / file).write_text(content, encoding="utf-8")
        self.run_block("".join(f"$ {command}\n" for command in commands), place, language, is_list=True)
        for info, body in blocks:
            file = re.match(r"# (\w+\.yaml)\n", body)
            if info == "yaml" and file:
                (place / file.group(1)).write_text(body, encoding="utf-8")
            elif info == "console":
                self.run_block(body, place, language, is_list=body not in begun)

    def test_every_block_with_commands_is_run_or_says_why_not(self):
        for page in [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            for info, body in fenced(page.read_text(encoding="utf-8")):
                with self.subTest(page=str(page.relative_to(ROOT)), block=body.splitlines()[0]):
                    words = info.split()
                    needed = [word.removeprefix("needs=") for word in words[1:] if word.startswith("needs=")]
                    self.assertTrue(set(needed) <= set(NEEDS), info)
                    if needed or words[:1] == ["console"] or (words and words[0] == ELSEWHERE.get(page.stem)):
                        continue
                    self.assertNotIn(words[:1], [["sh"], ["bash"], ["sql"]], "nothing runs this block")
                    self.assertNotRegex(body, r"(?m)^([$#] )?(arbiter|\./dev|curl) ", "nothing runs this block")
        page = read("docs/testing.md")
        for reason in NEEDS:
            self.assertIn(f"`needs={reason}`", page)

    def test_a_new_project_does_what_its_readme_says(self):
        for language in ("en", "zh"):
            with self.subTest(language=language):
                made = subprocess.run([ARBITER, "new", "card-project", "inn-" + language, "--lang", language],
                                      cwd=self.folder, capture_output=True, text=True)
                self.assertEqual((made.returncode, made.stderr), (0, ""))
                place = self.folder / f"inn-{language}"
                text = (place / "README.md").read_text(encoding="utf-8")
                blocks = [body for info, body in fenced(text) if info == "console"]
                self.assertGreater(len(blocks), 4)
                # Every file is named there, and every file that is named is there.
                files = {str(file.relative_to(place)) for file in place.rglob("*") if file.is_file()}
                self.assertEqual(set(re.findall(r"^\| `([^`]+)` \|", text, re.M)), files - {"README.md"})
                self.path = os.path.dirname(ARBITER) + ":" + os.environ["PATH"]
                for body in blocks:
                    self.run_block(body, place, language)
                # Nothing is overwritten.
                again = subprocess.run([ARBITER, "new", "card-project", str(place), "--lang", "en"],
                                       capture_output=True, text=True)
                self.assertEqual(again.returncode, 2)
                self.assertIn("not empty", again.stderr)
                self.assertEqual((place / "README.md").read_text(encoding="utf-8"), text)

    def test_pages_are_there_in_both_languages(self):
        for name in PAGES:
            with self.subTest(page=name):
                self.assertTrue((ROOT / f"docs/{name}.md").exists())
                self.assertTrue((ROOT / f"docs/zh/{name}.md").exists())

    def test_both_languages_show_the_same_commands(self):
        pairs = [("README.md", "README.zh.md")]
        pairs += [(f"docs/{name}.md", f"docs/zh/{name}.md") for name in PAGES if (ROOT / f"docs/zh/{name}.md").exists()]
        for english, chinese in pairs:
            with self.subTest(page=chinese):
                shown = []
                for page in (english, chinese):
                    commands = []
                    for info, body in fenced(read(page)):
                        if info == "console":
                            commands += [command_of(text) for text, _ in steps(body)]
                        elif info.startswith("sh"):
                            commands += [command_of(line) for line in body.splitlines()]
                    shown.append(commands)
                self.assertEqual(*shown)

    def test_links_lead_somewhere(self):
        pages = [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").rglob("*.md"))]
        for page in pages:
            text = FENCE.sub("", page.read_text(encoding="utf-8"))
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
                if re.match(r"[a-z]+:", target):
                    continue
                with self.subTest(page=page.name, link=target):
                    file, _, anchor = target.partition("#")
                    there = (page.parent / file).resolve() if file else page
                    self.assertTrue(there.exists(), "no such file")
                    if anchor and there.suffix == ".md":
                        self.assertIn(anchor, anchors(there.read_text(encoding="utf-8")), "no such heading")

    def test_fences_are_closed(self):
        for page in [ROOT / "README.md", ROOT / "README.zh.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            with self.subTest(page=str(page.relative_to(ROOT))):
                rest = FENCE.sub("", page.read_text(encoding="utf-8"))
                self.assertEqual(re.findall(r"^```.*", rest, re.M), [])

    def test_english_sentences_name_their_subject(self):
        opener = re.compile(r"(?:^|[.!] |- )((?:What|Whoever|Somebody|Nobody|Those that|That which)\b[^?\n]*)$", re.M)
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            if page.name in ("STYLE.md", "performance.md"):
                continue
            text = re.sub(r"^#.*$", "", FENCE.sub("", page.read_text(encoding="utf-8")), flags=re.M)
            with self.subTest(page=page.name):
                self.assertEqual(opener.findall(text), [])

    def test_pages_are_found_from_the_readmes(self):
        english, chinese = read("README.md"), read("README.zh.md")
        for page in (ROOT / "docs").glob("*.md"):
            self.assertIn(f"(docs/{page.name}", english, page.name)
        for page in (ROOT / "docs/zh").glob("*.md"):
            self.assertIn(f"(docs/zh/{page.name}", chinese, page.name)

    def test_help_of_dev_starts_no_work(self):
        script = read("dev")
        commands = re.findall(r"^    (\w+)\)(?: |$)", script[script.rindex('case "$command" in'):], re.M)
        self.assertGreater(len(commands), 10)
        listed = subprocess.run([ROOT / "dev"], capture_output=True, text=True, check=True).stdout
        traps, log = self.folder / "traps", self.folder / "started"
        for program in ("apt-get", "cargo", "ccache", "clang-format-19", "clang-tidy-19", "cmake", "ctest", "dpkg-query",
                        "git", "mkdir", "ninja", "node", "npm", "python3", "rm", "sudo"):
            self.script(traps / program, f"#!/bin/sh\necho {program} >>{log}\nexit 1\n")
        env = {"PATH": f"{traps}:{os.environ['PATH']}", "HOME": str(self.folder)}
        for command in commands:
            with self.subTest(command=command):
                if command != "ci":
                    self.assertRegex(listed, rf"(?m)^  {command}\b")
                for words in ([command, "--help"], [command, "-h"], ["help", command]):
                    done = subprocess.run([ROOT / "dev", *words], capture_output=True, text=True, env=env)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertTrue(done.stdout.startswith(f"./dev {command}"), done.stdout)
                self.assertFalse(log.exists(), "work was started")
        self.assertEqual(subprocess.run([ROOT / "dev", "nosuch", "--help"], capture_output=True, env=env).returncode, 1)

    def test_requirements_are_explained(self):
        done = subprocess.run([sys.executable, ROOT / "tools/coverage.py"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for line in read("tests/requirements.txt").splitlines():
            if line and not line.startswith("#"):
                name, sentence = line.split(" ", 1)
                self.assertGreater(len(sentence.split()), 2, line)
                self.assertIn(f"{name:7} {sentence}\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
