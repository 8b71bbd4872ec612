// Codec: proposals as values that are kept, and proposals again: every field, so that judging what
// was kept gives what judging the original gave. Names, never numbers, so that old records stay
// readable when tables grow.
//
// What repeats is left out: a proposal without a dialect has that of the one before it, with its
// mount, its flags and the like; and one without a raw text has the text of the reply at its span.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "proposal/proposal.h"

namespace arbiter::proposal {

// `reply` is the text that the spans are about.
value::Array encode(std::span<const Proposal> proposals, std::string_view reply);

// Fails with kRecordField, and the name of the field, on whatever encode() does not make. What was
// kept may have been tampered with: a decoded proposal is only as trustworthy as its source. Who
// needs no raw texts gives no reply.
base::Result<std::vector<Proposal>> decode(const value::Array& records, std::string_view reply);

}  // namespace arbiter::proposal
