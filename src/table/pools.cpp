#include "table/pools.h"

#include <algorithm>

#include "expr/formula.h"
#include "value/json.h"

namespace arbiter::table {
namespace {

constexpr std::string_view kWideSpace = "\u3000";

std::string_view trimmed(std::string_view text) {
    bool moved = true;
    while (moved) {
        moved = false;
        for (const std::string_view blank :
             {std::string_view(" "), std::string_view("\t"), std::string_view("\n"), kWideSpace}) {
            if (text.starts_with(blank)) {
                text.remove_prefix(blank.size());
                moved = true;
            }
            if (text.ends_with(blank)) {
                text.remove_suffix(blank.size());
                moved = true;
            }
        }
    }
    return text;
}

// Removes and returns the prefix before the first separator (ASCII or full-width), and removes the
// separator.
std::string_view take_until(std::string_view& text, std::string_view narrow,
                            std::string_view wide) {
    const std::size_t a = text.find(narrow);
    const std::size_t b = text.find(wide);
    const std::size_t end = std::min(a, b);
    const std::string_view part = text.substr(0, end);
    if (end == std::string_view::npos) {
        text = {};
    } else {
        text.remove_prefix(end + (a < b ? narrow.size() : wide.size()));
    }
    return part;
}

}  // namespace

Pool parse_pool(std::string_view text) {
    Pool pool;
    text = trimmed(text);
    if (text == "无" || text == "none") {
        return pool;
    }
    while (!text.empty()) {
        const std::string_view part = trimmed(take_until(text, ";", "；"));
        if (part.empty()) {
            continue;
        }
        std::string_view rest = part;
        const std::string_view name = trimmed(take_until(rest, ":", "："));
        const bool has_dice = name.size() < part.size();
        const auto dice = has_dice ? expr::number_of(value::Value(trimmed(rest))) : std::nullopt;
        if (name.empty() || has_dice != dice.has_value()) {
            pool.malformed.emplace_back(part);
            continue;
        }
        pool.members.push_back(
            {std::string(name), dice ? expr::number_value(*dice) : std::nullopt});
    }
    return pool;
}

std::string print_pool(const Pool& pool) {
    std::string text;
    const auto add = [&](std::string_view part) {
        text += text.empty() ? "" : ";";
        text += part;
    };
    for (const PoolMember& member : pool.members) {
        add(member.dice ? member.name + ":" + value::print_json(*member.dice) : member.name);
    }
    for (const std::string& part : pool.malformed) {
        add(part);
    }
    return text;
}

}  // namespace arbiter::table
