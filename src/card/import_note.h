// ImportNote: one line of the report on a card that a campaign begins with: a part of the card and
// its fate. config/card_report.h collects them from every module that reads a part.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "card/card.h"

namespace arbiter::card {

struct ImportNote {
    enum class Fate : std::uint8_t {
        kApplied,  // it works as in other programs
        kChanged,  // it works in part, or in another way
        kIgnored   // it has no effect
    };
    Fate fate = Fate::kIgnored;
    std::string code;   // stable, for programs: "script", "regex", "extension", …
    std::string name;   // as the card spells it; untrusted
    base::Text reason;  // a sentence without the name
    friend bool operator==(const ImportNote&, const ImportNote&) = default;
};
std::string_view name(ImportNote::Fate fate) noexcept;  // "applied", "changed", "ignored"

// Notes about scripts that are never run and about fields of the card without a meaning here.
std::vector<ImportNote> script_notes(const Card& card);
std::vector<ImportNote> field_notes(const Card& card);

}  // namespace arbiter::card
