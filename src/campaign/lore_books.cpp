#include "campaign/lore_books.h"

#include "prompt/lore.h"
#include "table/layout.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kLoreKey = "lore";

Result<> set_books(Session& session, const Object& books, std::string_view what,
                   std::string_view name, engine::Instant now) {
    return session.edit(
        [&](const engine::State& state) -> Result<table::Step> {
            Object meta =
                books.empty() ? state.meta.erase(kLoreKey) : state.meta.set(kLoreKey, books);
            return table::Step{state.document,
                               {{"kind", "player"}, {"what", what}, {"name", name}},
                               std::move(meta)};
        },
        now, "lore");
}

}  // namespace

Object kept_lore(const Object& meta) {
    return table::object_or_empty(meta.find(kLoreKey));
}

Result<> keep_lore(Session& session, std::string_view name, const Value& book,
                   engine::Instant now) {
    prompt::Lore lore;
    const prompt::LoreSource source{name, book};
    lore.follow({&source, 1});
    if (lore.size() == 0) {
        return base::fail(ErrorCode::kLoreNone);
    }
    const Object books = kept_lore(session.campaign().state().meta);
    return set_books(session, books.set(name, book), "keep_lore", name, now);
}

Result<> drop_lore(Session& session, std::string_view name, engine::Instant now) {
    const Object books = kept_lore(session.campaign().state().meta);
    if (!books.contains(name)) {
        return base::fail(ErrorCode::kNotFound, {std::string(name)});
    }
    return set_books(session, books.erase(name), "drop_lore", name, now);
}

}  // namespace arbiter::campaign
