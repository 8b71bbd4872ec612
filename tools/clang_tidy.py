"""Runs clang-tidy on the sources of src/ with the checks of .clang-tidy.

Most of the time of a check is reading headers, so sources of a module are checked together, as one
source that includes them, if they define no name twice (source_groups.py). With --each, each source is checked by
itself, without precompiled headers, so that a missing #include is an error.

A source is checked again only when it, a header it includes, its command or the checks change: the
fingerprints of sources without a finding are kept in the user's cache folder, so that other clones
need not check them again.

Prints the findings; exit code 1 when there is one.
Usage: clang_tidy.py [--each] BUILD_FOLDER
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import time

import source_groups

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHECKS = ROOT / ".clang-tidy"
PROGRAM = "clang-tidy-19"
PCH = re.compile(r" -include-pch \S+")
OUTPUT = re.compile(r" -o \S+ -c \S+")
# More sources at once save little and keep the other processors waiting at the end.
TOGETHER_MAX = 10
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Fingerprints of old versions of a file are forgotten beyond this many: a few rounds of the tree.
KEPT_MAX = 4000


def commands(build):
    """Source -> command, for the sources of src/."""
    listed = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        entry["command"] = OUTPUT.sub("", PCH.sub("", entry["command"]))
        listed.append(entry)
        path = pathlib.Path(entry["file"])
        if path.is_relative_to(build.resolve() / "generated/groups"):
            # Sources of tests are named relative to the root, so none of them is found below src/.
            listed += [{**entry, "file": str(ROOT / "src" / name)} for name in source_groups.members(path)]
    sources = ROOT / "src"
    found = [entry for entry in listed if pathlib.Path(entry["file"]).is_relative_to(sources) and pathlib.Path(entry["file"]).is_file()]
    # A source that is compiled twice (the value module with another hash) is checked once.
    return {entry["file"]: entry for entry in reversed(found)}


def fingerprints(entries):
    """Source -> a hash of everything that decides about its findings."""
    version = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True).stdout
    common = version + CHECKS.read_bytes()
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


def groups(names, entries):
    """Sources that can be read as one: same module, same command, no name defined twice."""
    kinds = {}
    for name in sorted(names):
        path = pathlib.Path(name)
        kind = path.relative_to(ROOT / "src").parts[0], entries[name]["command"]
        kinds.setdefault(kind, {})[name] = path.read_text()
    result = []
    for texts in kinds.values():
        result += source_groups.grouped(dict.fromkeys(texts, 1), TOGETHER_MAX, texts)
    return sorted(result, key=len, reverse=True)


def run(names, entries, folder):
    """Checks the sources as one. Returns the findings; None if they cannot be read as one."""
    entry = entries[names[0]]
    flags = shlex.split(entry["command"])[1:]
    options, source = [f"--config-file={CHECKS}"], names[0]
    if len(names) > 1:
        source = str(folder / (hashlib.sha256("".join(names).encode()).hexdigest()[:16] + ".cpp"))
        pathlib.Path(source).write_text("".join(f'#include "{name}"\n' for name in names))
        options.append("--header-filter=/src/")
        # The build shows warnings, and for each source.
        flags.append("-w")
    done = subprocess.run([PROGRAM, "--quiet", *options, source, "--", *flags], cwd=entry["directory"],
                          capture_output=True, text=True, check=False)
    if len(names) > 1 and "[clang-diagnostic-error]" in done.stdout:
        return None
    return "" if done.returncode == 0 else done.stdout or done.stderr


def check(names, entries, folder):
    """(sources, findings) of the sources, together or in parts that can be read as one."""
    findings = run(names, entries, folder)
    if findings is not None:
        return [(names, findings)]
    half = len(names) // 2
    return check(names[:half], entries, folder) + check(names[half:], entries, folder)


def main():
    build, is_each = pathlib.Path(sys.argv[-1]), "--each" in sys.argv[1:-1]
    folder = ROOT / "build/lint"
    folder.mkdir(parents=True, exist_ok=True)
    entries = commands(build)
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "arbiter"
    cache.mkdir(parents=True, exist_ok=True)
    remembered = cache / ("clang-tidy-each.txt" if is_each else "clang-tidy.txt")
    clean = remembered.read_text().split() if remembered.is_file() else []
    known = set(clean)
    marks = fingerprints(entries)
    todo = [name for name, mark in marks.items() if mark not in known]
    parts = [[name] for name in todo] if is_each else groups(todo, entries)
    failed, done, shown = 0, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, remembered.open("a") as out:
        for future in concurrent.futures.as_completed([pool.submit(check, part, entries, folder) for part in parts]):
            for names, findings in future.result():
                done += len(names)
                if findings:
                    failed += 1
                    print(findings.replace(str(ROOT) + "/", "").rstrip())
                else:
                    out.write("".join(marks[name] + "\n" for name in names))
                    out.flush()
            if time.monotonic() - shown >= 5:
                shown = time.monotonic()
                print(f"    clang-tidy: {done} of {len(todo)}", file=sys.stderr)
    if len(clean) > KEPT_MAX:
        remembered.write_text("\n".join((remembered.read_text().split())[-KEPT_MAX // 2:]) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
