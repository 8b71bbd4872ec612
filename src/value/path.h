// Path: a place in a document as a list of segments, and its three syntaxes.
//
//   dotted   a.b[0]["x.y"]     names split at dots; [n] is an index; ["…"] or ['…'] quotes a name
//                              (with JSON's escapes); \. \[ \] \" \' \\ in a bare name
//   pointer  /a/b/0/x.y        JSON Pointer, RFC 6901
//   array    ["a","b",0,"x.y"]
//
// Printing a path and parsing it again gives the same path for every key in every syntax, with one
// exception: in a JSON Pointer an index comes back as a key of digits. find() and Editor treat both
// alike: a key of digits addresses an element of an array, an index a key of an object.
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

// One step of a path: a key or an index. Only some operations of the engine accept negative
// indexes.
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
        // Indexes and short keys are compared as bits.
        return a.is_same(b);
    }

  private:
    // Must be a member: friendship is not transitive, so the free operator== cannot reach
    // Value::slot_.
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
// Overwrites `out` with the dotted form, reusing its capacity.
void print_path_into(std::string& out, const Path& path);
Value path_to_value(const Path& path);

// The value at a path, or nullptr. Negative indexes find nothing.
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
