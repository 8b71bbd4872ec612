// Path: where in a document, as a list of segments, and its three ways of being written.
//
//   dotted   a.b[0]["x.y"]     names split at dots; [n] is an index; ["…"] or ['…'] quotes a name
//                              (with JSON's escapes); \. \[ \] \" \' \\ in a bare name
//   pointer  /a/b/0/x.y        JSON Pointer, RFC 6901
//   array    ["a","b",0,"x.y"]
//
// Printing a path and parsing it again gives the same path, for every key, in every syntax, but
// for one thing that JSON Pointer cannot say: there an index comes back as a key of digits.
// That makes no difference to find() and Editor, for which a key of digits addresses an element
// where the container is an array, and an index a key where it is an object.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/str.h"
#include "value/value.h"

namespace arbiter::value {

// One step of a path: a key or an index. An index may be negative, which only some operations of
// the engine give a meaning to.
class Segment {
  public:
    Segment(Str key) noexcept : value_(std::move(key)) {}    // NOLINT: converts
    Segment(std::string_view key) noexcept : value_(key) {}  // NOLINT
    Segment(const char* key) noexcept : value_(key) {}       // NOLINT
    template <std::signed_integral T>
    Segment(T index) noexcept : value_(index) {}  // NOLINT

    [[nodiscard]] bool is_index() const noexcept { return value_.is_int(); }
    // Only for an index.
    [[nodiscard]] std::int64_t index() const noexcept { return value_.as_int(); }
    // Only for a key.
    [[nodiscard]] std::string_view key() const noexcept { return value_.as_string(); }

    // As a key in an object: an index in digits.
    [[nodiscard]] Str as_key() const noexcept;
    // As a place in an array: an index from 0 up, or a key that is one in plain digits ("0", "12",
    // not "01").
    [[nodiscard]] std::optional<std::size_t> as_position() const noexcept;

    [[nodiscard]] const Value& value() const noexcept { return value_; }
    friend bool operator==(const Segment& a, const Segment& b) noexcept {
        // Numbers and short names are their bits.
        return a.is_same(b);
    }

  private:
    // A member, since the friends of a friend are none.
    [[nodiscard]] bool is_same(const Segment& other) const noexcept {
        return Str::equal(value_.slot_, other.value_.slot_);
    }

    Value value_;
};

using Path = std::vector<Segment>;

enum class PathSyntax : std::uint8_t { kDotted, kPointer, kArray };

// Places in errors are offsets into `text`. The empty dotted text and the empty pointer are the
// root.
base::Result<Path> parse_path(std::string_view text, PathSyntax syntax);
// The array form from a document: a JSON array of strings and whole numbers.
base::Result<Path> path_from_value(const Value& value);
// By its first character: / is a pointer, [" and [digit ending in ] … an array if it parses as
// one; everything else is dotted.
base::Result<Path> parse_any_path(std::string_view text);

std::string print_path(const Path& path, PathSyntax syntax);
// The dotted form into a text whose room is used again; what it held is gone.
void print_path_into(std::string& out, const Path& path);
Value path_to_value(const Path& path);

// What is at a path, or nullptr. Negative indexes find nothing.
const Value* find(const Value& root, const Path& path) noexcept;
// The same for the first `count` segments.
const Value* find(const Value& root, const Path& path, std::size_t count) noexcept;

// A step from a container into a member.
struct Step {
    std::size_t position;
    const Value* value;
};
std::optional<Step> step_into(const Value& container, const Segment& segment) noexcept;

}  // namespace arbiter::value
