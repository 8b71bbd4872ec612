#include "ledger/history.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "base/messages.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;
using value::Array;
using value::Path;
using value::Value;

namespace {

std::string_view text_of(const Value& record, std::string_view key) {
    const Value* found = record.is_object() ? record.as_object().find(key) : nullptr;
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

bool begins_with(const Path& path, const Path& outer) {
    return path.size() >= outer.size() && std::equal(outer.begin(), outer.end(), path.begin());
}

// Whether an audit record is about a path: at it, below it, or (`around`) above it.
bool is_about(const Value& record, const Path& path, bool around) {
    const auto key = value::parse_path(text_of(record, "key"), value::PathSyntax::kDotted);
    return key && (begins_with(*key, path) || (around && begins_with(path, *key)));
}

bool has_tag(const Value& record, const std::string& tag) {
    const Value* tags = record.is_object() ? record.as_object().find("tags") : nullptr;
    return tags != nullptr && tags->is_array() &&
           std::ranges::any_of(tags->as_array(), [&](const Value& each) {
               return each.is_string() && each.as_string() == tag;
           });
}

bool fits(const Value& record, const AuditFilter& filter) {
    return (filter.path.empty() || is_about(record, filter.path, false)) &&
           (filter.actor.empty() || text_of(record, "actor") == filter.actor) &&
           (filter.tag.empty() || has_tag(record, filter.tag)) &&
           (filter.reason.empty() ||
            text_of(record, "reason").find(filter.reason) != std::string_view::npos) &&
           (filter.status.empty() || text_of(record, "status") == filter.status);
}

std::optional<Value> found_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

}  // namespace

Result<> visit_line(const Campaign& campaign, const std::function<Result<>(const TurnRow&)>& each,
                    const Progress& progress) {
    const auto line = campaign.line_to(campaign.head());
    if (!line) {
        return std::unexpected(line.error());
    }
    std::size_t next = 0;
    Result<> done;
    // Parents were kept before their children, so the line comes in its order.
    auto visited =
        campaign.store().visit_turns(campaign.row().id, std::nullopt, [&](const TurnRow& row) {
            if (next == line->size()) {
                return false;
            }
            if (row.id != (*line)[next]) {
                return true;
            }
            if (progress && !progress(next, line->size())) {
                return false;
            }
            ++next;
            done = each(row);
            return done.has_value();
        });
    return visited ? done : visited;
}

Result<std::vector<AuditEntry>> audit(const Campaign& campaign, const AuditFilter& filter,
                                      const Progress& progress) {
    std::vector<AuditEntry> entries;
    auto done = visit_line(
        campaign,
        [&](const TurnRow& row) -> Result<> {
            if ((filter.turn && *filter.turn != row.number) ||
                (filter.from && row.time < *filter.from) || (filter.to && row.time > *filter.to)) {
                return {};
            }
            const auto turn = campaign.record_of(row);
            if (!turn) {
                return std::unexpected(turn.error());
            }
            for (const Value& record : turn->audit) {
                if (fits(record, filter)) {
                    entries.push_back({row.id, row.number, record});
                }
            }
            return {};
        },
        progress);
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return entries;
}

Result<std::vector<BlameEntry>> blame(const Campaign& campaign, const Path& path,
                                      const Progress& progress) {
    std::vector<BlameEntry> entries;
    std::optional<State> state;
    auto done = visit_line(
        campaign,
        [&](const TurnRow& row) -> Result<> {
            const auto head = campaign.head_of(row);
            auto next = !head   ? std::unexpected(head.error())
                        : state ? step(*state, *head)
                                : campaign.state_at(row.id);
            if (!next) {
                return std::unexpected(std::move(next).error());
            }
            const auto before = state ? found_at(state->document, path) : std::nullopt;
            auto after = found_at(next->document, path);
            state = *std::move(next);
            if (before == after) {
                return {};
            }
            const auto turn = campaign.record_of(row);
            if (!turn) {
                return std::unexpected(turn.error());
            }
            BlameEntry entry{row.id, turn->number,     turn->actor, turn->time,
                             before, std::move(after), {}};
            for (const Value& record : turn->audit) {
                if (text_of(record, "status") == "applied" && is_about(record, path, true)) {
                    entry.records = std::move(entry.records).push_back(record);
                }
            }
            entries.push_back(std::move(entry));
            return {};
        },
        progress);
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return entries;
}

namespace {

// Checks the turns of a campaign as they come.
class Verifying {
  public:
    Verifying(const Campaign& campaign, const std::vector<TurnRow>& rows,
              std::vector<TurnId> keyframes, Report& report)
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
            complain(row, base::explain(record.error(), base::Language::kEnglish));
            return;
        }
        report_.commands += record->proposals.size();
        if (record->parent != row.parent || record->number != row.number ||
            record->time != row.time) {
            complain(row, "its row in the index says something else");
        }
        const auto parent = row.parent ? numbers_.find(*row.parent) : numbers_.end();
        if (row.parent && (parent == numbers_.end() || parent->second + 1 != row.number)) {
            complain(row, "the turn before it is missing or has a wrong number");
        }
        std::optional<State> after = stepped(row, *record);
        if (std::ranges::binary_search(keyframes_, row.id)) {
            const auto bytes = campaign_.store().keyframe(campaign_.row().id, row.id);
            const auto text = bytes && *bytes ? unpack(**bytes, base::kRecordBytesMax)
                                              : Result<std::string>(std::string());
            auto state = text ? parse_state(*text) : std::unexpected(text.error());
            if (!state || hash_of(*state) != record->state) {
                complain(row, "its kept state is damaged");
            } else if (!after) {
                after = *std::move(state);
            }
        } else if (!row.parent) {
            complain(row, "the state in which it began is missing");
        }
        if (after && children_.contains(row.id)) {
            states_.emplace(row.id, *std::move(after));
        }
    }

