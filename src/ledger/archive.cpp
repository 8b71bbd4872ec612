#include "ledger/archive.h"

#include <set>

#include "base/limits.h"
#include "ledger/record_pack.h"
#include "ledger/store/memory.h"
#include "ledger/verify.h"
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

// Reads the lines of an archive into one commit.
class ArchiveReader {
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
                return corrupt("a line is not a JSON object");
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
            const EncodedRecord encoded{std::string(text_of(line, "turn")),
                                        std::string(text_of(line, "with"))};
            const auto record = parse_record(encoded);
            if (!record) {
                return std::unexpected(record.error());
            }
            commit_.turns.push_back({sha256(encoded.replay_part), record->parent, record->number,
                                     record->time, pack_record(encoded)});
            if (record->key) {
                commit_.keys.push_back({record->key->key, commit_.turns.back().id});
            }
            return {};
        }
        if (line.contains("checkpoint")) {
            const auto turn = id_of(line, "of");
            if (!turn) {
                return corrupt("a checkpoint has no turn");
            }
            commit_.checkpoints.push_back(
                {*turn, std::string(text_of(line, "checkpoint")), number_of(line, "time")});
            return {};
        }
        if (line.contains("state")) {
            const auto turn = id_of(line, "of");
            if (!turn) {
                return corrupt("a state has no turn");
            }
            commit_.keyframes.push_back({*turn, pack(text_of(line, "state"))});
            return {};
        }
        return corrupt("a line is of an unknown kind");
    }

    Commit commit_;
};

// Adds a turn, after the texts it names that are not in the archive yet.
Result<> add_turn(std::string& out, const Campaign& campaign, const TurnRow& row,
                  std::set<Digest>& texts) {
    const auto record = campaign.record_of(row);
    const auto encoded = record ? unpack_record(row.bytes) : std::unexpected(record.error());
    if (!encoded) {
        return std::unexpected(encoded.error());
    }
    for (const auto& [name, digest] : record->rules) {
        const auto id = digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
        if (!id || !texts.insert(*id).second) {
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
    add_line(out, {{"turn", std::string_view(encoded->replay_part)},
                   {"with", std::string_view(encoded->details_part)}});
    if (!row.parent) {
        // Other states follow from the first.
        const auto state = campaign.state_at(row.id);
        if (!state) {
            return std::unexpected(state.error());
        }
        add_line(out, {{"state", std::string_view(print_state(*state))},
                       {"of", std::string_view(row.id.hex())}});
    }
    return {};
}

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
    std::set<Digest> texts;
    std::size_t done = 0;
    Result<> broken;
    auto visited = campaign.store().visit_turns(row.id, std::nullopt, [&](const TurnRow& each) {
        if (progress && !progress(done++, rows->size())) {
            broken = corrupt("it was not written to its end");
        } else {
            broken = add_turn(out, campaign, each, texts);
        }
        return broken.has_value();
    });
    if (visited && !broken) {
        visited = std::move(broken);
    }
    if (!visited) {
        return std::unexpected(std::move(visited).error());
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
    auto commit = ArchiveReader().read(text);
    if (!commit) {
        return std::unexpected(std::move(commit).error());
    }
    // Checked in a store of its own first.
    const auto trial = make_memory_store();
    if (auto committed = trial->commit(*commit); !committed) {
        return std::unexpected(std::move(committed).error());
    }
    const auto campaign = Campaign::open(*trial, commit->campaign);
    if (!campaign) {
        return std::unexpected(campaign.error());
    }
    const auto report = verify(*campaign, progress);
    if (!report) {
        return std::unexpected(report.error());
    }
    if (!report->defects.empty()) {
        return corrupt("turn " + std::to_string(report->defects[0].number) + ": " +
                       report->defects[0].message);
    }
    if (report->is_stopped) {
        return corrupt("it was not checked to its end");
    }
    if (auto committed = store.commit(*commit); !committed) {
        return std::unexpected(std::move(committed).error());
    }
    return commit->campaign;
}

namespace {

// Turns of one commit: few enough to show progress.
constexpr std::size_t kCopyTurns = 200;

// Writes turns of a campaign to another store.
class CampaignCopy {
  public:
    CampaignCopy(const Campaign& campaign, Store& to) : campaign_(campaign), to_(to) { start(); }

    Result<> add(const TurnRow& row) {
        const auto record = campaign_.record_of(row);
        if (!record) {
            return std::unexpected(record.error());
        }
        Store& from = campaign_.store();
        const std::string& id = campaign_.row().id;
        for (const auto& [name, digest] : record->rules) {
            const auto text =
                digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
            if (!text || !texts_.insert(*text).second) {
                continue;
            }
            auto blob = from.blob(id, *text);
            if (!blob || !*blob) {
                return blob ? corrupt("a rule text is missing") : std::unexpected(blob.error());
            }
            commit_.blobs.push_back({*text, **std::move(blob)});
        }
        auto keyframe = from.keyframe(id, row.id);
        if (!keyframe) {
            return std::unexpected(std::move(keyframe).error());
        }
        if (*keyframe) {
            commit_.keyframes.push_back({row.id, **std::move(keyframe)});
        }
        if (record->key) {
            commit_.keys.push_back({record->key->key, row.id});
        }
        commit_.turns.push_back(row);
        return commit_.turns.size() < kCopyTurns ? Result<>() : write();
    }

    // The head is written last: until then the campaign cannot be opened.
    Result<> finish() {
        auto checkpoints = campaign_.checkpoints();
        if (!checkpoints) {
            return std::unexpected(std::move(checkpoints).error());
        }
        commit_.checkpoints = *std::move(checkpoints);
        commit_.head = HeadMove{std::nullopt, campaign_.head(), campaign_.row().undo};
        return write();
    }

  private:
    void start() {
        commit_ = {};
        commit_.campaign = campaign_.row().id;
    }
    Result<> write() {
        auto written = to_.commit(commit_);
        start();
        return written;
    }

    const Campaign& campaign_;
    Store& to_;
    Commit commit_;
    std::set<Digest> texts_;
};

}  // namespace

Result<bool> copy_campaign(const Campaign& campaign, Store& to, const Progress& progress) {
    const CampaignRow& row = campaign.row();
    const auto present = to.campaign(row.id);
    if (!present && present.error().code != ErrorCode::kCampaignUnknown) {
        return std::unexpected(present.error());
    }
    if (present && present->head) {
        return present->head == row.head
                   ? Result<bool>(false)
                   : base::fail(ErrorCode::kCampaignExists, {std::string(row.id)});
    }
    if (!present) {
        Commit create;
        create.campaign = row.id;
        create.create = CampaignRow{row.id, row.name, row.created, {}, {}};
        if (auto made = to.commit(create); !made) {
            return std::unexpected(std::move(made).error());
        }
    }
    const auto rows = campaign.turns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    CampaignCopy copy(campaign, to);
    std::size_t done = 0;
    Result<> copied;
    auto visited = campaign.store().visit_turns(row.id, std::nullopt, [&](const TurnRow& each) {
        copied = progress && !progress(done++, rows->size())
                     ? corrupt("it was not copied to its end")
                     : copy.add(each);
        return copied.has_value();
    });
    if (visited && copied) {
        copied = copy.finish();
    }
    if (!visited || !copied) {
        return std::unexpected(!visited ? visited.error() : copied.error());
    }
    return true;
}

}  // namespace arbiter::ledger
