"""Lists every requirement with its sentence and the tests that prove it, and those without a test.

A test file names what it proves on lines like "proves: X-2, A0-17" (in a comment of its language).
Usage: coverage.py [--missing] [ID…], where an ID may be a group such as S1
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"\b(?:S[0-4]|A[0-4]|X|D)-\d+\b")


def requirements():
    """Id -> sentence, in the order of the file."""
    found = {}
    for line in (ROOT / "tests/requirements.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, sentence = line.split(" ", 1)
            if not ID.fullmatch(name) or name in found or not sentence.endswith("."):
                sys.exit(f"tests/requirements.txt: {line}: an id, once, and a sentence are expected")
            found[name] = sentence
    return found


def proofs():
    found = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if not path.is_file() or path.name == "requirements.txt" or path.suffix == ".pyc":
            continue
        for line in path.read_text(errors="replace").splitlines():
            if "proves:" in line:
                for name in ID.findall(line.split("proves:", 1)[1]):
                    found.setdefault(name, []).append(str(path.relative_to(ROOT)))
    return found


def main():
    words = sys.argv[1:]
    known = requirements()
    found = proofs()
    unknown = sorted(set(found) - set(known))
    for name in unknown:
        print(f"unknown id {name} in {', '.join(found[name])}", file=sys.stderr)
    wanted = [word for word in words if not word.startswith("-")]
    for word in words:
        if word != "--missing" and word not in known and not any(name.startswith(word + "-") for name in known):
            sys.exit(f"unknown id {word}; available: --missing, S1-44, a group such as X")
    names = [name for name in known if not wanted or any(name == w or name.startswith(w + "-") for w in wanted)]
    missing = [name for name in names if name not in found]
    for name in names if "--missing" not in words else missing:
        print(f"{name:7} {known[name]}")
        for path in sorted(set(found.get(name, []))):
            print(f"        {path}")
    print(f"\nwithout a test ({len(missing)}): {' '.join(missing)}")
    print(f"{len(names) - len(missing)} of {len(names)} ids have a test")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
