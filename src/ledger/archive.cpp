#include "ledger/archive.h"

#include <charconv>
#include <map>
#include <set>

#include "base/limits.h"
#include "ledger/record_pack.h"
#include "ledger/store/memory.h"
#include "ledger/verify.h"
#include "text/truncate.h"
#include "text/utf8.h"
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

// Digits of bytes that are not UTF-8, which JSON cannot hold.
constexpr std::string_view kHexSuffix = "_hex";

std::string hex_of(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * bytes.size());
    for (const char byte : bytes) {
        hex += kDigits[static_cast<unsigned char>(byte) >> 4];
        hex += kDigits[static_cast<unsigned char>(byte) & 15];
    }
    return hex;
}
std::optional<std::string> bytes_of(std::string_view hex) {
    if (hex.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        unsigned byte = 0;
        const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, byte, 16);
        if (error != std::errc() || end != hex.data() + i + 2) {
            return std::nullopt;
        }
        bytes += static_cast<char>(byte);
    }
    return bytes;
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

// Sets a member to a text. The beginning of a long text is in lines before.
Object with_text(std::string& out, Object line, std::string_view key, std::string_view text) {
    const bool is_utf8 = text::is_valid(text);
    const std::string hex = is_utf8 ? std::string() : hex_of(text);
    const std::string name = std::string(key) + std::string(is_utf8 ? "" : kHexSuffix);
    std::string_view rest = is_utf8 ? text : std::string_view(hex);
    while (rest.size() > base::kArchivePieceBytesMax) {
        const std::string_view piece = text::truncate(rest, base::kArchivePieceBytesMax);
        add_line(out, {{"more", std::string_view(name)}, {"part", piece}});
        rest.remove_prefix(piece.size());
    }
    return std::move(line).set(std::string_view(name), rest);
}

// Reads the lines of an archive into one commit.
class ArchiveReader {
  public:
    Result<Commit> read(const ArchiveLines& lines) {
        Sha256 digest;
        while (true) {
            const auto next = lines();
            if (!next || !*next) {
                return next ? corrupt("its end is missing") : std::unexpected(next.error());
            }
            if (!(*next)->is_whole) {
                return corrupt("its last line is cut off");
            }
            const std::string& text = (*next)->text;
            const auto line = value::parse_json(text);
            if (!line || !line->is_object()) {
                return corrupt("a line is not a JSON object");
            }
            if (line->as_object().contains("digest")) {
                if (text_of(line->as_object(), "digest") != digest.finish().hex()) {
                    return corrupt("it does not have the digest that it should");
                }
                const auto behind = lines();
                if (!behind || *behind) {
                    return behind ? corrupt("it does not end with its digest")
                                  : std::unexpected(behind.error());
                }
                return std::move(commit_);
            }
            if (auto done = take(line->as_object()); !done) {
                return std::unexpected(std::move(done).error());
            }
            digest.update(text);
            digest.update("\n");
        }
    }

  private:
    Result<> take(const Object& line) {
        if (line.contains("arbiter")) {
            return take_header(line);
        }
        if (line.contains("more")) {
            std::string& text = parts_[std::string(text_of(line, "more"))];
            text += text_of(line, "part");
            // The longest text, every byte of which is two digits.
            return text.size() <= 2 * base::kRecordBytesMax && parts_.size() <= kTextsOfALine
                       ? Result<>()
                       : corrupt("a text is too long");
        }
        auto taken = line.contains("checkpoint") ? take_checkpoint(line) : take_texts(line);
        if (taken && !parts_.empty()) {
            return corrupt("a text has no end");
        }
        return taken;
    }

    Result<> take_header(const Object& line) {
        if (number_of(line, "v") != kVersion || text_of(line, "arbiter") != "campaign") {
            return corrupt("it is of a version that is not known here");
        }
        if (commit_.create) {
            return corrupt("it has two beginnings");
        }
        CampaignRow row;
        row.id = text_of(line, "id");
        row.name = text_of(line, "name");
        row.created = number_of(line, "created");
        commit_.campaign = row.id;
        commit_.head = HeadMove{std::nullopt, id_of(line, "head"), id_of(line, "undo")};
        commit_.create = std::move(row);
        if (line.contains("undo") && !commit_.head->undo) {
            return corrupt("its undo is not a turn");
        }
        return commit_.head->to && !commit_.campaign.empty() ? Result<>()
                                                             : corrupt("it has no head");
    }

