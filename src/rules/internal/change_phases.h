// ChangePhases: the phases that follow changes of the document: reactions, derived values, ranges
// and clean-up. Each looks at the changes since it ran last.
#pragma once

#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class ChangePhases {
  public:
    explicit ChangePhases(ReactionContext& context);

    // Before the first round: corrects the derived values of a document that the rulebook sees for
    // the first time.
    void correct_import();
    void react_to_changes();
    void derive();
    void keep_ranges();
    void clean_up();

  private:
    // Computes the derived values that the changes since `seen` affect.
    static void derive(ReactionContext& context, value::Value& seen);
    void act(const Reaction& rule, const value::Bindings& bindings, const value::Value* old,
             const value::Value* fresh);
    [[nodiscard]] bool is_derived(const value::Path& path) const;

    ReactionContext& context_;
    // The document as each phase saw it last.
    value::Value change_seen_;
    value::Value derived_seen_;
    value::Value range_seen_;
    value::Value cleanup_seen_;
    std::vector<Effect> corrections_;
};

}  // namespace arbiter::rules::internal
