// RuleCompiler: the parts that the compilers of all sections of a rulebook share.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "expr/formula.h"
#include "rules/rulebook.h"
#include "value/fields.h"

namespace arbiter::rules::internal {

class RuleCompiler {
  public:
    RuleCompiler(Rulebook& book, value::Diagnostics& diagnostics)
        : book_(book), diagnostics_(diagnostics) {}

    [[nodiscard]] Rulebook& book() noexcept { return book_; }
    [[nodiscard]] value::Diagnostics& diagnostics() noexcept { return diagnostics_; }
    [[nodiscard]] const std::string& id() const noexcept { return id_; }
    void name_rule(std::string id) { id_ = std::move(id); }

    // Adds a summary of the present rule.
    void summarize(std::string kind, std::vector<value::Pattern> writes,
                   std::vector<value::Pattern> reads, std::string text);
    // The vocabulary of the formulas of a rule: the names of its pattern, and some more.
    const expr::Vocabulary& words(const value::Pattern& pattern,
                                  std::initializer_list<std::string_view> more = {});
    // Checks that every open step of a written path is bound by the rule.
    void check_bound(value::Fields& fields, std::string_view key, const value::Pattern& place,
                     const value::Pattern& known);

  protected:
    Rulebook& book_;
    value::Diagnostics& diagnostics_;
    expr::Vocabulary words_;
    std::string id_;  // of the present rule
};

}  // namespace arbiter::rules::internal
