#include "prompt/plan.h"

#include <algorithm>

#include "expr/formula.h"
#include "text/nearest.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Value;

namespace {

// ---- reading what is written

constexpr std::int64_t kTokensMax = 100'000'000;

std::string shown(const Value& value) {
    std::string text =
        value.is_container() ? std::string(value::name(value.kind())) : value::print_json(value);
    return text.size() <= 60 ? text : std::string(value::name(value.kind()));
}

class PlanReader {
  public:
    PlanReader(Plan& plan, value::Diagnostics& diagnostics) : plan_(plan), faults_(diagnostics) {}

    void read(const Value& written, Path path) {
        if (!written.is_object()) {
            bad(path, "key: value", written);
            return;
        }
        constexpr std::string_view kKeys[] = {"extends",         "only",         "without",
                                              "context_tokens",  "reply_tokens", "budgets",
                                              "recent_messages", "history_step", "volatile",
                                              "late_depth",      "state",        "fragments",
                                              "sacrifice",       "digest_depth", "language"};
        for (const auto& [key, value] : written.as_object()) {
            path.emplace_back(key);
            if (key == "only" || key == "without") {
                read_kinds(value, path, key == "only");
            } else if (key == "context_tokens") {
                read_count(value, path, plan_.context_tokens);
            } else if (key == "reply_tokens") {
                read_count(value, path, plan_.reply_tokens);
            } else if (key == "recent_messages") {
                read_count(value, path, plan_.recent_messages);
            } else if (key == "history_step") {
                read_count(value, path, plan_.history_step);
            } else if (key == "late_depth") {
                read_count(value, path, plan_.late_depth);
            } else if (key == "digest_depth") {
                read_count(value, path, plan_.digest_depth);
            } else if (key == "budgets") {
                read_budgets(value, path);
            } else if (key == "sacrifice") {
                read_sacrifice(value, path);
            } else if (key == "volatile") {
                read_word(value, path, {"late", "as_written"},
                          [this](std::size_t i) { plan_.volatile_late = i == 0; });
            } else if (key == "language") {
                read_word(value, path, {"en", "zh"}, [this](std::size_t i) {
                    plan_.language = static_cast<base::Language>(i);
                });
            } else if (key == "state") {
                read_view(value, path);
            } else if (key == "fragments") {
                read_fragments(value, path);
            } else if (key != "extends") {
                unknown(path, key, kKeys);
            }
            path.pop_back();
        }
    }

  private:
    void bad(const Path& path, std::string takes, const Value& found) {
        const std::string name =
            path.empty() ? "$" : value::print_path({path.back()}, value::PathSyntax::kDotted);
        faults_.push_back(
            {path, false, Error(ErrorCode::kBadField, {name, std::move(takes), shown(found)})});
    }
    void unknown(const Path& path, std::string_view key, std::span<const std::string_view> keys) {
        const std::vector<std::string_view> all(keys.begin(), keys.end());
        const auto near = text::nearest(key, all);
        std::string list;
        for (const std::string_view each : keys) {
            list += (list.empty() ? "" : ", ") + std::string(each);
        }
        faults_.push_back(
            {path, true,
             near ? Error(ErrorCode::kMisspelledKey, {std::string(key), std::string(*near)})
                  : Error(ErrorCode::kUnknownKey, {std::string(key), list})});
    }

    void read_count(const Value& value, const Path& path, std::size_t& to) {
        if (!value.is_int() || value.as_int() < 0 || value.as_int() > kTokensMax) {
            bad(path, "0 – " + std::to_string(kTokensMax), value);
            return;
        }
        to = static_cast<std::size_t>(value.as_int());
    }

    template <typename Take>
    void read_word(const Value& value, const Path& path, std::vector<std::string_view> words,
                   Take take) {
        const auto found =
            value.is_string() ? std::ranges::find(words, value.as_string()) : words.end();
        if (found != words.end()) {
            take(static_cast<std::size_t>(found - words.begin()));
            return;
        }
        std::string all;
        for (const std::string_view word : words) {
            all += (all.empty() ? "" : ", ") + std::string(word);
        }
        bad(path, all, value);
    }

