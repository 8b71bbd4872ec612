"""Goal: sources that are checked together have the findings that each of them has, and sources that
cannot be read as one are checked apart.
Method: a small module with one defect, through the functions of tools/clang_tidy.py.
"""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import clang_tidy

MOVED = """#include <string>
#include <utility>
std::size_t sum(std::string s) {
    const std::string t = std::move(s);
    return t.size() + s.size();
}
"""


class ClangTidyTest(unittest.TestCase):
    def check(self, files):
        """The sources of each group, and whether it has a finding."""
        with tempfile.TemporaryDirectory() as name:
            clang_tidy.ROOT = pathlib.Path(name)
            folder = clang_tidy.ROOT / "src/text"
            folder.mkdir(parents=True)
            entries = {}
            for source, text in files.items():
                path = folder / source
                path.write_text(text)
                command = "clang++-19 -std=c++2b"
                entries[str(path)] = {"directory": name, "command": command, "file": str(path)}
            found = []
            for group in clang_tidy.groups(list(entries), entries):
                for names, findings in clang_tidy.check(group, entries, folder):
                    found.append(([pathlib.Path(each).name for each in names], "use-after-move" in findings))
            return sorted(found)

    def test_a_finding_in_any_source_of_a_group(self):
        self.assertEqual(self.check({"a.cpp": "int a;\n", "b.cpp": MOVED, "c.cpp": "int c;\n"}),
                         [(["a.cpp", "b.cpp", "c.cpp"], True)])
        self.assertEqual(self.check({"a.cpp": "int a;\n", "c.cpp": "int c;\n"}), [(["a.cpp", "c.cpp"], False)])

    def test_sources_that_define_a_name_twice_are_apart(self):
        self.assertEqual(self.check({"a.cpp": "static int a = 1;\n", "b.cpp": "static int a = 2;\n"}),
                         [(["a.cpp"], False), (["b.cpp"], False)])

    def test_a_group_that_cannot_be_read_as_one_is_halved(self):
        # The text does not show that a macro defines the name.
        macro = "#define DEFINE(x) static int x = 1;\nDEFINE(a)\n"
        self.assertEqual(self.check({"a.cpp": macro, "b.cpp": "#undef DEFINE\n" + macro}),
                         [(["a.cpp"], False), (["b.cpp"], False)])


if __name__ == "__main__":
    unittest.main(verbosity=0)
