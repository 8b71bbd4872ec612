#include "table/template.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/limits.h"
#include "expr/formula.h"
#include "table/authority.h"
#include "table/layout.h"
#include "text/join.h"
#include "text/nearest.h"
#include "value/array.h"
#include "value/fields.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Fields;
using value::Kind;
using value::Object;
using value::Path;
using value::Presence;
using value::Value;

namespace {

// A text that should name one of the known things of a kind ("the id of an area"): with the one
// that was probably meant, or with the first ones that exist.
base::Error unknown_name(std::string_view key, std::string kind, const Object& known,
                         std::string_view written) {
    constexpr std::size_t kListedMax = 12;
    std::vector<std::string_view> names;
    for (const auto& [name, value] : known) {
        names.push_back(name.view());
    }
    if (const auto near = text::nearest(written, names)) {
        return value::wrong_value(key, std::move(kind), Value(written), *near);
    }
    const bool is_long = names.size() > kListedMax;
    names.resize(std::min(names.size(), kListedMax));
    if (!names.empty()) {
        kind += ": " + text::join(names, " | ") + (is_long ? " | …" : "");
    }
    return value::wrong_value(key, std::move(kind), Value(written));
}

constexpr std::string_view kAreaId = "the id of an area";
constexpr std::string_view kCharacterId = "the id of a character";

class Checker {
  public:
    Checker(const Value& written, const Registries& registries, const Object& globals)
        : registries_(registries),
          globals_(globals),
          fields_(written, {}, diagnostics_, {.takes = "{id, …}", .name = "campaign"}) {}

    value::Diagnostics run() && {
        if (fields_.text("id", Presence::kRequired) == "") {
            fields_.missing("id");
        }
        fields_.text("title");
        fields_.take("seed", Kind::kInt);
        world();
        fields_.take("rules", Kind::kObject);
        map();
        characters();
        party();
        goal();
        dialogs_and_settings();
        tools();
        milestone();
        fields_.finish();
        return std::move(diagnostics_);
    }

  private:
    void world() {
        if (auto world = fields_.object("world")) {
            for (const std::string_view key : {"id", "name", "background", "tone"}) {
                world->text(key);
            }
        }
    }

    void lock(Fields& owner) {
        const Value* lock = owner.take("lock");
        if (lock == nullptr || lock->is_null() || lock->is_bool()) {
            return;
        }
        constexpr std::string_view kForm = "true | {is_locked?, unlock_when?, reason?}";
        if (!lock->is_object()) {
            owner.reject("lock", std::string(kForm), *lock);
            return;
        }
        Fields fields = owner.inner(*lock, owner.path_of("lock"), kForm);
        fields.flag("is_locked");
        fields.bilingual("reason");
        if (const auto when = fields.text("unlock_when")) {
            if (auto formula = expr::Formula::compile(*when, {}); !formula) {
                base::Error error = std::move(formula).error();
                error.place.reset();  // a position in the formula, not in the file
                fields.error("unlock_when", std::move(error));
            }
        }
        fields.finish();
    }

    void map() {
        auto map = fields_.object("map");
        if (!map) {
            return;
        }
        map->text("id");
        if (auto areas = map->object("areas")) {
            areas_ = areas->members();
            too_many(*map, "areas", areas_.size(), base::kAreasMax);
            for (const auto& [id, area] : areas_) {
                Fields fields = areas->inner(area, areas->path_of(id), "{name, …}");
                fields.text("name", Presence::kRequired);
                fields.text("description");
                fields.take("items", Kind::kObject);
                lock(fields);
                misspelled(fields, {"name", "description", "items", "lock"});
            }
        }
        if (auto paths = map->object("paths")) {
            too_many(*map, "paths", paths->members().size(), base::kAreasMax);
            for (const auto& [id, path] : paths->members()) {
                Fields fields = paths->inner(path, paths->path_of(id), "{from, to, …}");
                const auto from = end_of(fields, "from");
                const auto to = end_of(fields, "to");
                if (from && from == to && areas_.contains(*to)) {
                    fields.reject("to", "an area other than from", Value(std::string_view(*to)));
                }
                fields.flag("one_way");
                fields.text("name");
                fields.text("description");
                lock(fields);
                fields.finish();
            }
        }
        map->finish();
    }

    std::optional<std::string> end_of(Fields& path, std::string_view key) {
        auto area = path.text(key, Presence::kRequired);
        if (area && !areas_.contains(*area)) {
            path.error(key, unknown_name(key, std::string(kAreaId), areas_, *area));
        }
        return area;
    }

