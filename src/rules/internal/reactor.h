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

// What the rulebooks of a turn work on, one after the other.
struct Stage {
    value::Value document;
    value::Object meta;
    std::vector<Effect> effects;
};

class Reactor {
  public:
    Reactor(const Rulebook& book, const Turn& turn, Stage& stage, VisibilityMemory* cache);
    void begin();
    void round(bool first);
    void end();

  private:
    // ---- what all phases use
    [[nodiscard]] const value::Value& document() const { return stage_.document; }
    [[nodiscard]] const value::Value* at(const value::Path& path) const {
        return value::find(document(), path);
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
    [[nodiscard]] calendar::DateTexts texts(const value::Value& document) const;
    [[nodiscard]] std::optional<calendar::Date> date(const value::Value& document) const;
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
    void keep_ranges(value::Value& seen);
    [[nodiscard]] bool is_derived(const value::Path& path) const;
    void clean_up(value::Value& seen);

    // ---- flags
    [[nodiscard]] bool is_up(const Flag& flag) const;
    void flags();
    void settle(const Flag& flag);
    void archive(const Flag& flag, value::Value gone);

    // ---- what is shown
    // The nodes of one rule, while the rounds go on.
    struct Watched {
        bool known = false;  // the marked nodes are known from the turn before
        value::Value seen;
        value::Object marked;  // dotted path → keyword
        value::Object shown;
        std::vector<std::string> found;
        std::optional<std::size_t> read_of;  // so many replies
        VisibilityMemory own;
    };
    void hear();  // the reply
    void show_and_hide();
    void remember_nodes();
    [[nodiscard]] std::size_t window(const Visibility& rule) const;
    void switch_nodes(const Visibility& rule, Watched& nodes,
                      const std::vector<std::string>& stirred);
    void follow_marks(const Visibility& rule, Watched& nodes, std::vector<std::string>& stirred);
    void follow_change(const Visibility& rule, Watched& nodes, const value::Value& before,
                       value::Path place, std::vector<std::string>& stirred);
    static void add_node(const Visibility& rule, Watched& nodes, const value::Path& path,
                         std::vector<std::string>& stirred);

    const Rulebook& book_;
    const Turn& turn_;
    Stage& stage_;
    VisibilityMemory* cache_;
    value::Object memory_;
    bool known_ = false;                // this very rulebook has seen the campaign before
    std::vector<value::Path> touched_;  // by this phase
    // The document as each phase saw it last.
    value::Value clock_seen_;
    value::Value change_seen_;
    value::Value daily_seen_;
    value::Value derived_seen_;
    value::Value range_seen_;
    value::Value cleanup_seen_;
    value::Array replies_;
    std::vector<Watched> watched_;  // one for each rule of visibility
};

}  // namespace arbiter::rules::internal
