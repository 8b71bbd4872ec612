// Parsing of character cards: bytes of a PNG, JSON or CHARX file, or a Value of any origin, give a
// Card.
//
//   auto card = parse_card(bytes);
//   if (!card) report(card.error().error);
//
// Cards are untrusted: any bytes give a Card or a CardError, within base/limits.h. Pure. YAML is
// read by the shell (config/card_files.h), which passes the Value to card_from().
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/error.h"
#include "card/card.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::card {

struct CardError {
    std::string chunk;  // keyword of the PNG text chunk with the card; empty: not inside of one
    std::string text;   // the text that the error's place refers to; empty: no place
    base::Error error;
};

// The form of a card by its first bytes: text that is neither PNG nor JSON is kYaml. Fails for
// files that are known to be something else, such as JPEG.
base::Result<Card::Form> form_of(std::string_view bytes);

// A card in PNG, JSON or CHARX: the card.json of a zip archive.
std::expected<Card, CardError> parse_card(std::string_view bytes);

// A card that was already read as a Value. Fails with the first mistake.
std::expected<Card, value::Diagnostic> card_from(const value::Value& whole, Card::Form form);

}  // namespace arbiter::card
