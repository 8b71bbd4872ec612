#include "prompt/internal/lore_timers.h"

namespace arbiter::prompt::internal {

void Timers::begin_scan(std::span<Book* const> books, std::size_t messages) {
    messages_ = messages;
    const auto has_passed = [messages](const auto& timer) { return timer.second <= messages; };
    for (std::size_t i = 0; i < books.size(); ++i) {
        std::erase_if(cooldown_[i], has_passed);
        for (const auto& timer : sticky_[i]) {
            const std::size_t rest = books[i]->entry(timer.first)->cooldown;
            if (has_passed(timer) && rest > 0) {
                cooldown_[i].insert_or_assign(timer.first, messages + rest);
            }
        }
        std::erase_if(sticky_[i], has_passed);
    }
}

std::size_t Timers::sticky_left(std::size_t book, std::uint32_t slot) const {
    return sticky_[book].find(slot)->second - messages_;
}

std::size_t Timers::rest_left(std::size_t book, std::uint32_t slot) const {
    return cooldown_[book].find(slot)->second - messages_;
}

std::vector<std::uint32_t> Timers::sticky_slots(std::size_t book) const {
    std::vector<std::uint32_t> slots;
    for (const auto& timer : sticky_[book]) {
        slots.push_back(timer.first);
    }
    return slots;
}

void Timers::start(std::size_t book, std::uint32_t slot, const LoreEntry& entry) {
    if (entry.sticky > 0) {
        sticky_[book].try_emplace(slot, messages_ + entry.sticky);
    }
    if (entry.cooldown > 0) {
        cooldown_[book].try_emplace(slot, messages_ + entry.cooldown);
    }
}

}  // namespace arbiter::prompt::internal
