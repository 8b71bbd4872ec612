// release(): frees the memory of a string or container. Assigning an empty one keeps the memory for
// later use, which an idle object does not need.
#pragma once

namespace arbiter::base {

template <typename Owner>
void release(Owner& owner) {
    Owner().swap(owner);
}

}  // namespace arbiter::base
