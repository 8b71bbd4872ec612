#include "prompt/internal/budget.h"

#include <algorithm>

#include "text/utf8.h"

namespace arbiter::prompt::internal {
namespace {

// Worst case per block: a heading, a message of its own, and line ends.
constexpr std::size_t kAround = kMessageTokens + 1;
constexpr std::size_t kHeadings = 12 * 12;

// The leading lines that fit, with an ellipsis; empty if none fits.
std::string beginning(std::string_view text, std::size_t budget, const text::TokenCounter& count) {
    constexpr std::string_view kMore = "\n…";
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        ends.push_back(end);
        at = end + 1;
    }
    // Token counts are monotonic in the prefix length: binary search.
    const auto fits = [&](std::size_t end) {
        return count(std::string(text.substr(0, end)) + std::string(kMore)) <= budget;
    };
    const auto place = std::ranges::partition_point(ends, fits);
    if (place == ends.begin()) {
        return "";
    }
    return std::string(text.substr(0, *(place - 1))) + std::string(kMore);
}

class Budget {
  public:
    Budget(std::span<Item* const> items, History& history, const AssemblyInputs& inputs,
           Assembly& out)
        : items_(items),
          history_(history),
          plan_(inputs.plan),
          count_(inputs.count),
          cache_(inputs.cache),
          out_(out) {}

    void keep() {
        for (std::size_t i = 0; i < items_.size(); ++i) {
            cut(i);
        }
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            keep_kind(static_cast<Kind>(kind));
        }
        keep_total();
    }

  private:
    void drop(std::size_t i, Why why) {
        items_[i]->is_dropped = true;
        out_.omitted.push_back({items_[i]->block.id, items_[i]->block.kind, items_[i]->block.source,
                                items_[i]->tokens, std::move(why)});
    }

    // Trims a block to its own budget.
    void cut(std::size_t i) {
        Item& item = *items_[i];
        item.tokens = item.block.tokens != 0 ? item.block.tokens
                      : cache_ != nullptr
                          ? cache_->tokens_of(item.block.id, item.block.text, count_)
                          : count_(item.block.text);
        const std::size_t budget = item.block.budget;
        if (budget == 0 || item.tokens <= budget) {
            return;
        }
        std::string shorter = beginning(item.block.text, budget, count_);
        if (shorter.empty()) {
            drop(i, {Reason::kOverBlock, {std::to_string(budget)}});
            return;
        }
        item.notes.push_back(
            {Reason::kTrimmed, {std::to_string(item.tokens), std::to_string(budget)}});
        item.block.text = std::move(shorter);
        item.tokens = count_(item.block.text);
    }

