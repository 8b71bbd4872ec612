#include "prompt/lore.h"

#include <algorithm>
#include <utility>

#include "prompt/internal/lore_activation.h"
#include "prompt/internal/lore_book.h"
#include "prompt/internal/lore_timers.h"

namespace arbiter::prompt {

using internal::Book;
using internal::Timers;

class Lore::Shelf {
  public:
    void follow(std::span<const LoreSource> sources, const LoreSettings& settings) {
        std::vector<LoreSource> sorted;
        for (const LoreSource& source : sources) {
            // A book that is given twice is searched once.
            if (std::ranges::find(sorted, source.name, &LoreSource::name) == sorted.end()) {
                sorted.push_back(source);
            }
        }
        // The result does not depend on the order of the sources.
        std::ranges::sort(sorted, [](const LoreSource& a, const LoreSource& b) {
            return a.is_of_card != b.is_of_card ? a.is_of_card : is_before(a.name, b.name);
        });
        std::vector<std::unique_ptr<Book>> now;
        std::size_t of_card = 0;
        for (const LoreSource& source : sorted) {
            const auto known = std::ranges::find_if(owned_, [&](const auto& book) {
                return book != nullptr && book->name() == source.name;
            });
            now.push_back(known != owned_.end() ? std::move(*known)
                                                : std::make_unique<Book>(source.name));
            now.back()->follow(source.written, settings);
            of_card += source.is_of_card ? 1 : 0;
        }
        owned_ = std::move(now);
        books_.books.clear();
        for (const auto& book : owned_) {
            books_.books.push_back(book.get());
        }
        books_.first_other = of_card;
    }

    LoreResult activate(const LoreScan& scan) {
        Timers timers(books_.books.size());
        if (std::ranges::any_of(owned_, [](const auto& book) { return book->is_timed(); })) {
            timers = timers_before(scan);
        }
        timers.begin_scan(books_.books, scan.history.size());
        return internal::activate(books_, scan, timers, internal::ScanPurpose::kPrompt);
    }

    [[nodiscard]] const std::vector<Book*>& books() const noexcept { return books_.books; }

  private:
    // The inputs of repeated scans, beside the messages. The state is not one of them: it was
    // another one then.
    struct Inputs {
        std::vector<std::pair<const Book*, std::uint64_t>> editions;
        std::string character;
        std::string user;
        Variables texts;
        std::size_t budget = 0;
        std::uint64_t seed_before = 0;  // of the turn before the first one
        friend bool operator==(const Inputs&, const Inputs&) = default;
    };

    [[nodiscard]] Inputs inputs_of(const LoreScan& scan) const {
        Inputs inputs;
        for (const Book* book : books_.books) {
            inputs.editions.emplace_back(book, book->edition());
        }
        inputs.character = scan.world.character;
        inputs.user = scan.world.user;
        inputs.texts = scan.world.texts;
        inputs.budget = scan.budget;
        // Each turn has the next seed; this one is not in the history yet.
        const auto turns = std::ranges::count(scan.history, true, &Message::begins_turn);
        inputs.seed_before = scan.world.seed - static_cast<std::uint64_t>(turns) - 1;
        return inputs;
    }

    // Repeats the scans that led to the replies of the history, except those that are remembered.
    const Timers& timers_before(const LoreScan& scan) {
        Inputs inputs = inputs_of(scan);
        const bool goes_on = inputs == inputs_ && repeated_.size() <= scan.history.size() &&
                             std::ranges::equal(repeated_, scan.history.first(repeated_.size()), {},
                                                {}, &Message::content);
        if (!goes_on) {
            inputs_ = std::move(inputs);
            repeated_.clear();
            seed_ = inputs_.seed_before;
            timers_ = Timers(books_.books.size());
        }
        // Without the state, which changes while the timers are remembered.
        MacroWorld world;
        world.character = inputs_.character;
        world.user = inputs_.user;
        world.texts = inputs_.texts;
        for (std::size_t i = repeated_.size(); i < scan.history.size(); ++i) {
            const Message& message = scan.history[i];
            seed_ += message.begins_turn ? 1 : 0;
            if (message.role == Role::kAssistant && i > 0) {
                world.history = scan.history.first(i);
                world.seed = seed_;
                timers_.begin_scan(books_.books, i);
                (void)internal::activate(
                    books_, {scan.document, world.history, world, scan.count, scan.budget}, timers_,
                    internal::ScanPurpose::kTimers);
            }
            repeated_.push_back(message.content);
        }
        return timers_;
    }

    std::vector<std::unique_ptr<Book>> owned_;
    internal::Shelf books_;
    Inputs inputs_;
    std::vector<value::Str> repeated_;  // messages whose scans are in timers_
    Timers timers_;
    std::uint64_t seed_ = 0;  // of the last repeated turn
};

Lore::Lore() = default;
Lore::~Lore() = default;
Lore::Lore(Lore&&) noexcept = default;
Lore& Lore::operator=(Lore&&) noexcept = default;

Lore::Shelf& Lore::shelf() {
    if (shelf_ == nullptr) {
        shelf_ = std::make_unique<Shelf>();
    }
    return *shelf_;
}

const Lore::Shelf& Lore::shelf() const {
    static const Shelf kEmpty;
    return shelf_ != nullptr ? *shelf_ : kEmpty;
}

void Lore::follow(std::span<const LoreSource> books, const LoreSettings& settings) {
    if (shelf_ != nullptr || !books.empty()) {
        shelf().follow(books, settings);
    }
}

value::Diagnostics Lore::diagnostics(std::string_view name) const {
    for (const Book* book : shelf().books()) {
        if (book->name() == name) {
            return book->diagnostics();
        }
    }
    return {};
}

std::size_t Lore::size() const {
    std::size_t sum = 0;
    for (const Book* book : shelf().books()) {
        sum += book->size();
    }
    return sum;
}

bool Lore::counts_messages() const {
    return std::ranges::any_of(
        shelf().books(), [](const Book* book) { return book->is_timed() || book->has_delays(); });
}

std::optional<std::string> Lore::content_of(std::string_view name, std::string_view title) const {
    const bool is_known = std::ranges::any_of(
        shelf().books(), [name](const Book* book) { return book->name() == name; });
    const LoreEntry* by_id = nullptr;
    const LoreEntry* by_part = nullptr;
    for (const Book* book : shelf().books()) {
        for (std::uint32_t slot = 0; slot < book->bound(); ++slot) {
            const LoreEntry* entry = book->entry(slot);
            if (entry == nullptr || (is_known && book->name() != name)) {
                continue;
            }
            if (entry->title == title) {
                return entry->content;
            }
            by_id = by_id == nullptr && entry->id == title ? entry : by_id;
            const bool is_part = !title.empty() && entry->title.find(title) != std::string::npos;
            by_part = by_part == nullptr && is_part ? entry : by_part;
        }
    }
    const LoreEntry* found = by_id != nullptr ? by_id : by_part;
    return found != nullptr ? std::optional(found->content) : std::nullopt;
}

LoreResult Lore::activate(const LoreScan& scan) {
    return shelf().activate(scan);
}

}  // namespace arbiter::prompt
