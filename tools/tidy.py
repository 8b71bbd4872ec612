"""The rules that keep the tree tidy, as a test.

Checks what git knows of (tracked files, and new ones that are not ignored):
  - every #include between modules goes along an edge of src/modules.txt;
  - a module's internal/ folder is included by nobody else (tests of the module may);
  - no source file is longer than LINES_MAX lines;
  - no words that put work off, no paths of one machine, no shouting tabs or trailing spaces;
  - the core does no I/O: the headers for it may be included only where FORBIDDEN_IN_CORE allows.
Prints one line a finding; exit code 1 when there is one.
Usage: tidy.py [ROOT]
"""

import pathlib
import re
import subprocess
import sys

LINES_MAX = 600
SOURCE = {".cpp", ".h"}
TEXT = SOURCE | {".py", ".mjs", ".js", ".ts", ".svelte", ".md", ".txt", ".cmake", ".json", ".yaml", ".yml", ""}
# Written so that this file does not contain what it looks for.
FORBIDDEN_WORDS = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK", "not " + "implemented"]))
MACHINE_PATHS = re.compile(r"(?<![\w.~])/(?:" + "|".join(["ro" + "ot", "ho" + "me", "wo" + "rk", "fa" + "rm", "Us" + "ers"]) + r")/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Headers by which code could do I/O, tell the time, run threads or throw dice.
FORBIDDEN_IN_CORE = re.compile(
    r"^(?:iostream|fstream|filesystem|thread|mutex|condition_variable|future|chrono|random|ctime|"
    r"unistd\.h|fcntl\.h|sys/(?!single_threaded\.h$).*|pthread\.h|regex|stdexcept)$")


def modules(root):
    """Module -> (layer, set of modules it may include), closed over neighbours of neighbours."""
    layers, edges = {}, {}
    for line in (root / "src/modules.txt").read_text().splitlines():
        found = re.match(r"^(core|shell)\s+(\w+)\s*:\s*(.*)$", line)
        if found:
            layer, name, neighbours = found.groups()
            layers[name] = layer
            reach = set()
            for neighbour in neighbours.split():
                if neighbour not in edges:
                    raise SystemExit(f"src/modules.txt: {name} names {neighbour} before it is listed")
                reach |= {neighbour} | edges[neighbour]
            edges[name] = reach
    return layers, edges


def files(root):
    names = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True).stdout.decode().split("\0")
    return [name for name in names if name and (root / name).is_file()]


def check_includes(name, lines, layers, edges):
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] != "src" or len(parts) < 3:
        return
    module = parts[1]
    if module not in layers:
        yield 1, f"the folder src/{module} is not in src/modules.txt"
        return
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if not found:
            continue
        kind, target = found.groups()
        if kind == "<":
            if layers[module] == "core" and FORBIDDEN_IN_CORE.match(target):
                yield number, f"<{target}> has no place in the core (src/{module})"
            continue
        other = target.split("/")[0]
        if other not in layers:
            yield number, f'"{target}" is of no module; write "module/file.h"'
        elif other != module and other not in edges[module]:
            yield number, f"{module} may not use {other} (src/modules.txt)"
        elif other != module and "/internal/" in target:
            yield number, f'"{target}" is internal to {other}'


def check_header(name, lines):
    if name.endswith(".h") and not any(line == "#pragma once" for line in lines):
        yield 1, "a header begins with #pragma once"
    if name.startswith("src/") and not (lines and lines[0].startswith("//")):
        if name.endswith(".h"):
            yield 1, "a header opens with a comment that says what it is"


def check_text(name, lines):
    for number, line in enumerate(lines, 1):
        if FORBIDDEN_WORDS.search(line):
            yield number, "work put off: do it or leave it"
        if MACHINE_PATHS.search(line):
            yield number, "a path of one machine"
        if line != line.rstrip():
            yield number, "trailing space"
        if "\t" in line and not name.endswith((".md", "package-lock.json")):
            yield number, "a tab"


def findings(root):
    layers, edges = modules(root)
    for name in files(root):
        path = pathlib.PurePosixPath(name)
        if path.suffix not in TEXT or name.startswith("fuzz/corpus/"):
            continue
        try:
            lines = (root / name).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            yield f"{name}:1: not UTF-8"
            continue
        checks = [check_text(name, lines)]
        if path.suffix in SOURCE:
            checks += [check_includes(name, lines, layers, edges), check_header(name, lines)]
            if len(lines) > LINES_MAX:
                yield f"{name}:{LINES_MAX}: {len(lines)} lines; {LINES_MAX} is the limit"
        for check in checks:
            for number, what in check:
                yield f"{name}:{number}: {what}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(findings(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
