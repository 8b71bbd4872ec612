#include "reader/internal/tags.h"

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

using proposal::Dialect;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name_char(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

struct BuiltIn {
    std::string_view name;
    TagMeaning meaning;
    Block block = Block::kNone;
    std::uint8_t family = 0;
};

// Letters of a tag's name that tell it from a word of the story.
constexpr std::size_t kTellingSize = 4;

constexpr std::uint8_t kThought = 1;
constexpr std::uint8_t kAnalysis = 2;
constexpr std::uint8_t kPatchTag = 3;

constexpr BuiltIn kBuiltIn[] = {
    {"think", TagMeaning::kThinking, Block::kNone, kThought},
    {"thinking", TagMeaning::kThinking, Block::kNone, kThought},
    {"thought", TagMeaning::kThinking, Block::kNone, kThought},
    {"analysis", TagMeaning::kThinking, Block::kNone, kAnalysis},
    {"analyze", TagMeaning::kThinking, Block::kNone, kAnalysis},
    {"variablethink", TagMeaning::kThinking},
    {"variable_update", TagMeaning::kExecute, Block::kUpdate},
    {"state_update", TagMeaning::kExecute, Block::kUpdate},
    {"updatevariable", TagMeaning::kExecute, Block::kUpdate},
    {"variableupdate", TagMeaning::kExecute, Block::kUpdate},
    {"updatememory", TagMeaning::kExecute, Block::kMemory},
    {"jsonpatch", TagMeaning::kExecute, Block::kPatch, kPatchTag},
    {"json_patch", TagMeaning::kExecute, Block::kPatch, kPatchTag},
    {"variable_insert", TagMeaning::kExecute, Block::kInsert},
    {"variable_edit", TagMeaning::kExecute, Block::kEdit},
    {"variable_delete", TagMeaning::kExecute, Block::kRemove},
    {"tool_call", TagMeaning::kExecute, Block::kToolCall},
    {"tool_calls", TagMeaning::kExecute, Block::kToolCall},
    {"use_protocol", TagMeaning::kExecute, Block::kUseProtocol},
    {"end_protocol", TagMeaning::kExecute, Block::kEndProtocol},
    {"filament_output", TagMeaning::kDisplay},
};

bool is_read(const BuiltIn& tag, const Dialects& dialects) {
    switch (tag.block) {
        case Block::kUpdate:
            return tag.name == "updatevariable" || tag.name == "variableupdate"
                       ? dialects.has(Dialect::kMvu) || dialects.has(Dialect::kFilament)
                       : dialects.has(Dialect::kFilament);
        case Block::kMemory:
            return dialects.has(Dialect::kMemory);
        case Block::kPatch:
            return dialects.has(Dialect::kPatch);
        case Block::kInsert:
        case Block::kEdit:
        case Block::kRemove:
            return dialects.has(Dialect::kFilament);
        case Block::kToolCall:
            return dialects.has(Dialect::kTool);
        case Block::kNone:
        case Block::kUseProtocol:
        case Block::kEndProtocol:
        case Block::kScript:
            return true;
    }
    return true;
}

}  // namespace

TagTable::TagTable(const Options& options) {
    std::uint8_t family = kPatchTag;
    tags_.reserve(std::size(kBuiltIn) + options.hints.size());
    for (const BuiltIn& tag : kBuiltIn) {
        // Filament's envelope is only taken off where Filament is read.
        if (tag.meaning == TagMeaning::kDisplay && !options.dialects.has(Dialect::kFilament)) {
            continue;
        }
        add({std::string(tag.name), tag.meaning, tag.block, tag.family != 0 ? tag.family : ++family,
             !is_read(tag, options.dialects)});
    }
    for (const TagHint& hint : options.hints) {
        std::string name = hint.tag;
        std::ranges::transform(name, name.begin(), lower);
        const auto old = std::ranges::find(tags_, name, &Tag::name);
        if (name.empty() || hint.meaning == TagMeaning::kThinking ||
            (old != tags_.end() && old->meaning == TagMeaning::kThinking)) {
            continue;
        }
        if (old != tags_.end()) {
            // A tag that already executes keeps its own form of commands.
            const bool keeps = hint.meaning == TagMeaning::kExecute && old->block != Block::kNone;
            old->foreign = false;
            old->meaning = hint.meaning;
            old->block = keeps                                  ? old->block
                         : hint.meaning == TagMeaning::kExecute ? Block::kScript
                                                                : Block::kNone;
        } else {
            add({name, hint.meaning,
                 hint.meaning == TagMeaning::kExecute ? Block::kScript : Block::kNone, ++family,
                 false});
        }
    }
}

void TagTable::add(Tag tag) {
    tags_.push_back(std::move(tag));
}

const Tag* TagTable::find(std::string_view name) const noexcept {
    for (const Tag& tag : tags_) {
        if (tag.name.size() == name.size() && std::ranges::equal(tag.name, name, {}, {}, lower)) {
            return &tag;
        }
    }
    return nullptr;
}

bool TagTable::is_beginning(std::string_view name) const noexcept {
    return std::ranges::any_of(tags_, [&](const Tag& tag) {
        return tag.name.size() >= name.size() &&
               std::ranges::equal(std::string_view(tag.name).substr(0, name.size()), name, {}, {},
                                  lower);
    });
}

TagScan scan_tag(std::string_view text, const TagTable& table, bool finished, TagText& tag) {
    std::size_t at = 1;
    tag.closing = at < text.size() && text[at] == '/';
    at += tag.closing ? 1 : 0;
    const std::size_t name_begin = at;
    while (at < text.size() && is_name_char(text[at])) {
        ++at;
    }
    tag.name = text.substr(name_begin, at - name_begin);
    if (at == text.size()) {
        if (!table.is_beginning(tag.name)) {
            return TagScan::kNo;
        }
        return !finished                         ? TagScan::kMore
               : tag.name.size() >= kTellingSize ? TagScan::kCut
                                                 : TagScan::kNo;
    }
    if (tag.name.empty() || table.find(tag.name) == nullptr) {
        return TagScan::kNo;
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
            return TagScan::kNo;
        } else if (c == '>') {
            tag.empty = text[at - 1] == '/';
            tag.attributes =
                text.substr(attributes, at - attributes - (tag.empty && at > attributes ? 1U : 0U));
            tag.size = at + 1;
            return TagScan::kTag;
        }
    }
    if (at < text.size()) {
        return TagScan::kNo;
    }
    return finished ? TagScan::kCut : TagScan::kMore;
}

std::optional<std::string_view> attribute(std::string_view attributes, std::string_view name) {
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
        if (key == name) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::reader::internal
