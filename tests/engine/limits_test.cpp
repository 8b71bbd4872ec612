// Goal: a document grows up to its limit and not beyond, however the growth comes about, and what
// was refused leaves the count as it was.
#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "reader/reader.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter {
namespace {

using engine::Outcome;
using engine::State;
using proposal::Code;
using proposal::Status;
using value::Object;
using value::Value;

Outcome outcome_of(const State& state, const std::string& reply) {
    reader::Options options;
    options.dialects = {proposal::Dialect::kJson};
    const reader::Reading reading = reader::read(reply, options);
    engine::Policy policy;
    policy.set_creates = true;
    engine::Context context;
    context.batch_id = "t";
    return engine::apply(state, reading.proposals, policy, context);
}

std::string assign(const std::string& key, const std::string& text) {
    return "{\"op\":\"assign\",\"path\":[\"" + key + "\"],\"value\":\"" + text + "\"}\n";
}

// A document that weighs `weight`: {"a": "xxx…"}.
State state_of(std::uint64_t weight) {
    const std::uint64_t around = value::fingerprint_of(Object{{"a", ""}}).weight;
    State state{Object{{"a", std::string_view(std::string(weight - around, 'x'))}}, {}};
    EXPECT_EQ(value::fingerprint_of(state.document).weight, weight);
    return state;
}

TEST(EngineLimits, ADocumentGrowsToItsWeightAndNoFurther) {
    // A member "b" with text costs 1 for its key, 8 for the value, and its text.
    const State state = state_of(base::kDocumentWeightMax - 19);
    EXPECT_EQ(outcome_of(state, assign("b", "0123456789")).verdicts.at(0).status, Status::kApplied);
    const Outcome over = outcome_of(state, assign("b", "0123456789+"));
    EXPECT_EQ(over.verdicts.at(0).status, Status::kRejected);
    EXPECT_EQ(over.verdicts.at(0).problem->code, Code::kTooLarge);
    EXPECT_TRUE(over.verdicts.at(0).changes.empty());
    EXPECT_EQ(over.state, state);
    // Refused, replaced and deleted values do not count towards the limit.
    const Outcome many = outcome_of(
        state, assign("b", "0123456789") + assign("c", "") + assign("b", "x") + assign("c", "") +
                   assign("d", "") + "{\"op\":\"delete\",\"path\":[\"b\"]}\n" + assign("d", "0"));
    std::string statuses;
    for (const engine::Verdict& verdict : many.verdicts) {
        statuses += verdict.status == Status::kApplied ? 'a' : '-';
    }
    EXPECT_EQ(statuses, "a-aa-aa");
    EXPECT_LE(value::fingerprint_of(many.state.document).weight, base::kDocumentWeightMax);
}

TEST(EngineLimits, WhatIsTooHeavyCanBeMadeLighter) {
    const State state = state_of(base::kDocumentWeightMax + 100);
    EXPECT_EQ(outcome_of(state, assign("b", "")).verdicts.at(0).status, Status::kRejected);
    const Outcome lighter = outcome_of(state, assign("a", "x") + assign("b", "y"));
    EXPECT_EQ(lighter.verdicts.at(0).status, Status::kApplied);
    EXPECT_EQ(lighter.verdicts.at(1).status, Status::kApplied);
}

// Copied into itself again and again, a document would soon be heavier than the world. The batch
// ends in no time all the same.
TEST(EngineLimits, ADocumentThatIsCopiedIntoItselfIsStopped) {
    State state{*value::parse_json(R"({"a":{"x":["y"]}})"), {}};
    std::string reply = "[";
    for (int i = 0; i < 300; ++i) {
        const std::string name = std::to_string(i);
        reply += std::string(i > 0 ? "," : "") +
                 "{\"op\":\"copy\",\"from\":\"/a\",\"path\":\"/a/c" + name + "\"}";
    }
    reply += "]";
    reader::Options options;
    options.dialects = {proposal::Dialect::kPatch};
    const reader::Reading reading = reader::read(reply, options);
    ASSERT_EQ(reading.proposals.size(), 300U);
    const Outcome outcome = engine::apply(state, reading.proposals, engine::Policy(), {});
    EXPECT_LE(value::fingerprint_of(outcome.state.document).weight, base::kDocumentWeightMax);
    EXPECT_EQ(outcome.verdicts.back().status, Status::kRejected);
    EXPECT_GT(value::find(outcome.state.document, {"a"})->as_object().size(), 10U);
}

// A command on a list costs what it changes: pushing onto a large list, many times, takes
// milliseconds, and minutes if each compares all elements.
TEST(EngineLimits, AListCommandCostsWhatItChanges) {
    constexpr std::int64_t kElements = 100'000;
    value::Array list;
    for (std::int64_t i = 0; i < kElements; ++i) {
        list = std::move(list).push_back(i);
    }
    std::string reply;
    for (int i = 0; i < 20; ++i) {
        reply += R"({"op":"push","path":["L"],"value":1})";
        reply += R"({"op":"splice","path":["L"],"value":{"start":5,"deleteCount":1}})";
    }
    const Outcome outcome = outcome_of({Object{{"L", list}}, {}}, reply);
    EXPECT_EQ(outcome.verdicts.size(), 40U);
    EXPECT_EQ(outcome.verdicts[0].status, Status::kApplied);
}

TEST(EngineLimits, RecordsOfABatchAreThoseOfItsCommands) {
    const State state = state_of(100);
    reader::Options options;
    const reader::Reading reading = reader::read(
        assign("b", "一") + assign("c", "二") + "{\"op\":\"push\",\"path\":[\"a\"],\"value\":1}\n" +
            "{\"op\":\"delete\",\"path\":[\"b\"],\"tags\":[\"t\"]}\n" + assign("a", "三"),
        options);
    engine::Policy policy;
    policy.set_creates = true;
    const engine::Context context{.now = -1, .actor = engine::Actor::kModel, .batch_id = "t"};
    const Outcome outcome = engine::apply(state, reading.proposals, policy, context);
    const auto records = engine::audit_records(reading.proposals, outcome, context);
    ASSERT_EQ(records.size(), 5U);
    for (std::size_t i = 0; i < records.size(); ++i) {
        Outcome single;
        single.verdicts = {outcome.verdicts[i]};
        const auto one = engine::audit_records({&reading.proposals[i], 1}, single, context);
        ASSERT_EQ(one.size(), 1U);
        EXPECT_EQ(value::print_json(records[i]), value::print_json(one[0]));
    }
    EXPECT_EQ(records[0].as_object().find("time")->as_string(), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace arbiter
