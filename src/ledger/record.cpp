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

std::string print_record(const Record& record) {
    Object out = {{"v", kVersion}, {"campaign", std::string_view(record.campaign)}};
    const auto put = [&out](std::string_view key, Value value) {
        out = std::move(out).set(value::Str(key), std::move(value));
    };
    const auto put_text = [&](std::string_view key, const std::string& text) {
        if (!text.empty()) {
            put(key, std::string_view(text));
        }
    };
    if (record.parent) {
        put("parent", std::string_view(record.parent->hex()));
    }
    put("number", record.number);
    put("actor", name(record.actor));
    put("time", record.time);
    put_text("batch", record.batch);
    put_text("said", record.said);
    put_text("raw", record.raw);
    // Most replies are shown as they are, or with blocks taken out; the former need no copy.
    if (record.shown != record.raw) {
        put("shown", std::string_view(record.shown));
    }
    if (!record.proposals.empty()) {
        put("proposals", record.proposals);
    }
    if (!record.audit.empty()) {
        put("audit", record.audit);
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
    return value::print_json(out);
}

Result<Record> parse_record(std::string_view text) {
    const auto parsed = value::parse_json(text);
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
    record.said = members.text("said");
    record.raw = members.text("raw");
    record.shown = members.find("shown") != nullptr ? members.text("shown") : record.raw;
    record.proposals = members.list("proposals");
    record.audit = members.list("audit");
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
