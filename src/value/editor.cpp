#include "value/editor.h"

#include "base/limits.h"
#include "value/array.h"
#include "value/internal/descent.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using internal::Descent;

// The first `count` segments, as an error shows them.
std::string shown(const Path& path, std::size_t count) {
    if (count == 0) {
        return "$";
    }
    return print_path(Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(count)),
                      PathSyntax::kDotted);
}

std::unexpected<base::Error> not_container(const Path& path, std::size_t count,
                                           const Value& value) {
    return fail(ErrorCode::kNotContainer, {shown(path, count), std::string(name(value.kind()))});
}

std::unexpected<base::Error> too_deep() {
    return fail(ErrorCode::kTooDeep, {std::to_string(base::kDepthMax)});
}

// Whether `value` fits `segments` levels down.
bool fits(std::size_t segments, const Value& value) noexcept {
    return segments <= base::kDepthMax && !value.is_deeper_than(base::kDepthMax - segments);
}

// An error if a key of the path is too long or the value is too deep for its place.
Result<> check_fits(const Path& path, const Value& value) {
    if (!fits(path.size(), value)) {
        return too_deep();
    }
    for (const Segment& segment : path) {
        if (!segment.is_index() && segment.key().size() > base::kKeyBytesMax) {
            return fail(ErrorCode::kKeyTooLong, {std::to_string(base::kKeyBytesMax)});
        }
    }
    return {};
}

// The height below the container of path[step]: the rest of the path and the value.
std::size_t height_needed(const Path& path, std::size_t step, std::size_t value_height) noexcept {
    return path.size() - step + value_height;
}

// `value` wrapped in containers for the segments from `from` on.
Result<Value> wrap(const Path& path, std::size_t from, Value value) {
    for (std::size_t i = path.size(); i > from; --i) {
        const Segment& segment = path[i - 1];
        if (!segment.is_index()) {
            value = Object().set(segment.as_key(), std::move(value));
        } else if (segment.index() == 0) {
            value = Array().push_back(std::move(value));
        } else {
            return fail(ErrorCode::kIndexRange, {shown(path, i), "0"});
        }
    }
    return value;
}

// Adds a missing member to the container at the first `step` segments.
Result<> add_member(Value& container, const Path& path, std::size_t step, Value value) {
    if (container.is_object()) {
        const Str key = path[step].as_key();
        Object object = container.as_object();
        container = Value();
        container = std::move(object).set(key, std::move(value));
        return {};
    }
    Array array = container.as_array();
    const auto position = path[step].as_position();
    if (!position || *position != array.size()) {
        return fail(ErrorCode::kIndexRange, {shown(path, step + 1), std::to_string(array.size())});
    }
    container = Value();
    container = std::move(array).push_back(std::move(value));
    return {};
}

}  // namespace

Result<> Editor::set(const Path& path, Value value, Parents parents) {
    if (auto checked = check_fits(path, value); !checked) {
        return checked;
    }
    const std::size_t value_height = internal::height_of(value);
    Descent descent(root_);
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (!descent.value().is_container()) {
            auto error = not_container(path, i, descent.value());
            descent.stop();
            return error;
        }
        if (const auto step = step_into(descent.value(), path[i])) {
            descent.enter(step->position, height_needed(path, i, value_height));
            continue;
        }
        Value& container = descent.stop();
        const bool last = i + 1 == path.size();
        if (!last && parents == Parents::kRequire) {
            return fail(ErrorCode::kNotFound, {shown(path, i + 1)});
        }
        Result<Value> made = wrap(path, i + 1, std::move(value));
        if (!made) {
            return std::unexpected(std::move(made).error());
        }
        return add_member(container, path, i, *std::move(made));
    }
    descent.finish(std::move(value));
    return {};
}

// Walks to the container of the last segment and lets `change` rewrite it. `levels` is the height
// that the containers on the way must allow below them.
Result<> Editor::change_container(const Path& path, std::size_t levels, auto&& change) {
    Descent descent(root_);
    for (std::size_t i = 0; i + 1 < path.size(); ++i) {
        const auto step = step_into(descent.value(), path[i]);
        if (!step) {
            const bool container = descent.value().is_container();
            auto error = container ? fail(ErrorCode::kNotFound, {shown(path, i + 1)})
                                   : not_container(path, i, descent.value());
            descent.stop();
            return error;
        }
        descent.enter(step->position, height_needed(path, i, levels));
    }
    return change(descent.stop());
}

Result<> Editor::insert(const Path& path, std::size_t position, Value value) {
    if (path.empty()) {
        return fail(ErrorCode::kKeyExists, {""});
    }
    if (auto checked = check_fits(path, value); !checked) {
        return checked;
    }
    const std::size_t levels = internal::height_of(value);
    return change_container(path, levels, [&](Value& container) -> Result<> {
        if (!container.is_container()) {
            return not_container(path, path.size() - 1, container);
        }
        const std::size_t size =
            container.is_object() ? container.as_object().size() : container.as_array().size();
        if (position > size) {
            return fail(ErrorCode::kBadPosition, {std::to_string(position), std::to_string(size)});
        }
        if (container.is_array()) {
            Array array = container.as_array();
            container = Value();
            container = std::move(array).insert(position, std::move(value));
            return {};
        }
        const Str key = path.back().as_key();
        if (container.as_object().contains(key)) {
            return fail(ErrorCode::kKeyExists, {print_path(path, PathSyntax::kDotted)});
        }
        Object object = container.as_object();
        container = Value();
        container = std::move(object).insert(position, key, std::move(value));
        return {};
    });
}

Result<Value> Editor::erase(const Path& path) {
    if (path.empty()) {
        return fail(ErrorCode::kRootErase);
    }
    Value erased;
    const Result<> done = change_container(path, 0, [&](Value& container) -> Result<> {
        const auto step = step_into(container, path.back());
        if (!step) {
            return container.is_container()
                       ? fail(ErrorCode::kNotFound, {print_path(path, PathSyntax::kDotted)})
                       : not_container(path, path.size() - 1, container);
        }
        erased = *step->value;
        if (container.is_array()) {
            Array array = container.as_array();
            container = Value();
            container = std::move(array).erase(step->position);
        } else {
            const Str key = path.back().as_key();
            Object object = container.as_object();
            container = Value();
            container = std::move(object).erase(key);
        }
        return {};
    });
    if (!done) {
        return std::unexpected(done.error());
    }
    return erased;
}

Result<Value> set(const Value& root, const Path& path, Value value, Parents parents) {
    Editor editor(root);
    if (auto done = editor.set(path, std::move(value), parents); !done) {
        return std::unexpected(std::move(done).error());
    }
    return std::move(editor).take();
}

Result<Value> erase(const Value& root, const Path& path) {
    Editor editor(root);
    if (auto done = editor.erase(path); !done) {
        return std::unexpected(std::move(done).error());
    }
    return std::move(editor).take();
}

}  // namespace arbiter::value
