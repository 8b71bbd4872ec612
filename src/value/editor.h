// Editor: changes to one document in a batch.
//
// It owns a version of the document and changes it step by step. Nodes that no other version
// holds are changed in place, so a batch costs what it would on a mutable tree; versions taken
// before (`root()` copied, or the value it was made from) do not change. A call that fails changes
// nothing. Not thread-safe.
#pragma once

#include "base/error.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::value {

enum class Parents : std::uint8_t {
    kRequire,  // every container on the way must exist
    kCreate    // missing ones are created: an array if the next segment is [0], else an object
};

class Editor {
  public:
    explicit Editor(Value root) noexcept : root_(std::move(root)) {}

    [[nodiscard]] const Value& root() const noexcept { return root_; }
    // The finished version; the editor is left with null.
    [[nodiscard]] Value take() && noexcept { return std::move(root_); }

    // Puts a value at a path: replaces the present one, adds a member at the end of an object, or
    // appends to an array if the index is its length. The empty path is the document.
    base::Result<> set(const Path& path, Value value, Parents parents = Parents::kRequire);

    // Inserts a new member or element at a position of its container. For an array
    // `position` decides, not the last segment.
    base::Result<> insert(const Path& path, std::size_t position, Value value);

    // Removes a member or element and returns it. Later elements move up.
    base::Result<Value> erase(const Path& path);

  private:
    base::Result<> change_container(const Path& path, std::size_t levels, auto&& change);

    Value root_;
};

// The same as pure functions: return the changed document.
base::Result<Value> set(const Value& root, const Path& path, Value value,
                        Parents parents = Parents::kRequire);
base::Result<Value> erase(const Value& root, const Path& path);

}  // namespace arbiter::value
