"""Checks the tidy rules of the tree.

Reads the files git knows (tracked, and new ones that are not ignored):
  - an #include between modules follows an edge of src/modules.txt, and an include uses every edge;
  - a module's internal/ folder is included only by the module itself and its tests;
  - every .cpp of src/ has a header of its own name;
  - no source file is longer than LINES_MAX lines;
  - no words that put work off, no paths of one machine, no tabs, no trailing spaces;
  - no comment opens with a word of OPENERS: name the subject instead;
  - the core does no I/O: FORBIDDEN_IN_CORE lists headers that it must not include.

Prints one line per finding; exit code 1 when there is one.
Usage: tidy.py [ROOT]
"""

import pathlib
import re
import subprocess
import sys

LINES_MAX = 600
MODULES = "src/modules.txt"
SOURCE = {".cpp", ".h"}
TEXT = SOURCE | {".py", ".mjs", ".js", ".ts", ".svelte", ".md", ".txt", ".cmake", ".json", ".yaml", ".yml", ""}
# Split, so that this file does not contain the words it looks for.
FORBIDDEN_WORDS = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK", "not " + "implemented"]))
MACHINE_PATHS = re.compile(r"(?<![\w.~])/(?:" + "|".join(["ro" + "ot", "ho" + "me", "wo" + "rk", "fa" + "rm", "Us" + "ers"]) + r")/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CODE = SOURCE | {".py", ".mjs", ".js", ".ts", ".svelte", ".cmake", ""}
OPENERS = re.compile(
    r"(?:^|\s)(?://+|#|/?\*+)\s*(?:What|Whoever|Somebody|Nobody|Those that|That which)\b")
# Headers by which code could do I/O, tell the time, run threads or throw dice.
FORBIDDEN_IN_CORE = re.compile(
    r"^(?:iostream|fstream|filesystem|thread|mutex|condition_variable|future|chrono|random|ctime|"
    r"unistd\.h|fcntl\.h|sys/(?!single_threaded\.h$).*|pthread\.h|regex|stdexcept)$")


def modules(root):
    """Layer, neighbours and reach (neighbours and theirs) of each module, and the findings."""
    layers, neighbours, reach, wrong = {}, {}, {}, []
    for number, line in enumerate((root / MODULES).read_text().splitlines(), 1):
        found = re.match(r"^(core|shell)\s+(\w+)\s*:\s*(.*)$", line)
        if not found:
            continue
        layer, name, listed = found.groups()
        layers[name], neighbours[name], reach[name] = layer, listed.split(), set()
        if not (root / "src" / name).is_dir():
            wrong.append(f"{MODULES}:{number}: there is no folder src/{name}")
        for neighbour in neighbours[name]:
            if neighbour not in layers or neighbour == name:
                raise SystemExit(f"{MODULES}:{number}: {name} names {neighbour} before it is listed")
            reach[name] |= {neighbour} | reach[neighbour]
    return layers, neighbours, reach, wrong


def files(root):
    names = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, capture_output=True).stdout.decode().split("\0")
    return [name for name in names if name and (root / name).is_file()]


def includes(lines):
    """Line number, kind of quote and target of each #include."""
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            yield number, *found.groups()


def check_includes(name, lines, layers, reach):
    parts = pathlib.PurePosixPath(name).parts
    if parts[0] != "src" or len(parts) < 3:
        return
    module = parts[1]
    if module not in layers:
        yield 1, f"the folder src/{module} is not in src/modules.txt"
        return
    for number, kind, target in includes(lines):
        if kind == "<":
            if layers[module] == "core" and FORBIDDEN_IN_CORE.match(target):
                yield number, f"<{target}> has no place in the core (src/{module})"
            continue
        other = target.split("/")[0]
        if other not in layers:
            yield number, f'"{target}" is of no module; write "module/file.h"'
        elif other != module and other not in reach[module]:
            yield number, f"{module} may not use {other} (src/modules.txt)"
        elif other != module and "/internal/" in target:
            yield number, f'"{target}" is internal to {other}'


def unused_edges(sources, neighbours):
    """Edges of src/modules.txt along which no file includes another."""
    used = {(name.split("/")[1], target.split("/")[0])
            for name, lines in sources.items() if name.startswith("src/")
            for _, kind, target in includes(lines) if kind == '"'}
    for module, listed in neighbours.items():
        for neighbour in listed:
            if (module, neighbour) not in used:
                yield f"{MODULES}:1: no include of {module} uses its edge to {neighbour}"


def check_header(name, lines):
    if name.endswith(".h") and not any(line == "#pragma once" for line in lines):
        yield 1, "a header begins with #pragma once"
    if name.startswith("src/") and not (lines and lines[0].startswith("//")):
        if name.endswith(".h"):
            yield 1, "a header opens with a comment that says what it is"


def check_text(name, lines):
    if name.endswith("package-lock.json"):
        return  # written by npm
    for number, line in enumerate(lines, 1):
        if FORBIDDEN_WORDS.search(line):
            yield number, "work put off: do it or leave it"
        if MACHINE_PATHS.search(line):
            yield number, "a path of one machine"
        if line != line.rstrip():
            yield number, "trailing space"
        if "\t" in line and not name.endswith(".md"):
            yield number, "a tab"


def check_own_header(root, name):
    """A twin for one platform (_native, _plain) implements the header of both."""
    path = pathlib.PurePosixPath(name)
    if path.suffix == ".cpp" and len(path.parts) > 2 and path.parts[0] == "src":
        stem = re.sub(r"_(native|plain)$", "", path.stem)
        if not (root / path.with_name(stem + ".h")).is_file():
            yield 1, f"there is no header {stem}.h beside it"


def check_openers(lines):
    for number, line in enumerate(lines, 1):
        if OPENERS.search(line):
            yield number, "a comment opens with its subject, not with this word"


def findings(root):
    layers, neighbours, reach, wrong = modules(root)
    yield from wrong
    sources = {}
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
            sources[name] = lines
            checks += [check_includes(name, lines, layers, reach), check_header(name, lines), check_own_header(root, name)]
            if len(lines) > LINES_MAX:
                yield f"{name}:{LINES_MAX}: {len(lines)} lines; {LINES_MAX} is the limit"
        if path.suffix in CODE or path.name in ("CMakeLists.txt", "modules.txt"):
            checks += [check_openers(lines)]
        for check in checks:
            for number, what in check:
                yield f"{name}:{number}: {what}"
    yield from unused_edges(sources, neighbours)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    found = list(findings(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