    void too_many(Fields& owner, std::string_view key, std::size_t count, std::size_t max) {
        if (count > max) {
            owner.reject(key, "<= " + std::to_string(max), Value(static_cast<std::int64_t>(count)));
        }
    }

    // Free members are allowed beside the known ones, unless they look like a typing error: `mp`
    // beside `hp` does not.
    void misspelled(Fields& fields, std::span<const std::string_view> known) {
        for (const auto& [key, value] : fields.members()) {
            const auto meant = std::ranges::find(known, key.view()) == known.end()
                                   ? text::nearest(key.view(), known)
                                   : std::nullopt;
            if (meant && !fields.contains(*meant)) {
                fields.forget_missing(*meant);
                fields.key_error(key, value::unknown_key(key, known));
            }
        }
    }
    void misspelled(Fields& fields, std::initializer_list<std::string_view> known) {
        misspelled(fields, std::span(known.begin(), known.size()));
    }

    void characters() {
        auto cards = fields_.object("characters");
        if (!cards) {
            return;
        }
        characters_ = cards->members();
        too_many(fields_, "characters", characters_.size(), base::kCharactersMax);
        for (const auto& [id, card] : characters_) {
            Fields fields = cards->inner(card, cards->path_of(id), "{name, hp, …}");
            character(fields);
        }
    }

    void character(Fields& fields) {
        if (fields.text("name", Presence::kRequired) == "") {
            fields.missing("name");
        }
        for (const std::string_view key : {"character_id", "title", "background", "job", "race"}) {
            fields.text(key);
        }
        const auto area = fields.text("area_id");
        if (area && !area->empty() && !areas_.contains(*area)) {
            fields.error("area_id", unknown_name("area_id", std::string(kAreaId), areas_, *area));
        }
        hp(fields);
        for (const Fields::Item& skill : fields.strict_list("skills", "[{name, level?}]")) {
            Fields own = fields.inner(skill.value, skill.path, "{name, level?}");
            own.text("name", Presence::kRequired);
            own.take("level", Kind::kInt);
            own.finish();
        }
        if (auto attributes = fields.object("attributes")) {
            for (const auto& [name, value] : attributes->members()) {
                if (!expr::undescribed(value).is_number()) {
                    attributes->reject(name, "a number", value);
                }
            }
        }
        if (auto status = fields.object("status")) {
            status->text("alive_state");
            status->texts("flags");
            status->finish();
        }
        fields.take("items", Kind::kObject);
        constexpr std::array<std::string_view, 12> kKeys = {
            "character_id", "name",   "title",      "background", "job",     "race",
            "hp",           "skills", "attributes", "status",     "area_id", "items"};
        misspelled(fields, kKeys);
    }

    void hp(Fields& card) {
        auto hp = card.object("hp", Presence::kRequired);
        if (!hp) {
            return;
        }
        const auto max = hp->whole("max", 0, base::kToolNumberMax, Presence::kRequired);
        if (max) {
            hp->whole("current", 0, *max);
        } else {
            hp->take("current");
        }
        hp->finish();
    }

    void party() {
        std::set<std::string> seen;
        bool is_sound = true;
        for (const Fields::TextItem& id : fields_.texts("party")) {
            if (!characters_.contains(id.text)) {
                is_sound = false;
                fields_.error_at(id.path, unknown_name("party", std::string(kCharacterId),
                                                       characters_, id.text));
            } else if (!seen.insert(id.text).second) {
                fields_.error_at(id.path, value::wrong_value("party", "each character once",
                                                             Value(std::string_view(id.text))));
            }
        }
        const auto actor = fields_.text("active_actor");
        if (!actor || actor->empty()) {
            return;
        }
        if (!characters_.contains(*actor)) {
            fields_.error("active_actor", unknown_name("active_actor", std::string(kCharacterId),
                                                       characters_, *actor));
        } else if (is_sound && fields_.contains("party") && !seen.contains(*actor)) {
            fields_.error("active_actor",
                          base::Error(ErrorCode::kNotInParty, {*actor, text::join(seen)}));
        }
    }

    void goal() {
        if (auto goal = fields_.object("goal")) {
            const auto text = goal->text("ultimate_goal_text");
            if (text && text->size() > base::kToolTextBytesMax) {
                goal->reject("ultimate_goal_text", "<= " + std::to_string(base::kToolTextBytesMax),
                             Value(static_cast<std::int64_t>(text->size())));
            }
            goal->flag("is_hidden");
            goal->finish();
        }
    }

