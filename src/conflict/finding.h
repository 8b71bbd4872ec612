// Findings: assertions of a narration that contradict the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::conflict {

enum class Type : std::uint8_t {
    kHp,
    kPosition,
    kAliveState,
    kRules,
    kMap,
    kCharacterSheet,
    kInventory,
    kOther
};
// "hp", "position", …, as in reports.
std::string_view name(Type type) noexcept;

enum class Layer : std::uint8_t { kDeclared, kText };
std::string_view name(Layer layer) noexcept;

struct Finding {
    Type type = Type::kHp;
    std::string target;     // the id of a character, or of a destroyed area; may be empty
    std::string quote;      // the bytes [begin, end) of the narration
    std::size_t begin = 0;  // 0 if declared: then the quote is the claim
    std::size_t end = 0;
    std::string expected;  // the truth, as data: "34/40", "tavern"
    std::string found;     // the claim, as data: "-6", "marsh"
    int confidence = 0;    // percent
    Layer layer = Layer::kText;
    friend bool operator==(const Finding&, const Finding&) = default;
};

// How a sentence was taken.
enum class Reading : std::uint8_t {
    kContradicted,  // a finding
    kSupported,     // asserted, and true
    kUnclear,       // asserted, but of whom or what is not certain
    kQuoted,
    kReported,
    kNegated,
    kPlanned,   // plan, order, offer, wish
    kPossible,  // future, ability, guess
    kQuestion,
    kConditional,
    kRemembered,
    kUnreal,  // dream, vision, game, play, picture
    kNearMiss,
    kCompared,  // simile
    kOption,    // a line of a list of choices
    kPrice
};
std::string_view name(Reading reading) noexcept;

// One recognised claim, whether or not it counts.
struct Observation {
    Type type = Type::kHp;
    Reading reading = Reading::kContradicted;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::vector<std::string> targets;
    std::string expected;
    std::string found;
    int confidence = 0;
};

struct Report {
    std::vector<Finding> findings;          // by position; one for each (type, target)
    std::vector<Observation> observations;  // by position
};

}  // namespace arbiter::conflict
