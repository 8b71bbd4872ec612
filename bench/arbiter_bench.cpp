// arbiter-bench: does what it is asked on standard input, one JSON object a line, and answers each
// with one line. bench/run.mjs drives it; bench/peers.mjs speaks the same language.
//
//   {"case":"set","file":"state-4k.json","path":["a",0],"turn":[["a",0]],"target_ms":50}
//       -> {"samples":[312.5,…],"batch":512,"counters":{}}
//   {"case":"set","file":"state-4k.json","path":["a",0],"check":true}
//       -> {"result":"{…}"}
//   anything wrong
//       -> {"error":"…"}
#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "bench/cases.h"
#include "bench/sockets.h"
#include "bench/stream_load.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::bench {
namespace {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

const Case* find_case(std::string_view name) {
    const std::array all = {state_cases(),    json_cases(),     reader_cases(),  engine_cases(),
                            keyword_cases(),  rules_cases(),    ledger_cases(),  postgres_cases(),
                            prompt_cases(),   campaign_cases(), physics_cases(), server_cases(),
                            conflict_cases(), stream_cases()};
    for (const std::span<const Case> cases : all) {
        const auto found = std::ranges::find(cases, name, &Case::name);
        if (found != cases.end()) {
            return &*found;
        }
    }
    return nullptr;
}

// The document of a file, read once; only *.json must be JSON. Addresses stay.
const Document* load(const std::string& file) {
    static std::map<std::string, Document> loaded;
    if (const auto known = loaded.find(file); known != loaded.end()) {
        return &known->second;
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
        return nullptr;
    }
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    auto root = file.ends_with(".json") ? value::parse_json(text) : Value();
    if (!root) {
        return nullptr;
    }
    return &loaded.emplace(file, Document{std::move(text), *std::move(root)}).first->second;
}

std::string failure(std::string_view why) {
    return value::print_json(Object{{"error", Value(why)}});
}

// A whole number from 1 up.
std::int64_t count_or(const Object& object, std::string_view key, std::int64_t otherwise) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_int() && found->as_int() > 0 ? found->as_int() : otherwise;
}

std::optional<Path> path_at(const Value* value) {
    if (value == nullptr) {
        return Path{};
    }
    auto path = value::path_from_value(*value);
    return path ? std::optional(*std::move(path)) : std::nullopt;
}

std::optional<std::vector<Path>> turn_at(const Value* value) {
    std::vector<Path> turn;
    if (value == nullptr) {
        return turn;
    }
    if (!value->is_array()) {
        return std::nullopt;
    }
    for (const Value& item : value->as_array()) {
        auto path = path_at(&item);
        if (!path) {
            return std::nullopt;
        }
        turn.push_back(*std::move(path));
    }
    return turn;
}

Value to_value(const Answer& answer) {
    // Tenths of a nanosecond are beyond what the clock can tell; more digits would only fill files.
    std::vector<Value> samples;
    samples.reserve(answer.samples.ns.size());
    for (const double ns : answer.samples.ns) {
        samples.emplace_back(std::round(ns * 10) / 10);
    }
    Object counters;
    for (const auto& [name, number] : answer.counters) {
        counters = std::move(counters).set(name, std::round(number * 10) / 10);
    }
    return Object{{"samples", Array(samples)},
                  {"batch", static_cast<std::int64_t>(answer.samples.batch)},
                  {"counters", counters}};
}

std::string answer_line(const std::string& line) {
    const auto parsed = value::parse_json(line);
    if (!parsed || !parsed->is_object()) {
        return failure("a request is one JSON object a line");
    }
    const Object& object = parsed->as_object();
    const Value* name = object.find("case");
    const Value* file = object.find("file");
    if (name == nullptr || !name->is_string() || file == nullptr || !file->is_string()) {
        return failure("a request has a case and a file");
    }
    const Case* found = find_case(name->as_string());
    if (found == nullptr) {
        return failure("no such case");
    }
    const Document* document = load(std::string(file->as_string()));
    if (document == nullptr) {
        return failure("the file cannot be read, or is not JSON");
    }
    const Document* replies = nullptr;
    if (const Value* texts = object.find("replies"); texts != nullptr && texts->is_string()) {
        replies = load(std::string(texts->as_string()));
        if (replies == nullptr) {
            return failure("the replies cannot be read");
        }
    }
    auto path = path_at(object.find("path"));
    auto turn = turn_at(object.find("turn"));
    if (!path || !turn) {
        return failure("a path is an array of keys and indexes");
    }
    const auto there = [document](const Path& wanted) {
        return value::find(document->root, wanted) != nullptr;
    };
    if (!there(*path) || !std::ranges::all_of(*turn, there)) {
        return failure("the file has nothing at a path");
    }
    const Request request{.document = document,
                          .replies = replies,
                          .path = *std::move(path),
                          .turn = *std::move(turn),
                          .target_ms = static_cast<double>(count_or(object, "target_ms", 50)),
                          .count = static_cast<std::size_t>(count_or(object, "count", 1)),
                          .bytes = static_cast<std::size_t>(count_or(object, "bytes", 64))};
    const Value* check = object.find("check");
    if (check != nullptr && check->is_bool() && check->as_bool()) {
        return value::print_json(
            Object{{"result", Value(std::string_view(found->check(request)))}});
    }
    return value::print_json(to_value(found->measure(request)));
}

}  // namespace

std::vector<std::string_view> replies_of(const Request& request) {
    constexpr std::string_view kSeparator = "\f\n";  // as in bench/replies.mjs
    std::vector<std::string_view> replies;
    std::string_view rest = request.replies->text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(kSeparator), rest.size());
        replies.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + kSeparator.size(), rest.size()));
    }
    return replies;
}

}  // namespace arbiter::bench

// With --threads, a second thread sleeps along: from then on reference counts are atomic, as they
// are in a server.
//
// With --relay FROM TO and --model-server PORT it is a peer or a part of the cases of streams.
int main(int argc, char** argv) {
    const auto port = [argv](int at) { return static_cast<std::uint16_t>(std::atoi(argv[at])); };
    if (argc == 4 && std::string_view(argv[1]) == "--relay") {
        arbiter::bench::relay(port(2), port(3));
    }
    if (argc == 3 && std::string_view(argv[1]) == "--model-server") {
        arbiter::bench::serve_model(port(2));
    }
    if (argc > 1 && std::string_view(argv[1]) == "--threads") {
        std::thread([] {
            while (true) {
                std::this_thread::sleep_for(std::chrono::hours(1));
            }
        }).detach();
    }
    std::ios::sync_with_stdio(false);
    std::string line;
    while (std::getline(std::cin, line)) {
        std::cout << arbiter::bench::answer_line(line) << std::endl;
    }
    return 0;
}
