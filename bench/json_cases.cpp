// JSON text to document and back, and simdjson's DOM as the limit.
#include <simdjson.h>

#include "base/check.h"
#include "bench/cases.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

using value::Value;

Value parsed(const Document& document) {
    auto result = value::parse_json(document.text);
    CHECK(result.has_value());
    return *std::move(result);
}

std::vector<std::pair<std::string_view, double>> byte_count(const Request& request) {
    return {{"bytes", static_cast<double>(request.document->text.size())}};
}

// Only making the document: the documents of a batch are dropped off the clock.
Answer measure_parse(const Request& request) {
    std::vector<Value> made;
    return {measure(
                request.target_ms, [&] { made.push_back(parsed(*request.document)); },
                [&] { made.clear(); }),
            byte_count(request)};
}

// Making the document and dropping the one before, as a garbage collected peer pays for both.
Answer measure_parse_drop(const Request& request) {
    Value made;
    return {measure(request.target_ms, [&] { made = parsed(*request.document); }),
            byte_count(request)};
}

std::string check_parse(const Request& request) {
    return value::print_json(parsed(*request.document));
}

Answer measure_print(const Request& request) {
    return {measure(request.target_ms, [&] { keep(value::print_json(request.document->root)); }),
            byte_count(request)};
}

std::string check_print(const Request& request) {
    return value::print_json(request.document->root);
}

// Two documents that share nothing.
Answer measure_equal(const Request& request) {
    const Value other = parsed(*request.document);
    return {measure(request.target_ms,
                    [&] {
                        const bool equal = request.document->root == other;
                        CHECK(equal);
                        keep(equal);
                    }),
            byte_count(request)};
}

std::string check_equal(const Request& request) {
    return request.document->root == parsed(*request.document) ? "true" : "false";
}

// simdjson at its best: one parser whose memory is used again, and text that is already padded.
Answer measure_simdjson(const Request& request) {
    const simdjson::padded_string text(request.document->text);
    simdjson::dom::parser parser;
    return {measure(request.target_ms,
                    [&] {
                        const auto error = parser.parse(text).error();
                        CHECK(error == simdjson::SUCCESS);
                        keep(parser);
                    }),
            byte_count(request)};
}

std::string check_simdjson(const Request& request) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    CHECK(parser.parse(request.document->text).get(root) == simdjson::SUCCESS);
    return simdjson::minify(root);
}

constexpr Case kCases[] = {
    {"parse", measure_parse, check_parse},          {"parse_drop", measure_parse_drop, check_parse},
    {"print", measure_print, check_print},          {"equal", measure_equal, check_equal},
    {"simdjson", measure_simdjson, check_simdjson},
};

}  // namespace

std::span<const Case> json_cases() {
    return kCases;
}

}  // namespace arbiter::bench
