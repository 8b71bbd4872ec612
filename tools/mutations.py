#!/usr/bin/env python3
"""Puts defects back into the product, one at a time, and counts how many the simulator finds.

    tools/mutations.py [--seeds N] [--turns N] [--jobs N] [NAME …]
    tools/mutations.py --list

The sources are copied into build/mutations and built there; the tree itself stays as it is. A
defect is a small edit: the text that is replaced must occur exactly once in its file.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "mutations"

# name, file, the text, the defect
MUTATIONS = [
    ("undo_lost_after_edit", "src/ledger/campaign.cpp",
     "prepared.undo = record.edit ? row_.undo : std::nullopt;", "prepared.undo = std::nullopt;"),
    ("undo_kept_after_turn", "src/ledger/campaign.cpp",
     "prepared.undo = record.edit ? row_.undo : std::nullopt;", "prepared.undo = row_.undo;"),
    ("second_rollback_forgets_first", "src/ledger/campaign.cpp",
     "move_head(to, row_.undo ? row_.undo : row_.head)", "move_head(to, row_.head)"),
    ("branch_keeps_undo", "src/ledger/campaign.cpp",
     "return to == head() ? Result<>() : move_head(to, std::nullopt);",
     "return to == head() ? Result<>() : move_head(to, row_.undo);"),
    ("stale_writer_wins", "src/ledger/campaign.cpp",
     "commit.head = HeadMove{stored_head_.value_or(head()), prepared.id, prepared.undo};",
     "const auto there = store_->campaign(row_.id); commit.head = HeadMove{there ? there->head : "
     "row_.head, prepared.id, prepared.undo};"),
    ("key_not_stored", "src/ledger/campaign.cpp",
     "commit.keys.push_back({record.key->key, prepared.id});", ""),
    ("closing_effects_lost", "src/turn/finish.cpp",
     "internal::add_effect(finished.attempt, std::move(effect));", ""),
    ("failed_turns_are_free", "src/turn/machine.cpp",
     "ending.uncommitted = start_.uncommitted;", ""),
    ("usage_not_reset", "src/campaign/session.cpp",
     "campaign_.accept(std::move(pending.prepared));\n    uncommitted_usage_ = {};",
     "campaign_.accept(std::move(pending.prepared));"),
    ("cap_ignores_this_turn", "src/turn/machine.cpp",
     "reached_cap(begun_.settings, result_.usage, total)",
     "reached_cap(begun_.settings, Usage(), total)"),
    ("limit_per_turn_from_last_command", "src/turn/judge.cpp",
     "context_.turn_start = before_;", ""),
    ("limit_per_turn_gone", "src/rules/limit.cpp",
     "if (const auto turn = bound(terms_.per_turn)) {",
     "if (const auto turn = bound(terms_.per_turn); turn && *turn < 0) {"),
    ("hp_above_maximum", "src/table/life.cpp",
     "std::clamp<std::int64_t>(hp->current, 0, max);", "hp->current;"),
    ("hp_delta_unclamped", "src/table/internal/tools_body.cpp",
     "std::clamp<std::int64_t>(old + delta, 0, max);", "old + delta;"),
    ("transfer_copies", "src/table/internal/tools_play.cpp",
     "set_at(source, row.set(\"count\", had - count))", "set_at(source, row.set(\"count\", had))"),
    ("move_to_nowhere", "src/table/internal/tools_body.cpp",
     "set_at(campaign_path({\"characters\", actor, \"area_id\"}), text(to))",
     "set_at(campaign_path({\"characters\", actor, \"area_id\"}), text(\"nowhere\"))"),
    ("protection_lifted_by_model", "src/engine/internal/world.cpp",
     "if (actor == Actor::kModel && !is_protected(*after)) {",
     "if (actor == Actor::kSystem && !is_protected(*after)) {"),
    ("goal_shown", "src/turn/machine.cpp",
     "return redactor_->text(visible_text(reading.text, reader::told(reading), replacements, 0));",
     "return table::Redactor(begun_.state.document, table::Viewer::kOperator)\n        .text("
     "visible_text(reading.text, reader::told(reading), replacements, 0));"),
    ("hidden_node_in_settled_changes", "src/turn/round_texts.cpp",
     "const value::Change change = redactor.change(each);", "const value::Change& change = each;"),
    ("hidden_node_in_prompt", "src/prompt/state_view.cpp",
     "return engine::is_hidden(value, view.needs_filter);", "(void)value; (void)view; return false;"),
    ("transaction_keeps_parts", "src/turn/judge.cpp",
     "verdict.status = Status::kRolledBack;\n            verdict.changes.clear();",
     "verdict.changes.clear();"),
    ("story_tokens_not_stored", "src/campaign/new_turn.cpp",
     "made.story_tokens = turn.story_tokens;", ""),
    ("checkpoints_without_limit", "src/ledger/store/memory.cpp",
     "if (commit.checkpoints_max > 0 && all.size() > commit.checkpoints_max) {",
     "if (commit.checkpoints_max > 100 && all.size() > commit.checkpoints_max) {"),
    ("sync_not_awaited", "src/ledger/store/database.cpp",
     "PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF"),
    ("state_of_session_not_moved", "src/ledger/campaign.cpp",
     "    row_.undo = undo;\n    stored_head_.reset();\n    set_state(*std::move(loaded));",
     "    row_.undo = undo;\n    stored_head_.reset();"),
    ("limit_forgets_lost_number", "src/engine/numbers.cpp",
     "if (const auto lost = lost_number(start.meta, *at)) {",
     "if (const auto lost = lost_number(start.meta, *at); lost && *lost < -1e300) {"),
    ("aborted_reply_forgotten", "src/server/chat_records.cpp", "reply.is_aborted = true;", ""),
    ("session_keeps_memories", "src/campaign/session.cpp",
     "        inputs_.forget_history();\n        memories_.clear();", "        inputs_.forget_history();"),
    ("setting_of_globals_lost", "src/campaign/session.cpp", "turn.globals = options_.globals;", ""),
]


def run(*command, **options):
    return subprocess.run(command, cwd=SCRATCH, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, **options)


def copy_sources():
    """Only files that differ are written, so that a second run builds little."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True).stdout
    for name in listed.splitlines():
        source, target = ROOT / name, SCRATCH / name
        if not source.is_file():
            continue
        if not target.is_file() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)


