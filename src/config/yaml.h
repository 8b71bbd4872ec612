// Parses YAML config files into a Value with the position of every part.
//
//   auto read = parse_yaml("house.yaml", text);
//   report(read->at(diagnostic));       // house.yaml:7:3
//
// The types are those of the core schema of YAML 1.2: null, true and false, numbers, texts; "yes"
// and "on" are texts. Errors, with their position: duplicate keys, the merge key <<, tags beyond
// the core ones, a second document, numbers that cannot be stored, control characters, aliases that
// expand to more than base::kYamlNodesMax values, texts that are too long or too deep. An empty
// text is null. Any bytes give a Value or an Error; nothing throws.
//
// Only this folder includes yaml-cpp.
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

// The positions of the parts of a Value, as offsets into its text. Parts of an alias have the
// positions of its anchor; the alias itself has its own.
class SourceMap {
  public:
    struct Node {
        std::uint32_t offset = 0;       // of the value
        std::uint32_t key_offset = 0;   // of its key, if it has one
        std::uint32_t first_child = 0;  // into children_
        std::uint32_t child_count = 0;
    };

    // The node of the longest existing prefix of the path; `whole` is set if that is all of it.
    [[nodiscard]] const Node& find(const value::Value& root, const value::Path& path,
                                   bool& whole) const noexcept;

  private:
    friend class YamlBuilder;
    std::vector<Node> nodes_ = {Node{}};  // the outermost last; never empty
    std::vector<std::uint32_t> children_;
};

struct ParsedYaml {
    std::string file;  // its name, for messages
    std::string text;
    value::Value value;
    SourceMap source_map;

    // The position of the value at a path, or of the longest existing prefix.
    [[nodiscard]] base::Place place_of(const value::Path& path) const;
    // The position of the last key of a path; of the value if it has no key.
    [[nodiscard]] base::Place place_of_key(const value::Path& path) const;
    // The error of a diagnostic, with its position in the text.
    [[nodiscard]] base::Error at(const value::Diagnostic& diagnostic) const;
};

// Errors have a position in `text`.
base::Result<ParsedYaml> parse_yaml(std::string file, std::string text);

}  // namespace arbiter::config
