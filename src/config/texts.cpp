#include "config/texts.h"

#include <algorithm>

#include "base/limits.h"
#include "config/files.h"
#include "config/protocols.h"
#include "text/nearest.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;

std::span<const BuiltIn> built_in(TextKind kind) {
    switch (kind) {
        case TextKind::kProfile:
            return built_in_profiles();
        case TextKind::kRulebook:
            return built_in_rulebooks();
        case TextKind::kProtocol:
            return built_in_protocols();
    }
    return {};
}

}  // namespace

std::string_view name(TextKind kind) noexcept {
    switch (kind) {
        case TextKind::kProfile:
            return "profile";
        case TextKind::kRulebook:
            return "rulebook";
        case TextKind::kProtocol:
            return "protocol";
    }
    return "";
}

bool is_file(std::string_view name) noexcept {
    return name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml");
}

base::Error unknown_name(TextKind kind, std::string_view name) {
    std::string names;
    std::vector<std::string_view> known;
    for (const BuiltIn& each : built_in(kind)) {
        names += (names.empty() ? "" : ", ") + std::string(each.name);
        known.push_back(each.name);
    }
    const auto meant = text::nearest(name, known);
    const ErrorCode code = kind == TextKind::kProfile    ? ErrorCode::kUnknownProfile
                           : kind == TextKind::kRulebook ? ErrorCode::kUnknownRulebook
                                                         : ErrorCode::kProtocolUnknown;
    return base::Error(code, {std::string(name), meant ? std::string(*meant) + " …" : names});
}

base::Result<std::string> Texts::find(TextKind kind, std::string_view name) {
    base::Result<std::string> text = std::unexpected(unknown_name(kind, name));
    if (kept_) {
        const auto found = std::ranges::find_if(
            *kept_, [&](const Source& each) { return each.kind == kind && each.name == name; });
        if (found != kept_->end()) {
            text = found->text;
        }
    } else if (is_file(name)) {
        text = read_file(std::string(name), base::kYamlBytesMax);
    } else {
        const auto all = built_in(kind);
        if (const auto found = std::ranges::find(all, name, &BuiltIn::name); found != all.end()) {
            text = std::string(found->text);
        }
    }
    const bool known = std::ranges::any_of(
        used_, [&](const Source& each) { return each.kind == kind && each.name == name; });
    if (text && !known) {
        used_.push_back({kind, std::string(name), *text});
    }
    return text;
}

}  // namespace arbiter::config
