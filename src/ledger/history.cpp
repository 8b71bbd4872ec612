#include "ledger/history.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "base/messages.h"
#include "proposal/codec.h"
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

bool fits(const Value& record, const Record& turn, const AuditFilter& filter) {
    return (filter.path.empty() || is_about(record, filter.path, false)) &&
           (filter.actor.empty() || text_of(record, "actor") == filter.actor) &&
           (filter.tag.empty() || has_tag(record, filter.tag)) &&
           (filter.reason.empty() ||
            text_of(record, "reason").find(filter.reason) != std::string_view::npos) &&
           (filter.status.empty() || text_of(record, "status") == filter.status) &&
           (!filter.turn || *filter.turn == turn.number) &&
           (!filter.from || turn.time >= *filter.from) && (!filter.to || turn.time <= *filter.to);
}

// Visits the records of the line to the head; `each` gives false to stop.
template <typename Each>
Result<> along(const Campaign& campaign, const Progress& progress, Each each) {
    const auto line = campaign.line_to(campaign.head());
    if (!line) {
        return std::unexpected(line.error());
    }
    for (std::size_t i = 0; i < line->size(); ++i) {
        if (progress && !progress(i, line->size())) {
            return {};
        }
        const auto record = campaign.record((*line)[i]);
        if (!record) {
            return std::unexpected(record.error());
        }
        if (!each((*line)[i], *record)) {
            return {};
        }
    }
    return {};
}

std::optional<Value> found_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

}  // namespace

Result<std::vector<AuditEntry>> audit(const Campaign& campaign, const AuditFilter& filter,
                                      const Progress& progress) {
    std::vector<AuditEntry> entries;
    auto done = along(campaign, progress, [&](const TurnId& id, const Record& turn) {
        for (const Value& record : turn.audit) {
            if (fits(record, turn, filter)) {
                entries.push_back({id, turn.number, record});
            }
        }
        return true;
    });
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return entries;
}

Result<std::vector<BlameEntry>> blame(const Campaign& campaign, const Path& path,
                                      const Progress& progress) {
    std::vector<BlameEntry> entries;
    std::optional<State> state;
    Result<> broken;
    auto done = along(campaign, progress, [&](const TurnId& id, const Record& turn) {
        auto next = state ? step(*state, turn) : campaign.state_at(id);
        if (!next) {
            broken = std::unexpected(std::move(next).error());
            return false;
        }
        const auto before = state ? found_at(state->document, path) : std::nullopt;
        auto after = found_at(next->document, path);
        if (before != after) {
            BlameEntry entry{id, turn.number, turn.actor, turn.time, before, std::move(after), {}};
            for (const Value& record : turn.audit) {
                if (text_of(record, "status") == "applied" && is_about(record, path, true)) {
                    entry.records = std::move(entry.records).push_back(record);
                }
            }
            entries.push_back(std::move(entry));
        }
        state = *std::move(next);
        return true;
    });
    if (done && !broken) {
        done = std::move(broken);
    }
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return entries;
}

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
    std::ranges::sort(*keyframes);
    const auto complain = [&](const TurnRow& row, std::string what) {
        report.findings.push_back({row.id, row.number, std::move(what)});
    };
    // States of turns whose children have yet to come.
    std::map<TurnId, std::size_t> children;
    for (const TurnRow& row : *rows) {
        if (row.parent) {
            ++children[*row.parent];
        }
    }
    std::map<TurnId, State> states;
    std::map<TurnId, std::int64_t> numbers;
    for (const TurnRow& row : *rows) {
        if (progress && !progress(report.turns, rows->size())) {
            report.stopped = true;
            return report;
        }
        ++report.turns;
        numbers[row.id] = row.number;
        const auto record = campaign.record(row.id);
        if (!record) {
            complain(row, base::explain(record.error(), base::Language::kEnglish));
            continue;
        }
        report.commands += record->proposals.size();
        if (record->parent != row.parent || record->number != row.number ||
            record->time != row.time) {
            complain(row, "its row in the index says something else");
        }
        const auto parent = row.parent ? numbers.find(*row.parent) : numbers.end();
        if (row.parent && (parent == numbers.end() || parent->second + 1 != row.number)) {
            complain(row, "the turn before it is missing or has a wrong number");
        }
        const bool kept = std::ranges::binary_search(*keyframes, row.id);
        const auto before = row.parent ? states.find(*row.parent) : states.end();
        std::optional<State> after;
        if (before != states.end()) {
            auto stepped = step(before->second, *record);
            if (!stepped) {
                complain(row, stepped.error().arguments.back());
            } else {
                after = *std::move(stepped);
            }
            if (--children[*row.parent] == 0) {
                states.erase(before);
            }
        }
        if (kept) {
            const auto bytes = campaign.store().keyframe(campaign.row().id, row.id);
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
        if (after && children.contains(row.id)) {
            states.emplace(row.id, *std::move(after));
        }
    }
    if (!numbers.contains(campaign.head())) {
        report.findings.push_back({campaign.head(), campaign.number(), "the head is missing"});
    }
    return report;
}

