#include "table/internal/tools_dice.h"

#include <algorithm>
#include <cctype>

#include "expr/formula.h"
#include "table/internal/subjects.h"
#include "table/internal/write.h"
#include "table/pools.h"
#include "table/settings.h"
#include "value/array.h"

namespace arbiter::table::internal {

using value::Array;
using value::Object;
using value::Value;

namespace {

// A signed term of a dice expression (2d6+3, d20, 4d6-1d4): dice or a constant.
struct Term {
    int sign = 1;
    std::int64_t count = 0;  // number of dice, or the constant
    std::int64_t sides = 0;  // 0: a constant
};

bool read_digits(std::string_view& rest, std::int64_t& number) {
    std::size_t digits = 0;
    number = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') {
        if (digits > 8) {
            return false;
        }
        number = number * 10 + (rest[digits] - '0');
        ++digits;
    }
    rest.remove_prefix(digits);
    return digits > 0;
}

std::optional<std::vector<Term>> parse_dice(std::string_view written) {
    constexpr std::size_t kTermsMax = 8;
    std::string plain;
    for (const char c : written) {
        if (c != ' ') {
            plain.push_back(c == 'D' ? 'd' : c);
        }
    }
    std::string_view rest = plain;
    std::vector<Term> terms;
    std::int64_t dice = 0;
    while (!rest.empty()) {
        Term term;
        if (!terms.empty() || rest[0] == '-') {
            if (rest[0] != '+' && rest[0] != '-') {
                return std::nullopt;
            }
            term.sign = rest[0] == '-' ? -1 : 1;
            rest.remove_prefix(1);
        }
        const bool counted = read_digits(rest, term.count);
        if (!rest.empty() && rest[0] == 'd') {
            rest.remove_prefix(1);
            term.count = counted ? term.count : 1;
            if (!read_digits(rest, term.sides) || term.sides < 1 ||
                term.sides > base::kDiceSidesMax || term.count < 1) {
                return std::nullopt;
            }
            dice += term.count;
        } else if (!counted) {
            return std::nullopt;
        }
        terms.push_back(term);
        if (terms.size() > kTermsMax || dice > base::kDiceMax) {
            return std::nullopt;
        }
    }
    return dice > 0 ? std::optional(terms) : std::nullopt;
}

// The sum of all terms. Appends each die to `thrown`.
std::int64_t throw_all(const std::vector<Term>& terms, Random& random, Array& thrown) {
    std::int64_t total = 0;
    for (const Term& term : terms) {
        if (term.sides == 0) {
            total += term.sign * term.count;
        }
        for (std::int64_t i = 0; term.sides > 0 && i < term.count; ++i) {
            const std::int64_t die = random.between(1, term.sides);
            total += term.sign * die;
            thrown = std::move(thrown).push_back(die);
        }
    }
    return total;
}

// Finds an integer by name in the modules of a memory save, at most `levels` levels down.
std::optional<std::int64_t> named_below(const Value* node, std::string_view name, int levels) {
    if (node == nullptr || !node->is_object()) {
        return std::nullopt;
    }
    if (const Value* found = node->as_object().find(name)) {
        const Value& plain = expr::undescribed(*found);
        if (plain.is_int()) {
            return plain.as_int();
        }
    }
    for (const auto& [key, member] : node->as_object()) {
        const auto found = levels > 0 ? named_below(&member, name, levels - 1) : std::nullopt;
        if (found) {
            return found;
        }
    }
    return std::nullopt;
}

// The number of dice that a character rolls for an attribute or a skill; nullopt if it has neither.
std::optional<std::int64_t> dice_for(const ToolContext& at, std::string_view character,
                                     std::string_view name) {
    const Value* card = find_character(at.document, character);
    if (const auto attribute = int_in(value::find_member(card, "attributes"), name)) {
        return attribute;
    }
    for (const Value& skill : array_or_empty(value::find_member(card, "skills"))) {
        if (text_in(&skill, "name") == name) {
            return int_in(&skill, "level").value_or(1);
        }
    }
    const bool own = character == active_actor(at.document);
    return own ? named_below(value::find_member(&at.document, "play_character_data"), name, 3)
               : std::nullopt;
}

std::expected<std::int64_t, Refusal> pool_size(const ToolContext& at, std::string_view character) {
    const Pool pool = parse_pool(arg(at, "pool"));
    if (!pool.malformed.empty() || pool.members.empty()) {
        return refuse("bad_pool", {truncated_id(arg(at, "pool"))});
    }
    std::int64_t count = 0;
    for (const PoolMember& member : pool.members) {
        const auto given = member.dice && member.dice->is_int()
                               ? std::optional(member.dice->as_int())
                               : std::nullopt;
        if (member.dice && !given) {
            return refuse("bad_pool", {truncated_id(arg(at, "pool"))});
        }
        const auto dice = given ? given : dice_for(at, character, member.name);
        if (!dice) {
            return refuse("unknown_attribute", {truncated_id(member.name)});
        }
        count += std::clamp<std::int64_t>(*dice, 0, base::kDiceMax);
    }
    return std::clamp<std::int64_t>(count, 1, base::kDiceMax);
}

std::expected<Effect, Refusal> do_roll(const ToolContext& at, Random& random) {
    const bool is_pool = at.args.contains("pool");
    if (is_pool == at.args.contains("dice")) {
        return refuse("dice_or_pool");
    }
    std::string_view character = arg(at, "character_id");
    character = character.empty() ? active_actor(at.document) : character;
    auto difficulty = number_arg(at, "difficulty");
    Object result = {{"character_id", text(character)}, {"purpose", text(arg(at, "purpose"))}};
    Array thrown;
    std::int64_t total = 0;
    if (is_pool) {
        const auto count = pool_size(at, character);
        if (!count) {
            return std::unexpected(count.error());
        }
        const std::int64_t sides =
            std::max<std::int64_t>(2, number_in(at.settings, "rules.roll_sides"));
        const std::int64_t from = number_in(at.settings, "rules.roll_success");
        for (std::int64_t i = 0; i < *count; ++i) {
            const std::int64_t die = random.between(1, sides);
            total += die >= from ? 1 : 0;
            thrown = std::move(thrown).push_back(die);
        }
        if (!difficulty) {
            const Value* kept = value::find(at.document, {"stat_data", "检定难度"});
            if (kept != nullptr && expr::undescribed(*kept).is_int()) {
                difficulty = expr::undescribed(*kept).as_int();
            }
        }
        result = std::move(result)
                     .set("pool", text(print_pool(parse_pool(arg(at, "pool")))))
                     .set("successes", total);
    } else {
        const auto terms = parse_dice(arg(at, "dice"));
        if (!terms) {
            return refuse("bad_dice", {truncated_id(arg(at, "dice"))});
        }
        total = throw_all(*terms, random, thrown);
        result = std::move(result).set("dice", text(arg(at, "dice"))).set("total", total);
    }
    result = std::move(result).set("rolls", std::move(thrown));
    if (difficulty) {
        result = std::move(result)
                     .set("difficulty", *difficulty)
                     .set("is_success", total >= *difficulty);
    }
    result = std::move(result).set("turn", turn_number(at.document) + 1);
    Array kept = array_or_empty(find_in_campaign(at.document, {"rolls"}));
    kept = std::move(kept).push_back(result);
    while (kept.size() > base::kRollsKept) {
        kept = std::move(kept).erase(0);
    }
    Effect made;
    made.instructions.push_back(set_at(campaign_path({"rolls"}), std::move(kept)));
    made.result = std::move(result);
    return made;
}

std::optional<Mismatch> check_roll(const EffectCheck& seen) {
    const Array& kept = array_or_empty(find_in_campaign(seen.after, {"rolls"}));
    if (kept.empty() || kept[kept.size() - 1] != seen.result) {
        return Mismatch{"rolls", seen.result, kept.empty() ? Value() : kept[kept.size() - 1]};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Value> throw_dice(std::string_view dice, Random& random) {
    const auto terms = parse_dice(dice);
    if (!terms) {
        return std::nullopt;
    }
    Array thrown;
    return Value(throw_all(*terms, random, thrown));
}

Tool roll_tool() {
    Tool tool;
    tool.name = "roll";
    tool.continues_turn = true;
    tool.parameters = {
        {"dice", Parameter::Type::kText, false, {"such as 2d6+3", "如 2d6+3"}},
        {"pool",
         Parameter::Type::kText,
         false,
         {"or attributes and skills, such as 力量;白刃", "或骰池，如 力量:2;白刃:2"}},
        {"character_id", Parameter::Type::kText, false, {"character id", "掷骰角色 id"}},
        {"difficulty",
         Parameter::Type::kInteger,
         false,
         {"total, or successes of a pool, that is needed", "总和或成功数"}},
        {"purpose", Parameter::Type::kText, true, {"purpose", "检定目的"}}};
    tool.reasons = {
        ended_reason(),
        unknown_character(),
        {"dice_or_pool", {"Give either dice or a pool.", "dice 与 pool 必须且只能给一个。"}},
        {"bad_dice", {"{0} is not a roll. Write it as 2d6+3.", "无法读懂 {0}，请写作 2d6+3。"}},
        {"bad_pool",
         {"{0} is not a pool. Write it as 力量;白刃.", "无法读懂骰池 {0}，请写作 力量;白刃。"}},
        {"unknown_attribute", {"{0} has no value here.", "{0} 没有对应的数值。"}}};
    tool.conditions = {campaign_open(), character_exists("character_id")};
    tool.effect = do_roll;
    tool.check = check_roll;
    tool.changes_state = false;
    tool.for_agents = {"Throws dice. Narrate what they say, never what you wished.",
                       "掷骰。按结果叙述，不自编点数。"};
    tool.for_people = {"Dice come from the campaign's seed: the same turn throws the same dice.",
                       "骰子由战役种子决定，同一回合重试不会改变结果。"};
    return tool;
}

}  // namespace arbiter::table::internal
