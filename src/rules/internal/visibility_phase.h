// VisibilityPhase: shows the marked nodes that the last replies mention, and hides the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/internal/context.h"
#include "rules/visibility.h"
#include "value/array.h"

namespace arbiter::rules::internal {

class VisibilityPhase {
  public:
    // `cache` may be nullptr.
    VisibilityPhase(ReactionContext& context, VisibilityMemory* cache);
    void run();
    // At the end of the turn: keeps the replies and the nodes for the next one.
    void save();

  private:
    // The nodes of one rule.
    struct Watched {
        bool known = false;  // the marked nodes are known from the turn before
        value::Value seen;
        value::Object marked;  // dotted path → keyword
        value::Object shown;
        std::vector<std::string> found;
        std::optional<std::size_t> read_of;  // the number of replies that were searched
        VisibilityMemory own;
    };
    [[nodiscard]] std::size_t window(const Visibility& rule) const;
    void switch_nodes(const Visibility& rule, Watched& nodes,
                      const std::vector<std::string>& touched);
    void follow_marks(const Visibility& rule, Watched& nodes, std::vector<std::string>& touched);
    void follow_change(const Visibility& rule, Watched& nodes, const value::Value& before,
                       value::Path place, std::vector<std::string>& touched);
    static void add_node(const Visibility& rule, Watched& nodes, const value::Path& path,
                         std::vector<std::string>& touched);

    ReactionContext& context_;
    VisibilityMemory* cache_;
    value::Array replies_;
    std::vector<Watched> watched_;  // one for each rule
};

}  // namespace arbiter::rules::internal
