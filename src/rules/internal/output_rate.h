// OutputRate: the amount by which a stock changes over time, as authors and models write it: "3/d",
// "-20(袋)/周", "5-8/月", "每天3"; and the stock itself: 100, "100", "10(盏)". Pure functions.
//
// All arithmetic is on whole numbers: many short steps give the same stock as one long step.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::rules::internal {

// A range counts as its middle.
struct OutputRate {
    std::int64_t low = 0;  // in units of 10^-decimals
    std::int64_t high = 0;
    int decimals = 0;
    std::int64_t days = 1;    // of one period
    bool has_period = false;  // the text names the period; otherwise it is a day
};
// A number, or a text. Nothing if it is not understood as a whole.
std::optional<OutputRate> parse_rate(const value::Value& written);
// Whether a text has a number at all: "少量" and "无限" are words, not mistakes.
bool has_digit(const value::Value& written);

struct Accrual {
    value::Value stock;      // in the form in which it was written, and not below 0
    std::int64_t carry = 0;  // the part of a unit that is still to come
};
// The stock after some days. Nothing if the stock is not a number ("无限") or becomes too large.
std::optional<Accrual> accrue(const OutputRate& rate, const value::Value& stock, std::int64_t days,
                              std::int64_t carry);
// Whether the stock is a number, alone or with a unit.
bool is_stock(const value::Value& written);

}  // namespace arbiter::rules::internal
