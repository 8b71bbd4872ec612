// JSON whose strings may hold bytes that are not UTF-8.
//
// A server that cuts its text between tokens may cut characters: {"content": "\xE4\xBD"}, then
// {"content": "\xA0"}. Strict JSON has no such strings. Each broken byte is parsed as a private
// character and turned back into the byte by bytes_of(), so that the parts can be joined.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "value/value.h"

namespace arbiter::openai::internal {

class RawJson {
  public:
    static base::Result<RawJson> parse(std::string_view text);

    [[nodiscard]] const value::Value& value() const noexcept { return value_; }
    // The bytes of a string of the value.
    [[nodiscard]] std::string bytes_of(std::string_view text) const;

  private:
    value::Value value_;
    bool has_raw_bytes_ = false;
};

}  // namespace arbiter::openai::internal
