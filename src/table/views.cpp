// Conversion between the stored campaign and the views of the specification.
#include <algorithm>
#include <array>

#include "table/layout.h"
#include "value/editor.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

namespace {

// A field of the view and the key that stores it.
struct Field {
    std::string_view view;
    std::string_view kept;
    value::Kind kind;
    bool required;
};
constexpr std::array kFields = {
    Field{"campaign_id", "id", value::Kind::kString, true},
    Field{"title", "title", value::Kind::kString, false},
    Field{"created_at", "created_at", value::Kind::kString, true},
    Field{"updated_at", "updated_at", value::Kind::kString, true},
    Field{"selected", "selected", value::Kind::kObject, true},
    Field{"goal", "goal", value::Kind::kObject, true},
    Field{"milestone", "milestone", value::Kind::kObject, true},
    Field{"state_refs", "state_refs", value::Kind::kObject, true},
    Field{"dialog", "dialog", value::Kind::kObject, true},
    Field{"checkpoints", "checkpoints", value::Kind::kArray, false},
    Field{"rollback_pending", "rollback_pending", value::Kind::kObject, false},
};

Value text(std::string_view of) {
    return of;
}

Value put(const Value& document, std::initializer_list<value::Segment> below, Value value) {
    auto changed =
        value::set(document, campaign_path(below), std::move(value), value::Parents::kCreate);
    // Fails only if the document is not an object, and then it has no campaign.
    return changed ? *changed : document;
}

std::unexpected<base::Error> bad(std::string_view key, std::string_view needs, const Value& found) {
    return base::fail(ErrorCode::kBadField, {std::string(key), std::string(needs),
                                             std::string(value::name(found.kind()))});
}

}  // namespace

Value campaign_view(const Value& document) {
    const Value* campaign = find_in_campaign(document, {});
    if (campaign == nullptr || !campaign->is_object()) {
        return {};
    }
    Object view;
    for (const Field& field : kFields) {
        if (const Value* found = campaign->as_object().find(field.kept)) {
            view = std::move(view).set(field.view, *found);
        }
    }
    const Value* values = find_in_campaign(document, {"settings", "values"});
    return std::move(view).set("settings_snapshot", object_or_empty(values));
}

base::Result<Value> with_campaign(const Value& document, const Value& view) {
    if (!view.is_object()) {
        return bad("campaign", "{campaign_id, …}", view);
    }
    if (!document.is_object()) {
        return bad("document", "{…}", document);
    }
    value::Editor editor(document);
    for (const Field& field : kFields) {
        const Value* found = view.as_object().find(field.view);
        if (found == nullptr) {
            if (field.required) {
                return base::fail(ErrorCode::kMissingKey, {std::string(field.view)});
            }
            continue;
        }
        if (found->kind() != field.kind) {
            return bad(field.view, value::name(field.kind), *found);
        }
        if (auto done = editor.set(campaign_path({field.kept}), *found, value::Parents::kCreate);
            !done) {
            return std::unexpected(std::move(done.error()));
        }
    }
    const Value* settings = view.as_object().find("settings_snapshot");
    if (settings == nullptr || !settings->is_object()) {
        return settings == nullptr ? base::fail(ErrorCode::kMissingKey, {"settings_snapshot"})
                                   : bad("settings_snapshot", "{…}", *settings);
    }
    if (auto done =
            editor.set(campaign_path({"settings", "values"}), *settings, value::Parents::kCreate);
        !done) {
        return std::unexpected(std::move(done.error()));
    }
    return std::move(editor).take();
}

Value summary_view(const Value& document) {
    std::string all;
    bool first = true;
    Array pins;
    for (const Value& entry : array_or_empty(find_in_campaign(document, {"summary", "entries"}))) {
        const Value* pinned = value::find_member(&entry, "_is_protected");
        if (pinned != nullptr && pinned->is_bool() && pinned->as_bool()) {
            pins = std::move(pins).push_back(text(text_in(&entry, "text")));
            continue;
        }
        all += first ? "" : "\n";
        all += text_in(&entry, "text");
        first = false;
    }
    return Object{
        {"summary_text", text(all)},
        {"facts_json", object_or_empty(find_in_campaign(document, {"summary", "facts_json"}))},
        {"pins", std::move(pins)}};
}

