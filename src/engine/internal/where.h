// Where: the conditions by which pull chooses elements (option where).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "text/regex.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::engine::internal {

// The conditions of one command. Patterns are compiled once, and their total cost is bounded.
class Where {
  public:
    // Borrows both.
    Where(const value::Object& conditions, base::Budget& budget)
        : conditions_(conditions), budget_(budget) {}

    // Whether all conditions hold for the element. Empty conditions match nothing.
    bool holds_for(const value::Value& element);
    // Words of the conditions that are neither a field nor an operator, if they matched nothing in
    // the list for that reason: "状态.不等于".
    [[nodiscard]] std::vector<std::string> unknown_words(const value::Array& list) const;
    // The patterns exceeded base::kRegexWorkMax; since then they match nothing. The same holds once
    // the budget of the turn is spent.
    [[nodiscard]] bool is_exhausted() const noexcept { return exhausted_; }

  private:
    std::optional<bool> operate(std::string_view word, const value::Value& value,
                                const value::Value& operand);
    bool finds(const value::Value& value, const value::Value& pattern);
    bool field_matches(const value::Value* field, const value::Value& condition);
    bool any_text(const value::Object& element, std::string_view word, const value::Value& operand);

    const value::Object& conditions_;
    base::Budget& budget_;
    std::map<std::string, std::optional<text::Regex>, std::less<>> patterns_;
    std::uint64_t work_ = 0;
    bool exhausted_ = false;
};

// A field of an element, by its name or by a dotted path; nullptr if it has none.
const value::Value* field_of(const value::Object& element, std::string_view name);

// Whether a string has a substring, an array an element or an object a key.
bool contains(const value::Value& whole, const value::Value& part);

}  // namespace arbiter::engine::internal
