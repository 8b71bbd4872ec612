// SharedWorld: a world, and the rules and lessons that are made of it. Campaigns of one profile
// share them: a server has thousands of such campaigns open.
//
// Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "config/rulebooks.h"
#include "turn/rules.h"

namespace arbiter::campaign {

class SharedWorld final : public turn::RulesShelf {
  public:
    explicit SharedWorld(config::World world) : world_(std::move(world)) {}

    [[nodiscard]] const config::World& world() const noexcept { return world_; }
    // The base rules of the world. `globals`: the settings of all campaigns of a store.
    std::shared_ptr<const turn::BaseRules> base(const value::Object& globals);

    std::shared_ptr<const turn::Rules> rules(const turn::RulesKey& key) override;
    void add(const turn::RulesKey& key, std::shared_ptr<const turn::Rules> rules) override;
    std::shared_ptr<const turn::Lessons> lessons(const protocol::LessonFacts& facts,
                                                 base::Language language,
                                                 std::span<const protocol::Lesson> forms) override;
    void add(std::shared_ptr<const turn::Lessons> lessons) override;

  private:
    const config::World world_;
    std::mutex lock_;
    std::shared_ptr<const turn::BaseRules> base_;  // the last one
    // The newest ones; oldest first.
    std::vector<std::pair<turn::RulesKey, std::shared_ptr<const turn::Rules>>> rules_;
    std::vector<std::shared_ptr<const turn::Lessons>> lessons_;
};

}  // namespace arbiter::campaign
