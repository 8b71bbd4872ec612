#include "ledger/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;

namespace {

constexpr const char* kTextDamaged = "a rule text is missing or damaged";

// Checks turns in the order in which they were stored.
class TurnChecker {
  public:
    TurnChecker(const Campaign& campaign, const std::vector<TurnRow>& rows,
                std::vector<TurnId> keyframes, CheckReport& report)
        : campaign_(campaign), keyframes_(std::move(keyframes)), report_(report) {
        std::ranges::sort(keyframes_);
        for (const TurnRow& row : rows) {
            if (row.parent) {
                ++children_[*row.parent];
            }
        }
    }

    void check(const TurnRow& row) {
        ++report_.turns;
        numbers_[row.id] = row.number;
        const auto record = campaign_.record_of(row);
        if (!record) {
            report(row, record.error().arguments.back());
            return;
        }
        report_.commands += record->said_proposals.size() + record->proposals.size();
        if (record->is_repaired) {
            report_.repaired.push_back({row.id, row.number, "it has bytes that are not UTF-8"});
        }
        if (!row.parent && (row.number != 0 || std::exchange(has_first_, true))) {
            report(row, "it has no turn before it, but is not the first");
        }
        check_texts(row, *record);
        if (record->key) {
            const auto found = campaign_.store().turn_of_key(campaign_.row().id, record->key->key);
            if (!found || !*found) {
                report(row, "its key is missing", record->key->key);
            }
        }
        const auto parent = row.parent ? numbers_.find(*row.parent) : numbers_.end();
        if (row.parent && (parent == numbers_.end() || parent->second + 1 != row.number)) {
            report(row, "the turn before it is missing or has a wrong number");
        }
        std::optional<State> after = stepped(row, *record);
        if (std::ranges::binary_search(keyframes_, row.id)) {
            const auto bytes = campaign_.store().keyframe(campaign_.row().id, row.id);
            const auto text = bytes && *bytes ? unpack(**bytes, base::kRecordBytesMax)
                                              : Result<std::string>(std::string());
            auto state = text ? parse_state(*text) : std::unexpected(text.error());
            if (!state || hash_of(*state) != record->state) {
                report(row, "its stored state is damaged");
            } else if (!after) {
                after = *std::move(state);
            }
        } else if (!row.parent) {
            report(row, "the state of the first turn is missing");
        }
        if (after && children_.contains(row.id)) {
            states_.emplace(row.id, *std::move(after));
        }
    }

    // After all turns: pointers into the tree.
    Result<> check_pointers() {
        const CampaignRow& row = campaign_.row();
        expect(campaign_.head(), "the head is missing");
        if (row.undo) {
            expect(*row.undo, "the turn that undo leads to is missing");
        }
        const auto checkpoints = campaign_.checkpoints();
        if (!checkpoints) {
            return std::unexpected(checkpoints.error());
        }
        for (const Checkpoint& each : *checkpoints) {
            expect(each.turn, "the turn of a checkpoint is missing", each.label);
        }
        for (const TurnId& id : keyframes_) {
            expect(id, "the turn of a stored state is missing");
        }
        return {};
    }

  private:
    void report(const TurnRow& row, std::string message, std::string about = {}) {
        report_.defects.push_back({row.id, row.number, std::move(message), std::move(about)});
    }
    void expect(const TurnId& id, std::string message, std::string about = {}) {
        if (!numbers_.contains(id)) {
            report_.defects.push_back({id, 0, std::move(message), text::repair(about)});
        }
    }
    // Each text is checked once, at the first turn that names it.
    void check_texts(const TurnRow& row, const Record& record) {
        for (const auto& [name, digest] : record.rules) {
            const auto id =
                digest.is_string() ? Digest::from_hex(digest.as_string()) : std::optional<Digest>();
            if (id && !texts_.insert(*id).second) {
                continue;
            }
            if (!id || !load_text(campaign_.store(), campaign_.row().id, *id)) {
                report(row, kTextDamaged, std::string(name.view()));
            }
        }
    }
    // The state after the turn, if the state of its parent is known.
    std::optional<State> stepped(const TurnRow& row, const Record& record) {
        const auto before = row.parent ? states_.find(*row.parent) : states_.end();
        if (before == states_.end()) {
            return std::nullopt;
        }
        auto after = step(before->second, record);
        if (!after) {
            report(row, after.error().arguments.back());
        }
        if (--children_[*row.parent] == 0) {
            states_.erase(before);
        }
        return after ? std::optional(*std::move(after)) : std::nullopt;
    }

    const Campaign& campaign_;
    std::vector<TurnId> keyframes_;
    CheckReport& report_;
    std::map<TurnId, std::size_t> children_;  // not visited yet
    std::map<TurnId, State> states_;          // of turns that have such children
    std::map<TurnId, std::int64_t> numbers_;
    std::set<Digest> texts_;
    bool has_first_ = false;
};

}  // namespace

Result<CheckReport> verify(const Campaign& campaign, const Progress& progress) {
    CheckReport report;
    const auto rows = campaign.turns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    auto keyframes = campaign.store().keyframes(campaign.row().id);
    if (!keyframes) {
        return std::unexpected(std::move(keyframes).error());
    }
    TurnChecker checker(campaign, *rows, *std::move(keyframes), report);
    auto visited =
        campaign.store().visit_turns(campaign.row().id, std::nullopt, [&](const TurnRow& row) {
            report.is_stopped = progress && !progress(report.turns, rows->size());
            if (!report.is_stopped) {
                checker.check(row);
            }
            return !report.is_stopped;
        });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    if (report.is_stopped) {
        return report;
    }
    if (auto checked = checker.check_pointers(); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    return report;
}

Result<std::string> load_text(Store& store, std::string_view campaign, const Digest& digest) {
    const auto packed = store.blob(campaign, digest);
    if (!packed) {
        return std::unexpected(packed.error());
    }
    auto text = *packed ? unpack(**packed, base::kRecordBytesMax) : Result<std::string>("");
    if (!text || sha256(*text) != digest) {
        return base::fail(base::ErrorCode::kCorrupt, {"a record", kTextDamaged});
    }
    return text;
}

}  // namespace arbiter::ledger
