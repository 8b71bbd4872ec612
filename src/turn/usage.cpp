#include "turn/usage.h"

#include "table/layout.h"
#include "table/settings.h"

namespace arbiter::turn {

using value::Object;

namespace {

constexpr std::string_view kUsageKey = "spent";

}  // namespace

Usage usage_of(const Object& meta) noexcept {
    const value::Value* spent = meta.find(kUsageKey);
    return {table::int_in(spent, "tokens").value_or(0), table::int_in(spent, "calls").value_or(0)};
}

Object with_usage(Object meta, const Usage& usage) {
    return std::move(meta).set(kUsageKey, Object{{"tokens", usage.tokens}, {"calls", usage.calls}});
}

std::optional<base::Text> reached_cap(const Object& settings, const Usage& turn,
                                      const Usage& campaign) {
    const struct {
        std::string_view key;
        std::int64_t used;
    } kCaps[] = {{"spend.turn_tokens_max", turn.tokens},
                 {"spend.turn_calls_max", turn.calls},
                 {"spend.campaign_tokens_max", campaign.tokens},
                 {"spend.campaign_calls_max", campaign.calls}};
    for (const auto& [key, used] : kCaps) {
        const std::int64_t cap = table::number_in(settings, key);
        if (cap > 0 && used >= cap) {
            const std::string what = std::string(key) + " = " + std::to_string(cap);
            return base::Text{"A spending limit of the settings is reached: " + what,
                              "已达到设置的用量上限：" + what};
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::turn
