// Rulebook: the rules of a world, compiled from data (docs/rules.md describes the format).
//
// Rules that refuse or clamp an instruction become part of the engine's Policy; the others react to
// a turn after its batch (rules/react.h). A Rulebook is plain data. It is shared between threads as
// shared_ptr<const Rulebook>.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "calendar/calendar.h"
#include "calendar/shipped.h"
#include "engine/check.h"
#include "engine/policy.h"
#include "expr/formula.h"
#include "rules/rule_index.h"
#include "value/diagnostic.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::rules {

// A value that is computed from others.
struct Derived {
    std::string id;
    value::Pattern place;
    expr::Formula formula;
};

struct Action {
    enum class Kind : std::uint8_t { kSet, kRemove, kClear };
    Kind kind = Kind::kSet;
    value::Pattern place;
    std::optional<expr::Formula> to;  // kSet
    bool creates = false;
};

// Runs when a place has changed. $old and $new are its values.
struct Reaction {
    std::string id;
    value::Pattern watch;
    std::optional<expr::Formula> when;
    std::vector<Action> actions;
};

// The places of the date and time of the story. An empty path: the world has no such place.
struct Clock {
    value::Path date;
    value::Path time;
    value::Path era;
    value::Path weekday;
    std::string calendar;   // the calendar of every date; empty: detected from its form
    bool midnight = false;  // a clock that goes back on the same day means the next day
    // Places of the date that are tried, in order, where `date` has none.
    std::vector<value::Path> elsewhere = {};
};

// Runs when days have passed. $it is the value of the place, $days the number of days.
struct Daily {
    std::string id;
    value::Pattern each;
    value::Pattern place;
    expr::Formula to;
};

// Stocks that change by themselves: every member [rate, stock] of a container named `key`, at any
// depth below a path. The rate is a text such as "3/d" (internal/output_rate.h).
struct Stocks {
    std::string id;
    value::Path below;
    std::string key = "resources";
};

// A term in days. It starts when a command sets `limit`; `left` is the rest, and stays 0 once it is
// used up.
struct Countdown {
    std::string id;
    value::Path limit;
    value::Path start;  // the date at which it started
    value::Path left;
};

// Bounds that a number is clamped to after rules have changed it or its bounds. Commands are judged
// by a Limit.
struct Range {
    std::string id;
    value::Pattern place;
    std::optional<expr::Formula> min;
    std::optional<expr::Formula> max;
};

// Members that are removed when a condition holds.
struct Cleanup {
    std::string id;
    value::Pattern each;
    expr::Formula when;
};

// A place whose number at the start of a day is kept. A new one counts from `start`.
struct DailyLimit {
    value::Pattern place;
    double start = 0;
};

// Set when the container `count` has `at` members. Reset when the container `until` has grown
// since; then `clear` is emptied.
struct Flag {
    std::string id;
    value::Path flag;
    value::Path count;
    expr::Formula at;
    value::Path until;
    value::Path clear;
    std::size_t keep = 0;         // newest members that stay
    bool keep_this_turn = false;  // members of the turn that clears stay
};

// Nodes with a mark are shown if one of the last replies mentions them.
struct Visibility {
    std::string id;
    value::Path below;  // the container of such nodes
    std::string mark = "_filter";
    std::string shown = "_showInEJS";
    std::size_t segment = 3;  // the segment of the path below that is the keyword, from 1
    expr::Formula replies;    // the number of replies
};

// Clearing one of the places leaves a world: its content is backed up under the name of the world,
// then the actions run.
struct Leaving {
    std::string id;
    std::vector<value::Path> places;
    std::optional<expr::Formula> name;  // absent: no backup
    std::vector<Action> actions;
};

// A rule with the places that it writes and reads, for lint and explain.
struct RuleSummary {
    std::string id;
    std::string kind;  // "derived", "limit" …
    std::vector<value::Pattern> writes;
    std::vector<value::Pattern> reads;
    std::string text;  // the rule in one line
};

struct Rulebook {
    // Fails with all diagnostics, not only the first.
    static std::expected<Rulebook, value::Diagnostics> compile(
        const value::Value& written,
        std::shared_ptr<const calendar::Calendars> calendars = calendar::shared_calendars());

    // Adds the rules that refuse or clamp.
    void add_to(engine::Policy& policy) const;

    std::string name;
    std::int64_t fingerprint = 0;  // of the source: distinguishes rulebooks of the same name
    base::Text title;
    value::Object blueprint;       // the initial document of a new campaign
    std::vector<Derived> derived;  // in topological order
    std::vector<Reaction> reactions;
    std::optional<Clock> clock;
    std::vector<Daily> daily;
    std::vector<Stocks> stocks;
    std::vector<Countdown> countdowns;
    std::vector<Range> ranges;
    std::vector<Cleanup> cleanups;
    std::vector<Flag> flags;
    std::vector<Visibility> visibilities;
    std::vector<Leaving> leavings;
    std::vector<std::shared_ptr<const engine::Check>> checks;
    std::vector<value::Pattern> read_only;
    std::vector<value::Path> kept;
    std::vector<value::Pattern> memories;
    std::vector<value::Pattern> open;  // places that commands may create
    std::vector<engine::KeyAlias> aliases;
    std::vector<DailyLimit> daily_limits;
    std::shared_ptr<const calendar::Calendars> calendars;
    std::shared_ptr<const RuleIndex> index;  // of the rules above
    std::vector<RuleSummary> summaries;
    value::Diagnostics remarks;  // of lint: probably mistakes, but valid
};

// Keys of the state's metadata under which rules keep their own data.
inline constexpr std::string_view kRulesKey = "rules";
inline constexpr std::string_view kWorldsKey = "worlds";

}  // namespace arbiter::rules
