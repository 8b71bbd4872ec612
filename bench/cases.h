// Cases: the operations that arbiter-bench offers.
//
// A case can be measured, which gives raw samples, and checked, which does the operation once and
// gives its result as JSON text, so that bench/run.mjs can compare it with the peers' before it
// times anything.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measure.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::bench {

struct Document {
    std::string text;
    value::Value root;  // null for a text that is not meant to be JSON
};

struct Request {
    const Document* document;           // nothing changes it
    const Document* replies = nullptr;  // texts for it
    value::Path path;                   // of one leaf
    std::vector<value::Path> turn;      // of the leaves that one turn sets
    double target_ms = 50;
    std::size_t count = 0;  // versions to keep, or blocks to allocate
    std::size_t bytes = 0;  // of a block
};

struct Answer {
    Samples samples;
    std::vector<std::pair<std::string_view, double>> counters = {};
};

struct Case {
    std::string_view name;
    Answer (*measure)(const Request&);
    std::string (*check)(const Request&);
};

// The replies of a request, one by one.
std::vector<std::string_view> replies_of(const Request& request);

// Changing, copying, comparing and keeping versions.
std::span<const Case> state_cases();
// Reading and writing JSON.
std::span<const Case> json_cases();
// Reading replies of models.
std::span<const Case> reader_cases();
// Looking for many keywords in a text.
std::span<const Case> keyword_cases();
// Whole replies on states.
std::span<const Case> engine_cases();
// Whole turns under a rulebook.
std::span<const Case> rules_cases();
// Campaigns that are kept.
std::span<const Case> ledger_cases();
// Campaigns that are kept on a database server.
std::span<const Case> postgres_cases();
// Narrations against the truth.
std::span<const Case> conflict_cases();
// Lore and whole prompts.
std::span<const Case> prompt_cases();
// Whole turns of campaigns.
std::span<const Case> campaign_cases();
// Durable turns over HTTP.
std::span<const Case> server_cases();
// Streamed chats over HTTP.
std::span<const Case> stream_cases();
// The limits of the machine, as a reference for our results.
std::span<const Case> physics_cases();

}  // namespace arbiter::bench