    Result<> take_checkpoint(const Object& line) {
        const auto turn = id_of(line, "of");
        if (!turn) {
            return corrupt("a checkpoint has no turn");
        }
        commit_.checkpoints.push_back(
            {*turn, std::string(text_of(line, "checkpoint")), number_of(line, "time")});
        return {};
    }

    // Lines whose texts may be long.
    Result<> take_texts(const Object& line) {
        auto text = long_text(line, "text");
        auto replay_part = long_text(line, "turn");
        auto details_part = long_text(line, "with");
        auto state = long_text(line, "state");
        if (!text || !replay_part || !details_part || !state) {
            return corrupt("a text is not written in hexadecimal digits");
        }
        if (*text) {
            return take_text(**std::move(text));
        }
        if (*replay_part) {
            return take_turn({**std::move(replay_part), details_part->value_or(std::string())});
        }
        if (*state) {
            const auto turn = id_of(line, "of");
            if (!turn) {
                return corrupt("a state has no turn");
            }
            commit_.keyframes.push_back({*turn, pack(**state)});
            return {};
        }
        return corrupt("a line is of an unknown kind");
    }

    // A text with the parts before it. Nothing: the line has none; an error: it cannot be read.
    Result<std::optional<std::string>> long_text(const Object& line, const std::string& key) {
        const std::string hex_key = key + std::string(kHexSuffix);
        const bool is_hex = line.contains(hex_key);
        if (!is_hex && !line.contains(key)) {
            return std::optional<std::string>();
        }
        const std::string& name = is_hex ? hex_key : key;
        std::string text;
        if (const auto part = parts_.find(name); part != parts_.end()) {
            text = std::move(part->second);
            parts_.erase(part);
        }
        text += text_of(line, name);
        if (!is_hex) {
            return std::optional(std::move(text));
        }
        auto bytes = bytes_of(text);
        return bytes ? Result<std::optional<std::string>>(*std::move(bytes))
                     : corrupt("a text is not written in hexadecimal digits");
    }

    // Texts wait for a turn that names them; those that none names are not kept.
    Result<> take_text(std::string text) {
        const Digest digest = sha256(text);
        if (named_.contains(digest)) {
            keep(digest, text);
            return {};
        }
        waiting_bytes_ += text.size();
        waiting_.insert_or_assign(digest, std::move(text));
        return waiting_bytes_ <= base::kRecordBytesMax ? Result<>()
                                                       : corrupt("it has texts that no turn names");
    }
    void keep(const Digest& digest, std::string_view text) {
        if (kept_.insert(digest).second) {
            commit_.blobs.push_back({digest, pack(text)});
        }
    }

    Result<> take_turn(const EncodedRecord& encoded) {
        const auto record = parse_record(encoded);
        if (!record) {
            return std::unexpected(record.error());
        }
        for (const auto& [name, digest] : record->rules) {
            const auto id =
                digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
            if (!id || !named_.insert(*id).second) {
                continue;
            }
            if (const auto text = waiting_.find(*id); text != waiting_.end()) {
                keep(*id, text->second);
                waiting_bytes_ -= text->second.size();
                waiting_.erase(text);
            }
        }
        commit_.turns.push_back({sha256(encoded.replay_part), record->parent, record->number,
                                 record->time, pack_record(encoded)});
        if (record->key) {
            commit_.keys.push_back({record->key->key, commit_.turns.back().id});
        }
        return {};
    }

    static constexpr std::size_t kTextsOfALine = 2;  // of a turn

