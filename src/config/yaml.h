// YAML as people write it into profiles, rulebooks, calendars, protocols and settings: text becomes
// a Value, and every part of it remembers where it stood.
//
//   auto read = parse_yaml("house.yaml", text);
//   report(read->at(fault));            // house.yaml:7:3
//
// The types are those of the core schema of YAML 1.2: null, true and false, numbers, texts; "yes"
// and "on" are texts. Refused, with their place: a key that is there twice, the merge key <<, tags
// beyond the core ones, a second document, numbers that cannot be stored, control characters,
// aliases that stand for more than base::kYamlNodesMax values, and what is too long or too deep.
// An empty text is null. Any bytes give a Value or an Error; nothing throws.
//
// This folder is the only one that sees yaml-cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/diagnostic.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::config {

// Where the parts of a Value stood, as offsets into its text. Parts that an alias brought have the
// places of what it stands for; the alias itself has its own.
class Marks {
  public:
    struct Node {
        std::uint32_t offset = 0;       // of the value
        std::uint32_t key_offset = 0;   // of the key before it, where it has one
        std::uint32_t first_child = 0;  // into children_
        std::uint32_t child_count = 0;
    };

    // The node of the deepest part of the path that there is; `whole` says whether that is all.
    [[nodiscard]] const Node& find(const value::Value& root, const value::Path& path,
                                   bool& whole) const noexcept;

  private:
    friend class YamlBuilder;
    std::vector<Node> nodes_ = {Node{}};  // the outermost last; never empty
    std::vector<std::uint32_t> children_;
};

struct Sourced {
    std::string file;  // its name, for messages
    std::string text;
    value::Value value;
    Marks marks;

    // Of the value at a path, or of the innermost part around it that there is.
    [[nodiscard]] base::Place place_of(const value::Path& path) const;
    // Of the key that a path ends in; where it has none, of the value.
    [[nodiscard]] base::Place place_of_key(const value::Path& path) const;
    // The fault as an error with its place in the text.
    [[nodiscard]] base::Error at(const value::Diagnostic& fault) const;
};

// Errors have their place in `text`.
base::Result<Sourced> parse_yaml(std::string file, std::string text);

}  // namespace arbiter::config
