#include "reader/internal/tags.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/limits.h"
#include "reader/internal/glyph.h"
#include "text/ascii.h"

namespace arbiter::reader::internal {
namespace {

using proposal::Dialect;

bool is_name_char(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

struct BuiltIn {
    std::string_view name;
    TagMeaning meaning;
    BlockKind block = BlockKind::kNone;
    std::uint8_t family = 0;
};

// Letters of a cut tag name that distinguish it from a word of the narrative.
constexpr std::size_t kDistinctSize = 4;

constexpr std::uint8_t kThought = 1;
constexpr std::uint8_t kAnalysis = 2;
constexpr std::uint8_t kPatchTag = 3;

constexpr auto kBuiltIn = std::to_array<BuiltIn>({
    {"think", TagMeaning::kThinking, BlockKind::kNone, kThought},
    {"thinking", TagMeaning::kThinking, BlockKind::kNone, kThought},
    {"thought", TagMeaning::kThinking, BlockKind::kNone, kThought},
    {"reasoning", TagMeaning::kThinking},
    {"reflection", TagMeaning::kThinking},
    {"analysis", TagMeaning::kThinking, BlockKind::kNone, kAnalysis},
    {"analyze", TagMeaning::kThinking, BlockKind::kNone, kAnalysis},
    {"variablethink", TagMeaning::kThinking},
    {"variable_update", TagMeaning::kExecute, BlockKind::kUpdate},
    {"state_update", TagMeaning::kExecute, BlockKind::kUpdate},
    {"updatevariable", TagMeaning::kExecute, BlockKind::kMvuUpdate},
    {"variableupdate", TagMeaning::kExecute, BlockKind::kMvuUpdate},
    // The state as MVU's cards show it to the model; an echo is hidden, its commands count.
    {"status_current_variable", TagMeaning::kExecute, BlockKind::kMvuUpdate},
    {"status_current_variables", TagMeaning::kExecute, BlockKind::kMvuUpdate},
    {"updatememory", TagMeaning::kExecute, BlockKind::kMemory},
    {"jsonpatch", TagMeaning::kExecute, BlockKind::kPatch, kPatchTag},
    {"json_patch", TagMeaning::kExecute, BlockKind::kPatch, kPatchTag},
    {"variable_insert", TagMeaning::kExecute, BlockKind::kInsert},
    {"variable_edit", TagMeaning::kExecute, BlockKind::kEdit},
    {"variable_delete", TagMeaning::kExecute, BlockKind::kRemove},
    {"tool_call", TagMeaning::kExecute, BlockKind::kToolCall},
    {"tool_calls", TagMeaning::kExecute, BlockKind::kToolCall},
    {"use_protocol", TagMeaning::kExecute, BlockKind::kUseProtocol},
    {"end_protocol", TagMeaning::kExecute, BlockKind::kEndProtocol},
    {"filament_output", TagMeaning::kDisplay},
    {kStatusBar, TagMeaning::kDisplay},
});
constexpr auto kSorted = [] {
    auto sorted = kBuiltIn;
    std::ranges::sort(sorted, {}, &BuiltIn::name);
    return sorted;
}();

std::string lower(std::string_view name) {
    std::string out(name);
    std::ranges::transform(out, out.begin(), text::to_lower);
    return out;
}

bool is_read(const BuiltIn& tag, const Dialects& dialects) {
    switch (tag.block) {
        case BlockKind::kUpdate:
            return dialects.has(Dialect::kFilament);
        case BlockKind::kMvuUpdate:
            return dialects.has(Dialect::kMvu) ||
                   (dialects.has(Dialect::kFilament) && !tag.name.starts_with("status_"));
        case BlockKind::kMemory:
            return dialects.has(Dialect::kMemory);
        case BlockKind::kPatch:
            return dialects.has(Dialect::kPatch);
        case BlockKind::kInsert:
        case BlockKind::kEdit:
        case BlockKind::kRemove:
            return dialects.has(Dialect::kFilament);
        case BlockKind::kToolCall:
            return dialects.has(Dialect::kTool);
        case BlockKind::kNone:
        case BlockKind::kUseProtocol:
        case BlockKind::kEndProtocol:
        case BlockKind::kScript:
            return true;
    }
    return true;
}

}  // namespace

TagTable::TagTable(const Options& options) {
    std::uint32_t family = kPatchTag;
    tags_.reserve(kSorted.size() + options.hints.size());
    for (const BuiltIn& tag : kSorted) {
        // Filament's envelope is removed only if Filament is enabled.
        if (tag.name == "filament_output" && !options.dialects.has(Dialect::kFilament)) {
            continue;
        }
        tags_.push_back({std::string(tag.name), tag.meaning, tag.block,
                         tag.family != 0 ? tag.family : ++family, !is_read(tag, options.dialects)});
    }
    for (const TagHint& hint : options.hints) {
        const std::string name = lower(hint.tag);
        const auto place = tags_.begin() + (from(name) - tags_.cbegin());
        const bool is_known = place != tags_.end() && place->name == name;
        if (name.empty() || hint.meaning == TagMeaning::kThinking ||
            (is_known && place->meaning == TagMeaning::kThinking)) {
            continue;
        }
        const BlockKind block =
            hint.meaning == TagMeaning::kExecute ? BlockKind::kScript : BlockKind::kNone;
        if (!is_known) {
            tags_.insert(place, {name, hint.meaning, block, ++family, false, hint.hidden});
            continue;
        }
        Tag& tag = *place;
        // A tag that already executes keeps its own form of commands.
        const bool keeps = hint.meaning == TagMeaning::kExecute && tag.block != BlockKind::kNone;
        tag.foreign = false;
        tag.hidden = hint.hidden;
        tag.meaning = hint.meaning;
        tag.block = keeps ? tag.block : block;
    }
}

std::vector<Tag>::const_iterator TagTable::from(std::string_view name) const {
    return std::ranges::lower_bound(tags_, name, {},
                                    [](const Tag& tag) { return std::string_view(tag.name); });
}

const Tag* TagTable::find(std::string_view name) const {
    const std::string wanted = lower(name);
    const auto found = from(wanted);
    return found != tags_.end() && found->name == wanted ? &*found : nullptr;
}

bool TagTable::has_prefix(std::string_view name) const {
    const std::string prefix = lower(name);
    const auto found = from(prefix);
    return found != tags_.end() && found->name.starts_with(prefix);
}

Scan scan_tag(std::string_view text, const TagTable& table, bool finished, TagText& tag) {
    std::size_t at = 1;
    tag.closing = at < text.size() && text[at] == '/';
    at += tag.closing ? 1 : 0;
    const std::size_t name_begin = at;
    while (at < text.size() && is_name_char(text[at])) {
        ++at;
    }
    tag.name = text.substr(name_begin, at - name_begin);
    if (at == text.size()) {
        if (!table.has_prefix(tag.name)) {
            return Scan::kNo;
        }
        tag.cut = finished && tag.name.size() >= kDistinctSize;
        return finished ? Scan::kNo : Scan::kMore;
    }
    if (tag.name.empty() || table.find(tag.name) == nullptr) {
        return Scan::kNo;
    }
    const std::size_t attributes = at;
    char quote = 0;
    for (; at < text.size() && at < base::kTagBytesMax; ++at) {
        const char c = text[at];
        if (quote != 0) {
            quote = c == quote ? '\0' : quote;
        } else if ((c == '"' || c == '\'') && text[at - 1] == '=') {
            quote = c;
        } else if (c == '<') {
            return Scan::kNo;
        } else if (c == '>') {
            tag.empty = text[at - 1] == '/';
            tag.attributes =
                text.substr(attributes, at - attributes - (tag.empty && at > attributes ? 1U : 0U));
            tag.size = at + 1;
            return Scan::kDone;
        }
    }
    if (at < text.size()) {
        return Scan::kNo;
    }
    tag.cut = finished;
    return finished ? Scan::kNo : Scan::kMore;
}

std::optional<std::string_view> protocol_id(std::string_view attributes) {
    std::size_t at = 0;
    while (at < attributes.size()) {
        while (at < attributes.size() && is_blank(attributes[at])) {
            ++at;
        }
        const std::size_t begin = at;
        while (at < attributes.size() && attributes[at] != '=' && !is_blank(attributes[at])) {
            ++at;
        }
        const std::string_view key = attributes.substr(begin, at - begin);
        while (at < attributes.size() && is_blank(attributes[at])) {
            ++at;
        }
        if (at >= attributes.size() || attributes[at] != '=') {
            if (at == begin) {
                ++at;
            }
            continue;
        }
        ++at;
        while (at < attributes.size() && is_blank(attributes[at])) {
            ++at;
        }
        std::string_view value;
        if (at < attributes.size() && is_quote(attributes[at])) {
            const std::size_t end = attributes.find(attributes[at], at + 1);
            value = attributes.substr(at + 1, end == std::string_view::npos ? end : end - at - 1);
            at = end == std::string_view::npos ? attributes.size() : end + 1;
        } else {
            const std::size_t value_begin = at;
            while (at < attributes.size() && !is_blank(attributes[at])) {
                ++at;
            }
            value = attributes.substr(value_begin, at - value_begin);
        }
        const auto is = [key](std::string_view name) {
            return std::ranges::equal(key, name, {}, text::to_lower);
        };
        if (is("id") || is("name")) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::reader::internal
