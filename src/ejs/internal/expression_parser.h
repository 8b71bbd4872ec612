// ExpressionParser: tokens → expressions and patterns; the base of the parser of statements.
#pragma once

#include <vector>

#include "ejs/internal/tree_builder.h"

namespace arbiter::ejs::internal {

// After a failure every method returns some node, and the parser stops at the next check.
class ExpressionParser : protected TreeBuilder {
  public:
    using TreeBuilder::TreeBuilder;
    virtual ~ExpressionParser() = default;

  protected:
    virtual NodeId parse_block() = 0;

    NodeId parse_sequence();    // with commas
    NodeId parse_assignment();  // without commas
    NodeId parse_target();      // what let and parameters declare, with defaults
    NodeId parse_function(bool is_declaration);

  private:
    class Level;

    NodeId parse_choice();
    NodeId parse_binary(int least);
    NodeId parse_unary();
    NodeId parse_postfix();
    NodeId parse_members(NodeId base, bool with_calls);
    NodeId parse_primary();
    NodeId parse_word();
    NodeId parse_new();
    NodeId parse_template();
    NodeId parse_array();
    NodeId parse_object();
    NodeId parse_property();
    NodeId parse_key(NodeId property);
    NodeId parse_arrow();
    NodeId parse_body(NodeId function);
    // (a, b, ...c): `spread` is the node around what follows the dots.
    std::vector<NodeId> parse_list(NodeKind spread, NodeId (ExpressionParser::*parse)());
    [[nodiscard]] bool is_arrow() const;

    std::size_t depth_ = 0;
};

}  // namespace arbiter::ejs::internal
