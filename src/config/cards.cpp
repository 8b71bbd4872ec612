#include "config/cards.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "base/limits.h"
#include "config/files.h"
#include "config/internal/card_text.h"
#include "config/internal/png.h"
#include "config/internal/yaml_text.h"
#include "config/yaml.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::config {

using base::ErrorCode;
using internal::is_same_word;
using value::Array;
using value::Object;
using value::Value;

namespace {

Trouble trouble(std::string file, std::string text, base::Error error) {
    return {std::move(file), std::move(text), {std::move(error)}};
}

const Value* member(const Value* object, std::string_view key) {
    return object != nullptr && object->is_object() ? object->as_object().find(key) : nullptr;
}

std::string text_of(const Value* value) {
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

// Fills a Card from what was written. What is not as it should be stands in `fault`.
class Filling {
  public:
    explicit Filling(const Value& whole) : whole_(whole) {}

    std::optional<value::Diagnostic> fault;

    std::optional<Card> fill() {
        Card card;
        card.whole = whole_;
        const Value* data = member(&whole_, "data");
        const std::string spec = text_of(member(&whole_, "spec"));
        if (spec.starts_with("lorebook") || (spec.empty() && is_lorebook())) {
            return refuse(ErrorCode::kCardLorebook);
        }
        if (data != nullptr && data->is_object() &&
            (!spec.empty() || data->as_object().contains("name"))) {
            below_ = {"data"};
            at_ = data;
            card.version = spec == "chara_card_v2" ? 2 : spec.starts_with("chara_card_v") ? 3 : 2;
        } else {
            at_ = &whole_;
        }
        take(card.name, {"name", "char_name"});
        if (!fault && card.name.empty()) {
            return refuse(ErrorCode::kCardNone);
        }
        std::string first;
        take(card.nickname, {"nickname"});
        take(card.description, {"description", "char_persona", "context"});
        take(card.personality, {"personality"});
        take(card.scenario, {"scenario", "world_scenario"});
        take(first, {"first_mes", "char_greeting", "greeting"});
        take(card.example_messages, {"mes_example", "example_dialogue"});
        take(card.system_prompt, {"system_prompt"});
        take(card.post_history_instructions, {"post_history_instructions"});
        take(card.creator, {"creator"});
        take(card.creator_notes, {"creator_notes", "creatorcomment"});
        take(card.character_version, {"character_version"});
        card.greetings.push_back(std::move(first));
        take_list(card.greetings, "alternate_greetings");
        take_list(card.group_greetings, "group_only_greetings");
        take_list(card.tags, "tags");
        if (const Value* book = object("character_book")) {
            card.character_book = *book;
        }
        if (const Value* extensions = object("extensions")) {
            card.extensions = extensions->as_object();
        }
        if (fault) {
            return std::nullopt;
        }
        if (card.character_book.is_null()) {
            card.linked_world = text_of(card.extensions.find("world"));
        }
        take_protocols(card);
        card.initvars = internal::initvars_of(card.character_book);
        card.scripts = internal::scripts_of(card);
        return card;
    }

  private:
    // A world file, or a book that was exported alone.
    [[nodiscard]] bool is_lorebook() const {
        const Value* entries = member(&whole_, "entries");
        return entries != nullptr && entries->is_container() &&
               member(&whole_, "data") == nullptr && member(&whole_, "first_mes") == nullptr;
    }

    std::optional<Card> refuse(ErrorCode code) {
        fault = {{}, false, base::Error(code)};
        return std::nullopt;
    }

    void wrong(std::string_view key, std::string_view takes, const Value& found,
               std::optional<std::int64_t> index = {}) {
        if (fault) {
            return;
        }
        value::Path path = below_;
        path.emplace_back(key);
        if (index) {
            path.emplace_back(*index);
        }
        const std::string place = value::print_path(path, value::PathSyntax::kDotted);
        fault = {std::move(path), false,
                 base::Error(ErrorCode::kBadField,
                             {place, std::string(takes), std::string(value::name(found.kind()))})};
    }

    // Older programs have other names for some fields; the first that is there counts.
    void take(std::string& field, std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            const Value* found = member(at_, key);
            if (found == nullptr || found->is_null()) {
                continue;
            }
            if (found->is_string()) {
                field = found->as_string();
            } else if (found->is_number()) {
                // YAML makes a number of a name or a version that is one.
                field = value::print_json(*found);
            } else {
                wrong(key, "\"…\"", *found);
            }
            return;
        }
    }

    void take_list(std::vector<std::string>& field, std::string_view key) {
        const Value* found = member(at_, key);
        if (found == nullptr || found->is_null()) {
            return;
        }
        if (!found->is_array()) {
            wrong(key, "[\"…\", …]", *found);
            return;
        }
        std::int64_t index = 0;
        for (const Value& each : found->as_array()) {
            if (!each.is_string()) {
                wrong(key, "[\"…\", …]", each, index);
                return;
            }
            field.emplace_back(each.as_string());
            ++index;
        }
    }

    const Value* object(std::string_view key) {
        const Value* found = member(at_, key);
        if (found == nullptr || found->is_null()) {
            return nullptr;
        }
        if (!found->is_object()) {
            wrong(key, "{…}", *found);
            return nullptr;
        }
        return found;
    }

    // Programs differ in where they keep what they do not know: in the card, its data, or beside
    // its other extensions.
    void take_protocols(Card& card) const {
        const Value extensions(card.extensions);
        std::set<std::string> seen;
        for (const Value* place : {at_, &whole_, &extensions}) {
            for (const Value* holder : {member(place, "configuration"), place}) {
                for (const std::string_view key : {"protocols", "enabled_schemas"}) {
                    const Value* list = member(holder, key);
                    if (list == nullptr || !list->is_array()) {
                        continue;
                    }
                    for (const Value& each : list->as_array()) {
                        const std::string id =
                            each.is_string() ? text_of(&each) : text_of(member(&each, "id"));
                        if (!id.empty() && seen.insert(id).second) {
                            card.protocols.push_back(id);
                        }
                    }
                }
            }
        }
    }

    const Value& whole_;
    const Value* at_ = nullptr;
    value::Path below_;
};

std::expected<Card, Trouble> card_of(const std::string& file, std::string_view text,
                                     const Value& whole, Card::Form form, const Sourced* source) {
    Filling filling(whole);
    auto card = filling.fill();
    if (!card) {
        base::Error error = source != nullptr ? source->at(*filling.fault) : filling.fault->error;
        return std::unexpected(trouble(file, std::string(text), std::move(error)));
    }
    card->form = form;
    return *std::move(card);
}

std::expected<Card, Trouble> parse_json_card(const std::string& file, std::string_view text,
                                             Card::Form form) {
    if (text.starts_with(internal::kByteOrderMark)) {
        text.remove_prefix(internal::kByteOrderMark.size());
    }
    const value::JsonOptions options = {.depth_max = base::kCardDepthMax,
                                        .bytes_max = base::kCardBytesMax};
    const auto whole = value::parse_json(text, options);
    if (!whole) {
        // What is too long is not shown either.
        return std::unexpected(
            trouble(file, whole.error().place ? std::string(text) : std::string(), whole.error()));
    }
    return card_of(file, text, *whole, form, nullptr);
}

std::expected<Card, Trouble> parse_png_card(const std::string& file, std::string_view bytes) {
    const auto fail = [&](base::Error error) {
        return std::unexpected(trouble(file, {}, std::move(error)));
    };
    const auto texts = internal::read_png_texts(bytes);
    if (!texts) {
        return fail(texts.error());
    }
    for (const std::string_view keyword : {"ccv3", "chara"}) {
        const auto found = std::ranges::find_if(*texts, [&](const internal::PngText& each) {
            return is_same_word(each.keyword, keyword);
        });
        if (found == texts->end()) {
            continue;
        }
        const auto text = internal::unpack_png_text(*found);
        if (!text) {
            return fail(text.error());
        }
        const std::string_view content = internal::trimmed(*text);
        const std::string label = file + ":" + std::string(keyword);
        if (content.starts_with('{')) {
            return parse_json_card(label, content, Card::Form::kPng);
        }
        const auto json = internal::decode_base64(content);
        return json ? parse_json_card(label, *json, Card::Form::kPng)
                    : fail(base::Error(ErrorCode::kCardNotBase64, {std::string(keyword)}));
    }
    return fail(base::Error(ErrorCode::kPngNoCard));
}

// Files that people try, which are no texts.
std::string_view other_form(std::string_view bytes) {
    struct Form {
        std::string_view begins;
        std::string_view name;
    };
    constexpr auto kForms = std::to_array<Form>({{"PK\x03\x04", "CHARX (zip)"},
                                                 {"\xFF\xD8\xFF", "JPEG"},
                                                 {"GIF8", "GIF"},
                                                 {"%PDF", "PDF"},
                                                 {"\x1F\x8B", "gzip"}});
    for (const Form& form : kForms) {
        if (bytes.starts_with(form.begins)) {
            return form.name;
        }
    }
    return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP") ? "WebP" : "";
}

}  // namespace

