#include "protocol/internal/meanings.h"

#include <algorithm>

#include "text/join.h"

namespace arbiter::protocol::internal {
namespace {

using proposal::Dialect;
using reader::TagMeaning;
using writer::Form;

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

struct Behavior {
    std::string_view word;
    TagMeaning meaning;
};
constexpr Behavior kBehaviors[] = {
    {"ignore", TagMeaning::kIgnore},
    {"display", TagMeaning::kDisplay},
    {"execute_script", TagMeaning::kExecute},
    {"display_component", TagMeaning::kComponent},
    {"keep_internal", TagMeaning::kIgnore},
    {"apply_state_update", TagMeaning::kExecute},
    {"dispatch_tool_call", TagMeaning::kExecute},
    {"render_choice", TagMeaning::kComponent},
    {"render_choice_grid", TagMeaning::kComponent},
    {"render_status_bar", TagMeaning::kComponent},
    {"render_details", TagMeaning::kComponent},
    {"render_media", TagMeaning::kComponent},
    {"render_ui_component", TagMeaning::kComponent},
};

// The same as in the reader's table; a test compares them.
constexpr OwnMeaning kOwn[] = {
    {"think", TagMeaning::kThinking, {}},
    {"thinking", TagMeaning::kThinking, {}},
    {"thought", TagMeaning::kThinking, {}},
    {"analysis", TagMeaning::kThinking, {}},
    {"analyze", TagMeaning::kThinking, {}},
    {"variablethink", TagMeaning::kThinking, {}},
    {"variable_update", TagMeaning::kExecute, Dialect::kFilament},
    {"state_update", TagMeaning::kExecute, Dialect::kFilament},
    {"updatevariable", TagMeaning::kExecute, Dialect::kMvu},
    {"variableupdate", TagMeaning::kExecute, Dialect::kMvu},
    {"updatememory", TagMeaning::kExecute, Dialect::kMemory},
    {"jsonpatch", TagMeaning::kExecute, Dialect::kPatch},
    {"json_patch", TagMeaning::kExecute, Dialect::kPatch},
    {"variable_insert", TagMeaning::kExecute, Dialect::kFilament},
    {"variable_edit", TagMeaning::kExecute, Dialect::kFilament},
    {"variable_delete", TagMeaning::kExecute, Dialect::kFilament},
    {"tool_call", TagMeaning::kExecute, Dialect::kTool},
    {"tool_calls", TagMeaning::kExecute, Dialect::kTool},
    {"filament_output", TagMeaning::kDisplay, Dialect::kFilament},
};

}  // namespace

std::optional<TagMeaning> find_behavior(std::string_view word) noexcept {
    const auto* const found = std::ranges::find(kBehaviors, word, &Behavior::word);
    return found == std::end(kBehaviors) ? std::nullopt : std::optional(found->meaning);
}

std::string all_behaviors() {
    return text::join(kBehaviors, ", ", &Behavior::word);
}

bool same_tag(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, {}, lower, lower);
}

const OwnMeaning* own_meaning(std::string_view tag) noexcept {
    const auto* const found = std::ranges::find_if(
        kOwn, [tag](const OwnMeaning& each) { return same_tag(each.tag, tag); });
    return found == std::end(kOwn) ? nullptr : found;
}

bool is_tag_name(std::string_view text) noexcept {
    return !text.empty() && text.size() <= 100 && std::ranges::all_of(text, [](char c) {
        const char small = lower(c);
        return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               static_cast<unsigned char>(c) >= 0x80;
    });
}

Dialect dialect_of(Form form) noexcept {
    switch (form) {
        case Form::kTavern:
            return Dialect::kTavern;
        case Form::kJson:
        case Form::kDirect:
        case Form::kInternal:
            return Dialect::kJson;
        case Form::kMvu:
            return Dialect::kMvu;
        case Form::kPatch:
            return Dialect::kPatch;
        case Form::kMemory:
            return Dialect::kMemory;
        case Form::kFilament2:
        case Form::kFilament3:
            return Dialect::kFilament;
        case Form::kTools:
        case Form::kCount:
            return Dialect::kTool;
    }
    return Dialect::kTool;
}

}  // namespace arbiter::protocol::internal
