#include "table/campaign.h"

#include <algorithm>

#include "base/limits.h"
#include "table/authority.h"
#include "table/goal.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/map.h"
#include "table/template.h"
#include "text/join.h"
#include "value/diff.h"
#include "value/editor.h"
#include "value/fields.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

namespace {

std::unexpected<base::Error> wrong(std::string_view key, std::string takes, const Value& found) {
    return std::unexpected(value::wrong_value(key, std::move(takes), found));
}

std::string listed(const Array& texts) {
    return text::join(texts, ", ", [](const Value& each) {
        return each.is_string() ? each.as_string() : std::string_view("?");
    });
}

base::Result<> known_tools(const Array& names, const Registries& registries) {
    for (const Value& name : names) {
        if (!name.is_string() || registries.tools.find(name.as_string()) == nullptr) {
            return base::fail(ErrorCode::kUnknownKey,
                              {name.is_string() ? std::string(name.as_string()) : "tools",
                               text::join(registries.tools.all(), ", ", &Tool::name)});
        }
    }
    return {};
}

// Builder: validates the parts of a template and assembles the campaign.
class Beginning {
  public:
    Beginning(const Object& written, const Registries& registries, const Object& globals)
        : written_(written), registries_(registries), globals_(globals) {}

    base::Result<Object> build(engine::Instant now) {
        if (const auto mistakes = check_template(written_, registries_, globals_);
            !mistakes.empty()) {
            return std::unexpected(first_error(mistakes));
        }
        const Value self = written_;
        const std::string time = engine::print_instant(now);
        made_ = Object{{"id", text_in(&self, "id")},
                       {"created_at", std::string_view(time)},
                       {"updated_at", std::string_view(time)},
                       {"seed", int_in(&self, "seed").value_or(1)},
                       {"turn", 0},
                       {"world", object_or_empty(written_.find("world"))},
                       {"rules", object_or_empty(written_.find("rules"))}};
        if (!text_in(&self, "title").empty()) {
            made_ = std::move(made_).set("title", text_in(&self, "title"));
        }
        for (auto step : {&Beginning::map, &Beginning::characters, &Beginning::party,
                          &Beginning::settings, &Beginning::tools}) {
            if (auto done = (this->*step)(); !done) {
                return std::unexpected(std::move(done.error()));
            }
        }
        rest(self);
        return made_;
    }

  private:
    base::Result<> map() {
        const Value* map = written_.find("map");
        const Object& areas = object_or_empty(value::find_member(map, "areas"));
        const Object& paths = object_or_empty(value::find_member(map, "paths"));
        made_ = std::move(made_).set("areas", areas).set("paths", paths);
        return validate_map(areas, paths);
    }

    base::Result<> characters() {
        const Value* cards = written_.find("characters");
        const Object& areas = made_.find("areas")->as_object();
        Object made;
        for (const auto& [id, card] : object_or_empty(cards)) {
            auto read = character_from(id, card);
            if (!read) {
                return std::unexpected(std::move(read.error()));
            }
            if (!read->area_id.empty() && !areas.contains(read->area_id)) {
                return base::fail(ErrorCode::kNotFound, {"areas." + read->area_id});
            }
            made = std::move(made).set(id, to_value(*read));
        }
        if (made.size() > base::kCharactersMax) {
            return wrong("characters", std::to_string(base::kCharactersMax), *cards);
        }
        made_ = std::move(made_).set("characters", std::move(made));
        return {};
    }

    base::Result<> party() {
        const Object& all = made_.find("characters")->as_object();
        Array members = array_or_empty(written_.find("party"));
        if (written_.find("party") == nullptr) {
            for (const auto& [id, card] : all) {
                members = std::move(members).push_back(id);
            }
        }
        Array seen;
        for (const Value& id : members) {
            if (!id.is_string() || !all.contains(id.as_string()) ||
                holds_text(seen, id.as_string())) {
                return base::fail(ErrorCode::kNotFound,
                                  {"characters." + (id.is_string() ? std::string(id.as_string())
                                                                   : std::string("?"))});
            }
            seen = std::move(seen).push_back(id);
        }
        const Value self = written_;
        std::string actor(text_in(&self, "active_actor"));
        if (actor.empty() && !members.empty()) {
            actor = members[0].as_string();
        }
        if (!actor.empty() && !holds_text(members, actor)) {
            return base::fail(ErrorCode::kNotInParty, {actor, listed(members)});
        }
        made_ = std::move(made_).set("selected",
                                     Object{{"world_id", text_in(written_.find("world"), "id")},
                                            {"map_id", text_in(written_.find("map"), "id")},
                                            {"party_character_ids", std::move(members)},
                                            {"active_actor_id", std::string_view(actor)}});
        return {};
    }

