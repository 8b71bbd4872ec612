// Any bytes as a protocol beside the embedded ones: either diagnostics with positions, or a
// protocol that resolves deterministically, whose examples are never commands, and whose tags and
// limits the reader and the engine accept.
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/messages.h"
#include "config/diagnostics.h"
#include "config/embedded.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "protocol/activation.h"
#include "protocol/describe.h"
#include "reader/reader.h"
#include "tests/support/judging.h"
#include "value/json.h"

using namespace arbiter;

namespace {

constexpr std::string_view kDocument = R"({"a":1,"b":[2,"d"],"c":{"x":{"n":3}},"d":"03月05日"})";
constexpr std::string_view kReply =
    "<live>x</live><a>_.set('a', 5);</a>\n<UpdateVariable>\n_.add('a', 9);_.add('b', -9);\n"
    "_.set('c.x.n', 100);\n</UpdateVariable><use_protocol id=\"a\"/>";

std::expected<protocol::Protocol, config::FileDiagnostics> compiled(const std::string& file,
                                                                    const std::string& text) {
    const auto parsed = config::parse_yaml(file, text);
    if (!parsed) {
        return std::unexpected(config::FileDiagnostics{file, text, {parsed.error()}});
    }
    auto made = protocol::Protocol::compile(parsed->value, calendar::shared_calendars());
    if (!made) {
        return std::unexpected(config::diagnostics_of(*parsed, made.error()));
    }
    return std::move(*made);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    auto made = compiled("fuzz.yaml", text);
    if (!made) {
        for (const base::Error& error : made.error().errors) {
            CHECK(!base::explain(error, base::Language::kEnglish).empty());
            CHECK(!base::explain(error, base::Language::kChinese).empty());
            CHECK(!error.place || error.place->offset <= size);
        }
        return 0;
    }
    const std::string id = made->id;
    static const std::vector<protocol::Library::Entry> ours = [] {
        std::vector<protocol::Library::Entry> all;
        for (const config::EmbeddedFile& each : config::built_in_protocols()) {
            auto one = compiled(std::string(each.name), std::string(each.text));
            all.push_back({std::string(each.name), 0, std::move(*one)});
        }
        return all;
    }();
    std::vector<protocol::Library::Entry> entries = ours;
    entries.push_back({"fuzz.yaml", 1, std::move(*made)});
    const auto library = protocol::Library::make(std::move(entries));
    (void)library.check();
    const std::vector<protocol::ProtocolRequest> requests = {
        {id, {}}, {"live_stream_mode", {}}, {id, {}}};
    const protocol::Resolved now = library.resolve(requests);
    CHECK(value::print_json(to_value(now, base::Language::kChinese)) ==
          value::print_json(to_value(library.resolve(requests), base::Language::kChinese)));
    reader::Options options;
    options.hints = now.hints;
    for (const protocol::Injection& each : now.examples) {
        const reader::Reading block = reader::read(each.text, options);
        CHECK(block.proposals.empty() && block.components.empty());
    }
    const reader::Reading reading = reader::read(kReply, options);
    const turn::Rules rules = tests::rules_of(engine::Policy(), now.constraints);
    const engine::State state{value::parse_json(kDocument).value(), {}};
    const auto played = tests::judge(state, reading.proposals, reading.text, rules);
    CHECK(played.outcome.verdicts.size() == reading.proposals.size());
    const auto result =
        protocol::update_activation({}, protocol::Speaker::kPlayer, text, 1, library);
    CHECK(protocol::active(result.meta).size() <= library.rows().size());
    return 0;
}
