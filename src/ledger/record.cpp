#include "ledger/record.h"

#include <array>

#include "base/limits.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kLengthBytes = 4;

std::string hex(std::uint64_t number) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; number >>= 4) {
        text[i] = kDigits[number & 15];
    }
    return text;
}

std::unexpected<base::Error> wrong(std::string_view field) {
    return base::fail(ErrorCode::kRecordField, {std::string(field)});
}

std::optional<engine::Actor> find_actor(std::string_view text) {
    for (const engine::Actor actor :
         {engine::Actor::kModel, engine::Actor::kPlayer, engine::Actor::kSystem}) {
        if (name(actor) == text) {
            return actor;
        }
    }
    return std::nullopt;
}

// The members of a record; the first that is wrong is kept.
class Members {
  public:
    explicit Members(const Object& object) noexcept : object_(object) {}
    std::string text(std::string_view key) {
        const Value* found = object_.find(key);
        if (found == nullptr || !found->is_string()) {
            note(key, found != nullptr);
            return {};
        }
        return std::string(found->as_string());
    }
    std::int64_t number(std::string_view key) {
        const Value* found = object_.find(key);
        if (found == nullptr || !found->is_int()) {
            note(key, true);
            return 0;
        }
        return found->as_int();
    }
    Array list(std::string_view key) {
        const Value* found = object_.find(key);
        if (found == nullptr || !found->is_array()) {
            note(key, found != nullptr);
            return {};
        }
        return found->as_array();
    }
    Object object(std::string_view key) {
        const Value* found = object_.find(key);
        if (found == nullptr || !found->is_object()) {
            note(key, found != nullptr);
            return {};
        }
        return found->as_object();
    }
    value::Diff diff(std::string_view key) {
        const Value* found = object_.find(key);
        auto changes = found != nullptr ? value::diff_from_value(*found) : Result<value::Diff>();
        if (!changes) {
            note(key, true);
            return {};
        }
        return *std::move(changes);
    }
    void note(std::string_view key, bool bad) {
        if (bad && wrong_.empty()) {
            wrong_ = key;
        }
    }
    [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }
    [[nodiscard]] const Value* find(std::string_view key) const { return object_.find(key); }

  private:
    const Object& object_;
    std::string wrong_;
};

}  // namespace

Written print_record(const Record& record) {
    Object body;
    const auto tell = [&body](std::string_view key, const std::string& text) {
        if (!text.empty()) {
            body = std::move(body).set(value::Str(key), std::string_view(text));
        }
    };
    tell("said", record.said);
    // Many replies are shown as they came; they need no copy.
    if (record.raw != record.shown) {
        tell("raw", record.raw);
    }
    if (!record.audit.empty()) {
        body = std::move(body).set("audit", record.audit);
    }
    Written written;
    written.body = value::print_json(body);

    Object out = {{"v", kVersion}, {"campaign", std::string_view(record.campaign)}};
    const auto put = [&out](std::string_view key, Value value) {
        out = std::move(out).set(value::Str(key), std::move(value));
    };
    if (record.parent) {
        put("parent", std::string_view(record.parent->hex()));
    }
    put("number", record.number);
    put("actor", name(record.actor));
    put("time", record.time);
    if (!record.batch.empty()) {
        put("batch", std::string_view(record.batch));
    }
    if (!record.shown.empty()) {
        put("shown", std::string_view(record.shown));
    }
    if (!record.proposals.empty()) {
        put("proposals", record.proposals);
    }
    if (!record.document.empty()) {
        put("document", value::diff_to_value(record.document));
    }
    if (!record.meta.empty()) {
        put("meta", value::diff_to_value(record.meta));
    }
    put("state", std::string_view(record.state));
    if (!record.rules.empty()) {
        put("rules", record.rules);
    }
    if (!record.extra.empty()) {
        put("extra", record.extra);
    }
    put("body", std::string_view(sha256(written.body).hex()));
    written.head = value::print_json(out);
    return written;
}

