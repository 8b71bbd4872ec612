#include "conflict/name_cache.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "conflict/internal/names.h"

namespace arbiter::conflict {
namespace {

std::string key_of(const Truth& truth) {
    std::string key;
    const auto add = [&](std::string_view text) {
        key += std::to_string(text.size());
        key += ':';
        key += text;
    };
    for (const Character& who : truth.characters) {
        for (const std::string* text : {&who.id, &who.name, &who.title, &who.job, &who.race}) {
            add(*text);
        }
        for (const auto& [name, count] : who.inventory) {
            add(name);
        }
        key += '|';
        for (const auto& [name, amount] : who.resources) {
            add(name);
        }
        key += '|';
        for (const Skill& skill : who.skills) {
            add(skill.name);
        }
        key += '|';
        for (const auto& [name, number] : who.attributes) {
            add(name);
        }
        key += '\n';
    }
    for (const Area& area : truth.areas) {
        add(area.name);
    }
    return key;
}

}  // namespace

struct NameCache::Known {
    std::string key;            // every text that the index is built from, in its order
    std::uint64_t lexicon = 0;  // its fingerprint
    internal::Names names;
};

NameCache::NameCache() = default;
NameCache::~NameCache() = default;
NameCache::NameCache(NameCache&&) noexcept = default;
NameCache& NameCache::operator=(NameCache&&) noexcept = default;

const internal::Names& NameCache::of(const Truth& truth, const Lexicon& lexicon) {
    std::string key = key_of(truth);
    if (known_ == nullptr || known_->lexicon != lexicon.fingerprint() || known_->key != key) {
        known_ = std::make_unique<const Known>(std::move(key), lexicon.fingerprint(),
                                               internal::Names(truth, lexicon));
    }
    return known_->names;
}

}  // namespace arbiter::conflict
