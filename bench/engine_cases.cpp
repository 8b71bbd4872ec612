// Whole replies on states: read, judged, applied and recorded.
#include <string_view>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/memory.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "reader/reader.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::bench {
namespace {

using engine::State;
using value::Value;

constexpr std::size_t kCommands = 8;

struct Answered {
    State state;
    std::vector<Value> records;
};

// All that happens to a reply before it is stored.
class Table {
  public:
    Table() {
        options_.dialects = {proposal::Dialect::kMvu, proposal::Dialect::kPatch};
        context_.now = 1'767'225'600'000;
        context_.batch_id = "turn_1000";
    }

    Answered answer(const State& before, std::string_view reply) const {
        const reader::Reading reading = reader::read(reply, options_);
        engine::Outcome outcome = engine::apply(before, reading.proposals, policy_, context_);
        Answered answered;
        answered.records = engine::audit_records(reading.proposals, outcome, context_);
        CHECK(answered.records.size() == kCommands);
        answered.state = std::move(outcome.state);
        return answered;
    }

  private:
    reader::Options options_;
    engine::Policy policy_;
    engine::Context context_;
};

State first_state(const Request& request) {
    value::seal(request.document->root);
    return {request.document->root, {}};
}

// Every reply on the same state; what came of the one before is dropped.
Answer measure_reply(const Request& request) {
    const std::vector<std::string_view> replies = replies_of(request);
    const State before = first_state(request);
    const Table table;
    std::size_t number = 0;
    return {measure(request.target_ms, [&] {
        keep(table.answer(before, replies[number]));
        number = (number + 1) % replies.size();
    })};
}

// All replies one after the other, with records that lead back to the beginning.
std::string check_reply(const Request& request) {
    const Table table;
    State state = first_state(request);
    std::vector<Value> records;
    for (const std::string_view reply : replies_of(request)) {
        Answered answered = table.answer(state, reply);
        state = std::move(answered.state);
        records.insert(records.end(), answered.records.begin(), answered.records.end());
    }
    const auto undone = engine::undo(state.document, records);
    CHECK(undone && same_bytes(*undone, request.document->root));
    return value::print_json(state.document);
}

// The memory that a retained turn adds: its state, and with `records` the records of its commands.
Answer retained(const Request& request, bool records) {
    const std::vector<std::string_view> replies = replies_of(request);
    const Table table;
    std::vector<Answered> turns;
    turns.reserve(request.count + 1);
    turns.push_back({first_state(request), {}});
    const HeapUse before = heap_in_use();
    const double start = now_ns();
    for (std::size_t i = 0; i < request.count; ++i) {
        turns.push_back(table.answer(turns.back().state, replies[i % replies.size()]));
        if (!records) {
            turns.back().records = {};
        }
    }
    const auto count = static_cast<double>(request.count);
    const double ns = (now_ns() - start) / count;
    const HeapUse after = heap_in_use();
    const double bytes = (static_cast<double>(after.bytes) - static_cast<double>(before.bytes));
    return {{{ns}, request.count},
            {{"bytes_per_version", bytes / count + static_cast<double>(sizeof(Answered))}}};
}

Answer measure_retain(const Request& request) {
    return retained(request, false);
}
Answer measure_retain_records(const Request& request) {
    return retained(request, true);
}

// One push onto a list of so many elements, judged and recorded; the list it leads to is dropped.
Answer measure_push(const Request& request, std::int64_t elements) {
    value::Array list;
    for (std::int64_t i = 0; i < elements; ++i) {
        list = std::move(list).push_back(i);
    }
    const State before{value::Object{{"list", std::move(list)}}, {}};
    value::seal(before.document);
    reader::Options options;
    options.dialects = {proposal::Dialect::kJson};
    const reader::Reading reading =
        reader::read(R"({"op":"push","path":["list"],"value":1})", options);
    const engine::Policy policy;
    const engine::Context context;
    return {measure(request.target_ms, [&] {
        engine::Outcome outcome = engine::apply(before, reading.proposals, policy, context);
        CHECK(outcome.verdicts[0].status == proposal::Status::kApplied);
        keep(outcome);
    })};
}
Answer measure_push_1k(const Request& request) {
    return measure_push(request, 1'000);
}
Answer measure_push_100k(const Request& request) {
    return measure_push(request, 100'000);
}
std::string check_push(const Request&) {
    return "";
}

constexpr Case kCases[] = {
    {"push_1k", measure_push_1k, check_push},
    {"push_100k", measure_push_100k, check_push},
    {"reply", measure_reply, check_reply},
    {"retain_reply", measure_retain, check_reply},
    {"retain_reply_records", measure_retain_records, check_reply},
};

}  // namespace

std::span<const Case> engine_cases() {
    return kCases;
}

}  // namespace arbiter::bench
