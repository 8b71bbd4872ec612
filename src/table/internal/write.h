// Conditions, reasons and argument access shared by the tools.
#pragma once

#include <string>

#include "table/instructions.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/tool.h"
#include "text/truncate.h"

namespace arbiter::table::internal {

inline std::string truncated_id(std::string_view id) {
    return std::string(text::truncate(id, base::kDetailBytesMax));
}

inline Condition campaign_open() {
    return {Condition::Stage::kState,
            "campaign_ended",
            {"The campaign has not ended.", "战役尚未结束。"},
            [](const ToolContext& at) -> std::optional<Details> {
                const value::Value* ended = find_in_campaign(at.document, {"ended"});
                if (ended == nullptr || ended->is_null()) {
                    return std::nullopt;
                }
                return Details{end_words(text_in(ended, "reason"))};
            }};
}
inline Reason ended_reason() {
    return {"campaign_ended", {"The campaign has ended: {0}.", "战役已结束：{0}。"}};
}

// A text argument; empty if absent.
inline std::string_view arg(const ToolContext& at, std::string_view name) {
    const value::Value* found = at.args.find(name);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}
inline std::optional<std::int64_t> number_arg(const ToolContext& at, std::string_view name) {
    const value::Value* found = at.args.find(name);
    return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
}

inline value::Value text(std::string_view of) {
    return of;
}

inline std::unexpected<Refusal> refuse(std::string reason, Details details = {}) {
    return std::unexpected(Refusal{std::move(reason), std::move(details)});
}

}  // namespace arbiter::table::internal
