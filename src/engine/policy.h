// Policy: what a proposal may do, compiled from profiles (and later from rulebooks and protocols).
//
// Plain data that the engine consults for every instruction; it never changes while a batch runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "proposal/proposal.h"
#include "value/pattern.h"

namespace arbiter::engine {

enum class Actor : std::uint8_t { kModel, kPlayer, kSystem };
std::string_view name(Actor actor) noexcept;  // "AI", "user", "system"

// What a stated old value does that is not the present one.
enum class OldCheck : std::uint8_t { kOff, kWarn, kStrict };

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
    std::vector<ClosedPath> closed;
    std::size_t marks_max = 1000;  // idempotency keys that are remembered

    // ---- the world's own rules (rules/)
    std::vector<value::Pattern> derived;   // computed: nobody writes there by hand
    std::vector<value::Pattern> memories;  // each is kept: a second of a name gets another name
    std::vector<KeyAlias> aliases;
    std::vector<std::shared_ptr<const Check>> checks;
};

}  // namespace arbiter::engine
