// Marks: members of a node that control how the engine treats it.
//
// They hold for every dialect and are never rendered into a prompt. A mark is set if it is true or
// "true", and off if it is false or "false".
#pragma once

#include <optional>
#include <vector>

#include "value/path.h"
#include "value/value.h"

namespace arbiter::engine {

// Both accept nullptr: a missing mark is neither set nor off.
bool is_mark_set(const value::Value* mark) noexcept;
bool is_mark_off(const value::Value* mark) noexcept;

// "_is_protected" is set: the node must not be deleted, nor replaced by something else.
bool is_protected(const value::Value& value);
// The value is a protected node or contains one.
bool has_protected(const value::Value& value);

// The part of a value that survives its deletion: protected nodes, the objects around them, and
// whole elements of lists that contain one. Nothing if there is none.
std::optional<value::Value> protected_part(const value::Value& value);
// The paths of the protected nodes in a value at `path`, at most `most`.
std::vector<value::Path> protected_paths(const value::Value& value, const value::Path& path,
                                         std::size_t most);

// "_showInEJS" is off: a prompt shows a placeholder instead of the node's content. With
// `needs_filter` that holds only for nodes whose "_filter" is set, as in later versions of the
// cards that use these marks.
bool is_hidden(const value::Value& value, bool needs_filter) noexcept;
// "_filter" is set and "_showInEJS" is off: the model cannot see the node, so it must not replace
// or delete it as a whole. Stricter than is_hidden: a node without "_filter" stays writable.
inline bool is_filtered_out(const value::Value& value) noexcept {
    return is_hidden(value, true);
}
// The value is filtered out or contains such a node.
bool has_filtered_out(const value::Value& value);

}  // namespace arbiter::engine
