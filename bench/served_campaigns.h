// Campaigns for the cases of the server: "c0", "c1", … with a small state of their own.
#pragma once

#include <cstddef>
#include <string>

#include "ledger/store.h"

namespace arbiter::bench {

std::string name_of(std::size_t campaign);
void create_campaigns(ledger::Store& store, std::size_t count);

}  // namespace arbiter::bench