    void dialogs_and_settings() {
        const Value* own = fields_.take("dialog_types");
        SettingsRegistry settings = registries_.settings;
        if (own != nullptr) {
            auto parsed = parse_dialogs(*own, registries_.dialogs, {"dialog_types"});
            if (!parsed) {
                std::ranges::move(parsed.error(), std::back_inserter(diagnostics_));
            } else {
                std::vector<std::string> words;
                for (const DialogType& type : parsed->all()) {
                    words.push_back(type.id);
                    check_tools(type);
                }
                settings = settings.with_words(kDialogSetting, std::move(words));
            }
        }
        const Value* values = fields_.take("settings", Kind::kObject);
        if (values == nullptr) {
            return;
        }
        const std::size_t before = diagnostics_.size();
        for (const auto& [key, value] : values->as_object()) {
            // One by one, so that each mistake has its position; exclusions need all of them.
            const SettingDefinition* definition = settings.find(key);
            if (definition == nullptr) {
                auto unknown = settings.patch({}, Object{{key.view(), value}}, globals_);
                diagnostics_.push_back({{"settings", key}, true, std::move(unknown).error()});
            } else if (auto checked = settings.check(*definition, value); !checked) {
                diagnostics_.push_back({{"settings", key}, false, std::move(checked).error()});
            }
        }
        if (diagnostics_.size() == before) {
            if (auto patched = settings.patch({}, values->as_object(), globals_); !patched) {
                diagnostics_.push_back({{"settings"}, true, std::move(patched).error()});
            }
        }
    }

    void check_tools(const DialogType& type) {
        for (const std::string& tool : type.tools.value_or(std::vector<std::string>())) {
            if (registries_.tools.find(tool) == nullptr) {
                unknown_tool({"dialog_types", std::string_view(type.id), "tools"}, "tools", tool);
            }
        }
    }

    void unknown_tool(Path path, std::string_view key, std::string_view tool) {
        Object known;
        for (const Tool& each : registries_.tools.all()) {
            known = std::move(known).set(std::string_view(each.name), Value());
        }
        diagnostics_.push_back(
            {std::move(path), false, unknown_name(key, "the name of a tool", known, tool)});
    }

    void tools() {
        for (const Fields::TextItem& tool : fields_.texts("tools")) {
            if (registries_.tools.find(tool.text) == nullptr) {
                unknown_tool(tool.path, "tools", tool.text);
            }
        }
        if (const Value* rows = fields_.take("authority", Kind::kArray)) {
            if (auto read = authority_rows(*rows); !read) {
                fields_.error("authority", std::move(read).error());
            }
        }
    }

    void milestone() {
        auto milestone = fields_.object("milestone");
        if (!milestone) {
            return;
        }
        if (auto policy = milestone->object("advance_policy")) {
            constexpr std::array<std::string_view, 4> kTypes = {
                "by_turn_count", "by_token_estimate", "by_summary_version", "off"};
            policy->word("type", kTypes);
            policy->whole("threshold", 1, base::kToolNumberMax);
            policy->whole("n", 1, base::kToolNumberMax);
            policy->finish();
        }
        milestone->finish();
    }

    const Registries& registries_;
    const Object& globals_;
    value::Diagnostics diagnostics_;
    Fields fields_;
    Object areas_;
    Object characters_;
};

}  // namespace

value::Diagnostics check_template(const Value& written, const Registries& registries,
                                  const Object& globals) {
    return Checker(written, registries, globals).run();
}

base::Error first_error(const value::Diagnostics& diagnostics) {
    base::Error error = diagnostics.front().error;
    const bool names_a_key =
        error.code == ErrorCode::kBadField || error.code == ErrorCode::kMissingKey ||
        error.code == ErrorCode::kUnknownKey || error.code == ErrorCode::kMisspelledKey;
    if (names_a_key && !diagnostics.front().path.empty() && !error.arguments.empty()) {
        std::string path = value::print_path(diagnostics.front().path, value::PathSyntax::kDotted);
        // A missing key is not part of the path.
        error.arguments[0] = error.code == ErrorCode::kMissingKey ? path + "." + error.arguments[0]
                                                                  : std::move(path);
    }
    return error;
}

}  // namespace arbiter::table
