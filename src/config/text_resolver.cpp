#include "config/text_resolver.h"

#include <algorithm>
#include <filesystem>

#include "base/limits.h"
#include "config/embedded.h"
#include "config/files.h"
#include "text/join.h"
#include "text/nearest.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;

std::span<const EmbeddedFile> built_in(TextKind kind) {
    switch (kind) {
        case TextKind::kProfile:
            return built_in_profiles();
        case TextKind::kRulebook:
            return built_in_rulebooks();
        case TextKind::kProtocol:
            return built_in_protocols();
        case TextKind::kTool:
            return built_in_tools();
    }
    return {};
}

ErrorCode unknown_code(TextKind kind) {
    switch (kind) {
        case TextKind::kProfile:
            return ErrorCode::kUnknownProfile;
        case TextKind::kRulebook:
            return ErrorCode::kUnknownRulebook;
        case TextKind::kProtocol:
            return ErrorCode::kProtocolUnknown;
        case TextKind::kTool:
            return ErrorCode::kUnknownTool;
    }
    return ErrorCode::kUnknownProfile;
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
        case TextKind::kTool:
            return "tool";
    }
    return "";
}

bool is_file(std::string_view name) noexcept {
    return name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml");
}

base::Error unknown_name(TextKind kind, std::string_view name) {
    std::vector<std::string_view> known;
    for (const EmbeddedFile& each : built_in(kind)) {
        known.push_back(each.name);
    }
    base::Error error(unknown_code(kind), {std::string(name), text::join(known)});
    if (const auto meant = text::nearest(name, known)) {
        error.arguments.emplace_back(*meant);
    }
    return error;
}

base::Result<std::string> TextResolver::find(TextKind kind, std::string_view name) {
    base::Result<std::string> text = std::unexpected(unknown_name(kind, name));
    const auto is_meant = [&](const NamedText& each) {
        return each.kind == kind && each.name == name;
    };
    if (const auto own = std::ranges::find_if(own_, is_meant); own != own_.end()) {
        text = own->text;
    } else if (stored_) {
        if (const auto found = std::ranges::find_if(*stored_, is_meant); found != stored_->end()) {
            text = found->text;
        }
    } else if (is_file(name)) {
        text = read_file(std::string(name), base::kYamlBytesMax);
    } else {
        const auto all = built_in(kind);
        if (const auto found = std::ranges::find(all, name, &EmbeddedFile::name);
            found != all.end()) {
            text = std::string(found->text);
        }
    }
    if (text && std::ranges::none_of(used_, is_meant)) {
        used_.push_back({kind, std::string(name), *text});
    }
    return text;
}

base::Result<std::string> TextResolver::name_beside(TextKind kind, std::string_view file,
                                                    std::string_view reference) const {
    // A text that the program has made may name any file that the user named.
    const bool is_ours =
        std::ranges::any_of(own_, [&](const NamedText& each) { return each.name == file; });
    if (!is_file(reference) || is_ours) {
        return std::string(reference);
    }
    const auto folder = std::filesystem::path(file).parent_path();
    if (!stored_) {
        return resolve_reference(folder, reference);
    }
    // Earlier versions stored rulebooks under the name that the profile has for them.
    const std::string beside = (folder / reference).string();
    const bool is_there = std::ranges::any_of(
        *stored_, [&](const NamedText& each) { return each.kind == kind && each.name == beside; });
    return is_there ? beside : std::string(reference);
}

}  // namespace arbiter::config
