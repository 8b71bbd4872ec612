// The instructions that tools are made of, and the conditions that many of them share.
#pragma once

#include <string>

#include "table/layout.h"
#include "table/tool.h"

namespace arbiter::table::internal {

inline proposal::Instruction set_at(value::Path path, value::Value value) {
    proposal::Instruction made =
        proposal::instruction_of(proposal::Dialect::kTool, proposal::Op::kSet);
    made.op = proposal::Op::kSet;
    made.path = std::move(path);
    made.value = std::move(value);
    return made;
}

inline proposal::Instruction push_at(value::Path path, value::Value value) {
    proposal::Instruction made = set_at(std::move(path), std::move(value));
    made.op = proposal::Op::kPush;
    // Two equal entries of a log are two entries.
    made.options = value::Object{{"dedupe", false}};
    return made;
}

inline proposal::Instruction remove_at(value::Path path) {
    proposal::Instruction made;
    made.op = proposal::Op::kDelete;
    made.path = std::move(path);
    return made;
}

inline std::string shown_id(std::string_view id) {
    return std::string(id.substr(0, base::kDetailBytesMax));
}

inline Condition campaign_open() {
    return {Condition::Stage::kState,
            "campaign_ended",
            {"The campaign has not ended.", "战役尚未结束。"},
            [](const Situation& at) -> std::optional<std::vector<std::string>> {
                const value::Value* ended = find_in_campaign(at.document, {"ended"});
                if (ended == nullptr || ended->is_null()) {
                    return std::nullopt;
                }
                return std::vector<std::string>{std::string(text_in(ended, "reason"))};
            }};
}
inline Reason ended_reason() {
    return {"campaign_ended", {"The campaign has ended: {0}.", "战役已结束：{0}。"}};
}

// A text argument; empty where it is not given.
inline std::string_view arg(const Situation& at, std::string_view name) {
    const value::Value* found = at.args.find(name);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}
inline std::optional<std::int64_t> number_arg(const Situation& at, std::string_view name) {
    const value::Value* found = at.args.find(name);
    return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
}

Tool move_tool();
Tool hp_delta_tool();
Tool map_generate_tool();
Tool character_generate_tool();
Tool item_transfer_tool();
Tool roll_tool();
Tool time_advance_tool();

}  // namespace arbiter::table::internal
