#!/usr/bin/env python3
"""Puts defects back into the product, one at a time, and counts how many the simulator finds.

    tools/mutations.py [--seeds N] [--turns N] [--jobs N] [NAME …]
    tools/mutations.py --list

The sources are copied into build/mutations, every defect is put in behind a switch, and the simulator is
built once; the tree itself stays as it is. MUTATED("name") is true in a run of that defect. The text that
an entry replaces must occur exactly once in its file.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCRATCH = ROOT / "build" / "mutations"

SWITCH = """#include <cstdlib>
#include <string_view>
static bool MUTATED(std::string_view name) {
    static const char* const chosen = std::getenv("ARBITER_MUTATION");
    return chosen != nullptr && name == chosen;
}
"""

# file, its text, the text with its defects
MUTATIONS = [
    ("src/expr/internal/formula_run.cpp", "return node.has_pairs ? undescribed(at) : at;",
     'return node.has_pairs || MUTATED("two_flags_are_a_pair") ? undescribed(at) : at;'),
    ("src/ledger/campaign.cpp", "prepared.undo = record.edit ? row_.undo : std::nullopt;",
     """prepared.undo = record.edit ? row_.undo : std::nullopt;
    if (MUTATED("undo_lost_after_edit")) { prepared.undo.reset(); }
    if (MUTATED("undo_kept_after_turn")) { prepared.undo = row_.undo; }"""),
    ("src/ledger/campaign.cpp", "move_head(to, row_.undo ? row_.undo : row_.head)",
     'move_head(to, row_.undo && !MUTATED("second_rollback_forgets_first") ? row_.undo : row_.head)'),
    ("src/ledger/campaign.cpp", "return to == head() ? settle() : move_head(to, std::nullopt);",
     """return to == head() ? settle()
                        : move_head(to, MUTATED("branch_keeps_undo") ? row_.undo : std::nullopt);"""),
    ("src/ledger/campaign.cpp",
     "commit.head = HeadMove{stored_head(), prepared.id, prepared.undo};",
     """commit.head = HeadMove{stored_head(), prepared.id, prepared.undo};
    if (MUTATED("stale_writer_wins")) {
        if (const auto there = store_->campaign(row_.id)) {
            commit.head = HeadMove{there->head, prepared.id, prepared.undo};
        }
    }"""),
    ("src/ledger/campaign.cpp", "commit.keys.push_back({record.key->key, prepared.id});",
     'if (!MUTATED("key_not_stored")) { commit.keys.push_back({record.key->key, prepared.id}); }'),
    ("src/ledger/campaign.cpp",
     "    row_.undo = undo;\n    stored_.reset();\n    set_state(*std::move(loaded));",
     """    row_.undo = undo;
    stored_.reset();
    if (!MUTATED("state_of_session_not_moved")) { set_state(*std::move(loaded)); }"""),
    ("src/turn/finish.cpp", "internal::add_effect(finished.attempt, std::move(effect));",
     """if (!MUTATED("closing_effects_lost")) {
            internal::add_effect(finished.attempt, std::move(effect));
        }"""),
    ("src/turn/machine.cpp", "ending.uncommitted = uncommitted_;",
     'if (!MUTATED("failed_turns_are_free")) { ending.uncommitted = uncommitted_; }'),
    ("src/turn/machine.cpp", "reached_cap(begun_.settings, usage_, total)",
     'reached_cap(begun_.settings, MUTATED("cap_ignores_this_turn") ? Usage() : usage_, total)'),
    ("src/turn/machine.cpp",
     "return redactor_->text(visible_text(reading.text, reader::told(reading), replacements, 0));",
     """if (MUTATED("goal_shown")) {
        return table::Redactor(begun_.state.document, table::Viewer::kOperator)
            .text(visible_text(reading.text, reader::told(reading), replacements, 0));
    }
    return redactor_->text(visible_text(reading.text, reader::told(reading), replacements, 0));"""),
    ("src/campaign/session.cpp", "    uncommitted_usage_ = {};\n",
     '    if (!MUTATED("usage_not_reset")) { uncommitted_usage_ = {}; }\n'),
    ("src/campaign/session.cpp", "turn.globals = options_.globals;",
     'if (!MUTATED("setting_of_globals_lost")) { turn.globals = options_.globals; }'),
    ("src/campaign/new_turn.cpp", "made.story_tokens = turn.story_tokens;",
     'if (!MUTATED("story_tokens_not_stored")) { made.story_tokens = turn.story_tokens; }'),
    ("src/campaign/session.cpp", "    inputs_.forget_history();\n",
     '    if (!MUTATED("history_keeps_what_was_rolled_back")) { inputs_.forget_history(); }\n'),
    ("src/turn/judge.cpp", "context_.turn_start = before_;",
     'if (!MUTATED("limit_per_turn_from_last_command")) { context_.turn_start = before_; }'),
    ("src/turn/judge.cpp", "        own.is_text = true;\n",
     '        own.is_text = !MUTATED("greeting_writes_the_table");\n'),
    ("src/turn/judge.cpp",
     "verdict.status = Status::kRolledBack;\n            verdict.changes.clear();",
     """if (!MUTATED("transaction_keeps_parts")) { verdict.status = Status::kRolledBack; }
            verdict.changes.clear();"""),
    ("src/turn/round_texts.cpp", "const value::Change change = redactor.change(each);",
     'const value::Change change = MUTATED("hidden_node_in_settled_changes") ? each '
     ': redactor.change(each);'),
    ("src/rules/limit.cpp", "if (const auto turn = bound(terms_.per_turn)) {",
     'if (const auto turn = bound(terms_.per_turn); turn && !MUTATED("limit_per_turn_gone")) {'),
    ("src/table/life.cpp", "std::clamp<std::int64_t>(hp->current, 0, max);",
     'MUTATED("hp_above_maximum") ? hp->current : std::clamp<std::int64_t>(hp->current, 0, max);'),
    ("src/table/internal/tools_body.cpp", "std::clamp<std::int64_t>(old + delta, 0, max);",
     'MUTATED("hp_delta_unclamped") ? old + delta : std::clamp<std::int64_t>(old + delta, 0, max);'),
    ("src/table/internal/tools_body.cpp",
     "set_at(campaign_path({\"characters\", actor, \"area_id\"}), text(to))",
     "set_at(campaign_path({\"characters\", actor, \"area_id\"}), "
     "MUTATED(\"move_to_nowhere\") ? text(\"nowhere\") : text(to))"),
    ("src/table/internal/tools_play.cpp", "set_at(source, row.set(\"count\", had - count))",
     "set_at(source, row.set(\"count\", MUTATED(\"transfer_copies\") ? had : had - count))"),
    ("src/engine/internal/world.cpp", "if (actor == Actor::kModel && !is_protected(*after)) {",
     'if (actor == Actor::kModel && !is_protected(*after) && '
     '!MUTATED("protection_lifted_by_model")) {'),
    ("src/engine/numbers.cpp", "if (const auto lost = lost_number(start.meta, *at)) {",
     'if (const auto lost = lost_number(start.meta, *at); '
     'lost && !MUTATED("limit_forgets_lost_number")) {'),
    ("src/prompt/state_view.cpp", "return engine::is_hidden(value, view.needs_filter);",
     'return !MUTATED("hidden_node_in_prompt") && engine::is_hidden(value, view.needs_filter);'),
    ("src/ledger/store/memory.cpp",
     "if (commit.checkpoints_max > 0 && all.size() > commit.checkpoints_max) {",
     'if (commit.checkpoints_max > 0 && all.size() > commit.checkpoints_max && '
     '!MUTATED("checkpoints_without_limit")) {'),
    ("src/ledger/store/database.cpp", "{\"PRAGMA synchronous=FULL\",",
     "{MUTATED(\"sync_not_awaited\") ? \"PRAGMA synchronous=OFF\" : \"PRAGMA synchronous=FULL\","),
    ("src/server/chat_records.cpp", "reply.is_aborted = member(action, \"what\") == kAbortedReply;",
     'reply.is_aborted = member(action, "what") == kAbortedReply && '
     '!MUTATED("aborted_reply_forgotten");'),
]


def names_in(text):
    return re.findall(r'MUTATED\("(\w+)"\)', text)


NAMES = [name for _, _, text in MUTATIONS for name in names_in(text)]


def run(*command, **options):
    return subprocess.run(command, cwd=SCRATCH, text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **options)


def mutated_sources():
    """The texts of the files that have defects. Fails for an entry that does not fit."""
    texts = {}
    for file, text, defect in MUTATIONS:
        source = texts.get(file) or (ROOT / file).read_text(encoding="utf-8")
        if source.count(text) != 1:
            sys.exit(f"{', '.join(names_in(defect))}: the text occurs {source.count(text)} times in {file}")
        texts[file] = source.replace(text, defect)
    return {file: SWITCH + text for file, text in texts.items()}


def write_if_other(path, content):
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_sources():
    """Only files that differ are written, so that a second run builds little."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True).stdout
    mutated = mutated_sources()
    for name in listed.splitlines():
        source = ROOT / name
        if source.is_file():
            write_if_other(SCRATCH / name,
                           mutated[name].encode() if name in mutated else source.read_bytes())
            shutil.copymode(source, SCRATCH / name)
    # The page is not part of the repository.
    shutil.copytree(ROOT / "web" / "embedded", SCRATCH / "web" / "embedded", dirs_exist_ok=True)


