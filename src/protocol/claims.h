// Claims: the facts that a reply declares in <claims>, to be compared with the state. They are not
// proposals and change nothing.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "proposal/proposal.h"
#include "value/path.h"

namespace arbiter::protocol {

struct Claim {
    value::Path path;
    value::Value value;
    std::size_t line = 0;  // of its block, from 1
    friend bool operator==(const Claim&, const Claim&) = default;
};
struct Claims {
    std::vector<Claim> list;
    std::vector<base::Error> errors;  // lines that are not claims; their place is the line
};
// Parses the components of a reply that was read with the hint of the protocol `claims`.
Claims claims_of(const std::vector<proposal::Component>& components);

}  // namespace arbiter::protocol
