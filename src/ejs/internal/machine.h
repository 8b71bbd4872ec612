// Machine: evaluates expressions within limits. Statements and function bodies are the Runner's.
//
// After a failure evaluation returns undefined quickly, up to the top.
#pragma once

#include <cstdint>
#include <forward_list>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ejs/failure.h"
#include "ejs/internal/datum.h"
#include "ejs/internal/syntax.h"
#include "ejs/template.h"

namespace arbiter::ejs::internal {

class Machine {
  public:
    Machine(const Environment& environment, Budget& budget);
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    // ---- for built-in functions

    [[nodiscard]] Heap& heap() noexcept { return heap_; }
    [[nodiscard]] const Environment& environment() const noexcept { return environment_; }
    // The first failure counts. Returns undefined.
    Datum fail(Fault fault, std::string word, std::string second = {});
    [[nodiscard]] bool failed() const noexcept { return failure_.has_value(); }
    // Counts work that takes `steps`. False after a failure.
    bool spend(std::uint64_t steps);
    // Calls a function of the template or a built-in one; others fail.
    Datum call(const Datum& function, Arguments arguments);
    Datum call(const Datum& function, std::initializer_list<Datum> arguments) {
        return call(function, Arguments(arguments.begin(), arguments.size()));
    }
    // The text of a value as a datum, and texts made of parts.
    Datum text_of(const Datum& datum);
    Datum text(std::string text) { return heap_.text(std::move(text)); }
    // A new list.
    Datum list(std::vector<Datum> items);
    // Keeps a value that data may point to until the rendering ends.
    void keep(const value::Object& object) { kept_.push_front(object); }
    void print(const Datum& datum);
    void print(std::string_view text);
    // The member of any value, undefined if there is none. A key of undefined or null fails.
    Datum member(const Datum& base, std::string_view key);
    // The elements of a list, text, set or map; anything else fails.
    std::vector<Datum> elements(const Datum& iterable);
    // Renders the text of a lore entry with names of its own.
    virtual Datum render_entry(std::string text, const Datum& names) = 0;

  protected:
    // Nesting of evaluation, counted while it is in scope.
    class Level {
      public:
        explicit Level(Machine& machine) : machine_(machine) {
            if (++machine_.depth_ > base::kTemplateDepthMax) {
                machine_.fail(Fault::kDepth, std::to_string(base::kTemplateDepthMax));
            }
        }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;
        ~Level() { --machine_.depth_; }

      private:
        Machine& machine_;
    };

    Datum eval(NodeId id);
    // The value of a variable.
    Datum read_name(const Node& node, bool may_be_unknown);
    void assign(NodeId target, const Datum& value);  // a name, member or index
    // A pattern of let or of a parameter: declares (in `scope`) or assigns (nullptr).
    void bind(NodeId pattern, const Datum& value, Scope* scope, bool is_constant);
    std::string describe(NodeId id) const;
    virtual Datum run_function(const Closure& closure, Arguments arguments) = 0;

    const Program* program_ = nullptr;
    Scope* scope_ = nullptr;
    std::uint32_t line_ = 1;
    std::string out_;
    std::optional<Failure> failure_;
    std::size_t depth_ = 0;

  private:
    Datum eval_node(const Node& node);
    Datum eval_operators(NodeId id);
    Datum eval_operator(const Node& node, const Datum& left);
    Datum eval_unary(const Node& node);
    Datum eval_update(const Node& node);
    Datum eval_choice(const Node& node);
    Datum eval_assign(const Node& node);
    Datum eval_chain(NodeId id, bool& is_cut);
    Datum eval_call(const Node& node, bool& is_cut);
    Datum eval_arguments(const Node& node, std::vector<Datum>& arguments);
    Datum eval_template(const Node& node);
    Datum eval_array(const Node& node);
    Datum eval_object(const Node& node);
    Datum eval_new(const Node& node);
    Datum eval_key(const Node& node);
    Datum erase_member(NodeId target);

    const Environment& environment_;
    Budget& budget_;
    Heap heap_;
    std::uint64_t steps_;
    std::forward_list<value::Object> kept_;
};

}  // namespace arbiter::ejs::internal
