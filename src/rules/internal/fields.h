// Fields: the members of an object that somebody wrote, taken one by one; what is wrong is noted
// with its path, and so is every member that nobody took.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "expr/formula.h"
#include "value/diagnostic.h"
#include "value/object.h"
#include "value/pattern.h"

namespace arbiter::rules::internal {

class Fields {
  public:
    // A value that is no object is a fault, and as if it were empty.
    Fields(const value::Value& value, value::Path path, value::Diagnostics& diagnostics);
    // Members that were not taken are diagnostics.
    void finish();

    // What was written, or nullptr; counts as taken.
    const value::Value* take(std::string_view key);
    const value::Value* need(std::string_view key);

    std::optional<std::string> text(std::string_view key, bool needed = false);
    bool flag(std::string_view key);
    std::optional<std::size_t> count(std::string_view key);
    std::optional<value::Path> path(std::string_view key, bool needed = false);
    std::optional<value::Pattern> pattern(std::string_view key, bool needed = false);
    std::vector<value::Pattern> patterns(std::string_view key);
    // A text, a number or a truth value.
    std::optional<expr::Formula> formula(std::string_view key, const expr::Vocabulary& vocabulary,
                                         bool needed = false);
    // The elements of a list; one that is no list stands for a list of it.
    std::vector<std::pair<const value::Value*, value::Path>> list(std::string_view key);

    void fault(std::string_view key, base::Error error, bool at_key = false);
    [[nodiscard]] value::Path at(std::string_view key) const;
    void bad(std::string_view key, std::string takes, const value::Value& found);

  private:
    std::optional<value::Pattern> pattern_of(const value::Value& written, value::Path where);

    const value::Object empty_;
    const value::Object& object_;
    value::Path path_;
    value::Diagnostics& faults_;
    std::vector<std::string_view> known_;
};

}  // namespace arbiter::rules::internal