def play(arguments, first, seeds, mutation=None):
    """The text of a run that ends at its first failure, and the seeds and turns that it played."""
    environment = {**os.environ, "ARBITER_MUTATION": mutation or ""}
    played = run("build/release/arbiter_sim", "--first", str(first), "--seeds", str(seeds), "--turns",
                 str(arguments.turns), "--jobs", str(arguments.jobs), "--stop", "--brief",
                 env=environment).stdout
    seeds, turns = re.search(r"(\d+) seeds, (\d+) turns in", played).groups()
    return played, int(seeds), int(turns)


def attempt(name, arguments):
    """Prints the row of a defect. A seed counts if it passes without the defect."""
    first, seeds, turns, oracle = 1, 0, 0, None
    while oracle is None and first <= arguments.seeds:
        played, more_seeds, more_turns = play(arguments, first, arguments.seeds - first + 1, name)
        seeds, turns = seeds + more_seeds, turns + more_turns
        failed = re.search(r"^  (\d+): (.*?)(?: \(step \d+\).*)?$", played, re.MULTILINE)
        if failed is None:
            break
        if "failed:" in play(arguments, int(failed[1]), 1)[0]:
            first = int(failed[1]) + 1
        else:
            oracle = failed[2]
    print(f"| `{name}` | {oracle or 'NOT FOUND'} | {seeds} | {turns} |", flush=True)
    return oracle is not None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.list:
        mutated_sources()
        print("\n".join(NAMES))
        return 0
    SCRATCH.mkdir(parents=True, exist_ok=True)
    copy_sources()
    if not (SCRATCH / "build/release/build.ninja").is_file():
        run("cmake", "--preset", "release")
    built = run("ninja", "-C", "build/release", "arbiter_sim")
    if built.returncode != 0:
        print("\n".join(line for line in built.stdout.splitlines() if "error" in line))
        return 2
    print("| defect | found by | seeds | turns |\n| --- | --- | --- | --- |")
    wanted = arguments.names or NAMES
    found = sum(attempt(name, arguments) for name in wanted)
    print(f"{found} of {len(wanted)} found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
