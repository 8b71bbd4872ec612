// Codec: encodes proposals for storage. Every field is kept, so that judging a decoded proposal
// gives the same result as judging the original. Enumerators are stored by name, so that old
// records stay readable when tables grow.
//
// Repeated fields are omitted: a proposal without a dialect has the dialect, mount and flags of the
// one before it; one without raw text has the text of the reply at its span.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "proposal/proposal.h"

namespace arbiter::proposal {

// `reply` is the text that the spans are about.
value::Array encode(std::span<const Proposal> proposals, std::string_view reply);

// Fails with kRecordField and the name of the field on records that encode() does not produce. A
// decoded proposal is only as trustworthy as its source. `reply` may be empty if raw texts are not
// needed.
base::Result<std::vector<Proposal>> decode(const value::Array& records, std::string_view reply);

}  // namespace arbiter::proposal
