// Versions of a document: making them, copying them, comparing them, keeping many.
#include <cstdint>

#include "base/check.h"
#include "bench/cases.h"
#include "bench/memory.h"
#include "value/diff.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

using value::Editor;
using value::Path;
using value::PathSyntax;
using value::Value;

// The value that a check sets; no generated state contains it. bench/peers.mjs uses the same.
constexpr std::int64_t kMark = 424242;

Value with_leaf(const Value& root, const Path& path, std::int64_t number) {
    auto next = value::set(root, path, number);
    CHECK(next.has_value());
    return *std::move(next);
}

// The same value for every leaf of the turn, so that peers can do the same whatever stands there.
void set_all(Editor& editor, const std::vector<Path>& turn, std::int64_t number) {
    for (const Path& path : turn) {
        const auto done = editor.set(path, number);
        CHECK(done.has_value());
    }
}

Value after_turn(const Value& root, const std::vector<Path>& turn, std::int64_t number) {
    Editor editor(root);
    set_all(editor, turn, number);
    return std::move(editor).take();
}

// The result as JSON, after making sure that the old version is still what it was.
std::string checked(const Request& request, const Value& result) {
    CHECK(value::print_json(request.document->root) == request.document->text);
    return value::print_json(result);
}

// One leaf changed, the old version kept. Every operation starts from the same version and drops
// the version that the operation before it made: taking memory and giving it back are both inside.
Answer measure_set(const Request& request) {
    Value next;
    std::int64_t number = 0;
    return {measure(request.target_ms,
                    [&] { next = with_leaf(request.document->root, request.path, ++number); })};
}

std::string check_set(const Request& request) {
    return checked(request, with_leaf(request.document->root, request.path, kMark));
}

// A chain, each version made from the one before, and none dropped on the clock.
Answer measure_set_kept(const Request& request) {
    std::vector<Value> versions;
    std::int64_t number = 0;
    return {measure(
        request.target_ms,
        [&] { versions.push_back(with_leaf(versions.back(), request.path, ++number)); },
        [&] {
            versions.clear();
            versions.push_back(request.document->root);
        })};
}

Value with_parsed_path(const Request& request, const std::string& text, std::int64_t number) {
    const auto path = value::parse_path(text, PathSyntax::kDotted);
    CHECK(path.has_value());
    return with_leaf(request.document->root, *path, number);
}

// The path as text, as it comes in a proposal.
Answer measure_set_parse(const Request& request) {
    const std::string text = value::print_path(request.path, PathSyntax::kDotted);
    Value next;
    std::int64_t number = 0;
    return {measure(request.target_ms, [&] { next = with_parsed_path(request, text, ++number); })};
}

std::string check_set_parse(const Request& request) {
    const std::string text = value::print_path(request.path, PathSyntax::kDotted);
    return checked(request, with_parsed_path(request, text, kMark));
}

// The new version also gets its hashes; the old one has them.
Answer measure_set_seal(const Request& request) {
    value::seal(request.document->root);
    Value next;
    std::int64_t number = 0;
    return {measure(request.target_ms, [&] {
        next = with_leaf(request.document->root, request.path, ++number);
        keep(value::seal(next));
    })};
}

std::string check_set_seal(const Request& request) {
    value::seal(request.document->root);
    const Value next = with_leaf(request.document->root, request.path, kMark);
    const value::Fingerprint sealed = value::seal(next);
    const auto again = value::parse_json(value::print_json(next));
    CHECK(again.has_value() && value::fingerprint_of(*again) == sealed);
    return checked(request, next);
}

// Sets in an editor that alone holds its nodes: in place, without history.
Answer measure_edit(const Request& request) {
    Editor editor(request.document->root);
    std::int64_t number = 0;
    return {measure(request.target_ms, [&] {
        const auto done = editor.set(request.path, ++number);
        CHECK(done.has_value());
    })};
}

std::string check_edit(const Request& request) {
    Editor editor(request.document->root);
    set_all(editor, {request.path, request.path}, kMark);
    return checked(request, editor.root());
}

// A turn: all its leaves in one editor, the old version kept. An operation is the whole turn.
Answer measure_turn(const Request& request) {
    Value next;
    std::int64_t number = 0;
    return {measure(request.target_ms,
                    [&] { next = after_turn(request.document->root, request.turn, ++number); })};
}

std::string check_turn(const Request& request) {
    return checked(request, after_turn(request.document->root, request.turn, kMark));
}

Answer measure_snapshot(const Request& request) {
    return {measure(request.target_ms, [&] {
        const Value copy(request.document->root);
        keep(copy);
    })};
}

std::string check_snapshot(const Request& request) {
    const Value copy(request.document->root);
    return checked(request, copy);
}

Answer measure_diff(const Request& request) {
    const Value& before = request.document->root;
    const Value after = with_leaf(before, request.path, kMark);
    return {measure(request.target_ms, [&] { keep(value::diff(before, after)); })};
}

std::string check_diff(const Request& request) {
    const Value& before = request.document->root;
    const Value after = with_leaf(before, request.path, kMark);
    return value::print_json(value::diff_to_patch(value::diff(before, after)));
}

// Keeps `count` versions, each made from the one before by next(version, number), and says what
// one of them adds to the memory in use, the 16 bytes of its handle included.
template <typename Next>
Answer retained(const Request& request, Next next) {
    const std::uint64_t resident_before = resident_bytes();
    const HeapUse before = heap_in_use();
    const double start = now_ns();
    std::vector<Value> versions;
    versions.reserve(request.count);
    for (std::size_t i = 0; i < request.count; ++i) {
        const Value& newest = versions.empty() ? request.document->root : versions.back();
        versions.push_back(next(newest, static_cast<std::int64_t>(i) + 1));
    }
    const auto count = static_cast<double>(request.count);
    const double ns = (now_ns() - start) / count;
    const HeapUse after = heap_in_use();
    const std::uint64_t resident_after = resident_bytes();
    const auto per_version = [count](std::uint64_t from, std::uint64_t until) {
        return (static_cast<double>(until) - static_cast<double>(from)) / count;
    };
    return {{{ns}, request.count},
            {{"bytes_per_version", per_version(before.bytes, after.bytes)},
             {"blocks_per_version", per_version(before.blocks, after.blocks)},
             {"resident_per_version", per_version(resident_before, resident_after)}}};
}

Answer measure_retain(const Request& request) {
    return retained(request, [&request](const Value& newest, std::int64_t number) {
        return with_leaf(newest, request.path, number);
    });
}

Answer measure_retain_turn(const Request& request) {
    return retained(request, [&request](const Value& newest, std::int64_t number) {
        return after_turn(newest, request.turn, number);
    });
}

constexpr Case kCases[] = {
    {"set", measure_set, check_set},
    {"set_kept", measure_set_kept, check_set},
    {"set_parse", measure_set_parse, check_set_parse},
    {"set_seal", measure_set_seal, check_set_seal},
    {"edit", measure_edit, check_edit},
    {"turn", measure_turn, check_turn},
    {"snapshot", measure_snapshot, check_snapshot},
    {"diff", measure_diff, check_diff},
    {"retain", measure_retain, check_set},
    {"retain_turn", measure_retain_turn, check_turn},
};

}  // namespace

std::span<const Case> state_cases() {
    return kCases;
}

}  // namespace arbiter::bench
