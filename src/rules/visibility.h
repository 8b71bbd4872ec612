// Which marked nodes the last replies speak of (绿灯). The marked nodes are known from the metadata
// and kept up with what changed; nothing here looks through the whole document but once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "rules/rulebook.h"
#include "text/keywords.h"
#include "value/object.h"

namespace arbiter::rules {

// The keywords of a set of nodes, kept from turn to turn so that a turn costs what changed in it.
class VisibilityMemory {
  public:
    // Brings the keywords up to `marked` (dotted path → keyword).
    void follow(const value::Object& marked);
    // The paths whose keyword occurs in one of the texts. What was found in a reply is remembered
    // as long as that is looked at, so that only a new one is searched for all keywords.
    [[nodiscard]] std::vector<std::string> found(const value::Array& replies, std::size_t last);

  private:
    void add(std::string_view path, std::string_view keyword);
    void remove(std::string_view path, std::string_view keyword);
    void catch_up();

    value::Value marked_ = value::Object();
    text::Keywords keywords_;
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<std::string> paths_;  // by id
    std::vector<std::uint32_t> free_;
    // The replies that were searched, and the ids that were found in each.
    struct Searched {
        value::Value reply;
        std::vector<text::Keywords::Id> ids;
    };
    std::vector<Searched> searched_;
    text::Keywords fresh_;             // those that came since
    std::vector<std::uint32_t> gone_;  // ids that went since
};

// Whether a value is an object that carries a mark which is set.
bool is_marked(const value::Value& value, std::string_view mark);
// Nodes of a value that do: their paths.
void visit_marked(const value::Value& value, value::Path& path, std::string_view mark,
                  const std::function<void(const value::Path&)>& visit);

}  // namespace arbiter::rules
