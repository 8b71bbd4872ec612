// Any bytes as a rulebook: diagnostics with their words and places, or rules under which a few
// turns are played twice with the same end. The text is YAML; what is odd about it is the
// rulebook's affair.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/messages.h"
#include "config/rulebooks.h"
#include "reader/reader.h"
#include "rules/blueprint.h"
#include "tests/support/judging.h"
#include "value/json.h"

using namespace arbiter;

namespace {

// Names that rulebooks of the corpus use, and shapes that they may not expect.
constexpr std::string_view kDocument = R"({"a":1,"b":[2,"d"],"c":{"x":{"n":3},"y":{"n":"4"}},
    "l":[{"n":1},{"n":0},5],"d":"03月05日","t":"23:00","w":"星期一","s":{"k":1},"g":{"h":1},
    "npc":{"甲":{"_filter":true},"乙":[{"_filter":"true"}]},"e":null})";
constexpr std::string_view kReplies[] = {
    "甲 speaks.\n<UpdateVariable>\n_.set('a', 5);_.set('c.x.n', 0);_.remove('l', 0);\n"
    "_.set('t', '01:00');_.insert('s', 'm', 2);_.insert('g', 'm', 2);\n</UpdateVariable>",
    "<UpdateVariable>\n_.set('d', '12月31日');_.remove('npc');_.set('b', 9);\n</UpdateVariable>",
    "[{\"op\":\"assign\",\"path\":[\"c\"],\"value\":{}},"
    "{\"op\":\"assign\",\"path\":[\"d\"],\"value\":\"01月02日\"}]"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto book = config::load_rulebook_text(
        "fuzz.yaml", std::string(reinterpret_cast<const char*>(data), size));
    if (!book) {
        for (const base::Error& error : book.error().errors) {
            CHECK(!base::explain(error, base::Language::kEnglish).empty());
            CHECK(!base::explain(error, base::Language::kChinese).empty());
            CHECK(!error.place || error.place->offset <= size);
        }
        return 0;
    }
    const turn::Rules rules = tests::rules_of(engine::Policy(), {*book});
    engine::State state{value::parse_json(kDocument).value(), {}};
    state.document = rules::with_blueprint(state.document, (*book)->blueprint);
    engine::State again = state;
    rules::Memories memories;
    for (const std::string_view reply : kReplies) {
        const reader::Reading reading = reader::read(reply);
        const auto live =
            tests::judge(state, reading.proposals, reading.text, rules, {}, &memories);
        const auto replayed = tests::judge(again, reading.proposals, reading.text, rules);
        CHECK(live.outcome.state == replayed.outcome.state);
        CHECK(live.settled == replayed.settled);
        state = live.outcome.state;
        again = replayed.outcome.state;
    }
    return 0;
}