def build():
    return run("ninja", "-C", "build/release", "arbiter_sim")


def attempt(name, file, text, defect, arguments):
    path = SCRATCH / file
    original = path.read_text(encoding="utf-8")
    if original.count(text) != 1:
        return f"{name}: the text occurs {original.count(text)} times in {file}", None
    path.write_text(original.replace(text, defect), encoding="utf-8")
    try:
        built = build()
        if built.returncode != 0:
            return f"{name}: does not build\n" + "\n".join(
                line for line in built.stdout.splitlines() if "error" in line)[:800], None
        played = run("build/release/arbiter_sim", "--seeds", str(arguments.seeds), "--turns",
                     str(arguments.turns), "--jobs", str(arguments.jobs), "--stop", "--brief")
        oracle = re.search(r"^  \d+: (.*?)(?: \(step \d+\))?$", played.stdout, re.MULTILINE)
        seeds, turns = re.search(r"(\d+) seeds, (\d+) turns in", played.stdout).groups()
        if not oracle:
            return f"| `{name}` | NOT FOUND | {seeds} | {turns} |", False
        return f"| `{name}` | {oracle[1]} | {seeds} | {turns} |", True
    finally:
        path.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.list:
        for name, file, text, _ in MUTATIONS:
            times = (ROOT / file).read_text(encoding="utf-8").count(text)
            print(f"{name}: {file}" + ("" if times == 1 else f" (the text occurs {times} times)"))
        return 0
    SCRATCH.mkdir(parents=True, exist_ok=True)
    copy_sources()
    if not (SCRATCH / "build/release/build.ninja").is_file():
        print(run("cmake", "--preset", "release").stdout.splitlines()[-1])
    if build().returncode != 0:
        print("the unchanged sources do not build")
        return 2
    found = tried = 0
    print("| defect | found by | seeds | turns |\n| --- | --- | --- | --- |")
    for mutation in MUTATIONS:
        if arguments.names and mutation[0] not in arguments.names:
            continue
        started = time.monotonic()
        line, was_found = attempt(*mutation, arguments)
        print(f"{line} ({time.monotonic() - started:.0f} s)", flush=True)
        tried += was_found is not None
        found += bool(was_found)
    print(f"{found} of {tried} found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
