// Reading replies: what a Reader does with whole texts and with texts in small pieces, and broken
// JSON to values.
#include <simdjson.h>

#include <algorithm>

#include "base/check.h"
#include "bench/cases.h"
#include "reader/literal.h"
#include "reader/reader.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::bench {
namespace {

using value::Array;
using value::Object;
using value::Value;

// As small as the pieces that a model streams: about a token, and often half a character.
constexpr std::size_t kFeedBytes = 5;

// Looks at nothing, so that only the reader is timed.
class Counter final : public reader::Sink {
  public:
    void text(std::string_view text) override { bytes_ += text.size(); }
    void withdraw() override { bytes_ = 0; }
    void candidate(proposal::Proposal&&) override { ++candidates_; }
    void lost(std::size_t, std::string_view) override {}

  private:
    std::size_t bytes_ = 0;
    std::size_t candidates_ = 0;
};

void read_pieces(std::string_view text, std::size_t piece, reader::Sink& sink) {
    reader::Reader reader;
    while (!text.empty()) {
        reader.feed(text.substr(0, piece), sink);
        text.remove_prefix(std::min(piece, text.size()));
    }
    reader.finish(sink);
}

Answer measure_pieces(const Request& request, std::size_t piece) {
    Counter counter;
    Answer answer{
        measure(request.target_ms, [&] { read_pieces(request.document->text, piece, counter); })};
    keep(counter);
    return answer;
}
Answer measure_read(const Request& request) {
    return measure_pieces(request, request.document->text.size());
}
Answer measure_feeds(const Request& request) {
    return measure_pieces(request, kFeedBytes);
}

// The visible text, and the text of every candidate.
std::string check_pieces(const Request& request, std::size_t piece) {
    reader::Collector collector;
    const std::string_view text = request.document->text;
    for (std::size_t at = 0; at < text.size(); at += piece) {
        collector.feed(text.substr(at, piece));
    }
    const reader::Reading reading = collector.finish();
    std::vector<Value> commands;
    for (const proposal::Proposal& each : reading.proposals) {
        CHECK(each.problems.empty());
        commands.emplace_back(std::string_view(each.raw));
    }
    for (const reader::Reading::Lost& each : reading.lost) {
        commands.emplace_back(std::string_view(each.proposal.raw));
    }
    return value::print_json(
        Object{{"text", std::string_view(reading.text)}, {"commands", Array(commands)}});
}
std::string check_read(const Request& request) {
    return check_pieces(request, request.document->text.size());
}
std::string check_feeds(const Request& request) {
    return check_pieces(request, kFeedBytes);
}

Value literal(const Document& document) {
    auto parsed = reader::parse_literal(document.text, 0);
    CHECK(parsed.has_value());
    return std::move(parsed->value);
}

// With the one before dropped, as a garbage collected peer pays for both.
Answer measure_literal(const Request& request) {
    Value made;
    return {measure(request.target_ms, [&] { made = literal(*request.document); })};
}
std::string check_literal(const Request& request) {
    return value::print_json(literal(*request.document));
}

// With vectors of 32 bytes, where there are any: what wider ones gain differs between processors by
// more than their speed does.
const simdjson::implementation& utf8_check() {
    const simdjson::implementation* usual = simdjson::get_available_implementations()["haswell"];
    return usual != nullptr && usual->supported_by_runtime_system()
               ? *usual
               : *simdjson::get_active_implementation();
}

// Looking at every byte once: the limit of all who must know that a text is UTF-8.
Answer measure_utf8(const Request& request) {
    const std::string& text = request.document->text;
    const simdjson::implementation& check = utf8_check();
    return {measure(request.target_ms, [&] {
        const bool valid = check.validate_utf8(text.data(), text.size());
        CHECK(valid);
        keep(valid);
    })};
}
std::string check_utf8(const Request&) {
    return "";
}

constexpr Case kCases[] = {
    {"read", measure_read, check_read},         {"read_feeds", measure_feeds, check_feeds},
    {"read_hostile", measure_read, check_utf8}, {"literal", measure_literal, check_literal},
    {"utf8", measure_utf8, check_utf8},
};

}  // namespace

std::span<const Case> reader_cases() {
    return kCases;
}

}  // namespace arbiter::bench