    // The remaining blocks of a kind, in the order of dropping.
    [[nodiscard]] std::vector<std::size_t> going(Kind kind) const {
        std::vector<std::size_t> all;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            if (!items_[i]->is_dropped && items_[i]->block.kind == kind) {
                all.push_back(i);
            }
        }
        std::ranges::sort(all, [this](std::size_t a, std::size_t b) {
            const Block& x = items_[a]->block;
            const Block& y = items_[b]->block;
            return x.priority != y.priority ? x.priority < y.priority : is_before(y.id, x.id);
        });
        return all;
    }

    void keep_kind(Kind kind) {
        // Lore was limited when it was activated; pins are never dropped.
        const std::size_t budget = plan_.budget_of(kind);
        if (budget == 0 || kind == Kind::kLore || kind == Kind::kPins) {
            return;
        }
        const Why why{Reason::kOverKind, {std::string(name(kind)), std::to_string(budget)}};
        if (kind == Kind::kHistory) {
            keep_messages(budget, why);
            return;
        }
        const std::vector<std::size_t> all = going(kind);
        std::size_t sum = 0;
        for (const std::size_t i : all) {
            sum += items_[i]->tokens;
        }
        for (const std::size_t i : all) {
            if (sum <= budget) {
                return;
            }
            sum -= items_[i]->tokens;
            drop(i, why);
        }
    }

    // Drops the oldest messages but for the newest.
    void keep_messages(std::size_t budget, const Why& why) {
        std::size_t sum = 0;
        for (const SaidMessage& each : history_.left()) {
            sum += each.tokens;
        }
        for (auto left = history_.left(); left.size() > 1 && sum > budget; left = history_.left()) {
            sum -= left[0].tokens;
            out_.omitted.push_back({history_id(left[0].number, left[0].number), Kind::kHistory, "",
                                    left[0].tokens, why});
            ++history_.first;
        }
    }

    [[nodiscard]] std::size_t cost(std::size_t i) const { return items_[i]->tokens + kAround; }

    void keep_total() {
        const std::size_t room = plan_.room();
        std::size_t sum = kHeadings;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            sum += items_[i]->is_dropped ? 0 : cost(i);
        }
        for (const SaidMessage& each : history_.left()) {
            sum += each.tokens + kAround;
        }
        if (room == 0) {
            return;
        }
        for (std::uint8_t rank = 1; rank <= kRecentRank && sum > room; ++rank) {
            const Why why{Reason::kOverTotal, {std::to_string(room), std::to_string(rank)}};
            for (std::size_t kind = 0; kind < kKinds; ++kind) {
                drop_kind(static_cast<Kind>(kind), rank, sum, room, why);
            }
        }
        if (sum > room) {
            out_.notices.push_back(
                {Reason::kOverBudget, {std::to_string(sum), std::to_string(room)}});
        }
    }

    void drop_kind(Kind kind, std::uint8_t rank, std::size_t& sum, std::size_t room,
                   const Why& why) {
        const bool due = plan_.ranks[static_cast<std::size_t>(kind)] == rank;
        if (kind == Kind::kHistory) {
            if (due) {
                drop_messages(sum, room, why, std::max<std::size_t>(1, plan_.recent_messages));
            } else if (rank == kRecentRank) {
                drop_messages(sum, room, why, 1);
            }
            return;
        }
        const bool low = kind == Kind::kLore && rank == kLowLoreRank;
        if (!due && !low) {
            return;
        }
        for (const std::size_t i : going(kind)) {
            if (sum <= room || (!due && items_[i]->block.priority >= kLowPriority)) {
                return;
            }
            sum -= cost(i);
            drop(i, why);
        }
    }

    // Drops the oldest messages in steps, down to the newest `least`.
    void drop_messages(std::size_t& sum, std::size_t room, const Why& why, std::size_t least) {
        const std::span<const SaidMessage> left = history_.left();
        const std::size_t most = left.size() > least ? left.size() - least : 0;
        const std::size_t step = std::max<std::size_t>(1, plan_.history_step);
        std::size_t gone = 0;
        std::size_t tokens = 0;
        // The first kept number is a multiple of `step`, so it is stable for some turns.
        for (; gone < most && (sum > room || left[gone].number % step != 0); ++gone) {
            sum -= left[gone].tokens + kAround;
            tokens += left[gone].tokens;
        }
        if (gone > 0) {
            history_.first += gone;
            out_.omitted.push_back({history_id(left[0].number, left[gone - 1].number),
                                    Kind::kHistory, "", tokens, why});
        }
    }

    std::span<Item* const> items_;
    History& history_;
    const Plan& plan_;
    const text::TokenCounter& count_;
    Cache* cache_;
    Assembly& out_;
};

}  // namespace

bool is_minimal(Kind kind) noexcept {
    switch (kind) {
        case Kind::kExamples:
        case Kind::kLore:
        case Kind::kConstant:
        case Kind::kLongMemory:
        case Kind::kShortMemory:
        case Kind::kFacts:
            return false;
        case Kind::kRules:
        case Kind::kProtocol:
        case Kind::kLesson:
        case Kind::kCharacter:
        case Kind::kPersona:
        case Kind::kPins:
        case Kind::kState:
        case Kind::kPowerLevel:
        case Kind::kHistory:
        case Kind::kSummaryRequest:
        case Kind::kPacing:
        case Kind::kFeedback:
        case Kind::kWorld:
        case Kind::kGoal:
        case Kind::kTools:
        case Kind::kSettings:
        case Kind::kParty:
        case Kind::kScene:
        case Kind::kDialog:
        case Kind::kOther:
        case Kind::kCount:
            return true;
    }
    return true;
}

void keep_to_budget(std::span<Item* const> items, History& history, const AssemblyInputs& inputs,
                    Assembly& out) {
    Budget(items, history, inputs, out).keep();
}

}  // namespace arbiter::prompt::internal
