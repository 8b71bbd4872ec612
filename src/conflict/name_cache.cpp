#include "conflict/name_cache.h"

#include <string_view>

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

NameCache::NameCache() = default;
NameCache::~NameCache() = default;
NameCache::NameCache(NameCache&&) noexcept = default;
NameCache& NameCache::operator=(NameCache&&) noexcept = default;

const internal::Names& NameCache::of(const Truth& truth, const Lexicon& lexicon) {
    std::string key = key_of(truth);
    if (names_ == nullptr || lexicon_ != lexicon.fingerprint() || key != key_) {
        names_ = std::make_unique<internal::Names>(truth, lexicon);
        key_ = std::move(key);
        lexicon_ = lexicon.fingerprint();
    }
    return *names_;
}

}  // namespace arbiter::conflict
