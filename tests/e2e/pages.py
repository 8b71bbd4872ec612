"""Reads the pages of the documentation: fenced blocks, their commands and the expected output."""

import re

FENCE = re.compile(r"^(`{3,})([^`\n]*)\n(.*?)^\1$", re.M | re.S)


def fenced(text):
    """(language, body) of each fenced block."""
    return [(info, body) for _, info, body in FENCE.findall(text)]


def steps(body):
    """(command, expected output) of a console block. A here-document belongs to its command."""
    found = []
    lines = body.splitlines()
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise ValueError(f"output before the first command: {lines[at]}")
        command = [lines[at][2:]]
        at += 1
        here = re.search(r"<<'(\w+)'", command[0])
        if here:
            end = lines.index(here.group(1), at)
            command += lines[at:end + 1]
            at = end + 1
        shown = []
        while at < len(lines) and not lines[at].startswith("$ "):
            shown.append(lines[at])
            at += 1
        while shown and not shown[-1]:
            shown.pop()
        found.append(("\n".join(command), shown))
    return found


def command_of(text):
    """A command without the comment behind its first line."""
    return re.sub(r"\A([^\n]*?)\s+# [^\n]*", r"\1", text)


def as_pattern(lines):
    parts = []
    for line in lines:
        if line == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(re.escape(line).replace("…", ".*") + r"\n")
    return "".join(parts)
