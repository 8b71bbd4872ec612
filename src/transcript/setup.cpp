#include "transcript/setup.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/limits.h"
#include "card/zod.h"
#include "config/card_files.h"
#include "config/files.h"
#include "config/rulebooks.h"
#include "config/table_templates.h"
#include "config/tools.h"
#include "config/yaml.h"
#include "engine/features.h"
#include "protocol/activation.h"
#include "text/join.h"
#include "text/nearest.h"
#include "value/json.h"
#include "value/path.h"

namespace arbiter::transcript {

using base::ErrorCode;

namespace {

constexpr engine::Instant kDefaultNow = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

struct Row {
    std::string_view name;
    std::string_view takes;
    // False if the setting does not take the value.
    bool (*set)(Setup& setup, std::string_view value);
    bool is_file = false;  // values that name files are looked for beside the transcript too
};

bool choose(bool& target, std::string_view value, std::string_view yes, std::string_view no) {
    target = value == yes;
    return target || value == no;
}

bool set_profile(Setup& setup, std::string_view value) {
    auto loaded = config::load_profile(value);
    if (!loaded) {
        return false;
    }
    setup.rules.profile = *std::move(loaded);
    return true;
}

bool set_rulebook(Setup& setup, std::string_view value) {
    if (value == "none") {
        setup.rules.profile.rulebooks.clear();
        return true;
    }
    setup.rules.profile.rulebooks.emplace_back(value);
    return config::load_rulebook(value).has_value();
}

bool set_protocol(Setup& setup, std::string_view value) {
    setup.protocols.emplace_back(value);
    return true;
}

bool set_table(Setup& setup, std::string_view value) {
    auto text = config::read_file(std::string(value), base::kBatchBytesMax);
    auto read = text ? config::parse_yaml(std::string(value), *text)
                     : std::unexpected(std::move(text).error());
    auto made = read ? config::table_template(*read) : std::unexpected(config::FileDiagnostics());
    if (!made) {
        return false;
    }
    setup.table = *std::move(made);
    return true;
}

bool set_tools(Setup& setup, std::string_view value) {
    auto loaded = config::load_tools({std::string(value)});
    if (loaded) {
        std::ranges::move(*loaded, std::back_inserter(setup.tools));
    }
    return loaded.has_value();
}

bool set_card(Setup& setup, std::string_view value) {
    auto loaded = config::load_card(std::string(value));
    if (!loaded) {
        return false;
    }
    setup.card = *std::move(loaded);
    return true;
}

bool set_user(Setup& setup, std::string_view value) {
    setup.rules.globals = std::move(setup.rules.globals).set("user.name", value);
    return !value.empty();
}

// KEY VALUE: a setting of the campaign that the table does not give itself.
bool set_setting(Setup& setup, std::string_view value) {
    const std::size_t end = std::min(value.find(' '), value.size());
    const std::string_view key = value.substr(0, end);
    const std::string_view word = value.substr(std::min(end + 1, value.size()));
    const auto json = value::parse_json(word);
    const value::Object patch = {{key, json ? *json : value::Value(word)}};
    setup.rules.globals = std::move(setup.rules.globals).set(key, *patch.find(key));
    return config::built_in_registries()->settings.patch({}, patch, {}).has_value();
}

bool set_script(Setup& setup, std::string_view value) {
    auto loaded = model::load_script(std::string(value));
    if (!loaded) {
        return false;
    }
    setup.script = *std::move(loaded);
    return true;
}

// Loads the library and switches on the protocols that were named. A folder only adds to the
// library; a file is active like a protocol that is named by its id.
// Dependencies of a file may be in its folder.
base::Result<> load_protocols(Setup& setup, bool with_folders = false) {
    std::vector<std::string> named;
    std::vector<std::string> references;
    std::vector<std::string> folders;
    for (const std::string& each : setup.protocols) {
        const bool is_folder = std::filesystem::is_directory(each);
        (is_folder || config::is_file(each) ? named : references).push_back(each);
        if (!is_folder && config::is_file(each)) {
            const std::string folder = std::filesystem::path(each).parent_path().string();
            folders.push_back(folder.empty() ? "." : folder);
        }
    }
    std::vector<std::string> all = with_folders ? folders : std::vector<std::string>();
    all.insert(all.end(), named.begin(), named.end());
    setup.library = config::Protocols(std::move(all));
    for (const config::FileDiagnostics& each : setup.library.diagnostics()) {
        // Other files beside a named one need not be protocols.
        const bool counts = std::ranges::any_of(named, [&](const std::string& name) {
            return each.file == name || each.file.starts_with(name + "/");
        });
        if (counts) {
            const auto& place = each.errors[0].place;
            return base::fail(ErrorCode::kTurnProtocol,
                              {each.file + (place ? ":" + std::to_string(place->line) : "")});
        }
    }
    const auto library = setup.library.library();
    for (const protocol::Library::Row& row : library->rows()) {
        if (std::ranges::find(named, row.file) != named.end()) {
            references.push_back(full_name(*row.protocol));
        }
    }
    value::Object meta = setup.meta;
    for (const std::string& reference : references) {
        auto on = protocol::switch_on(meta, reference, 0, *library);
        if (!on.warnings.empty()) {
            return !with_folders && !folders.empty() ? load_protocols(setup, true)
                                                     : std::unexpected(std::move(on.warnings[0]));
        }
        meta = std::move(on.meta);
    }
    setup.meta = std::move(meta);
    return {};
}

bool set_off(Setup& setup, std::string_view value) {
    const auto feature = engine::find_feature(value);
    setup.rules.profile.policy.features.turn(feature.value_or(0), !feature);
    return feature.has_value();
}

bool set_now(Setup& setup, std::string_view value) {
    const auto instant = engine::parse_instant(value);
    setup.now = instant.value_or(kDefaultNow);
    return instant.has_value();
}

bool set_old_check(Setup& setup, std::string_view value) {
    setup.rules.profile.policy.old_check = value == "strict" ? engine::OldCheck::kStrict
                                           : value == "off"  ? engine::OldCheck::kOff
                                                             : engine::OldCheck::kWarn;
    return value == "strict" || value == "off" || value == "warn";
}

bool set_closed(Setup& setup, std::string_view value) {
    auto path = value::parse_path(value, value::PathSyntax::kDotted);
    if (!path) {
        return false;
    }
    setup.rules.profile.policy.closed.push_back({*std::move(path), false});
    return true;
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
            setup.rules.profile.tags.push_back({std::string(value.substr(0, space)), each.meaning});
            return true;
        }
    }
    return false;
}