    base::Result<> settings() {
        Object dialog;
        if (const Value* types = written_.find("dialog_types")) {
            dialog = Object{{"types", *types}};
        }
        const SettingsRegistry settings =
            settings_of(Object{{kCampaignKey, Object{{"dialog", dialog}}}}, registries_);
        const Value* policy = value::find_member(written_.find("milestone"), "advance_policy");
        auto values = settings.patch({}, with_policy(settings, policy), globals_);
        if (!values) {
            return std::unexpected(std::move(values.error()));
        }
        const Value effective = settings.effective(*values, globals_).values;
        made_ = std::move(made_)
                    .set("settings", Object{{"revision", 1}, {"values", std::move(*values)}})
                    .set("dialog", std::move(dialog).set("dialog_type_selected",
                                                         text_in(&effective, kDialogSetting)));
        made_ = std::move(made_).set(
            "milestone",
            Object{{"value", 0},
                   {"last_advanced_at_turn", 0},
                   {"advance_policy",
                    policy != nullptr
                        ? *policy
                        : Value(Object{{"type", text_in(&effective, "milestone.policy")},
                                       {"threshold",
                                        int_in(&effective, "milestone.threshold").value_or(1)}})},
                   {"tokens", 0},
                   {"summary_version", 0}});
        return {};
    }

    // The written settings, and those that the template gives as a policy of milestones: the two
    // never say different things.
    [[nodiscard]] Object with_policy(const SettingsRegistry& settings, const Value* policy) const {
        Object values = object_or_empty(written_.find("settings"));
        const Value* type = value::find_member(policy, "type");
        const Value* threshold = value::find_member(policy, "threshold");
        threshold = threshold != nullptr ? threshold : value::find_member(policy, "n");
        for (const auto& [key, value] :
             {std::pair<std::string_view, const Value*>("milestone.policy", type),
              {"milestone.threshold", threshold}}) {
            const SettingDefinition* definition = settings.find(key);
            if (type != nullptr && value != nullptr && definition != nullptr &&
                settings.check(*definition, *value)) {
                values = std::move(values).set(key, *value);
            }
        }
        return values;
    }

    base::Result<> tools() {
        Array allow = array_or_empty(written_.find("tools"));
        if (written_.find("tools") == nullptr) {
            allow = usual_tools();
        }
        if (auto known = known_tools(allow, registries_); !known) {
            return known;
        }
        made_ = std::move(made_).set(
            "tools",
            Object{{"allow", std::move(allow)}, {"disabled", Object()}, {"repeats", Object()}});
        if (const Value* rows = written_.find("authority")) {
            if (auto read = authority_rows(*rows); !read) {
                return std::unexpected(std::move(read.error()));
            }
            made_ = std::move(made_).set("authority", *rows);
        }
        return {};
    }

    void rest(const Value& self) {
        const std::string id(text_in(&self, "id"));
        made_ =
            std::move(made_)
                .set("goal", Object{{"ultimate_goal_text", ""}, {"is_hidden", false}})
                .set("state_refs", Object{{"world_state_id", std::string_view(id + "/world")},
                                          {"map_state_id", std::string_view(id + "/map")},
                                          {"summary_state_id", std::string_view(id + "/summary")}})
                .set("summary",
                     Object{{"entries", Array()}, {"facts_json", Object()}, {"version", 0}})
                .set("checkpoints", Array())
                .set("rollback_pending", Object{{"is_pending", false},
                                                {"from_turn_id", ""},
                                                {"to_turn_id", ""},
                                                {"can_undo", false}})
                .set("rolls", Array())
                .set("ended", nullptr);
    }

