#include "card/card.h"

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

}  // namespace arbiter::card
