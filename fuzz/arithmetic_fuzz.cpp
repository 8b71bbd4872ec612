// Any bytes as arithmetic: nothing, or a number that reads back as itself; blanks around the text
// change nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "expr/arithmetic.h"
#include "value/json.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto number = expr::evaluate(text);
    if (number) {
        CHECK(number->is_number());
        CHECK(expr::evaluate(value::print_json(*number)) == number);
    }
    const std::string padded = " " + std::string(text) + "\n";
    CHECK(padded.size() > base::kArithmeticBytesMax || expr::evaluate(padded) == number);
    if (const auto change = expr::relative(text)) {
        CHECK(change->operand.is_number());
        CHECK(std::string_view("+-*/").find(change->op) != std::string_view::npos);
        CHECK(!number);
    }
    return 0;
}
