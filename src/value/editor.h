// Editor: changes to one document in a batch.
//
// It owns a version of the document and changes it step by step. Nodes that no other version
// holds are changed in place, so a batch costs what it would on a mutable tree; versions taken
// before (`root()` copied, or the value it was made from) stay as they were. A call that fails
// changes nothing. For one owner at a time.
#pragma once

#include "base/error.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::value {

enum class Parents : std::uint8_t {
    kRequire,  // every container on the way must be there
    kCreate    // missing ones are made: an array where the next step is [0], else an object
};

class Editor {
  public:
    explicit Editor(Value root) noexcept : root_(std::move(root)) {}

    [[nodiscard]] const Value& root() const noexcept { return root_; }
    // The finished version; the editor is left with null.
    [[nodiscard]] Value take() && noexcept { return std::move(root_); }

    // Puts a value at a path: replaces what is there, adds a member to an object at the end of its
    // order, or appends to an array when the index is its length. The empty path is the document.
    base::Result<> set(const Path& path, Value value, Parents parents = Parents::kRequire);

    // Puts a new member or element at a place of the order of its container. For an array the last
    // segment only names the container's slot and `position` decides.
    base::Result<> insert(const Path& path, std::size_t position, Value value);

    // Takes a member or element out; gives back what it was. Later elements move up.
    base::Result<Value> erase(const Path& path);

  private:
    base::Result<> change_container(const Path& path, std::size_t levels, auto&& change);

    Value root_;
};

// The same as values: the document with one change, the old one still there.
base::Result<Value> set(const Value& root, const Path& path, Value value,
                        Parents parents = Parents::kRequire);
base::Result<Value> erase(const Value& root, const Path& path);

}  // namespace arbiter::value
