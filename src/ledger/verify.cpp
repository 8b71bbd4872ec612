#include "ledger/verify.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "base/messages.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;

namespace {

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
            report(row, base::explain(record.error(), base::Language::kEnglish));
            return;
        }
        report_.commands += record->said_proposals.size() + record->proposals.size();
        if (record->parent != row.parent || record->number != row.number ||
            record->time != row.time) {
            report(row, "its row disagrees with its record");
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

    [[nodiscard]] bool has_seen(const TurnId& id) const { return numbers_.contains(id); }

  private:
    void report(const TurnRow& row, std::string message) {
        report_.defects.push_back({row.id, row.number, std::move(message)});
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
    if (!report.is_stopped && !checker.has_seen(campaign.head())) {
        report.defects.push_back({campaign.head(), campaign.number(), "the head is missing"});
    }
    return report;
}

}  // namespace arbiter::ledger
