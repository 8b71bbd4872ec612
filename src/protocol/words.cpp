#include "protocol/words.h"

#include <array>

namespace arbiter::protocol {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Word::kCount)> kNames = {
    "hp",         "damage",      "lose",         "gain",        "become",     "remain",
    "full",       "zero",        "half",         "maximum",     "each",       "unhurt",
    "points",     "price",       "arrive",       "be_at",       "leave",      "follow_in",
    "motion",     "posture",     "perceive",     "surround",    "beside",     "furniture",
    "open_door",  "enter_in",    "outside",      "toward",      "all_of_you", "die",
    "corpse",     "down",        "restrain",     "revive",      "act",        "still",
    "rise",       "negation",    "modal",        "plan",        "attempt",    "report",
    "not_report", "condition",   "unreal",       "wake",        "memory",     "recall",
    "trance",     "stay",        "near_miss",    "simile",      "question",   "from_now",
    "rule_noun",  "rule_change", "norm",         "generic",     "path_noun",  "path_cut",
    "path_open",  "destroyed",   "new_area",     "rename",      "no_longer",  "become_role",
    "learn",      "forget",      "skill_noun",   "level_up",    "level_noun", "title_noun",
    "obtain",     "give_away",   "count_of",     "take",        "stow",       "container",
    "give",       "hand",        "consume",      "apply",       "break",      "slip_away",
    "shoot",      "money",       "you",          "he",          "she",        "it",
    "they",       "self",        "person",       "thing",       "person_end", "someone",
    "body",       "honor_after", "honor_before", "surname_two", "adverb",     "and",
    "by",         "object",      "of",           "plain"};

}  // namespace

std::string_view name(Word word) noexcept {
    return kNames[static_cast<std::size_t>(word)];
}

}  // namespace arbiter::protocol
