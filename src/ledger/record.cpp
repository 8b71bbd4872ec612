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

// What nearly every record says, the most frequent last. Records are packed against these texts: a
// single byte of them changed makes all that was ever kept unreadable.
constexpr std::string_view kHeadWords =
    R"("tokens":0,"failed":[],"globals":{},"edit":"","actor_id":"","settings_revision":0,)"
    R"("host":{"before":{"protocols":{},"after":{}},"tool":"","args":{"character_id":"","delta":0,)"
    R"("reason":""},"id":"","arithmetic":"subtract","merge":"shallow","from":["],"metadata":{},)"
    R"("options":{"old":true,"key":"","value":null,"value":false,"transaction":true,"batch":1,)"
    R"("warnings":["],"problems":[["],"flags":["creates","coerces","overwrites","forgiving","all",)"
    R"("in_save","nulls","dotted","digits_name"],"dialect":"tavern","dialect":"json",)"
    R"("dialect":"patch","dialect":"memory","dialect":"filament","dialect":"tool",)"
    R"("mount":"character","mount":"status","mount":"assets","described":"numbers",)"
    R"("described":"modules","op":"insert","op":"delete","op":"push","op":"merge","op":"add",)"
    R"("verb":"update","verb":"delta","verb":"replace","verb":"tool_call",{"kind":"remove","path":[)"
    R"({"v":1,"campaign":"","parent":"","number":1,"actor":"AI","time":1794832448588,"batch":"1-)"
    R"(","shown":"","proposals":[{"dialect":"mvu","mount":"mvu","described":"mvu","flags":[)"
    R"("creates","coerces","dotted","digits_name"],"op":"increment","path":["","value":1,)"
    R"("reason":"","verb":"add","span":[1254,1351]},{"op":"set","path":["","value":"","reason":"",)"
    R"("verb":"set","span":[1352,1433]}],"document":[{"kind":"add","path":["","position":0,)"
    R"("after":{"},{"kind":"replace","path":["","before":"","after":""},{"kind":"replace","path":[")"
    R"(","before":4,"after":11}],"meta":[],"state":"","rules":{"profile ":"","rulebook ":"",)"
    R"("protocols":"","tools":""},"extra":{},"body":")";
constexpr std::string_view kBodyWords =
    R"("notes":{"trace":[{"raw":"","feedback":{"tokens":0}],"actions":[{"kind":"tool","tool":"",)"
    R"("args":{"},{"kind":"command","actor":"AI","op":"set","path":["],"changes":[]}]},"options":{)"
    R"("status":"rejected","status":"skipped","status":"failed","code":"not_allowed","text":{"en":")"
    R"(","zh":"","effect":"","rule":"","book":"","warnings":["],"actor":"system","actor":"user",)"
    R"("action":"update","action":"push","op":"push",{"said":"","raw":"","audit":[{"opId":"1-)"
    R"(","time":"2026-11-16T12:34:08.588Z","actor":"AI","action":"set","key":"",)"
    R"("status":"applied","op":"set","before":4,"after":11,"reason":"","dialect":"mvu","span":[)"
    R"(1254,1351],"changes":[{"kind":"replace","path":["","before":4,"after":11}]},{"opId":"1-)"
    R"(","time":"2026-11-16T12:34:08.588Z","actor":"AI","action":"add","key":"",)"
    R"("status":"applied","op":"increment","before":45,"after":37,"reason":"","dialect":"mvu",)"
    R"("span":[1352,1433],"changes":[{"kind":"replace","path":["","before":"","after":""}]}]})";
std::string body_words(std::string_view head) {
    return std::string(kBodyWords) + std::string(head);
}

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
    if (!record.notes.empty()) {
        body = std::move(body).set("notes", record.notes);
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
    record->notes = members.object("notes");
    if (!members.wrong().empty()) {
        return wrong(members.wrong());
    }
    return record;
}

// The length of the packed head in four bytes, the packed head, the packed body. Records have most
// words in common, which a packer that is told them need not keep; and the reply repeats most of
// what was shown and done, so that the body is small beside the head.
std::string pack_record(const Written& written) {
    const std::string head = pack(written.head, kHeadWords);
    std::string bytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        bytes += static_cast<char>(head.size() >> (8 * i) & 0xFF);
    }
    return bytes + head + pack(written.body, body_words(written.head));
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
    return parts ? unpack(parts->first, base::kRecordBytesMax, kHeadWords)
                 : std::unexpected(parts.error());
}

Result<Written> unpack_record(std::string_view bytes) {
    const auto parts = parts_of(bytes);
    auto head = unpack_head(bytes);
    auto body = head ? unpack(parts->second, base::kRecordBytesMax, body_words(*head))
                     : std::unexpected(head.error());
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
