#include "config/rulebooks.h"

#include "config/yaml.h"
#include "rules/shipped.h"

namespace arbiter::config {
namespace {

std::shared_ptr<const rules::Calendars> calendars() {
    // They live as long as the program.
    return {&rules::default_calendars(), [](const rules::Calendars*) {}};
}

std::expected<rules::Setting, Trouble> setting_from(const profile::Profile& profile, Texts& texts) {
    std::vector<Book> books;
    for (const std::string& name : profile.rulebooks) {
        auto book = load_rulebook(name, texts);
        if (!book) {
            return std::unexpected(std::move(book.error()));
        }
        books.push_back(std::move(*book));
    }
    return rules::make_setting(profile.policy, std::move(books));
}

std::expected<World, Trouble> world_from(std::string_view name, Texts texts) {
    auto profile = load_profile(name, texts);
    if (!profile) {
        return std::unexpected(std::move(profile.error()));
    }
    auto setting = setting_from(*profile, texts);
    if (!setting) {
        return std::unexpected(std::move(setting.error()));
    }
    return World{*std::move(profile), *std::move(setting), texts.used()};
}

}  // namespace

std::expected<Book, Trouble> load_rulebook(std::string_view name) {
    Texts texts;
    return load_rulebook(name, texts);
}

std::expected<Book, Trouble> load_rulebook(std::string_view name, Texts& texts) {
    auto text = texts.find(TextKind::kRulebook, name);
    return text ? load_rulebook_text(std::string(name), std::move(*text))
                : std::unexpected(Trouble{"arbiter", {}, {std::move(text.error())}});
}

std::expected<Book, Trouble> load_rulebook_text(std::string file, std::string text) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(
            Trouble{std::move(file), std::move(text), {std::move(read.error())}});
    }
    auto compiled = rules::Rulebook::compile(read->value, calendars());
    if (!compiled) {
        Trouble found = {read->file, read->text, {}};
        for (const value::Diagnostic& fault : compiled.error()) {
            found.errors.push_back(read->at(fault));
        }
        return std::unexpected(std::move(found));
    }
    return std::make_shared<const rules::Rulebook>(std::move(*compiled));
}

std::expected<rules::Setting, Trouble> setting_of(const profile::Profile& profile) {
    Texts texts;
    return setting_from(profile, texts);
}

std::expected<World, Trouble> load_world(std::string_view profile) {
    return world_from(profile, Texts());
}

std::expected<World, Trouble> load_world(std::string_view profile, std::vector<Source> kept) {
    return world_from(profile, Texts(std::move(kept)));
}

}  // namespace arbiter::config
