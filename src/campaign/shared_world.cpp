#include "campaign/shared_world.h"

#include <algorithm>

namespace arbiter::campaign {

namespace {

// Campaigns with authority rows or facts of their own push each other out beyond it; then each has
// its own, as if nothing were shared.
constexpr std::size_t kMost = 16;

template <typename Row>
void add_newest(std::vector<Row>& rows, Row row) {
    if (rows.size() >= kMost) {
        rows.erase(rows.begin());
    }
    rows.push_back(std::move(row));
}

}  // namespace

std::shared_ptr<const turn::BaseRules> SharedWorld::base(const value::Object& globals) {
    const std::scoped_lock lock(lock_);
    if (base_ == nullptr || value::Value(base_->globals) != value::Value(globals)) {
        base_ = std::make_shared<const turn::BaseRules>(
            turn::BaseRules{world_.profile, world_.books, world_.registries, globals});
    }
    return base_;
}

std::shared_ptr<const turn::Rules> SharedWorld::rules(const turn::RulesKey& key) {
    const std::scoped_lock lock(lock_);
    const auto found =
        std::ranges::find_if(rules_, [&](const auto& row) { return row.first == key; });
    return found != rules_.end() ? found->second : nullptr;
}

void SharedWorld::add(const turn::RulesKey& key, std::shared_ptr<const turn::Rules> rules) {
    const std::scoped_lock lock(lock_);
    add_newest(rules_, {key, std::move(rules)});
}

std::shared_ptr<const turn::Lessons> SharedWorld::lessons(const protocol::LessonFacts& facts,
                                                          base::Language language,
                                                          std::span<const protocol::Lesson> forms) {
    const std::scoped_lock lock(lock_);
    const auto found = std::ranges::find_if(
        lessons_, [&](const auto& each) { return each->fits(facts, language, forms); });
    return found != lessons_.end() ? *found : nullptr;
}

void SharedWorld::add(std::shared_ptr<const turn::Lessons> lessons) {
    const std::scoped_lock lock(lock_);
    add_newest(lessons_, std::move(lessons));
}

}  // namespace arbiter::campaign
