"""Goal: the installed core can be found, compiled against and linked by a program of its own.
Method: runs every console block of docs/embedding.md in a folder that looks like the repository after
`./dev build` and `./dev wasm`: installs both packages, builds examples/ against them, and compares the output. A
second program uses pkg-config and has headers of its own that are named like ours.
Usage: package_test.py BUILD_FOLDER WASM_BUILD_FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from pages import as_pattern, command_of, fenced, steps

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = str(pathlib.Path(sys.argv.pop(1)).resolve())
WASM = str(pathlib.Path(sys.argv.pop(1)).resolve())


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name, "prefix")
        cls.compiler = shutil.which("g++") or shutil.which("clang++-19")
        run("cmake", "--install", BUILD, "--prefix", str(cls.prefix))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_every_block_of_the_page_runs(self):
        place = pathlib.Path(self.folder.name, "clone")
        (place / "build").mkdir(parents=True)
        (place / "build/release").symlink_to(BUILD)
        (place / "build/wasm").symlink_to(WASM)
        (place / "examples").symlink_to(ROOT / "examples")
        env = {"PATH": os.environ["PATH"], "HOME": self.folder.name, "CMAKE_GENERATOR": "Ninja"}
        page = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")
        blocks = [body for info, body in fenced(page) if info == "console"]
        self.assertGreater(len(blocks), 4)
        ran = set()
        for text, shown in (step for body in blocks for step in steps(body)):
            command = command_of(text)
            ran |= set(re.findall(r"examples(?:-wasm)?/(\w+)", command))
            if command in ("./dev build", "./dev wasm"):
                continue
            done = subprocess.run(["bash", "-c", command + "\ncode=$?\nexport -p >exported\nexit $code"], cwd=place,
                                  env=env, capture_output=True, text=True, timeout=600)
            told = f"$ {text}\n{done.stdout}\n{done.stderr}"
            self.assertEqual(done.returncode, 0, told)
            if shown:
                self.assertRegex(done.stdout, re.compile(rf"\A{as_pattern(shown)}\Z"), told)
            env |= dict(re.findall(r'declare -x (PKG_CONFIG_PATH)="([^"]*)"', (place / "exported").read_text()))
        # Every example is on the page.
        self.assertTrue({example.stem for example in (ROOT / "examples").glob("*.cpp")} <= ran, ran)

    def test_headers_do_not_collide_with_those_of_the_program(self):
        # Without CMake, and with headers of its own named like ours.
        source = pathlib.Path(self.folder.name, "game")
        for name in ("base/error.h", "value/value.h", "version.h"):
            own = source / name
            own.parent.mkdir(parents=True, exist_ok=True)
            own.write_text("#pragma once\nstruct Own {};\n")
        (source / "game.cpp").write_text(
            '#include "base/error.h"\n#include "value/value.h"\n#include <arbiter/arbiter.h>\n#include <cstdio>\n'
            'int main() { Own own; (void)own; auto read = arbiter::value::parse_json("[1]");\n'
            'std::printf("%s %d.%d.%d %d\\n", ARBITER_VERSION, ARBITER_VERSION_MAJOR, ARBITER_VERSION_MINOR,\n'
            'ARBITER_VERSION_PATCH, read.has_value()); }\n')
        program = str(source / "game")
        packages = next(self.prefix.rglob("arbiter.pc")).parent
        flags = run("env", f"PKG_CONFIG_PATH={packages}", "pkg-config", "--cflags", "--libs", "arbiter").split()
        run(self.compiler, "-std=c++23", f"-I{source}", str(source / "game.cpp"), "-o", program, *flags)
        version, numbers, was_read = run(program).split()
        self.assertEqual((version, was_read), (numbers, "1"))
        self.assertEqual(run(str(self.prefix / "bin/arbiter"), "--version").strip(), f"arbiter {version}")

    def test_only_public_headers_are_installed(self):
        include = self.prefix / "include/arbiter"
        self.assertTrue((include / "engine/engine.h").is_file())
        self.assertTrue((include / "config/rulebooks.h").is_file())
        # Internal headers are not installed, except for those that inline functions need.
        self.assertFalse((include / "engine/internal").exists())
        self.assertFalse((include / "cli").exists())
        for header in include.rglob("*.h"):
            self.assertNotRegex(header.read_text(encoding="utf-8"), r'#include "', header.name)
        # No path of this machine is in the package.
        for file in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc")]:
            self.assertNotIn(str(ROOT), file.read_text(), file.name)


if __name__ == "__main__":
    unittest.main(verbosity=0)
