"""Goal: the installed core can be found, compiled against and linked by a program of its own.
Method: installs the build folder into a temporary prefix, builds examples/ against it with the
machine's own compiler, and compares what the example prints with what docs/embedding.md shows.
Usage: package_test.py BUILD_FOLDER
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class PackageTest(unittest.TestCase):
    def test_example_builds_against_what_is_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix, build = pathlib.Path(folder, "prefix"), str(pathlib.Path(folder, "build"))
            run("cmake", "--install", BUILD, "--prefix", str(prefix))
            compiler = shutil.which("g++") or shutil.which("clang++-19")
            run("cmake", "-S", str(ROOT / "examples"), "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
                f"-DCMAKE_CXX_COMPILER={compiler}")
            run("cmake", "--build", build)
            shown = run(str(pathlib.Path(build, "turn")))
            self.assertIn(shown, (ROOT / "docs/embedding.md").read_text(encoding="utf-8"))
            # Internal headers are not installed, except for those that inline functions need.
            include = prefix / "include/arbiter"
            self.assertTrue((include / "engine/engine.h").is_file())
            self.assertFalse((include / "engine/internal").exists())
            self.assertFalse((include / "cli").exists())
            # No path of this machine is in the package.
            for file in prefix.rglob("*.cmake"):
                self.assertNotIn(str(ROOT), file.read_text(), file.name)
            self.assertRegex(run(str(prefix / "bin/arbiter"), "--version"), r"^arbiter \d")


if __name__ == "__main__":
    unittest.main(verbosity=0)
