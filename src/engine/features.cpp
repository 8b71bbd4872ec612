#include "engine/features.h"

#include <algorithm>
#include <array>

#include "proposal/operations.h"

namespace arbiter::engine {
namespace {

constexpr std::array<Feature, 2> kActions = {{
    {"update", "update and patch; else a set with a mergeStrategy, shallow if none is given",
     "update 与 patch；关闭后按带 mergeStrategy 的 set 执行，默认 shallow"},
    {"ensure", "ensure; else a set with ifMissing", "ensure；关闭后按带 ifMissing 的 set 执行"},
}};

// Options for the audit record only; they do not change the effect of a command.
bool is_audit_only(const proposal::OptionRow& row) noexcept {
    return row.name == "reason" || row.name == "tags";
}

}  // namespace

std::size_t feature_count() noexcept {
    const auto options = proposal::options();
    return kActions.size() + options.size() -
           static_cast<std::size_t>(std::ranges::count_if(options, is_audit_only));
}

Feature feature(std::size_t index) noexcept {
    if (index < kActions.size()) {
        return kActions[index];
    }
    index -= kActions.size();
    for (const proposal::OptionRow& row : proposal::options()) {
        if (is_audit_only(row)) {
            continue;
        }
        if (index == 0) {
            return {row.name, row.english, row.chinese};
        }
        --index;
    }
    return {};
}

std::optional<std::size_t> find_feature(std::string_view name) noexcept {
    for (std::size_t i = 0; i < feature_count(); ++i) {
        if (feature(i).name == name) {
            return i;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::engine
