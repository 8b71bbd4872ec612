// Reactor: the end of one turn under one rulebook; see rules/react.h. Its phases stand in
// react.cpp, react_time.cpp, react_flags.cpp and react_show.cpp.
#pragma once

#include <string>
#include <vector>

#include "rules/react.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::rules::internal {

std::string printed(const value::Path& path);
// Members of the container at a path; 0 where there is none.
std::size_t size_at(const value::Value& document, const value::Path& path);
// The text of a place, described or not; empty where there is none.
std::string text_at(const value::Value& document, const value::Path& path);

class Reactor {
  public:
    Reactor(const Rulebook& book, const Turn& turn, VisibilityMemory* memory);
    Reacted run() &&;

  private:
    // ---- what all phases use
    [[nodiscard]] const value::Value* at(const value::Path& path) const {
        return value::find(document_, path);
    }
    // The document becomes `next`, by a change at a path.
    void change(const std::string& rule, const value::Path& path, value::Value next);
    // Sets a value; the description of a pair stays.
    void put(const std::string& rule, const value::Path& path, const value::Value& value,
             bool creates);
    void remove(const std::string& rule, const value::Path& path);
    void remember(std::string_view what, value::Value value);
    [[nodiscard]] value::Object recalled(std::string_view what) const;
    [[nodiscard]] expr::Known evaluate(const expr::Formula& formula,
                                       const std::vector<expr::Variable>& variables) const;

    // ---- leaving a world
    void leave();
    void keep_world(const Leaving& leaving, value::Object kept);

    // ---- time; `seen` is the document as the phase saw it last
    [[nodiscard]] DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<Date> date(const value::Value& document) const;
    void midnight(value::Value& seen);
    void next_weekday(const value::Value& seen, std::int64_t days);
    void pass_days(value::Value& seen);
    void warn_of_time();
    void keep_day();

    // ---- changes, derived values, clean-up
    void react_to_changes(value::Value& seen);
    void act(const Reaction& rule, const value::Bindings& bindings, const value::Value* old,
             const value::Value* fresh);
    void derive(value::Value& seen);
    void clean_up(value::Value& seen);

    // ---- flags
    [[nodiscard]] bool is_up(const Flag& flag) const;
    void flags();
    void settle(const Flag& flag);

    // ---- what is shown
    void show_and_hide();
    [[nodiscard]] std::size_t window(const Visibility& rule) const;
    void switch_nodes(const Visibility& rule, const value::Object& marked,
                      const std::vector<std::string>& found,
                      const std::vector<std::string>& stirred);
    value::Object follow_marks(const Visibility& rule, std::vector<std::string>& stirred);

    const Rulebook& book_;
    const Turn& turn_;
    VisibilityMemory* cache_;
    value::Value document_;
    value::Object meta_;
    value::Object memory_;
    bool known_ = false;  // this rulebook has seen the campaign before
    std::vector<Effect> effects_;
    std::vector<value::Path> touched_;  // by this phase
};

}  // namespace arbiter::rules::internal
