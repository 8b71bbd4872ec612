#include "engine/internal/text_places.h"

#include <algorithm>

namespace arbiter::engine::internal {

using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kTexts = "texts";
// Paths that are remembered. A card has fewer values; the limit bounds what a hostile reply stores.
constexpr std::size_t kTextsMax = 1000;

// A path may name the value of a described pair by its index.
Path without_index(Path where) {
    if (!where.empty() && where.back().is_index() && where.back().index() == 0) {
        where.pop_back();
    }
    return where;
}

std::string key_of(const Path& where) {
    return value::print_path(without_index(where), value::PathSyntax::kDotted);
}

Object texts_of(const Object& meta) {
    const Value* texts = meta.find(kTexts);
    return texts != nullptr && texts->is_object() ? texts->as_object() : Object();
}

}  // namespace

bool is_declared_text(const Policy& policy, const Path& where) {
    return !policy.texts.empty() &&
           std::ranges::find(policy.texts, without_index(where)) != policy.texts.end();
}

bool was_text(const Object& meta, const Path& where) {
    const Value* texts = meta.find(kTexts);
    return texts != nullptr && texts->is_object() && texts->as_object().contains(key_of(where));
}

void remember_text(Object& meta, const Path& where) {
    Object texts = texts_of(meta);
    if (texts.size() < kTextsMax) {
        meta = std::move(meta).set(kTexts,
                                   std::move(texts).set(std::string_view(key_of(where)), true));
    }
}

void forget_text(Object& meta, const Path& where) {
    if (!was_text(meta, where)) {
        return;
    }
    Object texts = texts_of(meta).erase(key_of(where));
    meta = texts.empty() ? std::move(meta).erase(kTexts)
                         : std::move(meta).set(kTexts, std::move(texts));
}

}  // namespace arbiter::engine::internal
