#include "ledger/record_text.h"

#include <algorithm>

#include "base/limits.h"
#include "ledger/changes_text.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

// A record of format 1 that is printed again has the members of format 2.
constexpr int kFormatMin = 2;

std::unexpected<base::Error> wrong(std::string_view field) {
    return base::fail(ErrorCode::kRecordField, {std::string(field)});
}
std::unexpected<base::Error> corrupt(std::string how) {
    return base::fail(ErrorCode::kCorrupt, {"a turn", std::move(how)});
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

// ---- writing

// Writes one JSON object member by member.
class ObjectWriter {
  public:
    explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
    void end() { out_ += '}'; }

    void text(std::string_view key, std::string_view text) {
        begin(key);
        value::append_json_string(out_, text);
    }
    void text_unless_empty(std::string_view key, std::string_view text) {
        if (!text.empty()) {
            this->text(key, text);
        }
    }
    void number(std::string_view key, std::int64_t number) {
        begin(key);
        out_ += std::to_string(number);
    }
    void value(std::string_view key, const Value& value) {
        begin(key);
        value::append_json(out_, value);
    }
    void object_unless_empty(std::string_view key, const Object& object) {
        if (!object.empty()) {
            value(key, Value(object));
        }
    }
    void array_unless_empty(std::string_view key, const Array& array) {
        if (!array.empty()) {
            value(key, Value(array));
        }
    }
    // The caller appends the value to the text.
    void begin(std::string_view key) {
        if (out_.back() != '{') {
            out_ += ',';
        }
        out_ += '"';
        out_ += key;
        out_ += "\":";
    }

  private:
    std::string& out_;
};

Array encode(const std::vector<RecordedCall>& calls) {
    Array encoded;
    for (const RecordedCall& call : calls) {
        encoded = std::move(encoded).push_back(Object{{"tool", std::string_view(call.tool)},
                                                      {"key", std::string_view(call.key)},
                                                      {"reason", std::string_view(call.reason)},
                                                      {"error", call.is_error}});
    }
    return encoded;
}

// An index where everything follows from the audit record, [index, members] where it does not, the
// members alone where there is no audit record.
Array encode(const std::vector<ActionEntry>& actions) {
    Array encoded;
    for (const ActionEntry& entry : actions) {
        if (!entry.audit) {
            encoded = std::move(encoded).push_back(entry.members);
            continue;
        }
        const auto index = static_cast<std::int64_t>(*entry.audit);
        encoded = entry.members.empty() ? std::move(encoded).push_back(index)
                                        : std::move(encoded).push_back(Array{index, entry.members});
    }
    return encoded;
}

std::string print_details(const Record& record) {
    std::string out;
    ObjectWriter writer(out);
    writer.text_unless_empty("said", record.said);
    // Many replies are shown as they came; they need no copy.
    if (record.raw != record.shown) {
        writer.text("raw", record.raw);
    }
    writer.text_unless_empty("told", record.told);
    writer.array_unless_empty("audit", record.audit);
    if (!record.actions.empty()) {
        writer.value("actions", Value(encode(record.actions)));
    }
    writer.text_unless_empty("actor_id", record.actor_id);
    if (record.settings_revision) {
        writer.number("settings_revision", *record.settings_revision);
    }
    if (record.edit) {
        writer.object_unless_empty("action", record.edit->action);
    }
    writer.array_unless_empty("trace", record.trace);
    Array rounds;
    for (const turn::Round& round : record.rounds) {
        rounds = std::move(rounds).push_back(Array{static_cast<std::int64_t>(round.raw_end),
                                                   static_cast<std::int64_t>(round.native_calls)});
    }
    writer.array_unless_empty("rounds", rounds);
    if (record.key) {
        writer.value("key", Object{{"id", std::string_view(record.key->key)},
                                   {"request", std::string_view(record.key->request)}});
    }
    if (record.continues) {
        writer.text("continues", *record.continues);
    }
    writer.end();
    return out;
}

void print_inputs(std::string& out, const Record& record, std::string_view details_part) {
    ObjectWriter writer(out);
    writer.number("v", std::max(record.format, kFormatMin));
    writer.text("campaign", record.campaign);
    if (record.parent) {
        writer.text("parent", record.parent->hex());
    }
    writer.number("number", record.number);
    if (record.story_number) {
        writer.number("turn", *record.story_number);
    }
    writer.text("actor", name(record.actor));
    writer.number("time", record.time);
    if (record.revision != 1) {
        writer.number("revision", record.revision);
    }
    writer.text_unless_empty("batch", record.batch);
    writer.text_unless_empty("shown", record.shown);
    writer.array_unless_empty("said_proposals", record.said_proposals);
    writer.array_unless_empty("proposals", record.proposals);
    writer.text("state", record.state);
    writer.object_unless_empty("rules", record.rules);
    writer.object_unless_empty("globals", record.globals);
    if (record.usage != turn::Usage()) {
        writer.value("usage",
                     Object{{"tokens", record.usage.tokens}, {"calls", record.usage.calls}});
    }
    if (record.story_tokens) {
        writer.number("story", *record.story_tokens);
    }
    if (!record.failed_calls.empty()) {
        writer.value("failed", Value(encode(record.failed_calls)));
    }
    if (!record.host.before.empty() || !record.host.after.empty()) {
        writer.begin("host");
        ObjectWriter host(out);
        host.object_unless_empty("before", record.host.before);
        host.object_unless_empty("after", record.host.after);
        host.end();
    }
    if (record.edit) {
        writer.text("edit", record.edit->reason);
    }
    writer.text("details", sha256(details_part).hex());
    writer.end();
}

void print_changes(std::string& out, const Record& record) {
    ObjectWriter writer(out);
    if (!record.steps.empty()) {
        writer.begin("steps");
        out += '[';
        for (const value::Diff& changes : record.steps) {
            out += out.back() == '[' ? "" : ",";
            append_changes(out, changes);
        }
        out += ']';
    }
    if (!record.meta.empty()) {
        writer.begin("meta");
        append_changes(out, record.meta);
    }
    writer.end();
}

// ---- reading

// The members of a stored object; remembers the first one that is missing or has a wrong type.
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
    Array array(std::string_view key) {
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

// Records of earlier versions may hold bytes that are not UTF-8. They are read as U+FFFD, as the
// reader showed them when the turn was played.
Result<Value> parse_object(std::string_view text, bool& is_repaired) {
    auto parsed = value::parse_json(text);
    if (!parsed && !text::is_valid(text)) {
        is_repaired = true;
        parsed = value::parse_json(text::repair(text));
    }
    if (!parsed || !parsed->is_object()) {
        return corrupt("it is not a JSON object");
    }
    return parsed;
}

// The two lines of a replay part of format 2; the second is empty in format 1.
struct Lines {
    std::string_view inputs;
    std::string_view changes;
};
Lines lines_of(std::string_view replay_part) noexcept {
    // JSON as it is printed has no line break.
    const std::size_t end = replay_part.find('\n');
    return end == std::string_view::npos
               ? Lines{replay_part, {}}
               : Lines{replay_part.substr(0, end), replay_part.substr(end + 1)};
}

// The members that both formats have.
void read_common(Members& members, Record& record) {
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
    record.revision = members.find("revision") != nullptr ? members.number("revision") : 1;
    record.batch = members.text("batch");
    record.shown = members.text("shown");
    record.said_proposals = members.array("said_proposals");
    record.proposals = members.array("proposals");
    record.state = members.text("state");
    record.rules = members.object("rules");
}

void read_failed_calls(Members& members, const Array& calls, Record& record) {
    for (const Value& each : calls) {
        if (!each.is_object()) {
            members.note("failed", true);
            continue;
        }
        Members call(each.as_object());
        const Value* error = call.find("error");
        record.failed_calls.push_back({call.text("tool"), call.text("key"), call.text("reason"),
                                       error != nullptr && error->is_bool() && error->as_bool()});
        members.note("failed", !call.wrong().empty());
    }
}

void read_inputs(Members& members, Record& record) {
    read_common(members, record);
    record.globals = members.object("globals");
    if (members.find("usage") != nullptr) {
        const Object object = members.object("usage");
        Members usage(object);
        record.usage = {usage.number("tokens"), usage.number("calls")};
        members.note("usage", !usage.wrong().empty());
    }
    if (members.find("turn") != nullptr) {
        record.story_number = members.number("turn");
    }
    if (members.find("story") != nullptr) {
        record.story_tokens = members.number("story");
    }
    read_failed_calls(members, members.array("failed"), record);
    if (members.find("host") != nullptr) {
        const Object object = members.object("host");
        Members host(object);
        record.host = {host.object("before"), host.object("after")};
        members.note("host", !host.wrong().empty());
    }
    if (members.find("edit") != nullptr) {
        record.edit = Edit{members.text("edit"), {}};
    }
}

Result<> read_changes(std::string_view text, Record& record) {
    const auto parsed = parse_object(text, record.is_repaired);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    Members members(parsed->as_object());
    for (const Value& each : members.array("steps")) {
        auto changes = value::diff_from_value(each);
        if (!changes) {
            return wrong("steps");
        }
        record.steps.push_back(*std::move(changes));
    }
    record.meta = members.diff("meta");
    return members.wrong().empty() ? Result<>() : wrong(members.wrong());
}

// Format 1 has the typed members in one free-form object and ignores those of a wrong type.
void read_extra_v1(const Object& extra, Record& record) {
    const auto object = [&extra](std::string_view key) {
        const Value* found = extra.find(key);
        return found != nullptr && found->is_object() ? found->as_object() : Object();
    };
    const auto number = [&extra](std::string_view key) {
        const Value* found = extra.find(key);
        return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
    };
    record.globals = object("globals");
    record.usage.tokens = number("tokens").value_or(0);
    if (const Value* failed = extra.find("failed"); failed != nullptr && failed->is_array()) {
        Members ignored(extra);
        read_failed_calls(ignored, failed->as_array(), record);
    }
    const Object host = object("host");
    Members members(host);
    record.host = {members.object("before"), members.object("after")};
    record.settings_revision = number("settings_revision");
    if (const Value* actor = extra.find("actor_id"); actor != nullptr && actor->is_string()) {
        record.actor_id = actor->as_string();
    }
    if (const Value* edit = extra.find("edit")) {
        record.edit =
            Edit{std::string(edit->is_string() ? edit->as_string() : ""), object("action")};
    }
    if (const Value* trace = extra.find("trace"); trace != nullptr && trace->is_array()) {
        record.trace = trace->as_array();
    }
}

Result<Record> parse_replay(std::string_view replay_part, bool with_changes) {
    const Lines lines = lines_of(replay_part);
    Record record;
    const auto parsed = parse_object(lines.inputs, record.is_repaired);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    Members members(parsed->as_object());
    const int format = record_format(replay_part);
    if (members.number("v") != format) {
        return wrong("v");
    }
    record.format = format;
    if (format == 1) {
        read_common(members, record);
        read_extra_v1(members.object("extra"), record);
        if (with_changes) {
            if (value::Diff document = members.diff("document"); !document.empty()) {
                record.steps.push_back(std::move(document));
            }
            record.meta = members.diff("meta");
        }
    } else {
        read_inputs(members, record);
        if (with_changes) {
            if (auto read = read_changes(lines.changes, record); !read) {
                return std::unexpected(std::move(read).error());
            }
        }
    }
    if (!members.wrong().empty()) {
        return wrong(members.wrong());
    }
    return record;
}

// Each entry of a list must be an object; format 1 knew no indexes.
bool are_objects(const Array& array) {
    for (const Value& each : array) {
        if (!each.is_object()) {
            return false;
        }
    }
    return true;
}

void read_details_v1(Members& members, Record& record) {
    const Object notes = members.object("notes");
    Members noted(notes);
    const Array actions = noted.array("actions");
    members.note("notes", !are_objects(actions));
    for (const Value& each : actions) {
        record.actions.push_back({std::nullopt, each.is_object() ? each.as_object() : Object()});
    }
    if (noted.find("trace") != nullptr) {
        record.trace = noted.array("trace");
    }
    members.note("notes", !noted.wrong().empty());
}

std::optional<std::size_t> index_in(const Value& value, std::size_t size) {
    const bool fits =
        value.is_int() && value.as_int() >= 0 && static_cast<std::uint64_t>(value.as_int()) < size;
    return fits ? std::optional(static_cast<std::size_t>(value.as_int())) : std::nullopt;
}

std::optional<ActionEntry> action_from(const Value& value, std::size_t audits) {
    if (value.is_object()) {
        return ActionEntry{std::nullopt, value.as_object()};
    }
    ActionEntry entry;
    if (value.is_array()) {
        const Array& pair = value.as_array();
        if (pair.size() != 2 || !pair[1].is_object() || pair[1].as_object().empty()) {
            return std::nullopt;
        }
        entry = {index_in(pair[0], audits), pair[1].as_object()};
    } else {
        entry.audit = index_in(value, audits);
    }
    return entry.audit ? std::optional(std::move(entry)) : std::nullopt;
}

void read_details(Members& members, Record& record, bool with_changes) {
    std::size_t owned = 0;
    for (const Value& each : members.array("actions")) {
        auto entry = action_from(each, record.audit.size());
        members.note("actions", !entry);
        if (entry) {
            owned += entry->audit ? 1 : 0;
            record.actions.push_back(*std::move(entry));
        }
    }
    members.note("actions", with_changes && owned > record.steps.size());
    record.actor_id = members.text("actor_id");
    if (members.find("settings_revision") != nullptr) {
        record.settings_revision = members.number("settings_revision");
    }
    const Object action = members.object("action");
    members.note("action", !action.empty() && !record.edit);
    if (record.edit) {
        record.edit->action = action;
    }
    record.trace = members.array("trace");
    if (members.find("key") != nullptr) {
        const Object object = members.object("key");
        Members key(object);
        record.key = RequestKey{key.text("id"), key.text("request")};
        members.note("key", !key.wrong().empty() || record.key->key.empty());
    }
    if (members.find("continues") != nullptr) {
        record.continues = members.text("continues");
    }
    for (const Value& each : members.array("rounds")) {
        const bool is_pair = each.is_array() && each.as_array().size() == 2;
        const auto end =
            is_pair ? index_in(each.as_array()[0], record.raw.size() + 1) : std::nullopt;
        const auto calls =
            is_pair ? index_in(each.as_array()[1], base::kTurnTextBytesMax) : std::nullopt;
        members.note("rounds", !end || !calls);
        if (end && calls) {
            record.rounds.push_back({*end, *calls});
        }
    }
}

}  // namespace

int record_format(std::string_view replay_part) noexcept {
    const bool is_new = replay_part.starts_with(R"({"v":3,)");
    return lines_of(replay_part).changes.empty() ? 1 : 2 + (is_new ? 1 : 0);
}

EncodedRecord print_record(const Record& record) {
    EncodedRecord encoded;
    encoded.details_part = print_details(record);
    print_inputs(encoded.replay_part, record, encoded.details_part);
    encoded.replay_part += '\n';
    print_changes(encoded.replay_part, record);
    return encoded;
}

Result<Record> parse_replay_inputs(std::string_view replay_part) {
    return parse_replay(replay_part, false);
}

Result<Record> parse_replay_part(std::string_view replay_part) {
    return parse_replay(replay_part, true);
}

Result<Record> parse_record(const EncodedRecord& encoded, bool with_changes) {
    auto record = parse_replay(encoded.replay_part, with_changes);
    if (!record) {
        return record;
    }
    const bool old = record_format(encoded.replay_part) == 1;
    // Both formats print the digest last, so it is compared in the text.
    const std::string digest =
        (old ? R"("body":")" : R"("details":")") + sha256(encoded.details_part).hex() + "\"}";
    if (!lines_of(encoded.replay_part).inputs.ends_with(digest)) {
        return corrupt("its details belong to another turn");
    }
    const auto parsed = parse_object(encoded.details_part, record->is_repaired);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    Members members(parsed->as_object());
    record->said = members.text("said");
    record->raw = members.find("raw") != nullptr ? members.text("raw") : record->shown;
    record->told = members.text("told");
    record->audit = members.array("audit");
    if (old) {
        read_details_v1(members, *record);
    } else {
        read_details(members, *record, with_changes);
    }
    if (!members.wrong().empty()) {
        return wrong(members.wrong());
    }
    return record;
}

}  // namespace arbiter::ledger