    const Object& written_;
    const Registries& registries_;
    const Object& globals_;
    Object made_;
};

struct Put {
    value::Path path;
    Value value;
};

// Builds a Step from a player's changes and stamps it with the campaign's date.
base::Result<Step> step(const Value& document, std::string_view what, std::vector<Put> puts,
                        engine::Instant now) {
    if (!has_campaign(document)) {
        return base::fail(ErrorCode::kNoCampaign);
    }
    const std::string time = engine::print_instant(now);
    puts.push_back({campaign_path({"updated_at"}), std::string_view(time)});
    value::Editor editor(document);
    for (Put& put : puts) {
        if (auto done = editor.set(put.path, std::move(put.value), value::Parents::kCreate);
            !done) {
            return std::unexpected(std::move(done.error()));
        }
    }
    Step made;
    made.document = std::move(editor).take();
    made.action =
        Object{{"kind", "player"},
               {"what", what},
               {"time", std::string_view(time)},
               {"changes", value::diff_to_value(value::diff_of_step(document, made.document))}};
    return made;
}

}  // namespace

Array usual_tools() {
    return {"move", "hp_delta"};
}

base::Result<Value> begin_campaign(const Value& document, const Value& written,
                                   const Registries& registries, const Object& globals,
                                   engine::Instant now) {
    if (!document.is_object()) {
        return wrong("document", "{…}", document);
    }
    if (has_campaign(document)) {
        return base::fail(ErrorCode::kKeyExists, {std::string(kCampaignKey)});
    }
    if (!written.is_object()) {
        return wrong("campaign", "{id, …}", written);
    }
    auto made = Beginning(written.as_object(), registries, globals).build(now);
    if (!made) {
        return std::unexpected(std::move(made.error()));
    }
    Value begun = document.as_object().set(kCampaignKey, std::move(*made));
    const Value* goal = written.as_object().find("goal");
    const std::string_view text = text_in(goal, "ultimate_goal_text");
    const Value* hidden = value::find_member(goal, "is_hidden");
    return text.empty()
               ? begun
               : set_goal(begun, text, hidden != nullptr && hidden->is_bool() && hidden->as_bool());
}

namespace {

struct NewSettings {
    Object values;
    std::int64_t revision = 0;
    bool sets_milestone = false;  // the milestone policy is one of them
};

base::Result<Step> put_settings(const engine::State& state, NewSettings settings,
                                const SettingsRegistry& registry, const Object& globals,
                                engine::Instant now) {
    const Value& document = state.document;
    if (!has_campaign(document)) {
        const std::string time = engine::print_instant(now);
        Step made{
            document,
            Object{{"kind", "player"}, {"what", "settings"}, {"time", std::string_view(time)}}};
        made.meta = state.meta.set(kSettingsKey, Object{{"revision", settings.revision},
                                                        {"values", std::move(settings.values)}});
        return made;
    }
    const Value effective = registry.effective(settings.values, globals).values;
    std::vector<Put> puts = {
        {campaign_path({"settings", "values"}), std::move(settings.values)},
        {campaign_path({"settings", "revision"}), settings.revision},
        {campaign_path({"dialog", "dialog_type_selected"}), text_in(&effective, kDialogSetting)}};
    if (settings.sets_milestone) {
        puts.push_back(
            {campaign_path({"milestone", "advance_policy"}),
             Object{{"type", text_in(&effective, "milestone.policy")},
                    {"threshold", int_in(&effective, "milestone.threshold").value_or(1)}}});
    }
    return step(document, "settings", std::move(puts), now);
}

}  // namespace

base::Result<Step> patch_settings(const engine::State& state, const Object& patch,
                                  const Registries& registries, const Object& globals,
                                  engine::Instant now) {
    const SettingsRegistry registry = settings_of(state.document, registries);
    auto values = registry.patch(own_settings(state), patch, globals);
    if (!values) {
        return std::unexpected(std::move(values.error()));
    }
    const bool sets_milestone =
        patch.contains("milestone.policy") || patch.contains("milestone.threshold");
    return put_settings(state, {*std::move(values), settings_revision(state) + 1, sets_milestone},
                        registry, globals, now);
}

base::Result<Step> take_settings(const engine::State& state, const engine::State& from,
                                 const Registries& registries, const Object& globals,
                                 engine::Instant now) {
    const Object& values = own_settings(from);
    const auto differs = [&](std::string_view key) {
        const Value* here = own_settings(state).find(key);
        const Value* there = values.find(key);
        return here == nullptr || there == nullptr ? here != there : *here != *there;
    };
    const std::int64_t revision = std::max(settings_revision(from), settings_revision(state) + 1);
    return put_settings(
        state, {values, revision, differs("milestone.policy") || differs("milestone.threshold")},
        settings_of(state.document, registries), globals, now);
}

