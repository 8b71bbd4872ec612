#include "config/rulebooks.h"

#include <algorithm>

#include "calendar/shipped.h"
#include "config/yaml.h"

namespace arbiter::config {
namespace {

std::expected<std::vector<Book>, FileDiagnostics> books_from(const profile::Profile& profile,
                                                             TextResolver& texts) {
    std::vector<Book> books;
    for (const std::string& name : profile.rulebooks) {
        auto book = load_rulebook(name, texts);
        if (!book) {
            return std::unexpected(std::move(book.error()));
        }
        books.push_back(std::move(*book));
    }
    return books;
}

std::expected<World, FileDiagnostics> world_from(std::string_view name, TextResolver texts) {
    auto profile = load_profile(name, texts);
    if (!profile) {
        return std::unexpected(std::move(profile.error()));
    }
    auto books = books_from(*profile, texts);
    if (!books) {
        return std::unexpected(std::move(books.error()));
    }
    World world;
    world.profile = *std::move(profile);
    world.books = *std::move(books);
    world.sources = texts.used();
    return world;
}

}  // namespace

std::shared_ptr<const calendar::Calendars> shared_calendars() {
    // Static: no owner needed.
    return {&calendar::default_calendars(), [](const calendar::Calendars*) {}};
}

std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name) {
    TextResolver texts;
    return load_rulebook(name, texts);
}

std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name, TextResolver& texts) {
    auto text = texts.find(TextKind::kRulebook, name);
    return text ? load_rulebook_text(std::string(name), std::move(*text))
                : std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text.error())}});
}

std::expected<Book, FileDiagnostics> load_rulebook_text(std::string file, std::string text) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(
            FileDiagnostics{std::move(file), std::move(text), {std::move(read.error())}});
    }
    auto compiled = rules::Rulebook::compile(read->value, shared_calendars());
    if (!compiled) {
        return std::unexpected(diagnostics_of(*read, compiled.error()));
    }
    return std::make_shared<const rules::Rulebook>(std::move(*compiled));
}

std::expected<std::vector<Book>, FileDiagnostics> load_books(const profile::Profile& profile) {
    TextResolver texts;
    return books_from(profile, texts);
}

std::expected<World, FileDiagnostics> load_world(std::string_view profile) {
    return world_from(profile, TextResolver());
}

std::expected<World, FileDiagnostics> load_world(std::string_view profile,
                                                 std::vector<NamedText> kept) {
    std::vector<NamedText> tools;
    std::ranges::copy_if(kept, std::back_inserter(tools),
                         [](const NamedText& text) { return text.kind == TextKind::kTool; });
    auto world = world_from(profile, TextResolver(std::move(kept)));
    if (!world || tools.empty()) {
        return world;
    }
    auto added = add_tools(*world, std::move(tools));
    return added ? std::move(world) : std::unexpected(std::move(added.error()));
}

std::expected<void, FileDiagnostics> add_tools(World& world, std::vector<NamedText> tools) {
    for (NamedText& tool : tools) {
        std::erase_if(world.sources, [&](const NamedText& each) {
            return each.kind == TextKind::kTool && each.name == tool.name;
        });
        world.sources.push_back(std::move(tool));
    }
    auto registries = registries_with(world.sources);
    if (!registries) {
        return std::unexpected(std::move(registries.error()));
    }
    world.registries = *std::move(registries);
    return {};
}

}  // namespace arbiter::config
