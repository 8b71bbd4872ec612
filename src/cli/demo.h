// The demo campaign, and templates of campaigns.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "campaign/session.h"
#include "cli/ledger.h"
#include "model/script.h"

namespace arbiter::cli {

struct Demo {
    value::Value table;
    std::string greeting;
    model::Script script;
};

// The demo in the language of the console.
std::expected<Demo, Exit> load_demo(const Console& console);
// Creates the demo campaign in a store and plays its greeting; opens it if it exists.
std::expected<std::unique_ptr<campaign::Session>, Exit> begin_demo(const Call& call,
                                                                   ledger::Store& store,
                                                                   const Demo& demo,
                                                                   engine::Instant now);

}  // namespace arbiter::cli
