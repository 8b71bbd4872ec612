#include "config/profiles.h"

#include <algorithm>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "text/nearest.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using profile::Profile;
using Loaded = std::expected<Profile, Trouble>;

// A name in a file is seen from where the file is.
std::string beside(std::string_view file, std::string_view name) {
    const std::size_t slash = file.rfind('/');
    return name.starts_with('/') || slash == std::string_view::npos
               ? std::string(name)
               : std::string(file.substr(0, slash + 1)) + std::string(name);
}

std::string stem(std::string_view file) {
    const std::size_t slash = file.rfind('/');
    std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
    return std::string(name.substr(0, std::min(name.rfind('.'), name.size())));
}

Trouble trouble(std::string file, std::string text, base::Error error) {
    return {std::move(file), std::move(text), {std::move(error)}};
}

Loaded load_text(std::string file, std::string text, std::size_t level);

// Errors that have no place in a file are about the name.
Loaded load_named(std::string_view name, std::size_t level) {
    if (is_file(name)) {
        auto text = read_file(std::string(name), base::kYamlBytesMax);
        return text ? load_text(std::string(name), std::move(*text), level)
                    : std::unexpected(trouble("arbiter", {}, std::move(text.error())));
    }
    const auto found = std::ranges::find(built_in_profiles(), name, &BuiltIn::name);
    if (found == built_in_profiles().end()) {
        return std::unexpected(trouble(
            "arbiter", {}, unknown_name(ErrorCode::kUnknownProfile, name, built_in_profiles())));
    }
    return load_text(std::string(name), std::string(found->text), level);
}

Loaded load_text(std::string file, std::string text, std::size_t level) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(trouble(std::move(file), std::move(text), std::move(read.error())));
    }
    const auto at_extends = [&](base::Error error) {
        return std::unexpected(
            trouble(read->file, read->text, read->at({{"extends"}, false, std::move(error)})));
    };
    Profile base;
    if (const auto name = profile::extended(read->value)) {
        if (level == base::kExtendsMax) {
            return at_extends(base::Error(ErrorCode::kProfileExtends,
                                          {*name, std::to_string(base::kExtendsMax)}));
        }
        Loaded loaded = load_named(is_file(*name) ? beside(file, *name) : *name, level + 1);
        if (!loaded && loaded.error().file == "arbiter") {
            return at_extends(std::move(loaded.error().errors[0]));
        }
        if (!loaded) {
            return loaded;
        }
        base = std::move(*loaded);
    }
    auto parsed = profile::parse_profile(read->value, base);
    if (!parsed) {
        Trouble found = {read->file, read->text, {}};
        for (const value::Fault& fault : parsed.error()) {
            found.errors.push_back(read->at(fault));
        }
        return std::unexpected(std::move(found));
    }
    if (parsed->name.empty()) {
        parsed->name = stem(file);
    }
    return std::move(*parsed);
}

}  // namespace

bool is_file(std::string_view name) noexcept {
    return name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml");
}

base::Error unknown_name(ErrorCode code, std::string_view name, std::span<const BuiltIn> all) {
    std::string names;
    std::vector<std::string_view> known;
    for (const BuiltIn& each : all) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
        known.push_back(each.name);
    }
    const auto meant = text::nearest(name, known);
    return base::Error(code, {std::string(name), meant ? std::string(*meant) + " …" : names});
}

Loaded load_profile(std::string_view name_or_file) {
    return load_named(name_or_file, 0);
}

Loaded load_profile_text(std::string file, std::string text) {
    return load_text(std::move(file), std::move(text), 0);
}

}  // namespace arbiter::config
