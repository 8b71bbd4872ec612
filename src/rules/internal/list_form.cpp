#include "rules/internal/list_form.h"

#include <algorithm>

#include "expr/coercion.h"
#include "text/ascii.h"

namespace arbiter::rules::internal {
namespace {

// The text up to a separator in either width; the rest stays in `text`.
struct Split {
    std::string_view part;
    bool found;
};
Split take_until(std::string_view& text, std::string_view narrow, std::string_view wide) {
    const std::size_t first = text.find(narrow);
    const std::size_t second = text.find(wide);
    const std::size_t end = std::min({first, second, text.size()});
    const Split split{text.substr(0, end), end < text.size()};
    const std::size_t mark = !split.found ? 0 : first < second ? narrow.size() : wide.size();
    text.remove_prefix(end + mark);
    return split;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && text::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

bool is_whole_number(std::string_view text) {
    text.remove_prefix(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
    return !text.empty() && std::ranges::all_of(text, text::is_digit);
}

}  // namespace

bool is_list(std::string_view text, bool numbers) {
    text = trimmed(text);
    const bool is_word = text.find_first_of(":;") == std::string_view::npos &&
                         !text.contains("：") && !text.contains("；");
    if (text.empty()) {
        return true;
    }
    // A word such as 无 is an empty list; a number or another separator in it is a slip.
    if (is_word) {
        constexpr std::string_view kSeparators[] = {",", "，", "、"};
        return !(numbers && std::ranges::any_of(text, text::is_digit)) &&
               std::ranges::none_of(kSeparators,
                                    [&](std::string_view mark) { return text.contains(mark); });
    }
    while (!text.empty()) {
        std::string_view member = take_until(text, ";", "；").part;
        text = trimmed(text);
        const Split name = take_until(member, ":", "：");
        if (trimmed(name.part).empty() || name.found != numbers ||
            (numbers && !is_whole_number(trimmed(member)))) {
            return false;
        }
    }
    return true;
}

engine::CheckResult ListFormCheck::judge(const Case& about) const {
    const value::Value* now = about.now != nullptr ? &expr::undescribed(*about.now) : nullptr;
    if (now == nullptr || (now->is_string() && is_list(now->as_string(), numbers_))) {
        return {};
    }
    return {engine::CheckResult::Action::kAllow, {}, {}, {{proposal::Warning::kMalformedList, {}}}};
}

}  // namespace arbiter::rules::internal
