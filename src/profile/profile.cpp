#include "profile/profile.h"

#include <algorithm>

#include "text/nearest.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::profile {
namespace {

using base::ErrorCode;
using value::Diagnostics;
using value::Object;
using value::Path;
using value::Value;

// What stood there, short enough for a message.
std::string shown(const Value& value) {
    if (value.is_object() || value.is_array()) {
        return value.is_object() ? "{…}" : "[…]";
    }
    std::string text = value::print_json(value);
    return text.size() <= 60 ? text : std::string(value::name(value.kind()));
}

std::string joined(std::span<const std::string_view> names) {
    std::string list;
    for (const std::string_view each : names) {
        list += list.empty() ? "" : ", ";
        list += each;
    }
    return list;
}

void add_unknown(Diagnostics& diagnostics, Path path, std::string_view key,
                 std::span<const std::string_view> names) {
    const auto meant = text::nearest(key, names);
    diagnostics.push_back(
        {std::move(path), true,
         base::Error(meant ? ErrorCode::kMisspelledKey : ErrorCode::kUnknownKey,
                     {std::string(key), meant ? std::string(*meant) : joined(names)})});
}

void add_bad(Diagnostics& diagnostics, Path path, std::string_view key, std::string_view takes,
             const Value& found) {
    diagnostics.push_back(
        {std::move(path), false,
         base::Error(ErrorCode::kBadField, {std::string(key), std::string(takes), shown(found)})});
}

// The names of a group; of the outermost one, the groups too.
std::vector<std::string_view> names_of(std::string_view group) {
    std::vector<std::string_view> names;
    for (const Key& key : keys()) {
        if (key.group == group) {
            names.push_back(key.name);
        } else if (group.empty() && std::ranges::find(names, key.group) == names.end()) {
            names.push_back(key.group);
        }
    }
    if (group.empty()) {
        names.push_back("features");
    }
    return names;
}

class Parser {
  public:
    explicit Parser(Profile base) : profile(std::move(base)) {}

    Profile profile;
    Diagnostics diagnostics;

    void parse(const Value& written) {
        if (!written.is_object()) {
            add_bad(diagnostics, {}, "profile", "{key: value}", written);
            return;
        }
        for (const auto& [key, member] : written.as_object()) {
            if (key == "features") {
                parse_features(member);
            } else if (is_group(key)) {
                parse_group(key, member);
            } else {
                parse_key("", key, member, {value::Segment(key)});
            }
        }
    }

  private:
    static bool is_group(std::string_view name) {
        return !name.empty() && std::ranges::find(keys(), name, &Key::group) != keys().end();
    }

    void parse_group(const value::Str& group, const Value& written) {
        if (!written.is_object()) {
            add_bad(diagnostics, {value::Segment(group)}, group, "{key: value}", written);
            return;
        }
        for (const auto& [key, member] : written.as_object()) {
            parse_key(group, key, member, {value::Segment(group), value::Segment(key)});
        }
    }

    void parse_key(std::string_view group, std::string_view name, const Value& written, Path path) {
        const auto key = std::ranges::find_if(
            keys(), [&](const Key& each) { return each.group == group && each.name == name; });
        if (key == keys().end()) {
            add_unknown(diagnostics, std::move(path), name, names_of(group));
            return;
        }
        if (const auto bad = key->read(written, profile)) {
            const Value* part = value::find(written, *bad);
            path.insert(path.end(), bad->begin(), bad->end());
            add_bad(diagnostics, std::move(path), name, key->takes,
                    part != nullptr ? *part : written);
        }
    }

    // One switch each, in their order; `all` stands for all of them.
    void parse_features(const Value& written) {
        if (!written.is_object()) {
            add_bad(diagnostics, {"features"}, "features", "{feature: true | false}", written);
            return;
        }
        for (const auto& [name, member] : written.as_object()) {
            const auto feature = engine::find_feature(name);
            const Path path = {"features", value::Segment(name)};
            if (!feature && name != "all") {
                std::vector<std::string_view> names = {"all"};
                for (std::size_t i = 0; i < engine::feature_count(); ++i) {
                    names.push_back(engine::feature(i).name);
                }
                add_unknown(diagnostics, path, name, names);
            } else if (!member.is_bool()) {
                add_bad(diagnostics, path, name, "true | false", member);
            } else if (feature) {
                profile.policy.features.turn(*feature, member.as_bool());
            } else {
                profile.policy.features.turn_all(member.as_bool());
            }
        }
    }
};

}  // namespace

reader::Options reading(const Profile& profile, engine::Actor actor) {
    reader::Options options;
    options.dialects = actor == engine::Actor::kPlayer ? profile.of_player : profile.of_model;
    options.hybrid_both = profile.hybrid_both;
    options.hints = profile.tags;
    return options;
}

std::optional<std::string> extended(const Value& written) {
    const Value* name = written.is_object() ? written.as_object().find("extends") : nullptr;
    if (name == nullptr || !name->is_string()) {
        return std::nullopt;
    }
    return std::string(name->as_string());
}

std::expected<Profile, Diagnostics> parse_profile(const Value& written, const Profile& base) {
    Profile start = base;
    // These are of the one profile, not of those that extend it.
    start.name.clear();
    start.english.clear();
    start.chinese.clear();
    start.extends.clear();
    Parser parser(std::move(start));
    parser.parse(written);
    if (!parser.diagnostics.empty()) {
        return std::unexpected(std::move(parser.diagnostics));
    }
    return std::move(parser.profile);
}

}  // namespace arbiter::profile
