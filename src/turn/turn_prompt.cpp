#include "turn/turn_prompt.h"

#include <algorithm>
#include <array>

#include "prompt/language.h"
#include "table/layout.h"
#include "table/settings.h"
#include "text/utf8.h"
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

TurnPrompt assembled(const Begun& begun, std::string_view said, const Environment& environment,
                     std::span<const Message> history, bool has_client) {
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
    inputs.plan = begun.rules->plan_of(dialog);
    const std::vector<prompt::StateRoot> roots = state_roots(*begun.rules);
    inputs.roots = roots;
    inputs.lessons = environment.rules.lessons(*begun.rules, begun.opened,
                                               environment.card != nullptr, made.language);
    inputs.card = environment.card;
    inputs.replacements = environment.replacements;
    inputs.history = history;
    inputs.has_client = has_client;
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
    return made;
}

// Where the messages of a client begin that are not system messages.
std::size_t leading_end(const std::vector<Message>& messages) {
    const auto end = std::ranges::find_if(
        messages, [](const Message& each) { return each.role != Role::kSystem; });
    return static_cast<std::size_t>(end - messages.begin());
}
// The last message of the player; the end if there is none.
std::size_t last_said(const std::vector<Message>& messages) {
    for (std::size_t i = messages.size(); i > 0; --i) {
        if (messages[i - 1].role == Role::kUser) {
            return i - 1;
        }
    }
    return messages.size();
}

// Which messages are of the history.
std::vector<bool> history_in(const prompt::Assembly& assembly) {
    std::vector<bool> found(assembly.messages.size());
    for (const prompt::PlacedMessage& each : assembly.said) {
        found[each.message] = true;
    }
    return found;
}

// Moves the blocks to the messages that they are part of now; `places` has the new number of each
// message, or none. Those of messages that are not sent are listed as omitted.
void follow_messages(prompt::Assembly& assembly,
                     const std::vector<std::optional<std::size_t>>& places, std::string_view why) {
    std::vector<prompt::Placed> kept;
    for (prompt::Placed& each : assembly.blocks) {
        if (const auto place = places[each.message]) {
            each.message = *place;
            kept.push_back(std::move(each));
        } else {
            assembly.omitted.push_back({std::move(each.block.id),
                                        each.block.kind,
                                        std::move(each.block.source),
                                        each.tokens,
                                        {prompt::Reason::kNotInjected, {std::string(why)}}});
        }
    }
    assembly.blocks = std::move(kept);
    assembly.said.clear();  // its messages stood in for those of the client
    std::ranges::sort(assembly.omitted, prompt::is_before, &prompt::Omitted::id);
}

constexpr std::array<std::string_view, 3> kInjections = {"full", "state", "off"};

Injection chosen_injection(const ClientChat& chat, const Begun& begun,
                           const Environment& environment) {
    const Object settings = with_members(begun.settings, environment.more_settings);
    return chat.injection.value_or(
        find_injection(table::word_in(settings, "chat.inject")).value_or(Injection::kFull));
}

}  // namespace

std::optional<Injection> find_injection(std::string_view word) noexcept {
    const auto found = std::ranges::find(kInjections, word);
    return found != kInjections.end()
               ? std::optional(static_cast<Injection>(found - kInjections.begin()))
               : std::nullopt;
}

TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment) {
    std::vector<Message> none;
    std::vector<Message>& history = environment.history != nullptr ? *environment.history : none;
    // The player's words are part of the history only while the prompt is built.
    const std::size_t known = history.size();
    if (!said.empty()) {
        history.push_back({Role::kUser, value::Str(said)});
    }
    TurnPrompt made = assembled(begun, said, environment, history, false);
    history.resize(known);
    return made;
}

TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment,
                        ClientChat chat) {
    Environment own = environment;
    own.card = nullptr;
    own.replacements = nullptr;
    own.lore = nullptr;
    own.books = {};
    // Two messages stand in for the client's: one for its history, one for the player's last.
    const std::vector<Message> history = {
        {Role::kAssistant, value::Str("…")},
        {Role::kUser, value::Str(said.empty() ? std::string_view("…") : said)}};
    TurnPrompt made = assembled(begun, said, own, history, true);
    std::vector<Message>& messages = made.assembly.messages;
    const std::vector<bool> is_stand_in = history_in(made.assembly);
    const auto first =
        static_cast<std::size_t>(std::ranges::find(is_stand_in, true) - is_stand_in.begin());
    const std::size_t last = last_said(messages);
    const Injection injection = chosen_injection(chat, begun, environment);
    std::vector<Message> joined;
    joined.reserve(messages.size() + chat.messages.size());
    std::vector<std::optional<std::size_t>> places(messages.size());
    const auto insert = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!is_stand_in[i]) {
                places[i] = joined.size();
                joined.push_back(std::move(messages[i]));
            }
        }
    };
    const std::size_t leading = leading_end(chat.messages);
    const std::size_t asked = std::max(last_said(chat.messages), leading);
    for (std::size_t i = 0; i <= chat.messages.size(); ++i) {
        if (i == leading && injection == Injection::kFull) {
            insert(0, first);
        }
        if (i == asked && injection != Injection::kOff) {
            insert(first, last);
        }
        if (i < chat.messages.size()) {
            joined.push_back(std::move(chat.messages[i]));
        }
    }
    if (injection == Injection::kFull) {
        insert(last + 1, messages.size());
    } else {
        made.tools.clear();
        made.assembly.tool_tokens = 0;
    }
    follow_messages(made.assembly, places, kInjections[static_cast<std::size_t>(injection)]);
    joined.shrink_to_fit();  // kept as long as the turn runs
    messages = std::move(joined);
    return made;
}

void append_hint(TurnPrompt& prompt, std::string_view hint) {
    if (hint.empty()) {
        return;
    }
    constexpr base::TextView kAsks = {"The player asks of this reply: ", "玩家对这次回复的要求："};
    const std::string text = std::string(kAsks.in(prompt.language)) + text::repair(hint);
    prompt.assembly.messages.push_back({Role::kSystem, value::Str(text)});
}

}  // namespace arbiter::turn