    static std::string kind_words() {
        std::string all;
        for (std::size_t i = 0; i < kKinds; ++i) {
            all += (i == 0 ? "" : ", ") + std::string(name(static_cast<Kind>(i)));
        }
        return all;
    }
    std::optional<std::size_t> kind_of(const Value& value, const Path& path) {
        const auto kind = value.is_string() ? find_kind(value.as_string()) : std::nullopt;
        if (!kind) {
            bad(path, kind_words(), value);
            return std::nullopt;
        }
        return static_cast<std::size_t>(*kind);
    }

    void read_kinds(const Value& value, Path path, bool only) {
        if (!value.is_array()) {
            bad(path, "[" + kind_words() + "]", value);
            return;
        }
        if (only) {
            plan_.has.fill(false);
            // Without these there is no talk, or what was promised never to go would.
            for (const Kind kind : {Kind::kHistory, Kind::kPins, Kind::kFeedback}) {
                plan_.has[static_cast<std::size_t>(kind)] = true;
            }
        }
        std::int64_t index = 0;
        for (const Value& each : value.as_array()) {
            path.emplace_back(index++);
            if (const auto kind = kind_of(each, path)) {
                plan_.has[*kind] = only;
            }
            path.pop_back();
        }
    }

    // 1200, or "25%".
    void read_budgets(const Value& value, Path path) {
        if (!value.is_object()) {
            bad(path, "key: value", value);
            return;
        }
        for (const auto& [key, amount] : value.as_object()) {
            path.emplace_back(key);
            const auto kind = kind_of(Value(key), path);
            Share share;
            const std::string_view text = amount.is_string() ? amount.as_string() : "";
            if (text.ends_with('%')) {
                const auto number = expr::number_of(Value(text.substr(0, text.size() - 1)));
                if (number && *number >= 0 && *number <= 100) {
                    share.percent = static_cast<std::size_t>(*number);
                } else {
                    bad(path, "0% – 100%", amount);
                }
            } else {
                read_count(amount, path, share.tokens);
            }
            if (kind) {
                plan_.budgets[*kind] = share;
            }
            path.pop_back();
        }
    }

    // The kinds that may go, first those that go first; others never do.
    void read_sacrifice(const Value& value, Path path) {
        if (!value.is_array()) {
            bad(path, "[" + kind_words() + "]", value);
            return;
        }
        plan_.ranks.fill(0);
        std::uint8_t rank = 0;
        std::int64_t index = 0;
        for (const Value& each : value.as_array()) {
            path.emplace_back(index++);
            const auto kind = kind_of(each, path);
            if (kind && *kind == static_cast<std::size_t>(Kind::kPins)) {
                bad(path, "pins never go", each);
            } else if (kind && rank + 1 < kRecentRank) {
                plan_.ranks[*kind] = ++rank;
            } else if (kind) {
                plan_.ranks[*kind] = rank;
            }
            path.pop_back();
        }
    }

    void read_view(const Value& value, Path path) {
        if (!value.is_object()) {
            bad(path, "key: value", value);
            return;
        }
        constexpr std::string_view kKeys[] = {"format", "descriptions", "hidden", "depth"};
        for (const auto& [key, word] : value.as_object()) {
            path.emplace_back(key);
            if (key == "format") {
                read_word(word, path, {"yaml", "json"}, [this](std::size_t i) {
                    plan_.state.format = static_cast<StateView::Format>(i);
                });
            } else if (key == "descriptions") {
                read_word(word, path, {"once", "always", "never"}, [this](std::size_t i) {
                    plan_.state.descriptions = static_cast<StateView::Descriptions>(i);
                });
            } else if (key == "hidden") {
                read_word(word, path, {"switched_off", "filtered"},
                          [this](std::size_t i) { plan_.state.needs_filter = i == 1; });
            } else if (key == "depth") {
                read_count(word, path, plan_.state.depth);
            } else {
                unknown(path, key, kKeys);
            }
            path.pop_back();
        }
    }

