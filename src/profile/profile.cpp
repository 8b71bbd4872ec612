#include "profile/profile.h"

#include "profile/keys.h"
#include "value/fields.h"
#include "value/object.h"

namespace arbiter::profile {
namespace {

using value::Diagnostics;
using value::Fields;
using value::Value;

constexpr std::string_view kGroupTakes = "{key: value}";

// Reads the keys of a group.
void read_group(Fields& fields, std::string_view group, Profile& profile) {
    for (const Key& key : keys()) {
        const Value* written = key.group == group ? fields.take(key.name) : nullptr;
        if (written == nullptr) {
            continue;
        }
        if (const auto wrong = key.read(*written, profile)) {
            const Value* part = value::find(*written, *wrong);
            value::Path path = fields.path_of(key.name);
            path.insert(path.end(), wrong->begin(), wrong->end());
            fields.error_at(std::move(path),
                            value::wrong_value(key.name, std::string(key.takes),
                                               part != nullptr ? *part : *written));
        }
    }
}

// Reads the switches in their order; `all` sets all of them.
void read_features(Fields& fields, Profile& profile) {
    std::vector<std::string_view> names = {"all"};
    for (std::size_t i = 0; i < engine::feature_count(); ++i) {
        names.push_back(engine::feature(i).name);
    }
    fields.ignore(names);
    for (const auto& [name, member] : fields.members()) {
        const auto feature = engine::find_feature(name);
        const auto on = feature || name == "all" ? fields.flag(name) : std::nullopt;
        if (on && feature) {
            profile.policy.features.turn(*feature, *on);
        } else if (on) {
            profile.policy.features.turn_all(*on);
        }
    }
    fields.finish();
}

void read_profile(const Value& written, Profile& profile, Diagnostics& diagnostics) {
    Fields fields(written, {}, diagnostics, {.takes = kGroupTakes, .name = "profile"});
    read_group(fields, "", profile);
    std::string_view last;
    for (const Key& key : keys()) {
        if (key.group.empty() || key.group == last) {
            continue;
        }
        last = key.group;
        if (const Value* group = fields.take(key.group)) {
            Fields members = fields.inner(*group, fields.path_of(key.group), kGroupTakes);
            read_group(members, key.group, profile);
            members.finish();
        }
    }
    if (const Value* features = fields.take("features")) {
        Fields members =
            fields.inner(*features, fields.path_of("features"), "{feature: true | false}");
        read_features(members, profile);
    }
    fields.finish();
}

}  // namespace

reader::Dialects taught_dialects(const Profile& profile, bool has_card) noexcept {
    if (profile.card_teaches && has_card) {
        return {};
    }
    return profile.taught.value_or(profile.of_model);
}

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
    Profile profile = base;
    // These belong to one profile and are not inherited.
    profile.name.clear();
    profile.summary = {};
    profile.extends.clear();
    Diagnostics diagnostics;
    read_profile(written, profile, diagnostics);
    if (!diagnostics.empty()) {
        return std::unexpected(std::move(diagnostics));
    }
    return profile;
}

}  // namespace arbiter::profile
