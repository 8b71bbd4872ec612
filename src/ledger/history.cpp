#include "ledger/history.h"

#include <algorithm>

#include "ledger/line.h"
#include "ledger/stored_audit.h"

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

// True when an audit record is at a path, below it, or (`around`) above it.
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
    const auto line = Line::to_head(campaign);
    if (!line) {
        return std::unexpected(line.error());
    }
    std::size_t next = 0;
    std::optional<TurnId> last;
    bool is_stopped = false;
    Result<> done;
    // Parents are stored before their children, so the line is visited in its order.
    auto visited =
        campaign.store().visit_turns(campaign.row().id, std::nullopt, [&](const TurnRow& row) {
            if (next == line->size()) {
                return false;
            }
            if (!line->has_at(row, next)) {
                return true;
            }
            if (progress && !progress(next, line->size())) {
                is_stopped = true;
                return false;
            }
            ++next;
            done = row.parent == last ? each(row) : Line::broken_at(row.id);
            last = row.id;
            return done.has_value();
        });
    if (!visited || !done) {
        return visited ? done : visited;
    }
    return is_stopped || last == campaign.head() ? Result<>() : Line::broken_at(campaign.head());
}

Result<value::Diff> document_changes(const Campaign& campaign, const Record& turn) {
    if (turn.steps.size() <= 1 || !turn.parent) {
        return turn.steps.empty() ? value::Diff() : turn.steps[0];
    }
    const auto before = campaign.state_at(*turn.parent);
    if (!before) {
        return std::unexpected(before.error());
    }
    const auto after = apply_steps(turn.steps, before->document);
    if (!after) {
        return std::unexpected(after.error());
    }
    return value::diff(before->document, *after);
}

LineDocuments::Pair LineDocuments::at(const TurnRow& row) {
    Pair pair;
    Result<State> after = base::fail(base::ErrorCode::kNotFound, {row.id.brief()});
    if (row.parent) {
        Result<State> before =
            turn_ == *row.parent ? Result<State>(state_) : campaign_.state_at(*row.parent);
        const auto part = campaign_.replay_part_of(row);
        if (before) {
            pair.before = before->document;
            after = part ? step(*before, *part) : after;
        }
    }
    if (!after) {
        after = campaign_.state_at(row.id);
    }
    turn_.reset();
    if (after) {
        pair.after = after->document;
        state_ = *std::move(after);
        turn_ = row.id;
    }
    return pair;
}

Result<std::vector<AuditEntry>> audit(const Campaign& campaign, const AuditFilter& filter,
                                      const Progress& progress) {
    std::vector<AuditEntry> entries;
    LineDocuments line(campaign);
    auto done = visit_line(
        campaign,
        [&](const TurnRow& row) -> Result<> {
            if ((filter.turn && *filter.turn != row.id) ||
                (filter.from && row.time < *filter.from) || (filter.to && row.time > *filter.to)) {
                return {};
            }
            const auto turn = campaign.record_of(row);
            if (!turn) {
                return std::unexpected(turn.error());
            }
            if (std::ranges::none_of(restore_audit(*turn),
                                     [&](const Value& each) { return fits(each, filter); })) {
                return {};
            }
            const LineDocuments::Pair documents = line.at(row);
            for (const Value& record :
                 audit_records(*turn, filter.has_large_values ? &documents.before : nullptr)) {
                if (fits(record, filter)) {
                    entries.push_back({row.id, turn->shown_number(), record, documents});
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
            const auto part = campaign.replay_part_of(row);
            auto next = !part   ? std::unexpected(part.error())
                        : state ? step(*state, *part)
                                : campaign.state_at(row.id);
            if (!next) {
                return std::unexpected(std::move(next).error());
            }
            const auto before = state ? found_at(state->document, path) : std::nullopt;
            auto after = found_at(next->document, path);
            LineDocuments::Pair documents{state ? state->document : Value(), next->document};
            state = *std::move(next);
            if (before == after) {
                return {};
            }
            const auto turn = campaign.record_of(row);
            if (!turn) {
                return std::unexpected(turn.error());
            }
            BlameEntry entry{row.id, turn->shown_number(), turn->actor, turn->time,
                             before, std::move(after),     {},          std::move(documents)};
            for (const Value& record : audit_records(*turn, &entry.documents.before)) {
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

}  // namespace arbiter::ledger
