"""Goal: each tidy rule finds its violation, and a clean tree passes.
Method: a small tree with one violation at a time, in a git repository of its own.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TIDY = pathlib.Path(__file__).resolve().parents[2] / "tools/tidy.py"
MODULES = "core base :\ncore text : base\nshell cli : text\n"
HEADER = "// A header.\n#pragma once\n"
# A clean tree: every module has a folder, every edge an include.
CLEAN = {
    "src/modules.txt": MODULES,
    "src/base/b.h": HEADER,
    "src/text/t.h": HEADER + '#include "base/b.h"\n',
    "src/cli/c.h": HEADER + '#include <unistd.h>\n#include "base/b.h"\n#include "text/t.h"\n',
}


class TidyTest(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", folder], check=True)
            for name, text in {**CLEAN, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, str(TIDY), folder], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def expect(self, files, words):
        code, out = self.run_on(files)
        self.assertEqual(code, 1, out)
        self.assertEqual(len(out.splitlines()), 1, out)
        self.assertIn(words, out)

    def test_clean_tree_passes(self):
        self.assertEqual(self.run_on({}), (0, ""))

    def test_edge_upwards(self):
        self.expect({"src/base/a.h": HEADER + '#include "text/b.h"\n'}, "base may not use text")

    def test_unused_edge(self):
        self.expect({"src/text/t.h": HEADER}, "no include of text uses its edge to base")
        # An include of the neighbour's neighbour is not a use of the edge.
        self.expect({"src/cli/c.h": HEADER + '#include "base/b.h"\n'}, "no include of cli uses its edge to text")

    def test_modules_list(self):
        self.expect({"src/modules.txt": MODULES + "shell server :\n"}, "there is no folder src/server")
        self.expect({"src/modules.txt": "core text : base\n" + MODULES}, "text names base before it is listed")

    def test_unknown_module(self):
        self.expect({"src/other/a.h": HEADER}, "not in src/modules.txt")
        self.expect({"src/base/a.h": HEADER + '#include "b.h"\n'}, "of no module")

    def test_internal_of_another(self):
        self.expect({"src/text/a.h": HEADER + '#include "base/internal/b.h"\n'}, "internal to base")

    def test_io_in_core(self):
        for header in ("iostream", "thread", "chrono", "random", "sys/stat.h", "unistd.h"):
            self.expect({"src/text/a.h": HEADER + f"#include <{header}>\n"}, "no place in the core")

    def test_long_file(self):
        self.expect({"src/base/a.h": HEADER + "\n" * 600}, "600 is the limit")

    def test_words_and_paths(self):
        self.expect({"docs/a.md": "TO" + "DO later\n"}, "work put off")
        self.expect({"docs/a.md": "see /ro" + "ot/x\n"}, "a path of one machine")
        self.expect({"docs/a.md": "trailing \n"}, "trailing space")
        self.expect({"src/base/a.h": HEADER + "\tint a;\n"}, "a tab")

    def test_comment_openers(self):
        for words in ("What it is.", "Whoever calls.", "Somebody.", "Nobody calls it.", "Those that are.",
                      "That which is."):
            self.expect({"src/base/a.h": f"// {words}\n#pragma once\n"}, "opens with its subject")
            self.expect({"src/base/a.h": HEADER + f"int a;  // {words}\n"}, "opens with its subject")
            self.expect({"tools/a.py": f"# {words}\n"}, "opens with its subject")
            self.expect({"cmake/a.cmake": f"    # {words}\n"}, "opens with its subject")
        clean = {"src/base/a.h": HEADER + "// Whatever it is.\n// Tells what\n// what is.\n", "docs/a.md": "# What it is\n"}
        self.assertEqual(self.run_on(clean), (0, ""))

    def test_own_header(self):
        self.expect({"src/base/a.cpp": "int a;\n"}, "there is no header a.h beside it")
        self.expect({"src/base/internal/b.cpp": "int a;\n"}, "there is no header b.h beside it")
        clean = {"src/base/b.cpp": "int b;\n", "src/base/b_native.cpp": "int a;\n", "src/main.cpp": "int main() {}\n"}
        self.assertEqual(self.run_on(clean), (0, ""))

    def test_header_shape(self):
        self.expect({"src/base/a.h": "// A header.\nint a;\n"}, "#pragma once")
        self.expect({"src/base/a.h": "#pragma once\nint a;\n"}, "a comment that says what it is")


class MutationsTest(unittest.TestCase):
    # The defects are texts that replace others of the sources, which change.
    def test_every_defect_fits_the_sources(self):
        done = subprocess.run([sys.executable, str(TIDY.with_name("mutations.py")), "--list"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(len(done.stdout.splitlines()), 25)


if __name__ == "__main__":
    unittest.main(verbosity=0)