constexpr auto kRows = std::to_array<Row>({
    {"profile", "tavern, memory, json, filament, mvu, auto, house.yaml", set_profile, true},
    {"rulebook", "infinite-flow, none, house.yaml", set_rulebook, true},
    {"protocol", "love_system_simple, choice@^1, mine.yaml, folder/", set_protocol, true},
    {"table", "campaign.yaml", set_table, true},
    {"tools", "ignite.yaml, folder/", set_tools, true},
    {"card", "mei.png, mei.json", set_card, true},
    {"user", "阿青", set_user},
    {"setting", "turn.max_retries 1", set_setting},
    {"script", "model.yaml", set_script, true},
    {"off", "update, ensure, ttl, …", set_off},
    {"now", "2026-01-01T00:00:00Z", set_now},
    {"player", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.is_player, value, "yes", "no");
     }},
    {"hybrid", "both, json",
     [](Setup& setup, std::string_view value) {
         return choose(setup.rules.profile.hybrid_both, value, "both", "json");
     }},
    {"thinking", "shown, hidden",
     [](Setup& setup, std::string_view value) {
         return choose(setup.rules.shows_thinking, value, "shown", "hidden");
     }},
    {"hint", "TAG ignore, TAG display, TAG execute, TAG component, TAG thinking", set_hint},
    {"old_check", "warn, strict, off", set_old_check},
    {"delete_as_null", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.rules.profile.policy.delete_as_null, value, "yes", "no");
     }},
    {"strict_set", "yes, no",
     [](Setup& setup, std::string_view value) {
         return choose(setup.rules.profile.policy.strict_set, value, "yes", "no");
     }},
    {"structure", "initvar, free",
     [](Setup& setup, std::string_view value) {
         return choose(setup.rules.profile.policy.locks_structure, value, "initvar", "free");
     }},
    {"closed", "a.b[0]", set_closed},
});

