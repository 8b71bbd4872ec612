#include "prompt/plan.h"

#include <algorithm>

#include "expr/formula.h"
#include "prompt/internal/plan_reader.h"
#include "value/object.h"

namespace arbiter::prompt {

using value::Path;
using value::Value;

namespace {

// Higher is dropped later.
std::int64_t root_priority(std::string_view root) {
    if (root == "stat_data") {
        return 170;
    }
    return root == "play_character_data" ? 160 : 130;
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
    rank(Kind::kShortMemory, 5);
    rank(Kind::kLongMemory, 6);
    rank(Kind::kConstant, 7);
    rank(Kind::kFacts, 8);
    rank(Kind::kState, 8);
    budgets[static_cast<std::size_t>(Kind::kLore)].percent = 25;
    budgets[static_cast<std::size_t>(Kind::kState)].percent = 30;
}

std::size_t Plan::room() const {
    if (context_tokens == 0) {
        return 0;
    }
    const std::size_t reserved = reply_tokens + tool_tokens;
    return context_tokens > reserved ? context_tokens - reserved : 1;
}

std::size_t Plan::budget_of(Kind kind) const {
    const Share& share = budgets[static_cast<std::size_t>(kind)];
    // A percentage of an unlimited prompt is not a limit.
    if (share.tokens != 0 || share.percent == 0 || room() == 0) {
        return share.tokens;
    }
    return std::max<std::size_t>(1, room() * share.percent / 100);
}

Plan plan_of(const table::DialogType& dialog) {
    Plan plan;
    plan.name = dialog.id;
    value::Diagnostics ignored;
    internal::read_plan(dialog.prompt, {}, plan, ignored);
    return plan;
}

value::Diagnostics check_plans(const Value& written_template) {
    value::Diagnostics diagnostics;
    const Value* types = value::find_member(&written_template, "dialog_types");
    if (types == nullptr || !types->is_object()) {
        return diagnostics;
    }
    for (const auto& [id, type] : types->as_object()) {
        const Value* written = value::find_member(&type, "prompt");
        if (written != nullptr && written->is_object()) {
            Plan read;
            internal::read_plan(*written, {"dialog_types", id, "prompt"}, read, diagnostics);
        }
    }
    return diagnostics;
}

Context context_of(const value::Object& settings, std::vector<Why>& notices) {
    const Value* full = settings.find("context.full_context_enabled");
    const Value* compress = settings.find("context.compress_enabled");
    const bool is_full = full == nullptr || expr::is_true(*full);
    if (compress != nullptr && expr::is_true(*compress)) {
        if (full != nullptr && is_full) {
            notices.push_back({Reason::kBothContexts, {}});
        }
        return Context::kCompress;
    }
    return is_full ? Context::kFull : Context::kMinimal;
}

std::vector<Fragment> default_fragments(const Value& document, std::span<const StateRoot> roots,
                                        base::Language language) {
    std::vector<Fragment> fragments;
    const auto add = [&](Path path, std::int64_t priority, std::size_t last = 0,
                         std::size_t depth = 0) {
        if (value::find(document, path) == nullptr) {
            return;
        }
        Fragment fragment;
        const auto root = std::ranges::find(roots, path[0].as_key().view(), &StateRoot::name);
        if (root != roots.end()) {
            fragment.base = 1;
            fragment.heading = root->heading.in(language);
        }
        fragment.path = std::move(path);
        fragment.last = last;
        fragment.depth = depth;
        fragment.priority = priority;
        fragments.push_back(std::move(fragment));
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
                // Memories have blocks of their own; their configuration is not for the model.
                if (key != "summary" && key != "config" && !is_reserved_key(key)) {
                    add({root, key}, 100);
                }
            }
        } else if (root != "campaign" && !is_reserved_key(root)) {
            add({root}, root_priority(root));
        }
    }
    return fragments;
}

}  // namespace arbiter::prompt
