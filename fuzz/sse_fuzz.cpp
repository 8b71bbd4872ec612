// Any bytes as a stream of server-sent events: any split gives the events of a second decoder, and
// printed events are read as they were.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/support/sse_twin.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::check_events({reinterpret_cast<const char*>(data), size});
    return 0;
}
