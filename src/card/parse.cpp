#include "card/parse.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/limits.h"
#include "card/card_text.h"
#include "card/internal/png.h"
#include "card/internal/zip.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::card {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

namespace {

const Value* member(const Value* object, std::string_view key) {
    return object != nullptr && object->is_object() ? object->as_object().find(key) : nullptr;
}

std::string text_of(const Value* value) {
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
}

// Reads the fields of a card. Stops at the first mistake, which is then in `fault`.
class CardReader {
  public:
    explicit CardReader(const Value& whole) : whole_(whole) {}

    std::optional<value::Diagnostic> fault;

    std::optional<Card> read() {
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
            card.version = version_of(spec);
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
        take_depth_prompt(card);
        card.initvars = initvars_of(card.character_book);
        card.scripts = scripts_of(card);
        return card;
    }

  private:
    // Newer versions are read as version 3, objects with `data` and no version as version 2.
    static int version_of(std::string_view spec) {
        return spec != "chara_card_v2" && spec.starts_with("chara_card_v") ? 3 : 2;
    }
    // A world file, or an exported lorebook.
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

    // Older programs use other names for some fields; the first present one counts.
    void take(std::string& field, std::initializer_list<std::string_view> keys) {
        for (const std::string_view key : keys) {
            const Value* found = member(at_, key);
            if (found == nullptr || found->is_null()) {
                continue;
            }
            if (found->is_string()) {
                field = found->as_string();
            } else if (found->is_number()) {
                // YAML reads an unquoted numeric name or version as a number.
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

    // Other programs write it for every card; the text is often empty.
    static void take_depth_prompt(Card& card) {
        const Value* written = card.extensions.find("depth_prompt");
        DepthPrompt& prompt = card.depth_prompt;
        prompt.text = text_of(member(written, "prompt"));
        const Value* depth = member(written, "depth");
        if (depth != nullptr && depth->is_int() && depth->as_int() >= 0) {
            prompt.depth = static_cast<std::size_t>(depth->as_int());
        }
        if (const std::string role = text_of(member(written, "role"));
            role == "user" || role == "assistant") {
            prompt.role = role;
        }
    }
    // Programs differ in where they keep unknown fields: in the card, in its data, or in its
    // extensions.
    void take_protocols(Card& card) const {
        const Value extensions(card.extensions);
        for (const Value* place : {at_, &whole_, &extensions}) {
            for (const Value* holder : {member(place, "configuration"), place}) {
                add_protocols(card.protocols, member(holder, "protocols"));
                add_protocols(card.protocols, member(holder, "enabled_schemas"));
            }
        }
    }
    // {id, version} is id@version.
    static std::string pinned_id(const Value& written) {
        std::string id = text_of(member(&written, "id"));
        const Value* number = member(&written, "version");
        const std::string version =
            number != nullptr && number->is_number() ? value::print_json(*number) : text_of(number);
        return id.empty() || version.empty() || id.contains('@') ? id : id + "@" + version;
    }
    // Each id once.
    static void add_protocols(std::vector<std::string>& ids, const Value* list) {
        if (list == nullptr || !list->is_array()) {
            return;
        }
        for (const Value& each : list->as_array()) {
            std::string id = each.is_string() ? text_of(&each) : pinned_id(each);
            if (!id.empty() && std::ranges::find(ids, id) == ids.end()) {
                ids.push_back(std::move(id));
            }
        }
    }

    const Value& whole_;
    const Value* at_ = nullptr;
    value::Path below_;
};

std::expected<Card, CardError> parse_json_card(std::string_view text, Card::Form form) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    const value::JsonOptions options = {.depth_max = base::kCardDepthMax,
                                        .bytes_max = base::kCardBytesMax};
    const auto whole = value::parse_json(text, options);
    if (!whole) {
        // A text that is too long has no place of error, and is not kept for the message.
        return std::unexpected(
            CardError{{}, whole.error().place ? std::string(text) : std::string(), whole.error()});
    }
    auto card = card_from(*whole, form);
    if (!card) {
        return std::unexpected(CardError{{}, std::string(text), std::move(card.error().error)});
    }
    return *std::move(card);
}

std::expected<Card, CardError> parse_png_card(std::string_view bytes) {
    const auto fail = [](base::Error error) {
        return std::unexpected(CardError{{}, {}, std::move(error)});
    };
    const auto texts = internal::read_png_texts(bytes);
    if (!texts) {
        return fail(texts.error());
    }
    // A card of version 3 precedes its copy for older programs.
    for (const std::string_view keyword : {"ccv3", "chara"}) {
        const auto found = std::ranges::find_if(*texts, [&](const internal::PngText& each) {
            return equals_ignoring_case(each.keyword, keyword);
        });
        if (found == texts->end()) {
            continue;
        }
        const auto text = internal::unpack_png_text(*found);
        if (!text) {
            return fail(text.error());
        }
        const std::string_view content = trimmed(*text);
        const auto json = content.starts_with('{') ? std::string(content) : decode_base64(content);
        if (!json) {
            return fail(base::Error(ErrorCode::kCardNotBase64, {std::string(keyword)}));
        }
        auto card = parse_json_card(*json, Card::Form::kPng);
        if (!card) {
            card.error().chunk = keyword;
        }
        return card;
    }
    return fail(base::Error(ErrorCode::kPngNoCard));
}

std::expected<Card, CardError> parse_charx_card(std::string_view bytes) {
    constexpr std::string_view kName = "card.json";
    const auto fail = [](base::Error error) {
        return std::unexpected(CardError{{}, {}, std::move(error)});
    };
    internal::ZipFile file = internal::read_zip_file(bytes, kName, base::kCardBytesMax);
    switch (file.status) {
        case internal::ZipFile::Status::kDone:
            break;
        case internal::ZipFile::Status::kAbsent:
            return fail(base::Error(ErrorCode::kCardNone));
        case internal::ZipFile::Status::kBroken:
            return fail(base::Error(ErrorCode::kCardForm, {"CHARX (zip)"}));
        case internal::ZipFile::Status::kTooLong:
            return fail(base::Error(
                ErrorCode::kTextTooLong,
                {"> " + std::to_string(base::kCardBytesMax), std::to_string(base::kCardBytesMax)}));
    }
    auto card = parse_json_card(file.content, Card::Form::kCharx);
    if (!card) {
        card.error().chunk = kName;
    }
    return card;
}

// The name of a binary file format that is not a card; empty: none that is known.
std::string_view other_format(std::string_view bytes) {
    struct Form {
        std::string_view begins;
        std::string_view name;
    };
    constexpr auto kForms = std::to_array<Form>(
        {{"\xFF\xD8\xFF", "JPEG"}, {"GIF8", "GIF"}, {"%PDF", "PDF"}, {"\x1F\x8B", "gzip"}});
    for (const Form& form : kForms) {
        if (bytes.starts_with(form.begins)) {
            return form.name;
        }
    }
    return bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP") ? "WebP" : "";
}

}  // namespace

base::Result<Card::Form> form_of(std::string_view bytes) {
    if (internal::is_png(bytes)) {
        return Card::Form::kPng;
    }
    if (internal::is_zip(bytes)) {
        return Card::Form::kCharx;
    }
    if (const std::string_view format = other_format(bytes); !format.empty()) {
        return base::fail(ErrorCode::kCardForm, {std::string(format)});
    }
    return trimmed(bytes).starts_with('{') ? Card::Form::kJson : Card::Form::kYaml;
}

std::expected<Card, CardError> parse_card(std::string_view bytes) {
    const auto form = form_of(bytes);
    if (!form) {
        return std::unexpected(CardError{{}, {}, form.error()});
    }
    switch (*form) {
        case Card::Form::kPng:
            return parse_png_card(bytes);
        case Card::Form::kCharx:
            return parse_charx_card(bytes);
        case Card::Form::kJson:
        case Card::Form::kYaml:
            break;
    }
    return parse_json_card(bytes, Card::Form::kJson);
}

std::expected<Card, value::Diagnostic> card_from(const Value& whole, Card::Form form) {
    CardReader reader(whole);
    auto card = reader.read();
    if (!card) {
        return std::unexpected(*std::move(reader.fault));
    }
    card->form = form;
    return *std::move(card);
}

}  // namespace arbiter::card
