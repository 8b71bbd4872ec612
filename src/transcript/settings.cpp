// Settings of a turn.
#include <algorithm>
#include <array>

#include "config/protocols.h"
#include "config/rulebooks.h"
#include "engine/features.h"
#include "transcript/play.h"
#include "value/path.h"

namespace arbiter::transcript {

using base::ErrorCode;
using engine::Actor;

namespace {

constexpr engine::Instant kDefaultNow = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

struct Row {
    std::string_view name;
    std::string_view takes;
    // False when the value is none of its values.
    bool (*set)(Setup& setup, std::string_view value);
};

bool choose(bool& target, std::string_view value, std::string_view yes, std::string_view no) {
    target = value == yes;
    return target || value == no;
}

bool set_profile(Setup& setup, std::string_view value) {
    auto loaded = config::load_profile(value);
    if (loaded) {
        setup.profile = *std::move(loaded);
    }
    return loaded.has_value();
}

bool set_rulebook(Setup& setup, std::string_view value) {
    if (value == "none") {
        setup.profile.rulebooks.clear();
        return true;
    }
    setup.profile.rulebooks.emplace_back(value);
    return config::load_rulebook(value).has_value();
}

bool set_protocol(Setup& setup, std::string_view value) {
    setup.protocols.emplace_back(value);
    return true;
}

// What the protocols bring: tags, dialects, limits. A file is one more protocol, active like those
// that are named.
base::Result<> add_protocols(Setup& setup) {
    if (setup.protocols.empty()) {
        return {};
    }
    std::vector<std::string> files;
    std::vector<protocol::ProtocolRequest> requests;
    for (const std::string& each : setup.protocols) {
        if (config::is_file(each)) {
            files.push_back(each);
        } else {
            requests.push_back({each, {}});
        }
    }
    const config::Protocols loaded(files);
    if (!loaded.diagnostics().empty()) {
        return std::unexpected(loaded.diagnostics()[0].errors[0]);
    }
    for (const protocol::Library::Row& row : loaded.library()->rows()) {
        if (std::ranges::find(files, row.file) != files.end()) {
            requests.push_back({full_name(*row.protocol), {}});
        }
    }
    protocol::Resolved now = loaded.library()->resolve(requests);
    if (!now.warnings.empty()) {
        return std::unexpected(std::move(now.warnings[0]));
    }
    setup.protocol_tags = std::move(now.hints);
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        if (now.dialects.has(static_cast<proposal::Dialect>(i))) {
            setup.profile.of_model.add(static_cast<proposal::Dialect>(i));
        }
    }
    for (auto& book : now.constraints) {
        book->add_to(setup.setting.policy);
        setup.setting.books.push_back(std::move(book));
    }
    return {};
}

bool set_off(Setup& setup, std::string_view value) {
    const auto feature = engine::find_feature(value);
    setup.profile.policy.features.turn(feature.value_or(0), !feature);
    return feature.has_value();
}

bool set_now(Setup& setup, std::string_view value) {
    const auto instant = engine::parse_instant(value);
    setup.now = instant.value_or(kDefaultNow);
    return instant.has_value();
}

bool set_old_check(Setup& setup, std::string_view value) {
    setup.profile.policy.old_check = value == "strict" ? engine::OldCheck::kStrict
                                     : value == "off"  ? engine::OldCheck::kOff
                                                       : engine::OldCheck::kWarn;
    return value == "strict" || value == "off" || value == "warn";
}

bool set_closed(Setup& setup, std::string_view value) {
    auto path = value::parse_path(value, value::PathSyntax::kDotted);
    if (path) {
        setup.profile.policy.closed.push_back({*std::move(path), false});
    }
    return path.has_value();
}

bool set_hint(Setup& setup, std::string_view value) {
    struct Meaning {
        std::string_view name;
        reader::TagMeaning meaning;
    };
    constexpr Meaning kMeanings[] = {{"ignore", reader::TagMeaning::kIgnore},
                                     {"display", reader::TagMeaning::kDisplay},
                                     {"execute", reader::TagMeaning::kExecute},
                                     {"component", reader::TagMeaning::kComponent},
                                     {"thinking", reader::TagMeaning::kThinking}};
    const std::size_t space = value.find(' ');
    for (const Meaning& each : kMeanings) {
        if (space != std::string_view::npos && value.substr(space + 1) == each.name) {
            setup.profile.tags.push_back({std::string(value.substr(0, space)), each.meaning});
            return true;
        }
    }
    return false;
}

constexpr auto kRows = std::to_array<Row>({
    {"profile", "tavern, memory, json, filament, mvu, auto, house.yaml", set_profile},
    {"rulebook", "infinite-flow, none, house.yaml", set_rulebook},
    {"protocol", "love_system_simple, choice@^1, mine.yaml", set_protocol},
    {"off", "update, ensure, ttl, …", set_off},
    {"now", "2026-01-01T00:00:00Z", set_now},
    {"player", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.is_player, value, "yes", "no");
     }},
    {"hybrid", "both, json",
     [](Setup& setup, std::string_view value) {
         return choose(setup.profile.hybrid_both, value, "both", "json");
     }},
    {"thinking", "shown, hidden",
     [](Setup& setup, std::string_view value) {
         return choose(setup.show_thinking, value, "shown", "hidden");
     }},
    {"hint", "TAG ignore, TAG display, TAG execute, TAG component, TAG thinking", set_hint},
    {"old_check", "warn, strict, off", set_old_check},
    {"delete_as_null", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.profile.policy.delete_as_null, value, "yes", "no");
     }},
    {"strict_set", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.profile.policy.strict_set, value, "yes", "no");
     }},
    {"structure", "initvar, free",
     [](Setup& setup, std::string_view value) {
         return choose(setup.profile.policy.locks_structure, value, "initvar", "free");
     }},
    {"closed", "a.b[0]", set_closed},
});

std::string known_settings() {
    std::string list;
    for (const Row& row : kRows) {
        list += (list.empty() ? "" : ", ") + std::string(row.name);
    }
    return list;
}

}  // namespace

reader::Options Setup::options_for(Actor actor) const {
    reader::Options options = profile::reading(profile, actor);
    options.show_thinking = show_thinking;
    // Protocols are how a model talks; a hint of the transcript goes before them.
    if (actor == Actor::kModel) {
        options.hints.insert(options.hints.begin(), protocol_tags.begin(), protocol_tags.end());
    }
    return options;
}

base::Result<Setup> setup_of(const Turn& turn) {
    Setup setup;
    setup.now = kDefaultNow;
    // The profile is where the others begin, wherever it stands.
    set_profile(setup, "auto");
    for (const bool profile : {true, false}) {
        for (const Setting& setting : turn.settings) {
            const auto row = std::ranges::find(kRows, setting.name, &Row::name);
            if (row == kRows.end()) {
                return base::fail(ErrorCode::kTurnSetting, {setting.name, known_settings()},
                                  setting.place);
            }
            if ((setting.name == "profile") == profile && !row->set(setup, setting.value)) {
                return base::fail(ErrorCode::kBadOptionValue,
                                  {setting.name, setting.value, std::string(row->takes)},
                                  setting.place);
            }
        }
    }
    auto setting = config::setting_of(setup.profile);
    if (!setting) {
        return std::unexpected(std::move(setting.error().errors[0]));
    }
    setup.setting = *std::move(setting);
    if (auto added = add_protocols(setup); !added) {
        return std::unexpected(std::move(added.error()));
    }
    return setup;
}

}  // namespace arbiter::transcript
