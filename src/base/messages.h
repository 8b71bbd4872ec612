// The message catalogue: every error code in English and in Chinese.
//
// A message names the mistake and a form that works. Pure functions, safe from any thread.
#pragma once

#include <span>
#include <string_view>

#include "base/error.h"
#include "base/explain.h"

namespace arbiter::base {

struct Message {
    ErrorCode code;
    std::string_view name;     // the machine word, e.g. "json_bad_number"
    std::string_view english;  // {0}, {1} … stand for the error's arguments
    std::string_view chinese;
};

// All messages, one for each ErrorCode, in the order of the enum.
std::span<const Message> messages() noexcept;

std::string_view name(ErrorCode code) noexcept;

}  // namespace arbiter::base
