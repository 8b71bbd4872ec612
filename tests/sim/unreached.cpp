#include "tests/sim/unreached.h"

#include <array>
#include <utility>

namespace arbiter::sim {

namespace {

struct Row {
    std::string_view prefix;  // of the name
    std::string_view reason;
};
// The first that fits counts.
constexpr auto kErrors = std::to_array<Row>({
    {"json_", "documents of files are not played (tests/value)"},
    {"path_", "paths of files are not played (tests/value)"},
    {"formula_", "rulebooks are fixed (tests/rules)"},
    {"regex_", "patterns are fixed (tests/text)"},
    {"write_", "nothing is converted (tests/writer)"},
    {"yaml_", "files are fixed (tests/config)"},
    {"calendar_", "calendars are fixed (tests/calendar)"},
    {"date_", "dates of formulas (tests/calendar)"},
    {"turn_none", "transcripts are not read (tests/transcript)"},
    {"lore_", "no lore is added (tests/prompt)"},
    {"protocol_", "the library is fixed (tests/protocol)"},
    {"png_", "no card is read (tests/card)"},
    {"card_", "no card is read (tests/card)"},
    {"initvar_", "no card is read (tests/card)"},
    {"greeting_", "no card is read (tests/card)"},
});

}  // namespace

std::string_view reason_unreached(std::string_view kind, std::string_view name) noexcept {
    if (kind == "error") {
        for (const Row& row : kErrors) {
            if (name.starts_with(row.prefix)) {
                return row.reason;
            }
        }
    }
    return {};
}

}  // namespace arbiter::sim
