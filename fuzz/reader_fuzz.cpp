// Any bytes as a reply: however they are cut, the events are the same; nothing of a command is both
// shown and taken; spans lie inside the reply; every refusal has its words.
//
// The first byte chooses the dialects and hints, the second how the reply is cut.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "proposal/describe.h"
#include "reader/reader.h"
#include "tests/support/trace.h"
#include "text/utf8.h"

using namespace arbiter;

namespace {

reader::Options options_of(std::uint8_t choice) {
    reader::Options options;
    using enum proposal::Dialect;
    const reader::Dialects kChoices[] = {{kTavern},   {kMemory},      {kJson, kMvu},
                                         {kFilament}, {kMvu, kPatch}, reader::Dialects::all()};
    options.dialects = kChoices[choice % 6];
    if ((choice & 0x40) != 0) {
        options.hints = {{"live", reader::TagMeaning::kComponent},
                         {"b", reader::TagMeaning::kExecute},
                         {"i", reader::TagMeaning::kIgnore},
                         {"content", reader::TagMeaning::kDisplay}};
    }
    options.hybrid_both = (choice & 0x80) != 0;
    options.show_thinking = (choice & 0x20) != 0;
    return options;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view reply(reinterpret_cast<const char*>(data + 2), size - 2);
    const reader::Options options = options_of(data[0]);
    const std::string whole = tests::trace(reply, options, std::vector<std::size_t>{});

    std::vector<std::size_t> cuts;
    std::uint32_t state = data[1] + 1U;
    for (std::size_t at = 0; at < reply.size();) {
        state = state * 1664525U + 1013904223U;
        at += data[1] < 64 ? 1 : 1 + (state >> 24) % (data[1] < 160 ? 7U : 60U);
        if (at < reply.size()) {
            cuts.push_back(at);
        }
    }
    CHECK(tests::trace(reply, options, cuts) == whole);

    const reader::Reading reading = reader::read(reply, options);
    // Each broken byte may become a character of three bytes.
    const std::size_t end = 3 * reply.size() + 3;
    CHECK(text::is_valid(reading.text));
    for (const proposal::Proposal& each : reading.proposals) {
        CHECK(each.span.begin <= each.span.end && each.span.end <= end);
        CHECK(text::is_valid(each.raw));
        for (const proposal::Problem& problem : each.problems) {
            CHECK(!explain(problem, base::Language::kEnglish).empty());
            CHECK(!explain(problem, base::Language::kChinese).empty());
        }
        static_cast<void>(describe(each));
        static_cast<void>(to_value(each));
    }
    return 0;
}
