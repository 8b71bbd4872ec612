// Any bytes as a card: a Card within its limits or an error with a message in both languages, never
// a crash; each greeting of the card starts, or has an error. Any bytes as a zlib stream: the
// library and our own decompression agree.
//
// The checksums of a PNG are corrected first: otherwise no input would get past them.
#include <zlib.h>
#include <algorithm>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "base/messages.h"
#include "card/internal/zlib.h"
#include "card/zod.h"
#include "config/card_files.h"
#include "config/card_report.h"
#include "config/card_start.h"
#include "config/rulebooks.h"
#include "engine/initvar.h"
#include "prompt/names.h"
#include "rules/rulebook.h"
#include "value/hash.h"
#include "value/json.h"

using namespace arbiter;

namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return number;
}

void mend_checksums(std::string& png) {
    for (std::size_t at = 8; at + 12 <= png.size();) {
        const std::size_t length = number_at(png, at);
        if (length > png.size() - at - 12) {
            return;
        }
        const auto crc = static_cast<std::uint32_t>(crc32(
            0, reinterpret_cast<const Bytef*>(png.data() + at + 4), static_cast<uInt>(length + 4)));
        for (std::size_t i = 0; i < 4; ++i) {
            png[at + 8 + length + i] = static_cast<char>(crc >> (24 - 8 * i) & 0xFFU);
        }
        at += 12 + length;
    }
}

void check_words(const config::FileDiagnostics& diagnostics) {
    CHECK(diagnostics.errors.size() == 1);
    for (const base::Error& error : diagnostics.errors) {
        CHECK(!base::explain(error, base::Language::kEnglish).empty());
        CHECK(!base::explain(error, base::Language::kChinese).empty());
        CHECK(!error.place || error.place->offset <= diagnostics.text.size());
    }
}

void check_card(std::string_view bytes) {
    const auto card = config::parse_card("fuzz", bytes);
    if (!card) {
        check_words(card.error());
        return;
    }
    CHECK(!card->name.empty() && !card->greetings.empty());
    for (std::size_t i = 0; i <= card->greetings.size(); ++i) {
        const auto start = config::initial_state(*card, {.greeting = i, .user = "U"});
        if (!start) {
            check_words(start.error());
            continue;
        }
        CHECK(i < card->greetings.size());
        CHECK(value::weigh(start->document) <= base::kDocumentWeightMax + 64);
        CHECK(value::parse_json(value::print_json(start->document)));
        CHECK(engine::take_structure(start->document).document.is_object());
    }
    // Limits that are read out of a script are limits.
    const value::Value book = card::read_zod(*card).rulebook;
    CHECK(book.is_null() || rules::Rulebook::compile(book));
    for (const card::ImportNote& note : config::card_report(*card)) {
        CHECK(!note.code.empty() && note.reason.is_complete());
    }
    const card::Replacements replacements = prompt::card_replacements(&*card, "U");
    for (const card::Side side : {card::Side::kDisplay, card::Side::kPrompt}) {
        const std::string_view text = card->greetings[0];
        const std::string made = replacements.apply(text, {side, card::Speaker::kCharacter, 0});
        CHECK(made.size() <= std::max(text.size(), base::kReplacedBytesMax));
    }
    // The stored card reads as the same card; only YAML aliases can make it longer.
    const std::string kept = value::print_json(card->whole);
    if (kept.size() <= base::kCardBytesMax) {
        const auto again = config::parse_card("again", kept);
        CHECK(again && again->name == card->name && again->greetings == card->greetings &&
              again->initvars == card->initvars && again->scripts == card->scripts);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string bytes(reinterpret_cast<const char*>(data), size);
    check_card(bytes);
    constexpr std::size_t kInflatedMax = std::size_t{1} << 20;
    using Status = card::internal::Inflated::Status;
    const auto ours = card::internal::inflate_plain(bytes, kInflatedMax);
    const auto theirs = card::internal::inflate_zlib(bytes, kInflatedMax);
    CHECK((ours.status == Status::kDone) == (theirs.status == Status::kDone));
    CHECK(ours.status != Status::kDone || ours.text == theirs.text);
    if (bytes.starts_with("\x89PNG")) {
        mend_checksums(bytes);
        check_card(bytes);
    }
    return 0;
}
