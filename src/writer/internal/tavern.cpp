#include "writer/internal/tavern.h"

#include "writer/internal/escaped_text.h"
#include "writer/internal/lossless.h"
#include "writer/internal/operation_word.h"
#include "writer/internal/place.h"

namespace arbiter::writer::internal {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Dialect;
using proposal::Instruction;
using proposal::MergeKind;
using proposal::Op;
using value::Object;
using value::Path;
using value::Value;

constexpr Form kForm = Form::kTavern;

// The save itself is not a valid target.
bool is_in_save(const Path& path) {
    return path.size() > 2 && path[0] == value::Segment("character") &&
           path[1] == value::Segment("saveData");
}

Result<Object> options_of(const Instruction& instruction) {
    Object options = instruction.options;
    if (instruction.op == Op::kMerge && instruction.merge == MergeKind::kDeep) {
        const Value* said = options.find("mergeStrategy");
        if (said != nullptr && *said != Value("deep")) {
            return fail(ErrorCode::kWriteLost, {std::string(title(kForm)), "merge"});
        }
        options = std::move(options).set("mergeStrategy", "deep");
    }
    if (!instruction.reason.empty()) {
        if (options.contains("reason")) {
            return fail(ErrorCode::kWriteLost, {std::string(title(kForm)), "options.reason"});
        }
        options = std::move(options).set("reason", instruction.reason);
    }
    return options;
}

}  // namespace

Result<std::string> write_tavern(const Instruction& instruction, std::string_view verb) {
    const std::string_view action = word_for(Dialect::kTavern, instruction, verb);
    if (action.empty()) {
        return unsupported(instruction, kForm);
    }
    const proposal::Need need = proposal::operation(instruction.op).value;
    const Fields places = kOptions | (need != proposal::Need::kNone ? kValue : 0U);
    const Fields required = need == proposal::Need::kRequired ? kValue : 0U;
    if (auto kept = check_fields(instruction, kForm, places, required); !kept) {
        return std::unexpected(kept.error());
    }
    const Path path = from_root(instruction).path;
    if (!is_in_save(path)) {
        return fail(ErrorCode::kWritePrefix,
                    {std::string(title(kForm)), "character.saveData.", dotted(path)});
    }
    const auto options = options_of(instruction);
    if (!options) {
        return std::unexpected(options.error());
    }
    Members entry;
    entry.add("action", Value(action));
    entry.add("key", Value(std::string_view(dotted(path))));
    if ((places & kValue) != 0) {
        entry.add("value", instruction.value);
    }
    // An entry without options has the meaning of 1.0, which ignores a missing target.
    const bool forgives = instruction.op == Op::kDelete || instruction.op == Op::kPull;
    if (!options->empty() || (forgives && !instruction.forgiving)) {
        entry.add("options", Value(*options));
    }
    return std::move(entry).done();
}

}  // namespace arbiter::writer::internal
