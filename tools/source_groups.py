"""Finds sources of one module that can be compiled, or checked, as one.

Most of the time of compiling a source is reading headers, so a build can compile sources that include
much the same headers as one source that includes them (cmake/groups.cmake). Sources that define the
same name stay apart; this is decided by a look at the text, so that a macro or a name inside of a class
can deceive it.

Writes one file for each group to FOLDER and prints the sources to compile, one on each line: these
files, and each source that is alone.
Usage: source_groups.py FOLDER LINES INCLUDES < SOURCES
  LINES     a group has at most this many lines; a longer source is alone
  INCLUDES  the folder that paths in the files are relative to
"""

import pathlib
import re
import sys

# A line outside of functions and classes, where nothing is indented, and the name that it defines.
DEFINITION = re.compile(r"^(?!namespace|using [\w:]+;|static_assert|template)[a-zA-Z][^=({;\[]*?(?<!:)\b(\w+)\s*[=({;\[].*", re.M)
# Names of tests come from their arguments.
TEST = re.compile(r"^TEST\w*\(")
MEMBER = re.compile(r'^#include "([^"]+)"', re.M)


def definitions(text):
    """Name -> line, or None for a line that may not be repeated."""
    found = (at for at in DEFINITION.finditer(text) if not TEST.match(at[0]))
    return {at[1]: at[0] if at[0].startswith("using ") else None for at in found}


def grouped(sizes, size_max, texts):
    """Groups of names of `sizes`, in order: none larger than `size_max`, unless it is one source, and none
    with a name that is defined twice."""
    result = []
    for name, size in sizes.items():
        own = definitions(texts[name])
        for group in result:
            if group["size"] + size <= size_max and all(
                    line and group["taken"][key] == line for key, line in own.items() if key in group["taken"]):
                group["names"].append(name)
                group["taken"].update(own)
                group["size"] += size
                break
        else:
            result.append({"names": [name], "taken": own, "size": size})
    return [group["names"] for group in result]


def members(path):
    """The sources that a file written by main() includes."""
    return MEMBER.findall(pathlib.Path(path).read_text())


def main():
    folder, lines_max, includes = pathlib.Path(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    names = sorted(sys.stdin.read().split("\n"))
    texts = {name: pathlib.Path(name).read_text() for name in names if name}
    sizes = {name: text.count("\n") for name, text in texts.items()}
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {}
    for group in grouped(sizes, lines_max, texts):
        if len(group) == 1:
            print(group[0])
            continue
        # Named after its first source: a new source renames few groups.
        first = pathlib.Path(group[0]).relative_to(includes)
        path = folder / ("-".join(first.parts))
        relative = [pathlib.Path(name).relative_to(includes).as_posix() for name in group]
        wanted[path] = "".join(f'#include "{name}"\n' for name in relative)
        print(path)
    for path in set(folder.iterdir()) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
