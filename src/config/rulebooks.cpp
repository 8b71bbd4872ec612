#include "config/rulebooks.h"

#include <algorithm>

#include "base/limits.h"
#include "calendar/shipped.h"
#include "config/files.h"
#include "config/recent.h"
#include "config/yaml.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::config {
namespace {

std::expected<SharedCalendars, value::Diagnostic> calendars_with(
    const std::vector<value::Value>& own) {
    if (own.empty()) {
        return calendar::shared_calendars();
    }
    auto all = calendar::default_calendars().with(own);
    if (!all) {
        return std::unexpected(std::move(all.error()));
    }
    return std::make_shared<const calendar::Calendars>(std::move(*all));
}

std::expected<std::vector<Book>, FileDiagnostics> books_from(const profile::Profile& profile,
                                                             TextResolver& texts) {
    std::vector<Book> books;
    // load_profile() has checked them.
    const auto calendars = calendars_with(profile.calendars);
    for (const std::string& name : profile.rulebooks) {
        auto book =
            load_rulebook(name, texts, calendars ? *calendars : calendar::shared_calendars());
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

std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name) {
    TextResolver texts;
    return load_rulebook(name, texts, calendar::shared_calendars());
}

std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name, TextResolver& texts,
                                                   const SharedCalendars& calendars) {
    auto text = texts.find(TextKind::kRulebook, name);
    return text ? load_rulebook_text(std::string(name), std::move(*text), calendars)
                : std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text.error())}});
}

namespace {

struct CompiledBook {
    Book book;
    FileDiagnostics remarks;
};

std::expected<CompiledBook, FileDiagnostics> compile_text(std::string file, const std::string& text,
                                                          const SharedCalendars& calendars) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(FileDiagnostics{std::move(file), text, {std::move(read.error())}});
    }
    auto compiled = rules::Rulebook::compile(read->value, calendars);
    if (!compiled) {
        return std::unexpected(diagnostics_of(*read, compiled.error()));
    }
    FileDiagnostics remarks = diagnostics_of(*read, compiled->remarks);
    return CompiledBook{std::make_shared<const rules::Rulebook>(std::move(*compiled)),
                        std::move(remarks)};
}

}  // namespace

std::expected<Book, FileDiagnostics> load_rulebook_text(std::string file, std::string text,
                                                        const SharedCalendars& calendars) {
    static RecentTexts<Book> compiled;
    const bool is_usual = calendars == calendar::shared_calendars();
    if (auto known = is_usual ? compiled.find(text) : std::nullopt) {
        return *std::move(known);
    }
    auto made = compile_text(std::move(file), text, calendars);
    if (!made) {
        return std::unexpected(std::move(made.error()));
    }
    if (is_usual) {
        compiled.add(std::move(text), made->book);
    }
    return std::move(made->book);
}

Lint lint_rulebooks(std::span<const SourceText> sources) {
    Lint lint;
    for (const SourceText& source : sources) {
        auto compiled = compile_text(source.file, source.text, calendar::shared_calendars());
        if (!compiled) {
            lint.diagnostics.push_back(std::move(compiled.error()));
        } else if (!compiled->remarks.errors.empty()) {
            lint.remarks.push_back(std::move(compiled->remarks));
        }
    }
    return lint;
}

Lint lint_profiles(std::span<const SourceText> sources) {
    Lint lint;
    for (const SourceText& source : sources) {
        auto profile = load_profile_text(source.file, source.text);
        if (!profile) {
            lint.diagnostics.push_back(std::move(profile.error()));
            continue;
        }
        const auto read = parse_yaml(source.file, source.text);
        FileDiagnostics wrong{source.file, source.text, {}};
        const auto calendars = calendars_with(profile->calendars);
        TextResolver texts;
        for (std::size_t i = 0; i < profile->rulebooks.size(); ++i) {
            auto book = load_rulebook(profile->rulebooks[i], texts,
                                      calendars ? *calendars : calendar::shared_calendars());
            if (book) {
                continue;
            }
            if (book.error().file != "arbiter") {  // the mistake is in the rulebook
                lint.diagnostics.push_back(std::move(book.error()));
                continue;
            }
            wrong.errors.push_back(read->at({{"rulebooks", static_cast<std::int64_t>(i)},
                                             false,
                                             std::move(book.error().errors[0])}));
        }
        if (!wrong.errors.empty()) {
            lint.diagnostics.push_back(std::move(wrong));
        }
    }
    return lint;
}

std::expected<LoadedCalendars, FileDiagnostics> load_calendars(const std::string& file) {
    auto text = read_file(file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text.error())}});
    }
    const auto read = parse_yaml(file, *text);
    if (!read) {
        return std::unexpected(FileDiagnostics{file, std::move(*text), {read.error()}});
    }
    const value::Value* list =
        read->value.is_object() ? read->value.as_object().find("calendars") : nullptr;
    std::vector<value::Value> own;
    if (list == nullptr) {
        own.push_back(read->value);
    } else if (list->is_array()) {
        own.assign(list->as_array().begin(), list->as_array().end());
    } else {
        own.push_back(*list);
    }
    auto all = calendars_with(own);
    if (!all) {
        value::Diagnostic wrong = std::move(all.error());
        if (list != nullptr) {
            value::Path path = {"calendars"};
            if (list->is_array()) {
                path.emplace_back(static_cast<std::int64_t>(wrong.document));
            }
            wrong.path.insert(wrong.path.begin(), path.begin(), path.end());
        }
        return std::unexpected(diagnostics_of(*read, {std::move(wrong)}));
    }
    const value::Value* name =
        own.size() == 1 && own[0].is_object() ? own[0].as_object().find("name") : nullptr;
    return LoadedCalendars{*std::move(all), name != nullptr && name->is_string()
                                                ? std::string(name->as_string())
                                                : std::string()};
}

std::expected<std::vector<Book>, FileDiagnostics> load_books(const profile::Profile& profile) {
    TextResolver texts;
    return books_from(profile, texts);
}

std::expected<World, FileDiagnostics> load_world(std::string_view profile) {
    return world_from(profile, TextResolver());
}

std::expected<World, FileDiagnostics> load_world(std::string_view profile,
                                                 const value::Value& rulebook) {
    if (rulebook.is_null()) {
        return load_world(profile);
    }
    // A profile that extends the given one by the rulebook, under the same name.
    const auto base = load_profile(profile);
    if (!base) {
        return std::unexpected(base.error());
    }
    const value::Value* name = value::find_member(&rulebook, "rulebook");
    value::Array books;
    for (const std::string& book : base->rulebooks) {
        books = std::move(books).push_back(std::string_view(book));
    }
    const value::Object extended = {{"name", std::string_view(base->name)},
                                    {"extends", profile},
                                    {"rulebooks", std::move(books).push_back(*name)}};
    const std::string own(name->as_string());
    TextResolver texts;
    texts.add({TextKind::kProfile, own, value::print_json(extended, value::JsonStyle::kPretty)});
    texts.add({TextKind::kRulebook, own, value::print_json(rulebook, value::JsonStyle::kPretty)});
    return world_from(own, std::move(texts));
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
