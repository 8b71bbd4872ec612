// ChangePhases: the phases that follow changes of the document: reactions, derived values, ranges
// and clean-up. Each looks at the changes since it ran last.
#pragma once

#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class ChangePhases {
  public:
    explicit ChangePhases(ReactionContext& context);

    void react_to_changes();
    void derive();
    void keep_ranges();
    void clean_up();

  private:
    void act(const Reaction& rule, const value::Bindings& bindings, const value::Value* old,
             const value::Value* fresh);
    [[nodiscard]] bool is_derived(const value::Path& path) const;

    ReactionContext& context_;
    // The document as each phase saw it last.
    value::Value change_seen_;
    value::Value derived_seen_;
    value::Value range_seen_;
    value::Value cleanup_seen_;
};

}  // namespace arbiter::rules::internal
