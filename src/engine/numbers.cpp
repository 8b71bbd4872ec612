#include "engine/numbers.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/internal/paths.h"
#include "proposal/shape.h"
#include "value/described.h"
#include "value/object.h"

namespace arbiter::engine {

using value::Bindings;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kNumbers = "numbers";
constexpr std::string_view kLost = "lost";
constexpr std::string_view kMoved = "moved";

value::Str key_of(const Path& path) {
    return value::Str(value::print_path(path, value::PathSyntax::kDotted));
}

std::optional<Value> number_in(const Value* value) {
    return value != nullptr ? proposal::as_number(value::undescribed(*value)) : std::nullopt;
}

const Value* entry(const Object& meta, std::string_view kind, const Path& path) {
    const Value* numbers = meta.find(kNumbers);
    const Value* entries = numbers != nullptr ? value::find_member(numbers, kind) : nullptr;
    return entries != nullptr ? value::find_member(entries, key_of(path)) : nullptr;
}

// One kind of entries while it is updated.
class Entries {
  public:
    Entries(const Object& meta, std::string_view kind) : kind_(kind) {
        const Value* numbers = meta.find(kNumbers);
        const Value* found = numbers != nullptr ? value::find_member(numbers, kind) : nullptr;
        if (found != nullptr && found->is_object()) {
            entries_ = found->as_object();
        }
    }

    void set(const Path& path, Value value) {
        const value::Str key = key_of(path);
        // The newest entries are last.
        entries_ = std::move(entries_).erase(key).set(key, std::move(value));
        while (entries_.size() > base::kLostNumbersMax) {
            const value::Str oldest = entries_.at(0).key;
            entries_ = std::move(entries_).erase(oldest);
        }
        changed_ = true;
    }
    void erase(const Path& path) {
        if (entries_.empty()) {
            return;
        }
        if (const value::Str key = key_of(path); entries_.contains(key)) {
            entries_ = std::move(entries_).erase(key);
            changed_ = true;
        }
    }
    void save(Object& meta) && {
        if (!changed_) {
            return;
        }
        const Value* present = meta.find(kNumbers);
        Object numbers =
            present != nullptr && present->is_object() ? present->as_object() : Object();
        numbers = entries_.empty() ? std::move(numbers).erase(kind_)
                                   : std::move(numbers).set(kind_, std::move(entries_));
        meta = numbers.empty() ? std::move(meta).erase(kNumbers)
                               : std::move(meta).set(kNumbers, std::move(numbers));
    }

  private:
    std::string_view kind_;
    Object entries_;
    bool changed_ = false;
};

}  // namespace

std::optional<double> limited_number(const Value* value) {
    const auto number = number_in(value);
    return number ? std::optional(number->as_double()) : std::nullopt;
}

std::optional<double> lost_number(const Object& meta, const Path& path) {
    const Value* found = entry(meta, kLost, path);
    return found != nullptr && found->is_number() ? std::optional(found->as_double())
                                                  : std::nullopt;
}

std::optional<Path> moved_from(const Object& meta, const Path& path) {
    const Value* found = entry(meta, kMoved, path);
    auto from = found != nullptr ? value::path_from_value(*found) : base::Result<Path>(Path());
    return from && !from->empty() ? std::optional(*std::move(from)) : std::nullopt;
}

std::optional<double> number_before(const Check::Case& about) {
    if (const auto old = limited_number(about.old)) {
        return old;
    }
    if (const auto lost = lost_number(about.meta, about.path)) {
        return lost;
    }
    const auto from = moved_from(about.meta, about.path);
    return from ? limited_number(value::find(about.before, *from)) : std::nullopt;
}

std::optional<double> number_at_start(const State& start, const Object& meta, const Path& path) {
    std::optional<Path> at = path;
    for (int moves = 0; at && moves < kMovesMax; ++moves) {
        if (const auto there = limited_number(value::find(start.document, *at))) {
            return there;
        }
        if (const auto lost = lost_number(start.meta, *at)) {
            return lost;
        }
        at = moved_from(meta, *at);
    }
    return std::nullopt;
}

bool counts_changes(Checks checks) noexcept {
    return std::ranges::any_of(checks, [](const auto& check) { return check->counts_changes(); });
}

void follow_numbers(Object& meta, Checks checks, const Value& before, const Value& after,
                    const std::vector<Path>& places) {
    std::optional<Entries> lost;
    std::optional<Entries> moved;
    const auto load = [&] {
        if (!lost) {
            lost.emplace(meta, kLost);
            moved.emplace(meta, kMoved);
        }
    };
    for (const auto& check : checks) {
        if (!check->counts_changes()) {
            continue;
        }
        for (const Path& place : places) {
            if (!touches(check->place(), place)) {
                continue;
            }
            visit_near(check->place(), before, place,
                       [&](const Path& path, const Bindings&, const Value& old) {
                           auto number = number_in(&old);
                           if (number && !number_in(value::find(after, path))) {
                               load();
                               lost->set(path, *std::move(number));
                               moved->erase(path);
                           }
                           return true;
                       });
            if (!meta.contains(kNumbers) && !lost) {
                continue;
            }
            visit_near(check->place(), after, place,
                       [&](const Path& path, const Bindings&, const Value& now) {
                           if (number_in(&now)) {
                               load();
                               lost->erase(path);
                           }
                           return true;
                       });
        }
    }
    if (lost) {
        std::move(*lost).save(meta);
        std::move(*moved).save(meta);
    }
}

void note_move(Object& meta, Checks checks, const Value& before, const Path& from, const Path& to) {
    Entries moved(meta, kMoved);
    for (const auto& check : checks) {
        if (!check->counts_changes() || !touches(check->place(), from)) {
            continue;
        }
        visit_near(
            check->place(), before, from, [&](const Path& path, const Bindings&, const Value& old) {
                if (!internal::begins_with(path, from) || !number_in(&old)) {
                    return true;
                }
                Path there = to;
                there.insert(there.end(), path.begin() + static_cast<std::ptrdiff_t>(from.size()),
                             path.end());
                if (!number_in(value::find(before, there)) && !lost_number(meta, there)) {
                    moved.set(there, value::path_to_value(path));
                }
                return true;
            });
    }
    std::move(moved).save(meta);
}

}  // namespace arbiter::engine