Result<Report> rebuild(const Campaign& campaign, const Resolve& resolve, const Progress& progress) {
    Report report;
    std::optional<State> state;
    std::optional<rules::Setting> setting;
    value::Object under;
    rules::Memories memories;
    Result<> broken;
    auto done = along(
        campaign,
        [&](std::size_t now, std::size_t all) {
            report.stopped = progress && !progress(now, all);
            return !report.stopped;
        },
        [&](const TurnId& id, const Record& turn) {
            const auto complain = [&](std::string what) {
                report.findings.push_back({id, turn.number, std::move(what)});
            };
            ++report.turns;
            if (!state || turn.extra.contains("edit")) {
                // The beginning, and what no command did, is as it was kept.
                auto kept = state ? step(*state, turn) : campaign.state_at(id);
                if (!kept) {
                    broken = std::unexpected(std::move(kept).error());
                    return false;
                }
                state = *std::move(kept);
                return true;
            }
            if (!setting || Value(under) != Value(turn.rules)) {
                auto resolved = resolve(turn.rules);
                if (!resolved) {
                    broken = std::unexpected(std::move(resolved).error());
                    return false;
                }
                setting = *std::move(resolved);
                under = turn.rules;
                memories.clear();
            }
            std::vector<proposal::Proposal> proposals;
            for (const Value& each : turn.proposals) {
                auto decoded = proposal::decode(each);
                if (!decoded) {
                    complain(base::explain(decoded.error(), base::Language::kEnglish));
                    continue;
                }
                proposals.push_back(*std::move(decoded));
            }
            report.commands += proposals.size();
            const engine::Context context{turn.time, turn.actor, turn.batch};
            rules::Played played =
                rules::play(*state, proposals, turn.shown, *setting, context, &memories);
            if (hash_of(played.outcome.state) != turn.state) {
                complain("playing it again leads to another state");
                // Go on from what was kept, so that one difference is told once.
                auto kept = step(*state, turn);
                if (kept) {
                    state = *std::move(kept);
                    return true;
                }
            }
            state = std::move(played.outcome.state);
            return true;
        });
    if (done && !broken) {
        done = std::move(broken);
    }
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return report;
}

Result<std::size_t> thin(const Campaign& campaign, std::size_t every) {
    const auto rows = campaign.turns();
    const auto kept = campaign.store().keyframes(campaign.row().id);
    if (!rows || !kept) {
        return std::unexpected(!rows ? rows.error() : kept.error());
    }
    std::map<TurnId, std::int64_t> numbers;
    for (const TurnRow& row : *rows) {
        numbers[row.id] = row.number;
    }
    const auto distance = static_cast<std::int64_t>(std::max<std::size_t>(every, 1)) * 100;
    std::size_t dropped = 0;
    for (const TurnId& id : *kept) {
        const auto number = numbers.find(id);
        if (number == numbers.end() || number->second % distance == 0 || id == campaign.head()) {
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
