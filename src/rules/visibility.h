// Finds the marked nodes that the last replies mention (绿灯). The marked nodes are kept in the
// metadata and updated from changes; the whole document is searched only once.
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

// Cache of the keywords of marked nodes, kept from turn to turn, so that a turn costs its changes.
class VisibilityMemory {
  public:
    // Updates the keywords to `marked` (dotted path → keyword).
    void follow(const value::Object& marked);
    // The paths whose keyword occurs in one of the last replies. The result of a reply is cached,
    // so that only a new reply is searched for all keywords.
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
    // A reply that was searched, and the ids that were found in it.
    struct Searched {
        value::Value reply;
        std::vector<text::Keywords::Id> ids;
    };
    std::vector<Searched> searched_;
    text::Keywords fresh_;             // added since
    std::vector<std::uint32_t> gone_;  // ids removed since
};

// True if a value is an object whose mark is set.
bool is_marked(const value::Value& value, std::string_view mark);
// Calls `visit` with the path of every such node in a value.
void visit_marked(const value::Value& value, value::Path& path, std::string_view mark,
                  const std::function<void(const value::Path&)>& visit);

}  // namespace arbiter::rules