    [[nodiscard]] bool has_seen(const TurnId& id) const { return numbers_.contains(id); }

  private:
    void complain(const TurnRow& row, std::string what) {
        report_.findings.push_back({row.id, row.number, std::move(what)});
    }
    // What the turn makes of the state of its parent, if that is known.
    std::optional<State> stepped(const TurnRow& row, const Record& record) {
        const auto before = row.parent ? states_.find(*row.parent) : states_.end();
        if (before == states_.end()) {
            return std::nullopt;
        }
        auto after = step(before->second, record);
        if (!after) {
            complain(row, after.error().arguments.back());
        }
        if (--children_[*row.parent] == 0) {
            states_.erase(before);
        }
        return after ? std::optional(*std::move(after)) : std::nullopt;
    }

    const Campaign& campaign_;
    std::vector<TurnId> keyframes_;
    Report& report_;
    std::map<TurnId, std::size_t> children_;  // that have yet to come
    std::map<TurnId, State> states_;          // of turns that have some
    std::map<TurnId, std::int64_t> numbers_;
};

}  // namespace

Result<Report> verify(const Campaign& campaign, const Progress& progress) {
    Report report;
    const auto rows = campaign.turns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    auto keyframes = campaign.store().keyframes(campaign.row().id);
    if (!keyframes) {
        return std::unexpected(std::move(keyframes).error());
    }
    Verifying verifying(campaign, *rows, *std::move(keyframes), report);
    auto visited =
        campaign.store().visit_turns(campaign.row().id, std::nullopt, [&](const TurnRow& row) {
            report.stopped = progress && !progress(report.turns, rows->size());
            if (!report.stopped) {
                verifying.check(row);
            }
            return !report.stopped;
        });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    if (!report.stopped && !verifying.has_seen(campaign.head())) {
        report.findings.push_back({campaign.head(), campaign.number(), "the head is missing"});
    }
    return report;
}

Result<std::size_t> thin(const Campaign& campaign, const Thinning& thinning) {
    const auto rows = campaign.turns();
    const auto kept = campaign.store().keyframes(campaign.row().id);
    const auto checkpoints = campaign.checkpoints();
    if (!rows || !kept || !checkpoints) {
        return std::unexpected(!rows ? rows.error() : !kept ? kept.error() : checkpoints.error());
    }
    std::map<TurnId, std::int64_t> numbers;
    std::int64_t last = 0;
    for (const TurnRow& row : *rows) {
        numbers[row.id] = row.number;
        last = std::max(last, row.number);
    }
    std::size_t dropped = 0;
    for (const TurnId& id : *kept) {
        const auto number = numbers.find(id);
        const bool stays =
            number == numbers.end() || number->second > last - thinning.recent ||
            number->second % std::max<std::int64_t>(thinning.every, 1) == 0 ||
            id == campaign.head() ||
            std::ranges::find(*checkpoints, id, &Checkpoint::turn) != checkpoints->end();
        if (stays) {
            continue;
        }
        if (auto done = campaign.store().drop_keyframe(campaign.row().id, id); !done) {
            return std::unexpected(std::move(done).error());
        }
        ++dropped;
    }
    return dropped;
}

}  // namespace arbiter::ledger
