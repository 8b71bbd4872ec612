#include "prompt/internal/history.h"

#include <algorithm>

namespace arbiter::prompt::internal {

std::string history_id(std::size_t first, std::size_t last) {
    std::string id = "history:";
    id += std::to_string(first);
    if (first != last) {
        id += '-';
        id += std::to_string(last);
    }
    return id;
}

History take_history(const AssemblyInputs& inputs, std::size_t most) {
    const std::size_t size = inputs.history.size();
    const std::size_t room = inputs.plan.room();
    const std::size_t least =
        std::min({size, most, std::max<std::size_t>(1, inputs.plan.recent_messages)});
    // Stored counts are those of the usual rates.
    const bool knows_counts = !inputs.count.exact && inputs.count.rates == text::TokenRates();
    History history;
    history.said.reserve(std::min<std::size_t>(most, 256));
    std::size_t sum = 0;
    for (std::size_t taken = 0; taken < most && (room == 0 || sum <= room || taken < least);
         ++taken) {
        const std::size_t number = size - 1 - taken;
        const Message& message = inputs.history[number];
        const std::size_t tokens =
            knows_counts && message.tokens != 0 ? message.tokens : inputs.count(message.content);
        history.said.push_back({&message, number, tokens});
        sum += tokens;
    }
    std::ranges::reverse(history.said);
    return history;
}

void begin_with_the_user(History& history, Assembly& out) {
    std::span<const SaidMessage> left = history.left();
    while (left.size() > 1 && left[0].message->role == Role::kAssistant && left[0].number > 0) {
        out.omitted.push_back({history_id(left[0].number, left[0].number),
                               Kind::kHistory,
                               "",
                               left[0].tokens,
                               {Reason::kNoQuestion, {}}});
        ++history.first;
        left = history.left();
    }
    history.begins_with_us = !left.empty() && left[0].message->role == Role::kAssistant;
}

}  // namespace arbiter::prompt::internal
