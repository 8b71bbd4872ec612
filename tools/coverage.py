"""Lists every requirement id with the tests that prove it, and the ids without one.

A test file names what it proves on lines like "proves: X-2, A0-17" (in a comment of its language).
Usage: coverage.py [--missing]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ID = re.compile(r"\b(?:S[0-4]|A[0-4]|X|D)-\d+\b")


def known_ids():
    ids = []
    for line in (ROOT / "tests/requirements.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            prefix, highest = line.split()
            ids += [f"{prefix}-{n}" for n in range(1, int(highest) + 1)]
    return ids


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


def as_ranges(names):
    """S0-1 S0-2 S0-3 S1-5 -> S0-1…3 S1-5"""
    parts = []
    for name in names:
        prefix, number = name.rsplit("-", 1)
        if parts and parts[-1][0] == prefix and parts[-1][2] == int(number) - 1:
            parts[-1][2] = int(number)
        else:
            parts.append([prefix, int(number), int(number)])
    return " ".join(f"{p}-{a}" if a == b else f"{p}-{a}…{b}" for p, a, b in parts)


def main():
    ids = known_ids()
    found = proofs()
    unknown = sorted(set(found) - set(ids))
    for name in unknown:
        print(f"unknown id {name} in {', '.join(found[name])}", file=sys.stderr)
    missing = [name for name in ids if name not in found]
    if "--missing" not in sys.argv[1:]:
        for name in ids:
            if name in found:
                print(f"{name:7} {', '.join(sorted(set(found[name])))}")
        print()
    print(f"without a test ({len(missing)}): {as_ranges(missing)}")
    print(f"{len(ids) - len(missing)} of {len(ids)} ids have a test")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
