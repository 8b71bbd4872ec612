#include "config/profiles.h"

#include <algorithm>

#include "base/limits.h"
#include "calendar/shipped.h"
#include "config/yaml.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;
using profile::Profile;
using Loaded = std::expected<Profile, FileDiagnostics>;

std::string stem(std::string_view file) {
    const std::size_t slash = file.rfind('/');
    std::string_view name = slash == std::string_view::npos ? file : file.substr(slash + 1);
    return std::string(name.substr(0, std::min(name.rfind('.'), name.size())));
}

FileDiagnostics one_error(std::string file, std::string text, base::Error error) {
    return {std::move(file), std::move(text), {std::move(error)}};
}

Loaded load_text(std::string file, std::string text, std::size_t level, TextResolver& texts);

// An error about the name itself has the file "arbiter".
Loaded load_named(std::string_view name, std::size_t level, TextResolver& texts) {
    auto text = texts.find(TextKind::kProfile, name);
    return text ? load_text(std::string(name), std::move(*text), level, texts)
                : std::unexpected(one_error("arbiter", {}, std::move(text.error())));
}

Loaded load_text(std::string file, std::string text, std::size_t level, TextResolver& texts) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(
            one_error(std::move(file), std::move(text), std::move(read.error())));
    }
    const auto at_extends = [&](base::Error error) {
        return std::unexpected(
            one_error(read->file, read->text, read->at({{"extends"}, false, std::move(error)})));
    };
    Profile base;
    value::Diagnostics unknown_base;
    if (const auto name = profile::extended(read->value)) {
        if (level == base::kExtendsMax) {
            return at_extends(base::Error(ErrorCode::kProfileExtends,
                                          {*name, std::to_string(base::kExtendsMax)}));
        }
        const auto beside = texts.name_beside(TextKind::kProfile, file, *name);
        if (!beside) {
            return at_extends(beside.error());
        }
        Loaded loaded = load_named(*beside, level + 1, texts);
        if (loaded) {
            base = std::move(*loaded);
        } else if (loaded.error().file != "arbiter") {
            return loaded;
        } else {
            // The other mistakes of the file are found too.
            unknown_base.push_back({{"extends"}, false, std::move(loaded.error().errors[0])});
        }
    }
    auto parsed = profile::parse_profile(read->value, base);
    if (!parsed || !unknown_base.empty()) {
        value::Diagnostics all = parsed ? value::Diagnostics() : std::move(parsed.error());
        all.insert(all.begin(), unknown_base.begin(), unknown_base.end());
        return std::unexpected(diagnostics_of(*read, all));
    }
    // The base has checked its own.
    const bool has_calendars =
        read->value.is_object() && read->value.as_object().contains("calendars");
    if (const auto calendars = calendar::default_calendars().with(parsed->calendars);
        has_calendars && !calendars) {
        value::Diagnostic wrong = calendars.error();
        value::Path path = {"calendars", static_cast<std::int64_t>(wrong.document)};
        wrong.path.insert(wrong.path.begin(), path.begin(), path.end());
        return std::unexpected(diagnostics_of(*read, {std::move(wrong)}));
    }
    // The base has resolved its own.
    const bool has_books = read->value.is_object() && read->value.as_object().contains("rulebooks");
    for (std::size_t i = 0; has_books && i < parsed->rulebooks.size(); ++i) {
        auto name = texts.name_beside(TextKind::kRulebook, file, parsed->rulebooks[i]);
        if (!name) {
            value::Path path = {"rulebooks", static_cast<std::int64_t>(i)};
            return std::unexpected(
                diagnostics_of(*read, {{std::move(path), false, std::move(name.error())}}));
        }
        parsed->rulebooks[i] = *std::move(name);
    }
    if (parsed->name.empty()) {
        parsed->name = stem(file);
    }
    return std::move(*parsed);
}

}  // namespace

Loaded load_profile(std::string_view name_or_file) {
    TextResolver texts;
    return load_named(name_or_file, 0, texts);
}

Loaded load_profile(std::string_view name_or_file, TextResolver& texts) {
    return load_named(name_or_file, 0, texts);
}

Loaded load_profile_text(std::string file, std::string text) {
    TextResolver texts;
    return load_text(std::move(file), std::move(text), 0, texts);
}

}  // namespace arbiter::config
