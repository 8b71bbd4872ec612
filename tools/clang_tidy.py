"""Runs clang-tidy on the sources of src/ with the checks of .clang-tidy.

Takes the commands of a configured build folder without its precompiled headers, so that a missing
#include is an error here. A source is checked again only when it, a header it includes, its command
or the checks change: the fingerprints of sources without a finding are kept in the user's cache
folder, so that other clones need not check them again.

Prints the findings; exit code 1 when there is one.
Usage: clang_tidy.py BUILD_FOLDER
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = "clang-tidy-19"
PCH = re.compile(r" -include-pch \S+")
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Fingerprints of old versions of a file are forgotten beyond this many: a few rounds of the tree.
KEPT_MAX = 4000


def commands(build):
    """Source -> command, for the sources of src/."""
    listed = json.loads((build / "compile_commands.json").read_text())
    for entry in listed:
        entry["command"] = PCH.sub("", entry["command"])
    found = [entry for entry in listed if pathlib.Path(entry["file"]).is_relative_to(ROOT / "src")]
    # A source that is compiled twice (the value module with another hash) is checked once.
    return {entry["file"]: entry for entry in reversed(found)}


def fingerprints(entries):
    """Source -> a hash of everything that decides about its findings."""
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()
    contents, closures = {}, {}

    def content(path):
        if path not in contents:
            contents[path] = path.read_bytes() if path.is_file() else b""
        return contents[path]

    def closure(path):
        if path not in closures:
            seen, open_paths = set(), [path]
            while open_paths:
                at = open_paths.pop()
                if at not in seen:
                    seen.add(at)
                    open_paths += [ROOT / "src" / name.decode() for name in INCLUDE.findall(content(at))]
            closures[path] = sorted(seen)
        return closures[path]

    result = {}
    for name, entry in entries.items():
        digest = hashlib.sha256(common)
        # Another clone has the same fingerprints.
        digest.update(entry["command"].replace(str(ROOT), "").encode())
        for path in closure(pathlib.Path(name)):
            digest.update(hashlib.sha256(content(path)).digest())
        result[name] = digest.hexdigest()[:32]
    return result


def run(name, folder):
    done = subprocess.run([PROGRAM, "--quiet", "-p", str(folder), name], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + (done.stderr if done.returncode and not done.stdout else "")


def main():
    build = pathlib.Path(sys.argv[1])
    folder = ROOT / "build/lint"
    folder.mkdir(parents=True, exist_ok=True)
    entries = commands(build)
    (folder / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "arbiter"
    cache.mkdir(parents=True, exist_ok=True)
    remembered = cache / "clang-tidy.txt"
    clean = remembered.read_text().split() if remembered.is_file() else []
    known = set(clean)
    marks = fingerprints(entries)
    todo = [name for name, mark in marks.items() if mark not in known]
    failed, done, shown = 0, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, remembered.open("a") as out:
        waiting = {pool.submit(run, name, folder): name for name in todo}
        for future in concurrent.futures.as_completed(waiting):
            code, text = future.result()
            done += 1
            if code == 0:
                out.write(marks[waiting[future]] + "\n")
                out.flush()
            else:
                failed += 1
                print(text.replace(str(ROOT) + "/", "").rstrip())
            if time.monotonic() - shown >= 5:
                shown = time.monotonic()
                print(f"    clang-tidy: {done} of {len(todo)}", file=sys.stderr)
    if len(clean) > KEPT_MAX:
        remembered.write_text("\n".join((remembered.read_text().split())[-KEPT_MAX // 2:]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