Result<Record> parse_head(std::string_view head) {
    const auto parsed = value::parse_json(head);
    if (!parsed || !parsed->is_object()) {
        return base::fail(ErrorCode::kCorrupt, {"a turn", "it is no JSON object"});
    }
    Members members(parsed->as_object());
    if (members.number("v") != kVersion) {
        return wrong("v");
    }
    Record record;
    record.campaign = members.text("campaign");
    if (const Value* parent = members.find("parent")) {
        record.parent = parent->is_string() ? Digest::from_hex(parent->as_string()) : std::nullopt;
        members.note("parent", !record.parent);
    }
    record.number = members.number("number");
    const auto actor = find_actor(members.text("actor"));
    members.note("actor", !actor);
    record.actor = actor.value_or(engine::Actor::kSystem);
    record.time = members.number("time");
    record.batch = members.text("batch");
    record.shown = members.text("shown");
    record.proposals = members.list("proposals");
    record.document = members.diff("document");
    record.meta = members.diff("meta");
    record.state = members.text("state");
    record.rules = members.object("rules");
    record.extra = members.object("extra");
    if (!members.wrong().empty()) {
        return wrong(members.wrong());
    }
    return record;
}

Result<Record> parse_record(const Written& written) {
    auto record = parse_head(written.head);
    if (!record) {
        return record;
    }
    // Looked up in the text: parse_head() keeps no member that only this function needs.
    const std::string digest = "\"body\":\"" + sha256(written.body).hex() + "\"}";
    if (!written.head.ends_with(digest)) {
        return base::fail(ErrorCode::kCorrupt, {"a turn", "its second part is another one's"});
    }
    const auto parsed = value::parse_json(written.body);
    if (!parsed || !parsed->is_object()) {
        return base::fail(ErrorCode::kCorrupt, {"a turn", "it is no JSON object"});
    }
    Members members(parsed->as_object());
    record->said = members.text("said");
    record->raw = members.find("raw") != nullptr ? members.text("raw") : record->shown;
    record->audit = members.list("audit");
    if (!members.wrong().empty()) {
        return wrong(members.wrong());
    }
    return record;
}

// The length of the packed head in four bytes, the packed head, the packed body. The reply repeats
// most of what was shown and done, so that the body is small beside the head.
std::string pack_record(const Written& written) {
    const std::string head = pack(written.head);
    std::string bytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        bytes += static_cast<char>(head.size() >> (8 * i) & 0xFF);
    }
    return bytes + head + pack(written.body, written.head);
}

namespace {

Result<std::pair<std::string_view, std::string_view>> parts_of(std::string_view bytes) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes && i < bytes.size(); ++i) {
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    if (bytes.size() < kLengthBytes || length > bytes.size() - kLengthBytes) {
        return base::fail(ErrorCode::kCorrupt, {"a turn", "it is cut off"});
    }
    return std::pair(bytes.substr(kLengthBytes, length), bytes.substr(kLengthBytes + length));
}

}  // namespace

Result<std::string> unpack_head(std::string_view bytes) {
    const auto parts = parts_of(bytes);
    return parts ? unpack(parts->first, base::kRecordBytesMax) : std::unexpected(parts.error());
}

Result<Written> unpack_record(std::string_view bytes) {
    const auto parts = parts_of(bytes);
    auto head =
        parts ? unpack(parts->first, base::kRecordBytesMax) : std::unexpected(parts.error());
    auto body =
        head ? unpack(parts->second, base::kRecordBytesMax, *head) : std::unexpected(head.error());
    if (!body) {
        return std::unexpected(std::move(body).error());
    }
    return Written{*std::move(head), *std::move(body)};
}

std::string hash_of(const State& state) {
    return hex(value::seal(state.document).exact) + hex(value::seal(Value(state.meta)).exact);
}

std::string print_state(const State& state) {
    return value::print_json(Object{{"document", state.document}, {"meta", state.meta}});
}

Result<State> parse_state(std::string_view text) {
    const auto parsed = value::parse_json(text);
    const Value* document =
        parsed && parsed->is_object() ? parsed->as_object().find("document") : nullptr;
    const Value* meta = document != nullptr ? parsed->as_object().find("meta") : nullptr;
    if (meta == nullptr || !meta->is_object()) {
        return base::fail(ErrorCode::kCorrupt, {"a state", "it is no document with metadata"});
    }
    return State{*document, meta->as_object()};
}

Result<State> step(const State& before, const Record& record) {
    auto document = value::apply_diff(record.document, before.document);
    auto meta = value::apply_diff(record.meta, Value(before.meta));
    const std::string which = "turn " + std::to_string(record.number);
    if (!document || !meta || !meta->is_object()) {
        return base::fail(ErrorCode::kCorrupt, {which, "its changes do not fit the turn before"});
    }
    State after{*std::move(document), meta->as_object()};
    if (hash_of(after) != record.state) {
        return base::fail(ErrorCode::kCorrupt, {which, "its state has another hash"});
    }
    return after;
}

}  // namespace arbiter::ledger
