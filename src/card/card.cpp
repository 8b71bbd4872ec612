#include "card/card.h"

#include <algorithm>

#include "card/card_text.h"

namespace arbiter::card {

std::string_view name(CardScript::Kind kind) noexcept {
    switch (kind) {
        case CardScript::Kind::kRegex:
            return "regex";
        case CardScript::Kind::kHelper:
            return "helper";
        case CardScript::Kind::kSchema:
            return "schema";
        case CardScript::Kind::kTemplate:
            return "template";
        case CardScript::Kind::kHtml:
            return "html";
    }
    return "";
}

const std::string& display_name(const Card& card) noexcept {
    return card.nickname.empty() ? card.name : card.nickname;
}

bool has_variables(const Card& card) noexcept {
    return !card.initvars.empty() ||
           std::ranges::any_of(card.greetings, [](const std::string& greeting) {
               return find_ignoring_case(greeting, "<initvar>") != std::string_view::npos;
           });
}

namespace {

bool has_schema(const Card& card) noexcept {
    return std::ranges::any_of(card.scripts, [](const CardScript& script) {
        return script.kind == CardScript::Kind::kSchema;
    });
}

}  // namespace

bool is_mvu(const Card& card) noexcept {
    return has_variables(card) || has_schema(card) ||
           std::ranges::any_of(card.scripts, &CardScript::loads_mvu);
}

std::string_view usual_profile(const Card& card) noexcept {
    // A schema presets variables too.
    if (has_schema(card)) {
        return "mvu-lenient";
    }
    return has_variables(card) ? "mvu-card" : "auto";
}

}  // namespace arbiter::card