base::Result<Step> select_actor(const Value& document, std::string_view character,
                                engine::Instant now) {
    if (!holds_text(party(document), character)) {
        return base::fail(ErrorCode::kNotInParty,
                          {std::string(character), listed(party(document))});
    }
    return step(document, "actor", {{campaign_path({"selected", "active_actor_id"}), character}},
                now);
}

base::Result<Step> join_party(const Value& document, std::string_view character,
                              engine::Instant now) {
    if (find_character(document, character) == nullptr) {
        return base::fail(ErrorCode::kNotFound, {"characters." + std::string(character)});
    }
    Array members = party(document);
    if (!holds_text(members, character)) {
        members = std::move(members).push_back(character);
    }
    return step(document, "party",
                {{campaign_path({"selected", "party_character_ids"}), std::move(members)}}, now);
}

base::Result<Step> leave_party(const Value& document, std::string_view character,
                               engine::Instant now) {
    if (!holds_text(party(document), character) || active_actor(document) == character) {
        return base::fail(ErrorCode::kNotInParty,
                          {std::string(character), listed(party(document))});
    }
    Array members;
    for (const Value& each : party(document)) {
        if (!each.is_string() || each.as_string() != character) {
            members = std::move(members).push_back(each);
        }
    }
    return step(document, "party",
                {{campaign_path({"selected", "party_character_ids"}), std::move(members)}}, now);
}

base::Result<Step> change_characters(const Value& document,
                                     std::span<const CharacterChange> changes,
                                     const Object& settings, engine::Instant now) {
    std::vector<Put> puts;
    for (const CharacterChange& change : changes) {
        const Value* character = find_character(document, change.character);
        if (character == nullptr) {
            return base::fail(ErrorCode::kNotFound, {"characters." + change.character});
        }
        const auto at = [&](std::initializer_list<value::Segment> below) {
            value::Path path = campaign_path({"characters", std::string_view(change.character)});
            path.insert(path.end(), below);
            return path;
        };
        if (change.area) {
            if (find_area(document, *change.area) == nullptr) {
                return base::fail(ErrorCode::kNotFound, {"areas." + *change.area});
            }
            puts.push_back({at({"area_id"}), std::string_view(*change.area)});
        }
        std::optional<std::int64_t> hp = change.hp;
        const auto present = hp_of(character);
        if (change.alive_state) {
            Object status = object_or_empty(value::find_member(character, "status"));
            puts.push_back(
                {at({"status"}),
                 std::move(status).set("alive_state", std::string_view(*change.alive_state))});
            const bool is_down =
                *change.alive_state == alive::kDead || *change.alive_state == alive::kDowned;
            if (present && is_down != (present->current == 0)) {
                puts.push_back({at({"hp", "current"}), std::int64_t{is_down ? 0 : 1}});
            }
        } else if (hp && present) {
            hp = std::clamp<std::int64_t>(*hp, 0, present->max);
            puts.push_back({at({"hp", "current"}), *hp});
            if (auto status = status_with(*character, *hp, settings)) {
                puts.push_back({at({"status"}), *std::move(status)});
            }
        }
    }
    return step(document, "narration", std::move(puts), now);
}

base::Result<Step> allow_tools(const Value& document, const Array& names,
                               const Registries& registries, engine::Instant now) {
    if (auto known = known_tools(names, registries); !known) {
        return std::unexpected(std::move(known.error()));
    }
    return step(document, "tools", {{campaign_path({"tools", "allow"}), names}}, now);
}

base::Result<Step> disable_tool(const Value& document, std::string_view tool,
                                std::int64_t until_turn, const Registries& registries,
                                engine::Instant now) {
    if (auto known = known_tools(Array{tool}, registries); !known) {
        return std::unexpected(std::move(known.error()));
    }
    return step(document, "tools", {{campaign_path({"tools", "disabled", tool}), until_turn}}, now);
}

base::Result<Step> store_route(const Value& document, const RouteDecision& decision,
                               engine::Instant now) {
    return step(document, "route",
                {{campaign_path({"dialog", "future_route_decision"}), to_value(decision)}}, now);
}

base::Result<Step> end_campaign(const Value& document, std::string_view reason,
                                engine::Instant now) {
    return step(
        document, "end",
        {{campaign_path({"ended"}), Object{{"reason", reason}, {"turn", turn_number(document)}}}},
        now);
}

}  // namespace arbiter::table
