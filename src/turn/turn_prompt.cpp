#include "turn/turn_prompt.h"

#include <algorithm>

#include "prompt/language.h"
#include "table/layout.h"
#include "turn/feedback.h"
#include "turn/finish.h"

namespace arbiter::turn {

using prompt::Message;
using prompt::Role;
using value::Object;
using value::Value;

namespace {

using proposal::Dialect;

// Whether the model writes in no other dialects; tool calls do not count.
bool reads_only(const Rules& rules, reader::Dialects dialects) {
    const reader::Dialects read = rules.reading(engine::Actor::kModel).dialects;
    dialects.add(Dialect::kTool);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Dialect::kCount); ++i) {
        const auto each = static_cast<Dialect>(i);
        if (read.has(each) && !dialects.has(each)) {
            return false;
        }
    }
    return true;
}

bool plays_mvu(const Rules& rules) {
    return !reads_only(rules, {}) && reads_only(rules, {Dialect::kMvu, Dialect::kPatch});
}

// The roots whose names no command of the model writes, because every dialect that is read puts
// them before the path itself. Where dialects differ, paths are shown from the top.
std::vector<prompt::StateRoot> state_roots(const Rules& rules) {
    if (reads_only(rules, {})) {
        return {};
    }
    if (reads_only(rules, {Dialect::kMemory})) {
        return {{"play_character_data",
                 {"# State: paths for set_attribute", "# 当前状态：set_attribute 的路径"}},
                {"stat_data", {"# State: paths for set_status", "# 当前状态：set_status 的路径"}},
                {"assa_data",
                 {"# State: paths for memory and delete", "# 当前状态：memory 与 delete 的路径"}}};
    }
    if (plays_mvu(rules)) {
        return {
            {"stat_data", {"# State: paths as commands write them", "# 当前状态：指令中的路径"}}};
    }
    return {};
}

}  // namespace

TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment) {
    std::vector<Message> none;
    std::vector<Message>& history = environment.history != nullptr ? *environment.history : none;
    // The player's words are part of the history only while the prompt is built.
    const std::size_t known = history.size();
    if (!said.empty()) {
        history.push_back({Role::kUser, value::Str(said)});
    }
    const Object settings = with_members(begun.settings, environment.more_settings);
    TurnPrompt made;
    made.language = prompt::prompt_language(begun.opened, settings, said, environment.language);
    const table::DialogType dialog =
        table::chosen_dialog(begun.opened, begun.rules->registries->dialogs, settings);
    const OfferedTools& offered =
        environment.rules.offered_tools(*begun.rules, begun.opened, dialog, made.language);
    prompt::PromptInputs inputs{begun.opened, settings, begun.rules->protocols};
    inputs.state = &begun.state;
    if (environment.native_tools) {
        made.tools = offered.schemas;
        inputs.native_tools = made.tools;
    } else {
        inputs.tools = offered.document;
    }
    inputs.dialog = &dialog;
    const std::vector<prompt::StateRoot> roots = state_roots(*begun.rules);
    inputs.roots = roots;
    inputs.lessons = environment.rules.lessons(*begun.rules, begun.opened,
                                               environment.card != nullptr, made.language);
    inputs.card = environment.card;
    inputs.replacements = environment.replacements;
    inputs.history = history;
    inputs.lore = environment.lore;
    inputs.plays_mvu = plays_mvu(*begun.rules);
    inputs.cache = environment.prompt_cache;
    inputs.books = environment.books;
    inputs.now = begun.context.now;
    inputs.input = said;
    inputs.seed = static_cast<std::uint64_t>(begun.number);
    inputs.context_tokens = environment.context_tokens;
    inputs.language = made.language;
    const Value pending = pending_feedback(begun.state.meta);
    const std::string late =
        pending.is_null() ? std::string() : late_feedback_text(pending, made.language);
    inputs.feedback = late;
    inputs.remarks = begun.switched;
    std::ranges::move(protocol::new_warnings({}, begun.rules->protocols.warnings),
                      std::back_inserter(inputs.remarks));
    made.assembly = prompt::build_prompt(inputs);
    history.resize(known);
    return made;
}

}  // namespace arbiter::turn
