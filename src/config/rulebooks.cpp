#include "config/rulebooks.h"

#include <algorithm>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "rules/shipped.h"

namespace arbiter::config {
namespace {

using base::ErrorCode;

std::shared_ptr<const rules::Calendars> calendars() {
    // They live as long as the program.
    return {&rules::default_calendars(), [](const rules::Calendars*) {}};
}

std::unexpected<Trouble> about_name(base::Error error) {
    return std::unexpected(Trouble{"arbiter", {}, {std::move(error)}});
}

}  // namespace

std::expected<Book, Trouble> load_rulebook(std::string_view name) {
    if (is_file(name)) {
        auto text = read_file(std::string(name), base::kYamlBytesMax);
        return text ? load_rulebook_text(std::string(name), std::move(*text))
                    : about_name(std::move(text.error()));
    }
    const auto found = std::ranges::find(built_in_rulebooks(), name, &BuiltIn::name);
    if (found == built_in_rulebooks().end()) {
        return about_name(unknown_name(ErrorCode::kUnknownRulebook, name, built_in_rulebooks()));
    }
    return load_rulebook_text(std::string(name), std::string(found->text));
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
        for (const value::Fault& fault : compiled.error()) {
            found.errors.push_back(read->at(fault));
        }
        return std::unexpected(std::move(found));
    }
    return std::make_shared<const rules::Rulebook>(std::move(*compiled));
}

std::expected<rules::Setting, Trouble> setting_of(const profile::Profile& profile) {
    std::vector<Book> books;
    for (const std::string& name : profile.rulebooks) {
        auto book = load_rulebook(name);
        if (!book) {
            return std::unexpected(std::move(book.error()));
        }
        books.push_back(std::move(*book));
    }
    return rules::make_setting(profile.policy, std::move(books));
}

}  // namespace arbiter::config
