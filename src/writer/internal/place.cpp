#include "writer/internal/place.h"

#include <algorithm>

#include "writer/internal/escaped_text.h"
#include "writer/internal/lossless.h"

namespace arbiter::writer::internal {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using value::Path;
using value::Segment;

bool has_source(const Instruction& instruction) {
    return instruction.op == Op::kMove || instruction.op == Op::kCopy;
}

bool begins_with(const Path& path, std::string_view key) {
    return !path.empty() && !path[0].is_index() && path[0].key() == key;
}

Path mounted(Mount mount, const Path& path) {
    Path out;
    if (const std::string_view key = proposal::name(mount); !key.empty()) {
        out.emplace_back(key);
    }
    out.insert(out.end(), path.begin(), path.end());
    return out;
}

bool is_negative(const Segment& segment) {
    return segment.is_index() && segment.index() < 0;
}

Path without_first(const Path& path) {
    return {path.begin() + 1, path.end()};
}

}  // namespace

Place from_root(const Instruction& instruction) {
    if (instruction.op == Op::kCallback) {
        return {instruction.path, {}};
    }
    return {mounted(instruction.mount, instruction.path),
            has_source(instruction) ? mounted(instruction.mount, instruction.from) : Path{}};
}

Result<Place> from_mvu(const Instruction& instruction, Form form) {
    Place place = from_root(instruction);
    if (instruction.mount == Mount::kMvu || instruction.op == Op::kCallback) {
        return place;
    }
    const std::string_view key = proposal::name(Mount::kStatus);
    const bool inside = begins_with(place.path, key);
    if (has_source(instruction) && begins_with(place.from, key) != inside) {
        return fail(ErrorCode::kWritePath, {std::string(title(form)), dotted(place.path)});
    }
    if (inside) {
        place.path = without_first(place.path);
        place.from = has_source(instruction) ? without_first(place.from) : Path{};
    }
    return place;
}

Result<ModulePlace> from_module(const Instruction& instruction, Form form) {
    Place place = from_root(instruction);
    for (const Mount module : {Mount::kCharacter, Mount::kStatus, Mount::kAssets}) {
        const std::string_view key = proposal::name(module);
        if (!begins_with(place.path, key)) {
            continue;
        }
        if (has_source(instruction)) {
            if (!begins_with(place.from, key)) {
                return fail(ErrorCode::kWritePrefix,
                            {std::string(title(form)), std::string(key), dotted(place.from)});
            }
            place.from = without_first(place.from);
        }
        place.path = without_first(place.path);
        return ModulePlace{module, std::move(place)};
    }
    return fail(ErrorCode::kWritePrefix,
                {std::string(title(form)), "play_character_data, stat_data, assa_data",
                 dotted(place.path)});
}

Result<std::string> lenient_dotted(const Path& path, Form form) {
    if (std::ranges::any_of(path, is_negative)) {
        return fail(ErrorCode::kWritePath, {std::string(title(form)), dotted(path)});
    }
    return dotted(path);
}

Result<std::string> pointer(const Path& path, Form form) {
    std::string text = value::print_path(path, value::PathSyntax::kPointer);
    if (std::ranges::any_of(path, is_negative) || text == "/" || text.contains('[')) {
        return fail(ErrorCode::kWritePath, {std::string(title(form)), dotted(path)});
    }
    return text;
}

}  // namespace arbiter::writer::internal
