#include "prompt/lore_notes.h"

#include "base/explain.h"
#include "prompt/internal/lore_entry.h"
#include "text/truncate.h"
#include "value/object.h"

namespace arbiter::prompt {
namespace {

constexpr std::size_t kFaultsMax = 20;
constexpr std::size_t kTitleBytesMax = 60;

// 灯塔: keys
std::string place_of(const value::Value& book, const value::Path& path) {
    const value::Value* entries = internal::entries_of(book);
    const value::Value* entry =
        entries != nullptr && !path.empty() ? value::find(*entries, {path[0]}) : nullptr;
    std::string name = path.empty() ? "" : std::string(path[0].as_key().view());
    for (const std::string_view key : {"comment", "name"}) {
        const value::Value* title =
            entry != nullptr && entry->is_object() ? entry->as_object().find(key) : nullptr;
        if (title != nullptr && title->is_string() && !title->as_string().empty()) {
            name = text::truncate(title->as_string(), kTitleBytesMax);
            break;
        }
    }
    for (std::size_t i = 1; i < path.size(); ++i) {
        name += (i == 1 ? ": " : ".") + std::string(path[i].as_key().view());
    }
    return name;
}

}  // namespace

std::vector<LoreFault> lore_faults(const Lore& lore, const LoreSource& book) {
    std::vector<LoreFault> faults;
    for (const value::Diagnostic& each : lore.diagnostics(book.name)) {
        if (faults.size() == kFaultsMax) {
            break;
        }
        faults.push_back({place_of(book.written, each.path),
                          {base::explain(each.error, base::Language::kEnglish),
                           base::explain(each.error, base::Language::kChinese)}});
    }
    return faults;
}

std::vector<card::ImportNote> lore_notes(const card::Card& card) {
    std::vector<card::ImportNote> notes;
    if (card.character_book.is_null()) {
        return notes;
    }
    Lore lore;
    const LoreSource book{kCardBook, card.character_book, true};
    lore.follow({&book, 1});
    for (LoreFault& fault : lore_faults(lore, book)) {
        notes.push_back({card::ImportNote::Fate::kChanged, "lore", std::move(fault.entry),
                         std::move(fault.reason)});
    }
    return notes;
}

}  // namespace arbiter::prompt
