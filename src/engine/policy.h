// Policy: what a proposal may do, compiled from profiles (and later from rulebooks and protocols).
//
// Plain data that the engine consults for every instruction; it never changes while a batch runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/features.h"
#include "proposal/proposal.h"
#include "value/pattern.h"

namespace arbiter::engine {

enum class Actor : std::uint8_t { kModel, kPlayer, kSystem };
std::string_view name(Actor actor) noexcept;  // "AI", "user", "system"

// What a stated old value does that is not the present one.
enum class OldCheck : std::uint8_t { kOff, kWarn, kStrict };

// What becomes of a text where a number stands.
enum class Coercion : std::uint8_t {
    kAllow,  // as the dialect has it: most take a text that is a number as one, with a warning
    kRefuse  // no text onto a number, no text in arithmetic
};

// What `add` does with a member that is already there, unless the entry says.
enum class OnConflict : std::uint8_t { kError, kIgnore, kReplace, kMerge };
std::string_view name(OnConflict choice) noexcept;  // "error", …

// A part of the document that direct commands of some actors may not touch.
struct ClosedPath {
    value::Path path;
    bool to_player = false;  // closed to the player too, not only to the model
};

// A name that stands for the key of a member: 乐园币 for 积分.
struct KeyAlias {
    value::Path container;
    std::string name;
    std::string key;
};

class Check;  // engine/check.h

struct Policy {
    // Keys of tavern_commands must lie below this; empty: anywhere.
    value::Path tavern_root = {"character", "saveData"};
    value::Path recycle_bin = {"character", "saveData", "回收站"};
    OldCheck old_check = OldCheck::kWarn;
    bool delete_as_null = false;   // a JSON delete leaves null
    bool strict_set = false;       // a set replaces a described value as a whole
    bool set_creates = false;      // _.set makes a missing path too
    bool locks_structure = false;  // MVU's $meta rules hold
    bool locks_top = false;        // _.insert takes nothing into the outermost containers
    Coercion coercion = Coercion::kAllow;
    OnConflict on_conflict = OnConflict::kError;
    bool needs_parents = false;  // a write makes its last name only, never the way to it
    bool needs_reason = false;   // a tavern entry says why
    std::vector<ClosedPath> closed;
    std::size_t marks_max = 1000;  // idempotency keys that are remembered

    // ---- the world's own rules (rules/)
    std::vector<value::Pattern> derived;   // computed: nobody writes there by hand
    std::vector<value::Pattern> memories;  // each is kept: a second of a name gets another name
    std::vector<KeyAlias> aliases;
    std::vector<std::shared_ptr<const Check>> checks;
    Features features;  // what of tavern_commands 2.0 is switched on

    // ---- what is only remarked on
    bool warns_placeholders = false;         // a value that still holds a <placeholder>
    std::vector<std::string> example_names;  // names of examples, which no value should hold
    // Setting the first without adding to the second in the same reply; either empty: no remark.
    value::Path clock;
    value::Path timeline;
};

}  // namespace arbiter::engine