    void read_fragments(const Value& value, Path path) {
        if (!value.is_array()) {
            bad(path, "[{path: a.b}]", value);
            return;
        }
        plan_.fragments.clear();
        std::int64_t index = 0;
        for (const Value& each : value.as_array()) {
            path.emplace_back(index++);
            read_fragment(each, path);
            path.pop_back();
        }
    }
    void read_fragment(const Value& value, Path path) {
        Fragment fragment;
        const auto set_path = [&](const Value& text) {
            auto parsed = text.is_string()
                              ? value::parse_any_path(text.as_string())
                              : base::fail(ErrorCode::kBadField, {"path", "a.b", shown(text)});
            if (!parsed) {
                parsed.error().place.reset();
                faults_.push_back({path, false, std::move(parsed).error()});
                return false;
            }
            fragment.path = std::move(*parsed);
            return true;
        };
        if (value.is_string()) {
            if (set_path(value)) {
                plan_.fragments.push_back(std::move(fragment));
            }
            return;
        }
        if (!value.is_object()) {
            bad(path, "{path: a.b}", value);
            return;
        }
        constexpr std::string_view kKeys[] = {"path", "last", "depth", "budget", "priority"};
        bool has_path = false;
        for (const auto& [key, member] : value.as_object()) {
            path.emplace_back(key);
            if (key == "path") {
                has_path = set_path(member);
            } else if (key == "last") {
                read_count(member, path, fragment.last);
            } else if (key == "depth") {
                read_count(member, path, fragment.depth);
            } else if (key == "budget") {
                read_count(member, path, fragment.budget);
            } else if (key == "priority") {
                if (member.is_int() && member.as_int() >= -1000 && member.as_int() <= 1000) {
                    fragment.priority = member.as_int();
                } else {
                    bad(path, "-1000 – 1000", member);
                }
            } else {
                unknown(path, key, kKeys);
            }
            path.pop_back();
        }
        if (has_path) {
            plan_.fragments.push_back(std::move(fragment));
        } else if (!value.as_object().contains("path")) {
            faults_.push_back({path, false, Error(ErrorCode::kMissingKey, {"path"})});
        }
    }

    Plan& plan_;
    value::Diagnostics& faults_;
};

Plan without(std::string_view name, std::initializer_list<Kind> kinds) {
    Plan plan;
    plan.name = name;
    for (const Kind kind : kinds) {
        plan.has[static_cast<std::size_t>(kind)] = false;
    }
    return plan;
}

// A setting by its dotted name, as one key or as objects in each other.
const Value* setting(const Value& settings, std::string_view group, std::string_view key) {
    if (!settings.is_object()) {
        return nullptr;
    }
    const std::string whole = std::string(group) + "." + std::string(key);
    if (const Value* found = settings.as_object().find(whole)) {
        return found;
    }
    const Value* inner = settings.as_object().find(group);
    return inner != nullptr && inner->is_object() ? inner->as_object().find(key) : nullptr;
}

}  // namespace

Plan::Plan() {
    has.fill(true);
    budgets.fill({});
    ranks.fill(0);
    const auto rank = [this](Kind kind, std::uint8_t number) {
        ranks[static_cast<std::size_t>(kind)] = number;
    };
    rank(Kind::kHistory, 2);
    rank(Kind::kExamples, 3);
    rank(Kind::kLore, 4);
    rank(Kind::kSmall, 5);
    rank(Kind::kBig, 6);
    rank(Kind::kConstant, 7);
    rank(Kind::kFacts, 8);
    rank(Kind::kState, 8);
    budgets[static_cast<std::size_t>(Kind::kLore)].percent = 25;
    budgets[static_cast<std::size_t>(Kind::kState)].percent = 30;
}

std::size_t Plan::budget_of(Kind kind) const {
    const Share& share = budgets[static_cast<std::size_t>(kind)];
    // A share of no limit is none.
    if (share.tokens != 0 || share.percent == 0 || room() == 0) {
        return share.tokens;
    }
    return std::max<std::size_t>(1, room() * share.percent / 100);
}

Plans default_plans() {
    Plan scene = without("scene", {});
    Plan action = without("action", {Kind::kExamples});
    action.budgets[static_cast<std::size_t>(Kind::kLore)].percent = 10;
    Plan rules = without("rules", {Kind::kExamples, Kind::kLore, Kind::kBig, Kind::kSmall,
                                   Kind::kDistil, Kind::kAccelerate, Kind::kPersona});
    Plan talk = without("free_chat", {Kind::kProtocol, Kind::kExamples, Kind::kDistil,
                                      Kind::kAccelerate, Kind::kScale});
    talk.state.depth = talk.digest_depth;
    return {std::move(scene), std::move(action), std::move(rules), std::move(talk)};
}

const Plan* find_plan(const Plans& plans, std::string_view name) noexcept {
    const auto found = std::ranges::find(plans, name, &Plan::name);
    return found == plans.end() ? nullptr : &*found;
}

