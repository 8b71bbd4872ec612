#include "prompt/internal/lore_groups.h"

#include <algorithm>
#include <utility>

#include "prompt/internal/macro_table.h"

namespace arbiter::prompt::internal {
namespace {

using Members = std::vector<std::size_t>;  // indexes of candidates, ascending

class Settling {
  public:
    explicit Settling(const GroupInputs& inputs) : in_(inputs), loses_(inputs.candidates.size()) {}

    std::vector<GroupLoss> run() {
        std::map<std::string, Members> groups;
        for (std::size_t i = 0; i < in_.candidates.size(); ++i) {
            for (const std::string& group : in_.candidates[i].entry->groups) {
                groups[group].push_back(i);
            }
        }
        for (auto& [group, members] : groups) {
            std::erase_if(members, [this](std::size_t i) { return loses_[i]; });
            settle(group, members);
        }
        return std::move(losses_);
    }

  private:
    [[nodiscard]] const LoreEntry& entry(std::size_t i) const { return *in_.candidates[i].entry; }

    void drop(std::size_t i, const std::string& group, const LoreEntry& winner) {
        loses_[i] = true;
        losses_.push_back({i, group, &winner, in_.candidates[i].book, in_.candidates[i].slot});
    }
    // Drops all members for which `loses` holds.
    template <typename Loses>
    void drop_if(Members& members, const std::string& group, const LoreEntry& winner,
                 const Loses& loses) {
        std::erase_if(members, [&](std::size_t i) {
            if (!loses(i)) {
                return false;
            }
            drop(i, group, winner);
            return true;
        });
    }

    void settle(const std::string& group, Members& members) {
        const auto sticky = std::ranges::find_if(
            members, [this](std::size_t i) { return in_.candidates[i].is_sticky; });
        if (sticky != members.end()) {
            // As in SillyTavern, a group shows no entry that rests, sticky or not.
            drop_if(members, group, entry(*sticky), [this](std::size_t i) {
                const Candidate& each = in_.candidates[i];
                return !each.is_sticky || in_.timers.is_resting(each.book, each.slot);
            });
            return;
        }
        if (const auto active = in_.winners.find(group); active != in_.winners.end()) {
            drop_if(members, group, *active->second, [](std::size_t) { return true; });
            return;
        }
        keep_best_scores(group, members);
        if (members.size() > 1) {
            const std::size_t winner = winner_of(group, members);
            drop_if(members, group, entry(winner), [winner](std::size_t i) { return i != winner; });
        }
    }

    void keep_best_scores(const std::string& group, Members& members) {
        const auto is_scored = [this](std::size_t i) { return entry(i).group_scoring; };
        if (std::ranges::none_of(members, is_scored)) {
            return;
        }
        const auto score = [this](std::size_t i) {
            const Candidate& each = in_.candidates[i];
            return in_.searches[each.book].score_of(each.slot);
        };
        const std::size_t best = *std::ranges::max_element(members, {}, score);
        const std::size_t most = score(best);
        drop_if(members, group, entry(best),
                [&](std::size_t i) { return is_scored(i) && score(i) < most; });
    }

    [[nodiscard]] std::size_t winner_of(const std::string& group, const Members& members) const {
        std::int64_t sum = 0;
        for (const std::size_t i : members) {
            if (entry(i).group_override) {
                return i;
            }
            sum += entry(i).group_weight;
        }
        if (sum == 0) {
            return members.front();
        }
        auto lot = static_cast<std::int64_t>(number_of_text(group, in_.seed) %
                                             static_cast<std::uint64_t>(sum));
        for (const std::size_t i : members) {
            lot -= entry(i).group_weight;
            if (lot < 0) {
                return i;
            }
        }
        return members.back();
    }

    const GroupInputs& in_;
    std::vector<bool> loses_;
    std::vector<GroupLoss> losses_;
};

}  // namespace

std::vector<GroupLoss> settle_groups(const GroupInputs& inputs) {
    return Settling(inputs).run();
}

}  // namespace arbiter::prompt::internal
