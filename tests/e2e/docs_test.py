"""Goal: the documentation is true. Command blocks print what the pages show, links lead somewhere, and
pages for players and authors exist in both languages, with the same commands.
Method: runs the `console` blocks of both READMEs, of author pages and of the README of a new project, from
the files themselves, in a folder of their own. In an expected output "…" stands for anything; lines with
"> " are typed into `play`. A `yaml` block that begins with "# NAME.yaml" is a file. In lists of commands
outside of "Do this", a command without output may print anything. `./dev` is replaced: `run` starts the
tested binary, other commands must be known to the real script, whose help is tested here too.
Usage: docs_test.py PATH_OF_ARBITER
"""

import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

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
# Other pages whose console blocks are run.
LISTS = ["calendars", "ledger"]
DO_THIS = {"en": "Do this", "zh": "先动手"}
LOCALE = {"en": "C.UTF-8", "zh": "zh_CN.UTF-8"}
FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", re.M | re.S)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def fenced(text):
    """(language, body) of each fenced block."""
    return [(info, body) for _, info, body in FENCE.findall(text)]


def steps(body):
    """(command, expected output) of a console block. A here-document belongs to its command."""
    found = []
    lines = body.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"output before the first command: {lines[at]}")
        command = [lines[at][2:]]
        at += 1
        here = re.search(r"<<'(\w+)'", command[0])
        if here:
            end = lines.index(here.group(1), at)
            command += lines[at:end + 1]
            at = end + 1
        shown = []
        while at < len(lines) and not lines[at].startswith("$ "):
            shown.append(lines[at])
            at += 1
        while shown and not shown[-1]:
            shown.pop()
        found.append(("\n".join(command), shown))
    return found


def command_of(text):
    """A command without the comment behind its first line."""
    return re.sub(r"\A([^\n]*?)\s+# [^\n]*", r"\1", text)


def as_pattern(lines):
    parts = []
    for line in lines:
        if line == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(line).replace("…", ".*") + r"\n")
    return "".join(parts)


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


class DocsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def clone(self, language):
        """A folder that looks like the repository after a build, with a ./dev that builds nothing."""
        place = self.folder / language
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
        env = {"HOME": str(self.folder), "LANG": LOCALE[language]}
        for text, shown in steps(body):
            command = command_of(text)
            typed = [line[2:] for line in shown if line.startswith("> ")] if " play" in command else []
            told = f"$ {text}"
            if command == "./dev run":
                self.served(place, shown, told)
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

    def test_every_block_of_both_readmes_runs(self):
        for language, name in (("en", "README.md"), ("zh", "README.zh.md")):
            place = self.clone(language)
            self.path = os.environ["PATH"]
            blocks = [body for info, body in fenced(read(name)) if info == "console"]
            self.assertGreater(len(blocks), 4)
            for body in blocks:
                with self.subTest(page=name, block=body.splitlines()[0]):
                    self.run_block(body, place, language)

    def test_authors_get_from_an_empty_folder_to_a_result(self):
        for name in STARTS:
            for language, page in (("en", f"docs/{name}.md"), ("zh", f"docs/zh/{name}.md")):
                if not (ROOT / page).exists():
                    continue
                with self.subTest(page=page):
                    text = read(page)
                    begun = section(text, DO_THIS[language])
                    self.assertIsNotNone(begun, f"{page} has no section {DO_THIS[language]}")
                    # It comes first.
                    self.assertEqual(re.search(r"^## (.+)$", FENCE.sub("", text), re.M).group(1), DO_THIS[language])
                    self.assertTrue([body for info, body in fenced(begun) if info == "console"])
                    self.run_page(name, language, text, begun)

    def run_page(self, name, language, text, begun=""):
        """Runs the console blocks of a page in order, in a folder of their own."""
        place = self.folder / f"{language}-{name}"
        place.mkdir()
        self.path = os.path.dirname(ARBITER) + ":" + os.environ["PATH"]
        for info, body in fenced(text):
            file = re.match(r"# (\w+\.yaml)\n", body)
            if info == "yaml" and file:
                (place / file.group(1)).write_text(body, encoding="utf-8")
            elif info == "console":
                self.run_block(body, place, language, is_list=body not in begun)

    def test_commands_of_other_pages_run(self):
        for name in LISTS:
            for language, page in (("en", f"docs/{name}.md"), ("zh", f"docs/zh/{name}.md")):
                if (ROOT / page).exists():
                    with self.subTest(page=page):
                        self.run_page(name, language, read(page))

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