base::Result<Value> with_summary(const Value& document, const Value& view) {
    const Value* words = value::find_member(&view, "summary_text");
    const Value* facts = value::find_member(&view, "facts_json");
    const Value* pins = value::find_member(&view, "pins");
    if (words == nullptr || !words->is_string()) {
        return bad("summary_text", "text", words != nullptr ? *words : Value());
    }
    if (facts == nullptr || !facts->is_object()) {
        return bad("facts_json", "{…}", facts != nullptr ? *facts : Value());
    }
    if (pins == nullptr || !pins->is_array()) {
        return bad("pins", "[text]", pins != nullptr ? *pins : Value());
    }
    Array entries;
    for (const Value& pin : pins->as_array()) {
        if (!pin.is_string()) {
            return bad("pins", "[text]", pin);
        }
        entries = std::move(entries).push_back(Object{{"text", pin}, {"_is_protected", true}});
    }
    const std::string_view all = words->as_string();
    for (std::size_t begin = 0; !all.empty() && begin <= all.size();) {
        const std::size_t end = std::min(all.find('\n', begin), all.size());
        entries =
            std::move(entries).push_back(Object{{"text", text(all.substr(begin, end - begin))}});
        begin = end + 1;
    }
    const auto before = static_cast<std::int64_t>(
        array_or_empty(find_in_campaign(document, {"summary", "entries"})).size());
    const auto now = static_cast<std::int64_t>(entries.size());
    // A rewritten summary is a new version even if it is shorter.
    const std::int64_t version =
        summary_version(document) + std::max<std::int64_t>(1, now - before);
    return put(
        document, {"summary"},
        Object{{"entries", std::move(entries)}, {"facts_json", *facts}, {"version", version}});
}

std::int64_t summary_version(const Value& document) noexcept {
    return int_in(find_in_campaign(document, {"summary"}), "version").value_or(0);
}

Value to_value(const TurnLog& log) {
    Object made = {{"turn_id", text(log.turn_id)},
                   {"actor_id", text(log.actor_id)},
                   {"user_input", text(log.user_input)},
                   {"assistant_output_text", text(log.assistant_output_text)}};
    if (log.assistant_structured) {
        made = std::move(made).set("assistant_structured", *log.assistant_structured);
    }
    return std::move(made)
        .set("applied_actions", log.applied_actions)
        .set("timestamp", text(log.timestamp))
        .set("settings_revision", log.settings_revision)
        .set("retries", log.retries);
}

base::Result<TurnLog> turn_log_from(const Value& written) {
    TurnLog log;
    for (const auto& [key, into] :
         {std::pair<std::string_view, std::string*>{"turn_id", &log.turn_id},
          {"actor_id", &log.actor_id},
          {"user_input", &log.user_input},
          {"assistant_output_text", &log.assistant_output_text},
          {"timestamp", &log.timestamp}}) {
        const Value* found = value::find_member(&written, key);
        if (found == nullptr || !found->is_string()) {
            return bad(key, "text", found != nullptr ? *found : Value());
        }
        *into = found->as_string();
    }
    const Value* actions = value::find_member(&written, "applied_actions");
    if (actions == nullptr || !actions->is_array()) {
        return bad("applied_actions", "[…]", actions != nullptr ? *actions : Value());
    }
    log.applied_actions = actions->as_array();
    if (const Value* structured = value::find_member(&written, "assistant_structured")) {
        log.assistant_structured = *structured;
    }
    log.settings_revision = int_in(&written, "settings_revision").value_or(0);
    log.retries = int_in(&written, "retries").value_or(0);
    return log;
}

Value with_checkpoint(const Value& document, const Checkpoint& checkpoint, std::int64_t most) {
    Array kept = array_or_empty(find_in_campaign(document, {"checkpoints"}));
    Object row = {{"turn_id", text(checkpoint.turn_id)}, {"timestamp", text(checkpoint.timestamp)}};
    if (checkpoint.label) {
        row = std::move(row).set("label", text(*checkpoint.label));
    }
    kept = std::move(kept).push_back(
        std::move(row).set("state_snapshot_ref", text(checkpoint.state_snapshot_ref)));
    while (!kept.empty() &&
           static_cast<std::int64_t>(kept.size()) > std::max<std::int64_t>(0, most)) {
        kept = std::move(kept).erase(0);
    }
    return put(document, {"checkpoints"}, std::move(kept));
}

Value with_rollback(const Value& document, std::string_view from_turn, std::string_view to_turn) {
    return put(document, {"rollback_pending"},
               Object{{"is_pending", true},
                      {"from_turn_id", text(from_turn)},
                      {"to_turn_id", text(to_turn)},
                      {"can_undo", true}});
}

Value without_rollback(const Value& document) {
    return put(
        document, {"rollback_pending"},
        Object{
            {"is_pending", false}, {"from_turn_id", ""}, {"to_turn_id", ""}, {"can_undo", false}});
}

bool can_undo(const Value& document) noexcept {
    const Value* found = find_in_campaign(document, {"rollback_pending", "can_undo"});
    return found != nullptr && found->is_bool() && found->as_bool();
}

}  // namespace arbiter::table
