// Where: the conditions by which pull chooses elements.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "text/regex.h"
#include "value/object.h"

namespace arbiter::engine::internal {

// For one command: patterns are compiled once, and what they cost is counted.
class Where {
  public:
    // The conditions must outlive it.
    explicit Where(const value::Object& conditions) : conditions_(conditions) {}

    // Whether all conditions hold for an element; no conditions hold for none.
    bool holds_for(const value::Value& element);
    // The patterns would take longer than a command may; from then on they find nothing.
    [[nodiscard]] bool is_exhausted() const noexcept { return exhausted_; }

  private:
    std::optional<bool> operate(std::string_view word, const value::Value& value,
                                const value::Value& operand);
    bool finds(const value::Value& value, const value::Value& pattern);
    bool field_matches(const value::Value* field, const value::Value& condition);
    bool any_text(const value::Object& element, std::string_view word, const value::Value& operand);

    const value::Object& conditions_;
    std::map<std::string, std::optional<text::Regex>, std::less<>> patterns_;
    std::uint64_t work_ = 0;
    bool exhausted_ = false;
};

// Whether a text has a part, a list an element, an object a key.
bool contains(const value::Value& whole, const value::Value& part);

}  // namespace arbiter::engine::internal
