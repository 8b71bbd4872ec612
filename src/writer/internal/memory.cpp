#include "writer/internal/memory.h"

#include <algorithm>
#include <array>

#include "proposal/operations.h"
#include "text/utf8.h"
#include "value/json.h"
#include "value/preview.h"
#include "writer/internal/escaped_text.h"
#include "writer/internal/lossless.h"
#include "writer/internal/place.h"

namespace arbiter::writer::internal {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using value::Path;
using value::Value;

constexpr Form kForm = Form::kMemory;

// A second argument with one of these prefixes is the target of a move, not a value.
constexpr std::array<std::string_view, 5> kContainers = {"global_set.", "world_set.", "map.",
                                                         "summary.", "config."};

bool begins_like_container(std::string_view text) {
    return std::ranges::any_of(kContainers, [&](auto name) { return text.starts_with(name); });
}

// Whether the reader would parse this text as JSON; also behind a backtick.
bool begins_like_json(std::string_view text) {
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        if (!is_blank(next.code_point) && text[0] != '`') {
            return text[0] == '{' || text[0] == '[';
        }
        text.remove_prefix(next.size);
    }
    return false;
}

std::unexpected<base::Error> bad_path(const Path& path) {
    return fail(ErrorCode::kWritePath, {std::string(title(kForm)), dotted(path)});
}
std::unexpected<base::Error> bad_value(const Instruction& instruction, const Value& value) {
    return fail(ErrorCode::kWriteValue,
                {std::string(title(kForm)), std::string(proposal::name(instruction.op)),
                 value::preview(value)});
}

// A new value: containers are JSON in quotes, as in the dialect's examples.
Result<std::string> argument(const Instruction& instruction, const Value& value) {
    if (value.is_container()) {
        return quoted(value::print_json(value));
    }
    if (value.is_string() && begins_like_json(value.as_string())) {
        return bad_value(instruction, value);
    }
    return literal(value);
}

Result<std::string> write_field(const Instruction& instruction, const ModulePlace& at) {
    if (auto kept = check_fields(instruction, kForm, kOld, kValue); !kept) {
        return std::unexpected(kept.error());
    }
    if (instruction.creates) {
        return fail(ErrorCode::kWriteLost, {std::string(title(kForm)), "creates"});
    }
    if (at.place.path.empty()) {
        return bad_path(at.place.path);
    }
    std::string out = at.module == Mount::kCharacter ? "set_attribute(" : "set_status(";
    out += quoted(dotted(at.place.path));
    if (instruction.old) {
        // Not parsed as JSON, unlike the new value.
        out += ", " + literal(*instruction.old);
    }
    const auto value = argument(instruction, *instruction.value);
    if (!value) {
        return value;
    }
    return out + ", " + *value + ");";
}

// Whether the last name can be written as a key behind its parent. Not if the reader would repair
// it (quotes around it, the parent's name again), and not "all", which is not a key.
bool has_parent(const Path& path) {
    if (path.size() < 2 || path.back().is_index()) {
        return false;
    }
    const std::string_view key = path.back().key();
    return key != "all" && key.find_first_of("\"'`") == std::string_view::npos &&
           path[path.size() - 2] != path.back();
}
std::string parent_and_key(const Path& path) {
    return quoted(dotted({path.begin(), path.end() - 1})) + ", " + quoted(path.back().key());
}

// {"k": {…}} for k is read as a duplicated name.
bool repeats_name(const Value& value, const Path& path) {
    if (!value.is_object() || value.as_object().size() != 1) {
        return false;
    }
    const auto [key, inner] = value.as_object().at(0);
    return inner.is_object() &&
           key.view() == (path.back().is_index() ? std::string_view() : path.back().key());
}

Result<std::string> write_asset(const Instruction& instruction, const Path& path) {
    if (auto kept = check_fields(instruction, kForm, 0, kValue); !kept) {
        return std::unexpected(kept.error());
    }
    const Value& value = *instruction.value;
    // The call merges objects and sets other values.
    if (value.is_object() != (instruction.op == Op::kMerge)) {
        return bad_value(instruction, value);
    }
    if (path.empty()) {
        return bad_path(path);
    }
    if (repeats_name(value, path)) {
        return bad_value(instruction, value);
    }
    const auto text = argument(instruction, value);
    if (!text) {
        return text;
    }
    if (has_parent(path)) {
        return "memory(" + parent_and_key(path) + ", " + *text + ");";
    }
    if (value.is_string() && begins_like_container(value.as_string())) {
        return bad_value(instruction, value);
    }
    return "memory(" + quoted(dotted(path)) + ", " + *text + ");";
}

Result<std::string> write_delete(const Instruction& instruction, const Path& path) {
    if (auto kept = check_fields(instruction, kForm, kAll, 0); !kept) {
        return std::unexpected(kept.error());
    }
    if (path.empty()) {
        return bad_path(path);
    }
    if (instruction.all) {
        return "delete(" + quoted(dotted(path)) + ", 'all');";
    }
    if (has_parent(path)) {
        return "delete(" + parent_and_key(path) + ");";
    }
    return "delete(" + quoted(dotted(path)) + ");";
}

// The dot behind the container distinguishes a path from a value; "" if there is none.
std::string container_path(const Path& path) {
    if (path.size() < 2 || path[0].is_index()) {
        return "";
    }
    const std::string container = std::string(path[0].key()) + ".";
    if (std::ranges::find(kContainers, container) == kContainers.end()) {
        return "";
    }
    return container + dotted({path.begin() + 1, path.end()});
}

Result<std::string> write_move(const Instruction& instruction, const Place& place) {
    if (auto kept = check_fields(instruction, kForm, 0, 0); !kept) {
        return std::unexpected(kept.error());
    }
    const std::string from = container_path(place.from);
    const std::string to = container_path(place.path);
    if (from.empty() || to.empty()) {
        return bad_path(from.empty() ? place.from : place.path);
    }
    return "memory(" + quoted(from) + ", " + quoted(to) + ");";
}

Result<std::string> write_call(const Instruction& instruction) {
    const bool known = instruction.op == Op::kSet || instruction.op == Op::kMerge ||
                       instruction.op == Op::kDelete || instruction.op == Op::kMove;
    if (!known) {
        return unsupported(instruction, kForm);
    }
    const auto at = from_module(instruction, kForm);
    if (!at) {
        return std::unexpected(at.error());
    }
    for (const Path* path : {&at->place.path, &at->place.from}) {
        if (auto text = lenient_dotted(*path, kForm); !text) {
            return text;
        }
    }
    if (at->module != Mount::kAssets) {
        if (instruction.op == Op::kSet) {
            return write_field(instruction, *at);
        }
        return fail(ErrorCode::kWritePrefix,
                    {std::string(title(kForm)), std::string(proposal::name(Mount::kAssets)),
                     dotted(from_root(instruction).path)});
    }
    if (instruction.op == Op::kDelete) {
        return write_delete(instruction, at->place.path);
    }
    if (instruction.op == Op::kMove) {
        return write_move(instruction, at->place);
    }
    return write_asset(instruction, at->place.path);
}

}  // namespace

Result<std::string> write_memory(const Instruction& instruction) {
    auto call = write_call(instruction);
    if (const std::string reason = one_line(instruction.reason); call && !reason.empty()) {
        *call += " // " + reason;
    }
    return call;
}

}  // namespace arbiter::writer::internal
