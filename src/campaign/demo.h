// The demo campaign, which is part of the program: a table, a greeting and a scripted narrator.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "campaign/session.h"
#include "config/diagnostics.h"
#include "model/script.h"

namespace arbiter::campaign {

inline constexpr std::string_view kDemoId = "demo";

struct Demo {
    value::Value table;
    std::string greeting;
    model::Script script;
};

std::expected<Demo, config::FileDiagnostics> load_demo(base::Language language);

// Creates the demo campaign in a store and plays its greeting; opens it if it exists.
base::Result<std::unique_ptr<Session>> begin_demo(ledger::Store& store, const Demo& demo,
                                                  SessionOptions options, engine::Instant now);

}  // namespace arbiter::campaign
