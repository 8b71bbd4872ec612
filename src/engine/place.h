// Place: the path in the document that a path of an instruction means.
//
// The mount of the dialect is in front of it. Slips that models make are repaired if the path
// as written leads nowhere: the name of the mount itself (set_status('stat_data.天气', …)), the
// name of another module (memory('stat_data.天气', …)), a member of another module
// (memory('the_created', …)), a leading `$`, and slashes instead of dots.
#pragma once

#include "proposal/instruction.h"
#include "value/path.h"

namespace arbiter::engine {

struct Place {
    value::Path path;
    value::Path written = {};  // the path before the repair, mount included; empty: not repaired
    bool foreign = false;      // in another module than the mount's
    [[nodiscard]] bool is_repaired() const noexcept { return !written.empty(); }
};
Place place_of(const proposal::Instruction& instruction, const value::Path& path,
               const value::Value& document);

}  // namespace arbiter::engine
