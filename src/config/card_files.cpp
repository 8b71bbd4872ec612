#include "config/card_files.h"

#include <utility>

#include "base/limits.h"
#include "card/card_text.h"
#include "card/parse.h"
#include "config/files.h"
#include "config/yaml.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::config {

using base::ErrorCode;
using card::Card;
using value::Value;

namespace {

std::unexpected<FileDiagnostics> fail(std::string file, std::string text, base::Error error) {
    return std::unexpected(FileDiagnostics{std::move(file), std::move(text), {std::move(error)}});
}

std::expected<Card, FileDiagnostics> parse_yaml_card(std::string file, std::string_view bytes) {
    auto read = parse_yaml(file, std::string(bytes));
    if (!read) {
        return fail(std::move(file), read.error().place ? std::string(bytes) : "", read.error());
    }
    // A few aliases can stand for more than a card may contain; JSON has no aliases.
    if (const std::uint64_t weight = value::weigh(read->value); weight > base::kCardBytesMax) {
        return fail(std::move(file), {},
                    base::Error(ErrorCode::kTextTooLong,
                                {std::to_string(weight), std::to_string(base::kCardBytesMax)}));
    }
    auto card = card::card_from(read->value, Card::Form::kYaml);
    if (!card) {
        return fail(std::move(file), read->text, read->at(card.error()));
    }
    return *std::move(card);
}

}  // namespace

std::expected<Card, FileDiagnostics> parse_card(std::string file, std::string_view bytes) {
    if (const auto form = card::form_of(bytes); form && *form == Card::Form::kYaml) {
        return parse_yaml_card(std::move(file), bytes);
    }
    auto card = card::parse_card(bytes);
    if (!card) {
        const card::CardError& error = card.error();
        return fail(error.chunk.empty() ? std::move(file) : file + ":" + error.chunk, error.text,
                    error.error);
    }
    return *std::move(card);
}

std::expected<Card, FileDiagnostics> load_card(const std::string& file) {
    const auto bytes = read_file(file, base::kPngBytesMax);
    if (!bytes) {
        return fail("arbiter", {}, bytes.error());
    }
    return parse_card(file, *bytes);
}

std::expected<std::vector<card::Initvar>, FileDiagnostics> load_initvars(const std::string& file) {
    auto text = read_file(file, base::kCardBytesMax);
    if (!text) {
        return std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text).error()}});
    }
    if (card::trimmed(*text).starts_with('{')) {
        const auto book =
            value::parse_json(card::trimmed(*text), {.depth_max = base::kCardDepthMax});
        const Value* entries =
            book && book->is_object() ? book->as_object().find("entries") : nullptr;
        const Value* data = book && book->is_object() ? book->as_object().find("data") : nullptr;
        for (const Value* each : {entries != nullptr ? &*book : nullptr, data}) {
            if (each == nullptr) {
                continue;
            }
            auto found = card::initvars_of(*each);
            if (!found.empty()) {
                return found;
            }
        }
    }
    return std::vector<card::Initvar>{{file, *std::move(text)}};
}

}  // namespace arbiter::config
