// Rulebook: what a world does by itself, compiled from data (docs/rules.md says what it may hold).
//
// Whatever can refuse or clamp an instruction becomes part of the engine's Policy; whatever reacts
// to a turn runs after its batch (rules/react.h). A Rulebook is immutable and may be shared between
// threads.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check.h"
#include "engine/policy.h"
#include "expr/formula.h"
#include "rules/calendar.h"
#include "value/diagnostic.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::rules {

// A value that follows from others.
struct Derived {
    std::string id;
    value::Pattern place;
    expr::Formula formula;
};

struct Action {
    value::Pattern place;
    std::optional<expr::Formula> to;  // nothing: the place is removed
    bool creates = false;
};

// Done when a place has changed. $old and $new are its values.
struct Reaction {
    std::string id;
    value::Pattern watch;
    std::optional<expr::Formula> when;
    std::vector<Action> actions;
};

// Where the fiction's time stands. Empty paths: it has no such thing.
struct Clock {
    value::Path date;
    value::Path time;
    value::Path era;
    value::Path weekday;
    std::string calendar;   // read every date in this one; empty: by its form
    bool midnight = false;  // a time that went back on the same day means the next day
};

// Done for every day that has passed; $it is the value of the place, $days how many.
struct Daily {
    std::string id;
    value::Pattern each;
    value::Pattern place;
    expr::Formula to;
};

// What a number is cut to after rules have changed it, or its bounds. Commands are judged by a
// Limit.
struct Range {
    std::string id;
    value::Pattern place;
    std::optional<expr::Formula> min;
    std::optional<expr::Formula> max;
};

// Members that go when a condition holds.
struct Cleanup {
    std::string id;
    value::Pattern each;
    expr::Formula when;
};

// Raised when a container has so many members; lowered when another has grown since, and then
// something is cleared.
struct Flag {
    std::string id;
    value::Path flag;
    value::Path count;
    expr::Formula at;
    value::Path until;
    value::Path clear;
    std::size_t keep = 0;         // the newest so many stay
    bool keep_this_turn = false;  // what came in the turn that clears stays
};

// Nodes with a mark are shown or not, by whether the last replies speak of them.
struct Visibility {
    std::string id;
    value::Path below;  // where such nodes are looked for
    std::string mark = "_filter";
    std::string shown = "_showInEJS";
    std::size_t segment = 3;  // which part of the path below is the keyword, from 1
    expr::Formula replies;    // how many
};

// Clearing a place keeps what was there, under the name of the world that is left.
struct Leaving {
    std::string id;
    std::vector<value::Path> places;
    expr::Formula name;
};

class Rulebook {
  public:
    // Gives every fault, not only the first.
    static std::expected<Rulebook, value::Diagnostics> compile(
        const value::Value& written, std::shared_ptr<const Calendars> calendars);

    // Adds what can refuse or clamp.
    void add_to(engine::Policy& policy) const;

    std::string name;
    std::int64_t print = 0;  // of what was written: another rulebook of the name has another
    std::string english;
    std::string chinese;
    value::Object blueprint;       // what a new save of this world holds
    std::vector<Derived> derived;  // in an order in which none depends on a later one
    std::vector<Reaction> reactions;
    std::optional<Clock> clock;
    std::vector<Daily> daily;
    std::vector<Range> ranges;
    std::vector<Cleanup> cleanups;
    std::vector<Flag> flags;
    std::vector<Visibility> visibilities;
    std::vector<Leaving> leavings;
    std::vector<std::shared_ptr<const engine::Check>> checks;
    std::vector<value::Pattern> memories;
    std::vector<engine::KeyAlias> aliases;
    std::vector<value::Pattern> daily_limits;  // places whose value at the day's start is kept
    std::shared_ptr<const Calendars> calendars;

    // Every rule with the places it is about, for lint and explain.
    struct Mention {
        std::string id;
        std::string what;  // "derived", "limit" …
        std::vector<value::Pattern> writes;
        std::vector<value::Pattern> reads;
        std::string text;  // the rule in one line
    };
    std::vector<Mention> mentions;

  private:
    Rulebook() = default;
};

// What a rulebook remembers beside the document, in the state's metadata.
inline constexpr std::string_view kRulesKey = "rules";
inline constexpr std::string_view kWorldsKey = "worlds";

// The document with whatever of the blueprint is missing in it; nothing that is there changes.
value::Value with_blueprint(const value::Value& document, const value::Object& blueprint);

}  // namespace arbiter::rules
