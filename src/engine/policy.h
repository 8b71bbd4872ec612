// Policy: what a proposal may do, compiled from profiles, rulebooks and protocols.
//
// Plain data that the engine reads for every instruction. It must not change while a batch runs,
// nor after its index was made.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/features.h"
#include "engine/policy_index.h"
#include "proposal/proposal.h"
#include "value/pattern.h"

namespace arbiter::engine {

enum class Actor : std::uint8_t { kModel, kPlayer, kSystem };
std::string_view name(Actor actor) noexcept;  // "AI", "user", "system"

// The effect of a stated old value that differs from the present one.
enum class OldCheck : std::uint8_t { kOff, kWarn, kStrict };

// Whether a string may take the place of a number.
enum class Coercion : std::uint8_t {
    kAllow,  // as the dialect says: most convert a string that is a number, with a warning
    kRefuse  // a string is refused where a number is, and in arithmetic
};

// The effect of `add` on an existing member. The option onConflict takes precedence.
enum class OnConflict : std::uint8_t { kError, kIgnore, kReplace, kMerge };
std::string_view name(OnConflict choice) noexcept;  // "error", …

// A subtree that direct commands of some actors must not touch.
struct ClosedPath {
    value::Path path;
    bool to_player = false;  // closed to the player too, not only to the model
    bool to_text = false;    // closed to texts of the system too (Context::is_text)
};

// Another name for the key of a member: 乐园币 for 积分.
struct KeyAlias {
    value::Path container;
    std::string name;
    std::string key;
};

class Check;  // engine/check.h

struct Policy {
    // Keys of tavern_commands must be below this path. Empty: anywhere.
    value::Path tavern_root = {"character", "saveData"};
    value::Path recycle_bin = {"character", "saveData", "回收站"};
    OldCheck old_check = OldCheck::kWarn;
    bool delete_as_null = false;   // a JSON delete leaves null
    bool strict_set = false;       // a set replaces a described value as a whole
    bool set_creates = false;      // _.set creates a missing path too
    bool locks_structure = false;  // MVU's $meta rules are enforced
    bool locks_top = false;        // _.insert is refused for the outermost containers
    Coercion coercion = Coercion::kAllow;
    OnConflict on_conflict = OnConflict::kError;
    bool needs_parents = false;  // a write creates its last member only, never parents
    bool needs_reason = false;   // a tavern command must have a reason
    std::vector<ClosedPath> closed;
    std::size_t marks_max = 1000;  // idempotency keys remembered

    // ---- from rulebooks and protocols
    std::vector<value::Pattern> derived;    // computed places: commands must not write there
    std::vector<value::Pattern> read_only;  // commands may create these places, and no more
    std::vector<value::Path> kept;  // data of rules: the model fills it, but does not take it away
    std::vector<value::Path> emptied;  // archived when emptied, so hidden nodes may go with them
    std::vector<value::Path> texts;    // values that are texts: a number is refused there
    std::vector<value::Pattern> open;  // may be created by dialects that only change values
    std::vector<value::Pattern> memories;  // entries are kept: a taken name gets a suffix
    std::vector<KeyAlias> aliases;
    std::vector<std::shared_ptr<const Check>> checks;
    Features features;  // parts of tavern_commands 2.0 that are on

    // ---- remarks: warnings without effect
    bool warns_placeholders = false;         // about values that contain a <placeholder>
    std::vector<std::string> example_names;  // about values that contain one of these
    // About setting the clock without adding to the timeline in the same reply. Empty: off.
    value::Path clock;
    value::Path timeline;

    // Of the lists above, by the last one who changes them. Default: every call of the engine makes
    // one.
    std::shared_ptr<const PolicyIndex> index = {};
};

}  // namespace arbiter::engine
