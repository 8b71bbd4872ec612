#include "conflict/internal/amounts.h"

#include <algorithm>
#include <cstdlib>

namespace arbiter::conflict::internal {
namespace {

struct Amounts {
    const Amount* now = nullptr;
    std::vector<std::int64_t> deltas;
};

Amounts amounts_of(const Context& at, const Quantity& quantity, std::uint32_t who) {
    const Character& character = at.truth.characters[who];
    const Changes& changes = at.settled.by_character[who];
    Amounts found;
    if (quantity.is_hp) {
        found.now = character.hp ? &*character.hp : nullptr;
        found.deltas = changes.hp;
        return found;
    }
    for (const auto& [name, amount] : character.resources) {
        if (name == quantity.resource) {
            found.now = &amount;
        }
    }
    for (const auto& [name, delta] : changes.resources) {
        if (name == quantity.resource) {
            found.deltas.push_back(delta);
        }
    }
    return found;
}

Verdict verdict_of(const Amount& now, bool right) {
    Verdict verdict;
    verdict.is_contradicted = !right;
    verdict.is_settled = right;
    verdict.expected =
        std::to_string(now.current) + (now.max ? "/" + std::to_string(*now.max) : std::string());
    return verdict;
}

Verdict none() {
    Verdict verdict;
    verdict.is_none = true;
    return verdict;
}

}  // namespace

std::optional<Quantity> quantity_at(const Context& at, std::size_t i) {
    const Token& token = at.token(i);
    if (token.is(Word::kHp)) {
        return Quantity{i, true, false, {}};
    }
    if (token.is(Word::kDamage)) {
        return Quantity{i, true, true, {}};
    }
    if (const Meaning* meaning = at.meaning(i, Meaning::Kind::kResource)) {
        return Quantity{i, false, false, at.names.text(meaning->index)};
    }
    return std::nullopt;
}

Verdict judge_value(const Context& at, const Quantity& quantity, std::uint32_t who,
                    std::int64_t value, std::optional<std::int64_t> max) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr) {
        return none();
    }
    std::int64_t current = amounts.now->current;
    bool right = current == value;
    // Values between the settled changes of the turn.
    for (std::size_t i = amounts.deltas.size(); i-- > 1;) {
        current -= amounts.deltas[i];
        right = right || current == value;
    }
    return verdict_of(*amounts.now,
                      right && (!max || !amounts.now->max || *max == *amounts.now->max));
}

Verdict judge_maximum(const Context& at, const Quantity& quantity, std::uint32_t who,
                      std::int64_t value) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr || !amounts.now->max) {
        return none();
    }
    return verdict_of(*amounts.now, *amounts.now->max == value);
}

Verdict judge_delta(const Context& at, const Quantity& quantity, std::uint32_t who,
                    std::int64_t delta, bool is_maximum) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr) {
        return none();
    }
    return verdict_of(*amounts.now, is_maximum ? at.settled.by_character[who].is_sheet_changed
                                               : is_sum_of(amounts.deltas, delta));
}

Verdict judge_fraction(const Context& at, const Quantity& quantity, std::uint32_t who,
                       const Fraction& fraction) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr || !amounts.now->max) {
        return none();
    }
    const auto near = [&](std::int64_t of, std::int64_t value) {
        return std::abs(of * fraction.part - value * fraction.whole) <= fraction.whole + of / 5;
    };
    if (!fraction.is_change) {
        return verdict_of(*amounts.now, near(*amounts.now->max, amounts.now->current));
    }
    std::int64_t total = 0;
    for (const std::int64_t delta : amounts.deltas) {
        total += delta;
    }
    const std::int64_t size = fraction.is_loss ? -total : total;
    const bool right =
        size > 0 && (near(*amounts.now->max, size) || near(amounts.now->current - total, size));
    return verdict_of(*amounts.now, right);
}

Verdict judge_full(const Context& at, const Quantity& quantity, std::uint32_t who) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr || !amounts.now->max) {
        return none();
    }
    return verdict_of(*amounts.now, amounts.now->current == *amounts.now->max);
}

Verdict judge_direction(const Context& at, const Quantity& quantity, std::uint32_t who,
                        bool is_loss) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr) {
        return none();
    }
    return verdict_of(*amounts.now, std::ranges::any_of(amounts.deltas, [&](std::int64_t delta) {
        return is_loss ? delta < 0 : delta > 0;
    }));
}

Verdict judge_unhurt(const Context& at, const Quantity& quantity, std::uint32_t who) {
    const Amounts amounts = amounts_of(at, quantity, who);
    if (amounts.now == nullptr) {
        return none();
    }
    Verdict verdict = verdict_of(
        *amounts.now, std::ranges::none_of(amounts.deltas, [](auto delta) { return delta < 0; }));
    // For other characters it is true by default: the subject is not in doubt.
    verdict.is_settled = false;
    return verdict;
}

}  // namespace arbiter::conflict::internal
