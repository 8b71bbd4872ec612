// Goal: nothing is stored that cannot be read again (acceptance ledger D1, D1b; dos D1, D2): bytes,
// nesting and UTF-8 are checked before a commit with the limits of reading.
#include "ledger/budget.h"

#include "base/limits.h"
#include "tests/ledger/support.h"
#include "value/hash.h"

namespace arbiter::ledger {
namespace {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

NewCampaign campaign_on(Value document) {
    NewCampaign begin = beginning("c");
    begin.state.document = std::move(document);
    return begin;
}

// The document with a text of so many bytes that the state prints as `bytes`.
Value document_of(std::size_t bytes) {
    const std::size_t around = print_state({Value(Object{{"a", ""}}), {}}).size();
    // Escapes keep the document light and its text heavy: the limit is that of the text.
    std::string text((bytes - around) / 6, '\x01');
    text.append((bytes - around) % 6, 'x');
    return Object{{"a", std::string_view(text)}};
}

TEST(Budget, AStateIsStoredUpToItsLimit) {
    for (const std::size_t bytes : {base::kRecordTextBytesMax, base::kRecordTextBytesMax + 1}) {
        const auto store = make_memory_store();
        const NewCampaign begin = campaign_on(document_of(bytes));
        ASSERT_EQ(print_state(begin.state).size(), bytes);
        const auto begun = Campaign::begin(*store, begin);
        if (bytes > base::kRecordTextBytesMax) {
            ASSERT_FALSE(begun);
            EXPECT_EQ(begun.error().code, ErrorCode::kStateTooLarge);
            EXPECT_TRUE(store->campaigns()->empty());
        } else {
            ASSERT_TRUE(begun);
            EXPECT_TRUE(Campaign::open(*store, "c"));
        }
    }
}

// A turn may not make the state larger than it can be read, however small its own change is.
TEST(Budget, AStateDoesNotGrowPastItsLimit) {
    const auto store = make_memory_store();
    Campaign campaign =
        Campaign::begin(*store, campaign_on(document_of(base::kRecordTextBytesMax - 20))).value();
    engine::State after = campaign.state();
    after.document = after.document.as_object().set("b", 1);  // ,"b":1
    ASSERT_TRUE(campaign.edit(after, 1, "grow"));
    after.document = after.document.as_object().set("c", "0123456789");
    const auto grown = campaign.edit(after, 2, "grow");
    ASSERT_FALSE(grown);
    EXPECT_EQ(grown.error().code, ErrorCode::kStateTooLarge);
    EXPECT_EQ(campaign.number(), 1);
    EXPECT_TRUE(Campaign::open(*store, "c"));
}

// One text of a record, at its limit and one byte above.
TEST(Budget, ARecordIsStoredUpToItsLimit) {
    for (const std::size_t bytes : {base::kRecordTextBytesMax, base::kRecordTextBytesMax + 1}) {
        Record record;
        record.campaign = "c";
        record.state = std::string(32, 'a');
        record.said = std::string(1, 'x');
        const std::size_t around = print_record(record).details_part.size() - 1;
        record.said = std::string((bytes - around) / 6, '\x01');
        record.said.append((bytes - around) % 6, 'x');
        const EncodedRecord encoded = print_record(record);
        ASSERT_EQ(encoded.details_part.size(), bytes);
        const auto checked = check_encoded(encoded);
        EXPECT_EQ(checked.has_value(), bytes <= base::kRecordTextBytesMax);
        EXPECT_EQ(parse_record(encoded).has_value(), checked.has_value());
    }
}

// A document that shares its parts prints as 2^24 values, but takes a kilobyte of memory.
TEST(Budget, SharedPartsCountAsOftenAsTheyAreWritten) {
    Value doubled = Array{1};
    for (int i = 0; i < 24; ++i) {
        doubled = Array{doubled, doubled};
    }
    EXPECT_GT(value::weigh(doubled), base::kRecordTextBytesMax);
    Record record;
    record.steps.push_back({{value::Change::Kind::kAdd, {"a"}, 0, {}, doubled}});
    EXPECT_EQ(check_budget(record).error().code, ErrorCode::kRecordTooLarge);
    EXPECT_EQ(measure_state({Value(Object{{"a", doubled}}), {}}).error().code,
              ErrorCode::kStateTooLarge);
}

Value nested(std::size_t levels) {
    Value value = 1;
    for (std::size_t i = 0; i < levels; ++i) {
        value = Array{std::move(value)};
    }
    return value;
}

// A record and a state add levels of their own around the values of a document.
TEST(Budget, WhatIsNestedTooDeeplyIsNotStored) {
    const auto store = make_memory_store();
    EXPECT_EQ(Campaign::begin(*store, campaign_on(nested(base::kDepthMax))).error().code,
              ErrorCode::kRecordTooDeep);
    Campaign campaign = Campaign::begin(*store, campaign_on(nested(base::kDepthMax - 1))).value();
    ASSERT_TRUE(Campaign::open(*store, "c"));
    engine::State after = campaign.state();
    after.document = Object();
    EXPECT_EQ(campaign.edit(after, 1, "clear").error().code, ErrorCode::kRecordTooDeep);
    // A change deep inside holds only what changed.
    after.document = nested(base::kDepthMax - 2);
    EXPECT_TRUE(campaign.edit(after, 1, "cut"));
    EXPECT_TRUE(Campaign::open(*store, "c"));
}

TEST(Budget, BytesThatAreNotUtf8AreRepairedOrRefused) {
    const auto store = make_memory_store();
    NewCampaign begin = beginning("c");
    begin.name = "a\xff";
    Campaign campaign = Campaign::begin(*store, begin).value();
    EXPECT_EQ(campaign.row().name, "a\xEF\xBF\xBD");
    ASSERT_TRUE(campaign.checkpoint("b\xfe", 1, 0));
    EXPECT_EQ(campaign.checkpoints()->at(0).label, "b\xEF\xBF\xBD");
    engine::State after = campaign.state();
    after.document = Object{{"a", "\xff"}};
    EXPECT_EQ(campaign.edit(after, 1, "edit").error().code, ErrorCode::kNotUtf8);
    EXPECT_EQ(campaign.number(), 0);
    EXPECT_EQ(Campaign::begin(*store, campaign_on(after.document)).error().code,
              ErrorCode::kNotUtf8);
    begin.id = "c\xff";
    EXPECT_EQ(Campaign::begin(*store, begin).error().code, ErrorCode::kCampaignId);
}

}  // namespace
}  // namespace arbiter::ledger