    Commit commit_;
    std::map<std::string, std::string> parts_;
    std::map<Digest, std::string> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::set<Digest> named_;
    std::set<Digest> kept_;
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
        const auto text = load_text(campaign.store(), campaign.row().id, *id);
        if (!text) {
            return std::unexpected(text.error());
        }
        add_line(out, with_text(out, {}, "text", *text));
    }
    Object line = with_text(out, {}, "turn", encoded->replay_part);
    line = with_text(out, std::move(line), "with", encoded->details_part);
    add_line(out, line);
    if (!row.parent) {
        // Other states follow from the first.
        const auto state = campaign.state_at(row.id);
        if (!state) {
            return std::unexpected(state.error());
        }
        line = with_text(out, {}, "state", print_state(*state));
        add_line(out, std::move(line).set("of", std::string_view(row.id.hex())));
    }
    return out.size() <= base::kArchiveBytesMax
               ? Result<>()
               : base::fail(ErrorCode::kTextTooLong,
                            {std::to_string(out.size()), std::to_string(base::kArchiveBytesMax)});
}

// An intact campaign, or the first defect as an error.
Result<> check_intact(const Campaign& campaign, const ArchiveOptions& options) {
    const auto report = verify(campaign, options.progress);
    if (!report) {
        return std::unexpected(report.error());
    }
    if (report->is_stopped) {
        return corrupt("it was not checked to its end");
    }
    if (!report->defects.empty()) {
        const TurnDefect& first = report->defects[0];
        return base::fail(ErrorCode::kCorrupt, {"turn " + first.turn.brief(), first.message});
    }
    return options.check_playable ? options.check_playable(campaign) : Result<>();
}

}  // namespace

Result<std::string> export_campaign(const Campaign& campaign, const ArchiveOptions& options) {
    if (auto intact = check_intact(campaign, options); !intact) {
        return std::unexpected(std::move(intact).error());
    }
    const CampaignRow& row = campaign.row();
    std::string out;
    // Earlier versions stored names and labels as they came.
    Object head = {{"arbiter", "campaign"},
                   {"v", kVersion},
                   {"id", std::string_view(text::repair(row.id))},
                   {"name", std::string_view(text::repair(row.name))},
                   {"created", row.created},
                   {"head", std::string_view(campaign.head().hex())}};
    if (row.undo) {
        head = std::move(head).set("undo", std::string_view(row.undo->hex()));
    }
    add_line(out, head);
    std::set<Digest> texts;
    Result<> added;
    auto visited = campaign.store().visit_turns(row.id, std::nullopt, [&](const TurnRow& each) {
        added = add_turn(out, campaign, each, texts);
        return added.has_value();
    });
    if (!visited || !added) {
        return std::unexpected(visited ? std::move(added).error() : std::move(visited).error());
    }
    const auto checkpoints = campaign.checkpoints();
    if (!checkpoints) {
        return std::unexpected(checkpoints.error());
    }
    for (const Checkpoint& each : *checkpoints) {
        add_line(out, {{"checkpoint", std::string_view(text::repair(each.label))},
                       {"of", std::string_view(each.turn.hex())},
                       {"time", each.time}});
    }
    const std::string digest = sha256(out).hex();
    add_line(out, {{"digest", std::string_view(digest)}});
    return out;
}

Result<std::string> import_campaign(Store& store, const ArchiveLines& lines,
                                    const ArchiveOptions& options) {
    auto commit = ArchiveReader().read(lines);
    if (!commit) {
        return std::unexpected(std::move(commit).error());
    }
    if (!commit->create) {
        return corrupt("its beginning is missing");
    }
    // Checked in a store of its own first.
    const auto trial = make_memory_store();
    if (auto committed = trial->commit(*commit); !committed) {
        return std::unexpected(std::move(committed).error());
    }
    const auto campaign = Campaign::open(*trial, commit->campaign);
    auto intact = campaign ? check_intact(*campaign, options) : std::unexpected(campaign.error());
    if (!intact) {
        return std::unexpected(std::move(intact).error());
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
    // Checked first, so that a damaged campaign leaves nothing in the other store.
    if (auto intact = check_intact(campaign, {{}, progress}); !intact) {
        return std::unexpected(std::move(intact).error());
    }
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

Result<> copy_named_texts(Store& from, Store& to) {
    const auto texts = from.named_texts("");
    if (!texts) {
        return std::unexpected(texts.error());
    }
    for (const NamedText& text : *texts) {
        if (const auto put = to.put_named_text(text, std::nullopt); !put) {
            return std::unexpected(put.error());
        }
    }
    return {};
}

}  // namespace arbiter::ledger