std::expected<Plans, value::Diagnostics> parse_plans(const Value& written, const Plans& base) {
    Plans plans = base;
    value::Diagnostics diagnostics;
    if (!written.is_object()) {
        diagnostics.push_back(
            {{}, false, Error(ErrorCode::kBadField, {"$", "key: value", shown(written)})});
        return std::unexpected(std::move(diagnostics));
    }
    for (const auto& [key, value] : written.as_object()) {
        const Path path = {key};
        Plan plan = find_plan(plans, key) != nullptr ? *find_plan(plans, key) : Plan();
        plan.name = key.view();
        const Value* extends = value.is_object() ? value.as_object().find("extends") : nullptr;
        if (extends != nullptr) {
            const Plan* other =
                extends->is_string() ? find_plan(plans, extends->as_string()) : nullptr;
            if (other != nullptr) {
                plan = *other;
                plan.name = key.view();
            } else {
                std::string all;
                for (const Plan& each : plans) {
                    all += (all.empty() ? "" : ", ") + each.name;
                }
                diagnostics.push_back(
                    {{key, "extends"},
                     false,
                     Error(ErrorCode::kBadField, {"extends", all, shown(*extends)})});
            }
        }
        PlanReader(plan, diagnostics).read(value, path);
        const auto place = std::ranges::find(plans, plan.name, &Plan::name);
        if (place != plans.end()) {
            *place = std::move(plan);
        } else {
            plans.push_back(std::move(plan));
        }
    }
    if (!diagnostics.empty()) {
        return std::unexpected(std::move(diagnostics));
    }
    return plans;
}

Choice choose(const Plans& plans, const Value& settings) {
    Choice choice{plans.data(), Context::kFull, {}};
    const Value* type = setting(settings, "dialog", "manual_type");
    if (type != nullptr && type->is_string()) {
        const Plan* found = find_plan(plans, type->as_string());
        if (found != nullptr) {
            choice.plan = found;
        } else {
            choice.notices.push_back(
                {Reason::kUnknownType, {std::string(type->as_string()), choice.plan->name}});
        }
    }
    const Value* full = setting(settings, "context", "full_context_enabled");
    const Value* compress = setting(settings, "context", "compress_enabled");
    const bool is_full = full == nullptr || expr::is_true(*full);
    const bool is_compressed = compress != nullptr && expr::is_true(*compress);
    if (is_compressed) {
        choice.context = Context::kCompress;
        if (full != nullptr && is_full) {
            choice.notices.push_back({Reason::kBothContexts, {}});
        }
    } else if (!is_full) {
        choice.context = Context::kMinimal;
    }
    return choice;
}

std::vector<Fragment> default_fragments(const Value& document) {
    std::vector<Fragment> fragments;
    const auto add = [&](Path path, std::int64_t priority, std::size_t last = 0,
                         std::size_t depth = 0) {
        if (value::find(document, path) != nullptr) {
            fragments.push_back({std::move(path), last, depth, 0, priority});
        }
    };
    if (!document.is_object()) {
        return fragments;
    }
    for (const auto& [root, value] : document.as_object()) {
        const Path save = {root, "saveData"};
        if (root == "character" && value::find(document, save) != nullptr) {
            constexpr std::size_t kDigestLevels = 2;
            constexpr std::size_t kTimelineLast = 5;
            add({root, "saveData", "角色基础信息"}, 160);
            add({root, "saveData", "玩家角色状态"}, 170);
            add({root, "saveData", "记忆"}, 120);
            add({root, "saveData", "任务"}, 140);
            add({root, "saveData", "世界信息"}, 110, 0, kDigestLevels);
            add({root, "saveData", "时间", "当前"}, 180);
            add({root, "saveData", "时间", "时间轴"}, 100, kTimelineLast);
        } else if (root == "assa_data" && value.is_object()) {
            for (const auto& [key, part] : value.as_object()) {
                // Memories have blocks of their own, and how they are kept is no part of the story.
                if (key != "summary" && key != "config" && !is_reserved_key(key)) {
                    add({root, key}, 100);
                }
            }
        } else if (root != "campaign" && !is_reserved_key(root)) {
            add({root}, root == "stat_data" ? 170 : root == "play_character_data" ? 160 : 130);
        }
    }
    return fragments;
}

}  // namespace arbiter::prompt
