#include "ledger/known_states.h"

#include <algorithm>

namespace arbiter::ledger {

namespace {

// More than players go back as a rule; each holds on to what its turn changed.
constexpr std::size_t kStatesMax = 16;

}  // namespace

const LoadedState* KnownStates::find(const TurnId& id) const noexcept {
    if (entries_ == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find(*entries_, id, &Entry::id);
    return found != entries_->end() ? &found->loaded : nullptr;
}

void KnownStates::add(const TurnId& id, LoadedState loaded) {
    if (find(id) != nullptr) {
        return;
    }
    auto entries = std::make_shared<std::vector<Entry>>();
    // No room for more: most campaigns that are open wait for their next turn.
    const std::size_t known = entries_ != nullptr ? entries_->size() : 0;
    entries->reserve(std::min(known + 1, kStatesMax));
    if (entries_ != nullptr) {
        entries->assign(entries_->begin() + (known == kStatesMax ? 1 : 0), entries_->end());
    }
    entries->push_back({id, std::move(loaded)});
    entries_ = std::move(entries);
}

}  // namespace arbiter::ledger