std::expected<Card, Trouble> parse_card(std::string file, std::string_view bytes) {
    if (internal::is_png(bytes)) {
        return parse_png_card(file, bytes);
    }
    if (const std::string_view form = other_form(bytes); !form.empty()) {
        return std::unexpected(
            trouble(file, {}, base::Error(ErrorCode::kCardForm, {std::string(form)})));
    }
    if (internal::trimmed(bytes).starts_with('{')) {
        return parse_json_card(file, bytes, Card::Form::kJson);
    }
    auto read = parse_yaml(file, std::string(bytes));
    if (!read) {
        return std::unexpected(
            trouble(file, read.error().place ? std::string(bytes) : "", read.error()));
    }
    // A few aliases stand for more than any card holds; JSON has none.
    if (const std::uint64_t weight = value::weigh(read->value); weight > base::kCardBytesMax) {
        return std::unexpected(
            trouble(file, {},
                    base::Error(ErrorCode::kTextTooLong,
                                {std::to_string(weight), std::to_string(base::kCardBytesMax)})));
    }
    return card_of(file, read->text, read->value, Card::Form::kYaml, &*read);
}

std::expected<Card, Trouble> load_card(const std::string& file) {
    const auto bytes = read_file(file, base::kPngBytesMax);
    if (!bytes) {
        return std::unexpected(trouble("arbiter", {}, bytes.error()));
    }
    return parse_card(file, *bytes);
}

}  // namespace arbiter::config
