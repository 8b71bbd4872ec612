// Target: the position of a text in a prompt. Protocols name it, prompts are put together by it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::protocol {

// In the order in which the texts are in a prompt.
enum class Target : std::uint8_t {
    kSystemStart,      // what the model is to be
    kBeforeCharacter,  // lore
    kCharacter,
    kAfterCharacter,  // lore
    kSystemEnd,       // protocols; "system_instruction"
    kExamplesStart,   // lore
    kExamples,        // few-shot
    kExamplesEnd,     // lore
    kBeforeHistory,
    kHistory,
    kDepth,         // before the newest `depth` messages, 0 is after all of them; "floating"
    kAfterHistory,  // "post_history"
    kCount
};

std::string_view name(Target target) noexcept;  // "system_start", …
// The word of protocol files: "floating" for kDepth, name() for the others.
std::string_view injection_name(Target target) noexcept;
// The target of a name or of one of the other words in use for it.
std::optional<Target> find_target(std::string_view word) noexcept;

}  // namespace arbiter::protocol
