#include "table/dialog.h"

#include <algorithm>

#include "base/check.h"
#include "table/layout.h"
#include "text/join.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/json.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

bool DialogType::offers(std::string_view tool) const noexcept {
    return changes_state && (!tools || std::ranges::find(*tools, tool) != tools->end());
}

base::Result<> DialogTypes::add(DialogType type) {
    const auto refuse = [&](std::string why) {
        return base::fail(ErrorCode::kDialogIncomplete, {type.id, std::move(why)});
    };
    if (type.id.empty() || find(type.id) != nullptr) {
        return refuse("id");
    }
    if (!type.title.is_complete()) {
        return refuse("title");
    }
    if (!type.instruction.is_complete()) {
        return refuse("instruction");
    }
    if (!type.prompt.is_object()) {
        return refuse("prompt");
    }
    all_.push_back(std::move(type));
    return {};
}

const DialogType* DialogTypes::find(std::string_view id) const noexcept {
    const auto found = std::ranges::find(all_, id, &DialogType::id);
    return found != all_.end() ? &*found : nullptr;
}

namespace {

constexpr std::string_view kToolsForm = "all | none | [move, …]";

void read_tools(value::Fields& fields, DialogType& type) {
    const Value* written = fields.take("tools");
    if (written == nullptr) {
        return;
    }
    if (written->is_array()) {
        type.tools.emplace();
        for (const value::Fields::TextItem& item : fields.texts("tools")) {
            type.tools->push_back(item.text);
        }
    } else if (written->is_string() && written->as_string() == "all") {
        type.tools.reset();
    } else if (written->is_string() && written->as_string() == "none") {
        type.tools.emplace();
    } else {
        fields.reject("tools", std::string(kToolsForm), *written);
    }
}

// The type that a written one starts from.
DialogType base_of(value::Fields& fields, const DialogTypes& known) {
    const std::string extends = fields.text("extends").value_or("scene");
    const DialogType* base = known.find(extends);
    if (base == nullptr) {
        if (fields.contains("extends")) {
            fields.reject("extends", text::join(known.all(), " | ", &DialogType::id),
                          Value(std::string_view(extends)));
        }
        return {};
    }
    return *base;
}

std::optional<DialogType> read_dialog(std::string_view id, const Value& written, value::Path path,
                                      const DialogTypes& known, value::Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.size();
    value::Fields fields(written, path, diagnostics, {.takes = "{title, instruction, …}"});
    DialogType type = base_of(fields, known);
    type.id = id;
    type.title = fields.bilingual("title").value_or(base::Text{std::string(id), std::string(id)});
    type.instruction = fields.bilingual("instruction").value_or(type.instruction);
    read_tools(fields, type);
    type.changes_state = fields.flag("changes_state").value_or(type.changes_state);
    if (const Value* plan = fields.take("prompt", value::Kind::kObject)) {
        // Keys of the plan replace those of the base, one by one.
        Object merged = type.prompt.as_object();
        for (const auto& [key, part] : plan->as_object()) {
            merged = std::move(merged).set(key, part);
        }
        type.prompt = std::move(merged);
    }
    fields.finish();
    if (!type.instruction.is_complete()) {
        fields.missing("instruction");
    }
    return diagnostics.size() == before ? std::optional(std::move(type)) : std::nullopt;
}

}  // namespace

std::expected<DialogTypes, value::Diagnostics> parse_dialogs(const Value& written,
                                                             const DialogTypes& base,
                                                             value::Path path) {
    DialogTypes types = base;
    value::Diagnostics diagnostics;
    if (!written.is_object()) {
        diagnostics.push_back(
            {path, false, value::wrong_value("dialog_types", "{id: {title, …}}", written)});
        return std::unexpected(std::move(diagnostics));
    }
    for (const auto& [id, type] : written.as_object()) {
        value::Path own = path;
        own.emplace_back(id);
        auto read = read_dialog(id, type, own, types, diagnostics);
        if (!read) {
            continue;
        }
        if (auto added = types.add(*std::move(read)); !added) {
            diagnostics.push_back({std::move(own), true, std::move(added).error()});
        }
    }
    if (!diagnostics.empty()) {
        return std::unexpected(std::move(diagnostics));
    }
    return types;
}

DialogTypes shipped_dialogs() {
    DialogTypes types;
    for (const ShippedDialogs& file : shipped_dialog_files()) {
        const auto written = value::parse_json(file.json);
        CHECK(written.has_value());
        auto parsed = parse_dialogs(*written, types);
        CHECK(parsed.has_value());
        types = *std::move(parsed);
    }
    return types;
}

const Value* own_dialogs(const Value& document) noexcept {
    const Value* own = find_in_campaign(document, {"dialog", "types"});
    return own != nullptr && own->is_object() ? own : nullptr;
}

DialogTypes dialogs_of(const Value& document, const DialogTypes& shipped) {
    const Value* own = own_dialogs(document);
    auto parsed = own != nullptr ? parse_dialogs(*own, shipped) : shipped;
    // Types that an older version wrote and this one cannot read are not there.
    return parsed ? *std::move(parsed) : shipped;
}

Value to_value(const RouteDecision& decision) {
    Array guards;
    for (const std::string& guard : decision.guards) {
        guards = std::move(guards).push_back(std::string_view(guard));
    }
    return Object{{"dialog_type", std::string_view(decision.dialog_type)},
                  {"variant", std::string_view(decision.variant)},
                  {"context_profile", std::string_view(decision.context_profile)},
                  {"guards", std::move(guards)}};
}

base::Result<RouteDecision> route_decision_from(const Value& written) {
    const Value* guards = value::find_member(&written, "guards");
    if (text_in(&written, "dialog_type").empty()) {
        return base::fail(ErrorCode::kMissingKey, {"dialog_type"});
    }
    RouteDecision made{std::string(text_in(&written, "dialog_type")),
                       std::string(text_in(&written, "variant")),
                       std::string(text_in(&written, "context_profile")),
                       {}};
    for (const Value& guard : array_or_empty(guards)) {
        if (!guard.is_string()) {
            return base::fail(ErrorCode::kBadField,
                              {"guards", "[text]", std::string(value::name(guard.kind()))});
        }
        made.guards.emplace_back(guard.as_string());
    }
    return made;
}

bool names_other_dialog(const Object& settings, const DialogTypes& types) noexcept {
    const Value* named = settings.find(kDialogSetting);
    return named != nullptr && named->is_string() && types.find(named->as_string()) == nullptr;
}

DialogType chosen_dialog(const Value& document, const DialogTypes& shipped,
                         const Object& effective) {
    if (own_dialogs(document) == nullptr || !names_other_dialog(effective, shipped)) {
        return chosen_dialog(shipped, effective);
    }
    return chosen_dialog(dialogs_of(document, shipped), effective);
}

const DialogType& chosen_dialog(const DialogTypes& types, const Value& effective) {
    CHECK(!types.all().empty());
    const DialogType* chosen = types.find(text_in(&effective, kDialogSetting));
    return chosen != nullptr ? *chosen : types.all()[0];
}

}  // namespace arbiter::table
