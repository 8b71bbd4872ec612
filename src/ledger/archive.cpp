#include "ledger/archive.h"

#include <set>

#include "base/limits.h"
#include "base/messages.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using value::Object;
using value::Value;

namespace {

constexpr std::int64_t kVersion = 1;

std::unexpected<base::Error> corrupt(std::string how) {
    return base::fail(ErrorCode::kCorrupt, {"the archive", std::move(how)});
}

void add_line(std::string& out, const Object& line) {
    value::append_json(out, Value(line));
    out += '\n';
}

std::optional<TurnId> id_of(const Object& line, std::string_view key) {
    const Value* found = line.find(key);
    return found != nullptr && found->is_string() ? Digest::from_hex(found->as_string())
                                                  : std::nullopt;
}
std::string_view text_of(const Object& line, std::string_view key) {
    const Value* found = line.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}
std::int64_t number_of(const Object& line, std::string_view key) {
    const Value* found = line.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

// The lines of an archive as one commit.
class Reading {
  public:
    Result<Commit> read(std::string_view text) {
        std::size_t behind = 0;
        for (std::string_view rest = text; !rest.empty();) {
            const std::size_t end = rest.find('\n');
            if (end == std::string_view::npos) {
                return corrupt("its last line is cut off");
            }
            const auto line = value::parse_json(rest.substr(0, end));
            if (!line || !line->is_object()) {
                return corrupt("a line is no JSON object");
            }
            if (line->as_object().contains("digest")) {
                if (text_of(line->as_object(), "digest") != sha256(text.substr(0, behind)).hex() ||
                    behind + end + 1 != text.size()) {
                    return corrupt("it does not have the digest that it should");
                }
                return std::move(commit_);
            }
            if (auto done = take(line->as_object()); !done) {
                return std::unexpected(std::move(done).error());
            }
            behind += end + 1;
            rest.remove_prefix(end + 1);
        }
        return corrupt("its end is missing");
    }

  private:
    Result<> take(const Object& line) {
        if (line.contains("arbiter")) {
            if (number_of(line, "v") != kVersion || text_of(line, "arbiter") != "campaign") {
                return corrupt("it is of a version that is not known here");
            }
            CampaignRow row;
            row.id = text_of(line, "id");
            row.name = text_of(line, "name");
            row.created = number_of(line, "created");
            commit_.campaign = row.id;
            commit_.head = HeadMove{std::nullopt, id_of(line, "head"), id_of(line, "undo")};
            commit_.create = std::move(row);
            return commit_.head->to && !commit_.campaign.empty() ? Result<>()
                                                                 : corrupt("it has no head");
        }
        if (line.contains("text")) {
            const std::string_view text = text_of(line, "text");
            commit_.blobs.push_back({sha256(text), pack(text)});
            return {};
        }
        if (line.contains("turn")) {
            const std::string_view text = text_of(line, "turn");
            const auto record = parse_record(text);
            if (!record) {
                return std::unexpected(record.error());
            }
            commit_.turns.push_back(
                {sha256(text), record->parent, record->number, record->time, pack(text)});
            return {};
        }
        if (line.contains("checkpoint")) {
            const auto turn = id_of(line, "of");
            if (!turn) {
                return corrupt("a checkpoint is of no turn");
            }
            commit_.checkpoints.push_back(
                {*turn, std::string(text_of(line, "checkpoint")), number_of(line, "time")});
            return {};
        }
        if (line.contains("state")) {
            const auto turn = id_of(line, "of");
            if (!turn) {
                return corrupt("a state is of no turn");
            }
            commit_.keyframes.push_back({*turn, pack(text_of(line, "state"))});
            return {};
        }
        return corrupt("a line is of no known kind");
    }

    Commit commit_;
};

}  // namespace

Result<std::string> export_campaign(const Campaign& campaign, const Progress& progress) {
    const CampaignRow& row = campaign.row();
    std::string out;
    Object head = {
        {"arbiter", "campaign"},          {"v", kVersion},
        {"id", std::string_view(row.id)}, {"name", std::string_view(row.name)},
        {"created", row.created},         {"head", std::string_view(campaign.head().hex())}};
    if (row.undo) {
        head = std::move(head).set("undo", std::string_view(row.undo->hex()));
    }
    add_line(out, head);
    const auto rows = campaign.turns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::set<std::string> texts;
    std::size_t done = 0;
    for (const TurnRow& each : *rows) {
        if (progress && !progress(done++, rows->size())) {
            return corrupt("it was not written to its end");
        }
        const auto written = campaign.record_text(each.id);
        const auto record = written ? parse_record(*written) : std::unexpected(written.error());
        if (!record) {
            return std::unexpected(record.error());
        }
        for (const auto& [name, digest] : record->rules) {
            const auto id =
                digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
            if (!id || !texts.insert(id->hex()).second) {
                continue;
            }
            const auto packed = campaign.store().blob(campaign.row().id, *id);
            const auto text = packed && *packed ? unpack(**packed, base::kRecordBytesMax)
                                                : corrupt("a rule text is missing");
            if (!text) {
                return std::unexpected(text.error());
            }
            add_line(out, {{"text", std::string_view(*text)}});
        }
        add_line(out, {{"turn", std::string_view(*written)}});
        if (!each.parent) {
            // Without the first state nothing follows; others can be found again.
            const auto state = campaign.state_at(each.id);
            if (!state) {
                return std::unexpected(state.error());
            }
            add_line(out, {{"state", std::string_view(print_state(*state))},
                           {"of", std::string_view(each.id.hex())}});
        }
    }
    const auto checkpoints = campaign.checkpoints();
    if (!checkpoints) {
        return std::unexpected(checkpoints.error());
    }
    for (const Checkpoint& each : *checkpoints) {
        add_line(out, {{"checkpoint", std::string_view(each.label)},
                       {"of", std::string_view(each.turn.hex())},
                       {"time", each.time}});
    }
    const std::string digest = sha256(out).hex();
    add_line(out, {{"digest", std::string_view(digest)}});
    return out;
}

Result<std::string> import_campaign(Store& store, std::string_view text, const Progress& progress) {
    auto commit = Reading().read(text);
    if (!commit) {
        return std::unexpected(std::move(commit).error());
    }
    // Tried out where it can do no harm.
    const auto trial = make_memory_store();
    if (auto kept = trial->commit(*commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    const auto campaign = Campaign::open(*trial, commit->campaign);
    if (!campaign) {
        return std::unexpected(campaign.error());
    }
    const auto report = verify(*campaign, progress);
    if (!report) {
        return std::unexpected(report.error());
    }
    if (!report->findings.empty()) {
        return corrupt("turn " + std::to_string(report->findings[0].number) + ": " +
                       report->findings[0].what);
    }
    if (report->stopped) {
        return corrupt("it was not checked to its end");
    }
    if (auto kept = store.commit(*commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    return commit->campaign;
}

}  // namespace arbiter::ledger
