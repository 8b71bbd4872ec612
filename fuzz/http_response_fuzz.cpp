// Any bytes as an HTTP response, chunked bodies included: pieces of any size give the same, and a
// response that we accept is the one that Boost.Beast reads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/support/http_twin.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    tests::check_message<false>(net::internal::ResponseParser(false), bytes);
    return 0;
}
