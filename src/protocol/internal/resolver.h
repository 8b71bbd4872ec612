// Resolves requests for protocols: chooses versions, adds dependencies, settles conflicts and puts
// the texts in order.
#pragma once

#include <span>

#include "protocol/library.h"

namespace arbiter::protocol::internal {

Resolved resolve(const Library& library, std::span<const ProtocolRequest> requests,
                 const ResolveOptions& options);

}  // namespace arbiter::protocol::internal
