#!/usr/bin/env python3
"""Scores the conflict check on labelled narrations (standard library only).

  tools/conflict_score.py ARBITER SET... [--errors] [--floor PRECISION RECALL] [--spoilt-max N]

A set is a .jsonl file or a folder of them. A file has one case a line, or a first line with the
`state` of its setting and then cases that override it (docs/conflicts.md). Prints precision and
recall of each set at case level and per type. Exit code 1 if a floor is missed, or if more than N
clean cases of a set have a finding.
"""
import copy, json, os, subprocess, sys
from collections import Counter, defaultdict

TYPES = ["hp", "position", "alive_state", "rules", "map", "character_sheet", "inventory", "other"]


def merge(into, over):
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def load(path):
    files = [path]
    if os.path.isdir(path):
        files = sorted(os.path.join(path, f) for f in os.listdir(path) if f.endswith(".jsonl"))
    cases = []
    for file in files:
        setting = None
        for line in open(file, encoding="utf-8"):
            if not line.strip():
                continue
            row = json.loads(line)
            if "narrative" not in row:
                setting = row
                continue
            case = dict(row)
            if "state" not in case:
                state = copy.deepcopy(setting["state"])
                for character in state["characters"]:
                    merge(character, row.get("set", {}).get(character["character_id"], {}))
                if "actor" in row:
                    state["active_actor_id"] = row["actor"]
                case["state"] = state
            case.setdefault("applied_actions", [])
            case.setdefault("expected", [])
            case["id"] = os.path.basename(file) + ":" + str(case["id"])
            cases.append(case)
    return cases


def match(case, found):
    """-> hits, misses, extras as (type, target); as the public scorer."""
    pred = []
    for x in found:
        key = (x["type"], None if x["type"] == "rules" else x.get("target"))
        if key not in pred:
            pred.append(key)
    expected = [(e["type"], e.get("target")) for e in case["expected"]]
    tolerated = [(t["type"], t.get("target")) for t in case.get("tolerated", [])]
    hits, left = [], list(pred)
    for e in expected:
        if e[1] is not None and e in left:
            hits.append(e)
            left.remove(e)
    for e in expected:
        if e[1] is None and any(p[0] == e[0] for p in left):
            hits.append(e)
            left = [p for p in left if p[0] != e[0]]
    extras = [p for p in left if not any(t[0] == p[0] and t[1] in (None, p[1]) for t in tolerated)]
    return hits, [e for e in expected if e not in hits], extras


def ratio(a, b):
    return f"{a / b:.3f}" if b else "  -  "


def main(args):
    errors, floor, spoilt_max = "--errors" in args, None, None
    if "--spoilt-max" in args:
        at = args.index("--spoilt-max")
        spoilt_max = int(args[at + 1])
        del args[at:at + 2]
    if "--floor" in args:
        at = args.index("--floor")
        floor = float(args[at + 1]), float(args[at + 2])
        del args[at:at + 3]
    args = [a for a in args if not a.startswith("--")]
    arbiter, sets = args[0], args[1:]
    bad = False
    for path in sets:
        cases = load(path)
        lines = "".join(json.dumps({k: c[k] for k in ("id", "state", "applied_actions", "narrative")},
                                   ensure_ascii=False) + "\n" for c in cases)
        out = subprocess.run([arbiter, "conflicts", "--lines"], input=lines.encode(), check=True,
                             capture_output=True).stdout.decode()
        results = {r["id"]: r["conflicts"] for r in map(json.loads, out.splitlines())}
        total, types, found = Counter(), defaultdict(Counter), Counter()
        for case in cases:
            got = results[case["id"]]
            hits, misses, extras = match(case, got)
            want = bool(case["expected"])
            key = ("tp" if got else "fn") if want else ("fp" if extras else "tn")
            total[key] += 1
            for name, rows in (("tp", hits), ("fn", misses), ("fp", extras)):
                for row in rows:
                    types[row[0]][name] += 1
                    found[name] += 1
            if errors and (misses or extras):
                print(f"  {key} {case['id']} [{case.get('tag')}] missed {misses} extra {extras}"
                      f" said {[(x['type'], x.get('target'), x['quote']) for x in got]}"
                      f" actor={case['state']['active_actor_id']}"
                      f" acts={[(a['tool'], *a['args'].values()) for a in case['applied_actions']]}"
                      f"\n     {case['narrative']}")
        p, r = total["tp"], total["tp"]
        print(f"{path}: {len(cases)} cases, precision {ratio(p, total['tp'] + total['fp'])}"
              f" recall {ratio(r, total['tp'] + total['fn'])}"
              f" (tp {total['tp']} fp {total['fp']} fn {total['fn']} tn {total['tn']});"
              f" findings precision {ratio(found['tp'], found['tp'] + found['fp'])}"
              f" recall {ratio(found['tp'], found['tp'] + found['fn'])}")
        for name in TYPES:
            n = types[name]
            if n:
                print(f"    {name:16s} precision {ratio(n['tp'], n['tp'] + n['fp'])} recall"
                      f" {ratio(n['tp'], n['tp'] + n['fn'])} (tp {n['tp']} fp {n['fp']} fn {n['fn']})")
        if floor and total["tp"] + total["fp"] and (
                total["tp"] / (total["tp"] + total["fp"]) < floor[0]
                or total["tp"] / max(1, total["tp"] + total["fn"]) < floor[1]):
            print(f"    below the floor {floor[0]} / {floor[1]}")
            bad = True
        if spoilt_max is not None and total["fp"] > spoilt_max:
            print(f"    more than {spoilt_max} clean cases have a finding")
            bad = True
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
