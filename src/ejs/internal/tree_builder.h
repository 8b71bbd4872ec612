// TreeBuilder: a cursor over tokens, and the tree that is made of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ejs/failure.h"
#include "ejs/internal/lexer.h"
#include "ejs/internal/syntax.h"

namespace arbiter::ejs::internal {

class TreeBuilder {
  public:
    TreeBuilder(const std::vector<Token>& tokens, Program& program)
        : tokens_(tokens), program_(program) {}
    TreeBuilder(const TreeBuilder&) = delete;
    TreeBuilder& operator=(const TreeBuilder&) = delete;

  protected:
    ~TreeBuilder() = default;

    [[nodiscard]] const Token& now() const noexcept { return tokens_[at_]; }
    [[nodiscard]] const Token& next(std::size_t ahead = 1) const noexcept {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    void advance() noexcept { at_ += at_ + 1 < tokens_.size() ? 1 : 0; }
    bool take(std::string_view mark);
    bool take_word(std::string_view word);
    void expect(std::string_view mark);
    void fail(Fault fault, std::string word);
    void fail_here();  // the token was not expected
    [[nodiscard]] std::size_t position() const noexcept { return at_; }
    [[nodiscard]] bool failed() const noexcept { return failure_.has_value(); }

    NodeId add(NodeKind kind);
    NodeId add(Node node);
    Node& at(NodeId id) noexcept { return program_.nodes[id]; }
    void set_list(NodeId id, const std::vector<NodeId>& list);
    std::uint32_t symbol(std::string_view name);

    // Turns a list or object that is assigned to into a pattern. The tree is as deep as it was
    // parsed.
    NodeId as_pattern(NodeId expression);
    // Declares names where `var` does.
    void hoist(std::uint32_t symbol);
    void hoist_pattern(NodeId pattern);
    void end_hoists(NodeId function);

    const std::vector<Token>& tokens_;
    Program& program_;
    std::vector<std::vector<std::uint32_t>> hoists_ = {{}};  // of the functions around
    std::optional<Failure> failure_;

  private:
    std::size_t at_ = 0;
};

}  // namespace arbiter::ejs::internal
