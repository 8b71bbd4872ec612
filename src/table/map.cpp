#include "table/map.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/limits.h"
#include "expr/formula.h"
#include "expr/words.h"
#include "table/layout.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

namespace {

bool is_false(const Value* value) {
    return value == nullptr || value->is_null() || (value->is_bool() && !value->as_bool());
}

base::Result<> broken(std::string_view where, std::string_view why) {
    return base::fail(ErrorCode::kMapBroken, {std::string(where), std::string(why)});
}

base::Result<> check_lock(std::string_view id, const Value* lock) {
    if (lock == nullptr || lock->is_null() || lock->is_bool()) {
        return {};
    }
    if (!lock->is_object()) {
        return broken(id, "lock");
    }
    const Value* when = value::find_member(lock, "unlock_when");
    if (when != nullptr && (!when->is_string() || !expr::Formula::compile(when->as_string(), {}))) {
        return broken(id, "lock.unlock_when");
    }
    return {};
}

std::string numbered(std::string_view stem, std::int64_t number) {
    return std::string(stem) + (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

bool is_locked(const Value* place, const Value& document) {
    const Value* lock = value::find_member(place, "lock");
    if (is_false(lock)) {
        return false;
    }
    const Value* set = value::find_member(lock, "is_locked");
    if (set != nullptr && is_false(set)) {
        return false;
    }
    const std::string_view when = text_in(lock, "unlock_when");
    if (when.empty()) {
        return true;
    }
    const auto formula = expr::Formula::compile(when, {});
    return !formula || !formula->holds({document, {}});
}

namespace {

// The name of an item that one character may hold and another one does.
std::string item_name(const Value& document, std::string_view holder, std::string_view item) {
    const auto name_in = [&](const Value& owner) {
        return text_in(value::find_member(value::find_member(&owner, "items"), item), "name");
    };
    if (const Value* own = find_character(document, holder)) {
        if (const std::string_view name = name_in(*own); !name.empty()) {
            return std::string(name);
        }
    }
    for (const std::string_view owners : {"characters", "areas"}) {
        for (const auto& [id, owner] : object_or_empty(find_in_campaign(document, {owners}))) {
            if (const std::string_view name = name_in(owner); !name.empty()) {
                return std::string(name);
            }
        }
    }
    return std::string(item);
}

// Words for the conditions of locks.
class LockWords {
  public:
    LockWords(const Value& document, base::Language language)
        : document_(document), chinese_(language == base::Language::kChinese) {}

    [[nodiscard]] std::string place(const value::Pattern& pattern) const {
        const std::vector<std::string> keys = keys_of(pattern);
        if (is_character(keys)) {
            std::string member;
            for (std::size_t i = 3; i < keys.size(); ++i) {
                const bool is_detail = keys[i] == "current" || keys[i] == "count";
                if (keys[i] != "attributes" && keys[i] != "items" && !is_detail) {
                    member += (member.empty() ? "" : ".") + (keys[i] == "hp" ? "HP" : keys[i]);
                }
            }
            return chinese_ ? name_of(keys[2]) + "的" + member : member + " of " + name_of(keys[2]);
        }
        if (keys == std::vector<std::string>{"campaign", "milestone", "value"}) {
            return chinese_ ? "里程碑" : "the milestone";
        }
        if (keys == std::vector<std::string>{"campaign", "turn"}) {
            return chinese_ ? "回合数" : "the turn";
        }
        std::string all;
        for (std::size_t i = keys.size() > 1 && keys[0] == kCampaignKey ? 1 : 0; i < keys.size();
             ++i) {
            all += (all.empty() ? "" : ".") + keys[i];
        }
        return all;
    }

    [[nodiscard]] std::string phrase(const value::Pattern& pattern, expr::Comparison comparison,
                                     const Value& constant) const {
        const std::vector<std::string> keys = keys_of(pattern);
        if (!is_character(keys)) {
            return "";
        }
        const std::string who = name_of(keys[2]);
        using enum expr::Comparison;
        if (keys[3] == "items" && keys.size() >= 5) {
            const auto bound = constant.is_int() ? std::optional(constant.as_int()) : std::nullopt;
            std::int64_t least = 1;
            if (comparison == kMore && bound) {
                least = *bound + 1;
            } else if ((comparison == kAtLeast || comparison == kEqual) && bound) {
                least = *bound;
            } else if (comparison != kTrue) {
                return "";
            }
            const std::string item = item_name(document_, keys[2], keys[4]);
            const std::string count = least == 1 ? "" : std::to_string(least) + " × ";
            return who + (chinese_ ? "持有 " : " has ") + count + item;
        }
        if (keys[3] == "area_id" && comparison == kEqual && constant.is_string()) {
            const std::string_view area =
                text_in(find_area(document_, constant.as_string()), "name");
            return who + (chinese_ ? "在" : " is at ") +
                   std::string(area.empty() ? constant.as_string() : area);
        }
        return "";
    }

  private:
    static std::vector<std::string> keys_of(const value::Pattern& pattern) {
        std::vector<std::string> keys;
        for (const value::PatternStep& step : pattern) {
            if (step.kind != value::PatternStep::Kind::kPlain) {
                keys.emplace_back("*");
            } else if (step.segment.is_index()) {
                keys.push_back(std::to_string(step.segment.index()));
            } else {
                keys.emplace_back(step.segment.key());
            }
        }
        return keys;
    }
    static bool is_character(const std::vector<std::string>& keys) {
        return keys.size() >= 4 && keys[0] == kCampaignKey && keys[1] == "characters";
    }
    [[nodiscard]] std::string name_of(const std::string& id) const {
        if (id == "*") {
            return chinese_ ? "任一角色" : "any character";
        }
        const std::string_view name = text_in(find_character(document_, id), "name");
        return std::string(name.empty() ? id : name);
    }

    const Value& document_;
    bool chinese_;
};

}  // namespace

std::string lock_words(const Value* place, const Value& document, base::Language language) {
    if (!is_locked(place, document)) {
        return "";
    }
    const bool chinese = language == base::Language::kChinese;
    const std::string locked = chinese ? "上锁" : "locked";
    const Value* lock = value::find_member(place, "lock");
    const Value* reason = value::find_member(lock, "reason");
    if (reason != nullptr && reason->is_object()) {
        const Value* own = value::find_member(reason, chinese ? "zh" : "en");
        reason = own != nullptr ? own : value::find_member(reason, chinese ? "en" : "zh");
    }
    if (reason != nullptr && reason->is_string() && !reason->as_string().empty()) {
        return locked + (chinese ? "：" : ": ") + std::string(reason->as_string());
    }
    const auto formula = expr::Formula::compile(text_in(lock, "unlock_when"), {});
    if (!formula) {
        return locked;
    }
    const LockWords words(document, language);
    const std::string when = expr::in_words(
        *formula, {language, [&](const value::Pattern& at) { return words.place(at); },
                   [&](const value::Pattern& at, expr::Comparison comparison,
                       const Value& constant) { return words.phrase(at, comparison, constant); }});
    return locked + (chinese ? "，" + when + " 时打开" : ": opens when " + when);
}

base::Result<> validate_map(const Object& areas, const Object& paths) {
    if (areas.size() > base::kAreasMax || paths.size() > base::kAreasMax) {
        return broken("areas", std::to_string(base::kAreasMax));
    }
    for (const auto& [id, area] : areas) {
        if (id.empty() || text_in(&area, "name").empty()) {
            return broken(id, "name");
        }
        if (auto checked = check_lock(id, value::find_member(&area, "lock")); !checked) {
            return checked;
        }
    }
    for (const auto& [id, path] : paths) {
        if (id.empty() || !areas.contains(text_in(&path, "from"))) {
            return broken(id, "from");
        }
        if (!areas.contains(text_in(&path, "to")) ||
            text_in(&path, "to") == text_in(&path, "from")) {
            return broken(id, "to");
        }
        if (auto checked = check_lock(id, value::find_member(&path, "lock")); !checked) {
            return checked;
        }
    }
    return {};
}

bool is_connected(const Object& areas, const Object& paths) {
    if (areas.empty()) {
        return true;
    }
    std::map<std::string_view, std::vector<std::string_view>> next;
    for (const auto& [id, path] : paths) {
        next[text_in(&path, "from")].push_back(text_in(&path, "to"));
        next[text_in(&path, "to")].push_back(text_in(&path, "from"));
    }
    std::set<std::string_view> seen;
    std::vector<std::string_view> open = {(*areas.begin()).key.view()};
    // The views stay valid: the objects own the keys.
    while (!open.empty()) {
        const std::string_view at = open.back();
        open.pop_back();
        if (!seen.insert(at).second) {
            continue;
        }
        const auto ways = next.find(at);
        if (ways != next.end()) {
            open.insert(open.end(), ways->second.begin(), ways->second.end());
        }
    }
    return std::ranges::all_of(
        areas, [&](const value::Member& area) { return seen.contains(area.key.view()); });
}

bool joins(const Value& path, std::string_view from, std::string_view to) noexcept {
    const std::string_view begin = text_in(&path, "from");
    const std::string_view end = text_in(&path, "to");
    return (begin == from && end == to) ||
           (begin == to && end == from && is_false(value::find_member(&path, "one_way")));
}

Map generate_map(std::uint64_t seed, std::int64_t size, const Array& names) {
    constexpr std::array<std::string_view, 12> kNames = {"石门", "长廊", "古井", "花园",
                                                         "地窖", "钟楼", "渡口", "集市",
                                                         "书阁", "荒林", "祭坛", "矿道"};
    Random random(seed);
    Map map;
    for (std::int64_t i = 1; i <= size; ++i) {
        const auto at = static_cast<std::size_t>(i - 1);
        std::string name(at < names.size() && names[at].is_string() ? names[at].as_string()
                                                                    : std::string_view());
        if (name.empty()) {
            const std::size_t word = at % kNames.size();
            name = std::string(kNames[word]) +
                   (at >= kNames.size() ? std::to_string(at / kNames.size() + 1) : "");
        }
        map.areas = std::move(map.areas).set(std::string_view(numbered("area_", i)),
                                             Object{{"name", std::string_view(name)}});
    }
    std::int64_t count = 0;
    const auto connect = [&](std::int64_t from, std::int64_t to) {
        const std::string begin = numbered("area_", from);
        const std::string end = numbered("area_", to);
        const bool there = std::ranges::any_of(
            map.paths, [&](const value::Member& path) { return joins(path.value, begin, end); });
        if (from != to && !there) {
            map.paths = std::move(map.paths).set(
                std::string_view(numbered("path_", ++count)),
                Object{{"from", std::string_view(begin)}, {"to", std::string_view(end)}});
        }
    };
    for (std::int64_t i = 2; i <= size; ++i) {
        connect(random.between(std::max<std::int64_t>(1, i - 4), i - 1), i);
    }
    for (std::int64_t i = 0; i < size / 3; ++i) {
        const std::int64_t from = random.between(1, size);
        connect(from, random.between(1, size));
    }
    return map;
}

}  // namespace arbiter::table
