"""Goal: each tidy rule notices what it forbids, and a clean tree passes.
Method: a small tree with one offence at a time, in a git repository of its own.
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TIDY = pathlib.Path(__file__).resolve().parents[2] / "tools/tidy.py"
MODULES = "core base :\ncore text : base\nshell cli : text\n"
HEADER = "// What it is.\n#pragma once\n"


class TidyTest(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", folder], check=True)
            for name, text in {"src/modules.txt": MODULES, **files}.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, str(TIDY), folder], capture_output=True, text=True)
            return done.returncode, done.stdout

    def expect(self, files, words):
        code, out = self.run_on(files)
        self.assertEqual(code, 1, out)
        self.assertEqual(len(out.splitlines()), 1, out)
        self.assertIn(words, out)

    def test_clean_tree_passes(self):
        code, out = self.run_on({
            "src/text/a.h": HEADER + '#include "base/b.h"\n',
            "src/cli/c.h": HEADER + '#include <unistd.h>\n#include "base/b.h"\n#include "text/a.h"\n',
        })
        self.assertEqual((code, out), (0, ""))

    def test_edge_upwards(self):
        self.expect({"src/base/a.h": HEADER + '#include "text/b.h"\n'}, "base may not use text")

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

    def test_header_shape(self):
        self.expect({"src/base/a.h": "// What it is.\nint a;\n"}, "#pragma once")
        self.expect({"src/base/a.h": "#pragma once\nint a;\n"}, "a comment that says what it is")


if __name__ == "__main__":
    unittest.main(verbosity=0)