base::Error unknown_setting(const Setting& setting) {
    base::Error error(ErrorCode::kTurnSetting, {setting.name, text::join(kRows, ", ", &Row::name)},
                      setting.place);
    std::vector<std::string_view> names;
    for (const Row& row : kRows) {
        names.push_back(row.name);
    }
    if (const auto meant = text::nearest(setting.name, names)) {
        error.arguments.emplace_back(*meant);
    }
    return error;
}

// The file beside the transcript, where there is one. Fails with kFileOutside.
base::Result<std::string> resolved(const std::string& folder, const std::string& value) {
    auto beside = config::resolve_reference(folder, value);
    std::error_code error;
    if (!beside || value.empty() || (!folder.empty() && std::filesystem::exists(*beside, error))) {
        return beside;
    }
    return config::resolve_reference({}, value);
}

}  // namespace

base::Result<Setup> setup_of(const Turn& turn, const std::string& folder) {
    Setup setup;
    setup.now = kDefaultNow;
    // The profile comes first, wherever it stands, because the others change it. A turn that begins
    // as a campaign does has the usual one of its card.
    set_profile(setup, "auto");
    for (const Setting& setting : turn.settings) {
        const auto card = resolved(folder, setting.value);
        if (setting.name == "card" && turn.has("greeting") && card && set_card(setup, *card)) {
            set_profile(setup, card::usual_profile(*setup.card));
        }
    }
    for (const bool profile : {true, false}) {
        for (const Setting& setting : turn.settings) {
            const auto row = std::ranges::find(kRows, setting.name, &Row::name);
            if (row == kRows.end()) {
                return std::unexpected(unknown_setting(setting));
            }
            if ((setting.name == "profile") != profile) {
                continue;
            }
            const auto value = row->is_file ? resolved(folder, setting.value)
                                            : base::Result<std::string>(setting.value);
            if (!value) {
                return base::fail(value.error().code, value.error().arguments, setting.place);
            }
            if (!row->set(setup, *value)) {
                return base::fail(ErrorCode::kBadOptionValue,
                                  {setting.name, setting.value, std::string(row->takes)},
                                  setting.place);
            }
        }
    }
    auto books = config::load_books(setup.rules.profile);
    if (!books) {
        return std::unexpected(std::move(books.error().errors[0]));
    }
    setup.rules.books = *std::move(books);
    // As in a campaign that begins with the card.
    const auto schema = setup.card ? card::read_zod(*setup.card) : card::ZodSchema();
    if (!schema.rulebook.is_null()) {
        auto book = config::load_rulebook_text(std::string(card::kSchemaBook),
                                               value::print_json(schema.rulebook));
        if (!book) {
            return std::unexpected(std::move(book.error().errors[0]));
        }
        setup.rules.books.push_back(*std::move(book));
    }
    if (auto loaded = load_protocols(setup); !loaded) {
        base::Error error = std::move(loaded).error();
        const auto first = std::ranges::find(turn.settings, "protocol", &Setting::name);
        error.place = first != turn.settings.end() ? std::optional(first->place) : error.place;
        return std::unexpected(std::move(error));
    }
    return setup;
}

}  // namespace arbiter::transcript
