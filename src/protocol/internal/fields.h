// Fields: the members of an object that somebody wrote, taken one by one. What is wrong is a fault;
// a member that nobody took is kept and has no effect, but one that is nearly a known name is
// remarked on.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "protocol/protocol.h"
#include "value/diagnostic.h"
#include "value/object.h"

namespace arbiter::protocol::internal {

struct Notes {
    value::Diagnostics diagnostics;
    value::Diagnostics remarks;
};

class Fields {
  public:
    // A value that is no object is a fault, and as if it were empty.
    Fields(const value::Value& value, value::Path path, Notes& notes);
    // Remarks on slips among the members that were not taken.
    void finish();

    // What was written, or nullptr; counts as taken. null is nothing.
    const value::Value* take(std::string_view key);

    std::optional<std::string> text(std::string_view key);
    // A text, or one for each language: {en: …, zh: …}.
    Words words(std::string_view key);
    std::optional<std::int64_t> whole(std::string_view key, std::int64_t min, std::int64_t max);
    // The elements of a list; one that is no list stands for a list of it.
    std::vector<std::pair<const value::Value*, value::Path>> list(std::string_view key);
    // Texts that are not empty, each once.
    std::vector<std::pair<std::string, value::Path>> texts(std::string_view key);

    void fault(std::string_view key, base::Error error, bool at_key = false);
    void fault_at(value::Path path, base::Error error);
    void remark_at(value::Path path, base::Error error);
    // There is no such key.
    void missing(std::string_view key);
    void bad(std::string_view key, std::string takes, const value::Value& found);
    [[nodiscard]] value::Path at(std::string_view key) const;

  private:
    const value::Object empty_;
    const value::Object& object_;
    value::Path path_;
    Notes& notes_;
    std::vector<std::string_view> known_;
};

// What an error shows of a value.
std::string shown(const value::Value& value);

}  // namespace arbiter::protocol::internal
