// Account: what happened in one step of a transcript, as the texts of its sections. Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "reader/reader.h"
#include "turn/attempt.h"
#include "turn/turn_result.h"
#include "value/diff.h"

namespace arbiter::transcript::internal {

// One line for each element of a list.
template <typename List, typename Line>
std::string lines(const List& list, Line line) {
    std::string text;
    for (const auto& each : list) {
        text += text.empty() ? "" : "\n";
        text += line(each);
    }
    return text;
}

// The texts by the names of their sections.
using Account = std::map<std::string_view, std::string>;

void tell_reading(Account& account, const reader::Reading& reading);
void tell_attempt(Account& account, const turn::Attempt& attempt);
// `a.b: 1 → 2`, one line for each change.
std::string print_changes(const value::Diff& changes);
// `committed (2 attempts)`
std::string status_of(const turn::TurnResult& result);

}  // namespace arbiter::transcript::internal
